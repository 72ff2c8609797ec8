"""Threads, locks and time of C and C++ programs in a fixed order (docs/semantics/native.md#threads)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import SOURCES, tool

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


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program ``orders.cpp``, which needs C++20."""
    target = tmp_path_factory.mktemp("orders") / "orders"
    done = tool("cc", "-std=c++20", "-g", "-O1", "-Wall", "-Werror", str(SOURCES / "orders.cpp"), "-o", str(target))
    if "fatal error" in done.stderr or "unrecognized" in done.stderr:
        pytest.skip("this compiler has no C++20")
    assert done.returncode == 0, done.stderr
    return str(target)


def test_whatever_threads_wait_for_runs_are_equal(orders: str) -> None:
    """Atomics that wait, latches, semaphores, futures, what is done once, thread-local variables, threads of C11."""
    runs = [tool("run", "--log", "calls", orders, "all")]
    with _busy(3):
        runs.append(tool("run", "--log", "calls", orders, "all"))
    assert runs[0].returncode == 0, runs[0].stderr
    assert len(runs[0].stdout.splitlines()) == 18, runs[0].stdout
    assert not [line for line in runs[0].stderr.splitlines() if line.startswith(("error", "warning", "note"))]
    assert runs[0].stdout == runs[1].stdout
    assert runs[0].stderr == runs[1].stderr


@pytest.mark.slow
def test_six_runs_under_load_are_equal(orders: str) -> None:
    with _busy(4):
        runs = {(run.stdout, run.stderr) for run in (tool("run", "--log", "calls", orders, "all") for _ in range(6))}
    assert len(runs) == 1


WAITS = ["mutex", "latch", "once"]
MORE_WAITS = ["semaphore", "atomic", "promise", "writer", "c_thread"]


@pytest.mark.parametrize("what", [*WAITS, *(pytest.param(what, marks=pytest.mark.slow) for what in MORE_WAITS)])
def test_a_wait_that_nobody_ends_is_told_with_its_line(what: str, orders: str) -> None:
    done = tool("run", orders, f"no_{what}")
    assert done.returncode == 1, done.stderr
    assert "error[deadlock]" in done.stderr
    lines = (SOURCES / "orders.cpp").read_text(encoding="utf-8").splitlines()
    (line,) = [i for i, text in enumerate(lines, 1) if text.endswith(f"// HERE: {what}")]
    assert f"orders.cpp:{line}" in done.stderr or f"\n{line} | " in done.stderr, done.stderr


def test_a_read_write_lock_names_who_has_it(orders: str) -> None:
    done = tool("run", orders, "no_writer")
    assert "error[deadlock]: T0 (main) and T1 wait for each other" in done.stderr
    assert "T1 waits for a lock held by T0 (main), in pthread_rwlock_wrlock" in done.stderr


def test_a_wait_in_slices_that_nobody_ends_is_told(built: Built) -> None:
    program = str(built("slices.c"))
    done = tool("run", program)
    assert done.returncode == 1, done.stderr
    assert "error[deadlock]: T0 (main) waits for another thread, in a wait of C++" in " ".join(done.stderr.split())
    assert "// HERE" in done.stderr
    for seconds, slices in ((5, 3), (7200, 0)):
        done = tool("run", program, str(seconds))
        assert done.returncode == 0, done.stderr
        assert "error" not in done.stderr
        assert int(done.stdout) == slices if slices else 100 < int(done.stdout) < 300


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
