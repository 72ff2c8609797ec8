"""Dicts that stand for structs: a key that is missing, or no number, is 0 (docs/semantics/pyacl.md#lists-and-dicts)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["IMAGE_STREAM", "PICTURE", "as_given", "copied", "fields", "inner", "numbers", "reals", "updated"]

PICTURE = (
    "picture_address", "picture_buffer_size", "picture_width", "picture_height", "picture_width_stride",
    "picture_height_stride", "picture_format",
)  # fmt: skip
"""hi_vpc_pic_info, hi_pic_info."""
IMAGE_STREAM = ("type", "addr", "len", "pts")
"""hi_img_stream."""


def fields(found: Mapping[str, Any], names: Iterable[str]) -> dict[str, int]:
    """The numbers of *found* under these names."""
    return {name: value if isinstance(value := found.get(name), int) else 0 for name in names}


def inner(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The struct in the field *name*."""
    value = found.get(name)
    return value if isinstance(value, Mapping) else {}


def numbers(found: Mapping[str, Any], name: str, count: int, bits: int = 32) -> list[int]:
    """The array in the field *name*, of *count* whole numbers without sign: so many *bits* of each are kept."""
    mask = (1 << bits) - 1
    given = [one & mask if isinstance(one, int) else 0 for one in _items(found, name)]
    return (given + [0] * count)[:count]


def reals(found: Mapping[str, Any], name: str, count: int) -> list[float]:
    """The array in the field *name*, of *count* doubles."""
    given = [
        float(one) if isinstance(one, (int, float)) and abs(one) < _LARGEST else 0.0 for one in _items(found, name)
    ]
    return (given + [0.0] * count)[:count]


_LARGEST = 1e308
"""Larger numbers, and what is none, do not fit a double."""


def _items(found: Mapping[str, Any], name: str) -> Iterable[Any]:
    value = found.get(name)
    return value if isinstance(value, (list, tuple)) else ()


def as_given(found: Any) -> dict[str, Any]:
    """A copy that later changes of the program do not reach."""
    return {name: copied(value) for name, value in found.items()}


def copied(value: Any) -> Any:
    """*value* with its dicts and lists copied."""
    if isinstance(value, Mapping):
        return as_given(value)
    return [copied(one) for one in value] if isinstance(value, list) else value


def updated(known: dict[str, Any], given: Mapping[str, Any], fixed: Iterable[str] = ()) -> None:
    """Take over what *given* says of the fields of *known*, but for the *fixed* ones."""
    for name, value in known.items():
        found = given.get(name)
        if name in fixed:
            continue
        if isinstance(value, dict) and isinstance(found, Mapping):
            updated(value, found)
        elif isinstance(found, (int, float, list)) and not isinstance(value, dict):
            known[name] = copied(found)
