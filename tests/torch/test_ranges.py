"""The timeline has the marks and ranges that a program makes with torch_npu."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.kit.torch_guest import needs_torch

PROGRAM = Path(__file__).parent / "programs" / "ranges.py"


@needs_torch
def test_ranges_are_in_the_timeline(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    words = [sys.executable, "-m", "ascend_sim", "run", "--timeline", str(file), str(PROGRAM)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    events = json.loads(file.read_text())["traceEvents"]
    found = {(event["name"], event.get("cat")): event for event in events if event.get("cat") in ("mark", "range")}
    assert ("before", "mark") not in found and ("point", "mark") in found
    assert ("mark training", "mark") in found  # the task on the stream
    training, inner = found["training", "range"], found["mine: inner", "range"]
    assert training["ts"] + training["dur"] <= inner["ts"] and inner["dur"] > 0
