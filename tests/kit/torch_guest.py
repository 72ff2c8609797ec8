"""Whether torch_npu can run here, for tests that need it; and checks that share one process: importing it takes seconds."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ascend_sim.native.home.compilers import CompilerError, c_compiler
from ascend_sim.torch.versions import mismatch

__all__ = ["checks_in", "missing", "needs_torch", "run_checks"]

MARK = "check-result "


def missing() -> str:
    """Why torch_npu cannot run here; empty when it can."""
    try:
        c_compiler()
    except CompilerError as error:
        return str(error)
    return mismatch()


needs_torch = pytest.mark.skipif(bool(missing()), reason=missing() or "-")


def checks_in(program: Path) -> list[str]:
    """The functions ``check_...`` of a program, in their order."""
    tree = ast.parse(program.read_text(encoding="utf-8"))
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")]


def run_checks(program: Path, *options: str, **variables: str) -> dict[str, str]:
    """Run a program whose end is ``tell(globals())``; the failure of each check, empty for one that passed."""
    environment = {**os.environ, **variables}
    environment["PYTHONPATH"] = os.pathsep.join([str(program.parent), *filter(None, [environment.get("PYTHONPATH")])])
    with tempfile.TemporaryDirectory() as folder:  # torch's profiler writes into the working directory
        done = subprocess.run(
            [sys.executable, "-m", "ascend_sim", "run", *options, str(program)],
            capture_output=True, text=True, check=False, timeout=600, env=environment, cwd=folder,
        )  # fmt: skip
    lines = [line.removeprefix(MARK) for line in done.stdout.splitlines() if line.startswith(MARK)]
    found: dict[str, str] = dict(json.loads(line) for line in lines)
    found["exit"] = "" if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return found
