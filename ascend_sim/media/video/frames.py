"""Decoded pictures into buffers: pairs of chroma, colours, another size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from ascend_sim.media.video.video_decoder import Frame

if TYPE_CHECKING:
    from ascend_sim.media.pixels.pixel_formats import PixelFormat, Plane

__all__ = ["write_frame"]

Samples = NDArray[np.uint8]


def write_frame(
    buffer: Samples, frame: Frame, form: PixelFormat, width: int, height: int, planes: tuple[Plane, ...], matrix: int
) -> None:
    """Write *frame*, scaled to *width* x *height*, into *buffer* with these *planes*; nothing between rows is touched."""
    if (width, height) != (frame.width, frame.height):
        frame = _scaled(frame, width, height)
    rows = [_rows(buffer, plane) for plane in planes]
    if form.is_colour:
        rows[0][:] = _colours(frame, form.order, matrix).reshape(height, -1)
        return
    rows[0][:] = frame.luma
    first, second = (frame.first, frame.second) if form.order == "UV" else (frame.second, frame.first)
    rows[1][:, 0::2] = first
    rows[1][:, 1::2] = second


def _rows(buffer: Samples, plane: Plane) -> Samples:
    return as_strided(buffer[plane.start :], (plane.rows, plane.row_bytes), (plane.pitch, 1))


def _scaled(frame: Frame, width: int, height: int) -> Frame:
    across, down = -(-width // 2), -(-height // 2)
    luma = _bilinear(frame.luma, width, height)
    return Frame(width, height, luma, _bilinear(frame.first, across, down), _bilinear(frame.second, across, down))


def _axis(size: int, source: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """For each of *size* samples the two of *source* around it, and the share of the second."""
    at = (np.arange(size, dtype=np.float64) + 0.5) * source / size - 0.5
    low = np.clip(np.floor(at), 0, source - 1)
    share = np.clip(at - low, 0, 1).astype(np.float32)
    first = low.astype(np.intp)
    return first, np.minimum(first + 1, source - 1), share


def _bilinear(plane: Samples, width: int, height: int) -> Samples:
    """Centres of samples on centres of samples, clamped at the borders, rounded half up."""
    top, bottom, down = _axis(height, plane.shape[0])
    left, right, across = _axis(width, plane.shape[1])
    lines = plane[top] * (1 - down[:, None]) + plane[bottom] * down[:, None]
    found = lines[:, left] * (1 - across) + lines[:, right] * across
    return np.floor(found + 0.5).astype(np.uint8)


_WEIGHTS = ((0.299, 0.114), (0.2126, 0.0722), (0.2627, 0.0593))
"""Of red and blue in luma: BT.601, BT.709, BT.2020."""


def _colours(frame: Frame, order: str, matrix: int) -> Samples:
    """The picture in red, green and blue by the *matrix* of the channel (an acldvppCscMatrix)."""
    red, blue = _WEIGHTS[matrix // 2]
    narrow = matrix % 2 == 1
    luma = frame.luma.astype(np.float32)
    height, width = luma.shape
    pairs = [
        np.repeat(np.repeat(plane, 2, 0)[:height], 2, 1)[:, :width].astype(np.float32) - 128
        for plane in (frame.first, frame.second)
    ]
    if narrow:
        luma = (luma - 16) * (255 / 219)
        pairs = [plane * (255 / 224) for plane in pairs]
    u, v = pairs
    r = luma + 2 * (1 - red) * v
    b = luma + 2 * (1 - blue) * u
    g = (luma - red * r - blue * b) / (1 - red - blue)
    found = np.stack([{"R": r, "G": g, "B": b}[letter] for letter in order], axis=-1)
    return np.clip(np.floor(found + 0.5), 0, 255).astype(np.uint8)
