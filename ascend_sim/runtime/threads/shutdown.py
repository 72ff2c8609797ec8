"""Shuts down a group whose program is over while some of its threads still run (a test that forgot to join)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.runtime.threads.os_thread import ENDED, OS_BLOCKED, JoinWait, OSThread, ThreadShutdown

if TYPE_CHECKING:
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads

__all__ = ["shut_down"]

PATIENCE = 20
"""So often a thread that goes on all the same is asked."""
ROUND_NS = 1_000_000_000
"""Virtual ns that the others have to end, each time."""


def shut_down(group: DeterministicThreads) -> list[str]:
    """End all threads of *group* but the calling one: `ThreadShutdown` is raised in each, where it waits or calls next.

    Returns the names of those that went on all the same, or are blocked in the OS (in a socket, in a lock of others).
    They are left alone.
    """
    me = group.here.os_thread
    if me is None or not group.multi:
        return []
    group.take_token(me)
    for _ in range(PATIENCE):
        others = _others(group, me)
        if not others:
            break
        for r in others:
            r.hang = ThreadShutdown(f"{r.host.name} still ran when the test was over")
            group.wake_thread(r, me.host.clock)
        for r in others:
            if not r.ended.done:
                group.wait(me, r.ended, me.host.clock + ROUND_NS, JoinWait(r))
    return [r.host.name for r in group.os_threads.values() if r is not me and not r.ended.done]


def _others(group: DeterministicThreads, me: OSThread) -> list[OSThread]:
    return [r for r in group.os_threads.values() if r is not me and r.state not in (OS_BLOCKED, ENDED)]
