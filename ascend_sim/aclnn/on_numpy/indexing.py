"""Elements and rows by index and by mask; their gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, elementwise, store

__all__: list[str] = []

WORD = 1 << 64


def _row(self: Array) -> Array:
    return self.reshape(1) if not self.ndim else self


elementwise(lambda self, dim, index: np.take(_row(self), index.reshape(-1), dim), "IndexSelect")
elementwise(lambda weight, indices: weight[indices], "Embedding")


@numpy_body("aclnnGather")
def gather(self: Array, dim: int, index: Array, out: Array) -> None:
    """Along *dim*; the index may be shorter than the tensor in the other dims."""
    values, places = _row(self), _row(index)
    axis = dim % values.ndim
    part = values[tuple(slice(None) if i == axis else slice(size) for i, size in enumerate(places.shape))]
    store(out, np.take_along_axis(part, places, axis).reshape(out.shape))


@numpy_body("aclnnEmbeddingDenseBackward")
def embedding_gradient(grad: Array, indices: Array, rows: int, padding: int, by_frequency: bool, out: Array) -> None:
    """Gradients of a row are added; *padding*: a row that gets none, -1 (as 64 bits) for no such row."""
    places = indices.reshape(-1).astype(np.int64)
    parts = grad.reshape(len(places), out.size // rows if rows else 0)
    if by_frequency:
        counts = np.bincount(places, minlength=rows) if len(places) else np.ones(rows, np.int64)
        parts = parts / counts[places][:, None]
    kept = places != (padding - WORD if padding >= WORD // 2 else padding)
    made = np.zeros((rows, parts.shape[1]), parts.dtype)
    np.add.at(made, places[kept], parts[kept])
    store(out, made.reshape(out.shape))


def _index(indices: Sequence[Array | None], rank: int) -> tuple[Array | slice, ...]:
    """An index of the shape [0] or NULL stands for a whole dim."""
    return tuple(slice(None) if index is None or index.shape == (0,) else index for index in indices)[:rank]


@numpy_body("aclnnIndex")
def index(self: Array, indices: Sequence[Array | None], out: Array) -> None:
    if out.size:
        store(out, self[_index(indices, self.ndim)].reshape(out.shape))


@numpy_body("aclnnIndexPutImpl")
def index_put(self: Array, indices: Sequence[Array | None], values: Array, accumulate: bool, unsafe: bool) -> None:
    given = [one for one in indices if one is not None and one.dtype.kind in "iu"]
    if not values.size or (given and not any(one.size for one in given)):
        return  # no place is named: a mask that is false everywhere comes as empty indices
    places: Any = _index(indices, self.ndim)
    if accumulate:
        np.add.at(self, places, values.astype(self.dtype))
    else:
        self[places] = values


@numpy_body("aclnnMaskedSelect")
def masked_select(self: Array, mask: Array, out: Array) -> Mapping[str, Sequence[int]]:
    """The selected elements in their order; the output is as large as it may become, and learns how many there are."""
    values, chosen = np.broadcast_arrays(self, mask.astype(bool))
    found = values[chosen]
    out.reshape(-1)[: found.size] = found
    return {"out": (found.size,)}


@numpy_body("aclnnNonzeroV2")
def nonzero(self: Array, out: Array) -> Mapping[str, Sequence[int]]:
    """A row of positions for each dim."""
    found = np.array(np.nonzero(_row(self)))[: self.ndim]
    out.reshape(-1)[: found.size] = found.reshape(-1)
    count = int(np.count_nonzero(self))
    return {"out": (self.ndim, count)}
