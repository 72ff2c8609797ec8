"""Stable ids: names of objects that are equal in every schedule, by the maker and by how many it had made before."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from ascend_sim.runtime.context import Context
from ascend_sim.runtime.current import LOCAL
from ascend_sim.runtime.graphs.lane import Lane
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.threads.patches import install, locks, queues, sync_objects

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["DEVICE_SIDE", "SMALL", "LockIds", "StableIds", "stable_arguments"]

DEVICE_SIDE = 1 << 47
"""From here on addresses and handles are the simulator's: the same in every run."""
SMALL = 1 << 32
"""Below this numbers are neither handles nor addresses."""
MAIN = "main"
_LIBRARY = frozenset({
    __file__, os.path.join(os.path.dirname(__file__), "host_transitions.py"),
    *(module.__file__ for module in (locks, sync_objects, queues, queue, install, threading)),
})  # fmt: skip
"""Files of the code between the program and a lock."""


class StableIds:
    """The ids of one run. *thread_id*: that of a host thread. *comes_up*: told of a default stream that is made anew."""

    def __init__(
        self, sim: Runtime, thread_id: Callable[[HostThread | None], str], comes_up: Callable[[Stream], None]
    ) -> None:
        self.thread = thread_id
        self.known: dict[Any, str] = {}
        """The ids of all that was asked for."""
        self.blocks: dict[str, Allocation] = {}
        self.things: dict[int, Any] = {}
        """What each handle stood for last, alive or not."""
        self._sim = sim
        self._comes_up = comes_up
        self._counts: dict[tuple[str, str], int] = {}
        self._handles: dict[int, str] = {}
        """The id of what each handle stood for last."""

    def made(self, thing: Any, handle: int) -> None:
        """Hook: *thing* has got *handle*."""
        if isinstance(thing, Context):
            name = self._context(thing)
        elif isinstance(thing, Stream) and self._is_default(thing):
            name = self._default(thing)
            self._comes_up(thing)
        else:
            name = self._number(thing, type(thing).__name__.lower(), getattr(LOCAL, "state", None))
        self._handles[handle] = name
        self.things[handle] = thing

    def skip(self, kind: str) -> None:
        """Count one of *kind* as made by the main thread, though it has an id of its own."""
        self._counts[kind, MAIN] = self._counts.get((kind, MAIN), 0) + 1

    def _context(self, context: Context) -> str:
        """The id of a context; nobody makes a primary one."""
        name = self.known.get(context)
        if name is None and context.primary:
            name = self.known[context] = f"primary context {context.device.index}"
        return name or self._number(context, "context", getattr(LOCAL, "state", None))

    def _default(self, stream: Stream) -> str:
        """The id of a default stream; nobody makes one of a primary context."""
        context = stream.context
        which = str(context.device.index) if context.primary else f"of {self._context(context)}"
        name = self.known[stream] = f"default stream {which}"
        return name

    def _is_default(self, stream: Stream) -> bool:
        """Whether *stream*, which has just been made, is the default stream of a context that comes up."""
        before = getattr(stream.context, "default", None)
        return before is None or self._sim.handles.get(before.handle) is not before

    def _number(self, thing: Any, kind: str, t: HostThread | None) -> str:
        maker = self.thread(t)
        number = self._counts.get((kind, maker), 0) + 1
        self._counts[kind, maker] = number
        name = f"{kind} {number}" if maker == MAIN else f"{kind} {number} of {maker}"
        self.known[thing] = name
        return name

    def of(self, thing: Any) -> str:
        """The id of a stream, a context, an event, a notify, a pool."""
        name = self.known.get(thing)
        if name is not None:
            return name
        if isinstance(thing, Lane):
            name = f"{self.of(thing.line.stream)} of {self.of(thing.instance)} on {self.of(thing.launcher)}"
            self.known[thing] = name
            return name
        if isinstance(thing, Stream):
            return self._default(thing)
        if isinstance(thing, Context):
            return self._context(thing)
        return self._number(thing, type(thing).__name__.lower(), None)

    def block(self, block: Allocation, t: HostThread | None = None) -> str:
        """The id of an allocation; *t* has just made it."""
        name = self.known.get(block)
        if name is None:
            name = self._number(block, "block", t)
            self.blocks[name] = block
        return name

    def of_number(self, number: int) -> tuple[str, Hashable]:
        """The key of what a handle or an address stands for, or stood for last."""
        name = self._handles.get(number)
        if name is not None:
            return "object", name
        if number in self._sim.handles:
            return "object", number
        block = self._sim.memory.named(number)
        if block is None:
            made = reversed(self.blocks.values())
            block = next((b for b in made if b.address <= number < b.address + max(b.size, b.capacity, 1)), None)
        return ("object", self.block(block) if block is not None else number)

    def of_host(self, address: int) -> tuple[str, Hashable] | None:
        """Page-locked memory of the host by one of its addresses; None: it is not, and was not."""
        block = self._sim.memory.named(address)
        if block is None:
            made = reversed(self.blocks.values())
            block = next((b for b in made if b.kind == "host" and b.address <= address < b.address + b.size), None)
        return None if block is None else ("object", self.block(block))

    def task(self, task: Task) -> str:
        """The id of a task: its thread's n-th submit."""
        return f"{self.thread(task.thread)}:{task.number}"


class LockIds:
    """The ids of locks and queues: by the thread that made one, and the function in which it did."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        """How many a thread has made in a function."""
        self._older: dict[int, tuple[Any, str]] = {}
        """Those that are older than all runs, by where they lie."""

    def made(self, thing: Any, maker: str) -> None:
        """Thread *maker* has made *thing*: it keeps its id."""
        function = _calling_function()
        if not function.endswith(" <module>"):  # a module is imported once for many runs
            thing.label = self._number(f"{maker} in {function}")

    def of(self, thing: Any, user: str) -> str:
        """The id of *thing*; one that is older than all runs is called by thread *user* when that uses it first."""
        if thing.label:
            label: str = thing.label
            return label
        known = self._older.get(id(thing))
        if known is None or known[0] is not thing:
            known = self._older[id(thing)] = thing, self._number(f"others, used by {user} in {_calling_function()}")
        return known[1]

    def _number(self, where: str) -> str:
        number = self._counts[where] = self._counts.get(where, 0) + 1
        return f"{number} of {where}"


def _calling_function() -> str:
    """The function of the program that called into the library of threads."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename in _LIBRARY and frame.f_back is not None:
        frame = frame.f_back
    code = frame.f_code
    return f"{os.path.basename(code.co_filename)} {code.co_name}"


def stable_arguments(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """*arguments* of a call without what another run may have elsewhere: process addresses, Python objects."""
    for value in arguments:
        kind = type(value)
        if (value >= SMALL and value < DEVICE_SIDE) if kind is int else value is not None and kind not in _PLAIN:
            return tuple([_stable(value) for value in arguments])
    return arguments


_PLAIN = frozenset({str, bytes, bool, float})


def _stable(value: Any) -> Any:
    kind = type(value)
    if kind is int:
        return value if value < SMALL or value >= DEVICE_SIDE else "address"
    if value is None or kind in _PLAIN:
        return value
    return kind.__name__
