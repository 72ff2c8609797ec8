"""STR-03 and what threads make of it: whole programs under `ascend-sim run`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.forks import ascend_sim

PROGRAMS = Path(__file__).parent / "programs"


def run(tmp_path: Path, program: str, *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    """Exit code, findings and stderr of a program."""
    out = tmp_path / "findings.json"
    done = ascend_sim("run", "--json", out, *arguments[:-1], PROGRAMS / program, arguments[-1])
    return done.returncode, json.loads(out.read_text())["findings"], done.stderr


def line(program: str, mark: str) -> int:
    """The line of *program* with a mark."""
    lines = (PROGRAMS / program).read_text().splitlines()
    return next(i for i, text in enumerate(lines, 1) if f"<{mark}>" in text)


@pytest.mark.parametrize("schedule", ["virtual-time", "late", "early", "random"])
def test_str_03_the_direct_launch_races_in_every_schedule(tmp_path: Path, schedule: str) -> None:
    code, findings, text = run(tmp_path, "str_03.py", "--schedule", schedule, "as-it-is")
    assert code == 1
    races = [f for f in findings if f["kind"] == "race"]
    assert len(races) == 1
    lines = {site["role"]: site["frames"][0]["line"] for site in races[0]["sites"]}
    assert {lines["access"], lines["other"]} == {line("str_03.py", "queued"), line("str_03.py", "direct")}
    assert "both submit to `s`" in races[0]["order"]
    assert "order marks:" in text and json.loads((tmp_path / "findings.json").read_text())["run"]["order_marks"]


@pytest.mark.parametrize("schedule", ["virtual-time", "late", "early", "random"])
def test_str_03_after_the_queue_has_drained(tmp_path: Path, schedule: str) -> None:
    code, findings, _ = run(tmp_path, "str_03.py", "--schedule", schedule, "drain")
    assert code == 0 and not findings


def test_a_call_that_keeps_the_interpreters_lock_while_a_callback_has_to_run(tmp_path: Path) -> None:
    code, findings, _ = run(tmp_path, "gil.py", "--check", "all", "-")
    found = [f for f in findings if f["kind"] == "gil-deadlock"]
    assert code == 1 and len(found) == 1
    lines = [site["frames"][0]["line"] for site in found[0]["sites"]]
    assert lines == [line("gil.py", "destroy"), line("gil.py", "callback")]


@pytest.mark.parametrize("schedule", ["virtual-time", "early", "random"])
def test_work_that_is_handed_over_through_a_queue(tmp_path: Path, schedule: str) -> None:
    code, findings, _ = run(tmp_path, "hand_over.py", "--schedule", schedule, "--seed", "2", "broken")
    (race,) = findings
    assert (code, race["kind"]) == (1, "race")
    lines = {site["role"]: site["frames"][0]["line"] for site in race["sites"]}
    assert (lines["access"], lines["other"]) == (line("hand_over.py", "use"), line("hand_over.py", "make"))
    assert "acl.rt.stream_wait_event(use, ready)" in race["fix"]
    assert run(tmp_path, "hand_over.py", "--schedule", schedule, "--seed", "2", "fixed")[:2] == (0, [])
