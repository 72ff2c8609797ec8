"""Contexts: containers of streams on one device (docs/semantics/process.md#contexts-and-threads)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_STREAM_ABORT
from ascend_sim.errors import AclError
from ascend_sim.runtime.callbacks.exceptions import settle
from ascend_sim.runtime.callbacks.states import CREATE_POST, DESTROY_PRE
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.stream_failures import abort
from ascend_sim.runtime.stream_waits import interrupt, tell_ended, wait_for
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.runtime.device import Device
    from ascend_sim.runtime.graphs.instance import RunningInstance
    from ascend_sim.runtime.graphs.modes import OpenCaptures
    from ascend_sim.runtime.scheduler import Waiter
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Context"]


class Context:
    """A context: its default stream, the streams made in it, its failure mode and options.

    A primary context belongs to its device and lives while the device's set count is above zero; explicit ones live
    until they are destroyed.
    """

    __slots__ = (
        "captures", "dead", "default", "device", "failure", "handle", "instances", "number", "options",
        "primary", "service", "site", "stop_mode", "streams", "users", "why",
    )  # fmt: skip

    def __init__(self, device: Device, primary: bool, number: int, site: CallSite) -> None:
        self.device = device
        self.primary = primary
        self.number = number
        self.handle = 0
        self.bring_up(site)

    def bring_up(self, site: CallSite) -> None:
        """Start afresh; a primary context comes up again as the same object (docs/semantics/process.md#devices)."""
        device = self.device
        device.power_up()
        if not self.primary:
            device.keep_own_id()
        self.site = site
        self.dead = False
        self.users = 0
        """How many threads have this explicit context current; it stays known until the last one lets go."""
        self.stop_mode = device.stop_mode
        self.failure = 0
        """The first task failure in stop mode: sticky, answered by every submit, synchronise and query."""
        self.why = ""
        """What its fault said."""
        self.options: dict[int, int] = {}
        self.captures: OpenCaptures | None = None
        """The modes of its open captures, once there was one (graphs/modes.py)."""
        self.instances: dict[RunningInstance, None] = {}
        """Its model running instances, in the order of their creation."""
        self.service: Waiter | None = None
        """The thread that runs aclrtLaunchHostFunc functions of this context, once there is one."""
        self.streams: dict[Stream, None] = {}
        """Created streams in the order of their creation."""
        try:
            self.default = device.new_stream(self, 0, 0, site)
        except AclError:
            device.maybe_down()
            raise
        device.contexts_open += 1
        device.sim.state_changed("stream", self.default.handle, CREATE_POST)

    def describe(self) -> str:
        """The context in words."""
        if self.primary:
            return f"the primary context of device {self.device.index}"
        return f"context {self.number} on device {self.device.index}"

    def create_stream(self, priority: int, flags: int, site: CallSite) -> Stream:
        """A new stream. Raises AclError 207008 when the device has no stream left."""
        stream = self.device.new_stream(self, priority, flags, site)
        self.streams[stream] = None
        self.device.sim.state_changed("stream", stream.handle, CREATE_POST)
        return stream

    def every_stream(self) -> list[Stream]:
        """All that may hold tasks: the default stream, created ones, and the lanes of graphs that run."""
        found = [self.default, *self.streams]
        for instance in self.instances:
            for replay in instance.replays:
                found += replay.lanes
        return found

    def forget_stream(self, stream: Stream) -> None:
        """Drop *stream*: its handle dies and its id goes back to the device."""
        for instance in self.instances:
            instance.stream_ended(stream)
        self.streams.pop(stream, None)
        self.device.return_stream(stream)

    def fail(self, code: int) -> None:
        """The first failure in stop mode: from now on every stream of the context refuses work."""
        self.changes_mode()
        self.failure = code
        for stream in (*self.streams, self.default):
            stream.update_needs_checks()
            interrupt(stream, code)

    def why_stopped(self) -> str:
        """Why the context refuses work, in words."""
        if self.device.tasks_aborted:
            return f"aclrtDeviceTaskAbort is at work on device {self.device.index}, or failed there half-way"
        said = f": {self.why}" if self.why else ""
        return f"a task failed in {self.describe()}, which stops on failure{said}"

    def check_works(self, t: HostThread) -> None:
        """Raises AclError with the failure that stopped the context, once the exception callbacks have heard of it."""
        controller = self.device.sim.threads.controller
        if controller is not None:
            controller.before_context_check(self)
        if self.failure:
            for stream in (*self.streams, self.default):
                if stream.stopped:
                    tell_ended(stream, t)  # who is told of the failure knows that nothing runs there any more
            settle(t)
            raise AclError(self.failure, self.why_stopped())

    def changes_mode(self) -> None:
        """Whether the context works, or stops on failure, is about to change: an explorer hears of it."""
        controller = self.device.sim.threads.controller
        if controller is not None:
            controller.before_context_changes(self)

    def clear_failure(self) -> None:
        """Forget the failures of the context and its streams (aclrtDeviceTaskAbort)."""
        self.changes_mode()
        self.failure = 0
        for stream in (*self.streams, self.default):
            stream.error = 0
            stream.stopped = False
            stream.update_needs_checks()

    @staticmethod
    def _tell(t: HostThread, streams: list[Stream]) -> None:
        """Tell observers that *t* has waited for *streams*."""
        for stream in streams:
            for observe in t.sim.hooks.waited or ():
                observe(t, stream)

    def synchronize(self, t: HostThread, deadline: int | None) -> bool:
        """Wait for every created stream in creation order, then for the default stream; False when *deadline* passed.

        Raises AclError 107027 when a stream is captured, with the first task failure met; in stop mode at once
        (docs/semantics/streams.md#failing-tasks).
        A callback that runs meanwhile is ordered with none of it: what was waited for is known when the call returns.
        """
        for stream in self.streams if t.sim.captures else ():
            if stream.awaited():
                stream.refuse_while_recording(t)
        first, why = 0, ""
        seen: list[Stream] = []
        try:
            for stream in (*list(self.streams), self.default):
                if self.failure:
                    break
                if not stream.awaited():
                    continue
                if not stream.queue:
                    t.sim.threads.poll(t)
                elif not wait_for(stream, t, stream.queue[-1], deadline):
                    for other in self.streams:
                        other.give_up()
                    return False
                if t.sim.threads.controller is None:
                    seen.append(stream)
                else:  # explored: each wait is a step of its own; threads have clocks of their own there
                    self._tell(t, [stream])
                code = stream.take_error()  # each stream tells its failure once, to this call
                if code and not first:
                    first, why = code, stream.why
        finally:
            self._tell(t, seen)
        self.check_works(t)
        if first:
            settle(t)
            raise AclError(first, f"a task of the context failed{f': {why}' if why else ''}")
        return True

    def tear_down(self) -> None:
        """End all streams in force style: pending tasks are dropped, handles die.

        Stream state callbacks hear of each stream before it ends, of an explicit context's default stream first.
        """
        sim = self.device.sim
        for instance in list(self.instances):
            instance.context_ended()
        if not self.primary:
            sim.state_changed("stream", self.default.handle, DESTROY_PRE)
        for stream in list(self.streams):
            if stream in self.streams:  # a callback may have destroyed it
                sim.state_changed("stream", stream.handle, DESTROY_PRE)
                abort(stream, ACL_ERROR_RT_STREAM_ABORT)
                self.forget_stream(stream)
        self.dead = True
        self.device.contexts_open -= 1
        abort(self.default, ACL_ERROR_RT_STREAM_ABORT)
        self.device.return_stream(self.default)
        if self.primary and self.device.contexts_open:
            self.device.keep_own_id()
        self.device.maybe_down()
        if self.service is not None:
            self.service.wake(sim.scheduler.now)
