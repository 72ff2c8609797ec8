"""Joining attention over parts of the keys: what ring attention and sequence parallelism do with partial results."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.attention import lengths_of
from ascend_sim.aclnn.on_torch.fused.named import named_body

__all__ = ["attention_update", "ring_attention_update"]


@named_body("aclnnAttentionUpdate")
def attention_update(
    *, lse: Sequence[Tensor], local_out: Sequence[Tensor], update_type: int, out: Tensor, lse_out: Tensor | None
) -> None:
    """Results weighted by the logarithms of their sums; parts without any key (+inf) count for nothing."""
    sums = torch.stack([part.float() for part in lse])
    sums = sums.masked_fill(sums == float("inf"), float("-inf"))
    whole = torch.logsumexp(sums, 0)
    weights = torch.exp(sums - whole.masked_fill(whole == float("-inf"), 0.0)).unsqueeze(-1)
    out.copy_((torch.stack([part.float() for part in local_out]) * weights).sum(0))
    if update_type == 1 and lse_out is not None:
        lse_out.copy_(whole)


def _sequences_outside(rows: Tensor, ends: Sequence[int], heads: int) -> Tensor:
    """[T, N, 8] whose memory has each sequence with its heads outside, as [T, N, 8] in order."""
    flat = rows.reshape(-1, rows.shape[-1])
    parts = [
        flat[a * heads : b * heads].unflatten(0, (heads, b - a)).transpose(0, 1) for a, b in lengths_of(ends) if b > a
    ]
    return torch.cat(parts) if parts else rows


def _sequences_back(rows: Tensor, ends: Sequence[int]) -> Tensor:
    parts = [rows[a:b].transpose(0, 1).flatten(0, 1) for a, b in lengths_of(ends) if b > a]
    return torch.cat(parts) if parts else rows


@named_body("aclnnRingAttentionUpdateV2")
def ring_attention_update(
    *, prev_attn_out: Tensor, prev_softmax_max: Tensor, prev_softmax_sum: Tensor, cur_attn_out: Tensor,
    cur_softmax_max: Tensor, cur_softmax_sum: Tensor, actual_seq_qlen: Tensor | None, input_layout: str | None,
    input_softmax_layout: str | None, attn_out_out: Tensor, softmax_max_out: Tensor, softmax_sum_out: Tensor,
) -> None:  # fmt: skip
    """Two results of FlashAttention with their greatest scores and sums, SBH or TND, as one over the keys of both."""
    given = [t.float() for t in (prev_softmax_max, prev_softmax_sum, cur_softmax_max, cur_softmax_sum)]
    packed = input_layout == "TND"
    outside = packed and input_softmax_layout != "TND"
    ends: list[int] = []
    if outside and actual_seq_qlen is not None:
        ends = [int(n) for n in actual_seq_qlen.tolist() if n]
        given = [_sequences_outside(t, ends, t.shape[1]) for t in given]
    before_max, before_sum, now_max, now_sum = given
    top = torch.maximum(before_max, now_max)
    before, now = before_sum * torch.exp(before_max - top), now_sum * torch.exp(now_max - top)
    total = before + now
    shares = [(part / total)[..., :1] for part in (before, now)]
    parts = [prev_attn_out.float(), cur_attn_out.float()]
    if not packed:  # [S, B, N * D] beside [B, N, S, 8]
        shares = [share.permute(2, 0, 1, 3) for share in shares]
        parts = [part.unflatten(-1, (top.shape[1], -1)) for part in parts]
    joined = parts[0] * shares[0] + parts[1] * shares[1]
    attn_out_out.copy_(joined.reshape(attn_out_out.shape))
    for out, values in ((softmax_max_out, top), (softmax_sum_out, total)):
        out.copy_((_sequences_back(values, ends) if ends else values).reshape(out.shape))
