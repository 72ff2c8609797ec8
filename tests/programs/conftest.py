"""Programs as users write them, run through the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def ascend_sim() -> Run:
    """`ascend_sim("run", path, ...)`: the command as a subprocess, its output captured.

    With ``merge=True`` stderr is in stdout, in the order written.
    """

    def call(
        *words: str | Path, timeout: float = 60, merge: bool = False, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ASCEND_SIM_") and k != "FORCE_COLOR"}
        # The checkout comes last: a program finds the simulator even where it is not installed.
        path = os.pathsep.join(filter(None, [variables.pop("PYTHONPATH", ""), str(Path(__file__).parents[2])]))
        command = [sys.executable, "-m", "ascend_sim", *(str(word) for word in words)]
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merge else subprocess.PIPE, text=True, timeout=timeout, check=False,
            env={**kept, "PYTHONUNBUFFERED": "1", "PYTHONPATH": path, **variables},
        )

    return call
