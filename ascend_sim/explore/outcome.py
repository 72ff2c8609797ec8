"""What a run computed: how it ended, what the program returned, what the host saw, and what is left in memory."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import attrs

from ascend_sim.source.fence import shown

__all__ = ["Outcome", "differing_parts", "plain", "without_addresses"]

_NO_NAMES: Mapping[str, str] = MappingProxyType({})
_PLAIN = (int, float, str, bytes, bool, complex)


@attrs.frozen
class Outcome:
    """The result of one run. Two runs with equal outcomes cannot be told apart by who looks at results only."""

    ended: str
    """``returned``, ``deadlock``, ``exit 3``, or the exception with its text."""
    value: Any
    """What the program returned, as far as that is plain data."""
    reads: tuple[tuple[str, bytes | int], ...]
    """What host calls read of device memory: (which bytes, their content or its check sum), in order, by threads."""
    codes: tuple[tuple[str, int], ...]
    """Failing calls with their codes, in order, by threads."""
    memory: tuple[tuple[str, bytes | int], ...]
    """The bytes that were written, of allocations that are alive at the end."""
    names: Mapping[str, str] = attrs.field(factory=dict, eq=False, repr=False)
    """What the program calls the allocations, by the names that stand here (``block 3``): those are equal in all runs."""

    def blocks(self) -> dict[str, None]:
        """The allocations that the host read, or that are left in memory, in that order."""
        return dict.fromkeys([about.rpartition(" [")[0] for about, _ in (*self.reads, *self.memory)])

    def differences(self, other: Outcome, names: Mapping[str, str] = _NO_NAMES) -> list[tuple[str, str, str]]:
        """(what, here, in *other*) for everything that differs. *names*: see `whole_text`."""
        found = []
        for what, mine, theirs in (("ends with", self.ended, other.ended), ("returns", self.value, other.value)):
            if mine != theirs:
                found.append((what, _said(mine), _said(theirs)))
        for name in ("reads", "codes", "memory"):
            mine, theirs = list(getattr(self, name)), list(getattr(other, name))
            length = max(len(mine), len(theirs))
            for a, b in zip(_padded(mine, length), _padded(theirs, length), strict=True):
                if a != b:
                    what = {"reads": "the host reads", "codes": "fails", "memory": "at the end"}[name]
                    about = _called((a or b)[0], names)
                    found.append((f"{what} {about}", _shown(a, about, names), _shown(b, about, names)))
        return found

    def text(self) -> str:
        """Its first words."""
        return _cut(self.whole_text())

    def whole_text(self, names: Mapping[str, str] = _NO_NAMES) -> str:
        """One line that may be long. *names*: what the program calls the allocations, as far as that is known."""
        parts = [self.ended if self.ended != "returned" or self.value is None else f"returns {self.value!r}"]
        parts += [f"{name}: {code}" for name, code in self.codes]
        if self.value is None:
            parts += [f"{_called(name, names)} = {_content(value)}" for name, value in (*self.reads, *self.memory)]
        return "; ".join(parts)


_WIDTH = 100
_BEFORE = 20
"""Characters that are shown in front of the first difference."""


def differing_parts(texts: Sequence[str]) -> list[str]:
    """Each of *texts*, cut where it is long, so that the place where they begin to differ is seen."""
    if all(len(text) <= _WIDTH for text in texts):
        return [*texts]
    first, last = min(texts), max(texts)
    same = next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    if same < _WIDTH // 2:
        return [_cut(text) for text in texts]
    return ["..." + _cut(text[same - _BEFORE :]) for text in texts]


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."


def _said(value: Any) -> str:
    return value if isinstance(value, str) and value and value.isprintable() else shown(value)


def _padded(entries: list[Any], length: int) -> list[Any]:
    return entries + [None] * (length - len(entries))


def _shown(entry: Any, about: str, names: Mapping[str, str]) -> str:
    if entry is None:
        return "nothing"
    called = _called(entry[0], names)
    return _content(entry[1]) if called == about else f"{called} = {_content(entry[1])}"


def _called(about: str, names: Mapping[str, str]) -> str:
    """*about*, ``block 3 [0, 64)``, as findings say it: ``data[0, 64)``."""
    block, _, extent = about.rpartition(" [")
    return f"{names[block]}[{extent}" if block in names else about


def _content(value: bytes | int) -> str:
    if isinstance(value, bytes):
        if len(value) > 4 and len(set(value)) == 1:
            return f"{len(value)} x {value[0]:02x}"
        return value.hex(" ", 4) if value else "gone"
    return str(value) if value < 1_000_000 else f"check sum {value:08x}"


_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+>")


def without_addresses(text: str) -> str:
    """*text* without where in memory Python objects lie, which is another place in each run."""
    return _ADDRESS.sub(" at ...>", text) if " at 0x" in text else text


def plain(value: Any) -> Any:
    """*value* as data that can be compared between runs; of objects only the type."""
    if type(value) is str:
        return without_addresses(value)
    if value is None or type(value) in _PLAIN:
        return value
    if isinstance(value, (list, tuple)):
        return tuple(plain(part) for part in value)
    if isinstance(value, (set, frozenset)):
        return tuple(sorted((plain(part) for part in value), key=repr))
    if isinstance(value, dict):
        return tuple((plain(key), plain(part)) for key, part in value.items())
    if hasattr(value, "tobytes") and hasattr(value, "tolist"):
        return plain(value.tolist()) if getattr(value, "size", 1) <= 64 else value.tobytes()
    return type(value).__name__
