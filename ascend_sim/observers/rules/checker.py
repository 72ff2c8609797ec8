"""The rules checker: uses that the manual forbids and the real library does not check, and limits that come close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import line_of, pyacl_face, with_article
from ascend_sim.observers.guarded import ended_by, guards_itself
from ascend_sim.observers.observer import Observer
from ascend_sim.observers.plain_findings import tells
from ascend_sim.observers.rules.unrecorded_waits import UnrecordedWaits
from ascend_sim.runtime.current import LOCAL
from ascend_sim.runtime.event import Event
from ascend_sim.source.callsite import BY_TORCH, CallSite, face_of, points
from ascend_sim.source.frames import of_libraries

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["RulesChecker"]

RESOURCE_CALLS = ("aclrtCreate", "aclrtDestroy", "aclrtMalloc", "aclrtFree", "aclrtSynchronize", "aclrtLaunch",
                  "aclrtMemcpy", "aclrtMemset", "aclrtRecordEvent", "aclrtStreamWaitEvent", "aclrtReset",
                  "aclrtSetDevice")  # fmt: skip
"""What the manual wants kept out of callbacks (docs/semantics/callbacks.md#calls-in-callbacks)."""
LATE_CALLS = (
    "aclrtFree",
    "aclrtDestroy",
    "aclrtReset",
    "aclDestroy",
    "aclFinalize",
    "aclrtBinaryUnLoad",
    "aclrtUnSubscribe",
)
GIL_RELEASED = (
    "aclrtSynchronizeStream", "aclrtSynchronizeStreamWithTimeout", "aclrtSynchronizeDevice", "aclrtSynchronizeEvent",
    "aclrtSynchronizeEventWithTimeout", "aclrtStreamWaitEvent", "aclrtProcessReport",
)  # fmt: skip
"""The calls in which pyACL gives the interpreter's lock away (docs/semantics/pyacl.md#the-interpreters-lock)."""
MADE_BY = {
    "aclrtCreateStream": "streams",
    "aclrtCreateStreamV2": "streams",
    "aclrtCreateStreamWithConfig": "streams",
    "aclrtCreateNotify": "notifies",
}
"""What is counted, by the call that makes it."""
KIND_OF = {"streams": "Stream", "events": "Event", "notifies": "Notify"}
CLOSE = 0.9
"""A limit is close when so much of it is taken."""


def _torch_alone(site: CallSite) -> bool:
    """Whether torch made the call by itself: its exit handler finalises while its threads (of a DataLoader) still run."""
    stack = points(site)
    return face_of(stack) is BY_TORCH and of_libraries(stack)


class RulesChecker(Observer):
    """Watches the calls of one simulator."""

    hears_operands = False
    guarded = True
    title = "the check of rules"

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.names = sim.names
        self._callbacks: dict[int, list[Task]] = {}
        """Callbacks that run now, by the number of the thread."""
        self._reset: dict[int, tuple[Any, Any, int]] = {}
        """Handles that died with a device: (the thing's site, the reset's, device)."""
        self._finalized_at: Any = None
        self._close: set[tuple[str, int]] = set()
        self._unrecorded = UnrecordedWaits(sim)

    # -- waits that do nothing ---------------------------------------------------------------------------------------

    @guards_itself
    def ordered(
        self, call: str, t: HostThread, thing: Any, stream: Stream | None, task: Task | None, record: Task | None
    ) -> None:
        """A wait for an event that was never recorded does nothing; one for the own stream neither."""
        try:
            if stream is None:
                self._unrecorded.host(t, thing)
                return
            if call == "record" and isinstance(thing, Event):
                device = thing.device
                self._limit("events", device.events_used, device.event_limit, device, t)
                self._unrecorded.recorded(thing, stream)
            if call != "wait":
                return
            if record is not None:
                self._unrecorded.follows(stream, record)
            if not isinstance(thing, Event):
                return
            if task is None and record is None:
                self._unrecorded.stream(t, thing, stream)
            elif record is not None and record.stream is stream:
                event, name = self.names.event(thing), self.names.stream(stream)
                self.sim.report(
                    "self-wait", "note",
                    f"{name} waits for {event}, which was recorded on {name} itself: the wait orders nothing",
                    [
                        Site("wait", "waits for the own stream", t.site, primary=True),
                        Site("sync", "recorded here", record.site),
                    ],
                    fix=f"record {event} on the stream that {name} is to wait for", time_ns=t.clock,
                )  # fmt: skip
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.ordered)

    # -- callbacks ---------------------------------------------------------------------------------------------------

    def callback_started(self, t: HostThread, task: Task | None) -> None:
        """From here on calls of *t* come from a callback."""
        if task is not None:
            self._callbacks.setdefault(t.number, []).append(task)
            for other in self.sim.threads.attached():
                if other is not t and other.awaited is not None and other.call not in GIL_RELEASED:
                    self._keeps_the_lock(other, task)

    @tells("gil-deadlock")
    def _keeps_the_lock(self, t: HostThread, task: Task) -> None:
        """*t* waits in a call of pyACL that keeps the interpreter's lock, and a Python callback has to run meanwhile."""
        if t.call.startswith("aclrt") and pyacl_face(t.site):
            self.sim.report(
                "gil-deadlock", "error",
                f"{t.call}, called through pyACL, waits while a Python callback of {self.names.stream(task.stream)} is to "
                "run: the real binding keeps the interpreter's lock there, and nothing goes on",
                [Site("wait", "waits here", t.site, primary=True), Site("submit", "the callback", task.site)],
                fix="call acl.rt.synchronize_stream first: it gives the lock away", time_ns=t.clock,
            )  # fmt: skip

    def callback_ended(self, t: HostThread, task: Task | None) -> None:
        """It returned."""
        stack = self._callbacks.get(t.number)
        if stack:
            stack.pop()

    @guards_itself
    def api_entered(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """Is the call allowed here and now?"""
        try:
            stack = self._callbacks.get(t.number)
            # those of video channels have a gate: what they get has to be copied there, as every sample does
            if stack and name.startswith(RESOURCE_CALLS) and stack[-1].op.gate is None:
                task = stack[-1]
                self.sim.report(
                    "callback-call", "note",
                    f"a callback of {self.names.stream(task.stream)} calls {name}: the manual warns of errors and deadlocks",
                    [Site("access", "called in the callback", t.site, primary=True),
                     Site("submit", "the callback was queued here", task.site)],
                    fix="let the callback only signal, and make the call in another thread", time_ns=t.clock,
                )  # fmt: skip
            process = self.sim.process
            if (
                process.finalized
                and name.startswith("acl")
                and not name.startswith(("aclInit", "aclFinalize", "aclrtGet"))
                and not (_torch_alone(t.site) and _torch_alone(self._finalized_at))
            ):
                late = name.startswith(LATE_CALLS)
                self.sim.report(
                    "use-after-finalize", "warning" if late else "error",
                    f"{name} is called after aclFinalize: undefined on hardware",
                    [
                        Site("access", "called here", t.site, primary=True),
                        Site("other", "finalised here", self._finalized_at),
                    ],
                    fix="destroy everything before aclFinalize" if late
                    else "in a library use aclFinalizeReference, which counts",
                    time_ns=t.clock,
                )  # fmt: skip
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.api_entered)

    def finalized(self, sim: Runtime) -> None:
        """Remember where; what is still alive is in the leak report."""
        self._unrecorded.at_end()
        thread: HostThread | None = getattr(LOCAL, "state", None)  # `running` is nobody where several threads live
        self._finalized_at = thread.site if thread is not None else None
        counted = thread is not None and thread.call == "aclFinalizeReference"
        for reports in sim.reports.values():
            for stream, site in reports.streams.items():
                if stream.title:  # of an object that subscribed by itself, and is in the leak report
                    continue
                self.sim.report(
                    "unbalanced", "warning",
                    f"{self.names.stream(stream)} is still served by a subscribed thread at aclFinalize",
                    [Site("register", "subscribed here", site, primary=True),
                     Site("alloc", "the stream was made here", stream.site)],
                    fix="aclrtUnSubscribeReport before the thread ends",
                )  # fmt: skip
        if not counted and len(sim.process.init_sites) > 1:
            self._shared_finalize(sim)

    def closed(self, sim: Runtime) -> None:
        """The program ends without finalising."""
        self._unrecorded.at_end()

    @tells("undefined-use", "warning")
    def _shared_finalize(self, sim: Runtime) -> None:
        sites = sim.process.init_sites
        self.sim.report(
            "undefined-use", "warning",
            f"aclFinalize ends the runtime for all, and aclInit was called {len(sites)} times",
            [Site("access", "finalised here", self._finalized_at, primary=True),
             *(Site("other", "initialised here", site) for site in sites[:4])],
            fix="use aclFinalizeReference: only the last one finalises",
        )  # fmt: skip

    # -- after a reset -----------------------------------------------------------------------------------------------

    def device_reset(self, t: HostThread, device: int, things: list[Any]) -> None:
        """Handles of streams and events die."""
        for thing in things:
            if hasattr(thing, "handle"):
                self._reset[thing.handle] = (thing.site, t.site, device)

    @tells("use-after-reset")
    def stale_used(self, t: HostThread, handle: int, kind: str) -> None:
        """A handle of before a reset?"""
        dead = self._reset.get(handle)
        if dead is None or handle in self.sim.handles:
            return
        made, reset, device = dead
        self.sim.report(
            "use-after-reset", "error",
            f"{t.call} uses {with_article(kind)} that was lost when device {device} was reset",
            [Site("access", "used here", t.site, primary=True), Site("free", f"device {device} was reset here", reset),
             Site("alloc", "made here", made)],
            fix="destroy everything before the reset", time_ns=t.clock,
        )  # fmt: skip

    # -- limits ------------------------------------------------------------------------------------------------------

    @guards_itself
    def api_returned(self, t: HostThread, name: str, result: Any) -> None:
        """Streams or notifies that were made: how many are left?"""
        try:
            what = MADE_BY.get(name)
            if what is None:
                return
            context = t.bound_context() if hasattr(t, "bound_context") else None
            if context is not None:
                ids = context.device.stream_ids if what == "streams" else context.device.notify_ids
                self._limit(what, ids.used, ids.limit, context.device, t)
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.api_returned)

    @tells("limit-close", "warning")
    def _limit(self, what: str, used: int, limit: int, device: Any, t: HostThread) -> None:
        if used < limit * CLOSE or limit < 10 or (what, device.index) in self._close:
            return
        self._close.add((what, device.index))
        owners: dict[str, int] = {}
        for thing in self.sim.handles.values():
            if KIND_OF[what] == type(thing).__name__ and thing.site is not None:  # type: ignore[attr-defined]
                line = line_of(thing.site, ())  # type: ignore[attr-defined]
                owners[line] = owners.get(line, 0) + 1
        most = sorted(owners.items(), key=lambda item: (-item[1], item[0]))[:3]
        text = ", ".join(f"{count} made at {line}" for line, count in most)
        self.sim.report(
            "limit-close", "warning",
            f"{used} of {limit} {what} of device {device.index} are in use",
            [Site("access", "this call takes one more", t.site, primary=True)],
            notes=(text,) if text else (), time_ns=t.clock,
        )  # fmt: skip
