"""Normalisation over batches, layers and groups, the pieces of it that several devices share, and the gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.outputs import computed, in_float32

aten = torch.ops.aten
Sizes = Sequence[int]


def _by_channel(values: Tensor, like: Tensor) -> Tensor:
    """One value a channel, which is the second axis of *like*."""
    return values.reshape(1, -1, *[1] * (like.dim() - 2))


def _others(self: Tensor) -> list[int]:
    return [axis for axis in range(self.dim()) if axis != 1]


def _statistics(self: Tensor) -> tuple[Tensor, Tensor, int]:
    """Mean and (biased) variance of each channel, and of how many."""
    axes = _others(self)
    variance, mean = torch.var_mean(self, axes, correction=0)
    return mean, variance, self.numel() // max(self.shape[1], 1)


def _update(running: Tensor | None, value: Tensor, momentum: float) -> None:
    if running is not None:
        running.copy_((1 - momentum) * running + momentum * value)


def _batch_norm(
    self: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_variance: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    x = self if self.dtype == torch.float64 else self.float()
    if training or running_mean is None or running_variance is None:
        mean, variance, count = _statistics(x)
        _update(running_mean, mean, momentum)
        _update(running_variance, variance * (count / max(count - 1, 1)), momentum)
    else:
        mean, variance = running_mean.to(x.dtype), running_variance.to(x.dtype)
    inverse = torch.rsqrt(variance + eps)
    result = (x - _by_channel(mean, x)) * _by_channel(inverse, x)
    if weight is not None:
        result = result * _by_channel(weight, x)
    if bias is not None:
        result = result + _by_channel(bias, x)
    return (result, mean, inverse) if training else (result, None, None)


def _batch_norm_backward(
    grad: Tensor,
    self: Tensor,
    weight: Tensor | None,
    running_mean: Tensor | None,
    running_variance: Tensor | None,
    mean: Tensor | None,
    inverse: Tensor | None,
    training: bool,
    eps: float,
    mask: Sequence[bool],
) -> tuple[Tensor | None, ...]:
    if not training or mean is None or inverse is None:
        assert running_mean is not None
        assert running_variance is not None
        mean, inverse = running_mean, torch.rsqrt(running_variance + eps)
    centred = (self - _by_channel(mean, self)) * _by_channel(inverse, self)
    axes = _others(self)
    sums, products = grad.sum(axes), (grad * centred).sum(axes)
    scale = _by_channel(inverse if weight is None else inverse * weight, self)
    of_input = grad
    if training:
        count = self.numel() // max(self.shape[1], 1)
        of_input = grad - _by_channel(sums / count, self) - centred * _by_channel(products / count, self)
    found = (of_input * scale, products, sums)
    return tuple(one if wanted else None for one, wanted in zip(found, mask, strict=True))


def _elements(
    self: Tensor, weight: Tensor | None, bias: Tensor | None, mean: Tensor, inverse: Tensor, eps: float
) -> Tensor:
    result = (self - _by_channel(mean, self)) * _by_channel(inverse, self)
    if weight is not None:
        result = result * _by_channel(weight, self)
    return result if bias is None else result + _by_channel(bias, self)


def _elements_backward(
    grad: Tensor,
    self: Tensor,
    mean: Tensor,
    inverse: Tensor,
    weight: Tensor | None,
    sums: Tensor,
    products: Tensor,
    counts: Tensor,
) -> Tensor:
    count = counts.sum()
    centred = (self - _by_channel(mean, self)) * _by_channel(inverse**2 * products / count, self)
    scale = inverse if weight is None else inverse * weight
    return (grad - _by_channel(sums / count, self) - centred) * _by_channel(scale, self)


def _gather_statistics(
    self: Tensor,
    mean: Tensor,
    inverse: Tensor,
    running_mean: Tensor | None,
    running_variance: Tensor | None,
    momentum: float,
    eps: float,
    counts: Tensor,
) -> tuple[Tensor, Tensor]:
    mean, inverse = mean.float(), inverse.float()
    share = counts.float().reshape(-1, 1) / counts.float().sum()
    whole = (mean * share).sum(0)
    variance = ((inverse**-2 - eps + (mean - whole) ** 2) * share).sum(0)
    total = float(counts.sum())
    _update(running_mean, whole, momentum)
    _update(running_variance, variance * (total / max(total - 1, 1)), momentum)
    return whole, torch.rsqrt(variance + eps)


def _gather_sums(
    sums: Tensor, squares: Tensor, counts: Tensor, mean: Tensor, variance: Tensor, momentum: float, eps: float
) -> tuple[Tensor, Tensor]:
    total = counts.float().sum()
    whole = sums.float().sum(0) / total
    spread = squares.float().sum(0) / total - whole**2
    _update(mean, whole, momentum)
    _update(variance, spread * (total / (total - 1).clamp(min=1)), momentum)
    return whole, torch.rsqrt(spread + eps)


def _reduce(self: Tensor) -> tuple[Tensor, Tensor]:
    axes = _others(self)
    return self.sum(axes), (self * self).sum(axes)


def _reduce_backward(
    grad: Tensor,
    self: Tensor,
    mean: Tensor,
    inverse: Tensor,
    weight: Tensor | None,
    inputs: bool,
    weights: bool,
    biases: bool,
) -> tuple[Tensor | None, ...]:
    axes = _others(self)
    sums = grad.sum(axes)
    products = (grad * (self - _by_channel(mean, self))).sum(axes)
    return (
        sums if inputs else None,
        products if inputs else None,
        products * inverse if weights else None,
        sums if biases else None,
    )


def _stats(self: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    mean, variance, _ = _statistics(self)
    return mean, torch.rsqrt(variance + eps)


def _layer_norm(self: Tensor, shape: Sizes, weight: Tensor | None, bias: Tensor | None, eps: float) -> Any:
    return aten.native_layer_norm(self, list(shape), weight, bias, eps)


def _layer_norm_backward(
    grad: Tensor,
    self: Tensor,
    shape: Sizes,
    mean: Tensor,
    inverse: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mask: Sequence[bool],
) -> tuple[Tensor | None, ...]:
    axes = list(range(self.dim() - len(shape), self.dim()))
    kept = self.shape[: self.dim() - len(shape)] + (1,) * len(shape)
    rstd = inverse.reshape(kept)
    centred = (self - mean.reshape(kept)) * rstd
    scaled = grad if weight is None else grad * weight
    of_input = rstd * (scaled - scaled.mean(axes, True) - centred * (scaled * centred).mean(axes, True))
    outer = list(range(self.dim() - len(shape)))
    of_weight, of_bias = ((one.sum(outer) if outer else one) for one in (grad * centred, grad))
    found = (of_input, of_weight, of_bias)
    return tuple(one if wanted else None for one, wanted in zip(found, mask, strict=True))


def _dense(value: Tensor | None) -> Tensor | None:
    """The kernels of torch for groups read memory in order, whatever the strides of their operands."""
    return None if value is None else value.contiguous()


def _group_norm(
    self: Tensor, gamma: Tensor | None, beta: Tensor | None, n: int, c: int, rest: int, groups: int, eps: float
) -> Any:
    x, scale, shift = (_dense(one) for one in (self, gamma, beta))
    return aten.native_group_norm(x, scale, shift, n, c, rest, groups, eps)


def _group_norm_backward(
    grad: Tensor,
    self: Tensor,
    mean: Tensor,
    rstd: Tensor,
    gamma: Tensor | None,
    n: int,
    c: int,
    rest: int,
    groups: int,
    mask: Sequence[bool],
) -> Any:
    g, x, scale = (_dense(one) for one in (grad, self, gamma))
    mean, rstd = mean.reshape(n, groups).contiguous(), rstd.reshape(n, groups).contiguous()
    wanted = [bool(one) for one in mask]
    return aten.native_group_norm_backward(g, x, mean, rstd, scale, n, c, rest, groups, wanted)


def _sizes(self: Tensor) -> tuple[int, int, int]:
    n, c = self.shape[:2]
    return n, c, self.numel() // max(n * c, 1)


def _swish(self: Tensor, scale: float) -> Tensor:
    return self * torch.sigmoid(self * scale)


def _group_norm_silu(self: Tensor, gamma: Tensor | None, beta: Tensor | None, groups: int, eps: float) -> Any:
    result, mean, rstd = _group_norm(self, gamma, beta, *_sizes(self), groups, eps)
    return _swish(result, 1.0), mean, rstd


def _group_norm_swish(
    self: Tensor,
    gamma: Tensor,
    beta: Tensor,
    groups: int,
    layout: str | None,
    eps: float,
    activate: bool,
    scale: float,
) -> Any:
    result, mean, rstd = _group_norm(self, gamma, beta, *_sizes(self), groups, eps)
    return _swish(result, scale) if activate else result, mean, rstd


def _group_norm_swish_backward(
    grad: Tensor,
    mean: Tensor,
    rstd: Tensor,
    self: Tensor,
    gamma: Tensor,
    beta: Tensor,
    groups: int,
    layout: str | None,
    scale: float,
    of_gamma: bool,
    of_beta: bool,
) -> Any:
    n, c, rest = _sizes(self)
    grouped = self.reshape(n, groups, self.shape[1:].numel() // groups)
    centred = (grouped - mean.reshape(n, groups, 1)) * rstd.reshape(n, groups, 1)
    normal = centred.reshape(self.shape) * _by_channel(gamma, self) + _by_channel(beta, self)
    share = torch.sigmoid(scale * normal)
    inner = grad * (share + scale * normal * share * (1 - share))
    return _group_norm_backward(inner, self, mean, rstd, gamma, n, c, rest, groups, (True, of_gamma, of_beta))


def _renorm(self: Tensor, p: float, dim: int, most: float) -> Tensor:
    return torch.renorm(self, float(p), dim, float(most))


computed(
    {
        "BatchNorm": _batch_norm,
        "BatchNormBackward": in_float32(_batch_norm_backward),
        "BatchNormElemt": in_float32(_elements),
        "BatchNormElemtBackward": in_float32(_elements_backward),
        "BatchNormGatherStatsWithCounts": _gather_statistics,
        "SyncBatchNormGatherStats": _gather_sums,
        "BatchNormReduce": in_float32(_reduce),
        "BatchNormReduceBackward": in_float32(_reduce_backward),
        "BatchNormStats": in_float32(_stats),
        "LayerNorm": in_float32(_layer_norm),
        "LayerNormBackward": in_float32(_layer_norm_backward),
        "GroupNorm": in_float32(_group_norm),
        "GroupNormBackward": in_float32(_group_norm_backward),
        "GroupNormSilu": in_float32(_group_norm_silu),
        "GroupNormSwish": in_float32(_group_norm_swish),
        "GroupNormSwishGrad": in_float32(_group_norm_swish_backward),
        "Renorm": in_float32(_renorm),
    }
)
