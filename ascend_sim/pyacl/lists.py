"""List arguments of pyACL: which lists each helper of the real module takes, and with what it refuses the others.

See docs/semantics/pyacl.md#lists-and-dicts. Elements must be ``int`` (bool is one, numpy's are
not); tuples and arrays are no lists.
"""

from __future__ import annotations

import ctypes
import warnings
from typing import Any

__all__ = [
    "address_lists", "addresses", "all_lists", "attribute_integers", "bytes_of_flags", "data_types", "device_ids",
    "dims", "float_values", "integer_lists", "integer_values", "is_list", "notifies", "padded", "pairs", "pids",
    "strings",
]  # fmt: skip

_U64 = 0xFFFF_FFFF_FFFF_FFFF


def is_list(value: Any, text: str, error: type[Exception] = TypeError) -> list[Any]:
    """*value* if it is a list, else *error*."""
    if not isinstance(value, list):
        raise error(text)
    return value


def all_lists(text: str, *values: Any) -> None:
    """TypeError unless all *values* are lists."""
    for value in values:
        is_list(value, text)


def dims(value: Any) -> list[int]:
    """Dimensions: int64 values."""
    return _int64s(is_list(value, "argument 2 is not list"))


def _int64s(values: list[Any]) -> list[int]:
    for item in values:
        if not isinstance(item, int):
            raise TypeError("invalid data type")
        if not -(1 << 63) <= item < 1 << 63:
            raise ValueError("PyLong_AsLongLong failed")
    return [int(item) for item in values]


def pairs(value: Any, text: str = "argument 2 is not list") -> list[list[int]]:
    """A list of [low, high]; what comes after the second element is ignored."""
    found = []
    for item in is_list(value, text):
        is_list(item, "the list argument is not list")
        for number in (*item[:2], *[None] * (2 - len(item))):
            if not isinstance(number, int):
                raise TypeError("the list argument is not list of int")
            if not -(1 << 63) <= number < 1 << 63:
                raise ValueError("PyLong_AsLongLong failed")
        found.append([int(item[0]), int(item[1])])
    return found


def addresses(values: list[Any]) -> list[int]:
    """Handles or pointers."""
    for item in values:
        if not isinstance(item, int):
            raise TypeError("the list argument is not list of int")
        if not -(1 << 63) <= item <= _U64:
            raise ValueError("PyLong_AsVoidPtr failed")
    return [int(item) & _U64 for item in values]


def address_lists(text: str, *values: Any) -> tuple[list[int], ...]:
    """Several lists of handles: all must be lists before the elements of the first are looked at."""
    all_lists(text, *values)
    return tuple(addresses(value) for value in values)


def padded(values: list[int], count: int) -> list[int]:
    """Exactly *count* handles: the lengths of descriptor and buffer lists are not compared, what is missing is NULL."""
    return [*values[:count], *[0] * (count - len(values))]


def data_types(value: Any) -> list[int]:
    """Data types: C longs, cut to the width of an enum."""
    found = is_list(value, "the third argument is not list")
    for item in found:
        if not isinstance(item, int):
            raise TypeError("the list argument is not list of int")
        if not -(1 << 63) <= item < 1 << 63:
            raise ValueError("PyLong_AsLong failed")
    return [ctypes.c_int32(item & 0xFFFF_FFFF).value for item in found]


def device_ids(value: Any) -> list[int]:
    """Device numbers: unsigned, cut to 32 bits."""
    found = is_list(value, "argument 1 is not list")
    for item in found:
        if not isinstance(item, int):
            raise TypeError("the first argument is not list of int")
        if not 0 <= item <= _U64:
            raise ValueError("PyLong_AsUnsignedLong failed")
    return [int(item) & 0xFFFF_FFFF for item in found]


def pids(value: Any) -> list[int]:
    """Process ids; every fault is a ValueError."""
    found = is_list(value, "argument 2 only support the format of list", ValueError)
    for item in found:
        if not isinstance(item, int) or not -(1 << 31) <= item < 1 << 31:
            raise ValueError("get values from PyList failed")
    return [int(item) for item in found]


def notifies(value: Any) -> list[int]:
    """Notify handles; every fault is a ValueError, a negative number as well."""
    found = is_list(value, "argument only support the format of list", ValueError)
    for item in found:
        if not isinstance(item, int) or not 0 <= item <= _U64:
            raise ValueError("get notify pointers from PyList failed")
    return [int(item) for item in found]


# -- attributes of operators: a list, or (deprecated) a numpy array ----------------------------------------------------


def _array(value: Any, kind: str, text: str, depth: int) -> list[Any]:
    """The values of a numpy array read as *kind*, whatever its own type is; a Warning says that arrays go away."""
    # blamed is the line that called acl.op: above the helper (or two) and the generated function
    warnings.warn("in the future argument 3 can only be a list", Warning, stacklevel=depth)
    import numpy as np

    if not isinstance(value, np.ndarray):
        raise TypeError(text)
    # the real wrapper counts the elements and reads that many of its own width: bytes beyond a narrower array are not
    # read here but taken as zeros
    raw = np.ascontiguousarray(value).tobytes()
    width = np.dtype(kind).itemsize
    raw = raw[: value.size * width].ljust(value.size * width, b"\0")
    found: list[Any] = np.frombuffer(raw, kind).tolist()
    return found


def bytes_of_flags(value: Any) -> list[int]:
    """The values of a list of bools: 0..255."""
    if not isinstance(value, list):
        return _array(value, "u1", "argument 3 is not list or numpy array", 4)
    for item in value:
        if not isinstance(item, int) or not 0 <= item <= 255:
            raise ValueError("get values from PyList failed")
    return [int(item) for item in value]


def attribute_integers(value: Any) -> list[int]:
    """The values of a list of ints: int64."""
    return integer_values(value, "argument 3 is not list or numpy array")


def integer_values(value: Any, text: str) -> list[int]:
    """int64 values of a list or an array."""
    if not isinstance(value, list):
        return _array(value, "i8", text, 5)
    for item in value:
        if not isinstance(item, int) or not -(1 << 63) <= item < 1 << 63:
            raise ValueError("get values from PyList failed")
    return [int(item) for item in value]


def float_values(value: Any) -> list[float]:
    """The values of a list of floats: an int among them is refused."""
    if not isinstance(value, list):
        return _array(value, "f4", "argument 3 is not list or numpy array", 4)
    for item in value:
        if not isinstance(item, float):
            raise ValueError("get values from PyList failed")
    return [ctypes.c_float(item).value for item in value]


def integer_lists(value: Any) -> list[list[int]]:
    """A list of lists of ints."""
    found = []
    for item in is_list(value, "argument 3 is not list"):
        try:
            found.append(integer_values(item, "arg is not list or numpy array"))
        except (TypeError, ValueError):
            raise ValueError("parse argument 3 failed") from None
    return found


def strings(value: Any) -> list[str]:
    """A list of str; a str ends at its first NUL."""
    found = []
    for item in is_list(value, "argument 3 is not list"):
        if not isinstance(item, str):
            raise RuntimeError("PyUnicode_AsUTF8String failed")
        try:
            item.encode()
        except UnicodeEncodeError:
            raise RuntimeError("PyUnicode_AsUTF8String failed") from None
        found.append(item.split("\0", 1)[0])
    return found
