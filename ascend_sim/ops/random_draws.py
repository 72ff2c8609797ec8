"""Operators that draw random numbers by a key and a counter, or a seed and an offset: equal ones give equal numbers.

Philox of ``ascend_sim/runtime/random_numbers.py``. The offset is the upper half of the counter, so that two offsets never
share numbers. See docs/semantics/aclnn.md#random-numbers.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ascend_sim.machine.data_types import numpy_type
from ascend_sim.ops.operator import Array, Attributes, Operator, op
from ascend_sim.runtime.random_numbers import bitmask, normal, uniform, words

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]

FLOAT, INT64 = 0, 9
BITS: Final = {1: 11, 27: 8}
"""How many bits a number of float16 or bfloat16 below 1 has: more would be rounded to 1."""
UPPER: Final = 64
WORD: Final = (1 << 64) - 1


def _sized(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [(-2,) if values[0] is None else tuple(int(n) for n in values[0].reshape(-1))]


def _whole(values: Array) -> int:
    """Words of 64 bits as one number, the lowest first."""
    return sum((int(n) & WORD) << UPPER * i for i, n in enumerate(values.reshape(-1)))


def _type(attributes: Attributes, default: int = FLOAT) -> tuple[int, np.dtype[Any]]:
    given = int(attributes.get("dtype", default))
    return given, numpy_type(given)


def _shape(sizes: Array) -> Shape:
    return tuple(int(n) for n in sizes.reshape(-1))


@op("StatelessRandomNormalV2", inputs=4, infer=_sized, result="attribute")
def random_normal(attributes: Attributes, sizes: Array, key: Array, counter: Array, algorithm: Array) -> Array:
    """Numbers around 0 with the deviation 1, of the shape in *sizes* and the type ``dtype``."""
    shape = _shape(sizes)
    drawn = normal(_whole(key), _whole(counter), math.prod(shape), 0.0, 1.0, False)
    return drawn.reshape(shape).astype(_type(attributes)[1])


@op("StatelessRandomUniformV2", inputs=4, infer=_sized, result="attribute")
def random_uniform(attributes: Attributes, sizes: Array, key: Array, counter: Array, algorithm: Array) -> Array:
    """Numbers in [0, 1), of the shape in *sizes* and the type ``dtype``."""
    shape, (given, kind) = _shape(sizes), _type(attributes)
    drawn = uniform(_whole(key), _whole(counter), math.prod(shape), 0.0, 1.0, np.dtype(np.float64))
    if given in BITS:
        drawn = np.floor(np.ldexp(drawn, BITS[given])) * 2.0 ** -BITS[given]
    return drawn.reshape(shape).astype(kind)


def _chances(seed: Array, offset: Array, count: int) -> Array:
    """*count* numbers in [0, 1)."""
    return uniform(_whole(seed), _whole(offset) << UPPER, count, 0.0, 1.0, np.dtype(np.float64))


@op("StatelessBernoulli", inputs=4, infer=_sized, result="attribute")
def bernoulli(attributes: Attributes, sizes: Array, chance: Array, seed: Array, offset: Array) -> Array:
    """1 with the probability *chance* (one number, or one for each element), else 0, of the type ``dtype``."""
    shape = _shape(sizes)
    chances = chance.reshape(shape) if chance.size == math.prod(shape) else chance.reshape(-1)[0]
    return (_chances(seed, offset, math.prod(shape)).reshape(shape) < chances).astype(_type(attributes)[1])


@op(
    "StatelessRandperm", inputs=3, result="index",
    infer=lambda attributes, shapes, values: [(-1,) if values[0] is None else (int(values[0].reshape(-1)[0]),)],
)  # fmt: skip
def permutation(attributes: Attributes, count: Array, seed: Array, offset: Array) -> Array:
    """The numbers from 0 up to *count* in random order, of the type ``dtype``."""
    n = int(count.reshape(-1)[0])
    keys = words(_whole(seed), _whole(offset) << UPPER, 2 * n).astype(np.uint64)
    drawn = keys[0::2] << np.uint64(32) | keys[1::2]
    return np.argsort(drawn, kind="stable").astype(_type(attributes, INT64)[1])


@op(
    "StatelessDropOutGenMask", inputs=5, result="uint8", described=True,
    infer=lambda attributes, shapes, values: [(-1,)],
)  # fmt: skip
def dropout_mask(
    attributes: Attributes, shapes: list[Shape], sizes: Array, keep: Array, seed: Array, second: Array, offset: Array
) -> Array:
    """A bit for each element, 1 with the probability *keep*, the lowest of a byte first; bytes behind them are 0."""
    chance, count = float(keep.reshape(-1)[0]), math.prod(_shape(sizes))
    if 0 < chance < 1:
        bits = bitmask(_whole(seed) ^ _whole(second) << 32, _whole(offset), count, 1 - chance)
    else:
        bits = np.packbits(np.full(count, chance >= 1), bitorder="little")
    mask = np.zeros(shapes[0], np.uint8)
    mask.reshape(-1)[: bits.size] = bits
    return mask


OPERATORS: tuple[Operator, ...] = (random_normal, random_uniform, bernoulli, permutation, dropout_mask)
