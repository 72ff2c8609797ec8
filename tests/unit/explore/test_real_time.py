"""No real time decides anything in an exploration but when to stop: steps may take long, and each time another time."""

from __future__ import annotations

import _thread
import ctypes
import os
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.explore.explorer import Exploration
from ascend_sim.explore.runs import Runner, quiet_group
from ascend_sim.runtime.threads.patches import clocks

LIBC = ctypes.CDLL(None)
QUICK, SLOW = 0.001, 0.12
_start, _lock, _processor_time = _thread.start_new_thread, _thread.allocate_lock, time.process_time
"""Those of the interpreter, which a library in C would use: nobody can order its threads."""


def sleeps(seconds: float) -> None:
    LIBC.usleep(int(seconds * 1e6))


def computes(seconds: float) -> None:
    end = _processor_time() + seconds
    while _processor_time() < end:
        pass


def asks_a_pool(seconds: float) -> None:
    """The thread is asleep, and one that is nobody's computes for it."""
    done = _lock()
    done.acquire()

    def work() -> None:
        computes(seconds)
        done.release()

    _start(work, ())
    done.acquire()


def has_a_child(seconds: float) -> None:
    subprocess.run(["sleep", str(seconds)], check=True)


def reads_a_child(seconds: float) -> None:
    with subprocess.Popen(["sleep", str(seconds)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        os.read(child.stdout.fileno(), 1)


class Short(Exploration):
    """The first schedules, however long they take."""

    def over(self) -> bool:
        return self.report.runs >= 3


def explored(program: Callable[[], Any]) -> Exploration:
    exploration = Short(Runner(program, {}), 2, 0)
    with quiet_group():
        exploration.search(False)
    return exploration


@pytest.mark.parametrize("slow", [sleeps, computes, asks_a_pool, has_a_child, reads_a_child])
def test_a_step_that_takes_long_once_is_the_same_step(words: Any, slow: Callable[[float], None]) -> None:
    runs = []

    def program() -> list[str]:
        (stream,) = words.start(1)
        context, log, running = words.must(C.aclrtGetCurrentContext()), [], [True]
        runs.append(0)

        def serve() -> None:
            words.must(C.aclrtSetCurrentContext(context))
            while running:
                C.aclrtProcessReport(100)
                log.append("served")

        thread = threading.Thread(target=serve)
        thread.start()
        words.must(C.aclrtSubscribeReport(thread.ident, stream))
        block = words.buffer()
        for _ in range(2):
            words.must(C.aclrtMemsetAsync(block, 16, 1, 16, stream))
            slow(SLOW if len(runs) % 2 else QUICK)
            log.append("submitted")
        running.clear()
        thread.join()
        return log

    report = explored(program).report
    assert len(runs) >= 3
    assert not report.failures
    assert report.trouble == ""


def test_who_is_woken_by_another_thread_comes_back_in_its_step(words: Any) -> None:
    runs = []

    def program() -> None:
        (stream,) = words.start(1)
        context, block = words.must(C.aclrtGetCurrentContext()), words.buffer()
        reads, writes = os.pipe()
        runs.append(0)

        def waits() -> None:
            words.must(C.aclrtSetCurrentContext(context))
            os.read(reads, 1)
            sleeps(SLOW if len(runs) % 2 else QUICK)
            words.must(C.aclrtMemsetAsync(block, 16, 2, 16, stream))

        thread = threading.Thread(target=waits)
        thread.start()
        C.aclrtSynchronizeStream(stream)
        os.write(writes, b"x")
        for value in range(3):
            words.must(C.aclrtMemsetAsync(block, 16, value, 16, stream))
        thread.join()
        words.must(C.aclrtSynchronizeStream(stream))
        os.close(reads)
        os.close(writes)

    report = explored(program).report
    assert len(runs) >= 3
    assert report.trouble == ""


def test_a_loop_that_looks_at_the_clock_goes_on_in_virtual_time(words: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "SECOND_NS", 10_000_000)
    seen: list[int] = []

    def program() -> float:
        words.start(1)
        threading.Thread(target=lambda: words.start(1)).start()
        begin = time.monotonic()
        rounds = 0
        while time.monotonic() < begin + 0.001:
            rounds += 1
            if len(seen) % 2 and rounds == 40:
                computes(0.02)
        seen.append(rounds)
        return rounds

    assert explored(program).report.trouble == ""
