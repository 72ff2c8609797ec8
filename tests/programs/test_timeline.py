"""`ascend-sim run --timeline`: in which form, where to, and what a program with its own processes and faults gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "two_streams_event.py"

HANGS = """\
import acl
acl.init()
acl.rt.set_device(0)
worker, ret = acl.rt.create_stream()
ready, ret = acl.rt.create_event_with_flag(1)
acl.rt.stream_wait_event(worker, ready)
acl.rt.synchronize_stream(worker)
"""

SPAWNS = """\
import os, subprocess, sys
import acl
acl.init()
acl.rt.set_device(0)
os.chdir("/")
if len(sys.argv) < 2:
    subprocess.run([sys.executable, __file__, "child"], check=True)
"""


@pytest.mark.parametrize("form", ["html", "json", "txt"])
def test_the_end_of_the_name_says_the_form(ascend_sim: Any, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"run.{form}"
    run = ascend_sim("run", EXAMPLE, "--timeline", path)
    assert run.returncode == 0, run.stderr
    text = path.read_text(encoding="utf-8")
    start = {"html": "<!doctype html>", "json": '{"traceEvents":[', "txt": "Ascend910B3, seed 0, virtual-time: "}[form]
    assert text.startswith(start)
    if form == "json":
        names = {event["name"] for event in json.loads(text)["traceEvents"]}
        assert {"aclrtMemcpyAsync", "copy H2D 4 MiB", "memory in use", "event"} <= names


def test_a_dash_prints_lanes_behind_the_output_of_the_program(ascend_sim: Any) -> None:
    plain = ascend_sim("run", EXAMPLE)
    run = ascend_sim("run", "--timeline", "-", EXAMPLE)
    assert run.returncode == 0
    assert run.stdout.startswith(plain.stdout), "the program itself is not changed"
    lanes = run.stdout[len(plain.stdout) :]
    assert lanes.startswith("Ascend910B3, ") and "pipeline.upload" in lanes and "copy H2D 4 MiB" in lanes


def test_it_is_the_same_in_every_run(ascend_sim: Any, tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        assert ascend_sim("run", EXAMPLE, "--timeline", tmp_path / name).returncode == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_a_program_that_hangs_leaves_its_timeline(ascend_sim: Any, tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text(HANGS, encoding="utf-8")
    run = ascend_sim("run", tmp_path / "hangs.py", "--timeline", tmp_path / "run.txt")
    assert run.returncode != 0
    text = (tmp_path / "run.txt").read_text(encoding="utf-8")
    assert "? has not come" in text
    assert "on worker: error[deadlock]" in text and "(hangs.py:7)" in text


def test_processes_of_the_program_have_files_of_their_own(ascend_sim: Any, tmp_path: Path) -> None:
    (tmp_path / "spawns.py").write_text(SPAWNS, encoding="utf-8")
    run = ascend_sim("run", tmp_path / "spawns.py", "--timeline", tmp_path / "run.txt")
    assert run.returncode == 0, run.stderr
    names = sorted(path.name for path in tmp_path.glob("run*"))
    assert len(names) == 2 and names[1] == "run.txt" and names[0].startswith("run.") and names[0].endswith(".txt")


def test_a_form_that_does_not_exist_is_refused_before_the_program_runs(ascend_sim: Any, tmp_path: Path) -> None:
    run = ascend_sim("run", EXAMPLE, "--timeline", tmp_path / "run.pdf")
    assert run.returncode == 2 and run.stdout == ""
    assert ".html (a page" in run.stderr
