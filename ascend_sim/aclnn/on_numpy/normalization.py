"""Softmax and norms of layers, batches and roots of mean squares, with their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, elementwise, store

__all__: list[str] = []


def _shifted(self: Array, dim: int) -> Array:
    found: Array = self - self.max(dim, keepdims=True, initial=-np.inf)
    return found


def _softmax(self: Array, dim: int) -> Any:
    if not self.ndim:
        return np.ones((), self.dtype)
    powers = np.exp(_shifted(self, dim))
    return powers / powers.sum(dim, keepdims=True)


def _log_softmax(self: Array, dim: int) -> Any:
    if not self.ndim:
        return np.zeros((), self.dtype)
    shifted = _shifted(self, dim)
    return shifted - np.log(np.exp(shifted).sum(dim, keepdims=True))


def _axis(gradient: Array, dim: int) -> Any:
    return dim if gradient.ndim else ()


elementwise(_softmax, "Softmax")
elementwise(_log_softmax, "LogSoftmax")
elementwise(
    lambda gradient, output, dim: output * (gradient - (gradient * output).sum(_axis(gradient, dim), keepdims=True)),
    "SoftmaxBackward",
)
elementwise(
    lambda gradient, output, dim: gradient - np.exp(output) * gradient.sum(_axis(gradient, dim), keepdims=True),
    "LogSoftmaxBackward",
)


def _rows(x: Array, normalized: Sequence[int]) -> Array:
    """A row for each normalised part."""
    return x.reshape(-1, int(np.prod(normalized)))


@numpy_body("aclnnLayerNorm")
def layer_norm(
    x: Array, normalized: Sequence[int], weight: Array | None, bias: Array | None, eps: float, out: Array,
    mean: Array | None, rstd: Array | None,
) -> None:  # fmt: skip
    rows = _rows(x, normalized)
    means = rows.mean(1, keepdims=True)
    scales = 1 / np.sqrt(((rows - means) ** 2).mean(1, keepdims=True) + rows.dtype.type(eps))
    made = ((rows - means) * scales).reshape(x.shape)
    made = made if weight is None else made * weight
    store(out, made if bias is None else made + bias)
    for kept, values in ((mean, means), (rstd, scales)):
        if kept is not None:
            store(kept, values.reshape(kept.shape))


@numpy_body("aclnnLayerNormBackward")
def layer_norm_gradients(
    gradient: Array, x: Array, normalized: Sequence[int], mean: Array, rstd: Array, weight: Array | None,
    bias: Array | None, mask: Sequence[bool], of_input: Array | None, of_weight: Array | None, of_bias: Array | None,
) -> None:  # fmt: skip
    rows, upper = _rows(x, normalized), _rows(gradient, normalized)
    scales = rstd.reshape(-1, 1)
    plain = (rows - mean.reshape(-1, 1)) * scales
    inner = upper if weight is None else upper * weight.reshape(1, -1)
    made = scales * (inner - inner.mean(1, keepdims=True) - plain * (inner * plain).mean(1, keepdims=True))
    parts = ((of_input, made), (of_weight, (upper * plain).sum(0)), (of_bias, upper.sum(0)))
    for asked, (out, values) in zip(mask, parts, strict=True):
        if asked and out is not None:
            store(out, values.reshape(out.shape))


@numpy_body("aclnnRmsNorm")
def rms_norm(x: Array, gamma: Array, eps: float, y: Array, rstd: Array | None) -> None:
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    scales = 1 / np.sqrt((x * x).mean(axes, keepdims=True) + np.float32(eps))
    store(y, x * scales * gamma)
    if rstd is not None:
        store(rstd, scales.reshape(rstd.shape))


def _channels(values: Array, rank: int) -> Array:
    return values.reshape(1, -1, *[1] * (rank - 2))


@numpy_body("aclnnBatchNorm")
def batch_norm(
    x: Array, weight: Array | None, bias: Array | None, running_mean: Array | None, running_variance: Array | None,
    training: bool, momentum: float, eps: float, out: Array, saved_mean: Array, saved_scale: Array,
) -> None:  # fmt: skip
    """In training by the batch, and the running statistics move; else by them."""
    axes, rank = (0, *range(2, x.ndim)), x.ndim
    if training:
        means, variances = x.mean(axes), x.var(axes)
        count = x.size // max(1, x.shape[1])
        if running_mean is not None:
            store(running_mean, (1 - momentum) * running_mean + momentum * means)
        if running_variance is not None:
            unbiased = variances * (count / max(1, count - 1))
            store(running_variance, (1 - momentum) * running_variance + momentum * unbiased)
    else:
        assert running_mean is not None and running_variance is not None
        means, variances = running_mean, running_variance
    scales = 1 / np.sqrt(variances + x.dtype.type(eps))
    made = (x - _channels(means, rank)) * _channels(scales, rank)
    made = made if weight is None else made * _channels(weight, rank)
    store(out, made if bias is None else made + _channels(bias, rank))
    for kept, values in ((saved_mean, means), (saved_scale, scales)):
        if kept.size == values.size:
            store(kept, values)


@numpy_body("aclnnBatchNormBackward")
def batch_norm_gradients(
    gradient: Array, x: Array, weight: Array | None, running_mean: Array | None, running_variance: Array | None,
    saved_mean: Array | None, saved_scale: Array | None, training: bool, eps: float, mask: Sequence[bool],
    of_input: Array | None, of_weight: Array | None, of_bias: Array | None,
) -> None:  # fmt: skip
    axes, rank = (0, *range(2, x.ndim)), x.ndim
    if training:
        assert saved_mean is not None and saved_scale is not None
        means, scales = saved_mean, saved_scale
    else:
        assert running_mean is not None and running_variance is not None
        means, scales = running_mean, 1 / np.sqrt(running_variance + x.dtype.type(eps))
    plain = (x - _channels(means, rank)) * _channels(scales, rank)
    sums, products = gradient.sum(axes), (gradient * plain).sum(axes)
    inner = gradient
    if training:
        count = x.size // x.shape[1]
        inner = gradient - (_channels(sums, rank) + plain * _channels(products, rank)) / count
    factor = scales if weight is None else scales * weight
    parts = ((of_input, inner * _channels(factor, rank)), (of_weight, products), (of_bias, sums))
    for asked, (out, values) in zip(mask, parts, strict=True):
        if asked:
            store(out, values)
