"""Pixels from one format into another: what stands at the end of every operation that writes a picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ascend_sim.media.pixels.colours import to_rgb, to_yuv
from ascend_sim.media.pixels.planes import Image, resample_chroma

__all__ = ["store"]

Pixels = npt.NDArray[np.uint8]
GRAY = 128
OPAQUE = 255


def _chroma(source: Image, across: int, down: int, columns: int, rows: int) -> Pixels:
    if source.chroma is None:
        return np.full((rows, columns, 2), GRAY, np.uint8)
    return resample_chroma(source.chroma, (source.across, source.down), (across, down), columns, rows)


def store(source: Image, target: Image, matrix: int) -> None:
    """Write *source* over *target*, which is as large and may be of another format."""
    if target.colours is not None:
        colours = source.colours
        if colours is None:
            assert source.luma is not None
            rows, columns = source.luma.shape
            chroma = _chroma(source, 1, 1, columns, rows)
            colours = to_rgb(np.dstack([source.luma, chroma]), matrix)
        target.colours[...] = colours
        if target.alpha is not None:
            target.alpha[...] = OPAQUE if source.alpha is None else source.alpha
        return
    assert target.luma is not None
    if source.colours is not None:
        values = to_yuv(source.colours, matrix)
        source = Image(values[..., 0], values[..., 1:])
    assert source.luma is not None
    target.luma[...] = source.luma
    if target.chroma is not None:
        rows, columns = target.chroma.shape[:2]
        target.chroma[...] = _chroma(source, target.across, target.down, columns, rows)
