"""Captures: streams whose submissions become nodes of a graph, from aclmdlRICaptureBegin to its end.

Other streams join by waiting for an event that was recorded inside, and have to lead back to the origin. See
docs/semantics/graphs.md#capture.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_CAPTURE_DEPENDENCY,
    ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT,
    ACL_ERROR_RT_EVENT_CAPTURED,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
    ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
    ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED,
    ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD,
    ACL_ERROR_RT_STREAM_CAPTURED,
    ACL_ERROR_RT_STREAM_MODEL,
    ACL_ERROR_RT_STREAM_UNJOINED,
    ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING,
    ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
    ACL_ERROR_STREAM_CAPTURE_CONFLICT,
    ACL_ERROR_STREAM_TASK_GROUP_INTR,
    ACL_ERROR_STREAM_TASK_GROUP_STATUS,
)
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import line_of, work
from ascend_sim.runtime.event import EX, EXTERNAL, IPC, Event
from ascend_sim.runtime.graphs.external import RecordOutside, WaitOutside
from ascend_sim.runtime.graphs.graph import Line, Node, Recorder
from ascend_sim.runtime.graphs.instance import CAPTURING, INVALIDATED, READY, RunningInstance
from ascend_sim.runtime.graphs.modes import MODE_NAMES, RELAXED, OpenCaptures, barred_by, thread_modes
from ascend_sim.runtime.graphs.task_groups import TaskGroup, runs_on_cores
from ascend_sim.runtime.stream import CPU_SCHEDULE, DEVICE_USE_ONLY
from ascend_sim.runtime.task import Op

if TYPE_CHECKING:
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Capture", "begin", "capture_of", "check_safe", "check_supports_capture"]

NOT_CAPTURED = CPU_SCHEDULE | DEVICE_USE_ONLY
"""Streams with one of these flags cannot be captured."""


class Capture(Recorder):
    """One open capture: *origin* was given to aclmdlRICaptureBegin in thread *thread*, with *mode*."""

    __slots__ = (
        "broken_by",
        "events",
        "group_error",
        "groups",
        "instance",
        "mode",
        "origin",
        "outside",
        "site",
        "streams",
        "thread",
    )

    def __init__(self, t: HostThread, origin: Stream, mode: int, instance: RunningInstance) -> None:
        self.origin = origin
        self.mode = mode
        self.thread = t
        self.site = t.site
        self.instance = instance
        self.streams: dict[Stream, Node | None] = {}
        """Those that are captured, each with the record by which it joined."""
        self.events: dict[Event, None] = {}
        """Those that were recorded in it."""
        self.groups: dict[Stream, TaskGroup] = {}
        """Task groups that are open, by their streams."""
        self.group_error = False
        """A task came between: no group can be ended any more."""
        self.broken_by = ""
        """The id of the finding about the call that broke it."""
        self.outside: dict[Event, Node] = {}
        """Those that were used as EXTERNAL, each with its node."""

    # -- nodes --------------------------------------------------------------------------------------------------------

    def record(self, t: HostThread, stream: Stream, op: Op) -> Node:
        """Record *op* as a node. A capture that is broken goes on recording, as the real one does.

        Raises AclError 107034: a task group of another stream is open, 507009: this stream's one cannot hold it.
        """
        if not self.groups:
            return self.instance.graph.add(t, stream, op)
        group = self.groups.get(stream)
        if group is None:
            self.group_error = True
            self.refuse(
                t, ACL_ERROR_STREAM_TASK_GROUP_INTR,
                f"{stream.describe()} gets a task while another stream of the capture has a task group open",
                [("other", "the group begins here", other.site) for other in self.groups.values()],
                fix="end the group first",
            )  # fmt: skip
        if not runs_on_cores(op):
            self.refuse(
                t, ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, f"a task group can hold kernels and operators, not {work(op.kind)}",
                [("other", "the group begins here", group.site)],
            )  # fmt: skip
        node = self.instance.graph.add(t, stream, op)
        node.group = group
        group.nodes.append(node)
        return node

    def record_event(self, t: HostThread, event: Event, stream: Stream) -> bool:
        """Record *event* inside: later waits for it join this capture, until it ends. Raises AclError 207000."""
        if event.family is EXTERNAL:
            return False  # a flag that the graph sets each time it runs
        if not event.made_ex:
            self.refuse(
                t, ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                f"{event.describe()} was not made by aclrtCreateEventExWithFlag: captures cannot record it",
                layer="state",
            )  # fmt: skip
        self._refuse_ipc(event)
        if event.family is not EX:
            return True  # time stamps and progress: accepted, and ignored
        node = self.record(t, stream, event.record_op)
        node.event = event
        event.captured = node
        self.events[event] = None
        return True

    def wait_event(self, t: HostThread, event: Event, stream: Stream) -> bool:
        """A captured stream waits for an event that no open capture has recorded. Raises AclError 207000, 107024."""
        if event.family is EXTERNAL:
            return False
        if not event.made_ex:
            self.refuse(
                t, ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                f"{event.describe()} was not made by aclrtCreateEventExWithFlag: captures cannot wait for it",
                layer="state",
            )  # fmt: skip
        self._refuse_ipc(event)
        if event.latest is not None:
            self.refuse(
                t, ACL_ERROR_RT_CAPTURE_DEPENDENCY,
                f"{event.describe()} was recorded outside of the capture on {stream.describe()}",
                [("other", "recorded here", event.latest.site)],
                fix="record it inside, or wait with aclrtStreamWaitEventWithFlag(..., ACL_EVENT_WAIT_EXTERNAL)",
            )  # fmt: skip
        return True  # never recorded: nothing to wait for

    def reset_event(self, t: HostThread, event: Event, stream: Stream) -> None:
        """Raises AclError 207000, but for events made EXTERNAL."""
        if event.family is not EXTERNAL:
            text = f"{event.describe()} cannot be reset on a captured stream: graphs set their events anew in each run"
            self.refuse(t, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, layer="state")

    def record_external(self, t: HostThread, event: Event, stream: Stream) -> None:
        """Each run records *event* for waits outside. Raises AclError 207000, 107000."""
        self._check_external(t, event, stream)
        node = self.record(t, stream, event.record_op)
        node.event = event
        node.renew = RecordOutside()
        self.outside[event] = node

    def wait_external(self, t: HostThread, event: Event, stream: Stream) -> None:
        """Each run waits for the record of *event* that is the latest at its launch. Raises AclError 207000, 107000."""
        self._check_external(t, event, stream)
        node = self.record(t, stream, Op("wait", stream.sim.profile.costs.wait_ns))
        node.event = event
        node.renew = WaitOutside()
        self.outside[event] = node

    def _check_external(self, t: HostThread, event: Event, stream: Stream) -> None:
        if "value_operations" not in stream.sim.profile.supports:
            raise AclError(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{stream.sim.profile.name} has no events of graphs for waits outside",
                "state",
            )  # fmt: skip
        other = self.outside.get(event)
        if other is not None:
            self.refuse(
                t, ACL_ERROR_RT_PARAM_INVALID, f"{event.describe()} is used as EXTERNAL by this graph already",
                [("other", "used here", other.site)], fix="take another event: one use of each in a graph",
            )  # fmt: skip

    def line(self, stream: Stream) -> Line:
        """The line on which *stream* records."""
        return self.instance.graph.line(stream)

    def keep(self, release: Callable[[], None]) -> None:
        """What nodes use is given back with the graph."""
        self.instance.kept.append(release)

    # -- the host -----------------------------------------------------------------------------------------------------

    def refuse_use(self, t: HostThread, stream: Stream) -> None:
        """Nothing runs, so nothing can be waited for, asked about or changed. Raises AclError 107027."""
        self.refuse(
            t, ACL_ERROR_RT_STREAM_CAPTURED, f"{stream.describe()} is being captured",
            fix="do that before the capture begins, or after the graph was executed",
        )  # fmt: skip

    def refuse_pageable(self, t: HostThread, stream: Stream) -> None:
        """Raises AclError 107000."""
        self.refuse(
            t, ACL_ERROR_RT_PARAM_INVALID, "host memory that is not page-locked cannot be copied when the graph runs",
            fix="take the buffer from aclrtMallocHost",
        )  # fmt: skip

    def refuse_event(self, t: HostThread, event: Event) -> None:
        """Raises AclError 107028."""
        record = event.captured
        self.refuse(
            t, ACL_ERROR_RT_EVENT_CAPTURED, f"{event.describe()} was recorded in it",
            [("other", "recorded here", record.site)] if record is not None else None,
            fix="ask after the graph was executed, by an event that is recorded behind the execution",
        )  # fmt: skip

    @staticmethod
    def _refuse_ipc(event: Event) -> None:
        if event.family is IPC:
            text = f"{event.describe()} is shared between processes: captures cannot use it"
            raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "state")

    # -- joining ------------------------------------------------------------------------------------------------------

    def wait_inside(self, t: HostThread, event: Event, stream: Stream) -> None:
        """*stream* waits for *event*, which was recorded inside: it joins the capture if it is not part of it.

        Raises AclError 507000 (flags), 107031 (a default stream), 107032 (of another capture: both are broken).
        """
        record = event.captured
        assert record is not None
        check_supports_capture(stream)
        if stream is stream.context.default:
            self.refuse(
                t, ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
                f"{stream.describe()} cannot wait for {event.describe()}, which a capture has recorded",
                [("other", "recorded here", record.site)],
                fix="create a stream for it: default streams cannot be captured",
            )  # fmt: skip
        other = stream.recorder
        if other is None:
            self._join(stream, record)
        elif other is not self:
            self._conflict(t, event, stream, record, other)
        op = Op("wait", stream.sim.profile.costs.wait_ns)
        node = self.record(t, stream, op)
        node.event = event
        node.follows = record
        if record.line is not node.line:
            record.waited = True
            record.joins_origin |= node.line.stream is self.origin

    def _join(self, stream: Stream, record: Node | None) -> None:
        if self.instance.state is INVALIDATED:
            why = "the capture is broken: no further stream can join it"
            raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, why)
        self.streams[stream] = record
        self.instance.graph.line(stream)
        stream.record_with(self)

    def _conflict(self, t: HostThread, event: Event, stream: Stream, record: Node, other: Recorder) -> NoReturn:
        sites = [("other", "recorded here, in one capture", record.site)]
        self.invalidate()
        if isinstance(other, Capture):
            other.invalidate()
            sites.append(("other", "the capture of the waiting stream begins here", other.site))
        try:
            self.refuse(
                t, ACL_ERROR_STREAM_CAPTURE_CONFLICT,
                f"{event.describe()} was recorded in another capture than {stream.describe()} belongs to: both are broken",
                sites,
            )  # fmt: skip
        finally:
            if isinstance(other, Capture):
                other.broken_by = other.broken_by or self.broken_by

    def invalidate(self) -> None:
        """An error has broken it: its end returns 507903."""
        if self.instance.state is CAPTURING:
            self.instance.state = INVALIDATED

    # -- breaking rules -----------------------------------------------------------------------------------------------

    def refuse(
        self, t: HostThread, code: int, reason: str, sites: list[tuple[str, str, Any]] | None = None,
        fix: str = "", layer: str = "rt",
    ) -> NoReturn:  # fmt: skip
        """Report that the call of *t* breaks a rule of this capture, which goes on, and raise AclError with *code*."""
        names = t.sim.names
        said = names.text
        shown = [Site("access", "called here", t.site, primary=True)]
        shown += [Site(role, said(text), site) for role, text, site in sites or ()]
        shown.append(Site("other", f"the capture of {names.described(self.origin)} begins here", self.site))
        if code == ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED and self.broken_by:
            t.sim.findings.follow(self.broken_by, f"{line_of(t.site, ())}: {t.call} returns {code}")
            raise AclError(code, reason, layer)
        finding = t.sim.report(
            "capture-rule", "error", said(f"{t.call} during a capture: {reason}"), shown, fix=said(fix),
            streams=(names.described(self.origin),), time_ns=t.clock, code=(t.call, code),
        )  # fmt: skip
        if self.instance.state is INVALIDATED:
            self.broken_by = self.broken_by or finding.id
        raise AclError(code, reason, layer)

    # -- the end ------------------------------------------------------------------------------------------------------

    def end(self, t: HostThread, stream: Stream) -> RunningInstance:
        """End it: the graph can be executed. Raises AclError as docs/semantics/graphs.md#the-end-of-a-capture says."""
        instance = self.instance
        if stream is not self.origin:
            joined = self.streams[stream]
            self.refuse(
                t, ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED,
                f"{stream.describe()} joined the capture; it ends on {self.origin.describe()}, where it began",
                [("other", "joined by this record", joined.site)] if joined is not None else None,
            )  # fmt: skip
        modes = thread_modes(t)
        if modes.open[self.mode]:  # of the thread that ends it, whichever has begun it
            modes.open[self.mode] -= 1
        if t is not self.thread and self.mode != RELAXED:
            self.leave()
            self.refuse(
                t, ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD,
                f"{self.thread.name} began it, and only a RELAXED capture can end in another thread than that",
                fix="end it in the thread that began it; this one is lost",
            )  # fmt: skip
        try:
            self._check(t)
        except AclError:
            self.leave()
            instance.retire()
            raise
        self.leave()
        return instance

    def _check(self, t: HostThread) -> None:
        if self.instance.state is INVALIDATED:
            self.refuse(
                t, ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, "a call before has broken the capture",
                fix="look at the first finding about this capture",
            )  # fmt: skip
        if self.groups:
            self.refuse(
                t, ACL_ERROR_STREAM_TASK_GROUP_STATUS, "a task group is open",
                [("other", "it begins here", group.site) for group in self.groups.values()],
                fix="aclmdlRICaptureTaskGrpEnd before the end of the capture",
            )  # fmt: skip
        for condition in self.instance.conditions:
            for sub_graph in condition.sub_graphs:
                if sub_graph.capturing():
                    self.refuse(
                        t, ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING,
                        f"{sub_graph.describe()}, a sub-graph of {condition.describe()}, is still being captured",
                        fix="end the captures of its sub-graphs first",
                    )  # fmt: skip
        others = [line for line in self.instance.graph.lines if line.stream is not self.origin]
        for line in others:
            last = line.nodes[-1]
            if not (last.event is not None and last.follows is None and last.renew is None and last.waited):
                self._unjoined(t, line, last)
        if others and not any(line.nodes[-1].joins_origin for line in others):
            self._unjoined(t, others[0], others[0].nodes[-1])

    def _unjoined(self, t: HostThread, line: Line, last: Node) -> NoReturn:
        origin, stream = self.origin.describe(), line.stream.describe()
        joined = self.streams.get(line.stream)
        sites = [("other", f"the last task of {stream}", last.site)]
        if joined is not None:
            sites.append(("other", f"{stream} joined by this record", joined.site))
        self.refuse(
            t, ACL_ERROR_RT_STREAM_UNJOINED,
            f"{stream} joined the capture and does not lead back to {origin}: its last task has to be a record that is "
            "waited for",
            sites, fix=f"record an event on {stream} behind its last task, and let {origin} wait for it",
        )  # fmt: skip

    def leave(self) -> None:
        """Streams and events leave the capture; what was recorded is ready to run."""
        captures = self.origin.context.captures
        assert captures is not None
        captures.captures.pop(self, None)
        self.origin.sim.captures -= 1
        for stream in self.streams:
            if stream.recorder is self:
                stream.record_with(None)
        for event in self.events:
            if event.captured is not None and event.captured.line.stream in self.streams:
                event.captured = None
        self.instance.capture = None
        self.instance.state = READY


