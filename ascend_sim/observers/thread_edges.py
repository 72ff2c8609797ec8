"""Edges between host threads, from the group that runs them to the race detectors of all its simulators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.observers.clocks import Known
    from ascend_sim.observers.races import RaceDetector
    from ascend_sim.runtime.host_threads import HostThread, HostThreads

__all__ = ["ThreadEdges"]


class ThreadEdges:
    """One for a group of threads; several simulators can share the group."""

    def __init__(self, threads: HostThreads) -> None:
        self._threads = threads
        self._detectors: list[RaceDetector] = []
        threads.on_release = self.released
        threads.on_edge = self.edge
        threads.on_mark = self.mark

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
        self._detectors.remove(detector)
        if not self._detectors:
            self._threads.on_release = self._threads.on_edge = self._threads.on_mark = None

    def released(self, t: HostThread) -> list[tuple[RaceDetector, Known]]:
        """What *t* knows as it gives a lock back, by every detector."""
        return [(detector, detector.clocks.clock(t).release()) for detector in self._detectors]

    def edge(self, kind: str, earlier: HostThread, later: HostThread, known: Any) -> None:
        """What *later* learns of *earlier*."""
        if kind in ("start", "join"):
            for detector in self._detectors:
                (detector.clocks.started if kind == "start" else detector.clocks.joined)(earlier, later)
            return
        for detector, what in known or ():
            if detector in self._detectors:
                detector.learned(kind, later, what)

    def mark(self, kind: str, t: HostThread) -> None:
        """The order of the threads decided what *t* was answered."""
        for detector in self._detectors:
            detector.marks.add(kind, t.site)
