"""Borders around pictures: a value, or the picture's own pixels repeated or mirrored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ascend_sim.constants.media import (
    BORDER_CONSTANT,
    BORDER_REFLECT,
    BORDER_REFLECT_101,
    BORDER_REPLICATE,
)
from ascend_sim.media.pixels.planes import Image

if TYPE_CHECKING:
    from ascend_sim.media.configurations import Border

__all__ = ["KINDS", "bordered"]

Pixels = npt.NDArray[np.uint8]

KINDS = (BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_REFLECT_101)


def _places(count: int, before: int, after: int, kind: int) -> Any:
    """Which of *count* rows stands at each place from -*before* on; the edge where mirroring finds none."""
    at = np.arange(-before, count + after)
    if kind == BORDER_REPLICATE or count == 1:
        return np.clip(at, 0, count - 1)
    period = 2 * count if kind == BORDER_REFLECT else 2 * count - 2
    at = at % period
    return np.where(at < count, at, period - at - (1 if kind == BORDER_REFLECT else 0))


def _around(pixels: Pixels, top: int, bottom: int, left: int, right: int, kind: int, values: Any) -> Pixels:
    if kind != BORDER_CONSTANT:
        rows = _places(pixels.shape[0], top, bottom, kind)
        columns = _places(pixels.shape[1], left, right, kind)
        found: Pixels = pixels[rows[:, None], columns]
        return found
    height, width = pixels.shape[:2]
    made = np.empty((top + height + bottom, left + width + right, *pixels.shape[2:]), np.uint8)
    made[...] = values
    made[top : top + height, left : left + width] = pixels
    return made


def bordered(image: Image, border: Border) -> Image:
    """*image* with a border: values 0 to 2 are those of its components in their normal order, 3 that of alpha."""
    values = np.clip(np.rint(np.nan_to_num(np.array(border.values))), 0, 255).astype(np.uint8)
    sides = (border.top, border.bottom, border.left, border.right)
    if image.colours is not None:
        alpha = None if image.alpha is None else _around(image.alpha, *sides, border.kind, values[3])
        return Image(colours=_around(image.colours, *sides, border.kind, values[:3]), alpha=alpha)
    assert image.luma is not None
    luma = _around(image.luma, *sides, border.kind, values[0])
    chroma = image.chroma
    if chroma is not None:
        # whole pairs: the border of chroma covers every pixel of the border of luma
        rows, columns = -(-luma.shape[0] // image.down), -(-luma.shape[1] // image.across)
        top, left = border.top // image.down, border.left // image.across
        bottom, right = max(0, rows - top - chroma.shape[0]), max(0, columns - left - chroma.shape[1])
        chroma = _around(chroma, top, bottom, left, right, border.kind, values[1:3])[:rows, :columns]
    return Image(luma, chroma, image.across, image.down)
