"""`ascend-sim explore` and `replay` of C and C++ programs (docs/semantics/native.md#every-order)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_sim import explore
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.counterexamples.preemptions import PreemptionStrategy
from ascend_sim.explore.native.program import NativeProgram
from ascend_sim.explore.runs import runner_of
from ascend_sim.findings.levels import ERRORS
from tests.kit.compilers import needs_compiler
from tests.kit.forks import HANG
from tests.programs.native.conftest import tool
from tests.property.brute_force import brute_force, explored

pytestmark = needs_compiler
Built = Callable[[str], Path]
OPTIONS = {"devices": 1, "checks": "none"}


def _explore(built: Built, way: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    program = str(built("explored.cpp"))
    plain = ("--budget", "1h", "--hosts", "shared", "--check", "none", "--save", str(folder / "schedule.json"))
    return tool("explore", *plain, *options, program, way)


def _results(text: str) -> dict[str, int]:
    return {found[2]: int(found[1]) for found in re.finditer(r"^ +(\d+) x (.*)$", text, re.MULTILINE)}


def test_a_failure_is_found_written_and_replayed(built: Built, tmp_path: Path) -> None:
    done = _explore(built, "streams", tmp_path, "--check", "all")
    assert done.returncode == 1, done.stderr
    assert "exhausted: 2 classes of schedules" in done.stdout
    assert "race in 2 of 2: a memset on `second` writes `memory`" in done.stdout
    assert "explored.cpp:" in done.stdout and f"replay file: {tmp_path / 'schedule.json'}" in done.stdout
    assert _results(done.stdout) == {r"returns '2\n'": 1, r"returns '1\n'": 1}
    again = tool("replay", str(tmp_path / "schedule.json"), str(built("explored.cpp")), "streams")
    assert (again.returncode, again.stdout) == (1, "2\n")
    assert "error[race]" in again.stderr and "not as recorded" not in again.stderr


def test_an_ordered_program_is_silent(built: Built, tmp_path: Path) -> None:
    done = _explore(built, "ordered", tmp_path, "--check", "all")
    assert (done.returncode, done.stdout) == (0, "exhausted: 1 class of schedules\n"), done.stderr


@pytest.mark.parametrize(
    ("way", "classes", "output"),
    [("locks", 6, "abba\n"), ("unchecked", 4, ""), ("bare_signal", 3, ""), ("lock_order", 3, "")],
)
def test_threads_are_replayed_as_recorded(way: str, classes: int, output: str, built: Built, tmp_path: Path) -> None:
    done = _explore(built, way, tmp_path, "--differing", "error")
    assert done.returncode == 1, done.stderr
    assert f"exhausted: {classes} classes of schedules" in done.stdout
    again = tool("replay", str(tmp_path / "schedule.json"), str(built("explored.cpp")), way)
    assert again.stdout == output
    assert "not as recorded" not in again.stderr
    assert ("error[deadlock]" in again.stderr) == (output == "")


def test_another_program_is_not_as_recorded(built: Built, tmp_path: Path) -> None:
    _explore(built, "streams", tmp_path, "--check", "all")
    again = tool("replay", str(tmp_path / "schedule.json"), str(built("explored.cpp")), "ordered")
    assert (again.returncode, again.stdout) == (0, "2\n")
    assert "not as recorded: step " in again.stderr


@pytest.mark.parametrize(
    ("way", "all_hosts"),
    [
        ("streams", False), ("checked", False), ("unchecked", False), ("lock_order", False), ("left_alone", False),
        ("bare_signal", True), ("lock_order", True),
    ],
)  # fmt: skip
def test_the_classes_are_those_of_all_interleavings(
    way: str, all_hosts: bool, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    program = NativeProgram(str(built("explored.cpp")), [way])
    every, _ = brute_force(program, OPTIONS, 200, all_hosts)
    found, cut = explored(program, OPTIONS, None, all_hosts)
    assert len(found) == len(every) and dict(found) == every
    assert cut == 0


@pytest.mark.parametrize(
    ("way", "result"),
    [
        ("crash", "ended by signal 11 (SIGSEGV)"), ("abort", "ended by signal 6 (SIGABRT)"),
        ("throw", "ended by signal 6 (SIGABRT)"), ("_exit", "exit 5"), ("exit", "exit 6"),
        ("kill", "ended by signal 9 (SIGKILL)"), ("closed", "exit 1"), ("exec", "returns ''"),
    ],
)  # fmt: skip
def test_a_process_may_end_in_one_order_only(way: str, result: str, built: Built, tmp_path: Path) -> None:
    done = _explore(built, way, tmp_path, "--check", "all")
    assert "exhausted: 2 classes of schedules" in done.stdout, done.stderr
    assert "race in " in done.stdout
    assert set(_results(done.stdout)) == {"returns ''", result}
    assert (f"exception in 1 of 2: {result}" in done.stdout) == ("signal" in result)


def test_children_of_the_program_take_no_part(built: Built, tmp_path: Path) -> None:
    done = _explore(built, "forks", tmp_path)
    assert _results(done.stdout) == {r"returns '2 0\n'": 1, r"returns '1 0\n'": 1}, done.stderr


def test_surroundings_are_the_same_in_each_run(built: Built, tmp_path: Path) -> None:
    given = tmp_path / "input"
    given.write_text("what comes in\n")
    words = (sys.executable, "-m", "ascend_sim", "explore", "--check", "none", "--budget", "1h")
    with given.open() as file:
        done = subprocess.run(
            [*words, str(built("explored.cpp")), "surroundings"], stdin=file, capture_output=True, text=True, check=False,
            timeout=HANG,
        )  # fmt: skip
    assert "exhausted: 2 classes" in done.stdout, done.stderr
    (result,) = _results(done.stdout)
    assert "what comes in" in result


def test_where_the_programs_objects_lie_does_not_depend_on_how_much_a_run_is_told(built: Built) -> None:
    """Locks on the heap have their address for a name, by which the runs of a search are compared."""
    runner = runner_of(NativeProgram(str(built("explored.cpp")), ["heap"]), OPTIONS, ERRORS)
    found = set()
    for length in range(1, 250, 3):
        names = frozenset(f"{'x' * length} {number}" for number in range(4))
        run = runner.run(PreemptionStrategy(()), KnownState((frozenset(), names)))
        assert run.outcome.ended == "returned"
        found.add(run.outcome.value)
    assert len(found) == 1


def test_workers_find_what_one_finds(built: Built, tmp_path: Path) -> None:
    alone = _explore(built, "locks", tmp_path)
    assert len(_results(alone.stdout)) == 6
    for more in (("--jobs", "2"), ("--executor", "process:2")):
        done = _explore(built, "locks", tmp_path, *more)
        assert _results(done.stdout) == _results(alone.stdout), done.stderr
        assert done.stdout.splitlines()[:2] == alone.stdout.splitlines()[:2]


def test_random_schedules_are_drawn(built: Built, tmp_path: Path) -> None:
    report = explore(
        NativeProgram(str(built("explored.cpp")), ["streams"]), way="random", most=6, budget="1h", **OPTIONS
    )  # fmt: skip
    assert (report.classes, len(report.outcomes)) == (6, 2)


def test_a_run_without_end_is_left_and_ctrl_c_ends_the_search(built: Built, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "ascend_sim", "explore", "--budget", "1h", str(built("explored.cpp")), "spin"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    spins = _spinning(process.pid)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=HANG)
    assert process.returncode in (1, 130), errors  # 1: the race was found
    assert "interrupted: this is what was found until then" in output
    assert not _alive(spins)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["computes", "polls"])
def test_what_a_run_had_found_when_it_was_left_is_told(way: str, built: Built) -> None:
    """Its first run never ends: that is the one which tells what others need."""
    words = [sys.executable, "-m", "ascend_sim", "explore", "--budget", "1h", str(built("explored.cpp")), way]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    spins = _spinning(process.pid)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=HANG)
    assert process.returncode == 130, errors
    assert "double-free in the run that was left: aclrtFree frees `block` a second time" in output
    assert "error[double-free]" in output
    assert not _alive(spins)


def _children(process: int) -> list[int]:
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def _spinning(process: int) -> int:
    """The process of a run of *process* that has used a second of the processor."""
    while True:
        for server in _children(process):
            for run in _children(server):
                try:
                    words = Path(f"/proc/{run}/stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                if int(words[11]) > os.sysconf("SC_CLK_TCK"):
                    return run


def _alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_progress_is_shown_on_a_terminal(built: Built) -> None:
    terminal, end = os.openpty()
    words = [sys.executable, "-m", "ascend_sim", "explore", "--hosts", "shared", "--budget", "1h", "--check", "none"]
    done = subprocess.run(
        [*words, str(built("explored.cpp")), "locks"], stdout=subprocess.PIPE, stderr=end, timeout=HANG, check=False
    )
    os.close(end)
    assert done.returncode == 0
    assert b"classes" in os.read(terminal, 1 << 16)
    os.close(terminal)


def test_what_cannot_be_explored_is_told(built: Built, tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text("#!/bin/sh\nexit 0\n")
    done = tool("explore", str(script))
    assert (done.returncode, done.stdout) == (2, "")
    assert "is a script: name the program that it starts" in done.stderr
    done = tool("explore", "/bin/true")
    assert (done.returncode, done.stdout) == (2, "")
    assert "ended (exit code 0) without loading libascendcl.so" in done.stderr


def test_options_reach_the_runs(built: Built, tmp_path: Path) -> None:
    done = _explore(built, "streams", tmp_path, "--limits", "streams=1", "--soc", "Ascend310P3")
    assert done.returncode == 0 and "1 class of schedules" in done.stdout
    done = _explore(built, "streams", tmp_path, "--check", "all", "--first")
    assert "1 class of schedules" in done.stdout and done.returncode == 1


@pytest.mark.slow
def test_a_report_with_lines_is_no_step_of_a_replay(built: Built, tmp_path: Path) -> None:
    """The tool that reads debug information is a process that the run itself starts, with locks and waits of its own."""
    program = str(built("wrapping.cpp"))
    done = tool("explore", "--first", "-o", str(tmp_path / "schedule.json"), program, "thread")
    assert "race in 1 of 1" in done.stdout, done.stderr
    again = tool("replay", str(tmp_path / "schedule.json"), program, "thread")
    assert "wrapping.cpp:" in again.stderr
    assert "not as recorded" not in again.stderr
