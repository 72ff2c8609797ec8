"""Programs as users write them, run through the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit import forks

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def ascend_sim() -> Run:
    """`ascend_sim("run", path, ...)`: the command in a process of its own, its output captured.

    With ``merge=True`` stderr is in stdout, in the order written. The process is a fork (`tests.kit.forks`), with
    ``fresh=True`` one that starts as a user's does.
    """

    def call(
        *words: str | Path, merge: bool = False, fresh: bool = False, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ASCEND_SIM_") and k != "FORCE_COLOR"}
        # The checkout comes last: a program finds the simulator even where it is not installed.
        path = os.pathsep.join(filter(None, [variables.pop("PYTHONPATH", ""), str(forks.ROOT)]))
        env = {**kept, "PYTHONUNBUFFERED": "1", "PYTHONPATH": path, **variables}
        texts = [str(word) for word in words]
        if not fresh:
            return forks.run("ascend_sim", texts, env=env, merge=merge)
        return subprocess.run(
            [sys.executable, "-m", "ascend_sim", *texts], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merge else subprocess.PIPE, text=True, timeout=forks.HANG, check=False, env=env,
        )  # fmt: skip

    return call
