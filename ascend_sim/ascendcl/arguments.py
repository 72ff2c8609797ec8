"""Conversion of Python arguments to C values: numbers of a width, handles, addresses, text, functions.

The generated faces test the common case inline and call these for the rest. A wrong type is answered with 100000: a C
compiler would have refused the call, and a return code is what a program can handle.
"""

from __future__ import annotations

import operator
import os
import struct
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.machine.arrays import np
from ascend_sim.runtime.current import LOCAL
from ascend_sim.runtime.memory import host_buffers
from ascend_sim.runtime.memory.allocation import tell_over_read

__all__ = ["CONVERSIONS", "address_of", "first_of", "integers", "peek", "read_text"]

_BITS = {
    "u64": 64, "handle": 64, "u32": 32, "u16": 16, "u8": 8, "i64": -64, "i32": -32, "i16": -16, "i8": -8,
}  # fmt: skip
_TEXT_LIMIT = 1 << 16
_MOST_VALUES = 1 << 24


def _wrong(value: object, position: int, name: str, needed: str) -> AclError:
    return AclError(
        ACL_ERROR_INVALID_PARAM,
        f"argument {position} ({name}) is {type(value).__name__}{_short(value)}: {needed} is required",
        "acl",
    )


def _short(value: object) -> str:
    """Numbers and texts as they are; the type says enough of the rest, whose repr may be long or fail."""
    if type(value) not in (bool, float, str, bytes):
        return ""
    text = repr(value[:40] if isinstance(value, (str, bytes)) else value)
    return " " + (text if len(text) <= 40 else text[:37] + "...")


def _integer(kind: str) -> Callable[[Any, int, str], int]:
    bits = _BITS[kind]
    width = abs(bits)
    mask, sign = (1 << width) - 1, 1 << (width - 1)

    def convert(value: Any, position: int, name: str) -> int:
        if value is None and kind == "handle":
            return 0
        try:
            number = operator.index(value)
        except TypeError:
            raise _wrong(value, position, name, "an integer") from None
        number &= mask
        return number - (1 << width) if bits < 0 and number & sign else number

    return convert


def address_of(value: Any) -> int | None:
    """The address of the memory behind a Python object with a buffer; None when it has none.

    The simulator keeps the object for a while (`runtime/memory/host_buffers.py`), as a C caller's buffer would live on.
    """
    try:
        objects = value.dtype.hasobject if isinstance(value, np.ndarray) else "O" in memoryview(value).format
        if objects:
            return None  # references to Python objects are no bytes to work on
        view = np.frombuffer(value, np.uint8)
    except (TypeError, ValueError, BufferError):
        return None
    if not view.size:
        return 0  # an empty view has the address of what it is a view of, and no byte there
    address = int(view.__array_interface__["data"][0])
    host_buffers.keepalive(value, address, view.nbytes, passed=True)
    return address


MOST_BYTES = (1 << 31) - 1
"""No argument is longer: what says so is no size."""
MOST_INTEGERS = 1 << 26
"""Bytes of the longest array of integers: each becomes an object."""


def peek(address: int, size: int, what: str = "an argument") -> bytes | None:
    """*size* bytes at host *address*; None when they cannot be read.

    More than the Python object there has: a finding that calls them *what*, and they are read as on hardware.
    """
    _tell(address, size, what)
    return _bytes_at(address, size)


def _tell(address: int, size: int, what: str, text: bool = False) -> None:
    t = getattr(LOCAL, "state", None)
    if t is not None:
        tell_over_read(t, address, size, what, text)


def _bytes_at(address: int, size: int) -> bytes | None:
    if size > MOST_BYTES or address + size > 1 << 64 or not host_memory.readable(address, size):
        return None
    return host_memory.bytes_at(address, size)


def _pointer(value: Any, position: int, name: str) -> int:
    if value is None:
        return 0
    try:
        return operator.index(value) & ((1 << 64) - 1)
    except TypeError:
        pass
    address = address_of(value)
    if address is None:
        raise _wrong(value, position, name, "an address or an object with a buffer")
    return address


def _f32(value: Any, position: int, name: str) -> float:
    try:
        single: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    except (struct.error, TypeError):
        raise _wrong(value, position, name, "a number") from None
    return single


