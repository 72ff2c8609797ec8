"""The timeline has the marks and ranges that a program makes with torch_npu and with torch's record_function."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kit.torch_guest import needs_torch

PROGRAM = Path(__file__).parent / "programs" / "ranges.py"


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("ranges")
    words = [sys.executable, "-m", "ascend_sim", "run", "--timeline", "run.json", str(PROGRAM)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600, cwd=folder)
    assert done.returncode == 0, done.stderr
    found = json.loads((folder / "run.json").read_text())["traceEvents"]
    return [event for event in found if event.get("cat") in ("mark", "range")]


def _inside(inner: dict[str, Any], outer: dict[str, Any]) -> bool:
    return bool(outer["ts"] <= inner["ts"] and inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"])


@needs_torch
def test_ranges_of_mstx(events: list[dict[str, Any]]) -> None:
    found = {(event["name"], event.get("cat")): event for event in events}
    assert ("before", "mark") not in found and ("point", "mark") in found
    assert ("mark training", "mark") in found  # the task on the stream
    training, inner = found["training", "range"], found["mine: inner", "range"]
    assert training["ts"] + training["dur"] <= inner["ts"] and inner["dur"] > 0


@needs_torch
def test_ranges_of_record_function(events: list[dict[str, Any]]) -> None:
    ranges = [event for event in events if event["cat"] == "range"]
    by_name = {event["name"]: event for event in ranges}
    forward, layer = by_name["forward"], by_name["layer"]
    assert _inside(layer, forward) and layer["dur"] > 0
    assert layer["tid"] == forward["tid"]  # both on the track of their thread
    first, second = [event for event in ranges if event["name"] == "decorated"]
    assert _inside(second, first) and _inside(first, forward)
    assert "failing" in by_name
    assert "profiled" in by_name  # inside torch.profiler.profile() too
    assert "scripted" not in by_name  # compiled code has no Python to tell of it


@needs_torch
def test_ranges_that_cross_others_have_a_track_of_their_own(events: list[dict[str, Any]]) -> None:
    by_name = {event["name"]: event for event in events}
    outer, crossing = by_name["outer"], by_name["crossing"]
    assert outer["ts"] <= crossing["ts"] < outer["ts"] + outer["dur"] < crossing["ts"] + crossing["dur"]
    assert outer["tid"] != crossing["tid"]


@needs_torch
def test_steps_of_profilers_follow_each_other_with_what_is_done_in_them(events: list[dict[str, Any]]) -> None:
    """torch's profiler with a schedule has five, torch_npu's three; the last of each is the one that `stop` ends."""
    steps = [event for event in events if event["name"].startswith("ProfilerStep#")]
    assert [event["name"] for event in steps] == [f"ProfilerStep#{number}" for number in (0, 1, 2, 3, 4, 0, 1, 2)]
    for before, after in itertools.pairwise(steps):
        assert before["ts"] + before["dur"] <= after["ts"]
    of_torch, of_torch_npu = steps[:4], steps[5:7]
    for name, around in (("Optimizer.step#SGD.step", of_torch), ("backward", of_torch_npu)):
        inner = [event for event in events if event["name"] == name]
        assert len(inner) == len(around)
        assert all(map(_inside, inner, around)) and all(event["dur"] > 0 for event in inner)
