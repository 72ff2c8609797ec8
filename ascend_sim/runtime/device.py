"""Devices: counting of aclrtSetDevice, the primary context, and the ids of streams, events and notifies."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_CONTEXT_RELEASE_ERROR
from ascend_sim.errors import AclError
from ascend_sim.machine.allocations import Allocation
from ascend_sim.machine.engines import Engines
from ascend_sim.runtime.callbacks.states import DESTROY_PRE, RESET_POST, RESET_PRE, SET_PRE
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.event import Event
from ascend_sim.runtime.stream import Stream
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Device", "Ids"]

RECORD_TRIES = 1000
"""How often a record looks for a free hardware event before it gives up.

See docs/semantics/profiles.md#event_exhaustion.
"""

FEW_EVENTS = 1024
"""Fewer hardware events in use are not worth a look at which of them are over."""


class Ids:
    """Numbers 0 .. limit-1; the lowest free one goes first, as the driver's bitmaps do."""

    __slots__ = ("_free", "_next", "limit", "used")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used = 0
        self._next = 0
        self._free: list[int] = []

    def take(self) -> int | None:
        """A number, or None when all are taken."""
        if self.used >= self.limit:
            return None
        self.used += 1
        if self._free:
            return heappop(self._free)
        self._next += 1
        return self._next - 1

    def give_back(self, number: int) -> None:
        """*number* is free again."""
        self.used -= 1
        heappush(self._free, number)


