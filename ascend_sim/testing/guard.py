"""Checks that the code under test imports the simulator's ``acl``: no test may touch a real device."""

from __future__ import annotations

import os
import sys
from functools import cache

from ascend_sim import pyacl
from ascend_sim._boot import real_acl
from ascend_sim.findings.languages import in_lines

__all__ = ["foreign_acl", "refusal"]


@cache
def _real(path: tuple[str, ...]) -> str | None:
    return real_acl()


def foreign_acl() -> str | None:
    """Where the imported ``acl`` comes from when it is not the simulator's; None otherwise."""
    known = sys.modules.get("acl")
    if known is None or known is pyacl.modules()["acl"]:
        return None
    return str(getattr(known, "__file__", None) or repr(known))


def refusal() -> str | None:
    """Why a test cannot have the simulator in this process; None when it can."""
    foreign = foreign_acl()
    real = None
    if foreign is None and not os.environ.get("ASCEND_SIM_SHADOW_REAL_ACL"):
        real = foreign = _real(tuple(sys.path))
    if foreign is None:
        return None
    if real is not None or foreign.endswith((".so", ".pyd")):
        return in_lines(
            f"a real `acl` is installed here ({foreign}): the code under test would reach a device.\n"
            "Nothing was run. To test on the simulator all the same, set ASCEND_SIM_SHADOW_REAL_ACL=1 for pytest, or use "
            "an environment without CANN on PYTHONPATH."
        )
    return in_lines(
        f"the code under test has imported another `acl` ({foreign}), and would not reach the simulator.\n"
        "Take that one out of sys.modules and off the import path; the simulator's `acl` is offered where there is no "
        "other."
    )
