"""Reading and writing by indices and masks: gather, scatter, index_put, masked_select."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.outputs import computed

Shapes = Mapping[str, Sequence[int]]

SCATTER: Final = {1: "sum", 2: "prod"}
"""What scatter does with the element that stands there; other codes replace it."""
REDUCTIONS: Final = {1: "sum", 2: "prod", 3: "amax", 4: "amin", 5: "mean"}
"""What ScatterReduce does, by its code; 0 replaces."""


def _gather(self: Tensor, dim: int, index: Tensor) -> Tensor:
    return torch.gather(self, dim, index.long())


def _take_along(self: Tensor, dim: int, index: Tensor, batches: int = 0, mode: int = 0) -> Tensor:
    """Whole slices by *index* of any shape, which takes the place of the axis; the first *batches* axes go in step."""
    dim %= max(self.dim(), 1)
    if batches == 0:
        if self.dim() == 0:
            return self.expand(index.shape)
        slices = torch.index_select(self, dim, index.reshape(-1).long())
        return slices.reshape(self.shape[:dim] + index.shape + self.shape[dim + 1 :])
    pairs = zip(self.unbind(0), index.unbind(0), strict=True)
    return torch.stack([_take_along(one, dim - 1, places, batches - 1) for one, places in pairs])


def _scatter(self: Tensor, dim: int, index: Tensor, source: Any, reduction: int) -> Tensor:
    what = SCATTER.get(reduction)
    if what is None:
        return torch.scatter(self, dim, index.long(), source)
    values = source if isinstance(source, Tensor) else torch.full(index.shape, source, dtype=self.dtype, device="cpu")
    if self.dtype == torch.bool:
        return torch.scatter_reduce(self.int(), dim, index.long(), values.int(), what)
    return torch.scatter_reduce(self, dim, index.long(), values, what)


def _scatter_reduce(self: Tensor, dim: int, index: Tensor, source: Tensor, reduction: int, whole: bool) -> Tensor:
    what = REDUCTIONS.get(reduction)
    if what is None:
        return torch.scatter(self, dim, index.long(), source)
    return torch.scatter_reduce(self, dim, index.long(), source, what, include_self=whole)


def _scatter_update(self: Tensor, indices: Tensor, updates: Tensor, axis: int) -> Tensor:
    """Each batch's update goes to where its index says; with pairs of indices the batch is the first of the two."""
    result, axis = self.clone(), axis % self.dim()
    width = updates.shape[axis]
    rows = indices.reshape(-1, 2) if indices.dim() == 2 else indices.reshape(-1, 1)
    for number, (row, update) in enumerate(zip(rows.tolist(), updates, strict=True)):
        batch, first = (row[0], row[1]) if len(row) == 2 else (number, row[0])
        result[batch].narrow(axis - 1, first, width).copy_(update)
    return result


