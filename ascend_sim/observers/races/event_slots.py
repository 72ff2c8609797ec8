"""Event slots: what a host call refers to when another thread records the event in no order with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.observers.races.vector_clocks import known_to

if TYPE_CHECKING:
    from ascend_sim.observers.races.sync_races import SyncRaces
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["EventSlots"]


class EventSlots:
    """For each event the latest record call and the latest reading call of each thread: (chain, number, site, thread).

    Two records in no order are no fault by themselves: only who refers to them can tell.
    """

    def __init__(self, races: SyncRaces) -> None:
        self._races = races
        self._records: dict[Any, dict[int, tuple[int, int, Any, str]]] = {}
        self._reads: dict[Any, dict[int, tuple[int, int, Any, str]]] = {}

    def used(self, t: HostThread, event: Any, record: bool) -> None:
        """*t* records *event*, or waits for it, queries it or synchronises with it."""
        clock = self._races.clocks.host(t)
        clock.q += 1
        against = self._reads if record else self._records
        for c, q, site, name in against.get(event, {}).values():
            if c != clock.c and not known_to(clock.view, c, q):
                self._report(event, t, site, name, record)
        mine = self._records if record else self._reads
        mine.setdefault(event, {})[clock.c] = (clock.c, clock.q, t.site, t.name)

    def _report(self, event: Any, t: HostThread, site: Any, name: str, record: bool) -> None:
        what = self._races.names.event(event)
        one, two = (t.name, name) if record else (name, t.name)
        self._races._report_pair(
            f"{one} records {what} while {two} refers to its latest record, and nothing orders the two calls",
            f"which record the call refers to depends on the order of {t.name} and {name}",
            t.site,
            site,
            "records here" if record else "refers to the latest record",
            "refers to the latest record" if record else "records here",
        )
