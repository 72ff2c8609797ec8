"""From luma and chroma to colours and back, by the matrices that a channel can have.

See docs/semantics/media.md#colours.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["coefficients", "inverse", "to_rgb", "to_yuv"]

Pixels = npt.NDArray[np.uint8]

_RED_AND_BLUE = ((0.299, 0.114), (0.2126, 0.0722), (0.2627, 0.0593))
"""The shares of red and blue in luma: BT.601, BT.709, BT.2020; each of two numbers of acldvppCscMatrix, full, narrow."""


@cache
def coefficients(matrix: int) -> tuple[Any, Any]:
    """The 3 x 3 matrix from red, green, blue to luma and chroma, and what is added, for an acldvppCscMatrix."""
    red, blue = _RED_AND_BLUE[matrix // 2]
    luma = np.array([red, 1 - red - blue, blue])
    to_blue = (np.array([0, 0, 1]) - luma) / (2 * (1 - blue))
    to_red = (np.array([1, 0, 0]) - luma) / (2 * (1 - red))
    made = np.stack([luma, to_blue, to_red])
    offset = np.array([0.0, 128.0, 128.0])
    if matrix % 2:
        made *= np.array([[219 / 255], [224 / 255], [224 / 255]])
        offset[0] = 16.0
    return made.astype(np.float32), offset.astype(np.float32)


@cache
def inverse(matrix: int) -> Any:
    """The 3 x 3 matrix back, from luma and chroma without what is added."""
    return np.linalg.inv(coefficients(matrix)[0].astype(np.float64)).astype(np.float32)


def _rounded(values: Any) -> Pixels:
    values += np.float32(0.5)
    np.clip(values, 0, 255, out=values)
    found: Pixels = values.astype(np.uint8)
    return found


def to_yuv(colours: Pixels, matrix: int) -> Pixels:
    """Red, green, blue in the last axis -> luma, chroma of blue, chroma of red."""
    factors, offset = coefficients(matrix)
    return _rounded(colours.astype(np.float32) @ factors.T + offset)


def to_rgb(values: Pixels, matrix: int) -> Pixels:
    """Luma, chroma of blue, chroma of red in the last axis -> red, green, blue."""
    _, offset = coefficients(matrix)
    return _rounded((values.astype(np.float32) - offset) @ inverse(matrix).T)