def check_supports_capture(stream: Stream) -> None:
    """Raises AclError 507000 for a stream whose flags rule it out."""
    if stream.flags & NOT_CAPTURED:
        raise AclError(
            ACL_ERROR_RT_INTERNAL_ERROR,
            f"{stream.describe()} is CPU_SCHEDULE or DEVICE_USE_ONLY: it cannot be captured",
        )


def capture_of(stream: Stream) -> Capture | None:
    """The open capture that *stream* belongs to, also when it is broken."""
    recorder = stream.recorder
    return recorder if isinstance(recorder, Capture) else None


def check_safe(t: ThreadState, code: int = ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT) -> None:
    """The test of functions that are unsafe while something is captured. Raises AclError with *code* (107030)."""
    if not t.sim.captures:
        return
    context = t.bound_context()
    capture = barred_by(t, context) if context is not None else None
    if capture is None:
        return
    mine = capture.thread is t
    fix = "in this thread, before it: aclmdlRICaptureThreadExchangeMode(ACL_MODEL_RI_CAPTURE_MODE_RELAXED)"
    which = "this thread" if mine else capture.thread.name
    capture.refuse(
        t, code, f"it would run at once, and {which} captures in the mode {MODE_NAMES[capture.mode]}",
        fix=fix if mine else f"{fix}; or begin the capture THREAD_LOCAL",
    )  # fmt: skip


def begin(t: ThreadState, stream: Stream, mode: int, instance: RunningInstance | None = None) -> Capture:
    """Begin to capture *stream* of the current context, into *instance* if it is given.

    Raises AclError 107003, 107005, 207000, 107027.
    """
    t.check_own(stream)
    context = stream.context
    recorder = stream.recorder
    if recorder is not None and not isinstance(recorder, Capture):
        raise AclError(ACL_ERROR_RT_STREAM_MODEL, f"{stream.describe()} is bound to a model running instance")
    if stream is context.default:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{stream.describe()} cannot be captured: create a stream for it"
        )
    if isinstance(recorder, Capture):
        recorder.refuse(t, ACL_ERROR_RT_STREAM_CAPTURED, f"{stream.describe()} is being captured already")
    if instance is None:
        instance = RunningInstance(context, True, t.site)
    instance.state = CAPTURING
    capture = instance.capture = Capture(t, stream, mode, instance)
    if context.captures is None:
        context.captures = OpenCaptures()
    context.captures.captures[capture] = mode
    t.sim.captures += 1
    thread_modes(t).open[mode] += 1
    capture._join(stream, None)
    return capture
