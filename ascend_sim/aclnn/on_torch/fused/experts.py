"""Mixtures of experts: choosing experts, bringing tokens into their order, bringing results back.

Sorting is stable, so tokens of one expert stay in their order. Rules: ``docs/semantics/fused_operators.md#experts``.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import softplus

from ascend_sim.aclnn.on_torch.fused.caches import as_integers
from ascend_sim.aclnn.on_torch.fused.named import named_body
from ascend_sim.aclnn.on_torch.fused.quantization import quantise_rows, store

__all__ = ["largest"]


def largest(values: Tensor, count: int) -> Tensor:
    """The places of the *count* largest values of each row; of equal ones the first."""
    places: Tensor = torch.argsort(values, dim=-1, descending=True, stable=True)[..., :count]
    return places


@named_body("aclnnMoeGatingTopKSoftmax", "aclnnMoeGatingTopKSoftmaxV2")
def moe_gating_top_k_softmax(
    *, x: Tensor, finished: Tensor | None, k: int, renorm: int = 0, output_softmax_result_flag: bool = False,
    y_out: Tensor, expert_idx_out: Tensor, row_idx_out: Tensor | None = None, softmax_result_out: Tensor | None = None,
) -> None:  # fmt: skip
    """Softmax and then the k largest, or with renorm the other way round; finished rows name an expert that is not there."""
    numbers = x.float()
    whole = torch.softmax(numbers, -1)
    places = largest(numbers if renorm else whole, k)
    y_out.copy_(torch.softmax(numbers.gather(-1, places), -1) if renorm else whole.gather(-1, places))
    chosen = places
    if finished is not None:
        chosen = torch.where(finished.bool().unsqueeze(-1), x.shape[-1], places)
    expert_idx_out.copy_(chosen)
    if row_idx_out is not None:
        rows = row_idx_out.numel() // k
        row_idx_out.copy_(torch.arange(rows * k).reshape(k, rows).t().reshape(row_idx_out.shape))
    if output_softmax_result_flag and softmax_result_out is not None and not renorm:
        softmax_result_out.copy_(whole)


@named_body("aclnnMoeGatingTopK", "aclnnMoeGatingTopKV2")
def moe_gating_top_k(
    *, x: Tensor, bias: Tensor | None, input_ids: Tensor | None = None, tid2eid: Tensor | None = None, k: int,
    k_group: int, group_count: int, group_select_mode: int, renorm: int, norm_type: int, out_flag: bool,
    routed_scaling_factor: float, eps: float, y_out: Tensor, expert_idx_out: Tensor, out_out: Tensor | None,
) -> None:  # fmt: skip
    """The k best of the best groups; the bias counts for the choice only. normType: softmax, sigmoid, root of softplus.

    V2 may have the experts of a token from a table (tid2eid) by the token's number instead.
    """
    numbers = x.float()
    scores = (torch.softmax(numbers, -1), torch.sigmoid(numbers), softplus(numbers).sqrt())[norm_type]
    choice = scores if bias is None else scores + bias.float()
    if group_count > 1:
        groups = choice.unflatten(-1, (group_count, -1))
        ranking = (
            groups.amax(-1) if group_select_mode == 0 else groups.topk(min(2, groups.shape[-1]), -1).values.sum(-1)
        )
        kept = torch.zeros_like(ranking, dtype=torch.bool).scatter(-1, largest(ranking, k_group), True)
        choice = groups.masked_fill(~kept.unsqueeze(-1), float("-inf")).flatten(-2)
    places = largest(choice, k)
    if input_ids is not None and tid2eid is not None:
        places = tid2eid[input_ids.reshape(-1).long()].long()
    weights = scores.gather(-1, places)
    if norm_type != 0 or renorm == 1:
        weights = weights / (weights.sum(-1, keepdim=True) + eps)
    y_out.copy_(weights * routed_scaling_factor)
    expert_idx_out.copy_(places)
    if out_flag and out_out is not None:
        out_out.copy_(scores)


@named_body("aclnnMoeComputeExpertTokens")
def moe_compute_expert_tokens(*, sorted_experts: Tensor, num_experts: int, out: Tensor) -> None:
    """How many entries of the sorted list belong to each expert or to one before it."""
    out.copy_(torch.searchsorted(sorted_experts.long(), torch.arange(num_experts), right=True))


@named_body("aclnnMoeInitRouting")
def moe_init_routing(
    *, x: Tensor, row_idx: Tensor, expert_idx: Tensor, active_num: int, expanded_x_out: Tensor,
    expanded_row_idx_out: Tensor, expanded_expert_idx_out: Tensor,
) -> None:  # fmt: skip
    """The first version: rows are numbered by columns (rowIdx), and the outputs have as many as activeNum allows."""
    order = torch.argsort(expert_idx.reshape(-1).long(), stable=True)
    rows = row_idx.reshape(-1).long()[order]
    expanded_expert_idx_out.copy_(expert_idx.reshape(-1)[order][: expanded_expert_idx_out.numel()])
    place = torch.empty_like(rows)
    place[rows] = torch.arange(len(rows))
    expanded_row_idx_out.copy_(place)
    expanded_x_out.copy_(x[rows[: expanded_x_out.shape[0]] % x.shape[0]])


def _slots_of_experts(experts: Tensor, order: Tensor, number: int, capacity: int) -> tuple[Tensor, Tensor]:
    """For tokens in expert order, which slot of [experts, capacity] each takes and whether there is one for it."""
    counts = torch.bincount(experts, minlength=number)
    begins = torch.cumsum(counts, 0) - counts
    sorted_experts = experts[order]
    rank = torch.arange(len(order)) - begins[sorted_experts]
    return sorted_experts * capacity + rank, rank < capacity


def _expand(out: Tensor, x: Tensor, tokens: Tensor, slots: Tensor) -> None:
    """Rows of *x* by token into the slots of *out*, zeros elsewhere."""
    out.zero_()
    out.reshape(-1, out.shape[-1])[slots] = x[tokens].to(out.dtype)


@named_body(
    "aclnnMoeInitRoutingV2", "aclnnMoeInitRoutingQuantV2",
)  # fmt: skip
def moe_init_routing_v2(
    *, x: Tensor, expert_idx: Tensor, scale: Tensor | None = None, offset: Tensor | None = None, active_num: int,
    expert_capacity: int, expert_num: int, drop_pad_mode: int, expert_tokens_count_or_cumsum_flag: int,
    expert_tokens_before_capacity_flag: bool, quant_mode: int = -1, expanded_x_out: Tensor,
    expanded_row_idx_out: Tensor, expert_tokens_count_or_cumsum_out: Tensor | None,
    expert_tokens_before_capacity_out: Tensor | None, dynamic_quant_scale_out: Tensor | None = None,
) -> None:  # fmt: skip
    """Tokens in the order of their experts, all of them (dropPadMode 0) or as many as each expert has room for (1)."""
    _route(
        x, expert_idx, scale, offset, active_num, expert_capacity, expert_num, drop_pad_mode, quant_mode, (0, expert_num),
        0, expanded_x_out, expanded_row_idx_out, dynamic_quant_scale_out,
    )  # fmt: skip
    counts = torch.bincount(expert_idx.reshape(-1).long(), minlength=expert_num)
    flag, out = expert_tokens_count_or_cumsum_flag, expert_tokens_count_or_cumsum_out
    if flag and drop_pad_mode == 0 and out is not None:
        out.copy_((torch.cumsum(counts, 0) if flag == 1 else counts)[: out.numel()])
    before = expert_tokens_before_capacity_out
    if expert_tokens_before_capacity_flag and drop_pad_mode == 1 and before is not None:
        before.copy_(counts[: before.numel()])


@named_body("aclnnMoeInitRoutingV3", float8=("x", "scale", "expanded_x_out", "expanded_scale_out"))
def moe_init_routing_v3(
    *, x: Tensor, expert_idx: Tensor, scale: Tensor | None, offset: Tensor | None, active_num: int, expert_capacity: int,
    expert_num: int, drop_pad_mode: int, expert_tokens_num_type: int, expert_tokens_num_flag: bool, quant_mode: int,
    active_expert_range: Sequence[int] | None, row_idx_type: int, expanded_x_out: Tensor, expanded_row_idx_out: Tensor,
    expert_tokens_count_or_cumsum_out: Tensor | None, expanded_scale_out: Tensor | None,
) -> None:  # fmt: skip
    """As V2 for a range of experts; quantMode -1 none (scales of rows move along), 0 static, 1 dynamic, 13 dynamic INT4."""
    if quant_mode not in (-1, 0, 1, 13):
        raise NotImplementedError(f"quantMode {quant_mode} of MoeInitRoutingV3 is not modelled")
    first, last = (int(n) for n in active_expert_range) if active_expert_range else (0, expert_num)
    _route(
        x, expert_idx, scale, offset, active_num, expert_capacity, expert_num, drop_pad_mode, quant_mode, (first, last),
        row_idx_type, expanded_x_out, expanded_row_idx_out, expanded_scale_out,
    )  # fmt: skip
    out = expert_tokens_count_or_cumsum_out
    if not expert_tokens_num_flag or out is None:
        return
    experts = expert_idx.reshape(-1).long()
    counts = torch.bincount(experts[(experts >= first) & (experts < last)] - first, minlength=last - first)
    if expert_tokens_num_type == 2:
        used = counts.nonzero().reshape(-1)
        out.zero_()
        out[: len(used), 0], out[: len(used), 1] = used + first, counts[used]
    else:
        numbers = torch.cumsum(counts, 0) if expert_tokens_num_type == 0 else counts
        out.copy_(numbers.reshape(out.shape))


def _route(
    x: Tensor, expert_idx: Tensor, scale: Tensor | None, offset: Tensor | None, active: int, capacity: int, number: int,
    padded: int, quant_mode: int, experts_range: tuple[int, int], index_kind: int, out: Tensor, index_out: Tensor,
    scale_out: Tensor | None,
) -> None:  # fmt: skip
    experts = expert_idx.reshape(-1).long()
    share = expert_idx.shape[-1] if expert_idx.dim() > 1 else 1
    taking_part = (experts >= experts_range[0]) & (experts < experts_range[1])
    order = torch.argsort(torch.where(taking_part, experts, torch.iinfo(torch.long).max), stable=True)
    order = order[: int(taking_part.sum())]
    index = torch.full((len(experts),), -1)
    if padded == 1:
        slots, fits = _slots_of_experts(experts, order, number, capacity)
        index[order[fits]] = slots[fits]
        order, slots = order[fits], slots[fits]
    else:
        index[order] = torch.arange(len(order))
        slots = torch.arange(len(order))
    if index_kind == 1 and padded == 0:
        index_out[: len(order)] = order.to(index_out.dtype)
    else:
        index_out.copy_(index)
    if padded == 0:
        order = order[: min(active or len(order), out.shape[0])]
        slots = slots[: len(order)]
    tokens = order // share
    flat = out.view(-1, out.shape[-1])
    if padded == 1:
        out.zero_()
    if quant_mode == -1:
        as_integers(flat)[slots] = as_integers(x[tokens].to(out.dtype))
        if scale is not None and scale_out is not None:
            moved = scale.reshape(-1)[tokens].to(scale_out.dtype)
            as_integers(scale_out.view(-1))[slots] = as_integers(moved)
        return
    values = x[tokens].float()
    rows = torch.empty(len(slots), out.shape[-1], dtype=out.dtype)
    if quant_mode == 0:
        factor, shift = scale, offset
        store(rows, values * (1.0 if factor is None else factor.float()) + (0.0 if shift is None else shift.float()))
    else:
        if scale is not None:
            by_expert = scale.dim() == 2 and scale.shape[0] > 1
            values = values * (scale[experts[order] - experts_range[0]] if by_expert else scale).float()
        found = torch.empty(len(slots))
        quantise_rows(values, rows, found, int4=quant_mode == 13)
        if scale_out is not None:
            if padded == 1:
                scale_out.zero_()
            scale_out.view(-1)[slots] = found
    flat[slots] = rows


@named_body("aclnnMoeInitRoutingV2Grad")
def moe_init_routing_v2_grad(
    *, grad_expanded_x: Tensor, expanded_row_idx: Tensor, top_k: int, drop_pad_mode: int, active_num: int, out: Tensor
) -> None:
    """The gradients of a token's rows added up; rows that were dropped, or beyond activeNum, give nothing."""
    index = expanded_row_idx.reshape(-1, top_k).long()
    flat = grad_expanded_x.reshape(-1, grad_expanded_x.shape[-1]).float()
    limit = active_num if drop_pad_mode == 0 and active_num > 0 else flat.shape[0]
    valid = (index >= 0) & (index < limit)
    out.copy_((flat[index.clamp(0, max(flat.shape[0] - 1, 0))] * valid.unsqueeze(-1)).sum(1))


