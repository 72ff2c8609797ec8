"""Children of the process: who starts or computes may still answer, who sleeps does not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ascend_sim.runtime.threads import child_processes
from ascend_sim.runtime.threads.child_processes import ChildProcesses, children_of
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.os_thread import WAITING
from tests.unit.runtime.threads.fake_device import World

SEEN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
ON_LINUX = pytest.mark.skipif(not SEEN, reason="the kernel does not say which children a process has")


@contextmanager
def child(code: str) -> Iterator[subprocess.Popen[str]]:
    """A process that runs *code*, which first prints a line."""
    with subprocess.Popen(
        [sys.executable, "-Sc", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The real time (ns) that the looks see."""
    now = [10**15]
    monkeypatch.setattr(child_processes, "_real_ns", lambda: now[0])
    yield now


def test_without_children_all_is_quiet(clock: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_processes, "_living", list)
    assert ChildProcesses().quiet_ns() == clock[0]


@ON_LINUX
def test_a_child_that_waits_is_quiet_from_the_look_on_that_saw_it(clock: list[int]) -> None:
    with child("print(flush=True); input()") as process:
        assert process.pid in children_of()
        while child_processes._state(process.pid)[0] != "S":
            pass
        processes = ChildProcesses()
        quiet = []
        for _ in range(4):
            quiet.append(processes.quiet_ns() // 10**9)
            clock[0] += 2 * 10**9
        assert quiet == [0, 2, 4, 6]


@ON_LINUX
def test_one_that_computes_is_not_and_neither_is_a_child_of_a_child(clock: list[int]) -> None:
    own = "import os\nif os.fork(): print(flush=True); os.wait()\nwhile True: pass"
    with child(f"import os, signal\nos.setpgid(0, 0)\n{own}") as process:
        processes = ChildProcesses()
        try:
            for _ in range(4):
                assert processes.quiet_ns() == 0
                clock[0] += 2 * 10**9
        finally:
            os.killpg(process.pid, 9)


def test_the_note_about_a_thread_that_stands_outside_waits_for_the_children(monkeypatch: pytest.MonkeyPatch) -> None:
    group = DeterministicThreads()
    world = World(group)
    notes: list[str] = []
    group.on_note = lambda kind, text, *stands: notes.append(kind)
    main = world.thread().os_thread
    main.state, quiet = WAITING, [0]
    other: Any = group._new_os_thread("T1", 0)
    monkeypatch.setattr(group._children, "quiet_ns", lambda: quiet[0])
    group.report_stuck([other])
    assert notes == []
    quiet[0] = 10**12
    group.report_stuck([other])
    group.report_stuck([other])
    assert notes == ["stuck-thread"]
