"""Names that do not depend on the schedule: by the thread that made an object, and how many it had made before."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from ascend_sim.explore.search.dependence import WRITE, Item
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.current import LOCAL
from ascend_sim.runtime.stream import Stream

if TYPE_CHECKING:
    from ascend_sim.machine.blocks import Block
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.device import Device
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["DEVICE_SIDE", "SMALL", "Names", "steady"]

DEVICE_SIDE = 1 << 47
"""From here on addresses and handles are the simulator's: the same in every run."""
SMALL = 1 << 32
"""Below this numbers are neither handles nor addresses."""


class Names:
    """The names of one run. *thread_name*: that of a host thread. *worked*: is called when something is made."""

    def __init__(
        self, sim: Runtime, thread_name: Callable[[HostThread | None], str], worked: Callable[[], None]
    ) -> None:
        self._worked = worked
        self._thread_name = thread_name
        self.given: dict[Any, str] = {}
        """The names of all that was asked for."""
        self._counts: dict[tuple[str, str], int] = {}
        self.blocks: dict[str, Block] = {}
        self._sim = sim
        self._handles: dict[int, str] = {}
        """The name of what each handle named last."""
        self.things: dict[int, Any] = {}
        """What each handle named last, alive or not."""
        self._new, self._make_context = sim.new_handle, sim.new_context
        sim.new_handle = self._new_handle
        sim.new_context = self._new_context  # type: ignore[method-assign]

    def _new_handle(self, thing: object) -> int:
        self._worked()
        t = getattr(LOCAL, "state", None)
        if isinstance(thing, Stream) and self._comes_up(thing):
            name = self._default(thing)
            controller: Any = self._sim.threads.controller
            if controller.active and hasattr(
                thing.context, "default"
            ):  # its device was down, and there are threads there
                controller.guided.items.append(Item(("device", thing.context.device.index), WRITE))
                controller.guided.items.append(Item(("object", self._context(thing.context)), WRITE))
            if not controller.active:  # it counts, as long as only one thread can bring it up
                self._counts["stream", "main"] = self._counts.get(("stream", "main"), 0) + 1
        else:
            name = self._name(thing, type(thing).__name__.lower(), t)
        handle = self._new(thing)
        self._handles[handle] = name
        self.things[handle] = thing
        return handle

    def _new_context(self, device: Device, primary: bool, site: Any) -> Context:
        context = self._make_context(device, primary, site)
        self._handles[context.handle] = self._context(context)
        self.things[context.handle] = context
        return context

    def _context(self, context: Context) -> str:
        """The name of a context; nobody makes a primary one."""
        name = self.given.get(context)
        if name is None and context.primary:
            name = self.given[context] = f"primary context {context.device.index}"
        return name or self._name(context, "context", getattr(LOCAL, "state", None))

    def _default(self, stream: Stream) -> str:
        """The name of a default stream; nobody makes one of a primary context."""
        context = stream.context
        which = str(context.device.index) if context.primary else f"of {self._context(context)}"
        name = self.given[stream] = f"default stream {which}"
        return name

    def _comes_up(self, stream: Stream) -> bool:
        """Whether *stream*, which is being made, is the default stream of a context that is coming up."""
        before = getattr(stream.context, "default", None)
        return before is None or before.handle not in self._sim.handles

    def _name(self, thing: Any, kind: str, t: HostThread | None) -> str:
        maker = self._thread_name(t)
        number = self._counts.get((kind, maker), 0) + 1
        self._counts[kind, maker] = number
        name = f"{kind} {number}" if maker == "main" else f"{kind} {number} of {maker}"
        self.given[thing] = name
        return name

    def of(self, thing: Any) -> str:
        """The name of a stream, an event, a notify."""
        name = self.given.get(thing)
        if name is not None:
            return name
        if isinstance(thing, Stream):
            return self._default(thing)
        if isinstance(thing, Context):
            return self._context(thing)
        return self._name(thing, type(thing).__name__.lower(), None)

    def block(self, block: Block, t: HostThread | None = None) -> str:
        """The name of an allocation; *t* has just made it."""
        name = self.given.get(block)
        if name is None:
            name = self._name(block, "block", t)
            self.blocks[name] = block
        return name

    def known(self, number: int) -> tuple[str, Hashable]:
        """What a handle or an address names, or has named last."""
        name = self._handles.get(number)
        if name is not None:
            return "object", name
        if number in self._sim.handles:
            return "object", number
        block = self._sim.memory.find(number)
        if block is None:
            made = reversed(self.blocks.values())
            block = next((b for b in made if b.address <= number < b.address + max(b.size, b.capacity, 1)), None)
        return ("object", self.block(block) if block is not None else number)

    def of_host(self, address: int, t: HostThread | None = None) -> tuple[str, Hashable] | None:
        """Page-locked memory of the host by one of its addresses; None: it is not, and was not. *t* has just made it so."""
        block = self._sim.memory.find(address)
        if block is None:
            made = reversed(self.blocks.values())
            block = next((b for b in made if b.kind == "host" and b.address <= address < b.address + b.size), None)
        return None if block is None else ("object", self.block(block, t))

    def thread(self, t: HostThread | None) -> str:
        """The name of a host thread."""
        return self._thread_name(t)

    def task(self, task: Task) -> str:
        """The name of a task: its thread's n-th submit."""
        return f"{self._thread_name(task.thread)}:{task.number}"


def steady(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """*arguments* of a call without what another run may have elsewhere: process addresses, Python objects."""
    for value in arguments:
        kind = type(value)
        if (value >= SMALL and value < DEVICE_SIDE) if kind is int else value is not None and kind not in _PLAIN:
            return tuple([_steady(value) for value in arguments])
    return arguments


_PLAIN = frozenset({str, bytes, bool, float})


def _steady(value: Any) -> Any:
    kind = type(value)
    if kind is int:
        return value if value < SMALL or value >= DEVICE_SIDE else "address"
    if value is None or kind in _PLAIN:
        return value
    return kind.__name__