def _by_rows(index: Tensor, rows: int, by_columns: bool) -> Tensor:
    """[rows, k]; no rows have no k either."""
    share = index.numel() // rows if rows else 0
    return (index.reshape(share, rows).t() if by_columns else index.reshape(rows, share)).long()


def _finalised(
    expanded: Tensor, index: Tensor, extras: Sequence[Tensor | None], bias: Tensor | None, scales: Tensor | None,
    experts: Tensor | None, out: Tensor,
) -> None:  # fmt: skip
    """*index* [rows, k]: where the results of a row lie, -1 where they were dropped."""
    flat = expanded.reshape(-1, expanded.shape[-1])
    if not flat.shape[0]:  # all of them were dropped
        flat = flat.new_zeros(1, flat.shape[-1])
    valid = (index >= 0).unsqueeze(-1)
    values = flat[index.clamp(min=0)].float()
    if bias is not None and experts is not None:
        values = values + bias.float()[experts.long()]
    if scales is not None:
        values = values * scales.float().unsqueeze(-1)
    total = (values * valid).sum(1)
    for extra in extras:
        if extra is not None:
            total = total + extra.float()
    out.copy_(total)


@named_body("aclnnMoeFinalizeRouting")
def moe_finalize_routing(
    *, expanded_x: Tensor, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None, scales: Tensor | None,
    expanded_row_idx: Tensor, expanded_expert_idx: Tensor | None, out: Tensor,
) -> None:  # fmt: skip
    """``x1 + x2 + sum of scale * (row + bias of its expert)``; the index goes by columns."""
    index = _by_rows(expanded_row_idx, out.shape[0], by_columns=True)
    _finalised(expanded_x, index, (x1, x2), bias, scales, expanded_expert_idx, out)


