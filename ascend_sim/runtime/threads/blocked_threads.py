"""Detects threads blocked in the OS; releases their run token.

A thread with the run token may read from a socket, wait for a process, or take a lock inside an extension module. The
group cannot see that; only the operating system can. The monitor is a plain thread that looks every 10 ms while two or
more threads are attached. A thread that sleeps for 50 ms without using the processor counts as blocked; so does one
that runs a loop which changes nothing for a second of processor time (``while not flag: pass``). One that computes does
not, however long it takes; of one that runs outside of Python that cannot be told, and it counts as blocked after a second
of processor time.

Where a controller decides who goes on, runs are repeated and compared: a thread that only takes its time must keep the
run token, on a busy machine too. There a thread counts as blocked when nothing but the group can wake it: it has long
been asleep with no time-out of its own, the program has no child, and no other thread of the process has run meanwhile.
"""

from __future__ import annotations

import os
import time
from _thread import allocate_lock, get_ident, get_native_id, start_new_thread
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, ClassVar, Final
from weakref import ref

from ascend_sim.runtime.threads import other_processes, wait_graph
from ascend_sim.runtime.threads.child_processes import children_of
from ascend_sim.runtime.threads.host_threads import finalizing
from ascend_sim.runtime.threads.os_thread import READY, WAITING, OSThread
from ascend_sim.runtime.threads.real_time import STUCK_NS
from ascend_sim.source.callsite import points_of
from ascend_sim.source.frames import installed, internal

if TYPE_CHECKING:
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads

__all__ = ["Monitor", "thread_state"]

_sleep = time.sleep
_real_ns = time.monotonic_ns

LOOK_SECONDS: Final = 0.01
ASLEEP_NS: Final = 50_000_000
ASLEEP_LOOKS: Final = 5
BUSY_SHARE: Final = 0.01
"""Share of the time for which a thread that sleeps in every look may have run: one that waits for the interpreter's
lock, or for a processor, has it again and again, one that waits in a system call does not."""
_CLOCK_OF_THREAD: Final = 6
"""The low bits of a Linux clock id: the processor time of the one thread whose number the others hold, inverted."""
SPINNING_NS: Final = 1_000_000_000
SPINNING_LOOKS: Final = 20
UNREAD_NS: Final = 10_000_000_000
"""SPINNING_NS for a thread whose variables nobody may read, since what ends there may call."""
BLIND_NS: Final = 1_000_000_000
"""Where the state of a thread cannot be read: real ns without a step into the group."""
QUIET_NS: Final = 1_000_000_000
"""Where a controller decides: real ns for which the whole process has to be quiet,"""
UNSURE_NS: Final = 30_000_000_000
"""and for which a thread may be away that could come back by itself."""
TIMED_CALLS: Final = {
    "x86_64": frozenset({"35", "230", "61", "247"}),
    "aarch64": frozenset({"101", "115", "260", "95"}),
}
"""System calls that end without any thread of the process: nanosleep, clock_nanosleep, wait4, waitid."""
FUTEX: Final = {"x86_64": "202", "aarch64": "98"}
"""The one of locks; its fifth word is the time-out."""

_PLAIN: Final = frozenset({int, float, complex, bool, str, bytes, type(None)})
PARTS_OF_STEPS: Final = ("ascend_sim.aclnn.", "ascend_sim.ops.", "ascend_sim.findings.")
"""Modules whose functions compute what a task of the device does, or tell of it: they wait for no thread of the program."""
_DEBUGGERS = ("bdb.py", "pdb.py", "pydevd.py", "pydevd_frame.py")


def thread_state(native_id: int) -> tuple[str, int]:
    """The state letter of a thread of this process, and the processor time (ns) it has used; ``?``: unknown here."""
    try:
        with open(f"/proc/self/task/{native_id}/stat", "rb", buffering=0) as file:
            stat = file.read()
    except OSError:
        return "?", 0
    state = stat[stat.rindex(b")") + 2 :].split(None, 1)[0].decode()
    try:
        return state, time.clock_gettime_ns(~native_id << 3 | _CLOCK_OF_THREAD)
    except OSError:  # it has just ended
        return "?", 0