def _f64(value: Any, position: int, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise _wrong(value, position, name, "a number") from None


def read_text(address: int) -> str | None:
    """The C string at host *address*; None when it cannot be read."""
    parts = bytearray()
    while len(parts) < _TEXT_LIMIT:
        step = min(4096 - (address + len(parts)) % 4096, _TEXT_LIMIT - len(parts))
        chunk = _bytes_at(address + len(parts), step)
        if chunk is None:
            return None
        end = chunk.find(b"\0")
        if end >= 0:
            _tell(address, len(parts) + end + 1, "the text", True)
            return (bytes(parts) + chunk[:end]).decode("utf-8", "replace")
        parts += chunk
    return None


def _string(value: Any, position: int, name: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, str):
        return _encodable(str(value).split("\0", 1)[0])
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).split(b"\0", 1)[0].decode("utf-8", "replace")
    try:
        if hasattr(value, "__fspath__"):
            path = os.fspath(value)
            return _encodable(path) if isinstance(path, str) else path.decode("utf-8", "replace")
        address = operator.index(value) & ((1 << 64) - 1)
    except TypeError:
        raise _wrong(value, position, name, "a string") from None
    if not address:
        return None
    text = read_text(address)
    if text is None:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"argument {position} ({name}): no string can be read at {address:#x}", "acl"
        )
    return text


def _encodable(text: str) -> str:
    """*text*, with a question mark for each character that no bytes stand for (half of a surrogate pair).

    A C string has none, and the functions for paths raise for it.
    """
    if not text.isascii():
        try:
            os.fsencode(text)
        except UnicodeEncodeError:
            return text.encode("utf-8", "replace").decode()
    return text


def _function(value: Any, position: int, name: str) -> Any:
    if value is None or (type(value) is int and not value):
        return None
    if not callable(value):
        raise _wrong(value, position, name, "a callable")
    return value


def _anything(value: Any, position: int, name: str) -> Any:
    if type(value) is memoryview:
        try:
            len(value)
        except (ValueError, TypeError):  # it was released; it has no dimension
            raise _wrong(value, position, name, "an array or an address") from None
    return None if value is None or (type(value) is int and value == 0) else value


def first_of(values: Sequence[Any], count: int) -> Sequence[Any]:
    """The first *count* of *values*; at most 2**24 of what makes them as they are asked for: a range fills any memory."""
    if isinstance(values, (list, tuple)):
        return values[:count]
    return list(islice(values, max(min(count, _MOST_VALUES), 0)))


def integers(value: Any, count: int, what: str, width: int = 8) -> list[int]:
    """*count* unsigned integers of *width* bytes from a sequence, a buffer, or an address.

    Raises AclError 100000 when there are fewer, or when they cannot be read.
    """
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray, memoryview)):
        value = first_of(value, count)
        if len(value) < count:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} holds {len(value)} values, {count} are announced", "acl")
        mask = (1 << (8 * width)) - 1
        try:
            return [0 if item is None else operator.index(item) & mask for item in value]
        except TypeError:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} holds something that is no integer", "acl") from None
    address = _pointer(value, 0, what)
    data = peek(address, count * width) if address and count * width <= MOST_INTEGERS else None
    if data is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{what}: {count} values cannot be read at {address:#x}", "acl")
    return [int.from_bytes(data[i * width : (i + 1) * width], "little") for i in range(count)]


def _struct(value: Any, position: int, name: str, kind: str) -> Any:
    from ascend_sim.ascendcl import struct_arguments  # with attrs, which programs without structs do not need

    return struct_arguments.to_struct(value, position, name, kind)


def _structs(value: Any, position: int, name: str, kind: str) -> Any:
    from ascend_sim.ascendcl import struct_arguments

    return struct_arguments.to_structs(value, position, name, kind)


CONVERSIONS: dict[str, Callable[..., Any]] = {
    **{f"to_{kind}": _integer(kind) for kind in _BITS},
    "to_pointer": _pointer,
    "to_f32": _f32,
    "to_f64": _f64,
    "to_string": _string,
    "to_function": _function,
    "to_struct": _struct,
    "to_structs": _structs,
    "to_array": _anything,
}
"""The functions that the generated faces call, by name: (value, position, parameter) -> converted value; those of
structs get the name of the struct as well."""
