"""Victims of a hang: the smallest set of threads whose waits must be broken."""

from __future__ import annotations

from typing import Any

from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.threads import wait_graph
from ascend_sim.runtime.threads.host_threads import HostThread


class Wait:
    """A reason whose holders are given."""

    def __init__(self, text: str, *holders: object) -> None:
        self.text = text
        self.behind = list(holders)

    def describe(self) -> str:
        return self.text

    def holders(self) -> list[object]:
        return self.behind


class Threads:
    """Nothing runs here."""


def thread(number: int, *, call: bool = False, daemon: bool = False, service: bool = False) -> HostThread:
    group: Any = Threads()
    t = HostThread(None, group, number, f"T{number}", 0)
    t.os_ident = -1 - number
    t.daemon, t.service = daemon, service
    t.awaited = Signal() if call else None
    return t


def test_a_cycle_comes_before_everything_else_and_the_smallest_one_counts() -> None:
    a, b, c, d, main = thread(1), thread(2), thread(3), thread(4, call=True), thread(0)
    a.why, b.why = Wait("lock L1", b), Wait("lock L2", a)
    c.why, d.why = Wait("lock L1", a), Wait("stream 1")
    main.why = Wait("T3 to end", c)
    assert wait_graph.victims([main, a, b, c, d]) == [a, b]


def test_a_cycle_may_go_through_streams_and_further_reasons() -> None:
    a, b = thread(1, call=True), thread(2, call=True)
    stream = Wait("stream 1", Wait("callback", b))
    a.why, b.why = Wait("stream 1 to finish", stream), Wait("lock L1", a)
    assert wait_graph.behind(a.why) == [b]
    assert wait_graph.victims([a, b]) == [a, b]


def test_a_thread_that_waits_for_its_own_lock_is_a_cycle_of_one() -> None:
    a, b = thread(1), thread(2, call=True)
    a.why, b.why = Wait("lock L1", a), Wait("stream 1")
    assert wait_graph.victims([a, b]) == [a]


def test_without_a_cycle_those_in_calls_are_victims_and_main_goes_on() -> None:
    main, worker = thread(0), thread(1, call=True)
    main.why, worker.why = Wait("T1 to end", worker), Wait("stream 1")
    assert wait_graph.victims([main, worker]) == [worker]


def test_a_daemon_that_waits_for_reports_is_no_fault_by_itself() -> None:
    main, reporter = thread(0, call=True), thread(1, call=True, daemon=True)
    main.why, reporter.why = Wait("stream 1"), Wait("a callback")
    assert wait_graph.victims([main, reporter]) == [main]


def test_unless_main_waits_for_that_daemon() -> None:
    main, reporter = thread(0), thread(1, call=True, daemon=True)
    main.why, reporter.why = Wait("T1 to end", reporter), Wait("a callback")
    assert wait_graph.victims([main, reporter]) == [reporter]


def test_without_calls_main_then_the_non_daemon_threads() -> None:
    main, worker, helper = thread(0), thread(1), thread(2, daemon=True)
    for t in (main, worker, helper):
        t.why = Wait("another thread, in Event.wait")
    assert wait_graph.victims([main, worker, helper]) == [main]
    assert wait_graph.victims([worker, helper]) == [worker]
    assert wait_graph.victims([helper]) == [helper]


def test_threads_of_the_engine_are_never_guilty() -> None:
    service = thread(3, call=True, daemon=True, service=True)
    service.why = Wait("a host function")
    assert wait_graph.victims([service]) == []


def test_a_line_names_what_is_waited_for_and_who_could_end_it() -> None:
    a, b = thread(1), thread(2)
    stream = Wait("stream 7", b)
    a.why, b.why = Wait("event 3", stream), None
    assert wait_graph.lines([a, b]) == [
        "T1: waits for event 3 (which is up to stream 7, which is up to T2)",
        "T2: waits for something that never happens",
    ]
