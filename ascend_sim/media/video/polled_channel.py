"""Channels whose results are asked for: those of the second interface (himpi)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.media.video.unit_channel import Due, Job, UnitChannel
from ascend_sim.runtime.scheduler import Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.task import Op, Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["PolledChannel", "wait_for_any"]


class _Look(Signal):
    """Who waits for a result looks again when a task of the unit has ended."""

    __slots__ = ()


class _NextResult(Due):
    """A wait for a result."""

    may_time_out = True
    """Who asks with a limit expects that nothing may be there."""


class _Wakes:
    """Wakes who waits for results of a channel, at the end of a task."""

    __slots__ = ("channel",)

    def __init__(self, channel: PolledChannel) -> None:
        self.channel = channel

    def wake(self, time: int) -> None:
        """A task of the unit has ended."""
        for look in self.channel.looks:
            if not look.done:
                self.channel.sim.scheduler.complete(look, time)
        self.channel.looks.clear()


class PolledChannel(UnitChannel):
    """A channel without callbacks."""

    def __init__(self, t: ThreadState, name: str, context: Context) -> None:
        super().__init__(t, name, context)
        self.looks: list[_Look] = []
        self._wakes = _Wakes(self)

    def describe(self) -> str:
        """``VDEC channel 3``."""
        return self.name

    def submit(self, t: ThreadState, op: Op) -> Task:
        """Whatever becomes of the task, who waits looks again."""
        task = super().submit(t, op)
        task.waiters = [self._wakes]
        return task

    def take(self, t: ThreadState, timeout: int) -> Job | None:
        """The next result; None when none came within *timeout* ms (-1: for ever, 0: what is there now)."""
        if not wait_for_any(t, [self], timeout, self.name):
            return None
        job = self._results.popleft()
        for observe in self.sim.hooks.polled or ():
            observe(t, self, job.task, True, True)
        return job

    def close(self, t: ThreadState) -> None:
        """Wait for the unit; results that nobody took are lost."""
        if not self.lost:
            self.wait_until_empty(t, self.work, f"{self.name} to come to its end")
        self._jobs.clear()
        self._results.clear()
        self.shut()


def wait_for_any(t: ThreadState, channels: Sequence[PolledChannel], timeout: int, name: str) -> bool:
    """Until one of *channels* has a result, or *timeout* ms are over (-1: for ever); whether one has.

    *name*: what is asked, for reports.
    """
    deadline = None if timeout < 0 else t.clock + timeout * 1_000_000
    threads = t.sim.threads
    threads.poll(t, (t.call, name))
    while not any(channel.next_result() is not None for channel in channels):
        look = _Look()
        for channel in channels:
            channel.looks.append(look)
        working = next((channel.work for channel in channels if channel.work.queue), None)
        words = channels[0].awaited_result() if len(channels) == 1 else f"a result of one of {len(channels)} channels"
        if not threads.block(t, look, deadline, _NextResult(words, working)):
            for channel in channels:
                if look in channel.looks:
                    channel.looks.remove(look)
            return any(channel.next_result() is not None for channel in channels)
    return True
