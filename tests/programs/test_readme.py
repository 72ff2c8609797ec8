"""The README tells the truth: its programs run, its commands print what it shows, its two commands are CI's."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```python\n(.*?)```", README, re.DOTALL))
CONSOLES = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
SNIPPETS = re.findall(r"(?<!-->\n)```python\n(.*?)```", README, re.DOTALL)


def _commands(block: str) -> list[tuple[str, str]]:
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    assert parts[0] == ""
    return list(zip(parts[1::2], parts[2::2], strict=True))


COMMANDS = [pair for block in CONSOLES for pair in _commands(block)]


def _matches(shown: str, real: str) -> bool:
    """Equal, where a line of `...` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "..." else re.escape(line) + "\n" for line in shown.splitlines()
    )
    return re.fullmatch(pattern, real) is not None


@pytest.mark.skipif(sys.version_info < (3, 11), reason="what is marked under a source line differs before 3.11")
@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_a_command_prints_what_is_shown(
    command: str, shown: str, ascend_sim: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command)
    assert words[0] == "ascend-sim"
    merged = ascend_sim(*words[1:], merge=True)
    assert _matches(shown, merged.stdout), merged.stdout


@pytest.mark.parametrize("text", SNIPPETS, ids=range(len(SNIPPETS)))
def test_a_snippet_runs(text: str, tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(text, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "snippet.py")]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60, env=variables)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("test_")])
def test_a_test_file_passes(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "ascend_sim_pytest", "-W", "error", "-c", os.devnull, name]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60, env=variables)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout


def test_there_is_something_to_run() -> None:
    assert len(FILES) >= 2
    assert len(COMMANDS) >= 3


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for name, part in (("run an example", "ascend-sim run examples/"), ("run the tests", "-m pytest")):
        assert f'"{name}"' in script
        block = re.search(rf"<!-- {name} -->\n```sh\n(.*?)```", README, re.DOTALL)
        assert block is not None
        assert block[1].count("\n") == 1
        assert part in block[1]


def test_files_and_links_exist() -> None:
    for path in re.findall(r"`((?:examples|tests|ascend_sim|\.ci)/[\w./-]*)`", README):
        assert (ROOT / path).exists(), path
