"""Operators that move, select and reduce: transpose, slices, gathers, sums, sorting."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ascend_sim.machine.data_types import numpy_type
from ascend_sim.ops.operator import Array, Attributes, Operator, broadcast, op, same

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]


def _ints(value: Any) -> list[int]:
    """Integers from an attribute or from a tensor of them."""
    return [int(n) for n in np.atleast_1d(np.asarray(value)).ravel()]


def _axes(attributes: Attributes, values: Array | None, rank: int) -> tuple[int, ...]:
    """The axes of a reduction: a second input, or the attribute ``axes``; none given means all."""
    given = values if values is not None else attributes.get("axes", [])
    axes = _ints(given) if np.size(given) else list(range(rank))
    for axis in axes:
        if not -rank <= axis < rank:
            raise ValueError(f"axis {axis} is not one of {rank}")
    return tuple(axis % rank for axis in axes)


def _reduced(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    if len(shapes) > 1 and values[1] is None:
        return [(-2,)]
    axes = _axes(attributes, values[1] if len(values) > 1 else None, len(shapes[0]))
    keep = bool(attributes.get("keep_dims", False))
    return [tuple(1 if i in axes else n for i, n in enumerate(shapes[0]) if keep or i not in axes)]


def _reduction(name: str, function: Any) -> Operator:
    def compute(attributes: Attributes, x: Array, axes: Array | None = None) -> Array:
        wide = x.astype(np.float32) if x.dtype.kind == "f" and x.dtype.itemsize < 4 else x
        result: Array = function(
            wide, axis=_axes(attributes, axes, x.ndim), keepdims=bool(attributes.get("keep_dims", False))
        )
        return np.asarray(result).astype(x.dtype)

    return op(name, inputs=(1, 2), infer=_reduced)(compute)


def _arg_max_shape(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    given = values[1] if len(values) > 1 else None
    if len(shapes) > 1 and given is None:
        return [(-1,) * (len(shapes[0]) - 1)]
    axis = _ints(given)[0] if given is not None else int(attributes.get("dimension", 0))
    axis %= len(shapes[0])
    return [tuple(n for i, n in enumerate(shapes[0]) if i != axis)]


@op("ArgMaxV2", inputs=(1, 2), infer=_arg_max_shape, result="int32")
def arg_max(attributes: Attributes, x: Array, dimension: Array | None = None) -> Array:
    """Index of the largest element along an axis: the second input, or the attribute ``dimension``."""
    axis = _ints(dimension)[0] if dimension is not None else int(attributes.get("dimension", 0))
    return np.asarray(np.argmax(x, axis=axis), np.int32)


def _permutation(attributes: Attributes, values: Array | None, rank: int) -> list[int]:
    perm = _ints(values if values is not None else attributes.get("perm", range(rank - 1, -1, -1)))
    if sorted(n % rank for n in perm) != list(range(rank)):
        raise ValueError(f"perm is {perm}: a permutation of {rank} axes is required")
    return perm


def _transposed(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    if len(values) > 1 and values[1] is None:
        return [(-1,) * len(shapes[0])]
    perm = _permutation(attributes, values[1] if len(values) > 1 else None, len(shapes[0]))
    return [tuple(shapes[0][n] for n in perm)]


def _transpose(attributes: Attributes, x: Array, perm: Array | None = None) -> Array:
    return np.transpose(x, _permutation(attributes, perm, x.ndim))


def _reshaped(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    wanted = values[1] if len(values) > 1 and values[1] is not None else attributes.get("shape")
    if wanted is None:
        return [(-2,)]
    shape = [shapes[0][i] if n == 0 else n for i, n in enumerate(_ints(wanted))]
    if -1 in shape and -1 not in shapes[0]:
        known = int(np.prod([n for n in shape if n != -1], dtype=np.int64))
        shape[shape.index(-1)] = int(np.prod(shapes[0], dtype=np.int64)) // max(known, 1)
    return [tuple(shape)]


@op("Reshape", inputs=(1, 2), infer=_reshaped)
def reshape(attributes: Attributes, x: Array, shape: Array | None = None) -> Array:
    """The elements in another shape: the second input, or the attribute ``shape``; -1 is worked out."""
    return x.reshape(_reshaped(attributes, [x.shape], [x, shape])[0])


def _parts(attributes: Attributes, offsets: Array | None, sizes: Array | None, shape: Shape) -> list[slice]:
    starts = _ints(offsets if offsets is not None else attributes["offsets"])
    counts = _ints(sizes if sizes is not None else attributes["size"])
    parts = []
    for start, count, n in zip(starts, counts, shape, strict=True):
        stop = n if count == -1 else start + count
        if not 0 <= start <= stop <= n:
            raise ValueError(f"[{start}, {stop}) does not lie in a dimension of {n}")
        parts.append(slice(start, stop))
    return parts


def _sliced(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    second, third = (values + [None, None])[1:3]
    if len(shapes) > 1 and (second is None or third is None):
        return [(-1,) * len(shapes[0])]
    return [tuple(p.stop - p.start for p in _parts(attributes, second, third, shapes[0]))]


@op("Slice", inputs=(1, 3), infer=_sliced)
def slice_(attributes: Attributes, x: Array, offsets: Array | None = None, size: Array | None = None) -> Array:
    """A box: offsets and sizes from the inputs or attributes; size -1 reaches to the end."""
    return x[tuple(_parts(attributes, offsets, size, x.shape))]


def _strided(attributes: Attributes, x: Array, begin: Array, end: Array, strides: Array | None = None) -> Array:
    starts, stops = _ints(begin), _ints(end)
    steps = _ints(strides) if strides is not None else [1] * len(starts)
    masks = [int(attributes.get(f"{name}_mask", 0)) for name in ("begin", "end", "shrink_axis")]
    parts: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(starts, stops, steps, strict=True)):
        if masks[2] >> i & 1:
            parts.append(start)
        else:
            parts.append(slice(None if masks[0] >> i & 1 else start, None if masks[1] >> i & 1 else stop, step))
    picked: Array = x[tuple(parts)]
    return picked


def _strided_shape(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    if any(value is None for value in values[1:]):
        return [(-1,) * len(shapes[0])]
    probe = np.broadcast_to(np.int8(0), shapes[0])
    return [_strided(attributes, probe, *values[1:]).shape]  # type: ignore[arg-type]


def _concatenated(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    axis = int(attributes.get("concat_dim", 0)) % len(shapes[0])
    total = -1 if any(shape[axis] == -1 for shape in shapes) else sum(shape[axis] for shape in shapes)
    return [tuple(total if i == axis else n for i, n in enumerate(shapes[0]))]


@op("ConcatD", inputs=(1, 63), infer=_concatenated)
def concat(attributes: Attributes, *parts: Array) -> Array:
    """Joined along ``concat_dim``."""
    return np.concatenate(parts, axis=int(attributes.get("concat_dim", 0)))


def _packed(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    axis = int(attributes.get("axis", 0)) % (len(shapes[0]) + 1)
    return [(*shapes[0][:axis], len(shapes), *shapes[0][axis:])]


@op("Pack", inputs=(1, 63), infer=_packed)
def pack(attributes: Attributes, *parts: Array) -> Array:
    """Stacked along a new ``axis``."""
    return np.stack(parts, axis=int(attributes.get("axis", 0)))


def _gathered(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    given = values[2] if len(values) > 2 else None
    if len(shapes) > 2 and given is None:
        return [(-1,) * (len(shapes[0]) - 1 + len(shapes[1]))]
    axis = _ints(given)[0] if given is not None else int(attributes.get("axis", 0))
    axis %= len(shapes[0])
    return [(*shapes[0][:axis], *shapes[1], *shapes[0][axis + 1 :])]


@op("GatherV2", inputs=(2, 3), infer=_gathered)
def gather(attributes: Attributes, x: Array, indices: Array, axis: Array | None = None) -> Array:
    """Slices of x at *indices* along an axis: the third input, or the attribute ``axis``."""
    where = _ints(axis)[0] if axis is not None else int(attributes.get("axis", 0))
    if indices.size and (indices.min() < 0 or indices.max() >= x.shape[where]):
        raise ValueError(f"an index lies outside [0, {x.shape[where]})")
    return np.take(x, indices, axis=where)


def _from_first(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [tuple(_ints(values[0])) if values[0] is not None else (-2,)]


@op("Fill", inputs=2, infer=_from_first)
def fill(attributes: Attributes, dims: Array, value: Array) -> Array:
    """A tensor of the shape in *dims*, full of *value*."""
    return np.full(tuple(_ints(dims)), value.reshape(-1)[0], value.dtype)


def _counted(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    if any(value is None for value in values):
        return [(-1,)]
    start, limit, step = (value.reshape(-1)[0].item() for value in values if value is not None)
    return [(max(0, math.ceil((limit - start) / step)),)]


@op("Range", inputs=3, infer=_counted, described=True)
def range_(attributes: Attributes, shapes: list[Shape], start: Array, limit: Array, step: Array) -> Array:
    """From *start* on in steps, before *limit*."""
    numbers: Array = start.reshape(-1)[0] + np.arange(shapes[0][0]) * step.reshape(-1)[0]
    return numbers.astype(start.dtype)


@op(
    "LinSpace", inputs=3,
    infer=lambda attributes, shapes, values: [(-1,) if values[2] is None else (_ints(values[2])[0],)],
)  # fmt: skip
def linspace(attributes: Attributes, start: Array, stop: Array, count: Array) -> Array:
    """*count* numbers from *start* to *stop*, both among them, equally far from each other."""
    return np.linspace(start.reshape(-1)[0], stop.reshape(-1)[0], _ints(count)[0], dtype=start.dtype)


def _rows_and_columns(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    rows = int(attributes["num_rows"])
    return [(rows, int(attributes.get("num_columns", 0)) or rows)]


@op("Eye", inputs=0, infer=_rows_and_columns, result="attribute", described=True)
def eye(attributes: Attributes, shapes: list[Shape]) -> Array:
    """Ones on the diagonal, of the type ``dtype``."""
    return np.eye(*shapes[0], dtype=numpy_type(int(attributes.get("dtype", 0))))


def _kept_parts(name: str, function: Callable[..., Array]) -> Operator:
    def compute(attributes: Attributes, x: Array) -> Array:
        return function(x, int(attributes.get("diagonal", 0)))

    return op(name, inputs=1, infer=same)(compute)


@op("Cumsum", inputs=2, infer=same)
def running_sums(attributes: Attributes, x: Array, axis: Array) -> Array:
    """Sums of all elements up to each, along *axis*."""
    return np.cumsum(x, axis=_ints(axis)[0], dtype=x.dtype)


@op("ReverseV2", inputs=2, infer=same)
def reverse(attributes: Attributes, x: Array, axes: Array) -> Array:
    """The last first, along *axes*."""
    return np.flip(x, tuple(_ints(axes)))


@op("GatherElements", inputs=2, infer=lambda attributes, shapes, values: [shapes[1]])
def gather_elements(attributes: Attributes, x: Array, indices: Array) -> Array:
    """For each place the element of x there, but at the index along ``dim``."""
    axis = int(attributes.get("dim", 0)) % x.ndim
    if indices.size and (indices.min() < 0 or indices.max() >= x.shape[axis]):
        raise ValueError(f"an index lies outside [0, {x.shape[axis]})")
    held = x[tuple(slice(None) if i == axis else slice(0, n) for i, n in enumerate(indices.shape))]
    found: Array = np.take_along_axis(held, indices.astype(np.int64), axis)
    return found


@op("MaskedFill", inputs=3, infer=lambda attributes, shapes, values: broadcast(attributes, shapes[:2], values[:2]))
def masked_fill(attributes: Attributes, x: Array, mask: Array, value: Array) -> Array:
    """x, and *value* where the mask is true."""
    return np.where(mask, value.reshape(-1)[0].astype(x.dtype), x)


@op("Select", inputs=3, result="second")
def select(attributes: Attributes, condition: Array, x: Array, y: Array) -> Array:
    """x where the condition is true, else y."""
    return np.where(condition, x, y)


@op("TensorEqual", inputs=2, infer=lambda attributes, shapes, values: [()], result="bool")
def tensor_equal(attributes: Attributes, x: Array, y: Array) -> Array:
    """Whether both have the same shape and elements."""
    return np.array(np.array_equal(x, y))


def _tiled(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    given = values[1] if len(values) > 1 and values[1] is not None else attributes.get("multiples")
    if given is None:
        return [(-1,) * len(shapes[0])]
    return [tuple(-1 if n == -1 else n * m for n, m in zip(shapes[0], _ints(given), strict=True))]


@op("Tile", inputs=(1, 2), infer=_tiled)
def tile(attributes: Attributes, x: Array, multiples: Array | None = None) -> Array:
    """Repeated so many times along each axis."""
    return np.tile(x, _ints(multiples if multiples is not None else attributes["multiples"]))


def _top_k_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    k = _ints(values[1])[0] if len(values) > 1 and values[1] is not None else int(attributes.get("k", -1))
    shape = (*shapes[0][:-1], k)
    return [shape, shape]


@op("TopKV2", inputs=(1, 2), outputs=2, infer=_top_k_shapes, result=("first", "int32"))
def top_k(attributes: Attributes, x: Array, k: Array | None = None) -> tuple[Array, Array]:
    """The k largest along the last axis and their indices, largest first; the earlier index first among equals."""
    count = _ints(k)[0] if k is not None else int(attributes["k"])
    if not 0 <= count <= x.shape[-1]:
        raise ValueError(f"k is {count}: the last dimension has {x.shape[-1]}")
    order = np.argsort(-x if x.dtype.kind == "f" else -x.astype(np.int64), axis=-1, kind="stable")[..., :count]
    return np.take_along_axis(x, order, -1), order.astype(np.int32)


def _one_hot_shape(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    depth = _ints(values[1])[0] if values[1] is not None else -1
    axis = int(attributes.get("axis", -1))
    at = len(shapes[0]) if axis == -1 else axis
    return [(*shapes[0][:at], depth, *shapes[0][at:])]


@op("OneHot", inputs=4, infer=_one_hot_shape, result="third")
def one_hot(attributes: Attributes, x: Array, depth: Array, on: Array, off: Array) -> Array:
    """*on* at the index of each element along a new axis of *depth*, *off* elsewhere."""
    count = _ints(depth)[0]
    hot = x[..., None] == np.arange(count)
    result: Array = np.where(hot, on.reshape(-1)[0], off.reshape(-1)[0]).astype(on.dtype)
    axis = int(attributes.get("axis", -1))
    return result if axis == -1 else np.moveaxis(result, -1, axis)


def _pads(attributes: Attributes, values: Array | None) -> list[tuple[int, int]]:
    flat = _ints(values if values is not None else attributes["paddings"])
    return list(zip(flat[::2], flat[1::2], strict=True))


def _padded(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    second = values[1] if len(values) > 1 else None
    if second is None and "paddings" not in attributes:
        return [(-1,) * len(shapes[0])]
    return [
        tuple(-1 if n == -1 else lo + n + hi for n, (lo, hi) in zip(shapes[0], _pads(attributes, second), strict=True))
    ]


@op("PadV3", inputs=(1, 3), infer=_padded)
def pad(attributes: Attributes, x: Array, paddings: Array | None = None, value: Array | None = None) -> Array:
    """Padded by (before, after) for each axis; modes constant, reflect and edge."""
    mode = str(attributes.get("mode", "constant"))
    pads = _pads(attributes, paddings)
    if mode == "constant":
        return np.pad(x, pads, constant_values=value.reshape(-1)[0] if value is not None else 0)
    if mode == "reflect":
        return np.pad(x, pads, mode="reflect")
    if mode == "edge":
        return np.pad(x, pads, mode="edge")
    raise ValueError(f"mode is {mode!r}: constant, reflect or edge is required")


OPERATORS: tuple[Operator, ...] = (
    _reduction("ReduceSum", np.sum),
    _reduction("ReduceSumD", np.sum),
    _reduction("ReduceMean", np.mean),
    _reduction("ReduceMeanD", np.mean),
    _reduction("ReduceMax", np.max),
    _reduction("ReduceMaxD", np.max),
    _reduction("ReduceMin", np.min),
    _reduction("ReduceMinD", np.min),
    _reduction("ReduceProd", np.prod),
    _reduction("ReduceProdD", np.prod),
    _reduction("ReduceAll", np.all),
    _reduction("ReduceAny", np.any),
    arg_max,
    op("Transpose", inputs=(1, 2), infer=_transposed)(_transpose),
    op("TransposeD", inputs=1, infer=_transposed)(_transpose),
    reshape,
    slice_,
    op("StridedSlice", inputs=(3, 4), infer=_strided_shape)(_strided),
    concat,
    pack,
    gather,
    fill,
    tile,
    top_k,
    one_hot,
    pad,
    range_,
    linspace,
    eye,
    _kept_parts("Tril", np.tril),
    _kept_parts("Triu", np.triu),
    running_sums,
    reverse,
    gather_elements,
    masked_fill,
    select,
    tensor_equal,
    op("Identity", inputs=1, infer=same)(lambda attributes, x: x.copy()),
)
