"""Builds the C programs of this folder once a session, and runs them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit import forks
from tests.kit.compilers import missing

SOURCES = Path(__file__).parent / "sources"


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("ASCEND_SIM_")}


def tool(*words: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """``ascend-sim`` with these words; the process of a C or C++ program is no fork, but starts as for a user."""
    return forks.run("ascend_sim", words, folder=cwd, env=_environment() | variables)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Compiles ``sources/NAME`` when it is first asked for."""
    if missing():
        pytest.skip(missing())
    folder = tmp_path_factory.mktemp("native")
    made: dict[str, Path] = {}

    def build(name: str) -> Path:
        if name not in made:
            target = folder / Path(name).stem
            done = tool("cc", "-g", "-O1", "-Wall", "-Werror", str(SOURCES / name), "-o", str(target))
            assert done.returncode == 0, done.stderr
            made[name] = target
        return made[name]

    return build
