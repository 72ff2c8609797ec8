"""Matrix products of quantised operands, one by one and by groups of rows (experts).

Integers are multiplied exactly; scales follow in FLOAT. Rules: ``docs/semantics/fused_operators.md#products``.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import gelu, relu, silu

from ascend_sim.aclnn.on_torch.fused.gated_units import swiglu
from ascend_sim.aclnn.on_torch.fused.named import named_body
from ascend_sim.aclnn.on_torch.fused.quantization import (
    dequantised_scale,
    group_rows,
    quantise_rows,
    store,
    unpack_int4,
)

__all__ = ["grouped_matmul", "quant_matmul"]


def _unpacked(values: Tensor, inner: int | None = None) -> Tensor:
    """INT4 out of INT32 along the last axis, or along the one before it where only so *inner* rows come out."""
    if values.dtype != torch.int32:
        return values
    if inner is not None and values.shape[-2] != inner and values.shape[-2] * 8 == inner:
        return unpack_int4(values.transpose(-1, -2)).transpose(-1, -2)
    return unpack_int4(values)


def _exact(x: Tensor, weight: Tensor) -> Tensor:
    """The product, in double: exact for integers of eight bits."""
    product: Tensor = x.double() @ weight.double()
    return product


def _over(scale: Tensor, size: tuple[int, int]) -> Tensor:
    """A scale of blocks [rows, columns] repeated to *size*."""
    down, across = -(-size[0] // scale.shape[-2]), -(-size[1] // scale.shape[-1])
    return scale.repeat_interleave(down, -2)[..., : size[0], :].repeat_interleave(across, -1)[..., : size[1]]


def _write(out: Tensor, values: Tensor) -> None:
    if out.dtype.is_floating_point:
        out.copy_(values.float())
    else:
        store(out, values)


def _dequantised(
    total: Tensor, scale: Tensor, bias: Tensor | None, per_row: Tensor | None, offset: Tensor | None
) -> Tensor:
    """``(total + whole bias) * scale * scale of the row + bias + offset``."""
    if bias is not None and not bias.is_floating_point():
        total, bias = total + bias.double(), None
    values = total * scale.double()
    if per_row is not None:
        values = values * per_row.double().unsqueeze(-1)
    if bias is not None:
        values = values + bias.double()
    return values if offset is None else values + offset.double()


@named_body("aclnnQuantMatmul", "aclnnQuantMatmulV2", adj_x1="transpose_x1", adj_x2="transpose_x2")
def quant_matmul_first(
    *, x1: Tensor, x2: Tensor, bias: Tensor | None, deq_scale: Tensor | float, transpose_x1: bool = False,
    transpose_x2: bool = False, out: Tensor,
) -> None:  # fmt: skip
    """The first versions: ``(x1 @ x2 + bias) * deqScale``; a tensor of scales may be wider than the product."""
    left = x1.transpose(-1, -2) if transpose_x1 else x1
    right = x2.transpose(-1, -2) if transpose_x2 else x2
    width = right.shape[-1]
    if isinstance(deq_scale, Tensor):
        scale = dequantised_scale(deq_scale)
        scale = scale if scale.numel() == 1 else scale.reshape(-1)[:width]
    else:
        scale = torch.tensor(deq_scale)
    _write(out, _dequantised(_exact(left, right), scale, bias, None, None))


@named_body(
    "aclnnQuantMatmulV3", "aclnnQuantMatmulV4", "aclnnQuantMatmulV5", "aclnnQuantMatmulWeightNz", scale="x2_scale",
    pertoken_scale="x1_scale", offset="x2_offset",
)  # fmt: skip
def quant_matmul(
    *, x1: Tensor, x2: Tensor, x1_scale: Tensor | None = None, x2_scale: Tensor | None, y_scale: Tensor | None = None,
    x1_offset: Tensor | None = None, x2_offset: Tensor | None, y_offset: Tensor | None = None, bias: Tensor | None,
    transpose_x1: bool, transpose_x2: bool, group_size: int = 0, out: Tensor,
) -> None:  # fmt: skip
    """Scales of the whole, of columns, of rows, of groups of the inner axis and of blocks, told apart by their shapes."""
    left = _unpacked(x1).transpose(-1, -2) if transpose_x1 else _unpacked(x1)
    inner = left.shape[-1]
    right = _unpacked(x2).transpose(-1, -2) if transpose_x2 else _unpacked(x2, inner)
    width = right.shape[-1]
    scale = torch.ones(1) if x2_scale is None else dequantised_scale(x2_scale)
    if scale.dim() >= 2 and scale.shape[-2:] != (1, width) and scale.numel() > 1:
        by_block = transpose_x2 and x1_scale is not None and x1_scale.dim() >= 2
        blocks = _over(scale.transpose(-1, -2) if by_block else scale, (inner, width))
        weight = right.double() if x2_offset is None else right.double() - _over(x2_offset.double(), (inner, width))
        rows = left.double()
        if x1_scale is not None and x1_scale.dim() >= 2 and x1_scale.shape[-1] > 1:  # groups of the inner axis
            by_row = x1_scale.transpose(-1, -2) if transpose_x1 else x1_scale
            rows, x1_scale = rows * _over(by_row.double(), (left.shape[-2], inner)), None
        total = rows @ (weight * blocks.double())
        if y_scale is not None:
            total = total * dequantised_scale(y_scale).double()
        if y_offset is not None:
            total = total + y_offset.double()
        per_row = None if x1_scale is None else x1_scale.reshape(-1)
        _write(out, _dequantised(total, torch.ones(1), bias, per_row, None))
        return
    per_row = None if x1_scale is None else x1_scale.reshape(-1)
    scale = scale.reshape(()) if scale.numel() == 1 else scale
    _write(out, _dequantised(_exact(left, right), scale, bias, per_row, x2_offset))


@named_body("aclnnWeightQuantBatchMatmulV2", "aclnnWeightQuantBatchMatmulV3", "aclnnWeightQuantBatchMatmulNz")
def weight_quant_batch_matmul(
    *, x: Tensor, weight: Tensor, antiquant_scale: Tensor, antiquant_offset: Tensor | None, quant_scale: Tensor | None,
    quant_offset: Tensor | None, bias: Tensor | None, antiquant_group_size: int, inner_precise: int = 0, y: Tensor,
) -> None:  # fmt: skip
    """``x @ ((weight + offset) * scale) + bias``, quantised where a scale for the result is given."""
    if weight.dtype == torch.float32:
        raise NotImplementedError("weights of FLOAT4, eight in a FLOAT, are not modelled")
    values = x.float() @ _antiquantised(_unpacked(weight, x.shape[-1]), antiquant_scale, antiquant_offset, x.shape[-1])
    if bias is not None:
        values = values + bias.float()
    if quant_scale is not None:
        values = values * dequantised_scale(quant_scale)
        values = values if quant_offset is None else values + quant_offset.float()
    _write(y, values)


def _antiquantised(weight: Tensor, scale: Tensor, offset: Tensor | None, inner: int) -> Tensor:
    """``(weight + offset) * scale``: for all, for columns [N] or [1, N], or for groups of the inner axis [G, N]."""
    size = inner, weight.shape[-1]
    shaped = [None if t is None else dequantised_scale(t) for t in (scale, offset)]
    wide = [t if t is None or t.numel() == 1 else _over(t if t.dim() > 1 else t.unsqueeze(0), size) for t in shaped]
    values = weight.float() if wide[1] is None else weight.float() + wide[1]
    product: Tensor = values * wide[0]
    return product


ACTIVATIONS = {
    1: relu,
    2: lambda x: gelu(x, approximate="tanh"),
    3: gelu,
    4: lambda x: x * torch.sigmoid(1.702 * x),
    5: silu,
}
"""By actType of the grouped products."""


def _own(given: Sequence[Tensor] | None, group: int, groups: int) -> Tensor | None:
    """The parameter of one group: its tensor of the list, or its part of the only one; *groups* 0: there is but one."""
    if not given:
        return None
    if len(given) > 1:
        return given[group]
    only = given[0]
    if not only.numel():
        return None
    return only[group] if groups else only


def _product(
    x: Tensor, weight: Tensor, scale: Tensor | None, offset: Tensor | None, antiquant: tuple[Tensor | None, Tensor | None],
    per_row: Tensor | None, bias: Tensor | None,
) -> Tensor:  # fmt: skip
    """One group: plain, with weights made numbers first (antiquant), or of integers with scales behind."""
    inner = x.shape[-1]
    if x.dtype.is_floating_point:
        right = weight.float()
        if antiquant[0] is not None:
            right = _antiquantised(weight, antiquant[0], antiquant[1], inner)
        values = x.float() @ right
        return values if bias is None else values + bias.float()
    if scale is None:
        total = _exact(x, weight)
        return total if bias is None else total + bias.double()
    numbers = dequantised_scale(scale)
    if weight.shape[-1] != 1 and bias is not None and bias.is_floating_point() and numbers.dim() > 1:
        return _two_halves(x, weight, numbers, offset, per_row, bias)
    if numbers.dim() > 1 and numbers.shape[-2] > 1:
        total = x.double() @ (weight.double() * _over(numbers, (inner, weight.shape[-1])).double())
        return _dequantised(total, torch.ones(1), bias, per_row, offset)
    numbers = numbers.reshape(-1) if numbers.numel() > 1 else numbers.reshape(())
    return _dequantised(_exact(x, weight), numbers, bias, per_row, offset)


def _two_halves(
    x: Tensor, weight: Tensor, scale: Tensor, offset: Tensor | None, per_row: Tensor | None, assist: Tensor
) -> Tensor:
    """INT8 by INT4: the cube takes both halves of x, the lower one less eight, which *assist* makes up for."""
    wide = _over(scale, (x.shape[-1], weight.shape[-1])).double()
    total = (x.double() - 8) @ (weight.double() * wide) + assist.double()
    if offset is not None:
        total = total + x.double().sum(-1, keepdim=True) * offset.double().reshape(1, -1)
    return _dequantised(total, torch.ones(1), None, per_row, None)


def _groups(index: Tensor | Sequence[int] | None, kind: int, length: int) -> list[tuple[int, int, int]]:
    """(weight, begin, end) of each group along the split axis; kind 0 ends, 1 counts, 2 pairs of weight and count."""
    if index is None:
        return [(0, 0, length)]
    if kind == 2 and isinstance(index, Tensor):
        spans = group_rows(index[:, 1], length, counts=True)
        return [(int(weight), *span) for weight, span in zip(index[:, 0].tolist(), spans, strict=True)]
    return [(i, *span) for i, span in enumerate(group_rows(index, length, counts=kind == 1))]


@named_body(
    "aclnnGroupedMatmul", "aclnnGroupedMatmulV2", "aclnnGroupedMatmulV3", "aclnnGroupedMatmulV4", "aclnnGroupedMatmulV5",
    "aclnnGroupedMatmulWeightNz", y="out",
)  # fmt: skip
def grouped_matmul(
    *, x: Sequence[Tensor], weight: Sequence[Tensor], bias: Sequence[Tensor] | None, scale: Sequence[Tensor] | None,
    offset: Sequence[Tensor] | None, antiquant_scale: Sequence[Tensor] | None,
    antiquant_offset: Sequence[Tensor] | None, per_token_scale: Sequence[Tensor] | None = None,
    group_list: Tensor | Sequence[int] | None, activation_input: Sequence[Tensor] | None = None,
    activation_quant_scale: Sequence[Tensor] | None = None, activation_quant_offset: Sequence[Tensor] | None = None,
    split_item: int, group_type: int | None = None, group_list_type: int = 0, act_type: int = 0,
    tuning_config: Sequence[int] | None = None, quant_group_size: int = 0, out: Sequence[Tensor],
    activation_feature_out: Sequence[Tensor] | None = None, dyn_quant_scale_out: Sequence[Tensor] | None = None,
) -> None:  # fmt: skip
    """Products of groups: rows of one x, or an x each (groupType -1, 0), or parts of the inner axis (2)."""
    if group_type == 2:
        _by_inner_axis(x, weight, bias, group_list, group_list_type, out)
        return
    groups = len(weight) if len(weight) > 1 else (weight[0].shape[0] if weight[0].dim() > 2 else 0)
    if len(x) > 1:
        spans = [(i, 0, tensor.shape[0]) for i, tensor in enumerate(x)]
    else:
        spans = _groups(group_list, group_list_type, x[0].shape[0])
    written = 0
    for place, (group, begin, end) in enumerate(spans):
        rows = _unpacked(x[place] if len(x) > 1 else x[0][begin:end])
        matrix = weight[group] if len(weight) > 1 else (weight[0][group] if weight[0].dim() > 2 else weight[0])
        per_row = None
        if per_token_scale:
            per_row = per_token_scale[place] if len(per_token_scale) > 1 else per_token_scale[0].reshape(-1)[begin:end]
        given = (_own(part, group, groups) for part in (scale, offset, antiquant_scale, antiquant_offset, bias))
        own_scale, own_offset, factor, shift, own_bias = given
        values = _product(
            rows, _unpacked(matrix, rows.shape[-1]), own_scale, own_offset, (factor, shift), per_row, own_bias
        )
        if act_type:
            values = ACTIVATIONS[act_type](values)
        target = out[place] if len(out) > 1 else out[0]
        if len(out) == 1:
            target = target[written : written + rows.shape[0]] if len(spans) > 1 or len(x) == 1 else target
            written += rows.shape[0]
        _write(target, values)


def _by_inner_axis(
    x: Sequence[Tensor], weight: Sequence[Tensor], bias: Sequence[Tensor] | None, index: Tensor | Sequence[int] | None,
    kind: int, out: Sequence[Tensor],
) -> None:  # fmt: skip
    begins = 0
    for i, begin, end in _groups(index, kind, x[0].shape[-1]) if len(x) == 1 else [(i, 0, 0) for i in range(len(x))]:
        left = x[0][:, begin:end] if len(x) == 1 else x[i]
        right = weight[0][begin:end] if len(weight) == 1 and weight[0].dim() == 2 else weight[i]
        own = _own(bias, i, max(len(out), out[0].dim() - 2))
        values = left.float() @ right.float()
        target = (
            out[i] if len(out) > 1 else (out[0][i] if out[0].dim() > 2 else out[0][begins : begins + left.shape[0]])
        )
        begins += left.shape[0]
        target.copy_(values if own is None else values + own.float())


@named_body("aclnnGroupedMatmulAdd")
def grouped_matmul_add(
    *, x: Tensor, weight: Tensor, group_list: Tensor, y: Tensor, transpose_x: bool, transpose_weight: bool,
    group_type: int,
) -> None:  # fmt: skip
    """Adds to y the product of each part of the inner axis; x is [K, M] where transposeX says so."""
    left = x.transpose(-1, -2) if transpose_x else x
    right = weight.transpose(-1, -2) if transpose_weight else weight
    target = y.reshape(-1, left.shape[0], right.shape[-1])
    for i, begin, end in _groups(group_list, 0, left.shape[-1]):
        target[i] += left[:, begin:end].float() @ right[begin:end].float()
    if target.data_ptr() != y.data_ptr():
        y.copy_(target.reshape(y.shape))


@named_body(
    "aclnnGroupedMatmulSwigluQuant", "aclnnGroupedMatmulSwigluQuantWeightNZ", "aclnnGroupedMatmulSwigluQuantV2",
    "aclnnGroupedMatmulSwigluQuantWeightNzV2",
)  # fmt: skip
def grouped_matmul_swiglu_quant(
    *, x: Tensor, weight: Tensor | Sequence[Tensor], weight_scale: Tensor | Sequence[Tensor],
    weight_assist_matrix: Sequence[Tensor] | None = None, bias: Tensor | None, offset: Tensor | None = None,
    x_scale: Tensor, smooth_scale: Tensor | None = None, group_list: Tensor, dequant_mode: int = 0,
    dequant_dtype: int = 0, quant_mode: int = 0, group_list_type: int = 0, tuning_config: Sequence[int] | None = None,
    output: Tensor, output_scale: Tensor, output_offset: Tensor | None = None,
) -> None:  # fmt: skip
    """Product, swiglu and quantisation of each row; rows beyond the last group stay. *bias* is the assist of INT4."""
    weights = [weight] if isinstance(weight, Tensor) else weight
    scales = [weight_scale] if isinstance(weight_scale, Tensor) else weight_scale
    assists = weight_assist_matrix if weight_assist_matrix else ([] if bias is None else [bias])
    groups = len(weights) if len(weights) > 1 else weights[0].shape[0]
    left = _unpacked(x)
    for i, begin, end in _groups(group_list, group_list_type, x.shape[0]):
        matrix = weights[i] if len(weights) > 1 else weights[0][i]
        right = _unpacked(matrix, left.shape[-1])
        own = _own(scales, i, groups)
        if matrix.dtype == torch.int32 and x.dtype == torch.int8 and own is not None:
            own = own if own.dim() > 1 else own.unsqueeze(0)
        assist = _own(assists, i, groups)
        values = _product(left[begin:end], right, own, None, (None, None), x_scale.reshape(-1)[begin:end], assist)
        gated = swiglu(values.float())
        if smooth_scale is not None:
            gated = gated * smooth_scale[i].float()
        if end > begin:
            quantise_rows(gated, output[begin:end], output_scale.reshape(-1)[begin:end])


@named_body(
    "aclnnGroupedMatmulFinalizeRouting", "aclnnGroupedMatmulFinalizeRoutingWeightNz", x="x1", w="x2", y="out",
    transpose_x="transpose_x1", transpose_w="transpose_x2",
)  # fmt: skip
def grouped_matmul_finalize_routing(
    *, x1: Tensor, x2: Tensor, scale: Tensor | None, bias: Tensor | None, pertoken_scale: Tensor | None,
    group_list: Tensor | None, shared_input: Tensor | None, logit: Tensor | None, row_index: Tensor | None, dtype: int,
    shared_input_weight: float, shared_input_offset: int, transpose_x1: bool, transpose_x2: bool, group_list_type: int,
    out: Tensor,
) -> None:  # fmt: skip
    """Products of groups, weighted by logit and added up at the rows of rowIndex, upon the shared expert's rows."""
    out.zero_()
    if shared_input is not None:
        end = shared_input_offset + shared_input.shape[0]
        out[shared_input_offset:end] += shared_input.float() * shared_input_weight
    for i, begin, end in _groups(group_list, group_list_type, x1.shape[0]):
        rows = x1[begin:end]
        matrix = x2[i].transpose(-1, -2) if transpose_x2 else x2[i]
        right = _unpacked(matrix, rows.shape[-1])
        own = None if scale is None else scale[i]
        if own is not None and x2.dtype == torch.int32:
            own = own if own.dim() > 1 else own.unsqueeze(0)
        elif own is not None:
            own = own.reshape(-1)
        per_row = None if pertoken_scale is None else pertoken_scale.reshape(-1)[begin:end]
        values = _product(rows, right, own, None, (None, None), per_row, None if bias is None else bias[i]).float()
        if logit is not None:
            values = values * logit[begin:end].float().unsqueeze(-1)
        places = torch.arange(begin, end) if row_index is None else row_index[begin:end].long()
        out.index_add_(0, places, values.to(out.dtype))
