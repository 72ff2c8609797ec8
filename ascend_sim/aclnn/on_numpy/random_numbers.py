"""Tensors filled at random, and dropout, by seed and offset (``ascend_sim/aclnn/randomness.py``).

Forms whose names end in Tensor take the seed and a part of the offset from the device's memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.element_types import element_name
from ascend_sim.aclnn.on_numpy.storing import Array, elementwise, store
from ascend_sim.aclnn.randomness import PART, generator

__all__: list[str] = []

WHOLE: Final = {
    "float16": 1 << 11, "bfloat16": 1 << 8, "float32": 1 << 24, "float64": 1 << 53, "bool": 2, "uint8": 1 << 8,
    "int8": 1 << 7, "int16": 1 << 15, "int32": 1 << 31,
}  # fmt: skip
"""The first whole number that random numbers without limits do not reach: up to it the type has all of them."""
MOST: Final = (1 << 63) - 1
MASK_BITS: Final = 128
"""The masks of dropout are filled up to a multiple of so many bits."""


def _in_parts(self: Array, draw: Callable[[int], Array]) -> Array:
    """What *draw* gives for so many elements, a part after the other, in the type of *self*.

    The parts continue one stream of numbers: they are those of one draw, which would need several times the array's memory.
    """
    numbers: Array = np.empty(self.size, self.dtype)
    for part in np.split(numbers, range(PART, numbers.size, PART)):
        store(part, draw(part.size))
    return numbers.reshape(self.shape)


def _normal(self: Array, mean: float, deviation: float, seed: int, offset: int) -> Array:
    random = generator(seed, offset)
    return _in_parts(self, lambda count: random.standard_normal(count) * deviation + mean)


def _uniform(self: Array, low: float, high: float, seed: int, offset: int) -> Array:
    random = generator(seed, offset)
    return _in_parts(self, lambda count: random.random(count) * (high - low) + low)


def _integers(self: Array, low: int, high: int, seed: int, offset: int) -> Array:
    random = generator(seed, offset)
    return _in_parts(self, lambda count: random.integers(low, high, count, dtype=np.int64))


def _integers_of_type(self: Array, seed: int, offset: int) -> Array:
    return _integers(self, 0, WHOLE.get(element_name(self), MOST), seed, offset)


def _from_memory(function: Callable[..., Any]) -> Callable[..., Any]:
    """*function* with its seed and offset in tensors, and a number that the offset grows by."""

    def read(*operands: Any) -> Any:
        *first, seed, offset, more = operands
        return function(*first, seed.reshape(-1)[0].item(), offset.reshape(-1)[0].item() + more)

    return read


_FILLS: dict[str, Callable[..., Any]] = {
    "Normal": _normal, "Uniform": _uniform, "Random": _integers, "RandomWithoutFromTo": _integers_of_type,
}  # fmt: skip
for _name, _function in _FILLS.items():
    elementwise(_function, f"Inplace{_name}")
    elementwise(_from_memory(_function), f"Inplace{_name}Tensor")


@numpy_body("aclnnDropoutGenMaskV2")
def dropout_mask(shape: Sequence[int], probability: float, seed: int, offset: int, data_type: int, out: Array) -> None:
    """A bit an element, the lowest of a byte first, filled up with zeros: 0 with the *probability*."""
    count = int(np.prod(shape, dtype=np.int64))
    if 0 < probability < 1:
        kept = generator(seed, offset).random(count, dtype=np.float32) >= np.float32(probability)
    else:
        kept = np.full(count, probability <= 0)
    filled = -(-count // MASK_BITS) * MASK_BITS
    bits = np.packbits(np.pad(kept, (0, filled - count)), bitorder="little")
    flat = np.zeros(out.size, np.uint8)
    flat[: bits.size] = bits[: out.size]
    store(out, flat.reshape(out.shape))


@numpy_body("aclnnDropoutDoMask")
def dropout(self: Array, mask: Array, probability: float, out: Array) -> None:
    """Zeros where the mask has them, the others grow by what is lost."""
    if probability in (0, 1):
        store(out, self if not probability else 0)
        return
    bits = np.unpackbits(np.ascontiguousarray(mask).reshape(-1), bitorder="little", count=self.size)
    store(out, np.where(bits.reshape(self.shape).astype(bool), self * self.dtype.type(1 / (1 - probability)), 0))
