"""Quantised values: rounding and saturation, and the operators that quantise, dequantise and pack their parameters.

Rules: ``docs/semantics/fused_operators.md#quantised-values``.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.named import named_body

__all__ = [
    "dequantised_scale", "group_rows", "largest_of", "quantise_rows", "rounded", "store", "unpack_int4",
]  # fmt: skip

INT4 = 29
"""aclDataType ACL_INT4: where it is asked for and the output is INT32, one element holds eight values."""
LARGEST = {torch.int8: 127.0, torch.uint8: 255.0, torch.float8_e4m3fn: 448.0, torch.float8_e5m2: 57344.0}
SMALLEST = {torch.int8: -128.0, torch.uint8: 0.0, torch.float8_e4m3fn: -448.0, torch.float8_e5m2: -57344.0}
ROUNDING = {"round": torch.round, "rint": torch.round, "floor": torch.floor, "ceil": torch.ceil, "trunc": torch.trunc}


def largest_of(out: Tensor, width: int, int4: bool = False) -> float:
    """The largest value that *out* can hold, where rows have *width* values: 7 where it holds packed INT4."""
    packed = out.dtype == torch.int32 and out.shape[-1] * 8 == width
    return 7.0 if int4 or packed else LARGEST.get(out.dtype, 2.0**31 - 1)


def rounded(values: Tensor, mode: str | None = "round") -> Tensor:
    """Rounded as an operator's roundMode says (half to even where nothing is said)."""
    return ROUNDING[mode or "round"](values)


def store(out: Tensor, values: Tensor, mode: str | None = "round", int4: bool = False) -> None:
    """Write *values* rounded and saturated; INT32 with an eighth of the width takes INT4, the first value lowest."""
    if out.dtype.is_floating_point:
        limit = LARGEST.get(out.dtype)
        out.copy_(values if limit is None else values.clamp(-limit, limit))
        return
    whole = rounded(values.float(), mode).nan_to_num(0.0)
    packed = out.dtype == torch.int32 and out.shape[-1] * 8 == values.shape[-1]
    if int4 or packed:
        whole = whole.clamp(-8, 7)
    else:
        whole = whole.clamp(SMALLEST.get(out.dtype, -(2.0**31)), LARGEST.get(out.dtype, 2.0**31 - 128))
    if packed:
        nibbles = whole.long().reshape(*out.shape, 8) & 15
        words = (nibbles << torch.arange(0, 32, 4)).sum(-1)
        out.copy_(words.to(torch.uint32).view(torch.int32))
    else:
        out.copy_(whole.to(out.dtype).reshape(out.shape))


def unpack_int4(words: Tensor) -> Tensor:
    """INT4 values out of INT32, eight a word along the last axis, as INT8."""
    nibbles = (words.unsqueeze(-1) >> torch.arange(0, 32, 4, dtype=torch.int32)) & 15
    signed = torch.where(nibbles > 7, nibbles - 16, nibbles).to(torch.int8)
    return signed.reshape(*words.shape[:-1], words.shape[-1] * 8)


def group_rows(index: Tensor | Sequence[int] | None, rows: int, counts: bool = False) -> list[tuple[int, int]]:
    """The rows of each group, from *index*: where each ends, or how many each has. None: one group with all rows."""
    if index is None:
        return [(0, rows)]
    numbers = [int(n) for n in (index.tolist() if isinstance(index, Tensor) else index)]
    begin, found = 0, []
    for n in numbers:
        end = begin + n if counts else n
        found.append((begin, min(max(begin, end), rows)))
        begin = found[-1][1]
    return found


def quantise_rows(values: Tensor, out: Tensor, scale_out: Tensor, int4: bool = False) -> None:
    """Symmetric dynamic quantisation of each row; the scale is the row's largest value over the type's."""
    highest = values.abs().amax(-1, keepdim=True) if values.shape[-1] else values.new_zeros(*values.shape[:-1], 1)
    scale = highest / largest_of(out, values.shape[-1], int4)
    store(out, torch.where(scale > 0, values / scale, torch.zeros_like(values)), int4=int4)
    scale_out.copy_(scale.reshape(scale_out.shape))


def dequantised_scale(scale: Tensor) -> Tensor:
    """A scale as FLOAT: UINT64 and INT64 hold the bits of one in their low half (aclnnTransQuantParamV2)."""
    if scale.dtype in (torch.int64, torch.uint64):
        low = scale.view(torch.int64) & 0xFFFFE000
        return low.to(torch.uint32).view(torch.float32)
    return scale.float()


def _grouped_scale(x: Tensor, smooth: Tensor | None, group: Tensor | None, counts: bool = False) -> Tensor:
    values = x.float()
    if smooth is None:
        return values
    if group is None:
        return values * smooth.float()
    flat = values.reshape(-1, values.shape[-1]).clone()
    for i, (begin, end) in enumerate(group_rows(group, flat.shape[0], counts)):
        flat[begin:end] *= smooth[i].float()
    return flat.reshape(values.shape)


