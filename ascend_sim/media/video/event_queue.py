"""Waiting for results of several channels at once, as programs wait for files with epoll."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ascend_sim.media.video.polled_channel import PolledChannel, wait_for_any

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["READABLE", "EventQueue", "Watched"]

READABLE = 1
"""HI_DVPP_EPOLL_IN: a result can be taken."""


class Watched(NamedTuple):
    """A channel, which of its events count, and the number that the program gave for it."""

    channel: PolledChannel
    events: int
    data: int


class EventQueue:
    """The channels that a program waits for, by the numbers of their events."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.watched: dict[int, Watched] = {}

    def wait(self, t: ThreadState, most: int, timeout: int) -> list[tuple[int, int]]:
        """(events, data) of those with a result, at most so many; none when none came within *timeout* ms (-1: for ever)."""
        found = [one for one in self.watched.values() if one.events & READABLE and not one.channel.lost]
        wait_for_any(t, [one.channel for one in found], timeout, f"event queue {self.number}")
        ready = [one for one in found if one.channel.next_result() is not None]
        return [(READABLE, one.data) for one in ready[:most]]
