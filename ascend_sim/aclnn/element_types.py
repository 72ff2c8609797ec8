"""The types of elements that tensors of operators have: how their bytes lie in memory, and as what numpy computes with them.

numpy has no bfloat16, no complex32 and no floats of 8 bits: their bytes are carried by integers of their width, bodies on
numpy get them widened, and what comes out is rounded to nearest, ties to even. float16 is widened as well, since an AI
core computes in float32 (docs/semantics/aclnn.md#types).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["ElementType", "element_name", "element_type", "element_type_of", "from_bfloat16", "to_bfloat16"]

Array = npt.NDArray[Any]
Convert = Callable[[Array], Array]

_LARGEST_E4M3: Final = 448.0


class ElementType:
    """A data type: *carrier* is the numpy type of its bytes, *wide* the one that bodies on numpy see.

    *widen* and *narrow* lead from one to the other; None where both are the same. *torch*: the name of torch's type.
    *kind*: ``b`` bool, ``i`` signed, ``u`` unsigned, ``f`` float, ``c`` complex.
    """

    __slots__ = ("carrier", "kind", "name", "narrow", "number", "torch", "wide", "widen")

    def __init__(
        self, number: int, name: str, carrier: str, wide: str = "", widen: Convert | None = None,
        narrow: Convert | None = None, torch: str = "",
    ) -> None:  # fmt: skip
        self.number = number
        self.name = name
        self.carrier: np.dtype[Any] = np.dtype(carrier)
        self.wide: np.dtype[Any] = np.dtype(wide or carrier)
        if wide:  # who fills a tensor at random asks which numbers it can hold
            self.wide = np.dtype(wide, metadata={"element": name})
        self.kind = self.wide.kind
        self.widen = widen
        self.narrow = narrow
        self.torch = torch or name

    def __repr__(self) -> str:
        return f"<{self.name}>"


def from_bfloat16(bits: Array) -> Array:
    """bfloat16, as 16 bits each, in float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def to_bfloat16(values: Array) -> Array:
    """float32 rounded to the nearest bfloat16, ties to even, as 16 bits each; NaN stays NaN."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = (bits + (0x7FFF + ((bits >> 16) & 1))) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16).reshape(np.shape(values))


def _from_half(values: Array) -> Array:
    return values.astype(np.float32)


def _to_half(values: Array) -> Array:
    return values.astype(np.float16)


def _from_complex32(bits: Array) -> Array:
    pairs = np.ascontiguousarray(bits).reshape(-1).view(np.float16).astype(np.float32)
    return pairs.view(np.complex64).reshape(bits.shape)


def _to_complex32(values: Array) -> Array:
    pairs = np.ascontiguousarray(values, np.complex64).reshape(-1).view(np.float32).astype(np.float16)
    return pairs.view(np.uint32).reshape(np.shape(values))


@cache
def _small_floats(exponent_bits: int, mantissa_bits: int, bias: int, infinite: bool) -> Array:
    """What each of the 256 patterns of a float of 8 bits stands for."""
    made = np.empty(256, np.float32)
    most = (1 << exponent_bits) - 1
    for bits in range(256):
        mantissa = bits & ((1 << mantissa_bits) - 1)
        exponent = bits >> mantissa_bits & most
        value = (
            (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)
            if exponent
            else mantissa / (1 << mantissa_bits) * 2.0 ** (1 - bias)
        )
        if exponent == most and infinite:
            value = np.nan if mantissa else np.inf
        elif exponent == most and mantissa == (1 << mantissa_bits) - 1:
            value = np.nan
        made[bits] = -value if bits >> 7 else value
    return made


def _small_converters(exponent_bits: int, mantissa_bits: int, bias: int, infinite: bool) -> tuple[Convert, Convert]:
    def widen(bits: Array) -> Array:
        found: Array = _small_floats(exponent_bits, mantissa_bits, bias, infinite)[bits]
        return found

    def narrow(values: Array) -> Array:
        table = _small_floats(exponent_bits, mantissa_bits, bias, infinite)[:128]
        top = int(np.isfinite(table).sum())  # patterns grow with their values, up to the first that is no number
        size = np.abs(np.asarray(values, np.float32)).astype(np.float64)
        finite = table[:top].astype(np.float64)
        high = np.clip(np.searchsorted(finite, size), 1, top - 1)
        low = high - 1
        middle = (finite[low] + finite[high]) / 2
        up = (size > middle) | ((size == middle) & (high % 2 == 0))
        bits = np.where(up, high, low)
        last = finite[top - 1] + (finite[top - 1] - finite[top - 2]) / 2
        beyond = (size > last) | ((size == last) & ((top - 1) % 2 == 1))
        bits = np.where(np.isnan(size) | (beyond & (not infinite)), 0x7F, np.where(beyond, top, bits))
        signed: Array = (bits | np.signbit(values).astype(np.int64) << 7).astype(np.uint8)
        return signed

    return widen, narrow


def _from_e8m0(bits: Array) -> Array:
    return np.where(bits == 255, np.float32(np.nan), np.exp2(bits.astype(np.float32) - 127)).astype(np.float32)


def _to_e8m0(values: Array) -> Array:
    with np.errstate(all="ignore"):
        exponent = np.rint(np.log2(np.abs(values.astype(np.float64))))
    return np.where(np.isfinite(values), np.clip(exponent + 127, 0, 254), 255).astype(np.uint8)


_E5M2, _E4M3 = _small_converters(5, 2, 15, True), _small_converters(4, 3, 7, False)

_TYPES: Mapping[int, ElementType] = MappingProxyType({
    made.number: made
    for made in (
        ElementType(0, "float32", "f4"),
        ElementType(1, "float16", "f2", "f4", _from_half, _to_half),
        ElementType(2, "int8", "i1"),
        ElementType(3, "int32", "i4"),
        ElementType(4, "uint8", "u1"),
        ElementType(6, "int16", "i2"),
        ElementType(7, "uint16", "u2"),
        ElementType(8, "uint32", "u4"),
        ElementType(9, "int64", "i8"),
        ElementType(10, "uint64", "u8"),
        ElementType(11, "float64", "f8"),
        ElementType(12, "bool", "?"),
        ElementType(16, "complex64", "c8"),
        ElementType(17, "complex128", "c16"),
        ElementType(27, "bfloat16", "u2", "f4", from_bfloat16, to_bfloat16),
        ElementType(33, "complex32", "u4", "c8", _from_complex32, _to_complex32),
        ElementType(35, "float8_e5m2", "u1", "f4", *_E5M2),
        ElementType(36, "float8_e4m3fn", "u1", "f4", *_E4M3),
        ElementType(37, "float8_e8m0", "u1", "f4", _from_e8m0, _to_e8m0, "float8_e8m0fnu"),
    )
})  # fmt: skip
_NAMES: Mapping[str, ElementType] = MappingProxyType({made.name: made for made in _TYPES.values()})


def element_type(number: int) -> ElementType | None:
    """The type of an aclDataType; None for one that is not modelled here: types of less than a byte, hifloat8."""
    return _TYPES.get(number)


def element_name(values: Array) -> str:
    """What the elements of a body's array are in memory: ``bfloat16`` of float32 that was widened."""
    metadata = values.dtype.metadata
    return str(metadata["element"]) if metadata else values.dtype.name


def element_type_of(name: str) -> ElementType:
    """The type of this name. Raises KeyError."""
    return _NAMES[name]
