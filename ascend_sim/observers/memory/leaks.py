"""Leaks: memory, streams, events, contexts and queues that are alive at the end, grouped by the line that made them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import Names
from ascend_sim.machine.allocations import Allocation
from ascend_sim.observers.plain_findings import tells
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.event import Event
from ascend_sim.runtime.notify import Notify
from ascend_sim.runtime.stream import Stream
from ascend_sim.source.callsite import points

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime

__all__ = ["Leaks"]

MOST_SITES = 8


class Leaks:
    """Looks for what is alive; each thing is reported once."""

    def __init__(self, sim: Runtime, names: Names) -> None:
        self.sim = sim
        self.names = names
        self._reported: set[int] = set()
        self._dying: list[Any] = []
        """Things that went down with their device."""
        self._kept: list[Any] = []
        """The things that were reported, kept alive: else their ids would be given to others."""

    def at_reset(self, things: list[Any]) -> None:
        """*things* die with their device; they are remembered for the report at the end.

        Memory without a site is the runtime's own.
        """
        self._dying += [
            thing for thing in things if not (isinstance(thing, Allocation) and (thing.releasing or thing.site is None))
        ]

    def _lost(self) -> list[Any]:
        lost = [thing for thing in self._dying if id(thing) not in self._reported]
        self._dying.clear()
        return lost

    def at_end(self, when: str) -> None:
        """Everything that is alive now, or died with a device that was reset."""
        sim = self.sim
        things = self._lost()
        kinds = ("device", "host", "managed", "registered", "physical")
        things += [b for b in sim.memory.blocks() if b.kind in kinds and not b.releasing and b.site is not None]
        if sim.memory.virtual is not None:
            things += list(sim.memory.virtual.ranges)
        for context in sim.contexts.values():
            if not context.dead and not context.primary:
                things.append(context)
        for thing in sim.handles.values():
            if isinstance(thing, Stream):
                if thing is not thing.context.default:
                    things.append(thing)
            elif isinstance(thing, (Event, Notify)) or type(thing).__name__ in ("Binary", "MemoryPool") or _left(thing):
                things.append(thing)
        self._report([thing for thing in things if id(thing) not in self._reported and not self._kept_for(thing)], when)

    def _kept_for(self, thing: Any) -> bool:
        """Whether a framework made *thing*: it keeps memory and streams for later, and gives them back with the process."""
        return self.names.vocabulary(thing.site) is not None

    @tells("leak", "warning")
    def _report(self, things: list[Any], when: str) -> None:
        if not things:
            return
        self._reported.update(id(thing) for thing in things)
        self._kept += things
        groups: dict[Any, list[Any]] = {}
        for thing in things:
            groups.setdefault((points(thing.site), _what(thing)), []).append(thing)
        ordered = sorted(groups.items(), key=lambda item: (-_bytes(item[1]), -len(item[1]), item[1][0].number))
        sites = [
            Site("alloc", _label(kind, group), site, primary=i == 0) for i, ((site, kind), group) in enumerate(ordered)
        ]
        more = len(sites) - MOST_SITES
        notes = [f"{more} more lines leave something behind"] if more > 0 else []
        parts = []
        blocks = [thing for thing in things if isinstance(thing, Allocation)]
        for kind in ("device buffer", "host buffer", "registration", "physical piece", "reserved range"):
            mine = [b for b in blocks if _what(b) == kind]
            if mine:
                size = f" ({_bytes(mine)} bytes)" if kind != "reserved range" else ""
                parts.append(f"{_many(len(mine), kind)}{size}")
        others: dict[str, int] = {}
        for thing in things:
            if not isinstance(thing, Allocation):
                others[_what(thing)] = others.get(_what(thing), 0) + 1
        parts += [_many(count, kind) for kind, count in others.items()]
        text = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
        verb = "is" if len(things) == 1 else "are"
        self.sim.report("leak", "warning", f"{text} {verb} alive at {when}", sites[:MOST_SITES], notes=tuple(notes))


def _left(thing: Any) -> bool:
    """Whether *thing* says that it is a leak, and under which name."""
    return hasattr(thing, "leaks_as") and not thing.kept_by_another()


_WORDS = {
    "device": "device buffer", "registered": "registration", "physical": "physical piece",
    "reserved": "reserved range",
}  # fmt: skip


def _what(thing: Any) -> str:
    if isinstance(thing, Allocation):
        return _WORDS.get(thing.kind, "host buffer")
    if isinstance(thing, Context):
        return "context"
    if hasattr(thing, "leaks_as"):
        return str(thing.leaks_as)
    name = type(thing).__name__
    return "memory pool" if name == "MemoryPool" else name.lower()


def _bytes(things: list[Any]) -> int:
    """Of memory: a reserved range is none."""
    return sum(thing.size for thing in things if isinstance(thing, Allocation) and thing.kind != "reserved")


def _label(kind: str, group: list[Any]) -> str:
    first = group[0]
    if isinstance(first, Allocation):
        sizes = {thing.size for thing in group}
        size = f"{len(group)} x {first.size} bytes" if len(sizes) == 1 else f"{len(group)} x, {_bytes(group)} bytes"
        if kind == "reserved range":
            return f"{len(group)} x addresses for {first.size} bytes" if len(sizes) == 1 else _many(len(group), kind)
        if kind == "physical piece" and any(piece.mappings for piece in group):
            size += ", mapped"
        return f"{size} on device {first.device}" if first.device >= 0 else f"{size} of host memory"
    return _many(len(group), kind)


def _many(count: int, word: str) -> str:
    if count == 1:
        return f"1 {word}"
    return f"{count} {word[:-1]}ies" if word.endswith("y") else f"{count} {word}s"
