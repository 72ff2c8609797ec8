"""The thread that watches the others ends nothing of the program: it holds no value, and collects no garbage.

While it sleeps, others may collect.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ascend_sim.runtime.threads import blocked_threads, deterministic, wait_graph
from ascend_sim.runtime.threads.blocked_threads import SPINNING_LOOKS, Monitor, _spins, _Watch
from ascend_sim.runtime.threads.deterministic import DeterministicThreads


def test_collection_is_paused_while_it_works_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    paused: list[int] = []
    asleep: list[int] = []
    group: Any = SimpleNamespace(multi=True, holder=None, idle=False, active=True, controller=None, patches=None)
    monitor = Monitor(group)

    def sleep(seconds: float) -> None:
        asleep.append(sum(paused))
        monitor.stopped = len(asleep) == 3

    monkeypatch.setattr(blocked_threads, "_sleep", sleep)
    monkeypatch.setattr(Monitor, "collection", (lambda: paused.append(1), lambda: paused.append(-1)))
    monitor._run()
    assert asleep == [0, 0, 0]
    assert paused == [1, -1] * 4


def test_it_resumes_what_it_paused_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library may come while it works."""
    paused: list[int] = []
    monitor = Monitor(SimpleNamespace())  # type: ignore[arg-type]
    monitor._pause(True)
    monkeypatch.setattr(Monitor, "collection", (lambda: paused.append(1), lambda: paused.append(-1)))
    monitor._pause(False)
    assert paused == []
    monitor._pause(True)
    monkeypatch.setattr(Monitor, "collection", None)
    monitor._pause(False)
    assert paused == [1, -1]


@pytest.mark.skipif(
    not blocked_threads.FUTEX.get(os.uname().machine) or not os.path.exists("/proc/self/syscall"),
    reason="which system calls end by themselves is not known here",
)
@pytest.mark.parametrize(("seconds", "ends"), [(-1, False), (1000, True)])
def test_a_wait_for_a_lock_ends_by_itself_with_a_time_out_alone(seconds: int, ends: bool) -> None:
    lock = threading.Lock()
    lock.acquire()
    waiter = threading.Thread(target=lock.acquire, args=(True, seconds), daemon=True)
    waiter.start()
    assert waiter.native_id is not None
    looks = []
    for _ in range(1000):  # on its way there it waits for Python's own lock, with a time-out
        time.sleep(0.001)
        asleep = blocked_threads.thread_state(waiter.native_id)[0] == "S"
        looks.append(asleep and blocked_threads.ends_by_itself(waiter.native_id) is ends)
        if all(looks[-3:]) and len(looks) > 3:
            break
    assert looks[-3:] == [True] * 3
    lock.release()
    waiter.join()


class Chosen(Exception):
    """The choice of the next thread has begun."""


def test_who_chooses_the_next_thread_keeps_the_run_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine it seems to sleep, since it waits for Python's lock or the processor: nobody chooses beside it."""
    group = DeterministicThreads()
    monitor = Monitor(group)
    me: Any = SimpleNamespace(ident=threading.get_ident())
    seen: list[bool] = []

    def first(*queue: Any) -> None:
        seen.append(monitor._decides(me))
        group.driving = True
        seen.append(monitor._decides(me))
        raise Chosen

    monkeypatch.setattr(blocked_threads, "internal", lambda code: True)
    monkeypatch.setattr(deterministic, "_first", first)
    with pytest.raises(Chosen):
        group._next(me)
    group.driving = False
    assert [*seen, monitor._decides(me)] == [True, False, False]


class Thing:
    """What a tensor is here: something whose end somebody hears of."""


def _watch() -> _Watch:
    return _Watch(SimpleNamespace(operations=0, ident=0))  # type: ignore[arg-type]


def test_it_keeps_nothing_of_the_program_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []

    def program() -> Iterator[None]:
        thing, things = Thing(), [Thing()]
        for one in (thing, things[0]):
            weakref.finalize(one, ended.append, "ended")
        del one
        while True:
            yield

    running = program()
    next(running)
    monkeypatch.setattr(wait_graph, "innermost", lambda ident: running.gi_frame)  # type: ignore[attr-defined]
    watch = _watch()
    looks = [_spins(watch, True) for _ in range(4)]
    assert looks == [False] * 4
    assert watch.values
    running.close()  # type: ignore[attr-defined]
    assert ended == ["ended"] * 2


def _looks_at_a_variable_that_changes(monkeypatch: pytest.MonkeyPatch, reads: bool) -> list[str]:
    """Who ended a thing of the program: the looks that came behind the program's own letting go."""
    ended: list[str] = []
    now = "the program"

    def program() -> Iterator[None]:
        thing = Thing()
        weakref.finalize(thing, lambda: ended.append(now))
        yield
        thing = Thing()
        del thing
        while True:
            yield

    running = program()
    next(running)
    monkeypatch.setattr(wait_graph, "innermost", lambda ident: running.gi_frame)  # type: ignore[attr-defined]
    watch = _watch()
    for _ in range(2):
        _spins(watch, reads)
    next(running)
    now = "the look"
    for _ in range(2):
        _spins(watch, reads)
    return ended


