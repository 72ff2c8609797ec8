"""Notifies that several processes have: one flag on the board; a record sets it, and one wait takes it.

Which of several waiting processes takes it is for the operating system to say (docs/semantics/processes.md#notifies).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.runtime.processes.board import Entry, Who
from ascend_sim.runtime.processes.events import _fail_streams, report_dead
from ascend_sim.runtime.processes.neighbours import Neighbours, Shared, hand_over
from ascend_sim.runtime.processes.order import NOTHING, Stamp

if TYPE_CHECKING:
    from ascend_sim.runtime.notify import Notify
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["SharedNotify"]


class SharedNotify(Shared):
    """A notify whose key was given out, or that was imported here."""

    __slots__ = ("imported", "notify", "stamp", "time", "whose")

    def __init__(self, neighbours: Neighbours, name: str, notify: Notify, whose: str, imported: bool = False) -> None:
        super().__init__(neighbours, name)
        self.notify = notify
        self.imported = imported
        self.whose = whose
        self.time = 0
        """Virtual time (ns) of the record that set the flag last, by the clock of the process that did."""

        self.stamp: Stamp | None = NOTHING
        """What the record that the latest wait here has taken stands for."""

    def describe(self) -> str:
        """The notify in words."""
        return self.whose

    def hand_over(self, t: HostThread, task: Task) -> None:
        """The call that queued the record *task* is over but for this."""
        hand_over(t, task)

    def set(self, value: bool, time: int, task: Task | None = None) -> None:
        """Set the flag for all, by the record *task*; or clear it."""
        with self.neighbours.board.change(self.name) as entry:
            entry["flag"] = value
            entry["stamp"] = None if task is None else self.neighbours.order.stamp(task)
            if value:
                entry["time"] = time

    def take(self) -> bool:
        """Clear the flag; whether it was set."""
        with self.neighbours.board.change(self.name) as entry:
            taken, entry["flag"] = bool(entry.get("flag")), False
            self.stamp = entry.get("stamp")
        return taken

    def is_set(self) -> bool:
        """Whether the flag is set now."""
        entry = self.neighbours.board.read(self.name) or {}
        self.time = entry.get("time", 0)
        return bool(entry.get("flag"))

    # -- what others do ------------------------------------------------------------------------------------------------

    def waits(self) -> bool:
        """Whether a stream waits, and no record that would end it is queued here."""
        return bool(self.notify.parked) and not self.notify.unfinished_records()

    def news(self, entry: Entry) -> bool:
        """The flag is set: the first stream looks again."""
        if not entry.get("flag"):
            return False
        time = max(self.neighbours.sim.scheduler.now, entry.get("time", 0))
        self.notify.wake_parked(time)
        return True

    def enders(self, entry: Entry) -> list[Who] | None:
        """Those that have it; None: nobody has, and others live that may still import it."""
        board = self.neighbours.board
        return [who for who in entry.get("users", ()) if who != board.me] or None

    def abandoned(self, ended: list[Who]) -> bool:
        """Nobody is left who could record it."""
        waiting, time = list(self.notify.parked), self.neighbours.sim.scheduler.now
        report_dead(self, waiting, ended[0], "which had it, and nobody else could record it")
        self.notify.parked.clear()
        _fail_streams(waiting, time, f"{self.describe()}: the process that could record it is gone")
        return True