@named_body("aclnnMoeFinalizeRoutingV2")
def moe_finalize_routing_v2(
    *, expanded_x: Tensor, expanded_row_idx: Tensor, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None,
    scales: Tensor | None, expert_idx: Tensor | None, drop_pad_mode: int, out: Tensor,
) -> None:  # fmt: skip
    """As the first version; dropPadMode 0 and 1 have the index by columns, 2 and 3 by rows."""
    index = _by_rows(expanded_row_idx, out.shape[0], by_columns=drop_pad_mode < 2)
    _finalised(expanded_x, index, (x1, x2), bias, scales, expert_idx, out)


@named_body("aclnnMoeFinalizeRoutingV4", alpha1="a1", alpha2="a2")
def moe_finalize_routing_v4(
    *, expanded_x: Tensor, expanded_row_idx: Tensor, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None,
    scales: Tensor | None, expert_idx: Tensor | None, x: Tensor | None, a1: Tensor | None, a2: Tensor | None,
    v: Tensor | None, drop_pad_mode: int, zero_expert_range: Sequence[int] | None,
    copy_expert_range: Sequence[int] | None, constant_expert_range: Sequence[int] | None, k: int, out: Tensor,
) -> None:  # fmt: skip
    """As V2, with experts that give nothing, the token itself, or ``a1 * x + a2 * v``; without scales k says how many."""
    index = expanded_row_idx.long()
    share = scales.shape[1] if scales is not None else max(k, 1)
    index = index.reshape(share, -1).t() if drop_pad_mode < 2 else index.reshape(-1, share)
    flat = expanded_x.reshape(-1, expanded_x.shape[-1])
    values = flat[index.clamp(0, max(flat.shape[0] - 1, 0))].float()
    counts = index >= 0
    if expert_idx is not None:
        experts = expert_idx.reshape(-1, share).long()
        within = [(experts >= r[0]) & (experts < r[1]) if r else torch.zeros_like(counts) for r in
                  (zero_expert_range, copy_expert_range, constant_expert_range)]  # fmt: skip
        if x is not None:
            own = x.float().unsqueeze(1)
            values = torch.where(within[1].unsqueeze(-1), own, values)
            if constant_expert_range and a1 is not None and a2 is not None and v is not None:
                number = (experts - constant_expert_range[0]).clamp(0, a1.shape[0] - 1)
                bent = a1.float()[number] * own + (a2.float() * v.float())[number]
                values = torch.where(within[2].unsqueeze(-1), bent, values)
        counts = (counts | within[1] | within[2]) & ~within[0]
        if bias is not None:
            values = values + bias.float()[experts]
    if scales is not None:
        values = values * scales.float().unsqueeze(-1)
    total = (values * counts.unsqueeze(-1)).sum(1)
    for extra in (x1, x2):
        if extra is not None:
            total = total + extra.float()
    out.copy_(total)