class Device:
    """One device: what belongs to it and how many of each there can be."""

    __slots__ = (
        "contexts_open",
        "count",
        "engines",
        "event_limit",
        "events_used",
        "index",
        "lenders",
        "notify_ids",
        "overflow",
        "own_id",
        "peers",
        "primary",
        "res_limits",
        "reset_blocks",
        "resetting",
        "sat_mode",
        "sim",
        "stop_mode",
        "stream_ids",
        "tasks_aborted",
        "tidy_at",
    )

    def __init__(self, sim: Runtime, index: int) -> None:
        self.sim = sim
        self.index = index
        self.count = 0
        """aclrtSetDevice calls minus aclrtResetDevice calls."""
        self.contexts_open = 0
        """Living contexts, the primary one and explicit ones: the device is up while there are any."""
        self.resetting = False
        self.reset_blocks: set[int] = set()
        """Numbers of the blocks that went down with the device."""
        self.primary: Context | None = None
        self.stop_mode = False
        self.tasks_aborted = False
        """aclrtDeviceTaskAbort is at work, or failed half-way: nothing can be submitted."""
        self.stream_ids = Ids(sim.profile.stream_limit)
        self.own_id: int | None = None
        """The stream id of its primary context while an explicit one holds the device up and that is not there."""
        self.notify_ids = Ids(sim.profile.notify_limit)
        self.event_limit = sim.profile.event_limit
        self.events_used = 0
        self.lenders: dict[Event, None] = {}
        self.tidy_at = FEW_EVENTS
        """With so many events in use it is worth while to look which are over."""
        """Events with superseded records that still hold hardware ids."""
        self.engines = Engines(sim.profile)
        self.peers: dict[int, int] = {}
        """Devices whose memory this one may reach, with how often that was enabled."""
        self.sat_mode = sim.profile.sat_modes[0]
        self.res_limits: dict[int, int] = {}
        """Cores that kernels of this process may use, by kind (core_limits.py); until the device goes down."""
        self.overflow = False
        """A computation overflowed since the last aclrtResetOverflowStatus."""

    def __repr__(self) -> str:
        state = "up" if self.contexts_open else "down"
        return f"<device {self.index}: {self.sim.profile.name}, {state}, {self.stream_ids.used} streams>"

    def _repr_html_(self) -> str:
        from ascend_sim.findings.html import table_html  # notebooks alone show pages

        rows = [
            ("product", self.sim.profile.name), ("contexts", self.contexts_open), ("streams", self.stream_ids.used),
            ("events in use", self.events_used), ("memory", f"{self.sim.profile.memory_bytes:,} bytes"),
        ]  # fmt: skip
        return table_html(f"device {self.index}", rows)

    # -- life ---------------------------------------------------------------------------------------------------------

    def power_up(self) -> None:
        """The first context of the device is about to be made. Raises AclError 507033 when it cannot come up."""
        if not self.contexts_open:
            self.sim.state_changed("device", self.index, SET_PRE)
            self.sim.process.limits.check(self.sim.profile)
            self.res_limits.clear()

    def set(self, site: CallSite) -> Context:
        """One more aclrtSetDevice; brings the primary context up when it is the first. Returns it."""
        primary = self.primary
        if self.count == 0 or primary is None:
            if primary is None:
                primary = self.primary = self.sim.new_context(self, True, site)
            else:
                primary.bring_up(site)
        self.count += 1
        return primary

    def reset(self, t: HostThread, force: bool) -> bool:
        """One aclrtResetDevice, or all of them at once. True when that tore the device down.

        Raises AclError 507007 when the count is zero already.
        """
        primary = self.primary
        if self.count == 0 or primary is None or self.resetting:
            why = f"aclrtSetDevice({self.index}) has been reset as often as it was called"
            raise AclError(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, f"device {self.index} is not set: {why}")
        if self.count > 1 and not force:
            self.count -= 1
            return False
        self.resetting = True
        try:
            self.sim.state_changed("stream", primary.default.handle, DESTROY_PRE)
            self.sim.state_changed("device", self.index, RESET_PRE)
            if self.sim.profile.switches["reset_device"] == "waits":
                for stream in (*list(primary.streams), primary.default):
                    if stream.awaited() and not stream.stuck():
                        stream.wait_empty(t, None)
            switch = self.sim.profile.switches["lost_by_reset"]
            lost = self.contexts_open == 1 and (switch == "both" or (force and switch == "force"))
            if self.sim.hooks.device_reset is not None:
                things = [*primary.streams, *(self._all_it_has() if lost else ())]
                for observe in self.sim.hooks.device_reset:
                    observe(t, self.index, things)
            primary.tear_down()
            self.count = 0
            if lost:
                self._went_down(t)
        finally:
            self.resetting = False
        self.sim.state_changed("device", self.index, RESET_POST)
        return True

    def _all_it_has(self) -> list[Any]:
        """Its blocks, events and memory pools."""
        events = [e for e in self.sim.handles.values() if isinstance(e, Event) and e.device is self]
        pools = self.sim.process.pools
        return [*self.sim.memory.blocks(self.index), *events, *(pools.of(self.index) if pools is not None else ())]

    def _went_down(self, t: HostThread) -> None:
        """The last context is gone, and with it the memory and the events.

        See docs/semantics/process.md#what-a-reset-takes-along.
        """
        sim = self.sim
        for thing in self._all_it_has():
            if isinstance(thing, Event):
                thing.retire()
                sim.drop_handle(thing.handle)
                continue
            if not isinstance(thing, Allocation):
                thing.lose(t.site)
                continue
            self.reset_blocks.add(thing.number)
            sim.memory.free(thing, t.site)
            for observe in sim.hooks.freed or ():
                observe(None, thing)

    # -- streams and events --------------------------------------------------------------------------------------------

    def keep_own_id(self) -> None:
        """A device that is up has its own stream, also without aclrtSetDevice. Raises AclError 207008.

        See docs/semantics/process.md#contexts-and-threads.
        """
        if self.own_id is None and (self.primary is None or self.primary.dead):
            self.own_id = self._take_id()

    def maybe_down(self) -> None:
        """A context is gone, or did not come up: without any the device goes down."""
        if self.own_id is not None and not self.contexts_open:
            self.stream_ids.give_back(self.own_id)
            self.own_id = None

    def new_stream(self, context: Context, priority: int, flags: int, site: CallSite) -> Stream:
        """A stream with the lowest free id. Raises AclError when none is left (207008, or as a switch says)."""
        if self.own_id is not None and context.primary:
            stream_id, self.own_id = self.own_id, None
        else:
            stream_id = self._take_id()
        stream = Stream(context, self.sim.next_number("stream"), stream_id, priority, flags, site)
        stream.handle = self.sim.new_handle(stream)
        return stream

    def _take_id(self) -> int:
        stream_id = self.stream_ids.take()
        if stream_id is None:
            code = int(self.sim.profile.switches["stream_exhaustion"])
            raise AclError(
                code,
                f"all {self.stream_ids.limit} streams of device {self.index} are in use (default streams count too); "
                "destroy streams that are not needed",
            )
        return stream_id

    def return_stream(self, stream: Stream) -> None:
        """The stream is gone: its handle is dead, its id free."""
        self.stream_ids.give_back(stream.stream_id)
        self.sim.drop_handle(stream.handle)
        if self.sim.hooks.stream_ended is not None:
            for observe in self.sim.hooks.stream_ended:
                observe(stream)

    def take_event_id(self, t: HostThread, event: Event | None) -> bool:
        """A hardware event for *event*, False when there is none.

        A record recycles finished ones and tries again: 1000 times, or for ever (profile switch ``event_exhaustion``).
        """
        if self.events_used < self.event_limit:
            self.events_used += 1
            if self.events_used >= self.tidy_at:
                self._tidy()
            return True
        patient = self.sim.profile.switches["event_exhaustion"] == "wait"
        tries = 0
        if self.sim.hooks.stalled is not None and event is not None:
            for observe in self.sim.hooks.stalled:
                observe(t, f"a hardware event of device {self.index}")
        while True:
            for lender in list(self.lenders):
                lender.give_back()
            if self.events_used < self.event_limit:
                self.events_used += 1
                return True
            tries += 1
            if event is None or (tries >= RECORD_TRIES and not patient):
                return False
            t.clock += self.sim.profile.costs.host_call_ns
            self.sim.threads.poll(t, ("hardware event", self.index) if patient else None)

    def _tidy(self) -> None:
        """Give ids back before they are scarce: one that is lent keeps the tasks of its record and waits in memory."""
        for lender in list(self.lenders):
            lender.give_back()
        self.tidy_at = 2 * self.events_used + FEW_EVENTS

    def return_event_id(self) -> None:
        """One hardware event is free again."""
        self.events_used -= 1
