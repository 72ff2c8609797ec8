"""No collection of garbage begins while the thread that watches the others works; while it sleeps, others may collect."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ascend_sim.runtime.threads import blocked_threads
from ascend_sim.runtime.threads.blocked_threads import Monitor


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
