"""Tasks that a failure or an abort dropped touch nothing, and what ran before is over for who was told."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest

from ascend_sim import AclError, Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from tests.kit.calls import must

D2H = 2


@kernel
def easy(b: Block, x: gm.Out[np.float32]) -> None:
    x[0] = 1.0


@kernel
def trap(b: Block, x: gm.Out[np.float32]) -> None:
    b.trap()


TOLD: dict[str, Callable[[int, int], int]] = {
    "the stream": lambda stream, event: C.aclrtSynchronizeStream(stream),
    "the device": lambda stream, event: C.aclrtSynchronizeDevice(),
    "asked twice": lambda stream, event: C.aclrtSynchronizeStream(stream) and C.aclrtSynchronizeStream(stream),
    "another stream first": lambda stream, event: C.aclrtSynchronizeStream(0) or C.aclrtSynchronizeStream(stream),
    "an event": lambda stream, event: C.aclrtSynchronizeEvent(event),
}


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("schedule", ["virtual-time", "late", "early", "random(3)"])
def test_in_stop_mode(told: str, schedule: str) -> None:
    with Simulator(schedule=schedule) as sim:
        must(C.aclrtSetDevice(0))
        stream, block = must(C.aclrtCreateStream()), must(C.aclrtMalloc(64, 0))
        event = must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC))
        must(C.aclrtSetStreamFailureMode(stream, 1))
        with suppress(AclError):  # of a schedule that has met the fault by then
            easy[1, stream](block)
            trap[1, stream](block)
            easy[1, stream](block)
        C.aclrtRecordEvent(event, stream)
        assert TOLD[told](stream, event) == 507035
        C.aclrtMemcpy(np.zeros(16, np.float32), 4, block, 4, D2H)
        C.aclrtFree(block)
        assert [f.kind for f in sim.findings] == ["task-fault"]


@pytest.mark.parametrize("abort", [lambda s: C.aclrtStreamAbort(s), lambda s: C.aclrtDeviceTaskAbort(0, 0)])
def test_after_an_abort(abort: Callable[[int], int]) -> None:
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        stream, other, block = must(C.aclrtCreateStream()), must(C.aclrtCreateStream()), must(C.aclrtMalloc(64, 0))
        easy[1, stream](block)
        must(C.aclrtRecordEvent(must(C.aclrtCreateEventExWithFlag(1)), other))
        must(C.aclrtSynchronizeStream(other))  # the kernel may have run meanwhile, or not
        easy[1, stream](block)
        must(abort(stream))
        must(C.aclrtFree(block))
        assert [f.kind for f in sim.findings] == []
