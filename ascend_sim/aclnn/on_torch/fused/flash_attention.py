"""Attention of training: FlashAttentionScore, its form for sequences of several lengths, and the gradients of both.

Rules: ``docs/semantics/fused_operators.md#attention``.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.attention import (
    attend,
    hidden,
    lengths_of,
    positional_bias,
    probabilities,
    rows,
    scores,
)  # fmt: skip
from ascend_sim.aclnn.on_torch.fused.named import named_body

__all__ = ["flash_attention_score", "flash_attention_score_grad"]


@attrs.frozen
class Place:
    """Where one sequence lies: its number, its queries and its keys (places along S, or along T)."""

    index: int
    queries: tuple[int, int]
    keys: tuple[int, int]
    before: int
    """Elements of [heads, queries, keys] in the sequences before it."""

    @property
    def size(self) -> tuple[int, int]:
        """How many queries and keys it has."""
        return self.queries[1] - self.queries[0], self.keys[1] - self.keys[0]


@attrs.frozen
class Batch:
    """The operands of one call, of which forward and backward take the same sequences."""

    query: Tensor
    key: Tensor
    value: Tensor
    ropes: tuple[Tensor | None, Tensor | None]
    bias: Tensor | None
    drop: Tensor | None
    mask: Tensor | None
    sink: Tensor | None
    prefix: Sequence[int] | None
    ends: tuple[Sequence[int] | None, Sequence[int] | None]
    starts: tuple[int, int]
    scale: float
    keep: float
    band: tuple[int, int]
    heads: int
    layout: str
    mode: int
    bias_kind: int
    same_layout: bool

    @property
    def key_heads(self) -> int:
        """Heads of key and value: told by the shape, or by the width of a query head where heads are folded."""
        if self.layout in ("BSH", "SBH"):
            return int(self.key.shape[-1] // (self.query.shape[-1] // self.heads))
        return int(self.key.shape[1 if self.layout in ("BNSD", "TND") else 2])

    def places(self) -> list[Place]:
        """All sequences in order."""
        if self.layout == "TND":
            spans = list(zip(lengths_of(self.ends[0] or ()), lengths_of(self.ends[1] or ()), strict=True))
        else:
            along = {"SBH": 0, "BNSD": 2}.get(self.layout, 1)
            whole = (0, self.query.shape[along]), (0, self.key.shape[along])
            spans = [whole] * self.query.shape[1 if self.layout == "SBH" else 0]
        found, before = [], 0
        for i, (queries, keys) in enumerate(spans):
            place = Place(i, queries, keys, before)
            found.append(place)
            before += self.heads * place.size[0] * place.size[1]
        return found

    def of_queries(self, tensor: Tensor, place: Place) -> Tensor:
        """[heads, queries, width] of a tensor that has the layout of the query."""
        return rows(tensor, self.layout, place.index, *place.queries, self.heads)

    def of_keys(self, tensor: Tensor, place: Place) -> Tensor:
        """[key heads, keys, width] of a tensor that has the layout of the key."""
        return rows(tensor, self.layout, place.index, *place.keys, self.key_heads)

    def operands(self, place: Place) -> tuple[Tensor, Tensor, Tensor]:
        """Query, key (each with its rope part behind it) and value of one sequence."""
        query, key = self.of_queries(self.query, place), self.of_keys(self.key, place)
        if self.ropes[0] is not None and self.ropes[1] is not None:
            query = torch.cat((query, self.of_queries(self.ropes[0], place)), -1)
            key = torch.cat((key, self.of_keys(self.ropes[1], place)), -1)
        return query, key, self.of_keys(self.value, place)

    def scores(self, place: Place, query: Tensor, key: Tensor, places: Sequence[Place]) -> Tensor:
        """The scaled, biased and masked scores of one sequence."""
        mask, mode = self.mask, self._mode(place, places)
        own = None
        if mask is not None and mode in (0, 1, 5):
            own = mask[place.index if mask.shape[0] > 1 else 0] if mask.dim() == 4 else mask
            own = own[..., : place.size[0], : place.size[1]]
        prefix = None if self.prefix is None else int(self.prefix[place.index])
        unseen = hidden(mode, place.size, *self.band, own, prefix)
        return scores(query, key, self.scale, self.own_bias(place), self.bias_kind == 1, unseen)

    def _mode(self, place: Place, places: Sequence[Place]) -> int:
        """Modes 7 and 8: a band for the last (first) sequence that has elements, a triangle for the others."""
        if self.mode == 7:
            return 4 if place.index == max((p.index for p in places if p.size[0]), default=-1) else 3
        if self.mode == 8:
            return 4 if place.index == min((p.index for p in places if p.size[1]), default=-1) else 2
        return self.mode

    def own_bias(self, place: Place) -> Tensor | None:
        """The bias of one sequence; one axis: those of all sequences one behind the other."""
        if self.bias is None:
            return None
        if self.bias.dim() == 1 and self.bias_kind not in (2, 3):
            count = self.heads * place.size[0] * place.size[1]
            return self.bias[place.before : place.before + count].float().reshape(self.heads, *place.size)
        return positional_bias(self.bias, self.bias_kind, place.index, place.size, self.starts)

    def kept(self, place: Place) -> Tensor | None:
        """The factor of each weight: 0, or 1 over keepProb. A bit an element, the first in the lowest of a byte."""
        if self.drop is None or self.keep >= 1.0:
            return None
        count = self.heads * place.size[0] * place.size[1]
        first = place.before % 8
        words = self.drop.reshape(-1)[place.before // 8 : (place.before + count + 7) // 8].int()
        bits = ((words.unsqueeze(1) >> torch.arange(8)) & 1).reshape(-1)[first : first + count]
        return bits.float().reshape(self.heads, *place.size) / self.keep

    def softmax_rows(self, tensor: Tensor, place: Place) -> Tensor:
        """[heads, queries, 8] of greatest scores or sums; TND has each sequence with its heads outside unless told."""
        if self.layout != "TND":
            return tensor[place.index]
        begin, end = place.queries
        if self.same_layout:
            return tensor[begin:end].transpose(0, 1)
        flat = tensor.reshape(-1, tensor.shape[-1])  # an output is dense
        return flat[begin * self.heads : end * self.heads].view(self.heads, end - begin, tensor.shape[-1])


def _start(index: Sequence[int] | None) -> int:
    return int(index[0]) if index else 0


def _refuse(drop: Tensor | None, keep: float, *scales: Tensor | None) -> None:
    if any(scale is not None for scale in scales):
        raise NotImplementedError("scales of FLOAT8 attention are not modelled")
    if drop is None and keep < 1.0:
        raise NotImplementedError("a dropout mask made from seed and offset inside the operator is not modelled")


@named_body(
    "aclnnFlashAttentionScore", "aclnnFlashAttentionScoreV2", "aclnnFlashAttentionScoreV3", "aclnnFlashAttentionScoreV4",
    "aclnnFlashAttentionVarLenScore", "aclnnFlashAttentionVarLenScoreV2", "aclnnFlashAttentionVarLenScoreV3",
    "aclnnFlashAttentionVarLenScoreV4", "aclnnFlashAttentionVarLenScoreV5",
)  # fmt: skip
def flash_attention_score(
    *, query: Tensor, query_rope: Tensor | None = None, key: Tensor, key_rope: Tensor | None = None, value: Tensor,
    real_shift: Tensor | None, drop_mask: Tensor | None, padding_mask: Tensor | None, atten_mask: Tensor | None,
    d_scale_q: Tensor | None = None, d_scale_k: Tensor | None = None, d_scale_v: Tensor | None = None,
    sink: Tensor | None = None, prefix: Sequence[int] | None, actual_seq_q_len: Sequence[int] | None = None,
    actual_seq_kv_len: Sequence[int] | None = None, q_start_idx: Sequence[int] | None = None,
    kv_start_idx: Sequence[int] | None = None, scale_value: float, keep_prob: float, pre_tokens: int, next_tokens: int,
    head_num: int, input_layout: str, inner_precise: int, sparse_mode: int, out_dtype: int = 0, pse_type: int = 1,
    softmax_out_layout: str | None = None, seed: int = 0, offset: int = 0, softmax_max_out: Tensor | None,
    softmax_sum_out: Tensor | None, softmax_out_out: Tensor | None, attention_out_out: Tensor,
) -> None:  # fmt: skip
    """Attention, and the greatest score and the sum of each row (eight times) for the gradient."""
    _refuse(drop_mask, keep_prob, d_scale_q, d_scale_k, d_scale_v)
    batch = Batch(
        query, key, value, (query_rope, key_rope), real_shift, drop_mask, atten_mask, sink, prefix,
        (actual_seq_q_len, actual_seq_kv_len), (_start(q_start_idx), _start(kv_start_idx)), scale_value, keep_prob,
        (pre_tokens, next_tokens), head_num, input_layout, sparse_mode, pse_type, softmax_out_layout == "same_as_input",
    )  # fmt: skip
    places = batch.places()
    for place in places:
        if not place.size[0]:
            continue
        q, k, v = batch.operands(place)
        weights, top, total = probabilities(batch.scores(place, q, k, places), sink)
        kept = batch.kept(place)
        batch.of_queries(attention_out_out, place).copy_(attend(weights if kept is None else weights * kept, total, v))
        for out, found in ((softmax_max_out, top), (softmax_sum_out, total)):
            if out is not None and out.numel():
                own = batch.softmax_rows(out, place)
                own.copy_(found.expand(own.shape))


@named_body(
    "aclnnFlashAttentionScoreGrad", "aclnnFlashAttentionScoreGradV2", "aclnnFlashAttentionScoreGradV3",
    "aclnnFlashAttentionScoreGradV4", "aclnnFlashAttentionUnpaddingScoreGrad", "aclnnFlashAttentionUnpaddingScoreGradV2",
    "aclnnFlashAttentionUnpaddingScoreGradV3", "aclnnFlashAttentionUnpaddingScoreGradV4",
    "aclnnFlashAttentionUnpaddingScoreGradV5", key_rope="key_in_rope",
)  # fmt: skip
def flash_attention_score_grad(
    *, query: Tensor, query_rope: Tensor | None = None, key_in: Tensor, key_in_rope: Tensor | None = None, value: Tensor,
    dy: Tensor, pse_shift: Tensor | None, drop_mask: Tensor | None, padding_mask: Tensor | None,
    atten_mask: Tensor | None, softmax_max: Tensor, softmax_sum: Tensor, softmax_in: Tensor | None, attention_in: Tensor,
    sink_in: Tensor | None = None, d_scale_q: Tensor | None = None, d_scale_k: Tensor | None = None,
    d_scale_v: Tensor | None = None, d_scale_dy: Tensor | None = None, d_scale_o: Tensor | None = None,
    prefix: Sequence[int] | None, actual_seq_q_len: Sequence[int] | None = None,
    actual_seq_kv_len: Sequence[int] | None = None, q_start_idx: Sequence[int] | None = None,
    kv_start_idx: Sequence[int] | None = None, scale_value: float, keep_prob: float, pre_tokens: int, next_tokens: int,
    head_num: int, input_layout: str, inner_precise: int, sparse_mode: int, pse_type: int = 1, seed: int = 0,
    offset: int = 0, out_dtype: int = 0, softmax_in_layout: str | None = None, dq_out: Tensor,
    dq_rope_out: Tensor | None = None, dk_out: Tensor, dk_rope_out: Tensor | None = None, dv_out: Tensor,
    dpse_out: Tensor | None, dsink_out: Tensor | None = None,
) -> None:  # fmt: skip
    """The gradients of query, key, value, of the bias and of the sink, from what the forward pass kept."""
    _refuse(drop_mask, keep_prob, d_scale_q, d_scale_k, d_scale_v, d_scale_dy, d_scale_o)
    batch = Batch(
        query, key_in, value, (query_rope, key_in_rope), pse_shift, drop_mask, atten_mask, sink_in, prefix,
        (actual_seq_q_len, actual_seq_kv_len), (_start(q_start_idx), _start(kv_start_idx)), scale_value, keep_prob,
        (pre_tokens, next_tokens), head_num, input_layout, sparse_mode, pse_type, softmax_in_layout == "same_as_input",
    )  # fmt: skip
    for out in (dq_out, dk_out, dv_out, dq_rope_out, dk_rope_out):
        if out is not None:
            out.zero_()
    dbias = None
    if pse_shift is not None and dpse_out is not None and dpse_out.numel() and pse_type not in (2, 3):
        dbias = torch.zeros(pse_shift.shape)
    dsink = torch.zeros(head_num)
    places = batch.places()
    share = head_num // max(batch.key_heads, 1)
    for place in places:
        if not place.size[0] or not place.size[1]:
            continue
        q, k, v = (part.float() for part in batch.operands(place))
        grad, out = batch.of_queries(dy, place).float(), batch.of_queries(attention_in, place).float()
        top = batch.softmax_rows(softmax_max, place)[..., :1].float()
        total = batch.softmax_rows(softmax_sum, place)[..., :1].float()
        share_of_row = torch.exp(batch.scores(place, q, k, places) - top) / total
        kept = batch.kept(place)
        inner = (grad * out).sum(-1, keepdim=True)
        slope = grad @ v.repeat_interleave(share, 0).transpose(-1, -2)
        slope = share_of_row * ((slope if kept is None else slope * kept) - inner)
        dropped = share_of_row if kept is None else share_of_row * kept
        dq = slope @ k.repeat_interleave(share, 0) * scale_value
        dk = _to_key_heads(slope.transpose(-1, -2) @ q * scale_value, share)
        width = query.shape[-1] // head_num if input_layout in ("BSH", "SBH") else query.shape[-1]
        batch.of_queries(dq_out, place).copy_(dq[..., :width])
        batch.of_keys(dk_out, place).copy_(dk[..., :width])
        batch.of_keys(dv_out, place).copy_(_to_key_heads(dropped.transpose(-1, -2) @ grad, share))
        if dq_rope_out is not None and dk_rope_out is not None and query_rope is not None:
            batch.of_queries(dq_rope_out, place).copy_(dq[..., width:])
            batch.of_keys(dk_rope_out, place).copy_(dk[..., width:])
        if dbias is not None:
            _add_bias_gradient(dbias, slope * (scale_value if pse_type == 1 else 1.0), place)
        if sink_in is not None:
            dsink -= (torch.exp(sink_in.float().reshape(-1, 1, 1) - top) / total * inner).sum((1, 2))
    if dbias is not None and dpse_out is not None:
        dpse_out.copy_(dbias.reshape(dpse_out.shape))
    if sink_in is not None and dsink_out is not None:
        dsink_out.copy_(dsink.reshape(dsink_out.shape))


def _to_key_heads(values: Tensor, share: int) -> Tensor:
    return values.unflatten(0, (-1, share)).sum(1)


def _add_bias_gradient(total: Tensor, slope: Tensor, place: Place) -> None:
    """Into the bias's own shape: summed over the sequences and over the queries where it has one of them."""
    if total.dim() == 1:
        total[place.before : place.before + slope.numel()] += slope.reshape(-1)
        return
    own = total[place.index if total.shape[0] > 1 else 0]
    if own.shape[1] == 1:
        own[:, :, : place.size[1]] += slope.sum(1, keepdim=True)
    else:
        own[:, : place.size[0], : place.size[1]] += slope
