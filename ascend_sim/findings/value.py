"""What a finding is made of: fields that are given once and stay.

An attrs class says this in fewer lines. But attrs, and the classes that it builds, take as long to load as all that a
program without a finding needs of this room.
"""

from __future__ import annotations

from itertools import repeat
from typing import Any, TypeVar

__all__ = ["Value"]

T = TypeVar("T", bound="Value")


class Value:
    """Two of one class are equal when all fields are. A subclass names them in `__match_args__`, in the order in which it
    takes them, and gives them to `_keep`."""

    __slots__ = ()

    __match_args__: tuple[str, ...] = ()

    def _keep(self, *values: object) -> None:
        for _ in map(object.__setattr__, repeat(self), self.__match_args__, values):
            pass  # the loop of `map`: a search finds the same race in each schedule

    def _fields(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)

    def evolved(self: T, **changes: Any) -> T:
        """Another one, with these fields changed."""
        return type(self)(**dict(zip(self.__match_args__, self._fields(), strict=True)) | changes)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} stays as it is: evolved({name}=...) makes another one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} stays")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), self._fields()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._fields()

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({shown})"
