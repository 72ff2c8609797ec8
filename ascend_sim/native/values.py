"""Values in memory: structs as the attrs classes of `ascendcl.structs`, arrays, numbers; by the layouts of the catalogue.

Reading makes an object of the class, writing fills the memory of the program. Of a union only the fields that differ from
their default are written: the program says by another field which one counts. What a pointer field leads to is copied
into memory that lives on for a while.
"""

from __future__ import annotations

import ctypes
import struct
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin

import attrs

from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.catalogue.functions import SIZES, c_kind
from ascend_sim.catalogue.layouts import Field, Struct
from ascend_sim.catalogue.layouts import structs as layouts
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError

__all__ = [
    "known", "number_array_writer", "struct_array_reader", "struct_array_writer", "struct_reader", "struct_writer",
    "write_number", "write_static_array",
]  # fmt: skip

_FORMATS = {
    "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f32": "f", "f64": "d",
    "handle": "Q",
}  # fmt: skip
_MOST_ELEMENTS = 1 << 16
"""More in an array is a count that nobody set."""

_KEPT: deque[Any] = deque(maxlen=4096)
"""Memory that pointer fields of outputs lead to."""


@cache
def known() -> frozenset[str]:
    """The structs that have a class."""
    return frozenset(layouts()) & frozenset(dir(structs))


@cache
def _fields(cls: type) -> tuple[tuple[str, Any], ...]:
    attrs.resolve_types(cls)
    return tuple((place.name, place.type) for place in attrs.fields(cls))


def write_number(kind: str, address: int, value: int | float) -> None:
    """Store one number of the width of *kind*."""
    ctypes.memmove(address, _packed(kind, [value]), SIZES[kind])


def _packed(kind: str, numbers: Sequence[int | float]) -> bytes:
    form = _FORMATS[kind]
    if form in "fd":
        return struct.pack(f"={len(numbers)}{form}", *numbers)
    bits = 8 * SIZES[kind]
    return struct.pack(f"={len(numbers)}{form.upper()}", *(int(n or 0) & ((1 << bits) - 1) for n in numbers))


# -- reading ---------------------------------------------------------------------------------------------------------


@cache
def struct_reader(name: str) -> Callable[[int], Any]:
    """What makes an object of the struct *name* at an address; None of NULL."""
    layout, cls = layouts()[name], getattr(structs, name)

    def read(address: int) -> Any:
        return _read(_bytes(address, layout.size, name), 0, layout, cls) if address else None

    return read


@cache
def struct_array_reader(name: str) -> Callable[[int, int], list[Any] | None]:
    """What makes a list of so many structs at an address."""
    layout, cls = layouts()[name], getattr(structs, name)

    def read(address: int, count: int) -> list[Any] | None:
        if not address:
            return None
        data = _bytes(address, layout.size * count, name)
        return [_read(data, i * layout.size, layout, cls) for i in range(count)]

    return read


def _bytes(address: int, size: int, what: str) -> bytes:
    data = peek(address, size) if size <= _MOST_ELEMENTS * 4096 else None
    if data is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{what}: {size} bytes cannot be read at {address:#x}", "acl")
    return data


def _read(data: bytes, base: int, layout: Struct, cls: Any) -> Any:
    fields = {field.name: field for field in layout.fields}
    union = _overlaps(layout)
    values = {}
    for name, kind in _fields(cls):
        field = fields.get(name)
        if field is None:
            continue
        try:
            values[name] = _read_field(data, base, field, kind, fields)
        except AclError:
            if not union:
                raise  # of a union it may be a pointer that is none: the program set another field
    return cls(**values)


def _overlaps(layout: Struct) -> bool:
    """Whether the fields are those of a union, or some of them."""
    return len({field.offset for field in layout.fields}) < len(layout.fields)


def _number(data: bytes, at: int, kind: str) -> Any:
    return struct.unpack_from("=" + _FORMATS[kind], data, at)[0]


def _count(data: bytes, base: int, field: Field) -> int:
    return int(_number(data, base + field.offset, _kind(field)))


def _element(kind: Any) -> Any:
    """The class of what a list or an optional value holds; None for numbers."""
    while get_origin(kind) in (list, UnionType):
        kind = get_args(kind)[0]
    return kind if isinstance(kind, type) and attrs.has(kind) else None


def _read_field(data: bytes, base: int, field: Field, kind: Any, fields: dict[str, Field]) -> Any:
    at = base + field.offset
    if field.pointer:
        address = _number(data, at, "u64")
        if kind is int:
            return address
        if field.count:
            return _read_counted(
                address, field, kind, _number(data, base + fields[field.count].offset, _kind(fields[field.count]))
            )
        cls = _element(kind)
        return struct_reader(cls.__name__)(address)
    if field.dims:
        if kind is str:
            return data[at : at + field.size].split(b"\0", 1)[0].decode("utf-8", "replace")
        dims = field.dims
        if field.count:
            count = _count(data, base, fields[field.count])
            dims = (min(count, dims[0]), *dims[1:])
        return _read_array(data, at, field, dims, _element(kind))
    if field.struct is not None:
        return _read(data, at, field.struct, _element(kind))
    return _number(data, at, _kind(field))


def _kind(field: Field) -> str:
    return c_kind(field.ctype)


def _read_array(data: bytes, at: int, field: Field, dims: tuple[int, ...], cls: Any) -> list[Any]:
    if not dims[0]:
        return []
    step = field.size // field.dims[0]
    if len(dims) > 1:
        inner = attrs.evolve(field, dims=field.dims[1:], size=step)
        return [_read_array(data, at + i * step, inner, dims[1:], cls) for i in range(dims[0])]
    if field.struct is not None:
        return [_read(data, at + i * step, field.struct, cls) for i in range(dims[0])]
    return list(struct.unpack_from(f"={dims[0]}{_FORMATS[_kind(field)]}", data, at))


def _read_counted(address: int, field: Field, kind: Any, count: int) -> list[Any] | None:
    """The elements that a pointer field leads to."""
    cls = _element(kind)
    if cls is not None:
        return struct_array_reader(cls.__name__)(address, count)
    if not address:
        return []
    what = field.ctype.removesuffix("*").strip()
    size = SIZES[c_kind(what)]
    data = _bytes(address, size * count, field.name)
    numbers = struct.unpack(f"={count}{_FORMATS[c_kind(what)]}", data)
    return list(numbers) if field.ctype.startswith("const ") else _InMemory(address, c_kind(what), numbers)


class _InMemory(list[Any]):
    """Numbers of an array of the program: what is put into the list goes there, too.

    A struct that is an input may lead to room for outputs (the sub-graphs of aclmdlRIAddCondTask).
    """

    def __init__(self, address: int, kind: str, numbers: Sequence[int | float]) -> None:
        super().__init__(numbers)
        self._address, self._kind = address, kind

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value)
        data = _packed(self._kind, self)
        ctypes.memmove(self._address, data, len(data))


