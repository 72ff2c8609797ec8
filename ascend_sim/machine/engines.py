"""Engines: what tasks share on a device (cores, copy engines), and how long work on them takes.

A kernel takes slots of its kind, a copy takes one copy engine. Whoever finds no slot waits in order of asking; a task
of another kind may pass it.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from ascend_sim.machine.profiles import Profile

__all__ = ["Engines", "copy_cost", "copy_terms", "memset_cost"]


class SlotWaiter(Protocol):
    """Whoever waits for slots, usually a stream with its first task."""

    def wake(self, time: int) -> None:
        """Ask again at virtual *time* (ns)."""


#: Kinds of work -> pools that they take from, with slots per block. A mix block takes a cube core and its vector cores.
_CORE_KINDS = ("aic", "aiv", "mix")
_ONE_EACH = {kind: {kind: 1} for kind in ("aic", "aiv", "h2d", "d2h", "d2d")}


class _Queue:
    """The pools of one island (all cores, or one copy direction) and those who wait for them, in order of asking."""

    __slots__ = ("free", "waiting")

    def __init__(self, free: dict[str, int]) -> None:
        self.free = free
        self.waiting: deque[tuple[SlotWaiter, dict[str, int], int, int]] = deque()
        """Who waits: what a slot of it takes from which pool, the least it starts with, and what it wants."""


class Engines:
    """The core slots and copy engines of one device.

    Kinds: ``"aic"``, ``"aiv"``, ``"mix"`` (cores), ``"h2d"``, ``"d2h"``, ``"d2d"`` (copy engines).
    """

    __slots__ = ("_demand", "_queues", "capacity", "taken")

    def __init__(self, profile: Profile) -> None:
        self.taken = 0
        """Slots of all kinds that are taken, and who waits for some; 0: everything is free, and nobody waits."""
        cores = {"aic": profile.cube_cores, "aiv": profile.vector_slots}
        ratio = max(1, profile.vector_slots // profile.cube_cores)
        island = _Queue(cores)
        self._demand = {**_ONE_EACH, "mix": {"aic": 1, "aiv": ratio}}
        self._queues: dict[str, _Queue] = dict.fromkeys(_CORE_KINDS, island)
        self.capacity: dict[str, int] = {**cores, "mix": min(profile.cube_cores, profile.vector_slots // ratio)}
        for kind, number in profile.copy_engines.items():
            self._queues[kind] = _Queue({kind: number})
            self.capacity[kind] = number

    def try_acquire(self, kind: str, want: int = 1, least: int = 0, waiter: SlotWaiter | None = None) -> int:
        """Take up to *want* slots of *kind*, but at least *least* (default: all of them); returns how many were taken.

        0 means none: *waiter*, if given, then stands in the queue (once) until it succeeds or :meth:`withdraw`.
        *want* is cut to the capacity first, as a kernel with more blocks than cores runs in waves. Where several wait
        that can start with fewer than they want, free slots are dealt out in turn: each gets its share.
        """
        queue = self._queues[kind]
        capacity = self.capacity[kind]
        if want > capacity:
            want = capacity
        if not queue.waiting and kind != "mix":  # the usual case: one pool, nobody before us
            free = queue.free[kind]
            got = want if want <= free else free
            if got and got >= (least or want):
                queue.free[kind] = free - got
                self.taken += got
                return got
        demand = self._demand[kind]
        least = min(least or want, want)
        blocked = self._blocked_before(queue, waiter) if queue.waiting else ()
        if not any(pool in blocked for pool in demand):
            got = min([want] + [queue.free[pool] // each for pool, each in demand.items()])
            if least < got and len(queue.waiting) > 1 and waiter is not None:
                got = _share(queue, waiter, demand, want, got)
            if got >= least:
                for pool, each in demand.items():
                    queue.free[pool] -= got * each
                self.taken += got
                if queue.waiting and waiter is not None:
                    self.withdraw(kind, waiter)
                return got
        if waiter is not None and not any(entry[0] is waiter for entry in queue.waiting):
            queue.waiting.append((waiter, demand, least, want))
            self.taken += 1
        return 0

    def try_grow(self, kind: str, want: int, waiter: SlotWaiter) -> int:
        """More slots, up to *want*, for who holds some; returns how many.

        0 means none: *waiter* then stands before all who hold none, since their turn may depend on what it holds.
        """
        queue, demand = self._queues[kind], self._demand[kind]
        got = min([want] + [queue.free[pool] // each for pool, each in demand.items()])
        if got:
            self.take(kind, got)
            self.withdraw(kind, waiter)
        elif not any(entry[0] is waiter for entry in queue.waiting):
            queue.waiting.appendleft((waiter, demand, 1, want))
            self.taken += 1
        return got

    def take(self, kind: str, slots: int) -> None:
        """Take slots that are known to be free."""
        queue = self._queues[kind]
        for pool, each in self._demand[kind].items():
            queue.free[pool] -= slots * each
        self.taken += slots

    def demand(self, kind: str) -> dict[str, int]:
        """What one slot of *kind* takes from which pool."""
        return self._demand[kind]

    def release(self, kind: str, slots: int) -> list[SlotWaiter]:
        """Give *slots* back; returns who may try again now, first come first (each still has to ask)."""
        queue = self._queues[kind]
        self.taken -= slots
        if kind != "mix":
            queue.free[kind] += slots
        else:
            for pool, each in self._demand[kind].items():
                queue.free[pool] += slots * each
        if not queue.waiting:
            return []
        left = dict(queue.free)
        ready: list[SlotWaiter] = []
        blocked: set[str] = set()
        for waiter, demand, least, _ in queue.waiting:
            if not blocked.isdisjoint(demand) or any(left[pool] < least * each for pool, each in demand.items()):
                blocked.update(demand)
                if len(blocked) == len(left):
                    break
                continue
            for pool, each in demand.items():
                left[pool] -= least * each
            ready.append(waiter)
        return ready

    def withdraw(self, kind: str, waiter: SlotWaiter) -> list[SlotWaiter]:
        """*waiter* no longer waits (it started, or was dropped); returns who may try again because of that."""
        queue = self._queues[kind]
        if not any(entry[0] is waiter for entry in queue.waiting):
            return []
        queue.waiting = deque(entry for entry in queue.waiting if entry[0] is not waiter)
        self.taken -= 1
        return self.release(kind, 0)

    def free(self, kind: str) -> int:
        """How many slots of *kind* are free."""
        queue = self._queues[kind]
        return min(queue.free[pool] // each for pool, each in self._demand[kind].items())

    def waiting(self, kind: str) -> int:
        """How many wait for the cores, or for this copy direction."""
        return len(self._queues[kind].waiting)

    @staticmethod
    def _blocked_before(queue: _Queue, waiter: SlotWaiter | None) -> set[str]:
        """The pools that somebody waits for who came before *waiter*: taking from them would be overtaking."""
        blocked: set[str] = set()
        for other, demand, _, _ in queue.waiting:
            if other is waiter:
                break
            blocked.update(demand)
        return blocked


def _share(queue: _Queue, waiter: SlotWaiter, demand: dict[str, int], want: int, free: int) -> int:
    """What *waiter* gets of *free* slots when they are dealt out in turn among those who wait from it on."""
    wants = [want]
    begun = False
    for other, needed, least, wanted in queue.waiting:
        if begun and least < wanted and not demand.keys().isdisjoint(needed):
            wants.append(wanted)
        begun = begun or other is waiter
    got = [0] * len(wants)
    while free:
        hungry = [i for i, wanted in enumerate(wants) if got[i] < wanted]
        if not hungry:
            break
        for i in hungry[:free]:
            got[i] += 1
        free -= min(free, len(hungry))
    return got[0]


def copy_terms(profile: Profile, kind: str) -> tuple[int, int]:
    """(ns, bytes per microsecond): what a copy takes at least, and how fast it is; kinds as for :func:`copy_cost`."""
    costs = profile.costs
    if kind == "h2d":
        return costs.h2d_base_ns, costs.h2d_rate
    if kind == "d2h":
        return costs.d2h_base_ns, costs.d2h_rate
    if kind == "d2d":
        return costs.d2d_base_ns, costs.d2d_rate
    if kind == "peer":
        return costs.peer_base_ns, costs.peer_rate
    return costs.h2h_base_ns, costs.h2h_rate


def copy_cost(profile: Profile, kind: str, nbytes: int) -> int:
    """Virtual ns of copying *nbytes*: ``"h2d"``, ``"d2h"``, ``"d2d"``, ``"h2h"`` or, between devices, ``"peer"``."""
    base, rate = copy_terms(profile, kind)
    return base + nbytes * 1000 // rate


def memset_cost(profile: Profile, nbytes: int) -> int:
    """Virtual ns of setting *nbytes* of device memory."""
    return profile.costs.memset_base_ns + nbytes * 1000 // profile.costs.memset_rate