@named_body("aclnnDynamicQuant", "aclnnDynamicQuantV2", "aclnnDynamicQuantV3", float8=("y_out",))
def dynamic_quant(
    *, x: Tensor, smooth_scales: Tensor | None, group_index: Tensor | None = None, dst_type: int = 2,
    is_symmetrical: bool = True, quant_mode: str | None = "pertoken", y_out: Tensor, scale_out: Tensor,
    offset_out: Tensor | None = None,
) -> None:  # fmt: skip
    """Scales (and offsets, where an output for them is given) of rows, columns or the whole, and the values."""
    values = _grouped_scale(x, smooth_scales, group_index)
    if not values.numel():
        return
    axes: tuple[int, ...] = {"pertensor": tuple(range(x.dim())), "perchannel": (-2,)}.get(quant_mode or "", (-1,))
    int4 = dst_type == INT4
    top = largest_of(y_out, values.shape[-1], int4)
    if offset_out is None:
        scale = values.abs().amax(axes, keepdim=True) / top
        store(y_out, torch.where(scale > 0, values / scale, torch.zeros_like(values)), int4=int4)
    else:
        bottom = -8.0 if top == 7.0 else SMALLEST.get(y_out.dtype, -top)
        highest, lowest = values.amax(axes, keepdim=True), values.amin(axes, keepdim=True)
        scale = (highest - lowest) / (top - bottom)
        offset = torch.where(scale > 0, top - highest / scale, torch.zeros_like(scale))
        store(y_out, torch.where(scale > 0, values / scale + offset, torch.zeros_like(values)), int4=int4)
        offset_out.copy_(offset.reshape(offset_out.shape))
    scale_out.copy_(scale.reshape(scale_out.shape))


def _along(values: Tensor, parameter: Tensor | None, axis: int) -> Tensor | None:
    """A parameter of one value, or of one for each place along *axis*, so that it broadcasts over *values*."""
    if parameter is None:
        return None
    numbers = parameter.float()
    if numbers.numel() == 1:
        return numbers.reshape(())
    if numbers.dim() == values.dim():
        return numbers
    shape = [1] * values.dim()
    shape[axis] = -1
    return numbers.reshape(shape)


@named_body("aclnnAscendQuant", "aclnnAscendQuantV3", float8=("y",))
def ascend_quant(
    *, x: Tensor, scale: Tensor, offset: Tensor | None, sqrt_mode: bool, round_mode: str | None, dst_type: int,
    axis: int = -1, y: Tensor,
) -> None:  # fmt: skip
    """``round(x * scale + offset)``; sqrtMode: by the scale twice."""
    factor = _along(x, scale, axis)
    values = x.float() * factor
    if sqrt_mode:
        values = values * factor
    shift = _along(x, offset, axis)
    store(y, values if shift is None else values + shift, round_mode, int4=dst_type == INT4)


@named_body("aclnnAscendAntiQuant", float8=("x",))
def ascend_anti_quant(
    *, x: Tensor, scale: Tensor, offset: Tensor | None, dst_type: int, sqrt_mode: bool, y: Tensor
) -> None:
    """``(x + offset) * scale`` in the output's type."""
    values = (unpack_int4(x) if x.dtype == torch.int32 else x).float()
    if offset is not None:
        values = values + offset.float()
    values = values * scale.float()
    y.copy_(values * scale.float() if sqrt_mode else values)


@named_body("aclnnQuantize", float8=("out",))
def quantize(*, x: Tensor, scales: Tensor, zero_points: Tensor | None, dtype: int, axis: int, out: Tensor) -> None:
    """``round(x / scales + zeroPoints)``, a scale for the whole or for each place along the axis."""
    values = x.float() / _along(x, scales, axis)
    shift = _along(x, zero_points, axis)
    store(out, values if shift is None else values + shift)


@named_body("aclnnGroupQuant")
def group_quant(
    *, x: Tensor, scale: Tensor, group_index: Tensor, offset: Tensor | None, dst_type: int, y: Tensor
) -> None:
    """``round(x * scale + offset)`` with the scale of the row's group."""
    values = _grouped_scale(x, scale, group_index)
    store(y, values if offset is None else values + offset.float(), int4=dst_type == INT4)


@named_body("aclnnDequantBias")
def dequant_bias(
    *, x: Tensor, weight_scale: Tensor, activate_scale: Tensor | None, bias: Tensor | None, output_dtype: int,
    out: Tensor,
) -> None:  # fmt: skip
    """INT32 sums as numbers: an INT32 bias before the scales, another one after them."""
    values = x
    if bias is not None and bias.dtype == torch.int32:
        values = values + bias
    numbers = values.float() * weight_scale.float()
    if activate_scale is not None:
        numbers = numbers * activate_scale.float().reshape(-1, 1)
    if bias is not None and bias.dtype != torch.int32:
        numbers = numbers + bias.float()
    out.copy_(numbers)


@named_body("aclnnTransQuantParamV2", "aclnnTransQuantParamV3")
def trans_quant_param(*, scale: Tensor, offset: Tensor | None, round_mode: int = 0, out: Tensor) -> None:
    """Scales as the cube unit takes them: 19 bits of the FLOAT, bit 46 set, the offset in nine bits from bit 37 on."""
    bits = scale.float().contiguous().view(torch.int32).long() & 0xFFFFFFFF
    if round_mode == 1:
        bits = (bits + 0xFFF + ((bits >> 13) & 1)) & 0xFFFFFFFF
    word = (bits & 0xFFFFE000) | (1 << 46)
    if offset is not None:
        whole = torch.round(offset.float()).clamp(-256, 255).long()
        word = (word & 0x4000FFFFFFFF) | ((whole & 0x1FF) << 37)
    out.view(torch.int64).copy_(word.reshape(out.shape) if word.numel() == out.numel() else word.expand(out.shape))
