"""The base class of observers: override the hooks that you need; the others cost nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ascend_sim.observers.guarded import guarded
from ascend_sim.runtime.hooks import HOOKS

if TYPE_CHECKING:
    from ascend_sim.errors import AclError
    from ascend_sim.findings.finding import Finding
    from ascend_sim.kernels.launching.accesses import BlockAccesses
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.machine.pool_region import PoolAllocation
    from ascend_sim.machine.virtual_memory import Mapping
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.event import Event
    from ascend_sim.runtime.memory.pools.pool import MemoryPool
    from ascend_sim.runtime.memory.told import Moved, Part
    from ascend_sim.runtime.memory.transfers import Place
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task, TaskFault
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Observer", "attach", "detach"]


class Observer:
    """Listens to one simulator. Attach it with `sim.attach(observer)`.

    Only overridden methods are registered. Hooks run inside the simulator: they must not call the API. Times are
    virtual nanoseconds, ranges of bytes are half-open offsets ``[lo, hi)`` in a block.

    >>> from ascend_sim import Observer, Simulator, ascendcl as C
    >>> class Sizes(Observer):
    ...     def __init__(self):
    ...         self.bytes = []
    ...     def allocated(self, t, block):
    ...         self.bytes.append(block.size)
    >>> with Simulator() as sim:
    ...     sizes = sim.attach(Sizes())
    ...     codes = C.aclrtSetDevice(0), C.aclrtMalloc(64, 0)[1]
    >>> sizes.bytes
    [64]
    """

    hears_operands = True
    """Whether its `api_entered` and `api_returned` are about calls that make and destroy operands of aclnn, too, which a
    framework makes by the dozen. Who says False is not asked for those of a framework."""

    guarded = False
    """Whether what it raises ends it, with a finding, in place of leaving the call of the program: of the tool's own."""
    title = "an observer"
    """What that finding calls it."""
    ended = False
    """It has raised, and hears nothing more."""
    registered: dict[tuple[str, Callable[..., Any]], Callable[..., Any]] | None = None
    """What stands in the hooks for (hook, listener) of it, when it is guarded."""
    resting: tuple[Observer, ...] = ()
    """Those that read what it keeps: they end with it."""

    def end(self) -> None:
        """It has raised: what it does besides hearing hooks ends as well."""

    def listeners(self) -> dict[str, Callable[..., Any]]:
        """What `attach` registers, by hook: the methods that the class overrides.

        Override it to register something else, such as the bound method of a container where a method of the observer
        would do no more than append: ``super().listeners() | {"recorded": self.calls.append}``.
        """
        names, methods = _overridden(_kind(self))
        return dict(zip(names, methods(self), strict=True))

    def api_entered(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """Thread *t* calls the C function *name*; of outermost calls only."""

    def api_returned(self, t: HostThread, name: str, result: Any) -> None:
        """The call returned *result*: what the C face hands out (outputs first, code last)."""

    def call_failed(self, t: HostThread, name: str, error: AclError) -> None:
        """The call fails: it will return *error*'s code."""

    def attached(self, t: HostThread) -> None:
        """A host thread calls for the first time; its fields are being set."""

    def handle_made(self, thing: Any, handle: int) -> None:
        """*thing*, which is being made, has got *handle*; ranges that are reserved and memory that is registered: an
        address."""

    def submitted(self, task: Task) -> None:
        """*task* was queued by `task.thread` on `task.stream`."""

    def started(self, task: Task, time: int) -> None:
        """A task with a gate, engine slots or a host side passed them at *time*. Plain tasks have no start of their own."""

    def completed(self, task: Task, fault: TaskFault | None) -> None:
        """*task* ended at `task.end`, with *fault* when it failed."""

    def failed(self, task: Task, fault: TaskFault) -> None:
        """*task* ended with *fault*."""

    def signalled(self, task: Task | HostThread, thing: Any, value: bool | None) -> None:
        """*task* has set (True) or cleared (False) the flag of *thing*, an event made WithFlag or a notify.

        For aclrtNotifyBatchReset *task* is the host thread that called it. *value* None: no flag
        changes; a callback is due that its stream does not wait for.
        """

    def passed(self, task: Task, time: int) -> None:
        """*task* passed its gate at *time*: an event, a flag, a notify, a watched value."""

    def ordered(
        self, call: str, t: HostThread, thing: Any, stream: Stream | None, task: Task | None, record: Task | None
    ) -> None:
        """A call that orders streams was made: *call* is ``record``, ``wait`` or ``reset``, *thing* an event or notify.

        *task*: what was queued, None for a wait that was dropped. *record*: what a wait is bound to, or was dropped for.
        ``synchronize``, without a stream: the host waited for an event that was never recorded, and so for nothing.
        """

    def replayed(self, task: Task, tasks: list[Task]) -> None:
        """*task* will execute a graph, and so *tasks*, none of which has begun; of a hand-built model one by one."""

    def forked(self, task: Task, firsts: list[Task], lasts: list[Task]) -> None:
        """*task*, the execution of a graph, has begun: *firsts*, the first task of each of its lanes, follow it.

        It will end when *lasts*, the last task of each lane, have ended; none are told where tasks decide what runs next.
        """

    def joined(self, task: Task, lasts: list[Task]) -> None:
        """*task*, the execution of a graph, ends: it follows *lasts*, the last task of each of its lanes."""

    def recorded(self, pair: tuple[Any, Task]) -> None:
        """An event or a notify was recorded by a task; told before ``ordered``, to whom the pair is enough.

        Programs record often: see `listeners` for how a container can listen by itself.
        """

    def record_ran(self, task: Task, time: int) -> None:
        """*task*, a plain record of an event, has run at *time*. While nobody listens, such tasks do nothing at all."""

    def awaited(
        self, call: str, t: HostThread, thing: Any, stream: Stream, task: Task | None, record: Task | None
    ) -> None:
        """A wait or a reset of ``ordered``, for who hears of records by ``recorded``.

        Here *call* may be ``refused``, too: the wait fails, since the event was never recorded.
        """

    def waited(self, t: HostThread, stream: Stream) -> None:
        """Thread *t* has waited for all that it had queued, or knew to be queued, on *stream*."""

    def stopped(self, t: HostThread, stream: Stream) -> None:
        """Thread *t* is told that *stream* was aborted or stopped: what it had queued there has run, or was dropped."""

    def polled(self, t: HostThread, thing: Event | Stream, record: Task | None, done: bool, waited: bool) -> None:
        """Thread *t* asked whether *record* (the latest of an event, None: there is none), or all of a stream, is done.

        *waited*: it waited until then (aclrtSynchronizeEvent).
        """

    def timed_out(self, who: HostThread | Task, what: str) -> None:
        """A wait of a host thread, or of a task on the device, ended by its time limit."""

    def stalled(self, t: HostThread, what: str) -> None:
        """A call of *t* had to wait for room: in a full queue, or for a hardware event."""

    def stream_ended(self, stream: Stream) -> None:
        """*stream* was destroyed; nothing of it runs any more."""

    def dropped(self, t: HostThread, stream: Stream) -> None:
        """aclrtDestroyStreamForce is about to drop what is queued on *stream*."""

    def allocated(self, t: HostThread | None, block: Allocation) -> None:
        """Memory was handed out."""

    def freed(self, t: HostThread | None, block: Allocation) -> None:
        """Memory was given back."""

    def published(self, t: HostThread, thing: object) -> None:
        """Other processes can have *thing* from now on: memory, which they can write; an event; a notify."""

    def imported(self, t: HostThread, thing: object) -> None:
        """*thing* is this process's part of what another one has exported: memory, an event, a notify."""

    def mapped(self, t: HostThread, mapping: Mapping) -> None:
        """Physical memory can be seen at the addresses of *mapping*."""

    def unmapped(self, t: HostThread, mapping: Mapping) -> None:
        """*mapping* is about to go; its physical memory may live on."""

    def block_begun(self, task: Task, block: PoolAllocation) -> None:
        """*task*, of aclrtMemPoolMallocAsync, has run: *block* may be used by what comes after it."""

    def block_ended(self, task: Task, block: PoolAllocation) -> None:
        """*task*, of aclrtMemPoolFreeAsync, has run: *block* is the pool's again. `freed` is told as well, after this."""

    def pool_used(self, t: HostThread, pool: MemoryPool) -> None:
        """A call of *t* takes from *pool*, gives to it, or asks about it: one after the other, in the order of calls."""

    def pool_asked(self, who: Task | HostThread, free: Task, done: bool) -> None:
        """The pool looked whether *free*, of aclrtMemPoolFreeAsync, has run: for a trim by the host, or for a block."""

    def pool_gone(self, t: HostThread, pool: MemoryPool, tasks: list[Task]) -> None:
        """*pool* is being destroyed; *tasks* are the latest allocations and frees of what is in it."""

    def accessed(self, who: Task | HostThread, block: Allocation, lo: int, hi: int, write: bool) -> None:
        """Bytes [lo, hi) of *block* (offsets) were read or written by a task at its end, or by a host call.

        *write* is 2 for an atomic update. What the blocks of a kernel touch comes merged. For mapped memory *block* is
        the physical memory, whatever the address was.
        """

    def accessed_through(self, who: Task | HostThread, mapping: Mapping, lo: int, hi: int, write: bool) -> None:
        """An access, told by `accessed` before, was made through *mapping*; only of memory that has several."""

    def accessed_parts(
        self, who: Task | HostThread, block: Allocation, parts: list[tuple[int, int]], write: bool
    ) -> None:
        """Many *parts* [lo, hi) of *block*, sorted and disjoint, were accessed: in place of an `accessed` for each."""

    def accessed_rows(
        self, who: Task | HostThread, block: Allocation, lo: int, width: int, pitch: int, rows: int, write: bool
    ) -> None:
        """*rows* rows of *width* bytes were accessed, *pitch* apart, of which the first begins at *lo*."""

    def copied(self, who: Task | HostThread, to: Allocation | None, source: Allocation | None, part: Part) -> None:
        """A copy is about to happen; its accesses are told after this. None: host memory of others."""

    def moved(self, task: Task, what: Moved) -> None:
        """An operator that only moves elements is about to do so; its accesses were told before this."""

    def copy_queued(self, task: Task, source: Place) -> None:
        """A copy was queued that will read *source* when it runs."""

    def blocks_ran(self, task: Task, found: BlockAccesses) -> None:
        """The blocks of a launch have run and touched what *found* says, block by block."""

    def callback_started(self, t: HostThread, task: Task | None) -> None:
        """A host callback of *task* begins on thread *t*."""

    def callback_ended(self, t: HostThread, task: Task | None) -> None:
        """The callback of *task* has returned on thread *t*."""

    def marked(self, t: HostThread, kind: str, text: str, start: int, end: int) -> None:
        """The program's profiler got a mark (*kind* ``mark``), or a range is over: it began at *start* and ends now.

        *kind*: ``push`` and ``range`` (of stamps), ``step`` (of a training loop), ``tensors`` (aclprofRangePop).
        """

    def found(self, finding: Finding) -> None:
        """A finding was recorded."""

    def stale_used(self, t: HostThread, handle: int, kind: str) -> None:
        """*t* named a handle that is no live *kind* (``stream``, ``event``, ``notify``)."""

    def device_reset(self, t: HostThread, device: int, things: list[Any]) -> None:
        """The last aclrtResetDevice of *device*: *things* (streams, blocks, events) of the program die with it."""

    def finalized(self, sim: Runtime) -> None:
        """aclFinalize really finalised the process."""

    def closed(self, sim: Runtime) -> None:
        """The simulator is being closed; the last hook of all."""


def _kind(observer: Observer) -> Any:
    return type(observer)


@lru_cache(maxsize=256)  # simulators come and go, and with them observers of the same few kinds
def _overridden(kind: Any) -> tuple[list[str], Callable[[Observer], Iterable[Callable[..., Any]]]]:
    """The hooks that *kind* overrides, and what gets the methods of an observer of that kind."""
    names = [name for name in HOOKS if getattr(kind, name) is not getattr(Observer, name)]
    if len(names) < 2:  # attrgetter makes a tuple of several only
        return names, lambda observer: [getattr(observer, name) for name in names]
    return names, attrgetter(*names)


def attach(sim: Runtime, observer: Observer) -> None:
    """Register the listeners of *observer* with *sim*."""
    listeners = observer.listeners()
    if observer.guarded and not sim.scheduler.schedule.drives:  # a search tells each run that ends with an error
        listeners = _guarded(sim, observer, listeners)
    sim.hooks.add_all(listeners)


def _guarded(
    sim: Runtime, observer: Observer, listeners: dict[str, Callable[..., Any]]
) -> dict[str, Callable[..., Any]]:
    """*listeners* with a fence around each; `detach` finds them again."""
    fenced = {name: guarded(sim, observer, listen) for name, listen in listeners.items()}
    if observer.registered is None:  # not by its dictionary: who asks for that makes all its attributes slower
        observer.registered = {}
    observer.registered.update(zip(listeners.items(), fenced.values(), strict=True))
    return fenced


def listen(sim: Runtime, observer: Observer, name: str, function: Callable[..., Any]) -> None:
    """Let *function*, of *observer* or a part of it, hear hook *name* from now on."""
    if observer.ended:
        return
    if observer.guarded and not sim.scheduler.schedule.drives:
        function = _guarded(sim, observer, {name: function})[name]
    sim.hooks.add(name, function)


def unlisten(sim: Runtime, observer: Observer, name: str, function: Callable[..., Any]) -> None:
    """Undo `listen`."""
    sim.hooks.remove(name, (observer.registered or {}).pop((name, function), function))


def detach(sim: Runtime, observer: Observer) -> None:
    """Undo `attach`."""
    for name, function in observer.listeners().items():
        unlisten(sim, observer, name, function)