def test_a_look_that_reads_no_variable_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _looks_at_a_variable_that_changes(monkeypatch, reads=False) == ["the program"]


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="f_locals keeps no copy there")
def test_a_look_that_reads_may_end_what_the_program_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it must not where that calls."""
    assert _looks_at_a_variable_that_changes(monkeypatch, reads=True) == ["the look"]


def _monitor_and_watch() -> tuple[Monitor, _Watch]:
    group: Any = SimpleNamespace(multi=True, patches=None)
    os_thread: Any = SimpleNamespace(operations=0, ident=0, native_id=0)
    return Monitor(group), _Watch(os_thread)


@pytest.mark.parametrize(("ran", "gone"), [(0.9, False), (1.1, True)])
def test_a_loop_lasts_as_long_as_it_has_run(monkeypatch: pytest.MonkeyPatch, ran: float, gone: bool) -> None:
    """However long it has been there: a busy machine gives little of a second to each."""
    monitor, watch = _monitor_and_watch()
    watch.since = blocked_threads._real_ns() - 60_000_000_000
    watch.used = 0
    monkeypatch.setattr(blocked_threads, "thread_state", lambda number: ("R", int(ran * 1_000_000_000)))
    monkeypatch.setattr(wait_graph, "innermost", lambda ident: _frame(2, None))
    monkeypatch.setattr(blocked_threads, "_spins", lambda watch, reads: True)
    assert monitor._gone(watch) is gone


class Stepping:
    """A thread that makes a step just when the monitor looks whether it made one."""

    ident = native_id = 0

    def __init__(self, step: Any) -> None:
        self._step = step
        self._steps = 0

    @property
    def operations(self) -> int:
        if self._steps:
            self._step()
        self._steps += 1
        return min(self._steps, 2)


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_the_run_token_stays_with_whom_it_was_handed_to(when: str) -> None:
    other: Any = object()
    marked: list[Any] = []
    group: Any = SimpleNamespace(_mutex=threading.Lock(), mark_os_blocked=marked.append, pass_token=marked.clear)

    def hands_over() -> None:
        group.holder = other

    thread: Any = Stepping(hands_over)
    watch = _Watch(thread)
    group.holder = thread if when == "meanwhile" else other
    Monitor(group)._revoke(watch)
    assert group.holder is other and not marked


def test_who_makes_a_step_keeps_the_run_token() -> None:
    group: Any = SimpleNamespace(_mutex=threading.Lock())
    group.holder = thread = Stepping(lambda: None)
    Monitor(group)._revoke(_Watch(thread))  # type: ignore[arg-type]
    assert group.holder is thread


@pytest.mark.parametrize(
    ("calls", "away", "gone"),
    [(False, 2, True), (True, 2, False), (True, 11, True)],
)
def test_where_no_variable_may_be_read_a_loop_must_last(
    monkeypatch: pytest.MonkeyPatch, calls: bool, away: int, gone: bool
) -> None:
    monitor, watch = _monitor_and_watch()
    watch.used = 0
    asked: list[bool] = []

    def spins(watch: _Watch, reads: bool) -> bool:
        asked.append(reads)
        return True

    monkeypatch.setattr(blocked_threads, "thread_state", lambda number: ("R", away * 1_000_000_000))
    monkeypatch.setattr(wait_graph, "innermost", lambda ident: _frame(2, None))
    monkeypatch.setattr(blocked_threads, "_spins", spins)
    monkeypatch.setattr(Monitor, "collection", (lambda: None, lambda: None) if calls else None)
    assert monitor._gone(watch) is gone
    assert asked == [not calls]


def _frame(lasti: int, outer: Any, **variables: Any) -> Any:
    code = compile("while True:\n    pass", "loop.py", "exec")
    return SimpleNamespace(f_back=outer, f_locals=variables, f_lasti=lasti, f_code=code)


@pytest.mark.parametrize(("steps", "spins"), [(0, True), (1, False)])
def test_a_function_that_is_called_again_at_the_same_address_is_no_loop(
    monkeypatch: pytest.MonkeyPatch, steps: int, spins: bool
) -> None:
    thing = Thing()
    outer = _frame(2, None, i=1000)
    inner = _frame(2, outer, thing=thing)  # the same object each time stands for another one at its address
    monkeypatch.setattr(wait_graph, "innermost", lambda ident: inner)
    watch, found = _watch(), False
    for look in range(SPINNING_LOOKS + 5):
        if steps:
            outer.f_locals["i"] += steps
        inner.f_lasti = 2 * (look % 2)
        found = _spins(watch, True) or found
    assert found is spins


@pytest.mark.parametrize(
    ("module", "keeps"),
    [
        ("ascend_sim.aclnn.on_torch.products", True),
        ("ascend_sim.ops.neural", True),
        ("ascend_sim.findings.output", True),
        ("ascend_sim.runtime.callbacks", False),
    ],
)
@pytest.mark.parametrize("of_program", [False, True])
def test_who_computes_an_operator_or_tells_of_a_finding_in_a_step_of_the_device_keeps_it(
    module: str, keeps: bool, of_program: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """torch waits for its own threads there, a report for its reader. What a callback of the program waits for needs the
    run token."""
    group = DeterministicThreads()
    group.driving = True
    seen: list[bool] = []

    def look() -> None:
        seen.append(Monitor(group)._decides(SimpleNamespace(ident=threading.get_ident())))  # type: ignore[arg-type]

    names: dict[str, Any] = {"look": look, "__name__": module}
    exec(compile("def body():\n    look()", str(Path(blocked_threads.__file__)), "exec"), names)
    monkeypatch.setattr(blocked_threads, "internal", lambda code: not (of_program and code is look.__code__))
    monkeypatch.setattr(blocked_threads, "installed", lambda file: False)
    names["body"]()
    assert seen == [keeps and not of_program]
