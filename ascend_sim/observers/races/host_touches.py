"""Detects what the program does itself with page-locked memory that a queued copy writes, before it has waited for it.

Reads of the program are no calls. Where a native library of the process can close pages (machine/page_guard.py), those
of the copy's destination are closed from the call on until some thread knows that the copy is over; who touches them
before is heard of, and that counts as an access of the calling thread. Tasks and calls that use the memory meanwhile
open it for themselves. Nothing is closed, and nothing paid, for anything else (docs/semantics/torch.md#page-locked-memory).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.machine.page_guard import GUARDS, PageGuard
from ascend_sim.observers.guarded import guarded
from ascend_sim.observers.observer import listen, unlisten
from ascend_sim.observers.races.vector_clocks import known_to
from ascend_sim.runtime.current import LOCAL

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.observers.races.detector import RaceDetector
    from ascend_sim.runtime.memory.transfers import Place
    from ascend_sim.runtime.task import Task, TaskFault
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["HostTouches"]


class ClosedPages:
    """The destination of one copy."""

    __slots__ = ("block", "hi", "lo", "number", "task")

    def __init__(self, number: int, task: Task, block: Allocation, lo: int, hi: int) -> None:
        self.number = number
        self.task = task
        self.block = block
        self.lo = lo
        self.hi = hi


class HostTouches:
    """Closes the destinations of copies from a device, and hears who does not wait for them."""

    def __init__(self, races: RaceDetector) -> None:
        self._races = races
        self.closed: list[ClosedPages] = []
        """Those that nobody has waited for."""
        self._opened = False
        """Some of them are open for a task that runs, or for a call."""

    def queued(self, task: Task, to: Place) -> None:
        """*task* will write *to*: from now on the program must not touch it."""
        block = to.block
        op: Any = getattr(task.op, "original", task.op)  # of a copy that is to fail as planned
        if not GUARDS or block is None or block.kind != "host" or op.action.shape.height != 1:
            return
        guard, held = GUARDS[0], block.bytes
        if held is None or not PageGuard.fits(block.host, held.nbytes):
            return
        number = guard.close(block.host + to.offset, to.nbytes)
        if not number:
            return
        if not self.closed:
            guard.heard = guarded(self._races.sim, self._races, self._heard)
            listen(self._races.sim, self._races, "completed", self._completed)
        self.closed.append(ClosedPages(number, task, block, to.offset, to.offset + to.nbytes))

    def open(self) -> None:
        """The simulator is about to use host memory: all is open until `close`, or until a task has ended."""
        self._opened = True
        for pages in self.closed:
            GUARDS[0].open(pages.number)

    def close(self) -> None:
        """It is done."""
        self._opened = False
        for pages in self.closed:
            GUARDS[0].close_again(pages.number)

    def known(self, t: HostThread) -> None:
        """*t* has learned of the device: what it knows to be over is the program's again."""
        for pages in self.closed[:]:
            if pages.task.over() and self._is_known(t, pages.task):
                self._forget(pages)

    def gone(self, block: Allocation) -> None:
        """*block* is freed."""
        for pages in self.closed[:]:
            if pages.block is block:
                self._forget(pages)

    def finish(self) -> None:
        """The simulator is closed."""
        for pages in self.closed[:]:
            self._forget(pages)

    def _completed(self, task: Task, fault: TaskFault | None) -> None:
        if self._opened:
            self.close()

    def _is_known(self, t: HostThread, task: Task) -> bool:
        track = self._races.clocks.track_of(task)
        return track is None or known_to(self._races.clocks.host(t).view, track.c, task.q)

    def _forget(self, pages: ClosedPages) -> None:
        self.closed.remove(pages)
        GUARDS[0].open(pages.number, forget=True)
        if not self.closed:
            unlisten(self._races.sim, self._races, "completed", self._completed)

    def _heard(self, number: int, write: bool) -> None:
        """The calling thread touches the pages *number*, which are open now."""
        t: HostThread = LOCAL.state
        for pages in self.closed[:]:
            if pages.number == number:
                self._forget(pages)
                if not (pages.task.over() and self._is_known(t, pages.task)):
                    self._races.accessed(t, pages.block, pages.lo, pages.hi, write)
