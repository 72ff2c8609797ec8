"""Sorting, the largest, places in sorted sequences, and what is unique."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.indexing import written
from ascend_sim.aclnn.on_torch.outputs import computed, deliver, in_float32

Shapes = Mapping[str, Sequence[int]]

FLATTENED: Final = 1000
"""The axis that UniqueConsecutive takes as none."""


def _sort(self: Tensor, stable: bool, dim: int, descending: bool) -> tuple[Tensor, ...]:
    return tuple(torch.sort(self, dim=dim, descending=descending, stable=True))


def _topk(self: Tensor, k: int, dim: int, largest: bool, ordered: bool) -> tuple[Tensor, ...]:
    return tuple(torch.topk(self, k, dim, largest, True))


def _search(sequence: Tensor, self: Any, int32: bool, right: bool, sorter: Tensor | None) -> Tensor:
    values = self.contiguous() if isinstance(self, Tensor) else self
    return torch.searchsorted(sequence.contiguous(), values, right=right, sorter=sorter)


def _bucketize(self: Tensor, boundaries: Tensor, int32: bool, right: bool) -> Tensor:
    return torch.bucketize(self.contiguous(), boundaries.contiguous(), right=right)


def _ranks(self: Tensor) -> Any:
    """Values in rising order, the place of each element among them, and how many there are of each."""
    return torch.unique(self, sorted=True, return_inverse=True, return_counts=True)


def _top_k_top_p(logits: Tensor, p: Tensor, k: Tensor) -> Tensor:
    """Minus infinity for all but the *k* largest of a row, and of these for the least likely that add up to 1 - *p*."""
    values, places = torch.sort(logits, dim=-1, stable=True)
    count = logits.shape[-1]
    kept = k.long().reshape(-1, 1)
    kept = torch.where((kept <= 0) | (kept > count), torch.full_like(kept, count), kept)
    values = values.masked_fill(values < values.gather(-1, count - kept), -torch.inf)
    unlikely = torch.softmax(values, -1).cumsum(-1) <= 1 - p.reshape(-1, 1)
    unlikely[..., -1] = False
    return torch.empty_like(values).scatter_(-1, places, values.masked_fill(unlikely, -torch.inf))


@torch_body("aclnnUnique")
def unique(self: Tensor, ordered: bool, with_inverse: bool, value: Tensor, inverse: Tensor | None) -> Shapes:
    """The different values, in rising order."""
    values, places, _ = _ranks(self)
    if with_inverse:
        deliver(inverse, places)
    return {"valueOut": written(value, values)}


@torch_body("aclnnUnique2")
def unique2(
    self: Tensor,
    ordered: bool,
    with_inverse: bool,
    with_counts: bool,
    value: Tensor,
    inverse: Tensor | None,
    counts: Tensor | None,
) -> Shapes:
    """The different values, in rising order, the place of each element and how often each value stands there."""
    values, places, numbers = _ranks(self)
    shapes: dict[str, Sequence[int]] = {"valueOut": written(value, values)}
    if (with_inverse or with_counts) and inverse is not None and inverse.numel() == places.numel():
        deliver(inverse, places)
    if with_counts and counts is not None:
        shapes["countsOut"] = written(counts, numbers)
    return shapes


@torch_body("aclnnUniqueDim")
def unique_dim(
    self: Tensor,
    ordered: bool,
    with_inverse: bool,
    dim: int,
    value: Tensor,
    inverse: Tensor | None,
    counts: Tensor | None,
) -> Shapes:
    """The different slices along *dim*, in rising order."""
    values, places, numbers = torch.unique(self, sorted=True, return_inverse=True, return_counts=True, dim=dim)
    shapes: dict[str, Sequence[int]] = {"valueOut": written(value, values)}
    if inverse is not None:
        deliver(inverse, places)
    if counts is not None:
        shapes["countsOut"] = written(counts, numbers)
    return shapes


@torch_body("aclnnUniqueConsecutive")
def unique_consecutive(
    self: Tensor,
    with_inverse: bool,
    with_counts: bool,
    dim: int,
    value: Tensor,
    inverse: Tensor | None,
    counts: Tensor | None,
) -> Shapes:
    """One of each run of equal neighbours."""
    values, places, numbers = torch.unique_consecutive(
        self, return_inverse=True, return_counts=True, dim=None if dim == FLATTENED else dim
    )
    shapes: dict[str, Sequence[int]] = {"valueOut": written(value, values)}
    if with_inverse and inverse is not None:
        shapes["inverseOut"] = written(inverse, places)
    if with_counts and counts is not None:
        shapes["countsOut"] = written(counts, numbers)
    return shapes


computed(
    {
        "Sort": _sort,
        "Topk": _topk,
        "ApplyTopKTopP": in_float32(_top_k_top_p),
        "SearchSorted SearchSorteds": _search,
        "Bucketize": _bucketize,
    }
)
