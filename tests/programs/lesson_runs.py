"""Runs a program of the class as its docstring says, and compares what it prints with what is kept."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kit.torch_guest import missing

TORCH = 15
MARKS = "ascend-sim: order marks: "
TITLE = re.compile(r"(error|warning|note)\[([a-z-]+)\]: ")
CARETS = pytest.mark.skipif(sys.version_info < (3, 11), reason="what is marked under a source line differs before 3.11")


def command(path: Path) -> list[str]:
    """The words after `ascend-sim` in the first command of the docstring, which has to name the file itself."""
    found = re.search(r"^    ascend-sim (run .*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, path
    words = found[1].split()
    assert words[-1] == path.name
    return words


def needs_torch(number: int) -> None:
    """Skip what belongs to the lesson about PyTorch where that cannot run."""
    if number == TORCH and missing():
        pytest.skip(missing())


def printed(path: Path, ascend_sim: Any) -> tuple[int, str]:
    """The exit code, and what the command of *path* prints in its folder.

    Tracebacks are shortened to their last line, and what the run left to chance is not counted.
    """
    run = ascend_sim(*command(path), merge=True)
    text = re.sub(r"(Traceback \(most recent call last\):\n)(?:[ ].*\n)+", r"\1  ...\n", run.stdout)
    text = re.sub(r"^\[W\d.*Warning: .*\n", "", text, flags=re.MULTILINE)  # torch_npu warns, with the time of day
    text = re.sub(f"^{MARKS}.*\n", "", text, flags=re.MULTILINE)
    return run.returncode, text.replace(str(path.parent) + os.sep, "")


def agrees(file: Path, text: str) -> None:
    """*text* is what *file* holds, or is written there when that is asked for."""
    if os.environ.get("ASCEND_SIM_REWRITE"):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
