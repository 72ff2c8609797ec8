"""Calls near the limit of recursion: an error may leave them, as any function, and the stream goes on all the same."""

from __future__ import annotations

import datetime  # noqa: F401 - numpy imports it when it is first needed, which is too late there
import sys

import numpy  # noqa: F401
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.simulator import Simulator
from tests.kit.calls import must


def _depth() -> int:
    depth, frame = 0, sys._getframe(1)
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    return depth


@pytest.mark.parametrize("threads", ["free", "deterministic"])
@pytest.mark.parametrize("checks", ["none", "memory,races,rules"])
def test_a_stream_goes_on_after_a_call_that_was_too_deep(threads: str, checks: str) -> None:
    def deep(left: int) -> None:
        if left:
            deep(left - 1)
            return
        C.aclrtMemsetAsync(block, 64, 1, 64, stream)
        C.aclrtSynchronizeStream(stream)

    raised = 0
    with Simulator(threads=threads, checks=checks) as sim:
        must(C.aclrtSetDevice(0))
        block, stream = must(C.aclrtMalloc(64, 0)), must(C.aclrtCreateStream())
        deep(1)
        left = sys.getrecursionlimit() - _depth()
        for room in range(3, 60):
            try:
                deep(left - room)
            except RecursionError:
                raised += 1
            assert C.aclrtSynchronizeStream(stream) in (0, 507000, 507899)  # the work that was left has failed
            assert not sim.handles[stream].queue
        kinds = {finding.kind for finding in sim.findings}
    assert raised
    assert "deadlock" not in kinds
