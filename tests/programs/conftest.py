"""Programs as users write them, run through the command line."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from tests.kit import forks

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def ascend_sim() -> Run:
    """`ascend_sim("run", path, ...)`: the command in a process of its own, its output captured."""
    return forks.ascend_sim
