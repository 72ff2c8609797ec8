"""Wrappers in another file than the program, by each way to name them: what the report of a whole run shows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

WRAPPERS = """\
import acl
calls = 0
def fill(ptr, size, stream):
    global calls
    calls += 1
    acl.rt.get_device()  # it does something itself: by itself it is no wrapper
    ret = acl.rt.memset_async(ptr, size, 0, size, stream)
    assert ret == 0
"""
PROGRAM = """\
import acl
from wrappers import fill
def test_fills():
    acl.init()
    acl.rt.set_device(0)
    out, ret = acl.rt.malloc(4096, 0)
    s, ret = acl.rt.create_stream()
    t, ret = acl.rt.create_stream()
    fill(out, 4096, s)
    fill(out, 4096, t)
    acl.rt.synchronize_device()
    acl.rt.destroy_stream(s)
    acl.rt.destroy_stream(t)
    acl.rt.free(out)
    acl.rt.reset_device(0)
    acl.finalize()
if __name__ == '__main__':
    test_fills()
"""
PYPROJECT = '[tool.ascend_sim]\nskip-frames = ["wrappers.py:fill"]\n'


def race_of_run(folder: Path, *options: str) -> dict[str, Any]:
    subprocess.run(
        [sys.executable, "-m", "ascend_sim", "run", "--json", "out.json", *options, "test_program.py"],
        cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    found = json.loads((folder / "out.json").read_text())["findings"]
    (race,) = [finding for finding in found if finding["kind"] == "race"]
    return race  # type: ignore[no-any-return]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "wrappers.py").write_text(WRAPPERS)
    (tmp_path / "test_program.py").write_text(PROGRAM)
    return tmp_path


def test_without_a_pattern_the_wrapper_is_shown_and_its_caller_is_named(folder: Path) -> None:
    race = race_of_run(folder)
    assert [frame["function"] for frame in race["sites"][0]["frames"][:2]] == ["fill", "test_fills"]
    assert "`t` writes `out` while a memset on `s`" in race["title"]


@pytest.mark.parametrize("door", ["--skip-frames", "pyproject.toml"])
def test_a_run_shows_and_names_the_caller(folder: Path, door: str) -> None:
    if door == "pyproject.toml":
        (folder / "pyproject.toml").write_text(PYPROJECT)
        race = race_of_run(folder)
    else:
        race = race_of_run(folder, "--skip-frames", "*/wrappers.py")
    frame = race["sites"][0]["frames"][0]
    assert (Path(frame["file"]).name, frame["line"], frame["function"]) == ("test_program.py", 10, "test_fills")
    assert "`t` writes `out` while a memset on `s`" in race["title"]
    assert race["fix"] == (
        "record on `s` after line 9, wait on `t` before line 10:\n"
        "acl.rt.record_event(ready, s)\nacl.rt.stream_wait_event(t, ready)"
    )


@pytest.mark.parametrize("door", ["--ascend-skip-frames", "pyproject.toml"])
def test_the_pytest_plugin_shows_the_caller(folder: Path, door: str) -> None:
    options = []
    if door == "pyproject.toml":
        (folder / "pyproject.toml").write_text(PYPROJECT)
    else:
        options = [door, "fill"]
    (folder / "conftest.py").write_text(
        "import pytest\n@pytest.fixture(autouse=True)\ndef simulated(ascend):\n    return ascend\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "test_program.py"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "test_program.py:10 in test_fills" in done.stdout + done.stderr, done.stdout + done.stderr
    assert "wrappers.py:7 in fill" not in done.stdout
