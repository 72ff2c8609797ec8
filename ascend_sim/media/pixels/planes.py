"""A picture as arrays: luma and chroma, or colours, as views of the bytes that a descriptor names.

Every format has one normal form: `luma` (rows, columns) with `chroma` (rows, columns, 2; blue before red) at its own
size, or `colours` (rows, columns, 3; red first) with `alpha`. Views are written through.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from ascend_sim.media.pixels.pixel_formats import PixelFormat, Plane

__all__ = ["Area", "Image", "image_of", "resample_chroma", "rows_of"]

Pixels = npt.NDArray[np.uint8]


class Area(NamedTuple):
    """Columns from *left* and rows from *top*, *width* and *height* of them."""

    left: int
    top: int
    width: int
    height: int

    def __str__(self) -> str:
        return (
            f"columns {self.left} to {self.left + self.width - 1}, rows {self.top} to {self.top + self.height - 1} "
            f"({self.width} x {self.height})"
        )


class Image(NamedTuple):
    """The pixels in their normal form."""

    luma: Pixels | None = None
    chroma: Pixels | None = None
    across: int = 1
    down: int = 1
    colours: Pixels | None = None
    alpha: Pixels | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        first = self.luma if self.luma is not None else self.colours
        assert first is not None
        return int(first.shape[1]), int(first.shape[0])


def _part(plane: Plane, area: Area, across: int, down: int, unit: int) -> Plane:
    """The bytes of *area* in *plane*, of which a unit of *unit* bytes stands for *across* x *down* pixels."""
    left, right = area.left // across, (area.left + area.width - 1) // across
    top, bottom = area.top // down, (area.top + area.height - 1) // down
    start = plane.start + top * plane.pitch + left * unit
    return Plane(start, (right - left + 1) * unit, plane.pitch, bottom - top + 1)


def rows_of(form: PixelFormat, planes: tuple[Plane, ...], area: Area) -> tuple[Plane, ...]:
    """The bytes that *area* takes, plane by plane."""
    if form.family == "yuyv":
        return (_part(planes[0], area, 2, 1, 4),)
    first = _part(planes[0], area, 1, 1, form.unit)
    if form.family != "yuv":
        return (first,)
    return first, _part(planes[1], area, form.across, form.down, 2)


def _view(data: Pixels, plane: Plane) -> Pixels:
    return as_strided(data[plane.start :], (plane.rows, plane.row_bytes), (plane.pitch, 1))


def image_of(form: PixelFormat, data: Pixels, planes: tuple[Plane, ...], area: Area) -> Image:
    """Views of the pixels of *area*; *planes* are its bytes, as `rows_of` gives them, in *data*."""
    first = _view(data, planes[0])
    if form.family == "gray":
        return Image(first)
    if form.family == "yuv":
        pairs = _view(data, planes[1]).reshape(planes[1].rows, -1, 2)
        return Image(first, pairs if form.order == "UV" else pairs[..., ::-1], form.across, form.down)
    if form.family == "yuyv":
        four = first.reshape(planes[0].rows, -1, 4)
        luma_first = form.order[0] == "Y"
        whole = first[:, 0 if luma_first else 1 :: 2]
        skip = area.left % 2
        blue = form.order.index("U")
        step = 2 if blue < form.order.index("V") else -2
        stop = blue + 2 * step
        chroma = four[..., blue : stop if stop >= 0 else None : step]
        return Image(whole[:, skip : skip + area.width], chroma, 2, 1)
    pixels = first.reshape(planes[0].rows, -1, form.unit)
    if form.order == "YUV":
        return Image(pixels[..., 0], pixels[..., 1:])
    places = [form.order.index(name) for name in "RGB"]
    step = places[1] - places[0]
    stop = places[2] + step
    colours = pixels[..., places[0] : stop if stop >= 0 else None : step]
    return Image(colours=colours, alpha=pixels[..., form.order.index("A")] if "A" in form.order else None)


def _mean(values: Any, axis: int) -> Any:
    """Pairs along *axis* averaged (half up); an odd last one stays alone."""
    if values.shape[axis] % 2:
        values = np.concatenate([values, values.take([-1], axis)], axis)
    shape = list(values.shape)
    shape[axis : axis + 1] = [shape[axis] // 2, 2]
    pairs = values.reshape(shape)
    found = (pairs.take(0, axis + 1).astype(np.uint16) + pairs.take(1, axis + 1) + 1) >> 1
    return found.astype(np.uint8)


def resample_chroma(chroma: Pixels, have: tuple[int, int], want: tuple[int, int], columns: int, rows: int) -> Pixels:
    """Chroma that is shared by *have* pixels across and down, as it is shared by *want*: *columns* x *rows* of it.

    Fewer: the mean of what falls together; more: repeated.
    """
    for axis, (old, new, length) in enumerate(zip(have[::-1], want[::-1], (rows, columns), strict=True)):
        if old < new:
            chroma = _mean(chroma, axis)
        elif old > new:
            chroma = chroma.repeat(2, axis)
        if chroma.shape[axis] != length:
            chroma = chroma.take(np.minimum(np.arange(length), chroma.shape[axis] - 1), axis)
    return chroma
