"""Normalisation fused with what stands before and after it: additions, casts, quantisation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.named import named_body
from ascend_sim.aclnn.on_torch.fused.quantization import quantise_rows, store

__all__ = ["rms_normed"]


def _axes(weights: Tensor) -> tuple[int, ...]:
    return tuple(range(-weights.dim(), 0))


def rms_normed(x: Tensor, gamma: Tensor, epsilon: float) -> tuple[Tensor, Tensor]:
    """``x * rstd * gamma`` over the trailing axes that *gamma* has, in FLOAT, and rstd with ones for these axes."""
    rstd = torch.rsqrt(x.square().mean(_axes(gamma), keepdim=True) + epsilon)
    return x * rstd * gamma.float(), rstd


def _write(out: Tensor | None, values: Tensor) -> None:
    if out is not None:
        out.copy_(values.reshape(out.shape))


@named_body("aclnnRmsNorm")
def rms_norm(*, x: Tensor, gamma: Tensor, epsilon: float, y_out: Tensor, rstd_out: Tensor | None) -> None:
    """The norm, and one over the root of the mean square where an output for it is given."""
    y, rstd = rms_normed(x.float(), gamma, epsilon)
    _write(y_out, y)
    _write(rstd_out, rstd)


@named_body("aclnnGemmaRmsNorm")
def gemma_rms_norm(*, x: Tensor, gamma: Tensor, epsilon: float, y_out: Tensor, rstd_out: Tensor | None) -> None:
    """As RmsNorm with ``1 + gamma``."""
    y, rstd = rms_normed(x.float(), 1 + gamma.float(), epsilon)
    _write(y_out, y)
    _write(rstd_out, rstd)


@named_body("aclnnRmsNormGrad")
def rms_norm_grad(*, dy: Tensor, x: Tensor, rstd: Tensor, gamma: Tensor, dx_out: Tensor, dgamma_out: Tensor) -> None:
    """The gradients of x and gamma, with the rstd that the forward pass gave."""
    values, slope = x.float(), dy.float() * gamma.float()
    factor = rstd.float().reshape(*x.shape[: x.dim() - gamma.dim()], *[1] * gamma.dim())
    mean = (slope * values * factor).mean(_axes(gamma), keepdim=True)
    dgamma = (values * factor * dy.float()).reshape(-1, *gamma.shape).sum(0)
    dx_out.copy_((slope - values * factor * mean) * factor)
    dgamma_out.copy_(dgamma)


@named_body("aclnnAddRmsNorm", "aclnnAddRmsNormCast", y_out="y1_out")
def add_rms_norm(
    *, x1: Tensor, x2: Tensor, gamma: Tensor, epsilon: float, y1_out: Tensor, y2_out: Tensor | None = None,
    rstd_out: Tensor | None, x_out: Tensor | None,
) -> None:  # fmt: skip
    """The sum and its norm; the Cast form gives the norm in FLOAT first and in the input's type second."""
    total = x1.float() + x2.float()
    y, rstd = rms_normed(total, gamma, epsilon)
    _write(y1_out, y)
    _write(y2_out, y)
    _write(rstd_out, rstd)
    _write(x_out, total)


@named_body("aclnnInplaceAddRmsNorm")
def inplace_add_rms_norm(*, x1: Tensor, x2: Tensor, gamma: Tensor, epsilon: float, rstd_out: Tensor) -> None:
    """x1 becomes the norm of the sum, x2 the sum."""
    total = x1.float() + x2.float()
    y, rstd = rms_normed(total, gamma, epsilon)
    x1.copy_(y)
    x2.copy_(total)
    _write(rstd_out, rstd)


def _quantised(y: Tensor, scale: Tensor | None, zero: Tensor | None, divide: bool, out: Tensor | None) -> None:
    if scale is None or out is None:
        return
    values = y / scale.float() if divide else y * scale.float()
    store(out, values if zero is None else values + zero.float())


@named_body("aclnnAddRmsNormQuant", "aclnnAddRmsNormQuantV2", float8=("y1_out", "y2_out"))
def add_rms_norm_quant(
    *, x1: Tensor, x2: Tensor, gamma: Tensor, scales1: Tensor, scales2: Tensor | None, zero_points1: Tensor | None,
    zero_points2: Tensor | None, beta: Tensor | None = None, axis: int, epsilon: float, div_mode: bool, y1_out: Tensor,
    y2_out: Tensor | None, x_out: Tensor | None, rms_norm_out: Tensor | None = None,
) -> None:  # fmt: skip
    """The norm of the sum, quantised with one or two scales; rmsNormOut is without beta."""
    total = x1.float() + x2.float()
    y, _ = rms_normed(total, gamma, epsilon)
    _write(x_out, total)
    _write(rms_norm_out, y)
    if beta is not None:
        y = y + beta.float()
    _quantised(y, scales1, zero_points1, div_mode, y1_out)
    _quantised(y, scales2, zero_points2, div_mode, y2_out)


