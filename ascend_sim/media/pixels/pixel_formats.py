"""Pixel formats: which planes a picture has, and what of its width and height they take.

See docs/semantics/media.md#pixel-formats.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from ascend_sim.constants import media

__all__ = ["UNKNOWN", "Plane", "PixelFormat", "format_name", "pixel_format"]

UNKNOWN = media.PIXEL_FORMAT_UNKNOWN
"""As an output of a decoder: keep what the file has."""


class Plane(NamedTuple):
    """Where a plane lies in a buffer: *rows* rows of *row_bytes*, the first at byte *start*, *pitch* bytes apart."""

    start: int
    row_bytes: int
    pitch: int
    rows: int

    @property
    def end(self) -> int:
        """The byte behind its last one, the padding of the last row not counted."""
        return self.start + (self.rows - 1) * self.pitch + self.row_bytes if self.rows else self.start


class PixelFormat(NamedTuple):
    """One format.

    *family*: ``"yuv"`` (a plane of luma, then one with pairs of chroma), ``"gray"``, ``"yuyv"`` (two pixels in four
    bytes), or ``"packed"`` (*order* says what the bytes of a pixel are).
    """

    number: int
    name: str
    family: Literal["yuv", "gray", "yuyv", "packed"]
    across: int
    """Pixels of a row that share a pair of chroma."""
    down: int
    """Rows that share them."""
    order: str
    """What the bytes are: ``UV`` or ``VU`` of pairs, ``YUYV`` of two pixels, ``RGB``, ``ARGB``, ``YUV`` of one."""
    unit: int
    """Bytes of a pixel in the first plane."""

    @property
    def is_colour(self) -> bool:
        """Red, green and blue, not luma and chroma."""
        return "R" in self.order

    @property
    def halves(self) -> tuple[int, int]:
        """Of what width and height must be multiples."""
        return self.across, self.down

    def size(self, width_stride: int, height_stride: int) -> int:
        """Bytes of a picture with these strides: bytes of a row, rows of the first plane."""
        first = width_stride * height_stride
        if self.family != "yuv":
            return first
        return first + first * 2 // (self.across * self.down)

    def planes(self, width: int, height: int, width_stride: int, height_stride: int) -> tuple[Plane, ...]:
        """Where the planes of a *width* x *height* picture lie. Chroma covers an odd last column or row, too."""
        first = Plane(0, width * self.unit, width_stride, height)
        if self.family == "yuyv":
            return (first._replace(row_bytes=(width + 1) // 2 * 4),)
        if self.family != "yuv":
            return (first,)
        pairs, rows = -(-width // self.across), -(-height // self.down)
        pitch = width_stride * 2 // self.across
        return first, Plane(width_stride * height_stride, pairs * 2, pitch, rows)


_ROWS: tuple[tuple[int, str, str, int, int, str, int], ...] = (
    (media.PIXEL_FORMAT_YUV_400, "YUV400", "gray", 1, 1, "Y", 1),
    (media.PIXEL_FORMAT_YUV_SEMIPLANAR_420, "NV12", "yuv", 2, 2, "UV", 1),
    (media.PIXEL_FORMAT_YVU_SEMIPLANAR_420, "NV21", "yuv", 2, 2, "VU", 1),
    (media.PIXEL_FORMAT_YUV_SEMIPLANAR_422, "YUV422SP", "yuv", 2, 1, "UV", 1),
    (media.PIXEL_FORMAT_YVU_SEMIPLANAR_422, "YVU422SP", "yuv", 2, 1, "VU", 1),
    (media.PIXEL_FORMAT_YUV_SEMIPLANAR_444, "YUV444SP", "yuv", 1, 1, "UV", 1),
    (media.PIXEL_FORMAT_YVU_SEMIPLANAR_444, "YVU444SP", "yuv", 1, 1, "VU", 1),
    (media.PIXEL_FORMAT_YUYV_PACKED_422, "YUYV", "yuyv", 2, 1, "YUYV", 2),
    (media.PIXEL_FORMAT_UYVY_PACKED_422, "UYVY", "yuyv", 2, 1, "UYVY", 2),
    (media.PIXEL_FORMAT_YVYU_PACKED_422, "YVYU", "yuyv", 2, 1, "YVYU", 2),
    (media.PIXEL_FORMAT_VYUY_PACKED_422, "VYUY", "yuyv", 2, 1, "VYUY", 2),
    (media.PIXEL_FORMAT_YUV_PACKED_444, "YUV444", "packed", 1, 1, "YUV", 3),
    (media.PIXEL_FORMAT_RGB_888, "RGB888", "packed", 1, 1, "RGB", 3),
    (media.PIXEL_FORMAT_BGR_888, "BGR888", "packed", 1, 1, "BGR", 3),
    (media.PIXEL_FORMAT_ARGB_8888, "ARGB8888", "packed", 1, 1, "ARGB", 4),
    (media.PIXEL_FORMAT_ABGR_8888, "ABGR8888", "packed", 1, 1, "ABGR", 4),
    (media.PIXEL_FORMAT_RGBA_8888, "RGBA8888", "packed", 1, 1, "RGBA", 4),
    (media.PIXEL_FORMAT_BGRA_8888, "BGRA8888", "packed", 1, 1, "BGRA", 4),
    (media.PIXEL_FORMAT_YUV_SEMIPLANAR_440, "YUV440SP", "yuv", 1, 2, "UV", 1),
    (media.PIXEL_FORMAT_YVU_SEMIPLANAR_440, "YVU440SP", "yuv", 1, 2, "VU", 1),
)


@cache
def _table() -> Mapping[int, PixelFormat]:
    return {row[0]: PixelFormat(*row) for row in _ROWS}  # type: ignore[arg-type]


def pixel_format(number: int) -> PixelFormat | None:
    """The format of this number; None for one whose pixels the simulator does not know (10 bit, Bayer, planar).

    >>> pixel_format(1).size(128, 16)
    3072
    """
    return _table().get(number)


def format_name(number: int) -> str:
    """``NV12 (1)``: what a text calls the format."""
    found = _table().get(number)
    if found is not None:
        return f"{found.name} ({number})"
    for name, value in vars(media).items():
        if value == number and name.startswith("PIXEL_FORMAT_"):
            return f"{name.removeprefix('PIXEL_FORMAT_')} ({number})"
    return f"format {number}"
