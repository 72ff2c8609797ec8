"""Gated activations: a half of the input scales the other one, with quantisation before and after it."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import gelu, silu

from ascend_sim.aclnn.on_torch.fused.named import named_body
from ascend_sim.aclnn.on_torch.fused.quantization import INT4, group_rows, largest_of, quantise_rows, store

__all__ = ["swiglu"]


def swiglu(x: Tensor, left: bool = True) -> Tensor:
    """``silu(a) * b`` of the halves along the last axis; *left*: a is the first one."""
    a, b = x.chunk(2, -1) if left else reversed(x.chunk(2, -1))
    product: Tensor = silu(a) * b
    return product


@named_body("aclnnSwiGlu")
def swi_glu(*, x: Tensor, dim: int, out: Tensor) -> None:
    """``silu(a) * b`` of the halves along *dim*."""
    a, b = x.float().chunk(2, dim)
    out.copy_(silu(a) * b)


@named_body("aclnnSwiGluGrad")
def swi_glu_grad(*, y_grad: Tensor, x: Tensor, dim: int, out: Tensor) -> None:
    """The gradient of both halves."""
    a, b = x.float().chunk(2, dim)
    grad, gate = y_grad.float(), torch.sigmoid(a)
    out.copy_(torch.cat((grad * (gate + gate * (1 - gate) * a) * b, grad * gate * a), dim))


def _approximation(approximate: int | str | None) -> str:
    return approximate if isinstance(approximate, str) else ("none", "tanh")[approximate or 0]


@named_body("aclnnGeGlu", "aclnnGeGluV3")
def ge_glu(
    *, self: Tensor, dim: int, approximate: int, activate_left: bool = False, out: Tensor, out_gelu: Tensor | None
) -> None:
    """One half times gelu of the other (the second one unless activateLeft); approximate 1: by tanh."""
    first, second = self.float().chunk(2, dim)
    gate, value = (first, second) if activate_left else (second, first)
    active = gelu(gate, approximate=_approximation(approximate))
    out.copy_(active * value)
    if out_gelu is not None:
        out_gelu.copy_(active)


@named_body("aclnnGeGluV3Backward")
def ge_glu_backward(
    *, grad_output: Tensor, self: Tensor, gelu: Tensor, dim: int, approximate: int, activate_left: bool,
    grad_input: Tensor,
) -> None:  # fmt: skip
    """The gradient of both halves; *gelu* is the second output of the forward pass."""
    first, second = self.float().chunk(2, dim)
    gate, value = (first, second) if activate_left else (second, first)
    grad = grad_output.float()
    slope = torch.ops.aten.gelu_backward(grad * value, gate, approximate=_approximation(approximate))
    parts = (slope, grad * gelu.float())
    grad_input.copy_(torch.cat(parts if activate_left else parts[::-1], dim))


@named_body("aclnnFastGelu")
def fast_gelu(*, self: Tensor, out: Tensor) -> None:
    """``x / (1 + exp(-1.702 x))``"""
    x = self.float()
    out.copy_(x * torch.sigmoid(1.702 * x))


@named_body("aclnnFastGeluBackward")
def fast_gelu_backward(*, grad_output: Tensor, self: Tensor, grad_input: Tensor) -> None:
    """The derivative of ``x * sigmoid(1.702 x)``."""
    x = self.float()
    gate = torch.sigmoid(1.702 * x)
    grad_input.copy_(grad_output.float() * (gate + 1.702 * x * gate * (1 - gate)))


@named_body("aclnnGeluMul")
def gelu_mul(*, input: Tensor, approximate: str | None, out: Tensor) -> None:
    """``gelu(a) * b`` of the halves along the last axis."""
    a, b = input.float().chunk(2, -1)
    out.copy_(gelu(a, approximate=_approximation(approximate)) * b)


@named_body("aclnnSwiGluQuant", "aclnnSwiGluQuantV2")
def swi_glu_quant(
    *, x: Tensor, smooth_scales: Tensor | None, offsets: Tensor | None, group_index: Tensor | None,
    activate_left: bool, quant_mode: str | None, group_list_type: int = 0, dst_type: int = 2, y_out: Tensor,
    scale_out: Tensor | None,
) -> None:  # fmt: skip
    """Each group with its smooth scales; dynamic: the scale that comes out is the type's largest value over the row's."""
    values = swiglu(x.float(), activate_left)
    flat = values.reshape(-1, values.shape[-1]).clone()
    static = quant_mode == "static"
    for i, (begin, end) in enumerate(group_rows(group_index, flat.shape[0], counts=group_list_type == 1)):
        if smooth_scales is not None:
            flat[begin:end] *= smooth_scales[i].float() if group_index is not None else smooth_scales.float()
        if static and offsets is not None:
            flat[begin:end] += offsets[i].float() if group_index is not None else offsets.float()
    if not static:
        highest = flat.abs().amax(-1, keepdim=True)
        scale = largest_of(y_out, flat.shape[-1], dst_type == INT4) / highest
        flat = torch.where(highest > 0, flat * scale, torch.zeros_like(flat))
        if scale_out is not None:
            scale_out.copy_(scale.reshape(scale_out.shape))
    store(y_out, flat.reshape(values.shape), int4=dst_type == INT4)


def _row_scale(scale: Tensor | None, group: int, grouped: bool) -> Tensor | None:
    if scale is None:
        return None
    numbers = scale if not grouped and scale.dim() == 1 else scale[group if grouped and scale.shape[0] > 1 else 0]
    return numbers.float() if numbers.dtype != torch.int32 else numbers


def _gated(x: Tensor, left: bool, mode: int, limit: float, alpha: float, bias: float) -> Tensor:
    """The variants of swigluMode: 0 plain, 1 and 2 of GPT-OSS (by turns, by halves), 3 of Step3.5."""
    if mode == 0:
        return swiglu(x, left)
    if mode == 3:
        a, b = x.chunk(2, -1)
        return silu(a).clamp(max=limit) * b.clamp(-limit, limit)
    a, b = (x[..., ::2], x[..., 1::2]) if mode == 1 else x.chunk(2, -1)
    a = a.clamp(max=limit)
    return a * torch.sigmoid(alpha * a) * (b.clamp(-limit, limit) + bias)


@named_body("aclnnDequantSwigluQuant", "aclnnDequantSwigluQuantV2", float8=("y_out",))
def dequant_swiglu_quant(
    *, x: Tensor, weight_scale: Tensor | None, activation_scale: Tensor | None, bias: Tensor | None,
    quant_scale: Tensor | None, quant_offset: Tensor | None, group_index: Tensor | None, activate_left: bool,
    quant_mode: str | None, dst_type: int = 2, round_mode: str | None = None, activate_dim: int = -1,
    swiglu_mode: int = 0, clamp_limit: float = 7.0, glu_alpha: float = 1.702, glu_bias: float = 1.0, y_out: Tensor,
    scale_out: Tensor,
) -> None:  # fmt: skip
    """Groups are counts of rows; static quantisation divides by the scale and adds the offset, dynamic one multiplies."""
    flat = x.reshape(-1, x.shape[-1])
    y, scales = y_out.reshape(-1, y_out.shape[-1]), torch.zeros(flat.shape[0])
    per_row = None if activation_scale is None else activation_scale.float().reshape(-1, 1)
    grouped = group_index is not None
    for i, (begin, end) in enumerate(group_rows(group_index, flat.shape[0], counts=True)):
        rows, added = flat[begin:end], _row_scale(bias, i, grouped)
        if added is not None and added.dtype == torch.int32:
            rows, added = rows + added, None
        values = rows.float()
        factor = _row_scale(weight_scale, i, grouped)
        if factor is not None:
            values = values * factor
        if per_row is not None:
            values = values * per_row[begin:end]
        if added is not None:
            values = values + added
        values = _gated(values, activate_left, swiglu_mode, clamp_limit, glu_alpha, glu_bias)
        smooth, shift = _row_scale(quant_scale, i, grouped), _row_scale(quant_offset, i, grouped)
        if quant_mode == "dynamic":
            quantise_rows(values if smooth is None else values * smooth, y[begin:end], scales[begin:end])
        else:
            values = values if smooth is None else values / smooth
            store(y[begin:end], values if shift is None else values + shift, round_mode)
    if y.data_ptr() != y_out.data_ptr():
        y_out.copy_(y.reshape(y_out.shape))
    if quant_mode == "dynamic":
        scale_out.copy_(scales.reshape(scale_out.shape))
