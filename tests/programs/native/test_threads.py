"""Threads, locks and time of C and C++ programs in a fixed order (docs/semantics/native.md#threads)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import tool

pytestmark = needs_compiler
Built = Callable[[str], Path]


@contextmanager
def _busy(many: int) -> Iterator[None]:
    """So many processes that take what they get of the processors."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(many)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_runs_are_equal(built: Built) -> None:
    words = ("run", "--log", "calls", str(built("threads.cpp")))
    runs = [tool(*words) for _ in range(2)]
    with _busy(3):
        runs += [tool(*words) for _ in range(3)]
    assert all(run.returncode == 0 for run in runs), runs[0].stderr
    assert runs[0].stdout.endswith("end\n")
    assert len(runs[0].stdout.split()) == 25
    assert len({run.stdout for run in runs}) == 1
    assert "aclrtSynchronizeStream" in runs[0].stderr
    assert len({run.stderr for run in runs}) == 1


def test_free_threads_have_the_same_answers(built: Built) -> None:
    done = tool("run", "--threads", "free", str(built("threads.cpp")))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()[:-1]) == sorted(str(i * 10 + j) for i in range(8) for j in range(3))


def test_locks_answer_as_those_of_the_c_library(built: Built) -> None:
    done = tool("run", str(built("locks.c")))
    assert done.stdout.splitlines() == [
        "order 0123 last 1", "recursive 0 0", "checked 1 1", "slept 1000", "semaphore 0 -1 1",
    ]  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_deadlock_through_a_mutex_names_it(built: Built) -> None:
    done = tool("run", str(built("lock_cycle.cpp")))
    assert done.returncode == 1
    text = " ".join(done.stderr.split())
    assert "error[deadlock]" in text
    assert "waits for lock L1 held by T0 (main)" in text
    assert "lock_cycle.cpp" in text


def test_a_loop_that_waits_lets_others_run(built: Built) -> None:
    done = tool("run", str(built("spin.cpp")))
    assert (done.returncode, done.stdout) == (0, "met\n"), done.stderr
    assert "order-depends-on-clock" in done.stderr
