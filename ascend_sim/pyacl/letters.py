"""The format letters of PyArg_ParseTuple: what each accepts, as measured on CPython.

See docs/semantics/pyacl.md#arguments.

A generated function tests the common case in its own code and calls these for the rest. Each takes the value and the
text of the TypeError; pyACL replaces every parse error, overflow included, by that one text.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from typing import Any

__all__ = ["CONVERT", "TESTS", "missing"]

_MISSING = object()


def missing() -> object:
    """The default of every parameter: no argument was given."""
    return _MISSING


def _address(value: Any, text: str) -> int:
    """k, K: an int (bool is one) and nothing else; out of range it wraps to 64 bits."""
    if not isinstance(value, int):
        raise TypeError(text)
    return int(value) & 0xFFFF_FFFF_FFFF_FFFF


def _checked(low: int, high: int) -> Callable[[Any, str], int]:
    """i, b, h, l, L: whatever has ``__index__``; out of range is an overflow, and so the TypeError."""

    def convert(value: Any, text: str) -> int:
        try:
            number = operator.index(value)
        except TypeError:
            raise TypeError(text) from None
        if not low <= number <= high:
            raise TypeError(text)
        return number

    return convert


def _wrapped(bits: int) -> Callable[[Any, str], int]:
    """I, H, B: whatever has ``__index__``; out of range it wraps silently."""
    mask = (1 << bits) - 1

    def convert(value: Any, text: str) -> int:
        try:
            return operator.index(value) & mask
        except TypeError:
            raise TypeError(text) from None

    return convert


def _float(value: Any, text: str) -> float:
    """f: whatever has ``__float__`` or ``__index__``, cut to single precision (too large: infinite)."""
    kind = type(value)
    if not (hasattr(kind, "__float__") or hasattr(kind, "__index__")):
        raise TypeError(text)
    try:
        return ctypes.c_float(float(value)).value
    except (TypeError, ValueError, OverflowError):  # a __float__ that fails, an int beyond every float
        raise TypeError(text) from None


def _double(value: Any, text: str) -> float:
    """d: whatever has ``__float__`` or ``__index__``."""
    kind = type(value)
    if not (hasattr(kind, "__float__") or hasattr(kind, "__index__")):
        raise TypeError(text)
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):  # a __float__ that fails, an int beyond every float
        raise TypeError(text) from None


def _text(value: Any, text: str) -> str:
    """s: a str without a NUL inside that has a UTF-8 form."""
    if not isinstance(value, str) or "\0" in value:
        raise TypeError(text)
    try:
        value.encode()
    except UnicodeEncodeError:  # a lone surrogate
        raise TypeError(text) from None
    return str(value)


def _object(value: Any, text: str) -> Any:
    """O: any object, but there must be one."""
    if value is _MISSING:
        raise TypeError(text)
    return value


CONVERT: dict[str, Callable[[Any, str], Any]] = {
    "k": _address,
    "K": _address,
    "i": _checked(-(1 << 31), (1 << 31) - 1),
    "I": _wrapped(32),
    "H": _wrapped(16),
    "B": _wrapped(8),
    "b": _checked(0, 255),
    "h": _checked(-(1 << 15), (1 << 15) - 1),
    "l": _checked(-(1 << 63), (1 << 63) - 1),
    "L": _checked(-(1 << 63), (1 << 63) - 1),
    "f": _float,
    "d": _double,
    "s": _text,
    "O": _object,
}
"""The slow way of each letter: (value, text of the TypeError) -> value."""

TESTS: dict[str, str] = {
    "k": "type({0}) is not int or not 0 <= {0} <= 0xFFFFFFFFFFFFFFFF",
    "K": "type({0}) is not int or not 0 <= {0} <= 0xFFFFFFFFFFFFFFFF",
    "i": "type({0}) is not int or not -0x80000000 <= {0} <= 0x7FFFFFFF",
    "I": "type({0}) is not int or not 0 <= {0} <= 0xFFFFFFFF",
    "H": "type({0}) is not int or not 0 <= {0} <= 0xFFFF",
    "B": "type({0}) is not int or not 0 <= {0} <= 0xFF",
    "b": "type({0}) is not int or not 0 <= {0} <= 0xFF",
    "h": "type({0}) is not int or not -0x8000 <= {0} <= 0x7FFF",
    "l": "type({0}) is not int or not -0x8000000000000000 <= {0} <= 0x7FFFFFFFFFFFFFFF",
    "L": "type({0}) is not int or not -0x8000000000000000 <= {0} <= 0x7FFFFFFFFFFFFFFF",
    "f": "True",
    "d": "type({0}) is not float",
    "s": 'type({0}) is not str or not {0}.isascii() or "\\0" in {0}',
    "O": "{0} is MISSING",
}
"""Python source, with {0} for the parameter: true when the slow way of the letter is needed."""
