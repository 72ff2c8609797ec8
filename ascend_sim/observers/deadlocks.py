"""Findings of deadlocks: the chain of waits, from the call of a thread to the end or back to its start.

:mod:`ascend_sim.runtime.threads.wait_graph` finds the threads; here the way from each of them is followed through
streams, their heads and their gates, and put into words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import Names
from ascend_sim.runtime.event import FlagGate, RecordGate
from ascend_sim.runtime.notify import NotifyGate
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Task
from ascend_sim.runtime.threads import wait_graph
from ascend_sim.runtime.threads.host_threads import HostThread
from ascend_sim.source.callsite import Point, in_call, points, points_of
from ascend_sim.source.fence import fenced
from ascend_sim.source.frames import outside

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime

__all__ = ["deadlock", "tell"]

MOST_LINKS = 16
NEVER_ENDED = "nothing had ended that wait when the program ended"


def _plainly(sim: Runtime, threads: Sequence[HostThread], lines: Sequence[str]) -> None:
    """What is said when the chain of waits cannot be followed, or put into words."""
    fields = _bare(sim.names, threads, lines)
    sim.report("deadlock", "error" if threads[0].deadline is None else "warning", **fields)


def _bare(names: Names, threads: Sequence[HostThread], lines: Sequence[str]) -> dict[str, Any]:
    """The fields of `deadlock` without names and advice."""
    first = threads[0]
    return {
        "title": f"{first.name} waits, and nobody can end it",
        "sites": [Site("wait", f"{t.name} waits here", t.site, primary=t is first) for t in threads],
        "notes": tuple(lines),
        "time_ns": first.clock,
    }


class _Link:
    """One who waits: its name, what it waits for, and the call that made it wait."""

    def __init__(self, node: object, name: str, wanted: str, points: Any) -> None:
        self.node = node
        self.name = name
        self.wanted = wanted
        self.points = points


@fenced(_plainly)
def tell(sim: Runtime, threads: Sequence[HostThread], lines: Sequence[str]) -> None:
    """Report that *threads* hang; once, though the interpreter, when it ends, waits for the same threads again.

    Where a time-out ends the wait the program goes on and can clear the cause, by an abort: that is a warning. It becomes
    an error when the program has ended and never did (docs/semantics/threads.md#hangs).
    """
    fields = deadlock(sim.names, threads, lines)
    fields["notes"] += tuple(text for ask in sim.hang_notes if (text := ask()))
    known = next((f for f in sim.findings if f.kind == "deadlock" and f.title == fields["title"]), None)
    if known is not None and known.primary is not None and known.primary.frames[:1] == fields["sites"][0].frames[:1]:
        fields["sites"] = known.sites  # the wait itself; who else stands where has changed
    if known is not None and not fields["sites"][0].frames:
        sim.findings.follow(known.id, f"the program cannot end: {fields['sites'][0].text}")
    else:
        limited = threads[0].deadline is not None
        finding = sim.report("deadlock", "warning" if limited else "error", **fields)
        if limited:
            sim.part(TimedOutWaits).add(finding.id, _stuck(threads[0]))
        elif finding.severity == "warning":  # it was met before, with a time-out
            sim.findings.harden(finding.id, "it was tried again and again, and nothing ends it")


class TimedOutWaits:
    """What was waited for when a time-out was the only end: the findings become errors if nothing else ends it."""

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self._stuck: dict[str, Task] = {}
        """By the finding: the latest task."""
        sim.at_close.append(self._look)

    def add(self, finding: str, task: Task | None) -> None:
        """The wait that *finding* is about hangs on *task*."""
        if task is not None:
            self._stuck[finding] = task

    def _look(self) -> None:
        for finding, task in self._stuck.items():
            if not task.over() and self._sim.findings.severity(finding) == "warning":
                self._sim.findings.harden(finding, NEVER_ENDED)


def _stuck(thread: HostThread) -> Task | None:
    """The task that *thread* waits for, which nothing lets go on; None when it waits for no stream."""
    todo: list[Any] = list(thread.why.holders()) if thread.why is not None else []
    seen: list[object] = []
    while todo:
        node = todo.pop(0)
        if isinstance(node, Stream) and node.queue:
            return node.queue[0]
        if node not in seen and not isinstance(node, HostThread):
            seen.append(node)
            todo += getattr(node, "holders", list)()
    return None


@fenced(_bare)
def deadlock(names: Names, threads: Sequence[HostThread], lines: Sequence[str]) -> dict[str, Any]:
    """The fields of the finding about *threads*, which hang; *lines* has one line for every blocked thread."""
    chain, end = _follow(names, threads[0])
    steps = [link.name for link in chain]
    known = {id(link.node) for link in chain}
    if id(end) in known:  # a circle: it begins where the chain comes back to
        circle = steps[next(i for i, link in enumerate(chain) if link.node is end) :]
        if len(circle) == 1:
            title = f"{circle[0]} waits for itself"
        else:
            title = f"{', '.join(circle[:-1])} and {circle[-1]} wait for each other"
        order = " -> ".join([*steps, circle[0]])
    else:
        last = chain[-1]
        title = f"{last.name} waits for {last.wanted}, and nobody can end it"
        order = " -> ".join([*steps, last.wanted])
    sites = [
        Site("wait", f"{link.name} waits for {link.wanted}", link.points, primary=i == 0)
        for i, link in enumerate(chain)
    ]
    sites += [
        Site("wait", f"{t.name} waits for {_wanted(names, t)}", _points(t)) for t in threads[1:] if id(t) not in known
    ]
    told = tuple(f"{t.name}:" for t in (*threads, *(link.node for link in chain)) if isinstance(t, HostThread))
    notes = [names.text(line) for line in lines if not line.startswith(told)]
    now = max((t.clock for t in threads), default=0)
    state = f"at virtual time {now / 1e6:.3f} ms nothing else can run: no ready task"
    limited = threads[0].deadline is not None
    notes.append(
        f"{state}; only the time-out of {threads[0].call} ends this wait"
        if limited
        else f"{state}, no time-out pending"
    )
    return {
        "title": title,
        "sites": sites,
        "order": order if len(chain) > 1 else "",
        "fix": _fix(names, chain),
        "notes": tuple(notes),
        "time_ns": now,
        "streams": tuple(n.name for n in chain if isinstance(n.node, Stream)),
    }


def _follow(names: Names, thread: HostThread) -> tuple[list[_Link], object]:
    """The links from *thread* on, and what stands at the end: a node of the chain (a circle), or None."""
    chain: list[_Link] = []
    node: object = thread
    while node is not None and len(chain) < MOST_LINKS:
        if any(link.node is node for link in chain):
            return chain, node
        if isinstance(node, HostThread):
            if node.why is None and chain:
                return chain, None
            chain.append(_Link(node, node.name, _wanted(names, node), _points(node)))
            node = _next(node.why.holders()) if node.why is not None else None
        elif isinstance(node, Stream):
            wanted = _head(names, node)
            if not wanted:
                return chain, None
            chain.append(_Link(node, names.described(node), wanted, node.queue[0].site))
            node = _next(node.holders())
        else:  # a reason behind a reason
            node = _next(getattr(node, "holders", list)())
    return chain, None


def _next(holders: Sequence[object]) -> object:
    return holders[0] if holders else None


def _wanted(names: Names, thread: HostThread) -> str:
    return names.described(thread.why) if thread.why is not None else "something that never happens"


def _head(names: Names, stream: Stream) -> str:
    """What the head of *stream* waits for, in words; empty when it does not wait."""
    if not stream.queue or stream.armed:
        return ""
    task = stream.queue[0]
    if task.op.gate is not None and not stream.running:
        return names.described(task.op.gate)
    if task.op.hosted:
        return f"its {task.op.kind} to be run"
    if stream.pause is not None and stream.pause.holders:
        return stream.pause.why.removeprefix("waits for ")
    return ""


def _points(thread: HostThread) -> tuple[Point, ...]:
    """Where *thread* stands in the program, and who called that; functions of the library are dropped when shown.

    A thread of C has no frames of Python: its call, or its wait, says where it stands.
    """
    innermost = wait_graph.innermost(thread.os_ident)
    found = points_of(innermost, 16)
    if outside(found):
        return found
    if in_call(innermost):
        return points(thread.site) or found
    known = thread.os_thread  # None of a thread that nobody orders
    return points(known.stands if known is not None else None) or found


def _fix(names: Names, chain: Sequence[_Link]) -> str:
    """What to change, for the links that programs meet."""
    for link in reversed(chain):
        if isinstance(link.node, Stream):
            task = link.node.queue[0]
            cure = task.op.gate.cure(link.node.running) if task.op.gate is not None else ""
            if cure:
                return cure
            if isinstance(task.op.gate, FlagGate | RecordGate):
                event = names.described(task.op.gate.event)
                return f"record {event} on another stream, or on {link.name} before the wait"
            if isinstance(task.op.gate, NotifyGate):
                return f"record {names.described(task.op.gate.notify)} on another stream"
            if task.op.hosted:
                return "let a subscribed thread go round in aclrtProcessReport; it must not wait for the same stream"
        elif _serves_for_ever(link.node):
            return "let the loop around aclrtProcessReport end: test a flag that is set before the thread is waited for"
        elif "lock" in link.wanted and sum("lock" in other.wanted for other in chain) == 1:
            return "give the lock back before waiting for what its next owner does"
        elif "lock" in link.wanted:
            return "take the locks in the same order everywhere, or give one back before waiting for the other"
    return ""


def _serves_for_ever(node: object) -> bool:
    """Whether *node* is a thread that polls for callbacks, and none can come."""
    repeats = isinstance(node, HostThread) and isinstance(node.why, wait_graph.PollReason | wait_graph.TimedReason)
    return repeats and isinstance(node, HostThread) and node.call == "aclrtProcessReport"
