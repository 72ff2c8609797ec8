"""What a command prints goes to a stream that is closed, full or read by nobody: a sentence and a code, no traceback."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from ascend_sim.cli import main

COMMANDS = {
    "": 2, "--version": 0, "--help": 0, "info": 0, "coverage": 0, "explain 107000": 0, "completion bash": 0, "lesson": 0,
    "gallery": 0, "stub k.py k.o": 0,
}  # fmt: skip
"""Commands, and how each ends where its output can be written."""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Path("k.py").write_text("from ascend_sim import Block, kernel\n@kernel\ndef one(b: Block) -> None: ...\n")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("words", COMMANDS)
def test_a_full_device_is_told(words: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(words.split()) == 1
    text = f"ascend-sim: the output was not written: {os.strerror(errno.ENOSPC)}\n"
    assert capfd.readouterr().err == text  # and nothing more when the stream is closed


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("words", COMMANDS)
def test_a_closed_stream_changes_no_code(
    words: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(words.split()) == COMMANDS[words]
    sys.stdout.close()
    assert capfd.readouterr().err == ""
