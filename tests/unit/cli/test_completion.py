"""`ascend-sim completion`: the scripts work in a real bash and in a real zsh."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
from pathlib import Path

import pytest

from ascend_sim.cli import COMMANDS, completion
from tests.kit import forks

WORDS = [
    ("ex", {"explore", "explain"}),
    ("run --sched", {"--schedule"}),
    ("run --schedule l", {"late"}),
    ("replay f.json p.py --format s", {"short"}),
    ("explain use-after-r", {"use-after-reset"}),
    ("om from-s", {"from-singleop"}),
    ("om from-onnx --input-f", {"--input-format"}),
    ("run --json fi", {"findings.json"}),
    ("run tr", {"train.py"}),
    ("completion z", {"zsh"}),
]


def _script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert completion.main([shell]) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_completes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "script").write_text(_script("bash", capsys))
    for name in ("findings.json", "train.py"):
        (tmp_path / name).touch()
    lines = ["source ./script"]
    for typed, _ in WORDS:
        words = ["ascend-sim", *typed.split(" ")]
        lines += [f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _ascend_sim; echo ${{COMPREPLY[@]}}"]
    run = subprocess.run(
        ["bash", "--norc", "-euc", "\n".join(lines)], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert run.returncode == 0, run.stderr
    assert [set(line.split()) for line in run.stdout.splitlines()] == [found for _, found in WORDS]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh here")
def test_zsh_completes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "_ascend-sim").write_text(_script("zsh", capsys))
    for name in ("findings.json", "train.py"):
        (tmp_path / name).touch()
    (tmp_path / ".zshrc").write_text(
        f"PS1='ready> '; fpath=({tmp_path} $fpath); autoload -U compinit; compinit -u -D; unsetopt beep\n"
        "unsetopt zle_bracketed_paste prompt_sp; zstyle ':completion:*' menu no\n"
    )
    outer, inner = pty.openpty()
    variables = {"PATH": os.environ["PATH"], "ZDOTDIR": str(tmp_path), "TERM": "dumb", "COLUMNS": "200"}
    zsh = subprocess.Popen(
        ["zsh", "-d", "-i"],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        env=variables,
        cwd=tmp_path,
        start_new_session=True,
    )
    os.close(inner)
    try:
        _until(outer, "ready> ")
        for typed, found in WORDS:
            if len(found) > 1:
                continue  # it rings and waits
            os.write(outer, f"ascend-sim {typed}\t".encode())
            (word,) = found
            _until(outer, typed.rpartition(" ")[0] + " " + word)
            os.write(outer, b"\x15\r")  # the line is dropped
            _until(outer, "ready> ")
    finally:
        zsh.kill()
        zsh.wait()
        os.close(outer)


def _until(terminal: int, text: str) -> str:
    """Read what the shell prints until *text* stands in it; the shell's end is an error."""
    seen = ""
    while text not in seen.replace("\b", ""):
        assert select.select([terminal], [], [], forks.HANG)[0], f"{text!r} did not come: {seen!r}"
        try:
            seen += os.read(terminal, 4096).decode(errors="replace")
        except OSError:
            raise AssertionError(f"{text!r} did not come: {seen!r}") from None
    return seen


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_every_command_is_there(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = _script(shell, capsys)
    assert all(command in text for command in COMMANDS)
    assert "--update-baseline" in text and "--dynamic-batch" in text
