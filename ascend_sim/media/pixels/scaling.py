"""Scaling of planes: bilinear and nearest, as the pages of the products name them.

See docs/semantics/media.md#scaling.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["NEAREST", "bilinear", "bilinear_reference", "nearest", "scale"]

Pixels = npt.NDArray[np.uint8]

NEAREST = (2, 4)
"""The numbers of algorithms that take the nearest pixel; all others are bilinear here."""
ONE = 11
"""Weights have so many binary places."""
AT_ONCE = 1 << 21
"""Values of a band that is worked on at once: bounds the memory of the largest pictures."""


def scale(pixels: Pixels, width: int, height: int, algorithm: int) -> Pixels:
    """*pixels* (rows, columns, or rows, columns, components) with *height* rows and *width* columns."""
    if pixels.shape[:2] == (height, width):
        return pixels
    return nearest(pixels, width, height) if algorithm in NEAREST else bilinear(pixels, width, height)


def nearest(pixels: Pixels, width: int, height: int) -> Pixels:
    """Row i is row floor(i * rows / height), columns alike."""
    rows = np.arange(height) * pixels.shape[0] // height
    columns = np.arange(width) * pixels.shape[1] // width
    found: Pixels = pixels[rows[:, None], columns]
    return found


def _weights(source: int, target: int) -> tuple[Any, Any, Any]:
    """For each of *target* places: the two of *source* between which it lies, and the weight of the second."""
    at = (np.arange(target, dtype=np.float64) + 0.5) * (source / target) - 0.5
    first = np.floor(at).astype(np.intp)
    part = np.rint((at - first) * (1 << ONE)).astype(np.int32)
    part[first < 0] = 0
    part[first >= source - 1] = 0
    first = np.clip(first, 0, source - 1)
    return first, np.minimum(first + 1, source - 1), part


def bilinear(pixels: Pixels, width: int, height: int) -> Pixels:
    """Centres of pixels on centres, the edge repeated, weights of 11 binary places, half rounded up."""
    source_height, source_width = pixels.shape[:2]
    top, bottom, down = _weights(source_height, height)
    left, right, across = _weights(source_width, width)
    deep = pixels.ndim == 3
    across = across[:, None] if deep else across
    made: Pixels = np.empty((height, width, *pixels.shape[2:]), np.uint8)
    shrinks = width <= source_width
    band = max(1, AT_ONCE // (max(width, 1 if shrinks else source_width) * (pixels.shape[2] if deep else 1)))
    half = np.int32(1 << (2 * ONE - 1))
    for start in range(0, height, band):
        rows = slice(start, min(start + band, height))
        weight = down[rows].reshape((-1,) + (1,) * (pixels.ndim - 1))
        if shrinks:  # few columns are needed: only they are read
            above, below = pixels[top[rows]], pixels[bottom[rows]]
            at_left = _between(above.take(left, 1), below.take(left, 1), weight)
            at_right = _between(above.take(right, 1), below.take(right, 1), weight)
        else:
            column = _between(pixels[top[rows]], pixels[bottom[rows]], weight)
            at_left, at_right = column.take(left, 1), column.take(right, 1)
        at_right -= at_left
        at_right *= across
        at_left <<= ONE
        at_left += at_right
        at_left += half
        at_left >>= 2 * ONE
        made[rows] = at_left
    return made


def _between(above: Any, below: Any, weight: Any) -> Any:
    """*above* and *below* mixed, times 2**11."""
    made = below.astype(np.int32)
    upper = above.astype(np.int32)
    made -= upper
    made *= weight
    upper <<= ONE
    made += upper
    return made


def bilinear_reference(pixels: Pixels, width: int, height: int) -> npt.NDArray[np.float64]:
    """What `bilinear` approximates, in double precision and not rounded: the definition, for tests."""
    rows, columns = pixels.shape[:2]
    values = pixels.astype(np.float64)
    y = np.clip((np.arange(height) + 0.5) * rows / height - 0.5, 0, rows - 1)
    x = np.clip((np.arange(width) + 0.5) * columns / width - 0.5, 0, columns - 1)
    top, left = np.floor(y).astype(int), np.floor(x).astype(int)
    bottom, right = np.minimum(top + 1, rows - 1), np.minimum(left + 1, columns - 1)
    more = (1,) * (pixels.ndim - 2)
    fy, fx = (y - top).reshape(-1, 1, *more), (x - left).reshape(1, -1, *more)
    upper = values[top][:, left] * (1 - fx) + values[top][:, right] * fx
    lower = values[bottom][:, left] * (1 - fx) + values[bottom][:, right] * fx
    found: npt.NDArray[np.float64] = upper * (1 - fy) + lower * fy
    return found
