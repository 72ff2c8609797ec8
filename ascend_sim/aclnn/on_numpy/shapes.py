"""Joining, repeating, turning and padding tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, elementwise, store
from ascend_sim.aclnn.promotion import common_type

__all__: list[str] = []


@numpy_body("aclnnCat")
def cat(tensors: Sequence[Array], dim: int, out: Array) -> None:
    """Tensors of the shape [0] count for nothing."""
    wide = common_type(*tensors)
    parts = [tensor.astype(wide, copy=False) for tensor in tensors if tensor.shape != (0,) or out.ndim == 1]
    if parts:
        store(out, np.concatenate(parts, dim))


@numpy_body("aclnnStack")
def stack(tensors: Sequence[Array], dim: int, out: Array) -> None:
    wide = common_type(*tensors)
    store(out, np.stack([tensor.astype(wide, copy=False) for tensor in tensors], dim))


elementwise(np.tile, "Repeat")
elementwise(np.transpose, "Permute")
elementwise(lambda self, repeats, size: np.repeat(self.reshape(-1), _counts(repeats)),
            "RepeatInterleave", "RepeatInterleaveInt")  # fmt: skip
elementwise(lambda self, repeats, dim, size: np.repeat(self.reshape(1) if not self.ndim else self, _counts(repeats), dim),
            "RepeatInterleaveWithDim", "RepeatInterleaveIntWithDim")  # fmt: skip
elementwise(lambda repeats, size: np.repeat(np.arange(repeats.size), repeats), "RepeatInterleaveTensor")


def _counts(repeats: Any) -> Any:
    """How often each is repeated; one number for all where there is one."""
    return repeats if isinstance(repeats, int) else repeats.reshape(-1)


@numpy_body("aclnnConstantPadNd")
def constant_pad(self: Array, pad: Sequence[int], value: Any, out: Array) -> None:
    """Two numbers a dim, from the last dim on: what is put before and behind; negative ones cut off."""
    made = np.full(out.shape, np.asarray(value).astype(out.dtype), out.dtype)
    inner, outer = [slice(None)] * self.ndim, [slice(None)] * self.ndim
    for i in range(len(pad) // 2):
        axis, before, behind = self.ndim - 1 - i, pad[2 * i], pad[2 * i + 1]
        inner[axis] = slice(max(0, -before), self.shape[axis] - max(0, -behind))
        outer[axis] = slice(max(0, before), made.shape[axis] - max(0, behind))
    made[tuple(outer)] = self[tuple(inner)]
    store(out, made)
