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

from tests.kit import forks

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```python\n(.*?)```", README, re.DOTALL))
CONSOLES = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
SNIPPETS = re.findall(r"(?<!-->\n)^```python\n(.*?)```", README + CONTRIBUTING, re.DOTALL | re.MULTILINE)


def _commands(block: str) -> list[tuple[str, str]]:
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    assert parts[0] == ""
    return list(zip(parts[1::2], parts[2::2], strict=True))


COMMANDS = [pair for block in CONSOLES for pair in _commands(block)]


def _matches(shown: str, real: str) -> bool:
    """Equal, where a line of `...` stands for any lines."""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "..." else re.escape(line) + "\n" for line in shown.splitlines())
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
    run = subprocess.run(
        [sys.executable, str(tmp_path / "snippet.py")], capture_output=True, text=True, check=False, cwd=tmp_path,
        timeout=forks.HANG, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("test_")])
def test_a_test_file_passes(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = forks.run("pytest", ["-W", "error", "-c", os.devnull, name], folder=tmp_path, env=variables)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout


def test_there_is_something_to_run() -> None:
    assert len(FILES) >= 2
    assert len(COMMANDS) >= 3


def test_no_block_of_code_is_left_out() -> None:
    def languages(text: str) -> list[str]:
        return re.findall(r"^ *```(\w*)\n(?:.*?\n)?? *```$", text, re.DOTALL | re.MULTILINE)

    shown = languages(README)
    assert set(shown) == {"sh", "python", "console", "text", "yaml"}
    # test_ci_runs_the_two_commands of the README; tests/programs/native builds C programs; tests/torch runs torch's
    assert (shown.count("sh"), shown.count("text")) == (4, 1)
    assert shown.count("console") == len(CONSOLES) and shown.count("yaml") == 1
    everything = shown + languages(CONTRIBUTING)
    assert everything.count("python") == len(FILES) + len(SNIPPETS) + 1  # one is a quotation
    assert set(languages(CONTRIBUTING)) == {"", "sh", "python", "text"}  # "": the map of the rooms


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for name, part in (("run an example", "ascend-sim run examples/"), ("run the tests", "-m pytest")):
        assert f'"{name}"' in script
        block = re.search(rf"<!-- {name} -->\n```sh\n(.*?)```", README, re.DOTALL)
        assert block is not None
        assert block[1].count("\n") == 1
        assert part in block[1]


def test_files_exist() -> None:  # links: tests/unit/test_docs.py
    for text in (README, CONTRIBUTING):
        for path in re.findall(r"`((?:docs|examples|tests|ascend_sim|\.ci)/[\w./-]*)`", text):
            assert (ROOT / path).exists(), path


def test_the_table_of_what_is_modelled_is_the_printed_one(ascend_sim: Any) -> None:
    table = ascend_sim("coverage", "--markdown").stdout
    begin, end = "<!-- printed by: ascend-sim coverage --markdown -->\n\n", "\n<!-- end -->"
    head, _, rest = README.partition(begin)
    shown, found, tail = rest.partition(end)
    assert found and tail.startswith("\n\n</details>\n")
    if os.environ.get("ASCEND_SIM_REWRITE"):
        (ROOT / "README.md").write_text(f"{head}{begin}{table}{end}{tail}", encoding="utf-8")
        return
    assert shown == table, "ASCEND_SIM_REWRITE=1 writes the table anew"


# -- the workflow file -----------------------------------------------------------------------------------------------

((WORKFLOW_FILE, WORKFLOW),) = re.findall(r"<!-- file: (\S+\.yml) -->\n```yaml\n(.*?)```", README, re.DOTALL)


def test_the_workflow_is_the_file_in_examples_and_is_yaml() -> None:
    assert (ROOT / WORKFLOW_FILE).read_text(encoding="utf-8") == WORKFLOW
    yaml = pytest.importorskip("yaml")
    steps = yaml.safe_load(WORKFLOW)["jobs"]["simulate"]["steps"]
    assert all("uses" in step or step["run"] for step in steps)


def test_the_commands_of_the_workflow_run(ascend_sim: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^ +run: (.*)$", WORKFLOW, re.MULTILINE)
    install, program, tests = commands
    assert re.search(r"^  ASCEND_SIM: ascend-sim ", WORKFLOW, re.MULTILINE)
    assert install == 'python -m pip install "$ASCEND_SIM" pytest'
    words = shlex.split(program)
    assert words[0] == "ascend-sim"
    (tmp_path / words[-1]).write_text(FILES[words[-1]], encoding="utf-8")
    run = ascend_sim(*words[1:])
    assert run.returncode == 0, run.stderr
    (sarif,) = re.findall(r"sarif_file: (\S+)", WORKFLOW)
    assert (tmp_path / sarif).exists()
    assert shlex.split(tests)[:3] == ["python", "-m", "pytest"]
    assert shlex.split(tests)[3] in FILES  # which test_a_test_file_passes runs


# -- the pages for contributors and learners -------------------------------------------------------------------------


def test_what_contributing_quotes_is_there() -> None:
    quoted = re.findall(r"<!-- from: (\S+) -->\n( *)```\w+\n(.*?)\n *```", CONTRIBUTING, re.DOTALL)
    assert len(quoted) == 2
    for path, indent, text in quoted:
        lines = [line.removeprefix(indent) for line in text.split("\n")]
        assert "\n".join(lines) in (ROOT / path).read_text(encoding="utf-8"), path


def test_what_contributing_names_is_there() -> None:
    named = re.findall(r"`(\w+)` in\s+`([\w/]+\.py)`", CONTRIBUTING) + re.findall(
        r"line of `(\w+)` in\s+`([\w/]+\.py)`", CONTRIBUTING
    )
    assert len(named) >= 5
    for symbol, path in named:
        assert re.search(rf"^(?:def |class |){symbol}\b", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), (
            symbol
        )


@pytest.mark.parametrize("block", re.findall(r"^```sh\n(.*?)```", CONTRIBUTING, re.DOTALL | re.MULTILINE))
def test_the_commands_for_contributors_name_what_exists(block: str) -> None:
    for line in block.splitlines():
        words = [word for word in shlex.split(line, comments=True) if "=" not in word]
        assert words[0] == "python"
        assert words[1].startswith("docs/") or (words[1] == "-m" and words[2] in ("pip", "pytest", "ruff", "mypy"))
        assert all((ROOT / word).exists() for word in words[1:] if word.startswith(("docs/", "tests/")))
