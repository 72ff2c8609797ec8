"""Models that are built by hand: streams that are bound to one record what is queued on them, to its end mark.

See docs/semantics/graphs.md#models-built-by-hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_MODEL_EXECUTE,
    ACL_ERROR_RT_STREAM_MODEL,
    ACL_ERROR_RT_STREAM_NOT_CAPTURED,
    ACL_ERROR_RT_STREAM_TASK_FULL,
)
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.runtime.event import AUTO
from ascend_sim.runtime.graphs.built_replay import end_op
from ascend_sim.runtime.graphs.graph import Line, Node, Recorder
from ascend_sim.runtime.graphs.instance import BUILDING, READY, RunningInstance

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_sim.runtime.event import Event
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Op
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["HEAD", "Building", "building_of"]

HEAD = 0
"""A stream that is bound with this flag starts with the model; all others wait for somebody to activate them."""


class Building(Recorder):
    """What the streams of one hand-built model record with."""

    __slots__ = ("end", "flags", "instance")

    def __init__(self, instance: RunningInstance) -> None:
        self.instance = instance
        self.flags: dict[Stream, int] = {}
        """Bound streams, newest last, each with the flag of its binding."""
        self.end: Node | None = None
        """The end mark: an execution is over when this ran."""

    def bind(self, stream: Stream, flag: int) -> None:
        """Let *stream* record for this model. Raises AclError 107005 when it is bound already."""
        other = stream.recorder
        if other is not None:
            bound = other.instance.describe() if isinstance(other, Building) else "a graph"
            text = f"{stream.describe()} is bound to {bound}"
            raise AclError(ACL_ERROR_RT_STREAM_MODEL, text)
        self.flags[stream] = flag
        self.instance.graph.line(stream)
        stream.record_with(self)

    def unbind(self, stream: Stream) -> None:
        """Let *stream* go; what it recorded is no part of the model any more. Raises AclError 107005."""
        if stream.recorder is not self:
            text = f"{stream.describe()} is not bound to {self.instance.describe()}"
            raise AclError(ACL_ERROR_RT_STREAM_MODEL, text)
        self._let_go(stream)
        if self.end is not None and self.end.line.stream is stream:
            self.end = None
        self.instance.drop_line(stream)

    def clear(self, stream: Stream) -> None:
        """Forget what *stream* recorded; it stays bound."""
        if self.end is not None and self.end.line.stream is stream:
            self.end = None
        self.instance.drop_line(stream)
        self.instance.graph.line(stream)

    def _let_go(self, stream: Stream) -> None:
        del self.flags[stream]
        stream.record_with(None)

    def unbind_all(self) -> None:
        """The model is destroyed: its streams are free again."""
        for stream in list(self.flags):
            self._let_go(stream)

    def record(self, t: HostThread, stream: Stream, op: Op) -> Node:
        """Record *op* as the next task of *stream*. Raises AclError 507002 when the stream is full."""
        stream.context.check_works(t)
        line = self.instance.graph.line(stream)
        if len(line.nodes) >= stream.depth:
            text = f"{stream.describe()} is persistent and holds its {stream.depth} tasks"
            raise AclError(ACL_ERROR_RT_STREAM_TASK_FULL, text)
        if self.instance.state is not BUILDING:
            self._too_late(t, stream)
        return self.instance.graph.add(t, stream, op)

    def record_event(self, t: HostThread, event: Event, stream: Stream) -> bool:
        """Only events with a flag of their own can be recorded in a model. Raises AclError 207000."""
        self._check_event(event, stream)
        return False

    def wait_event(self, t: HostThread, event: Event, stream: Stream) -> bool:
        """Only events with a flag of their own can be waited for in a model. Raises AclError 207000."""
        self._check_event(event, stream)
        return False

    def record_external(self, t: HostThread, event: Event, stream: Stream) -> None:
        """Raises AclError 107029: records for waits outside are for captures."""
        text = f"{stream.describe()} is bound to a model, not captured"
        raise AclError(ACL_ERROR_RT_STREAM_NOT_CAPTURED, text)

    def wait_external(self, t: HostThread, event: Event, stream: Stream) -> None:
        """Raises AclError 107029: waits for records outside are for captures."""
        self.record_external(t, event, stream)

    def line(self, stream: Stream) -> Line:
        """The line on which *stream* records."""
        return self.instance.graph.line(stream)

    def keep(self, release: Callable[[], None]) -> None:
        """What nodes use is given back with the model."""
        self.instance.kept.append(release)

    def _check_event(self, event: Event, stream: Stream) -> None:
        if event.made_ex or event.family is AUTO:
            text = (
                f"{event.describe()} cannot be used on {stream.describe()}, which is bound to a model: only events of "
                "aclrtCreateEventWithFlag can"
            )
            raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "state")

    def _too_late(self, t: HostThread, stream: Stream) -> None:
        names = t.sim.names
        t.sim.report(
            "undefined-use",
            "warning",
            f"{t.call} adds a task to {names.described(stream)} after {self.instance.describe()} was built",
            [
                Site("access", "called here", t.site, primary=True),
                Site("other", f"{self.instance.describe()} begins here", self.instance.site),
            ],
            notes=("what later executions do is undefined on hardware; here they run the task, too",),
            fix="queue it before aclmdlRIBuildEnd",
            streams=(names.described(stream),),
            time_ns=t.clock,
        )

    def mark_end(self, t: ThreadState, stream: Stream) -> None:
        """Queue the end mark on *stream*. Raises AclError 507000 for a second one, or a stream that is not bound."""
        if self.end is not None:
            text = f"{self.instance.describe()} has an end mark, on {self.end.line.stream.describe()}"
            raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, text)
        if stream.recorder is not self:
            text = f"{stream.describe()} is not bound to {self.instance.describe()}"
            raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, text)
        self.end = self.record(t, stream, end_op(t.sim.profile.costs.record_ns))

    def complete(self) -> None:
        """The model can be executed. Raises AclError 507011 without an end mark."""
        if self.end is None:
            text = f"{self.instance.describe()} has no end mark (aclmdlRIEndTask)"
            raise AclError(ACL_ERROR_RT_MODEL_EXECUTE, text)
        self.instance.state = READY


def building_of(stream: Stream) -> Building | None:
    """What *stream* is bound to: the hand-built model that records it."""
    recorder = stream.recorder
    return recorder if isinstance(recorder, Building) else None
