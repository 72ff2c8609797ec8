"""What the functions of mstx do: marks and ranges of a program appear where somebody listens, such as in the timeline.

Nothing happens while nobody does, as with the real library when no tool runs. A mark on a stream is a task of it, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.errors import AclError
from ascend_sim.runtime.profiling.stamps import Marks
from ascend_sim.runtime.task import Op
from ascend_sim.untrusted.escaping import escaped

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["BODIES"]

DEFAULT = "default"
"""The domain that need not be named."""


class Ranges:
    """The domains of a simulator, and the ranges that have begun."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.domains: dict[int, str] = {}
        self.open: dict[int, tuple[str, int]] = {}
        """By number: what it is called, and when it began (ns)."""
        self.last = 0

    def number(self) -> int:
        """1, 2, 3, ... for domains and ranges."""
        self.last += 1
        return self.last

    def text(self, domain: int, message: str | None) -> str:
        """A message with the name of its domain."""
        name = self.domains.get(domain, DEFAULT)
        shown = escaped(message or "")
        return shown if name == DEFAULT else f"{escaped(name)}: {shown}"


def _tell_stream(t: ThreadState, text: str, stream: int) -> None:
    """A task that marks on *stream*; none for what is no stream: nothing says so in C."""
    if not stream:
        return
    try:
        found = t.submit_stream(stream)
    except AclError:
        return
    found.submit(t, Op(f"mark {text}", t.sim.profile.costs.task_ns))


def _mark(t: ThreadState, domain: int, message: str | None, stream: int) -> None:
    """A mark now, and a task on the stream that marks when it runs."""
    if t.sim.hooks.marked is None:
        return
    text = t.sim.part(Ranges).text(domain, message)
    t.sim.part(Marks).tell(t, "mark", text, t.clock)
    _tell_stream(t, text, stream)


def _start(t: ThreadState, domain: int, message: str | None, stream: int) -> int:
    """A range begins; its number, or 0 where nobody listens."""
    if t.sim.hooks.marked is None:
        return 0
    ranges = t.sim.part(Ranges)
    number = ranges.number()
    text = ranges.text(domain, message)
    ranges.open[number] = text, t.clock
    _tell_stream(t, text, stream)
    return number


def _end(t: ThreadState, domain: int, number: int) -> None:
    """A range ends, in whatever thread; a number that none has does nothing."""
    found = t.sim.part(Ranges).open.pop(number, None)
    if found is not None:
        t.sim.part(Marks).tell(t, "range", *found)


def _create(t: ThreadState, name: str | None) -> int:
    """A domain of this name."""
    ranges = t.sim.part(Ranges)
    number = ranges.number()
    ranges.domains[number] = name or DEFAULT
    return number


def _destroy(t: ThreadState, domain: int) -> None:
    """The domain is given back."""
    t.sim.part(Ranges).domains.pop(domain, None)


BODIES: dict[str, Callable[..., Any]] = {
    "mstxMarkA": lambda t, message, stream: _mark(t, 0, message, stream),
    "mstxRangeStartA": lambda t, message, stream: _start(t, 0, message, stream),
    "mstxRangeEnd": lambda t, number: _end(t, 0, number),
    "mstxDomainCreateA": _create,
    "mstxDomainDestroy": _destroy,
    "mstxDomainMarkA": _mark,
    "mstxDomainRangeStartA": _start,
    "mstxDomainRangeEnd": _end,
}
