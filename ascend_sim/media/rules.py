"""What the media units of a product take: formats, strides, sizes, and which functions exist.

The numbers are data (``ascend_sim/data/media.json``); docs/semantics/media.md#rules-of-the-products says where they
come from.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_sim.catalogue.tables import document

if TYPE_CHECKING:
    from ascend_sim.machine.profiles import Profile
    from ascend_sim.media.pixels.pixel_formats import PixelFormat

__all__ = ["MediaRules", "Strides", "align", "rules_of", "table"]


def align(value: int, unit: int) -> int:
    """The next multiple of *unit*."""
    return -(-value // unit) * unit


@cache
def table() -> dict[str, Any]:
    """The file as it is."""
    found: dict[str, Any] = document("media.json")
    return found


class Strides(NamedTuple):
    """What a descriptor has to say at least: bytes of a row, rows of the first plane, bytes of the buffer."""

    width_stride: int
    height_stride: int
    size: int


class MediaRules:
    """The rules of one product. *formats*: the allowed numbers by use, as ``vpc_input`` and ``jpegd_output``."""

    def __init__(self, family: str, strict: bool) -> None:
        everything = table()
        own = everything["generations"][everything["families"][family]]
        self.family = family
        self.strict = strict
        """Strides and sizes are looked at by the call, not by the device."""
        self.missing: frozenset[str] = frozenset(own["functions_missing"])
        self.formats: dict[str, frozenset[int]] = {use: frozenset(numbers) for use, numbers in own["formats"].items()}
        self.interpolations: tuple[int, ...] = tuple(own["interpolations"])
        self.own_filters: frozenset[int] = frozenset(own["own_filters"])
        """Algorithms that are a high-order filter of the product: bilinear takes their place."""
        vpc = own["vpc"]
        self.width_align: int = vpc["align"]["width"]
        self.height_align: int = vpc["align"]["height"]
        self.stride_limits: dict[str, int] = vpc["stride"]
        self.input_least: tuple[int, int] = tuple(vpc["input"]["least"])
        self.input_most: tuple[int, int] = tuple(vpc["input"]["most"])
        self.output_least: tuple[int, int] = tuple(vpc["output"]["least"])
        self.output_most: tuple[int, int] = tuple(vpc["output"]["most"])
        self.large_formats: frozenset[int] = frozenset(vpc["large_formats"])
        self.gray_has_chroma: bool = vpc["gray_has_chroma"]
        """A gray picture takes the room of one with chroma at half the size."""
        self.roi_parity: bool = vpc["roi_parity"]
        self.paste_align: int = vpc["paste_align"]
        self.jpeg_width_align: int = everything["jpeg_width_align"][family]
        self.jpeg_height_align: int = everything["jpeg"]["height_align"]
        self.jpeg_rounds_down = family in everything["jpeg_rounds_down"]
        """Decoding to formats with halved chroma cuts an odd last column and row off."""
        self.jpeg_limits: tuple[int, int] = (everything["jpeg"]["least"], everything["jpeg"]["most"])
        most = everything["jpeg"]["encode_most"].get(family, everything["jpeg"]["most"])
        self.jpeg_encode_limits: tuple[int, int] = (everything["jpeg"]["least"], most)
        self.png_limits: tuple[int, int] = (everything["png"]["least"], everything["png"]["most"])

    def picture(self, form: PixelFormat, width: int, height: int, large: bool = False) -> Strides:
        """The least strides and bytes of a picture for VPC. *large*: a side beyond 4096, whose rows need less."""
        unit = 2 if large else self.width_align
        row = align(width, max(unit, form.across)) * form.unit
        row = max(row, self.stride_limits["least"])
        rows = max(align(height, self.height_align), self.stride_limits["least_height"])
        return Strides(row, rows, self.size(form, row, rows))

    def size(self, form: PixelFormat, width_stride: int, height_stride: int) -> int:
        """Bytes of a picture with these strides."""
        size = form.size(width_stride, height_stride)
        if form.family == "gray" and self.gray_has_chroma:
            size = size * 3 // 2
        return size

    def decoded(self, form: PixelFormat, width: int, height: int) -> Strides:
        """The least strides and bytes of the output of a JPEG decode."""
        row = align(width, self.jpeg_width_align) * form.unit
        rows = align(height, self.jpeg_height_align)
        size = form.size(row, rows)
        return Strides(row, rows, size * 3 // 2 if form.family == "gray" else size)


@cache
def _rules(family: str, strict: bool) -> MediaRules:
    return MediaRules(family, strict)


def rules_of(profile: Profile) -> MediaRules | None:
    """The rules of a SoC; None for one whose media units have no such interface."""
    if profile.family not in table()["families"]:
        return None
    return _rules(profile.family, profile.switches["media_strict_at_call"] == "yes")