@named_body("aclnnMoeTokenPermute")
def moe_token_permute(
    *, tokens: Tensor, indices: Tensor, num_out_tokens: int, padded_mode: bool, permute_tokens_out: Tensor,
    sorted_indices_out: Tensor,
) -> None:  # fmt: skip
    """Tokens in the order of their experts, and where each of them went."""
    flat = indices.reshape(-1).long()
    share = indices.shape[1] if indices.dim() > 1 else 1
    order = torch.argsort(flat, stable=True)
    sorted_indices_out.copy_(torch.argsort(order))
    permute_tokens_out.copy_(tokens[order[: permute_tokens_out.shape[0]] // share])


@named_body("aclnnMoeTokenPermuteGrad")
def moe_token_permute_grad(
    *, permuted_output_grad: Tensor, sorted_indices: Tensor, num_topk: int, padded_mode: bool, out: Tensor
) -> None:
    """The gradients of a token's rows added up."""
    index = sorted_indices.reshape(-1, num_topk).long()
    rows = permuted_output_grad.shape[0]
    values = permuted_output_grad[index.clamp(max=max(rows - 1, 0))].float() * (index < rows).unsqueeze(-1)
    out.copy_(values.sum(1))


@named_body("aclnnMoeTokenUnpermute")
def moe_token_unpermute(
    *, permuted_tokens: Tensor, sorted_indices: Tensor, probs: Tensor | None, padded_mode: bool,
    restore_shape: Sequence[int] | None, out: Tensor,
) -> None:  # fmt: skip
    """Rows back at their tokens, weighted and added up where a token has several."""
    share = 1 if probs is None else probs.shape[1]
    index = sorted_indices.reshape(-1, share).long()
    rows = permuted_tokens.shape[0]
    values = permuted_tokens[index.clamp(max=max(rows - 1, 0))].float() * (index < rows).unsqueeze(-1)
    out.copy_((values if probs is None else values * probs.float().unsqueeze(-1)).sum(1))


@named_body("aclnnMoeTokenUnpermuteGrad")
def moe_token_unpermute_grad(
    *, permute_tokens: Tensor | None, unpermuted_tokens_grad: Tensor, sorted_indices: Tensor, probs: Tensor | None,
    padded_mode: bool, restore_shape: Sequence[int] | None, permuted_tokens_grad_out: Tensor,
    probs_grad_out: Tensor | None,
) -> None:  # fmt: skip
    """The gradients of the rows and of the weights."""
    grad = unpermuted_tokens_grad.float()
    share = 1 if probs is None else probs.shape[1]
    index = sorted_indices.reshape(-1, share).long()
    rows = permuted_tokens_grad_out.shape[0]
    valid = index < rows
    parts = grad.unsqueeze(1).expand(-1, share, -1)
    weighted = parts if probs is None else parts * probs.float().unsqueeze(-1)
    permuted_tokens_grad_out.zero_()
    permuted_tokens_grad_out[index[valid]] = weighted[valid].to(permuted_tokens_grad_out.dtype)
    if probs is not None and permute_tokens is not None and probs_grad_out is not None:
        values = permute_tokens[index.clamp(max=max(rows - 1, 0))].float() * valid.unsqueeze(-1)
        probs_grad_out.copy_((values * parts).sum(-1))


@named_body("aclnnMoeFinalizeRoutingV2Grad")
def moe_finalize_routing_v2_grad(
    *, grad_y: Tensor, expanded_row_idx: Tensor, expanded_x: Tensor | None, scales: Tensor | None,
    expert_idx: Tensor | None, bias: Tensor | None, drop_pad_mode: int, active_num: int, expert_num: int,
    expert_capacity: int, grad_expanded_x_out: Tensor, grad_scales_out: Tensor | None,
) -> None:  # fmt: skip
    """The gradients of the experts' rows and of the scales; the index goes by rows."""
    index = expanded_row_idx.reshape(grad_y.shape[0], -1).long()
    flat = grad_expanded_x_out.view(-1, grad_expanded_x_out.shape[-1])
    valid = (index >= 0) & (index < flat.shape[0])
    parts = grad_y.float().unsqueeze(1).expand(-1, index.shape[1], -1)
    weighted = parts if scales is None else parts * scales.float().unsqueeze(-1)
    grad_expanded_x_out.zero_()
    flat[index[valid]] = weighted[valid].to(flat.dtype)
    if scales is not None and expanded_x is not None and grad_scales_out is not None:
        rows = expanded_x.reshape(-1, expanded_x.shape[-1])[index.clamp(0, max(flat.shape[0] - 1, 0))].float()
        if bias is not None and expert_idx is not None:
            rows = rows + bias.float()[expert_idx.long()]
        grad_scales_out.copy_((rows * parts * valid.unsqueeze(-1)).sum(-1))
