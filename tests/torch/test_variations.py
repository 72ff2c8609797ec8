"""Faults of torch programs in many shapes: each is found at its line, in words of torch; the corrected ones are silent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.kit.torch_guest import needs_torch

PROGRAM = Path(__file__).parent / "programs" / "variations.py"
REWRITTEN = Path(__file__).parent / "programs" / "rewritten.py"
QUEUES = pytest.mark.parametrize("queue", ["0", "1", "2"])


def functions() -> dict[int, str]:
    """The case that each line of the program belongs to."""
    found, case = {}, ""
    for number, line in enumerate(PROGRAM.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("def "):
            case = line.removeprefix("def ").partition("(")[0]
        found[number] = case
    return found


def cases(queue: str) -> list[str]:
    """What can run: torch_npu captures no graphs with TASK_QUEUE_ENABLE=2."""
    return [case for case in marked().values() if queue != "2" or not case.startswith("graph_")]


def marked(program: Path = PROGRAM) -> dict[int, str]:
    """The lines where a fault is to be found, with the case that makes it."""
    found, case = {}, ""
    for number, line in enumerate(program.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("def ") and line.endswith("(right):"):
            case = line.removeprefix("def ").removesuffix("(right):")
        if line.endswith("# FAULT"):
            found[number] = case
    return found


def findings(
    program: Path, how: str, queue: str, report: Path, names: Sequence[str] = ()
) -> tuple[list[dict[str, Any]], list[str]]:
    """What is found in *program*, and the names of the cases, each of which has to have ended by itself."""
    done = subprocess.run(
        [sys.executable, "-m", "ascend_sim", "run", "--devices", "2", "--json", str(report), str(program), how, *names],
        capture_output=True, text=True, check=False, timeout=1800, env={**os.environ, "TASK_QUEUE_ENABLE": queue},
    )  # fmt: skip
    ends = dict(line.split() for line in done.stdout.splitlines())
    assert ends and set(ends.values()) == {"0"}, done.stdout + done.stderr
    found: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["findings"]
    return [one for one in found if one["severity"] != "note"], list(ends)


@needs_torch
@pytest.mark.slow
@QUEUES
def test_each_fault_is_found_at_its_line(queue: str, tmp_path: Path) -> None:
    """With TASK_QUEUE_ENABLE=2 calls have the line where the program waits for the queue, so the case alone counts."""
    found, ran = findings(PROGRAM, "wrong", queue, tmp_path / "wrong.json", cases(queue))
    assert ran == cases(queue)
    lines = set()
    for finding in found:
        frame = next(site for site in finding["sites"] if site["primary"])["frames"][0]
        assert Path(frame["file"]).name == PROGRAM.name
        lines.add(frame["line"])
        assert "aclrt" not in finding["title"] + finding["fix"] + finding["order"]
    if queue == "2":
        assert sorted(functions()[line] for line in lines) == sorted(ran)
    else:
        assert lines == set(marked())


@needs_torch
@pytest.mark.slow
@QUEUES
def test_the_corrected_programs_are_silent(queue: str, tmp_path: Path) -> None:
    assert findings(PROGRAM, "right", queue, tmp_path / "right.json", cases(queue)) == ([], cases(queue))


@needs_torch
@pytest.mark.slow
@QUEUES
def test_parts_of_pinned_memory_rewritten_in_any_way(queue: str, tmp_path: Path) -> None:
    """As the first work of a process, when torch's queue has only just begun, and with two devices."""
    found, ran = findings(REWRITTEN, "wrong", queue, tmp_path / "wrong.json")
    assert len(found) == len(ran) >= 14  # each case runs in a process of its own, and is told there
    (line,) = marked(REWRITTEN)
    for one in found:
        frame = next(site for site in one["sites"] if site["primary"])["frames"][0]
        assert (one["kind"], Path(frame["file"]).name, frame["line"]) == ("race", REWRITTEN.name, line)
        assert "the program writes `h` while" in one["title"]
    assert findings(REWRITTEN, "right", queue, tmp_path / "right.json") == ([], ran)
