"""Pairs of programs, as separate processes of one run: memory, physical memory, notifies and events between them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ascend_sim.machine.virtual_memory import VirtualMemory

PROGRAMS = Path(__file__).parent / "processes"

pytestmark = pytest.mark.skipif(not VirtualMemory.supported(), reason="this system cannot show pages of others")


@pytest.mark.parametrize(
    ("first", "second", "prints"),
    [
        ("ipc_memory.py owner", "ipc_memory.py user", ["owner: told that all is read", "user: sees 123"]),
        ("ipc_notify.py waiter", "ipc_notify.py worker", ["waiter: reads 123"]),
        ("ipc_event.py owner", "ipc_event.py user", ["owner: status 1", "owner: status 1", "user: status 1"]),
        ("physical.py owner listed", "physical.py user listed", ["user: sees 123"]),
        ("physical.py owner open", "physical.py user open", ["user: sees 123"]),
        (
            "physical.py owner early", "physical.py user early",
            ["user: a second import answers 107017", "user: sees 123"],
        ),
        ("value_counter.py owner", "value_counter.py user", ["owner: ends with 16"]),
        ("racing.py owner waits", "racing.py user waits", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_two_programs(first: str, second: str, prints: list[str], ascend_sim: Any, tmp_path: Path) -> None:
    for path in PROGRAMS.glob("*.py"):
        shutil.copy(path, tmp_path)
    run = ascend_sim("run", "--devices", "2", "launch.py", first, second, folder=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert sorted(run.stdout.splitlines()) == prints
    said = [line for line in run.stderr.splitlines() if not line.startswith("ascend-sim")]
    assert said == [], run.stderr


def test_a_process_that_is_hours_older(ascend_sim: Any, tmp_path: Path) -> None:
    """What follows a record of it is due hours later for the other one, and nobody sleeps for hours."""
    _copied(tmp_path)
    run = ascend_sim("run", "older.py", "older", folder=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines() == ["younger: slept", "older: status 1"]


def _copied(folder: Path) -> None:
    for path in PROGRAMS.glob("*.py"):
        shutil.copy(path, folder)


def _line(name: str, mark: str) -> str:
    lines = (PROGRAMS / name).read_text().splitlines()
    return f"{name}:{next(n for n, line in enumerate(lines, 1) if line.endswith(f'# {mark}'))}"


def test_a_program_that_tells_too_early(ascend_sim: Any, tmp_path: Path) -> None:
    """The race is found by one of the two, with the lines of both."""
    _copied(tmp_path)
    run = ascend_sim("run", "launch.py", "racing.py owner", "racing.py user", folder=tmp_path)
    assert run.returncode != 0
    assert run.stderr.count("error[race]") == 1, run.stderr
    assert "may still be" in run.stderr and "of process" in run.stderr
    assert _line("racing.py", "OWNER") in run.stderr and _line("racing.py", "USER") in run.stderr


def test_a_queue_between_programs_on_the_chip(ascend_sim: Any, tmp_path: Path) -> None:
    _copied(tmp_path)
    run = ascend_sim(
        "run", "--switch", "run_mode=device", "launch.py", "shared_queue.py producer", "shared_queue.py consumer",
        folder=tmp_path, SHAREGROUP_PRECONFIG="1",
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines() == ["producer: told 66"]


WAYS = ("fork", "spawn", "subprocess")


def python(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A Python of its own, which knows the checkout and nothing of a run."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("ASCEND_SIM_", "PYTEST_"))}
    env["PYTHONPATH"] = str(Path(__file__).parents[2])
    return subprocess.run([sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_install_shares_with_processes_that_are_started(tmp_path: Path) -> None:
    _copied(tmp_path)
    run = python("installed.py", *WAYS, folder=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines() == [f"{how} 41 42" for how in WAYS]


def test_the_plugin_shares_with_processes_that_are_started(tmp_path: Path) -> None:
    _copied(tmp_path)
    (tmp_path / "test_exchange.py").write_text(
        "import pytest\n\n\n"
        f"@pytest.mark.parametrize('how', {WAYS})\n"
        "def test_exchange(ascend, how):\n"
        "    import exchange\n\n"
        "    assert exchange.owner(how) == (41, 42)\n"
    )
    run = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_exchange.py", folder=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "3 passed" in run.stdout