@named_body("aclnnAddRmsNormDynamicQuant", "aclnnAddRmsNormDynamicQuantV2", float8=("y1_out", "y2_out"))
def add_rms_norm_dynamic_quant(
    *, x1: Tensor, x2: Tensor, gamma: Tensor, smooth_scale1: Tensor | None, smooth_scale2: Tensor | None,
    beta: Tensor | None = None, epsilon: float, output_mask: Sequence[bool] | None = None, y1_out: Tensor | None,
    y2_out: Tensor | None, x_out: Tensor | None, scale1_out: Tensor | None, scale2_out: Tensor | None,
) -> None:  # fmt: skip
    """The norm of the sum, quantised by row once or twice; without a mask the second needs both smooth scales."""
    total = x1.float() + x2.float()
    y, _ = rms_normed(total, gamma, epsilon)
    _write(x_out, total)
    if beta is not None:
        y = y + beta.float()
    both = smooth_scale1 is not None and smooth_scale2 is not None
    wanted = tuple(output_mask) if output_mask else (True, both)
    outputs = ((smooth_scale1, y1_out, scale1_out), (smooth_scale2, y2_out, scale2_out))
    for want, (smooth, out, scale) in zip(wanted, outputs, strict=True):
        if want and out is not None and scale is not None:
            quantise_rows(y if smooth is None else y * smooth.float(), out, scale)


@named_body("aclnnRmsNormQuant")
def rms_norm_quant(
    *, x: Tensor, gamma: Tensor, beta: Tensor | None, scale: Tensor, offset: Tensor, epsilon: float, y: Tensor
) -> None:
    """``round((norm + beta) / scale + offset)``; gamma and beta may have a leading axis of one."""
    normed, _ = rms_normed(x.float(), gamma.reshape(gamma.shape[-1]), epsilon)
    if beta is not None:
        normed = normed + beta.float().reshape(-1)
    store(y, normed / scale.float() + offset.float())


def _layer_normed(x: Tensor, axes: tuple[int, ...], epsilon: float) -> tuple[Tensor, Tensor, Tensor]:
    mean = x.mean(axes, keepdim=True)
    rstd = torch.rsqrt((x - mean).square().mean(axes, keepdim=True) + epsilon)
    return (x - mean) * rstd, mean, rstd


@named_body("aclnnFastLayerNorm")
def fast_layer_norm(
    *, input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None, bias: Tensor | None, eps: float,
    out: Tensor, mean_out: Tensor | None, rstd_out: Tensor | None,
) -> None:  # fmt: skip
    """Layer norm over the axes of normalizedShape."""
    if not math.prod(normalized_shape) or not input.numel():
        return
    y, mean, rstd = _layer_normed(input.float(), tuple(range(-len(normalized_shape), 0)), eps)
    if weight is not None:
        y = y * weight.float()
    out.copy_(y if bias is None else y + bias.float())
    _write(mean_out, mean)
    _write(rstd_out, rstd)


@named_body("aclnnAddLayerNorm")
def add_layer_norm(
    *, x1: Tensor, x2: Tensor, gamma: Tensor, beta: Tensor, bias: Tensor | None, epsilon: float,
    additional_output: bool, y_out: Tensor, mean_out: Tensor | None, rstd_out: Tensor | None, x_out: Tensor | None,
) -> None:  # fmt: skip
    """The layer norm of ``x1 + x2 + bias``; the sum is an output where additionalOutput says so."""
    total = x1.float() + x2.float()
    if bias is not None:
        total = total + bias.float()
    y, mean, rstd = _layer_normed(total, _axes(gamma), epsilon)
    _write(y_out, y * gamma.float() + beta.float())
    _write(mean_out, mean)
    _write(rstd_out, rstd)
    if additional_output:
        _write(x_out, total)


@named_body("aclnnDeepNorm")
def deep_norm(
    *, x: Tensor, gx: Tensor, beta: Tensor, gamma: Tensor, alpha: float, epsilon: float, mean_out: Tensor,
    rstd_out: Tensor, y_out: Tensor,
) -> None:  # fmt: skip
    """The layer norm of ``alpha * x + gx``."""
    y, mean, rstd = _layer_normed(alpha * x.float() + gx.float(), _axes(gamma), epsilon)
    y_out.copy_(y * gamma.float() + beta.float())
    _write(mean_out, mean)
    _write(rstd_out, rstd)
