"""Structs of the second media interface in memory, as the dicts that its functions take and give."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Mapping
from typing import Any

from ascend_sim.ascendcl.arguments import peek
from ascend_sim.catalogue.functions import SIZES, c_kind
from ascend_sim.catalogue.layouts import Field, Struct, himpi_structs
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError

__all__ = ["read_array", "read_struct", "size_of", "write_struct"]

_FORMATS = {
    "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f32": "f", "f64": "d",
}  # fmt: skip
_MOST_BYTES = 1 << 24
"""More is a count that nobody set."""


def size_of(name: str) -> int:
    """Bytes of the struct, or of the number, *name*."""
    found = himpi_structs().get(name)
    return found.size if found is not None else SIZES[c_kind(name)]


def _bytes(address: int, size: int, what: str) -> bytes:
    data = peek(address, size) if size <= _MOST_BYTES else None
    if data is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{what}: {size} bytes cannot be read at {address:#x}", "acl")
    return data


def read_struct(name: str, address: int) -> Any:
    """The struct, or the number, *name* at *address*. Raises AclError for memory that is not there."""
    return _value(_bytes(address, size_of(name), name), 0, name)


def read_array(name: str, address: int, count: int) -> list[Any]:
    """*count* of them. Raises AclError for memory that is not there."""
    size = size_of(name)
    data = _bytes(address, size * count, name) if count else b""
    return [_value(data, i * size, name) for i in range(count)]


def write_struct(name: str, address: int, value: Any) -> None:
    """Fill the memory at *address*; fields that a dict does not have stay."""
    size = size_of(name)
    data = bytearray(ctypes.string_at(address, size))
    found = himpi_structs().get(name)
    if found is not None:
        _fill(data, 0, found, value)
    else:
        _put(data, 0, c_kind(name), value)
    ctypes.memmove(address, bytes(data), size)


# -- reading ---------------------------------------------------------------------------------------------------------


def _value(data: bytes, at: int, name: str) -> Any:
    found = himpi_structs().get(name)
    return _get(data, at, c_kind(name)) if found is None else _dict(data, at, found)


def _dict(data: bytes, base: int, layout: Struct) -> dict[str, Any]:
    return {field.name: _field(data, base + field.offset, field) for field in layout.fields}


def _field(data: bytes, at: int, field: Field) -> Any:
    if not field.dims:
        return _one(data, at, field)
    step = field.size // field.dims[0]
    return [_one(data, at + i * step, field) for i in range(field.dims[0])]


def _one(data: bytes, at: int, field: Field) -> Any:
    if field.struct is not None:
        return _dict(data, at, field.struct)
    return _get(data, at, "u64" if field.pointer else c_kind(field.ctype))


def _get(data: bytes, at: int, kind: str) -> Any:
    return struct.unpack_from("=" + _FORMATS[kind], data, at)[0]


# -- writing ---------------------------------------------------------------------------------------------------------


def _fill(data: bytearray, base: int, layout: Struct, value: Mapping[str, Any]) -> None:
    for field in layout.fields:
        given = value.get(field.name)
        if given is None:
            continue
        at = base + field.offset
        items = given[: field.dims[0]] if field.dims else [given]
        step = field.size // field.dims[0] if field.dims else 0
        for i, item in enumerate(items):
            place = at + i * step
            if field.struct is not None:
                _fill(data, place, field.struct, item)
            elif field.pointer:
                _put(data, place, "u64", item)
            else:
                _put(data, place, c_kind(field.ctype), item)


def _put(data: bytearray, at: int, kind: str, value: Any) -> None:
    form = _FORMATS[kind]
    if form not in "fd":
        value = int(value) & ((1 << 8 * SIZES[kind]) - 1)
        form = form.upper()
    struct.pack_into("=" + form, data, at, value)
