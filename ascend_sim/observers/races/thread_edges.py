"""Happens-before edges between host threads: the group that runs them reports each to the detectors of its simulators."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ascend_sim.observers.guarded import ended_by
from ascend_sim.observers.races.vector_clocks import known_to

if TYPE_CHECKING:
    from ascend_sim.observers.races.detector import RaceDetector
    from ascend_sim.observers.races.vector_clocks import Known
    from ascend_sim.runtime.threads.host_threads import HostThread, HostThreads

__all__ = ["ThreadEdges"]


class ThreadEdges:
    """One for a group of threads; several simulators can share the group."""

    def __init__(self, threads: HostThreads) -> None:
        self._threads = threads
        self._detectors: list[RaceDetector] = []
        threads.on_release = self.released
        threads.on_edge = self.edge
        threads.on_mark = self.mark
        threads.on_ask = self.asked
        threads.on_change = self.changed
        self._asked: WeakKeyDictionary[Any, dict[tuple[RaceDetector, int], tuple[int, str, Any]]] | None = None
        """For each thing the latest poll of each thread: (detector, chain) -> (number, kind, site)."""

    @classmethod
    def of(cls, threads: HostThreads) -> ThreadEdges:
        """That of *threads*, made at the first detector."""
        listener = getattr(threads.on_edge, "__self__", None)
        return listener if isinstance(listener, cls) else cls(threads)

    def add(self, detector: RaceDetector) -> None:
        """*detector* wants to hear."""
        self._detectors.append(detector)

    def remove(self, detector: RaceDetector) -> None:
        """Its simulator is closed."""
        if detector in self._detectors:
            self._detectors.remove(detector)
        if not self._detectors:
            self._threads.on_release = self._threads.on_edge = self._threads.on_mark = None
            self._threads.on_ask = self._threads.on_change = self._threads.asked = self._asked = None

    def released(self, t: HostThread) -> list[tuple[RaceDetector, Known]]:
        """What *t* knows as it gives a lock back, by every detector."""
        try:
            return [(detector, detector.clocks.clock(t).release()) for detector in self._detectors]
        except BaseException as error:  # noqa: BLE001 - as in observers/guarded.py
            self._end(error, self.released)
            return []

    def edge(self, kind: str, earlier: HostThread, later: HostThread, known: Any) -> None:
        """What *later* learns of *earlier*."""
        try:
            if kind in ("start", "join"):
                for detector in self._detectors:
                    (detector.clocks.started if kind == "start" else detector.clocks.joined)(earlier, later)
                return
            if kind == "ended":
                for detector in self._detectors:
                    if detector.clocks.joined(earlier, later):
                        detector.nondeterminism.add("poll", later.site)
                return
            for detector, what in known or ():
                if detector in self._detectors:
                    detector.learned(kind, later, what)
        except BaseException as error:  # noqa: BLE001 - as in observers/guarded.py
            self._end(error, self.edge)

    def asked(self, kind: str, t: HostThread, thing: Any, who: HostThread | None, number: int) -> None:
        """*t* has seen the state of *thing*: fixed as long as no change of it is unordered with that.

        *who*, if anybody, had made it so at *number* of its clock: if *t* did not know that, it was no certain answer.
        """
        try:
            for detector in self._detectors:
                clocks = detector.clocks
                clock = clocks.clock(t)
                if who is not None:
                    other = clocks.clock(who)
                    if other is not clock and not known_to(clock.view, other.c, number):
                        detector.nondeterminism.add(kind, t.site)
                        continue
                clock.q += 1
                if self._asked is None:
                    self._asked = self._threads.asked = WeakKeyDictionary()
                self._asked.setdefault(thing, {})[detector, clock.c] = (clock.q, kind, t.site)
        except BaseException as error:  # noqa: BLE001 - as in observers/guarded.py
            self._end(error, self.asked)

    def changed(self, t: HostThread, thing: Any) -> None:
        """*t* changes *thing*: in another order, could a thread that has seen it have seen this?"""
        try:
            polls = self._asked.get(thing, {}) if self._asked is not None else {}
            for (detector, c), (q, kind, site) in list(polls.items()):
                if detector not in self._detectors:
                    del polls[detector, c]
                    continue
                clock = detector.clocks.clock(t)
                if clock.c != c and not known_to(clock.view, c, q):
                    detector.nondeterminism.add(kind, site)
                    del polls[detector, c]
        except BaseException as error:  # noqa: BLE001 - as in observers/guarded.py
            self._end(error, self.changed)

    def mark(self, kind: str, t: HostThread) -> None:
        """The order of the threads decided what *t* was answered."""
        try:
            for detector in self._detectors:
                detector.nondeterminism.add(kind, t.site)
        except BaseException as error:  # noqa: BLE001 - as in observers/guarded.py
            self._end(error, self.mark)

    def _end(self, error: BaseException, listen: Callable[..., Any]) -> None:
        """*error* came while *listen* heard of a lock of the program: the detectors end, and the lock does its work."""
        for detector in self._detectors[:]:
            ended_by(detector.sim, detector, error, listen)
