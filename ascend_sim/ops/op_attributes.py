"""The attributes of one execution: names with typed values (docs/semantics/operators.md#attributes)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["BOOL", "DATA_TYPE", "FLOAT", "INT", "LIST", "STRING", "OpAttributes", "attributes_of", "fits"]

BOOL, INT, FLOAT, STRING, DATA_TYPE = "bool", "int", "float", "string", "data_type"
LIST: Final = "list_"
"""Before the kind of the elements: ``list_int``, ``list_list_int``."""


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    BOOL: (bool,), INT: (int,), FLOAT: (int, float), STRING: (str,), DATA_TYPE: (int,),
}  # fmt: skip
_LONG: Final = 1 << 63


def fits(kind: str, value: Any) -> bool:
    """Whether a plain value (lists for lists) can be an attribute of this kind.

    >>> fits("list_int", [1, 2]), fits("int", True), fits("list_list_int", [1])
    (True, False, False)
    """
    if kind.startswith(LIST):
        return isinstance(value, list) and all(fits(kind[len(LIST) :], item) for item in value)
    if not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind != BOOL):
        return False
    return not isinstance(value, int) or -_LONG <= value < _LONG


class OpAttributes:
    """Any names, each with one value of a kind; a name that is set again is overwritten."""

    __slots__ = ("handle", "values")

    def __init__(self, values: Mapping[str, tuple[str, Any]] | None = None) -> None:
        self.handle = 0
        self.values: dict[str, tuple[str, Any]] = dict(values or {})
        """Name -> (kind, value); lists are tuples, so that they can be compared and hashed."""

    def set(self, name: str, kind: str, value: Any) -> None:
        """Set an attribute."""
        self.values[name] = (kind, value)

    def key(self) -> tuple[tuple[str, str, Any], ...]:
        """What equality compares: names, kinds and values, in no order of setting."""
        return tuple(sorted((name, kind, value) for name, (kind, value) in self.values.items()))

    def plain(self) -> dict[str, Any]:
        """Names and values, as operators get them."""
        return {name: value for name, (_, value) in self.values.items()}

    def copy(self) -> OpAttributes:
        """The attributes as they are now."""
        return OpAttributes(self.values)

    def describe(self) -> str:
        """The attributes in words."""
        shown = ", ".join(f"{name}={value!r}" for name, (_, value) in sorted(self.values.items()))
        return f"operator attributes ({shown})"


NONE: Final = OpAttributes()


def attributes_of(t: ThreadState, handle: int) -> OpAttributes:
    """The attributes of *handle*; none for NULL and, with a finding, for what is none."""
    found = t.sim.handles.get(handle)
    if isinstance(found, OpAttributes):
        return found
    if handle:
        why = t.sim.tombstone(handle) or "no such handle was ever given out"
        title = f"{t.call} got {handle:#x} for attributes: {why}; undefined behaviour of the real library"
        t.sim.report_call(t, "undefined-use", "error", title)
    return NONE