def threads_of_process() -> dict[int, tuple[str, int]]:
    """`thread_state` of each thread of the process, by its number; empty: unknown here."""
    try:
        return {int(name): thread_state(int(name)) for name in os.listdir("/proc/self/task")}
    except OSError:
        return {}


def ends_by_itself(native_id: int) -> bool:
    """Whether the thread *native_id*, which sleeps, does so until a time, or waits for a child; False: not known."""
    try:
        with open(f"/proc/self/task/{native_id}/syscall", "rb", buffering=0) as file:
            words = file.read().decode().split()
    except OSError:
        return False
    machine = os.uname().machine
    if len(words) < 5 or machine not in FUTEX:
        return False
    return words[0] in TIMED_CALLS[machine] or (words[0] == FUTEX[machine] and words[4] != "0x0")


class _Watch:
    """What the monitor has seen of the thread with the run token since that made its last step."""

    def __init__(self, r: OSThread) -> None:
        self.os_thread = r
        self.operations = r.operations
        self.since = _real_ns()
        self.asleep_since = 0
        self.asleep = 0
        self.processor = 0
        self.used = -1
        """The processor time (ns) of the thread at the first look."""
        self.others: dict[int, int] = {}
        """The processor time (ns) of the other threads of the process when all of them were seen asleep first,"""
        self.quiet_since = 0
        """and when that was (real ns)."""
        self.frames: list[int] = []
        """The frames of the thread that have been there since the first look, by `id`, outermost first. None is held, and
        no value in them: who lets go of a frame last frees what it has, and what a program ends may call."""
        self.places: list[int] = []
        self.values: list[tuple[object, int]] = []

    def holds(self, r: OSThread | None) -> bool:
        """Whether it is still about the same stretch of the same thread."""
        return r is self.os_thread and r.operations == self.operations


