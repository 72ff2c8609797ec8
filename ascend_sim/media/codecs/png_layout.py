"""What the picture of a PNG takes: its format, strides and bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ascend_sim.media.codecs.png_header import COMPONENTS, PngError
from ascend_sim.media.pixels.pixel_formats import UNKNOWN, PixelFormat, pixel_format
from ascend_sim.media.rules import align, table

if TYPE_CHECKING:
    from ascend_sim.media.codecs.png_header import PngHeader
    from ascend_sim.media.rules import MediaRules

__all__ = ["PNG_FORMATS", "PngLayout", "png_layout"]

PNG_FORMATS = {False: 12, True: 16}
"""Of a decoder that keeps what the file has: without and with alpha."""


class PngLayout(NamedTuple):
    """The picture as the units want it at least."""

    form: PixelFormat
    width: int
    height: int
    width_stride: int
    height_stride: int


def png_layout(rules: MediaRules, header: PngHeader, number: int) -> PngLayout:
    """What a file with *header* becomes in the pixel format *number*. Raises PngError for what is not decoded."""
    low, high = rules.png_limits
    if not (low <= header.width <= high and low <= header.height <= high):
        raise PngError(f"it is {header.width} x {header.height}: {low} x {low} to {high} x {high} can be decoded")
    if header.colour not in COMPONENTS or header.depth != 8:
        raise PngError(f"its colours are of type {header.colour} with {header.depth} bits: not modelled")
    if number == UNKNOWN:
        number = PNG_FORMATS[COMPONENTS[header.colour] in (2, 4)]
    form = pixel_format(number)
    if form is None or number not in PNG_FORMATS.values():
        raise PngError(f"it becomes RGB or RGBA, not the format {number}")
    numbers = table()["png"]
    row = align(header.width, numbers["width_align"]) * form.unit
    return PngLayout(form, header.width, header.height, row, align(header.height, numbers["height_align"]))