# -- writing ---------------------------------------------------------------------------------------------------------


@cache
def struct_writer(name: str) -> Callable[[int, Any], None]:
    """What fills the struct *name* at an address."""
    layout = layouts()[name]

    def write(address: int, value: Any) -> None:
        data = bytearray(ctypes.string_at(address, layout.size))
        _write(data, 0, layout, value)
        ctypes.memmove(address, bytes(data), layout.size)

    return write


@cache
def struct_array_writer(name: str) -> Callable[[int, Any], None]:
    """What fills an array of structs from a list."""
    size, write = layouts()[name].size, struct_writer(name)

    def write_all(address: int, values: Any) -> None:
        for i, value in enumerate(values):
            write(address + i * size, value)

    return write_all


@cache
def number_array_writer(kind: str) -> Callable[[int, Any], None]:
    """What fills an array of numbers or handles from a list, whose items may be lists themselves."""

    def write(address: int, values: Any) -> None:
        numbers = [n for item in values for n in (item if isinstance(item, (list, tuple)) else (item,))]
        data = _packed(kind, numbers)
        ctypes.memmove(address, data, len(data))

    return write


def write_static_array(address: int, values: Any) -> None:
    """Hand out the address of an array of enums that belongs to the library."""
    data = ctypes.create_string_buffer(_packed("i32", list(values)))
    _STATIC.append(data)
    write_number("u64", address, ctypes.addressof(data))


_STATIC: deque[Any] = deque(maxlen=64)


def _write(data: bytearray, base: int, layout: Struct, value: Any) -> None:
    fields = {field.name: field for field in layout.fields}
    plain = type(value)() if _overlaps(layout) else None
    cls: type = type(value)
    for name, kind in _fields(cls):
        field, item = fields.get(name), getattr(value, name)
        if field is None or (plain is not None and item == getattr(plain, name)):
            continue
        _write_field(data, base + field.offset, field, kind, item)


def _write_field(data: bytearray, at: int, field: Field, kind: Any, item: Any) -> None:
    if field.pointer:
        data[at : at + 8] = _packed("u64", [_led_to(field, kind, item)])
    elif field.dims:
        if kind is str:
            text = str(item).encode()[: field.size - 1]
            data[at : at + field.size] = text.ljust(field.size, b"\0")
        else:
            _write_array(data, at, field, item or [])
    elif field.struct is not None:
        _write(data, at, field.struct, item)
    else:
        data[at : at + field.size] = _packed(_kind(field), [item])


def _write_array(data: bytearray, at: int, field: Field, items: Sequence[Any]) -> None:
    if not field.dims[0]:  # what lies behind the struct is not its own
        return
    step = field.size // field.dims[0]
    inner = attrs.evolve(field, dims=field.dims[1:], size=step) if len(field.dims) > 1 else None
    for i, item in enumerate(items[: field.dims[0]]):
        place = at + i * step
        if inner is not None:
            _write_array(data, place, inner, item)
        elif field.struct is not None:
            _write(data, place, field.struct, item)
        else:
            data[place : place + step] = _packed(_kind(field), [item])


def _led_to(field: Field, kind: Any, item: Any) -> int:
    """The address to store in a pointer field."""
    if item is None or isinstance(item, int):
        return item or 0
    cls = _element(kind)
    items = item if isinstance(item, list) else [item]
    if cls is not None:
        layout = layouts()[cls.__name__]
        data = bytearray(layout.size * len(items))
        for i, one in enumerate(items):
            _write(data, i * layout.size, layout, one)
    else:
        data = bytearray(_packed(c_kind(field.ctype.removesuffix("*").strip()), items))
    if not data:
        return 0
    kept = ctypes.create_string_buffer(bytes(data), len(data))
    _KEPT.append(kept)
    return ctypes.addressof(kept)
