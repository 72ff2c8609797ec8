"""Attention over chosen keys: LightningIndexer chooses them for each token, SparseFlashAttention attends to them.

Rules: ``docs/semantics/fused_operators.md#attention``.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.attention import attend, lengths_of, probabilities, scores
from ascend_sim.aclnn.on_torch.fused.experts import largest
from ascend_sim.aclnn.on_torch.fused.named import named_body

__all__ = ["lightning_indexer", "sparse_flash_attention"]


def _pages(cache: Tensor, table: Tensor, count: int) -> Tensor:
    """The first *count* rows [keys, heads, width] of a sequence in pages [blocks, size, heads, width]."""
    size = cache.shape[1]
    return cache[table[: (count + size - 1) // size].long()].flatten(0, 1)[:count]


class _Sequences:
    """Queries and keys of each sequence, whatever layouts they have."""

    def __init__(
        self, layouts: tuple[str, str], query: Tensor, q_lengths: Tensor | None, k_lengths: Tensor | None,
        table: Tensor | None,
    ) -> None:  # fmt: skip
        self.q_layout, self.k_layout = layouts
        self.table = table
        self.k_lengths = None if k_lengths is None else [int(n) for n in k_lengths.tolist()]
        numbers = None if q_lengths is None else [int(n) for n in q_lengths.tolist()]
        if self.q_layout == "TND":
            self.queries = lengths_of(numbers or ())
        else:
            self.queries = [(0, query.shape[1] if numbers is None else numbers[b]) for b in range(query.shape[0])]

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.queries)))

    def rows(self, tensor: Tensor, batch: int) -> Tensor:
        """The queries' rows of one sequence."""
        begin, end = self.queries[batch]
        return tensor[begin:end] if self.q_layout == "TND" else tensor[batch, begin:end]

    def keys(self, tensor: Tensor, batch: int) -> Tensor:
        """The keys' rows [keys, heads, width] of one sequence."""
        if self.k_layout == "TND":
            begin, end = lengths_of(self.k_lengths or ())[batch]
            return tensor[begin:end]
        if self.table is not None and self.k_layout.startswith("PA"):
            return _pages(tensor, self.table[batch], self.k_lengths[batch] if self.k_lengths else 0)
        return tensor[batch, : tensor.shape[1] if self.k_lengths is None else self.k_lengths[batch]]


def _later(queries: int, keys: int) -> Tensor:
    """Keys behind the token, from the lower right corner."""
    return torch.arange(keys).unsqueeze(0) - (keys - queries) > torch.arange(queries).unsqueeze(1)


@named_body("aclnnLightningIndexer")
def lightning_indexer(
    *, query: Tensor, key: Tensor, weights: Tensor, actual_seq_lengths_query: Tensor | None,
    actual_seq_lengths_key: Tensor | None, block_table: Tensor | None, layout_query: str | None,
    layout_key: str | None, sparse_count: int, sparse_mode: int, pre_tokens: int, next_tokens: int, return_values: bool,
    sparse_indices_out: Tensor, sparse_values_out: Tensor | None,
) -> None:  # fmt: skip
    """The places of the sparseCount keys with the largest weighted sums of positive scores; -1 where there are no more."""
    layouts = layout_query or "BSND", layout_key or "BSND"
    parts = _Sequences(layouts, query, actual_seq_lengths_query, actual_seq_lengths_key, block_table)
    sparse_indices_out.fill_(-1)
    if return_values and sparse_values_out is not None:
        sparse_values_out.fill_(float("-inf"))
    for batch in parts:
        q, k = parts.rows(query, batch).float(), parts.keys(key, batch).float()
        if not q.shape[0] or not k.shape[0]:
            continue
        found = torch.einsum("qhd,kd->qhk", q, k[:, 0]).relu()
        found = (found * parts.rows(weights, batch).float().unsqueeze(-1)).sum(1)
        unseen = _later(*found.shape) if sparse_mode == 3 else torch.zeros_like(found, dtype=torch.bool)
        found = found.masked_fill(unseen, float("-inf"))
        best = largest(found, min(sparse_count, found.shape[-1]))
        hidden = unseen.gather(-1, best)
        parts.rows(sparse_indices_out, batch)[:, 0, : best.shape[-1]] = best.masked_fill(hidden, -1).int()
        if return_values and sparse_values_out is not None:
            values = parts.rows(sparse_values_out, batch)[:, 0, : best.shape[-1]]
            values.copy_(found.gather(-1, best))


@named_body("aclnnSparseFlashAttention")
def sparse_flash_attention(
    *, query: Tensor, key: Tensor, value: Tensor, sparse_indices: Tensor, block_table: Tensor | None,
    actual_seq_lengths_query: Tensor | None, actual_seq_lengths_kv: Tensor | None, query_rope: Tensor | None,
    key_rope: Tensor | None, scale_value: float, sparse_block_size: int, layout_query: str | None,
    layout_kv: str | None, sparse_mode: int, pre_tokens: int, next_tokens: int, attention_mode: int,
    return_softmax_lse: bool, attention_out: Tensor, softmax_max: Tensor | None, softmax_sum: Tensor | None,
) -> None:  # fmt: skip
    """Attention of each token to the blocks of keys that its indices name, up to the first -1."""
    layouts = layout_query or "BSND", layout_kv or "BSND"
    parts = _Sequences(layouts, query, actual_seq_lengths_query, actual_seq_lengths_kv, block_table)
    attention_out.zero_()
    for batch in parts:
        q, k, v = parts.rows(query, batch), parts.keys(key, batch), parts.keys(value, batch)
        if not q.shape[0]:
            continue
        if query_rope is not None and key_rope is not None:
            q = torch.cat((q, parts.rows(query_rope, batch)), -1)
            k = torch.cat((k, parts.keys(key_rope, batch)), -1)
        q, k, v = (part.transpose(0, 1) for part in (q, k, v))
        named = _named(parts.rows(sparse_indices, batch), sparse_block_size, k.shape[1])
        unseen = ~named | _later(q.shape[1], k.shape[1]) if sparse_mode == 3 else ~named
        scored = scores(q, k, scale_value, None, False, unseen.repeat_interleave(q.shape[0] // k.shape[0], 0))
        weights, top, total = probabilities(scored)
        parts.rows(attention_out, batch).copy_(attend(weights, total, v).transpose(0, 1))
        if return_softmax_lse:
            for out, found in ((softmax_max, top), (softmax_sum, total)):
                if out is not None and out.numel():
                    _softmax_rows(out, parts, batch).copy_(
                        found.squeeze(-1).unflatten(0, (k.shape[0], -1)).transpose(1, 2)
                    )


def _named(indices: Tensor, size: int, keys: int) -> Tensor:
    """Which keys [key heads, queries, keys] the indices [queries, key heads, count] name."""
    valid = (indices >= 0).cummin(-1).values
    blocks = torch.zeros(*indices.shape[:2], -(-keys // size) + 1, dtype=torch.bool)
    blocks.scatter_(-1, torch.where(valid, indices.long(), blocks.shape[-1] - 1), True)
    return blocks[..., :-1].repeat_interleave(size, -1)[..., :keys].transpose(0, 1)


def _softmax_rows(out: Tensor, parts: _Sequences, batch: int) -> Tensor:
    """[key heads, queries, share] of one sequence, in [B, key heads, S, share] or [key heads, T, share]."""
    begin, end = parts.queries[batch]
    return out[:, begin:end] if parts.q_layout == "TND" else out[batch, :, begin:end]
