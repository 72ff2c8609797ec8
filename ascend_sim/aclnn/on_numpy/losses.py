"""The negative log likelihood of classes."""

from __future__ import annotations

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, store

__all__: list[str] = []

NONE, MEAN = 0, 1


def _weights(target: Array, weight: Array, ignored: int) -> tuple[Array, Array]:
    """The class of each row, 0 for those that do not count, and its weight, 0 for these."""
    counts = target != ignored
    classes = np.where(counts, target, 0).astype(np.int64).reshape(-1)
    return classes, np.where(counts.reshape(-1), weight[classes], 0)


@numpy_body("aclnnNLLLoss")
def nll_loss(
    self: Array, target: Array, weight: Array, reduction: int, ignored: int, out: Array, total: Array | None
) -> None:
    """*reduction*: 0 each, 1 the weighted mean, 2 the sum; rows of the class *ignored* count for nothing."""
    rows = self.reshape(-1, self.shape[-1])
    classes, weights = _weights(target, weight, ignored)
    each = -rows[np.arange(len(rows)), classes] * weights
    sum_of_weights = weights.sum()
    if reduction == NONE:
        store(out, each.reshape(out.shape))
    else:
        store(out, each.sum() / sum_of_weights if reduction == MEAN else each.sum())
    if total is not None and total.size:
        store(total, sum_of_weights if reduction != NONE else 0)


@numpy_body("aclnnNLLLossBackward")
def nll_loss_gradient(
    gradient: Array, self: Array, target: Array, weight: Array, reduction: int, ignored: int, total: Array, out: Array
) -> None:
    classes, weights = _weights(target, weight, ignored)
    made = np.zeros((len(classes), self.shape[-1]), out.dtype)
    upper = np.broadcast_to(gradient.reshape(-1), len(classes))
    made[np.arange(len(classes)), classes] = -upper * weights / (total.reshape(-1)[0] if reduction == MEAN else 1)
    store(out, made.reshape(out.shape))
