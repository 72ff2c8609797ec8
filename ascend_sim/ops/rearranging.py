"""Operators that move elements: borders, broadcasting, ranges that are filled, strided views, signs as bits."""

from __future__ import annotations

import numpy as np

from ascend_sim.machine.data_types import numpy_type
from ascend_sim.ops.operator import Array, Attributes, Operator, op, same
from ascend_sim.runtime.random_numbers import uniform

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]

CHANNELS = 16
"""StrideAdd counts channels in groups of so many."""


def _padded_shape(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    pads = values[1]
    if pads is None:
        return [(-1,) * len(shapes[0])]
    return [tuple(n + int(a) + int(b) for n, (a, b) in zip(shapes[0], pads.reshape(-1, 2), strict=True))]


@op("Pad", inputs=2, infer=_padded_shape)
def pad(attributes: Attributes, x: Array, pads: Array) -> Array:
    """Zeros around x: so many before and behind, for each dimension; less than zero cuts off."""
    pairs = [(int(a), int(b)) for a, b in pads.reshape(-1, 2)]
    cut = tuple(slice(max(0, -a), n - max(0, -b)) for n, (a, b) in zip(x.shape, pairs, strict=True))
    return np.pad(x[cut], [(max(0, a), max(0, b)) for a, b in pairs])


def _second(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    sizes = values[1]
    return [(-2,) if sizes is None else tuple(int(n) for n in sizes)]


@op("BroadcastTo", inputs=2, infer=_second)
def broadcast_to(attributes: Attributes, x: Array, sizes: Array) -> Array:
    """x in the shape of the second input; -1 there keeps a dimension."""
    wanted = [int(n) for n in sizes]
    own = (1,) * (len(wanted) - x.ndim) + x.shape
    return np.array(np.broadcast_to(x, [have if n == -1 else n for n, have in zip(wanted, own, strict=True)]))


@op("AsStrided", inputs=(3, 4), infer=_second)
def as_strided(attributes: Attributes, x: Array, sizes: Array, strides: Array, offset: Array | None = None) -> Array:
    """A tensor of these sizes, whose elements lie *strides* apart in x, from *offset* on."""
    return np.array(x.reshape(-1)[_places(sizes, strides, offset)])


def _places(sizes: Array, strides: Array, offset: Array | None) -> Array:
    """Which elements of a storage a strided view shows."""
    shape = [int(n) for n in sizes]
    places = np.full(shape, 0 if offset is None else int(offset.reshape(-1)[0]))
    for axis, (n, step) in enumerate(zip(shape, strides, strict=True)):
        places += (np.arange(n) * int(step)).reshape([-1 if i == axis else 1 for i in range(len(shape))])
    return places


def _chosen_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    count = int(attributes["count"])
    return [(count, len(shapes[0])), (count,)] if count else [(-1, len(shapes[0])), (-1,)]


@op("RandomChoiceWithMask", inputs=1, outputs=2, infer=_chosen_shapes, result=("int32", "first"), dtypes=((12,),))
def random_choice(attributes: Attributes, x: Array) -> tuple[Array, Array]:
    """The places of ``count`` true elements (0: of all), and which of these lines count; behind them come zeros.

    Which ones follows from ``seed`` and ``seed2``: the same two choose the same.
    """
    places = np.argwhere(x)
    count = int(attributes.get("count", 0)) or len(places)
    seed, second = int(attributes.get("seed", 0)), int(attributes.get("seed2", 0))
    chances = uniform(seed, second, len(places), 0.0, 1.0, np.dtype(np.float32))
    chosen = places[np.sort(np.argsort(chances, kind="stable")[:count])]
    found = np.zeros((count, x.ndim), np.int32)
    found[: len(chosen)] = chosen
    return found, np.arange(count) < len(chosen)


@op("MaskedFillRange", inputs=4, infer=same)
def masked_fill_range(attributes: Attributes, x: Array, begins: Array, ends: Array, values: Array) -> Array:
    """x with ranges along ``axis`` filled: in each loop one, for each index of the first dimension where that is another."""
    axis = int(attributes.get("axis", -1)) % x.ndim
    result = np.array(x)
    for loop in range(begins.shape[0]):
        for j in range(begins.shape[1]):
            filled = slice(int(begins[loop, j]), int(ends[loop, j]))
            alone = axis == x.ndim - 1 and axis > 0
            place = tuple(filled if i == axis else j if i == 0 and alone else slice(None) for i in range(x.ndim))
            result[place] = values[loop]
    return result


def _bits_shape(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    rows = int(attributes["size"])
    return [(rows, -(-shapes[0][0] // 8) // rows)]


@op("SignBitsPack", inputs=1, infer=_bits_shape, result="uint8")
def pack_signs(attributes: Attributes, x: Array) -> Array:
    """A bit for each element, 1 for those that are not negative, in ``size`` rows; the lowest bit of a byte first."""
    packed = np.packbits(x >= 0, bitorder="little")
    return packed.reshape(int(attributes["size"]), -1)


def _signs_shape(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    rows = int(attributes["size"])
    return [(rows, 8 * shapes[0][0] // rows)]


@op("SignBitsUnpack", inputs=1, infer=_signs_shape, result="attribute")
def unpack_signs(attributes: Attributes, x: Array) -> Array:
    """1 for each bit that is 1 and -1 for each other, in ``size`` rows of the type ``dtype`` (0 float, 1 float16)."""
    kind = numpy_type(int(attributes.get("dtype", 0)))
    signs = np.unpackbits(x, bitorder="little").astype(np.int8) * 2 - 1
    return signs.astype(kind).reshape(int(attributes["size"]), -1)


def _strided_shape(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [(shapes[0][0], int(attributes["c1_len"]) * CHANNELS, *shapes[0][2:])]


@op("StrideAdd", inputs=2, infer=_strided_shape)
def stride_add(attributes: Attributes, first: Array, second: Array) -> Array:
    """The sum of ``c1_len`` groups of channels, from an offset on in each input; channels that are not there are zeros."""
    count = int(attributes["c1_len"]) * CHANNELS

    def part(x: Array, offset: int) -> Array:
        held = x[:, offset * CHANNELS : offset * CHANNELS + count]
        return np.pad(held, [(0, 0), (0, count - held.shape[1])] + [(0, 0)] * (x.ndim - 2))

    return part(first, int(attributes["x1_c1_offset"])) + part(second, int(attributes["x2_c1_offset"]))


OPERATORS: tuple[Operator, ...] = (
    pad, broadcast_to, as_strided, random_choice, masked_fill_range, pack_signs, unpack_signs, stride_add,
)  # fmt: skip
