"""The wait-for graph of host threads: finds the threads of a deadlock, and describes each wait for its report.

The graph is read only when a hang is found: a thread's `why` describes its wait and names who could end it (streams,
threads, further reasons). Running threads pay nothing for it.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Hashable, Iterable
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.threads.host_threads import HostThread
from ascend_sim.source.callsite import shown_path

if TYPE_CHECKING:
    from ascend_sim.runtime.scheduler import Reason

__all__ = [
    "behind",
    "frames",
    "victims",
    "innermost",
    "lines",
    "report_endless_poll",
    "site",
    "waits_for_threads",
    "where",
]

_LIBRARY = os.path.dirname(os.path.abspath(os.__file__))
_WAITING_MODULES = ("threading.py", "queue.py", "selectors.py", os.path.join("concurrent", "futures"), "asyncio")
_QUIET = (
    PACKAGE + os.sep,
    "<ascendcl>",
    "<pyacl>",
    *(os.path.join(_LIBRARY, name) for name in _WAITING_MODULES),
)


def site(frame: FrameType | None) -> str:
    """``FILE:LINE`` of the innermost frame that is neither the simulator's nor a waiting function of the library.

    The file is relative to the working directory when it is below it.
    """
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(_QUIET):
            return f"{shown_path(name)}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def where(thread: HostThread) -> str:
    """Where *thread* is now, as ``FILE:LINE``; empty when it cannot be told."""
    return site(innermost(thread.os_ident))


def waits_for_threads(frame: FrameType | None) -> bool:
    """True when innermost *frame* stands in threading or queue, in a wait without time-out for another thread."""
    if frame is None or not frame.f_code.co_filename.endswith(("threading.py", "queue.py")):
        return False
    timeout = frame.f_locals.get("timeout")
    return timeout is None or timeout == -1


def frames(depth: int = 2) -> dict[int, FrameType]:
    """The innermost Python frame of each thread; of the calling one that of *depth* calls further out.

    A function whose variables have its own frame is a circle: that frame, and all that called it, would keep their
    variables until a collection, the program's among them.

    Python 3.10 and 3.11 hold the lock of their list of threads meanwhile, and a garbage collection that starts there
    and frees a `threading.local` waits for that lock for ever. So there must be none.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        found = sys._current_frames()
    finally:
        if collects:
            gc.enable()
    found[threading.get_ident()] = sys._getframe(depth)
    return found


def innermost(ident: int) -> FrameType | None:
    """The innermost Python frame of the thread *ident*; of the calling one that of the caller's caller."""
    return frames(3).get(ident)


def library_call(ident: int) -> str:
    """What thread *ident* waits for when it stands in a condition of the standard library; empty for a plain lock.

    Conditions, events, semaphores and queues are built from locks that nobody holds: only the stack tells them apart.
    """
    call, owners = _library_call(innermost(ident))
    what = f"a lock held by {' and '.join(owner.name for owner in owners)}" if owners else "another thread"
    return f"{what}, in {call}" if call else ""


def owners_in_call(ident: int) -> list[HostThread]:
    """Who holds what thread *ident* waits for in that condition, where that is a lock that knows."""
    return _library_call(innermost(ident))[1]


def _library_call(frame: FrameType | None) -> tuple[str, list[HostThread]]:
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    call, waits, owners = "", False, list[HostThread]()
    while frame is not None and frame.f_code.co_filename.startswith(_QUIET):
        waits = waits or frame.f_code.co_name == "wait"
        owner = frame.f_locals.get("self")
        name = frame.f_code.co_name
        call = f"{type(owner).__name__}.{name}" if owner is not None else name
        call = getattr(owner, "c_names", {}).get(name, call)
        holding = getattr(owner, "holding", None)
        owners = holding() if holding is not None else owners
        frame = frame.f_back
    return (call, owners) if waits else ("", [])


def behind(reason: Reason | None) -> list[HostThread]:
    """The host threads that could end a wait, through streams and further reasons, in the order found."""
    found: dict[int, HostThread] = {}
    seen: set[int] = set()
    todo: list[object] = list(reason.holders()) if reason is not None else []
    while todo:
        node = todo.pop(0)
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, HostThread):
            found.setdefault(node.number, node)
        else:
            todo.extend(_holders(node))
    return list(found.values())


def _holders(node: object) -> list[object]:
    holders = getattr(node, "holders", None)
    return list(holders()) if holders is not None else []


def lines(threads: Iterable[HostThread]) -> list[str]:
    """One line a blocked thread: what it waits for, who could end that, and where it stands."""
    return [_line(thread) for thread in threads]


def _line(thread: HostThread) -> str:
    why = thread.why
    what = why.describe() if why is not None else "something that never happens"
    place = where(thread)
    text = f"{thread.name}: waits for {what}"
    chain = _chain(why)
    if chain:
        text += f" ({chain})"
    return f"{text} at {place}" if place else text


