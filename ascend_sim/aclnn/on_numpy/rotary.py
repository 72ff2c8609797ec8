"""Positions as rotations of pairs of numbers."""

from __future__ import annotations

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, store

__all__: list[str] = []


def _turned(x: Array, mode: int) -> Array:
    """*x* a quarter further: pairs are halves (0), neighbours (1) or quarters (2)."""
    if mode == 1:
        return np.stack([-x[..., 1::2], x[..., 0::2]], -1).reshape(x.shape)
    if mode == 2:
        a, b, c, d = np.split(x, 4, -1)
        return np.concatenate([-b, a, -d, c], -1)
    first, second = np.split(x, 2, -1)
    return np.concatenate([-second, first], -1)


@numpy_body("aclnnRotaryPositionEmbedding")
def rotary(x: Array, cosine: Array, sine: Array, mode: int, out: Array) -> None:
    if mode == 3:  # neighbours are taken apart, and are halves then
        x = np.concatenate([x[..., ::2], x[..., 1::2]], -1)
    store(out, x * cosine + _turned(x, mode) * sine)
