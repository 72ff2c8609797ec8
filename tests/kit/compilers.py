"""The compilers of the machine, for tests that need one."""

from __future__ import annotations

import pytest

from ascend_sim.native.home.compilers import CompilerError, c_compiler
from ascend_sim.native.home.folder import libpython


def missing() -> str:
    """Why C programs cannot be built and run here; empty when they can."""
    try:
        c_compiler()
    except CompilerError as error:
        return str(error)
    return "" if libpython() else "this Python has no shared libpython"


needs_compiler = pytest.mark.skipif(bool(missing()), reason=missing() or "-")