def _scatter_nd(self: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    result = self.clone()
    result[tuple(indices.long().unbind(-1))] = updates
    return result


def _scatter_list(
    tensors: Sequence[Tensor], indices: Tensor, updates: Tensor, mask: Tensor | None, reduction: str | None, axis: int
) -> list[Tensor]:
    results = [one.clone() for one in tensors]
    rows = indices.tolist()
    for number, (one, update) in enumerate(zip(results, updates, strict=True)):
        if mask is not None and not mask.reshape(-1)[number]:
            continue
        row = rows[number]
        first, length = row if isinstance(row, list) else (row, update.shape[axis])
        one.narrow(axis, first, length).copy_(update.narrow(axis, 0, length))
    return results


WHOLE: Final = frozenset({torch.int32, torch.int64})
"""The types of places."""


def _indices(self: Tensor, indices: Sequence[Tensor | None]) -> tuple[Any, ...]:
    """The tensors as Python's indexing takes them; NULL or an empty tensor stands for a whole axis."""
    found: list[Any] = []
    for one in indices:
        if one is None or (one.numel() == 0 and one.dim() == 1 and self.numel()):
            found.append(slice(None))
        else:
            found.append(one if one.dtype == torch.bool else one.long())
    return tuple(found)


@torch_body("aclnnIndex")
def index(self: Tensor, indices: Sequence[Tensor | None], out: Tensor) -> None:
    """``self[indices]``; an empty output has nothing to take."""
    if out.numel():
        out.copy_(self[_indices(self, indices)].reshape(out.shape))


def _index_put(self: Tensor, indices: Sequence[Tensor | None], values: Tensor, add: bool, unsafe: bool) -> Tensor:
    given = [one for one in indices if one is not None and one.dtype in WHOLE]
    if not values.numel() or (given and not any(one.numel() for one in given)):
        return self  # no place is named: a mask that is false everywhere comes as empty indices
    places = [None if isinstance(one, slice) else one for one in _indices(self, indices)]
    if all(one is None for one in places):  # the whole tensor
        whole = values.to(self.dtype).expand(self.shape)
        return self + whole if add else whole
    return torch.ops.aten.index_put(self, places, values.to(self.dtype), add)


def _put(self: Tensor, places: Tensor, source: Tensor, add: bool) -> Tensor:
    return torch.put(self, places.long(), source, add)


def _index_add(self: Tensor, dim: int, places: Tensor, source: Tensor, alpha: Any, mode: int = 1) -> Tensor:
    whole = not self.is_floating_point() and isinstance(alpha, float)
    return torch.index_add(self, dim, places.long(), source.to(self.dtype), alpha=int(alpha) if whole else alpha)


def _index_copy(self: Tensor, dim: int, places: Tensor, source: Tensor) -> Tensor:
    return torch.index_copy(self, dim, places.reshape(-1).long(), source)


def _index_fill(self: Tensor, dim: int, places: Any, value: Any) -> Tensor:
    at = places if isinstance(places, Tensor) else torch.tensor(places, dtype=torch.int64, device="cpu")
    return torch.index_fill(self, dim, at.reshape(-1).long(), value)


def _scatter_add(self: Tensor, dim: int, places: Tensor, source: Tensor) -> Tensor:
    return torch.scatter_add(self, dim, places.long(), source)


def _masked_scatter(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    return torch.masked_scatter(self, mask.bool(), source)


def _masked_fill(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    return torch.where(mask.bool(), value, self).to(self.dtype)


def written(out: Tensor, result: Tensor) -> tuple[int, ...]:
    """*result* at the beginning of the memory of *out*, which is as large as the result can become; its shape."""
    strides = [1] * result.dim()
    for axis in range(result.dim() - 2, -1, -1):
        strides[axis] = strides[axis + 1] * result.shape[axis + 1]
    out.as_strided(result.shape, strides).copy_(result)
    return tuple(result.shape)


@torch_body("aclnnMaskedSelect")
def masked_select(self: Tensor, mask: Tensor, out: Tensor) -> Shapes:
    """The elements where *mask* holds, one after another."""
    return {"out": written(out, torch.masked_select(self, mask.bool()))}


@torch_body("aclnnNonzero")
def nonzero(self: Tensor, out: Tensor) -> Shapes:
    """The places of what is not zero, one a row."""
    return {"out": written(out, torch.nonzero(self))}


@torch_body("aclnnNonzeroV2")
def nonzero_by_axes(self: Tensor, out: Tensor) -> Shapes:
    """The places of what is not zero, one a column."""
    return {"out": written(out, torch.nonzero(self).T)}


computed(
    {
        "Gather": _gather,
        "GatherV3": _take_along,
        "IndexSelect": _take_along,
        "Embedding": lambda weight, places: _take_along(weight, 0, places),
        "Take": lambda self, places: torch.take(self, places.long()),
        "Scatter ScatterValue": _scatter,
        "ScatterAdd": _scatter_add,
        "ScatterReduce": _scatter_reduce,
        "InplaceScatterUpdate": _scatter_update,
        "ScatterNdUpdate": _scatter_nd,
        "ScatterList": _scatter_list,
        "IndexPutImpl": _index_put,
        "InplacePut": _put,
        "IndexAdd IndexAddV2": _index_add,
        "IndexCopy": _index_copy,
        "IndexFill IndexFillTensor": _index_fill,
        "InplaceMaskedFillScalar InplaceMaskedFillTensor": _masked_fill,
        "InplaceMaskedScatter": _masked_scatter,
        "MaskedScale": lambda self, mask, scale: self * mask * scale,
    }
)
