"""Whether strides, sizes and rectangles of a picture keep the rules of the product, and which numbers would.

See docs/semantics/media.md#rules-of-the-products.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ascend_sim.media.pixels.pixel_formats import PixelFormat, format_name, pixel_format
from ascend_sim.media.rules import align

if TYPE_CHECKING:
    from ascend_sim.media.configurations import Rectangle
    from ascend_sim.media.descriptors import PictureDesc
    from ascend_sim.media.rules import MediaRules

__all__ = ["Fault", "Layout", "check_area", "check_coded", "check_decoded", "check_picture"]

LARGE = 4096
"""A side beyond it is for some formats only, and needs less alignment."""
DIRECT = (1 / 32, 16)
"""How much a side may shrink and grow in one step, as pages of two products say."""


class Fault(NamedTuple):
    """What is wrong, and what would be right."""

    text: str
    right: str


class Layout(NamedTuple):
    """What a picture descriptor says at one moment."""

    data: int
    size: int
    format: int
    width: int
    height: int
    width_stride: int
    height_stride: int

    @classmethod
    def of(cls, desc: PictureDesc) -> Layout:
        """What *desc* says now."""
        return cls(desc.data, desc.size, desc.format, desc.width, desc.height, desc.width_stride, desc.height_stride)

    def __str__(self) -> str:
        return (
            f"{format_name(self.format)}, {self.width} x {self.height}, strides {self.width_stride} x "
            f"{self.height_stride}, {self.size} bytes"
        )

    def even(self, form: PixelFormat) -> Layout:
        """With an odd last column or row cut off that the format cannot have."""
        return self._replace(width=self.width // form.across * form.across, height=self.height // form.down * form.down)


def _sides(what: str, width: int, height: int, least: tuple[int, int], most: tuple[int, int]) -> Fault | None:
    if least[0] <= width <= most[0] and least[1] <= height <= most[1]:
        return None
    return Fault(
        f"is {width} x {height}", f"{what} is {least[0]} x {least[1]} to {most[0]} x {most[1]} on this product"
    )


def check_picture(rules: MediaRules, layout: Layout, output: bool) -> Fault | None:
    """The first rule that a picture of VPC breaks, as an input or an *output*."""
    form = pixel_format(layout.format)
    if form is None:
        return Fault(
            f"has {format_name(layout.format)}", "the simulator knows the pixels of formats 0 to 17, 1000, 1001"
        )
    what = "an output" if output else "an input"
    least, most = (rules.output_least, rules.output_most) if output else (rules.input_least, rules.input_most)
    found = _sides(what, layout.width, layout.height, least, most)
    if found is not None:
        return found
    large = not output and max(layout.width, layout.height) > LARGE
    if large and layout.format not in rules.large_formats:
        names = ", ".join(format_name(number) for number in sorted(rules.large_formats))
        return Fault(f"has a side beyond {LARGE} and is {format_name(layout.format)}", f"such pictures are {names}")
    layout = layout.even(form)
    need = rules.picture(form, layout.width, layout.height, large)
    right = f"width stride {need.width_stride}, height stride {need.height_stride}, {need.size} bytes at least"
    unit = (2 if large else max(rules.width_align, form.across)) * form.unit
    for name, value, least_value, multiple in (
        ("width stride", layout.width_stride, need.width_stride, unit),
        ("height stride", layout.height_stride, need.height_stride, 1 if large else rules.height_align),
    ):
        if value < least_value:
            return Fault(f"has {name} {value}, {least_value} is needed", right)
        if value % multiple:
            return Fault(f"has {name} {value}, which is no multiple of {multiple}", right)
    most_stride = rules.stride_limits["most"] * form.unit
    if layout.width_stride > most_stride or layout.height_stride > rules.stride_limits["most_height"]:
        return Fault(
            f"has strides {layout.width_stride} x {layout.height_stride}", f"at most {most_stride} is possible"
        )
    size = rules.size(form, layout.width_stride, layout.height_stride)
    if layout.size < size:
        return Fault(
            f"says {layout.size} bytes: its strides make {size}",
            f"{size} bytes (width stride x height stride{_factor(form)})",
        )
    return None


def _factor(form: PixelFormat) -> str:
    if form.family != "yuv":
        return ""
    return {4: " x 3 / 2", 2: " x 2", 1: " x 3"}[form.across * form.down]


def check_decoded(rules: MediaRules, layout: Layout, form: PixelFormat, width: int, height: int) -> Fault | None:
    """The first rule that the output of a decode of a *width* x *height* JPEG breaks."""
    need = rules.decoded(form, width, height)
    right = f"width stride {need.width_stride}, height stride {need.height_stride}, {need.size} bytes at least"
    unit = rules.jpeg_width_align * form.unit
    if layout.width_stride < need.width_stride or layout.width_stride % unit:
        return Fault(
            f"has width stride {layout.width_stride} for {width} columns: a multiple of {unit} is needed", right
        )
    if layout.height_stride < need.height_stride or layout.height_stride % rules.jpeg_height_align:
        return Fault(
            f"has height stride {layout.height_stride} for {height} rows: a multiple of {rules.jpeg_height_align} is "
            "needed",
            right,
        )
    size = form.size(layout.width_stride, layout.height_stride)
    if layout.size < size:
        return Fault(f"says {layout.size} bytes: its strides make {size}", right)
    return None


def check_coded(rules: MediaRules, layout: Layout) -> Fault | None:
    """The first rule that the input of a JPEG encode breaks."""
    form = pixel_format(layout.format)
    assert form is not None, "the call looks at the format"
    low, high = rules.jpeg_encode_limits
    found = _sides("the input of an encode", layout.width, layout.height, (low, low), (high, high))
    if found is not None:
        return found
    row = align(layout.width * form.unit, 16)
    exactly = form.family == "yuyv"
    if layout.width_stride % 16 or layout.width_stride < row or (exactly and layout.width_stride != row):
        need = f"{row}" if exactly else f"{row} or a larger multiple of 16"
        return Fault(f"has width stride {layout.width_stride} for {layout.width} columns", f"width stride {need}")
    rows = layout.height_stride
    if rows != layout.height and (rows < layout.height or rows % 16):
        return Fault(
            f"has height stride {rows} for {layout.height} rows",
            f"height stride {layout.height}, or a larger multiple of 16",
        )
    size = form.size(layout.width_stride, rows)
    if layout.size < size:
        return Fault(f"says {layout.size} bytes: its strides make {size}", f"{size} bytes")
    return None


def check_area(rules: MediaRules, area: Rectangle, width: int, height: int, paste: bool) -> Fault | None:
    """The first rule that a rectangle of a *width* x *height* picture breaks; *paste*: where pixels are put."""
    what = "paste" if paste else "crop"
    if area.width < 1 or area.height < 1:
        return Fault(f"{what} area {area} is empty", "left <= right and top <= bottom, both ends included")
    if area.right >= width or area.bottom >= height:
        return Fault(
            f"{what} area {area} leaves the {width} x {height} picture",
            f"right at most {width - 1}, bottom at most {height - 1}: both ends are included",
        )
    if paste and area.left % rules.paste_align:
        near = area.left // rules.paste_align * rules.paste_align
        return Fault(
            f"paste area {area} begins at column {area.left}",
            f"left a multiple of {rules.paste_align}: {near} or {near + rules.paste_align}",
        )
    if rules.roi_parity and (area.left % 2 or area.top % 2 or not area.right % 2 or not area.bottom % 2):
        right = (
            f"left and top even, right and bottom odd: ({area.left // 2 * 2}, {area.right // 2 * 2 + 1}, "
            f"{area.top // 2 * 2}, {area.bottom // 2 * 2 + 1}), if the picture has them"
        )
        return Fault(f"{what} area {area} has wrong parity", right)
    least = rules.output_least if paste else rules.input_least
    if area.width < least[0] or area.height < least[1]:
        return Fault(f"{what} area {area} is too small", f"at least {least[0]} x {least[1]}")
    return None