class Monitor:
    """Watches the thread that has the run token of *group*."""

    idents: ClassVar[set[int]] = set()
    """OS idents of all monitors of the process; no group takes them for threads of the program."""
    collection: ClassVar[tuple[Callable[[], None], Callable[[], None]] | None] = None
    """(pause, resume) of garbage collection, where what it ends may call: the thread that looks must not wait for others."""

    def __init__(self, group: DeterministicThreads) -> None:
        self.group = group
        self.started = False
        self.stopped = False
        self.said: set[int] = set()
        self._gate = allocate_lock()
        self._gate.acquire()
        self._starting = allocate_lock()
        self._paused: tuple[Callable[[], None], Callable[[], None]] | None = None

    def wake(self) -> None:
        """A second thread came. Where the operating system has no thread for it, nobody watches: `started` says so."""
        with self._starting:
            if not self.started:
                with suppress(RuntimeError, MemoryError):
                    start_new_thread(self._run, ())
                    self.started = True
            elif self._gate.locked():
                self._gate.release()

    def stop(self) -> None:
        """End it; who asks for it later needs another one."""
        self.stopped = True
        if self.started:
            self.wake()

    def _rest(self) -> bool:
        """One thread is left. False: end, since a group without patches may be forgotten any time."""
        with self._starting:
            if self.group.multi:
                return True
            if self.group.patches is None:
                self.started = False
                return False
        self._pause(False)
        self._gate.acquire()
        self._pause(True)
        return True

    def _run(self) -> None:
        self.idents.add(get_ident())
        self._pause(True)
        try:
            self._look()
        finally:
            self._pause(False)
            self.idents.discard(get_ident())

    def _pause(self, pause: bool) -> None:
        """Begin to work, or to rest."""
        collection = self.collection
        if pause and collection is not None:
            self._paused = collection
            collection[0]()
        elif not pause and self._paused is not None:
            paused, self._paused = self._paused, None
            paused[1]()

    def _look(self) -> None:
        watch: _Watch | None = None
        while not self.stopped and not finalizing():
            group = self.group
            if not group.multi:
                if not self._rest():
                    return
                watch = None
                continue
            self._pause(False)
            _sleep(LOOK_SECONDS)
            self._pause(True)
            r = group.holder
            if r is None or group.idle or r.exempt or r.inside or not group.active:
                watch = None
                continue
            if watch is None or not watch.holds(r):
                watch = _Watch(r)
                continue
            controller = group.controller
            gone = self._gone(watch)
            if controller is not None and controller.decides:
                gone = self._gone_for_good(watch, gone)
            if gone and watch.holds(group.holder) and not self._decides(r):
                if self._needed(r):
                    self._revoke(watch)
                    watch = None
                elif _real_ns() - watch.since > STUCK_NS:
                    group.report_stuck([r])

    def _decides(self, r: OSThread) -> bool:
        """Whether *r* waits soon or chooses who is next: it needs but Python's lock, or the processor of a busy
        machine.

        Who took the run token from it then would choose at the same time, and it would be taken for one that is away.
        """
        group = self.group
        place, frame = group._next.__code__.co_filename, wait_graph.innermost(r.ident)
        if group.driving:
            return _computes(frame)
        while frame is not None and internal(frame.f_code):
            if frame.f_code.co_filename == place:
                return True
            frame = frame.f_back
        return False

    def _gone(self, watch: _Watch) -> bool:
        """Whether the thread sleeps, or spins."""
        now = _real_ns()
        state, processor = thread_state(watch.os_thread.native_id)
        if state == "?":
            return now - watch.since > BLIND_NS and not _debugged(watch.os_thread)
        if state == "S":
            watch.asleep += 1
            if watch.asleep == 1:
                watch.asleep_since, watch.processor = now, processor
                return False
            asleep = now - watch.asleep_since
            idle = processor - watch.processor < asleep * BUSY_SHARE
            if idle and watch.asleep > ASLEEP_LOOKS and asleep > ASLEEP_NS:
                return not _debugged(watch.os_thread)
            if not idle:
                watch.asleep = 0
            return False
        watch.asleep = 0
        if watch.used < 0:
            watch.used = processor
        ran = processor - watch.used
        if ran < SPINNING_NS // 2:  # most threads make a step long before anybody has to look at what they do
            return False
        if wait_graph.innermost(watch.os_thread.ident) is None:  # in C, where nobody sees whether it computes or spins
            return ran > SPINNING_NS
        reads = self.collection is None
        spins = _spins(watch, reads) and ran > (SPINNING_NS if reads else UNREAD_NS)
        return spins and not _debugged(watch.os_thread)

    def _gone_for_good(self, watch: _Watch, gone: bool) -> bool:
        """Whether only the group can bring back the thread, which sleeps or spins now when *gone*."""
        if not gone or self.group.driving:  # what runs in a step of the device is a part of that step
            watch.quiet_since = 0
            return False
        now, r = _real_ns(), watch.os_thread
        if now - watch.since > UNSURE_NS:
            return True
        states = threads_of_process()
        own = {r.native_id, get_native_id()}
        used = {number: processor for number, (_, processor) in states.items() if number not in own}
        awake = any(state not in "S?" for number, (state, _) in states.items() if number not in own)
        if watch.quiet_since and used.keys() == watch.others.keys() and not awake:
            spent = sum(used.values()) - sum(watch.others.values())
            quiet = now - watch.quiet_since
            if spent <= quiet * BUSY_SHARE:
                return quiet > QUIET_NS and not ends_by_itself(r.native_id) and not any(children_of())
        watch.quiet_since, watch.others = 0 if awake else now, used
        return False

    def _needed(self, r: OSThread) -> bool:
        """Whether anyone could use the run token. Taking it for nothing would only cost the run its determinism."""
        group = self.group
        others = [o for o in list(group.os_threads.values()) if o is not r]
        return (
            group.has_messages()
            or any(o.state == READY or (o.state == WAITING and o.deadline is not None) for o in others)
            or any(side.heap for side in group.sides)
            or other_processes.awaited(group.others)
        )

    def _revoke(self, watch: _Watch) -> None:
        group, r = self.group, watch.os_thread
        with group._mutex:
            # A step of a thread counts it first and then looks who holds the token; to hand it over takes no lock. Of
            # what follows each test and its assignment are one: the interpreter changes threads at calls and jumps back.
            if group.holder is not r:  # it has handed the token over meanwhile
                return
            group.holder = None
            if r.operations != watch.operations:  # it made a step just now
                if group.holder is None:  # it keeps the run token, or has handed it over
                    group.holder = r
                return
            group.mark_os_blocked(r)
            if not watch.asleep:
                r.spun = {other: other.operations for other in list(group.os_threads.values()) if other is not r}
        self._say(r)
        group.pass_token()

    def _say(self, r: OSThread) -> None:
        group = self.group
        if group.is_child and not any(t.call for t in group.attached()):
            return  # a child without calls, such as a worker that loads data: the order of its threads is its own matter
        alone = all(other.service or other is r for other in list(group.os_threads.values()))
        if r.number not in self.said and not (alone and group.others):  # only the device goes on meanwhile
            self.said.add(r.number)
            here = points_of(wait_graph.innermost(r.host.os_ident))
            stand = "waits here" if here else "waits in code that is not Python"
            group.note("order-depends-on-clock", f"{r.host.name} waits outside the simulator", (stand, here))


