"""Scaled dot-product attention of one sequence: layouts as views, what a sparse mode hides, position biases, softmax.

The operators of training and of inference take their operands apart into sequences and call `attend`.
Rules: ``docs/semantics/fused_operators.md#attention``.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

__all__ = [
    "EMPTY_MAX", "EMPTY_SUM", "alibi", "attend", "hidden", "lengths_of", "positional_bias", "probabilities", "rows",
    "scores",
]  # fmt: skip

EMPTY_MAX, EMPTY_SUM = torch.finfo(torch.float32).min, torch.finfo(torch.float32).max
"""The greatest score and the sum of a row that sees no key."""


def lengths_of(ends: Sequence[int]) -> list[tuple[int, int]]:
    """Begin and end of each sequence out of running sums; trailing zeros are sequences that take no part."""
    found, begin = [], 0
    for end in ends:
        found.append((begin, max(begin, int(end))))
        begin = found[-1][1]
    return found


def rows(tensor: Tensor, layout: str, batch: int, begin: int, end: int, heads: int) -> Tensor:
    """The rows of one sequence as a view [heads, end - begin, width]; *batch* counts for layouts with a batch axis."""
    if layout == "TND":
        return tensor[begin:end].transpose(0, 1)
    if layout == "NTD":
        return tensor[:, begin:end]
    if layout == "BNSD":
        return tensor[batch, :, begin:end]
    if layout == "NBSD":
        return tensor[:, batch, begin:end]
    if layout == "BSND":
        return tensor[batch, begin:end].transpose(0, 1)
    if layout == "SBH":
        return tensor[begin:end, batch].unflatten(-1, (heads, -1)).transpose(0, 1)
    if layout == "BSH":
        return tensor[batch, begin:end].unflatten(-1, (heads, -1)).transpose(0, 1)
    raise ValueError(f"layout {layout} of attention is not modelled")


def hidden(
    mode: int, size: tuple[int, int], before: int, after: int, mask: Tensor | None, prefix: int | None = None,
    banded: bool = True,
) -> Tensor | None:  # fmt: skip
    """Which keys each query must not see, as sparseMode says; *mask* is this sequence's own [queries, keys], or None.

    The modes 2, 3, 4, 6, 7 and 8 take the place of each element, as the triangle that the documents ask for gives it.
    """
    queries, keys = size
    i, j = torch.arange(queries).unsqueeze(1), torch.arange(keys).unsqueeze(0)
    corner = keys - queries
    if mode in (0, 1):
        if mask is None:
            return None
        own = mask.bool()
        return own | (i - j > before) | (j - i > after) if mode == 0 and banded else own
    if mode == 2:
        return j > i
    if mode == 3:
        return j - corner > i
    if mode == 4:
        return (i - (j - corner) > before) | (j - corner - i > after)
    if mode in (5, 6):
        return (j - corner > i) & (j >= (prefix or 0)) if mode == 6 or mask is None else mask.bool()
    if mode == 9:
        seen = torch.zeros(queries, keys, dtype=torch.bool)
        if mask is not None:
            seen[:, corner:] = mask.bool()
        return seen
    raise ValueError(f"sparseMode {mode} is not modelled")


def alibi(slopes: Tensor, size: tuple[int, int], kind: int, query_start: int, key_start: int) -> Tensor:
    """The bias of pseType 2 (and 3, by the root) out of a slope a head: minus the distance of the two places."""
    queries, keys = size
    distance = (torch.arange(keys).unsqueeze(0) + key_start - torch.arange(queries).unsqueeze(1) - query_start).abs()
    away = distance.float().sqrt() if kind == 3 else distance.float()
    return -slopes.float().reshape(-1, 1, 1) * away


def positional_bias(
    pse: Tensor, kind: int, batch: int, size: tuple[int, int], starts: tuple[int, int] = (0, 0)
) -> Tensor:
    """The bias [heads, queries or 1, keys] of one sequence; 1,024 rows for more queries are the last ones of alibi."""
    queries, keys = size
    if kind in (2, 3):
        return alibi(pse if pse.dim() == 1 else pse[batch], size, kind, *starts)
    own = pse[batch if pse.shape[0] > 1 else 0].float()
    if own.shape[1] != 1024 or queries == 1024:
        return own[:, :queries, :keys]
    if queries < 1024:
        return own[:, -queries:, -keys:]
    row = torch.arange(queries).clamp(max=1023)
    column = torch.arange(keys).unsqueeze(0) + (queries - 1024 + row - torch.arange(queries)).unsqueeze(1)
    return own[:, row.unsqueeze(1), column.clamp(0, keys - 1)]


def scores(
    query: Tensor, key: Tensor, scale: float, bias: Tensor | None, bias_first: bool, unseen: Tensor | None
) -> Tensor:
    """[heads, queries, keys] in FLOAT; hidden places are minus infinity. Several query heads share a key head."""
    share = query.shape[0] // max(key.shape[0], 1)
    product = query.float() @ key.float().repeat_interleave(share, 0).transpose(-1, -2)
    if bias is not None and bias_first:
        product = product + bias
    product = product * scale
    if bias is not None and not bias_first:
        product = product + bias
    return product if unseen is None else product.masked_fill(unseen, float("-inf"))


def probabilities(scored: Tensor, sink: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Unnormalised exponentials, the greatest score and their sum [heads, queries, 1]; a sink adds to the sum only."""
    if scored.shape[-1]:
        top = scored.amax(-1, keepdim=True)
    else:
        top = scored.new_full((*scored.shape[:-1], 1), float("-inf"))
    empty = top == float("-inf")
    if sink is not None:
        top = torch.maximum(top, sink.float().reshape(-1, 1, 1))
    safe = top.masked_fill(top == float("-inf"), 0.0)
    weights = torch.exp(scored - safe)
    total = weights.sum(-1, keepdim=True)
    if sink is not None:
        total = total + torch.exp(sink.float().reshape(-1, 1, 1) - safe)
    return weights, top.masked_fill(empty, EMPTY_MAX), total.masked_fill(empty, EMPTY_SUM)


def attend(weights: Tensor, total: Tensor, value: Tensor) -> Tensor:
    """The weighted values [heads, queries, width]; rows without a key are zero."""
    share = weights.shape[0] // max(value.shape[0], 1)
    return weights @ value.float().repeat_interleave(share, 0) / total