def _chain(reason: Reason | None) -> str:
    """The first way from a reason to whoever is at its end: ``which is up to A, which waits for B``."""
    parts: list[str] = []
    seen: set[int] = set()
    nodes = list(reason.holders()) if reason is not None else []
    while nodes and id(nodes[0]) not in seen and len(parts) < 8:
        node = nodes[0]
        seen.add(id(node))
        describe = getattr(node, "describe", None)
        if describe is not None:
            text = str(describe())
            if reason is not None and text not in reason.describe():
                parts.append(text)
        if isinstance(node, HostThread):
            break
        nodes = _holders(node)
    return "which is up to " + ", which is up to ".join(parts) if parts else ""


def victims(blocked: list[HostThread]) -> list[HostThread]:
    """The smallest set of *blocked* threads whose waits must be broken so that the rest can go on.

    A cycle of waits first; else who waits in an API call; else the main thread; else the non-daemon threads. Threads of
    the engine are never among them: they wait for work.
    """
    candidates = [t for t in blocked if not t.service]
    if not candidates:
        return []
    cycle = _smallest_cycle(candidates)
    if cycle:
        return cycle
    calls = [t for t in candidates if t.awaited is not None]
    lasting = [t for t in calls if not t.daemon]
    if lasting:
        return lasting
    main = [t for t in candidates if t.number == 0]
    waited_for = {t.number for m in main for t in behind(m.why)}
    needed = [t for t in calls if t.number in waited_for]
    return needed or main or [t for t in candidates if not t.daemon] or candidates


def _smallest_cycle(threads: list[HostThread]) -> list[HostThread]:
    known = {t.number: t for t in threads}
    ahead = {t.number: [h.number for h in behind(t.why) if h.number in known] for t in threads}
    best: list[int] = []
    for start in sorted(ahead):
        path = _way_back(start, ahead)
        if path and (not best or len(path) < len(best)):
            best = path
    return [known[number] for number in sorted(best)]


def _way_back(start: int, ahead: dict[int, list[int]]) -> list[int]:
    """The shortest way from *start* to itself; empty when there is none."""
    came: dict[int, int] = {}
    todo = [start]
    for node in todo:
        for following in ahead[node]:
            if following == start:
                path = [node]
                while path[-1] != start:
                    path.append(came[path[-1]])
                return path
            if following not in came:
                came[following] = node
                todo.append(following)
    return []


class PollReason:
    """The wait of a thread that repeats one poll again and again."""

    __slots__ = ("asked", "count", "thread")

    def __init__(self, thread: HostThread, count: int, key: Hashable) -> None:
        self.thread = thread
        self.count = count
        keys = key if isinstance(key, tuple) else (key,)
        handles = getattr(thread.sim, "handles", {})
        self.asked: Any = next((handles[key] for key in keys if key in handles), None)
        """The stream or event that is polled."""

    def describe(self) -> str:
        """What was asked, and how often."""
        what = self.thread.call or "a query"
        about = f" about {self.asked.describe()}" if hasattr(self.asked, "describe") else ""
        if getattr(self.asked, "latest", self) is None:
            about += ", which was never recorded,"
        return f"{what}{about} to change its answer (asked {self.count} times)"

    def holders(self) -> list[object]:
        """The stream that was asked about, or the one of the newest record of the event."""
        if hasattr(self.asked, "latest"):
            return [] if self.asked.latest is None or self.asked.latest.over() else [self.asked.latest.stream]
        return [self.asked] if self.asked is not None else []


class TimedReason:
    """The wait of a thread that waits for *why* with a time-out again and again."""

    __slots__ = ("count", "why")

    def __init__(self, why: Reason, count: int) -> None:
        self.why = why
        self.count = count

    def describe(self) -> str:
        """What was waited for, and how often."""
        return f"{self.why.describe()}, whose time-out has ended {self.count} times"

    def holders(self) -> list[object]:
        """Those that could end the wait."""
        return list(self.why.holders())


def report_endless_poll(t: HostThread, key: Hashable, count: int, why: Reason | None = None) -> NoReturn:
    """Report *t*, which has asked *key* for the *count*-th time in vain, and raise SimulatedHang in it.

    *why*: it did not ask, it waited for this with a time-out. Where another thread stands in a call that nothing ends, and
    that does not wait for *t*, it is told: *t* may go round until that one is done.
    """
    t.polls.clear()
    t.why = PollReason(t, count, key) if why is None else TimedReason(why, count)
    try:
        stuck = [b for b in t.threads.blocked() if b is not t and not b.service and b.awaited is not None]
        threads = [*(b for b in stuck if b.deadline is None and t not in behind(b.why)), t]
        found = lines(threads)
        t.threads.say_deadlock(threads, found)
    finally:
        t.why = None
    raise SimulatedHang(t.threads.words("\n".join(found)))
