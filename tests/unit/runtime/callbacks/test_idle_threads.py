"""With free threads, a thread of the engine that waits for work leaves the device to the program's own."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.runtime.threads import foreign_threads, free

NEVER_NS = 1 << 62


def test_what_calls_find_does_not_depend_on_how_soon_such_a_thread_runs(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread of host functions drove the device whenever the operating system let it: a query said yes, or no."""
    monkeypatch.setattr(free, "STANDING_NS", NEVER_NS)
    monkeypatch.setattr(foreign_threads, "AWAY_NS", NEVER_NS)
    stream, ran = world.stream(), list[int]()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        world.must(C.aclrtLaunchHostFunc(stream, ran.append, 1))
        for _ in range(2_000):
            world.must(C.aclrtGetMemInfo(C.ACL_HBM_MEM))
        assert (ran, world.sim.scheduler.now) == ([], 0)
    finally:
        sys.setswitchinterval(interval)
    world.must(C.aclrtSynchronizeStream(stream))
    assert ran == [1]


def _calls(done: threading.Event) -> None:
    while not done.is_set():
        C.aclrtGetMemInfo(C.ACL_HBM_MEM)


def _looks(done: threading.Event) -> None:
    while not done.is_set():
        time.sleep(0)


@pytest.mark.parametrize("wait", [threading.Event.wait, _looks, _calls], ids=["asleep", "looks", "calls"])
def test_who_waits_outside_of_the_device_gets_the_host_function(
    world: Any, wait: Callable[[threading.Event], object]
) -> None:
    stream, done = world.stream(), threading.Event()
    for _ in range(2):
        done.clear()
        world.must(C.aclrtLaunchHostFunc(stream, lambda _: done.set(), 1))
        wait(done)