def _computes(frame: FrameType | None) -> bool:
    """Whether the simulator computes an operator here, or tells of a finding, in a step of the device.

    That waits for no thread of the program. It may sleep all the same: torch and BLAS wait for threads of their own, long on
    a busy machine, a report for who reads it, or for a tool that knows lines. Others that went on meanwhile would wait for
    the step, and the step for them.
    """
    while frame is not None and (internal(frame.f_code) or installed(frame.f_code.co_filename)):
        if str(frame.f_globals.get("__name__")).startswith(PARTS_OF_STEPS):
            return True
        frame = frame.f_back
    return False


def _spins(watch: _Watch, reads: bool) -> bool:
    """Whether the looks so far saw one frame go round and round with the same values in its variables, when it *reads* them.

    The innermost frame that they have in common, and below which things change, is the loop. A loop that computes changes
    a variable, of that frame or of one around it; one that waits for a flag does not. To read a variable is to hold what
    it has: `f_locals` keeps a copy with the frame, and the next look ends what only that copy has left.
    """
    stack: list[FrameType] = []
    frame = wait_graph.innermost(watch.os_thread.ident)
    while frame is not None:
        stack.append(frame)
        frame = frame.f_back
    stack.reverse()
    if not stack:
        return False
    frames = [id(one) for one in stack]
    if not watch.frames:
        watch.frames = frames
        watch.values = []
        return False
    common = 0
    for old, new in zip(watch.frames, frames):  # noqa: B905 - the stacks differ in depth
        if old != new:
            break
        common += 1
    if not common:
        watch.frames = []
        return False
    if common < len(watch.frames):
        watch.frames = frames[:common]
        watch.places, watch.values = [], []
    loop = stack[common - 1]
    # A function that is called again may get a frame at the same address: then a variable around its call changes.
    values = [_mark(value) for one in stack[:common] for value in list(one.f_locals.values())] if reads else []
    same = len(watch.values) == len(values) and all(
        old is new and at == where
        for (old, at), (new, where) in zip(watch.values, values)  # noqa: B905 - they are as many
    )
    if not same:
        watch.places, watch.values = [], values
        return False
    watch.places.append(loop.f_lasti)
    places = watch.places
    from opcode import opname  # a library of its own, for threads that wait in a loop

    jumps = {place for place in places if "JUMP" in opname[loop.f_code.co_code[place]]}
    went_back = bool(jumps) or any(places[i] < places[i - 1] for i in range(1, len(places)))
    return len(places) >= SPINNING_LOOKS and went_back


def _mark(value: object) -> tuple[object, int]:
    """What tells *value* from others later without keeping it alive: something that stands for it, and its address.

    Plain values end nothing when they end: they are held, since their addresses come again soon. The weak reference of
    an object is the same one as long as that lives.
    """
    if type(value) in _PLAIN:
        return value, 0
    try:
        return ref(value), id(value)
    except TypeError:
        return None, id(value)


def _debugged(r: OSThread) -> bool:
    """Whether the thread stands in a debugger: it is not blocked, and all others stand, too."""
    frame = wait_graph.innermost(r.ident)
    while frame is not None:
        if os.path.basename(frame.f_code.co_filename) in _DEBUGGERS:
            return True
        frame = frame.f_back
    return False
