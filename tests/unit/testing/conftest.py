"""Runs pytest with the plugin on files that a test writes, in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit import forks


class Outcome:
    """What a run of pytest printed, and how each of its tests ended."""

    def __init__(self, run: subprocess.CompletedProcess[str]) -> None:
        self.text = run.stdout + run.stderr
        self.code = run.returncode
        found = re.findall(r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S+)", self.text, re.MULTILINE)
        self.tests = {name.partition("::")[2]: outcome.lower() for outcome, name in found}

    def ended(self, outcome: str) -> set[str]:
        """The tests that ended so."""
        return {name for name, how in self.tests.items() if how == outcome}

    def section(self, test: str) -> str:
        """What the report of *test* says."""
        return re.split(r"^_{3,} .*_{3,}$|^={3,}", self.text.split(f" {test} _", 1)[1], flags=re.MULTILINE)[0]


Pytest = Callable[..., Outcome]


@pytest.fixture
def run_pytest(tmp_path: Path) -> Pytest:
    """`run_pytest(text, *options, name=text, ...)`: test_it.py with *text*, and files name.py beside it.

    The process is a fork (`tests.kit.forks`), with ``fresh=True`` one that starts as a user's does.
    """

    def run(
        text: str, *words: str, variables: dict[str, str] | None = None, cache: bool = False, fresh: bool = False,
        **files: str,
    ) -> Outcome:  # fmt: skip
        for name, content in {"test_it": text, **files}.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(content), encoding="utf-8")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ASCEND_SIM_", "PYTEST_"))}
        command = [
            "-p", "ascend_sim_pytest", "-W", "error", *(() if cache else ("-p", "no:cacheprovider")),
            "--strict-markers", "-rA", "--rootdir", str(tmp_path), "-c", os.devnull, "--confcutdir", str(tmp_path),
            "--import-mode=importlib", "-p", "no:randomly", *words,
            *(() if "hypothesis" in text else ("-p", "no:hypothesispytest")),  # it imports hypothesis, at the end
        ]  # fmt: skip
        variables = {
            "PYTHONPATH": os.pathsep.join([str(tmp_path), str(forks.ROOT)]),
            "COLUMNS": "120",
            **(variables or {}),
        }
        env = {**kept, **variables}
        return Outcome(forks.run("pytest", command, folder=tmp_path, env=env, fresh=fresh))

    return run
