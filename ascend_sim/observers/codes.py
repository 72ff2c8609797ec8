"""Failing codes that the program ignores: only on request, since many programs test what fails."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ascend_sim.callsite import own_code
from ascend_sim.findings import Site
from ascend_sim.observers.observer import Observer

if TYPE_CHECKING:
    from ascend_sim.runtime.host_threads import HostThread
    from ascend_sim.simulator import Simulator

__all__ = ["IgnoredCodes"]

POP_TOP = 1
"""The instruction that drops a result: the same number in all versions that are supported."""


class IgnoredCodes(Observer):
    """Reports a failing call whose result is dropped on the spot (``acl.rt.free(p)`` as a statement)."""

    def __init__(self, sim: Simulator) -> None:
        self.sim = sim

    def api_returned(self, t: HostThread, name: str, result: Any) -> None:
        """Look at what the caller does with the result."""
        code = result[-1] if isinstance(result, tuple) and result else result
        if type(code) is not int or not code or not 100_000 <= code < 600_000:
            return
        frame = sys._getframe(1)
        while frame is not None and own_code(frame.f_code.co_filename):
            if frame.f_back is None:
                return
            frame = frame.f_back
        if _dropped(frame.f_code.co_code, frame.f_lasti):
            self.sim.report(
                "ignored-code", "warning", f"{name} returned {code}, and the program does not look at it",
                [Site("access", f"returned {code}", t.site, primary=True)],
                code=(name, code), time_ns=t.clock,
            )  # fmt: skip


def _dropped(code: bytes, lasti: int) -> bool:
    """Whether the instruction after the call at *lasti* drops its result."""
    at = lasti + 2
    while at < len(code) and code[at] == 0:  # inline caches of 3.11 and later
        at += 2
    return at < len(code) and code[at] == POP_TOP
