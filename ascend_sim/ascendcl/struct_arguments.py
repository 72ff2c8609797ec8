"""Structs as arguments: an attrs class with the C field names, or the address of one.

What an implementation reads from a struct is then of the right type, however the program filled it: a C compiler would
have refused the rest, so it is answered with 100000 (docs/semantics/layers.md#struct-arguments).
"""

from __future__ import annotations

import operator
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin

import attrs

from ascend_sim.ascendcl import structs
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError

__all__ = ["to_struct", "to_structs"]

_LOW, _END = -(1 << 63), 1 << 64


def to_struct(value: Any, position: int, name: str, kind: str) -> Any:
    """*value* as a struct *kind*, or the address of one; None for NULL. Raises AclError 100000 for anything else.

    A field that holds None, a numpy integer or a number beyond 64 bits is converted in a copy.
    """
    if value is None:
        return None
    cls = getattr(structs, kind)
    if isinstance(value, cls):
        return _struct(value, f"argument {position} ({name})", cls)
    try:
        return operator.index(value) & _END - 1 or None
    except TypeError:
        text = f"argument {position} ({name}) is {type(value).__name__}: {kind} or its address is required"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl") from None


def to_structs(value: Any, position: int, name: str, kind: str) -> Any:
    """The structs of an array argument: a sequence, one struct, or an address; None for NULL."""
    if isinstance(value, (list, tuple)):
        cls = getattr(structs, kind)
        return [_struct(item, f"argument {position} ({name}[{i}])", cls) for i, item in enumerate(value)]
    return to_struct(value, position, name, kind)


@cache
def _fields(cls: type) -> tuple[tuple[str, Any], ...]:
    attrs.resolve_types(cls)
    return tuple((place.name, place.type) for place in attrs.fields(cls))


def _struct(value: Any, where: str, cls: Any) -> Any:
    if not isinstance(value, cls):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{where} is {type(value).__name__}: {cls.__name__} is required", "acl")
    changed = {}
    for field, kind in _fields(cls):
        old = getattr(value, field)
        if kind is int and type(old) is int and _LOW <= old < _END:
            continue
        new = _fit(old, kind, f"{where}.{field}")
        if new is not old:
            changed[field] = new
    return attrs.evolve(value, **changed) if changed else value


def _fit(value: Any, kind: Any, where: str) -> Any:
    if get_origin(kind) is list:
        (inner,) = get_args(kind)
        if value is None:  # for a counted array NULL is something else than an empty one
            return None if attrs.has(inner) else []
        if isinstance(value, (list, tuple)):
            return [_fit(item, inner, f"{where}[{i}]") for i, item in enumerate(value)]
    elif get_origin(kind) is UnionType:
        return None if value is None else _fit(value, get_args(kind)[0], where)
    elif attrs.has(kind):
        return _struct(value, where, kind)
    elif kind is str:
        if isinstance(value, str):
            return value
    else:
        try:
            return float(value) if kind is float else _integer(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise AclError(
        ACL_ERROR_INVALID_PARAM,
        f"{where} is {type(value).__name__}: {getattr(kind, '__name__', kind)} is required",
        "acl",
    )


def _integer(value: Any) -> int:
    number = 0 if value is None else operator.index(value)
    return number if _LOW <= number < _END else number & _END - 1
