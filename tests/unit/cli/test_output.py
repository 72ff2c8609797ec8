"""What a command prints goes to a stream that is closed, full or read by nobody: a sentence and a code, no traceback."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
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


@pytest.mark.parametrize("words", ["run program.py", "gallery batch_sums --check program.py"])
def test_no_place_for_files_is_told(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither a traceback, nor a run whose findings are lost."""
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text("import acl\n")
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", None)
        patch.setattr(tempfile, "_get_default_tempdir", nowhere)
        assert main(words.split()) == 1
    assert capfd.readouterr().err == "ascend-sim: no usable folder; TMPDIR names a folder where files can be written\n"


def nowhere(*given: object) -> str:
    """As tempfile's own search fails."""
    raise FileNotFoundError(errno.ENOENT, "no usable folder")


def full(**named: object) -> str:
    """As a folder cannot be made."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/ascend-sim-1")


def test_a_folder_that_is_full_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text("import acl\n")
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "mkdtemp", full)
        assert main(["run", "program.py"]) == 1
    text = f"ascend-sim: findings cannot be kept: [Errno {errno.ENOSPC}] {os.strerror(errno.ENOSPC)}: '/tmp/ascend-sim-1'; "
    assert capfd.readouterr().err == text + "TMPDIR names another folder for them\n"
