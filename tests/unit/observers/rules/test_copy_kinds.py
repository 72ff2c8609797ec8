"""A kind that does not fit the addresses is a note; what the library refuses has its code."""

from __future__ import annotations

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

SIDES = {0: ("host", "host"), 1: ("host", "device"), 2: ("device", "host"), 3: ("device", "device")}


sim = simulator(checks="rules")


@pytest.mark.parametrize("said", range(5))
@pytest.mark.parametrize("true", SIDES)
def test_a_synchronous_copy(sim: Simulator, said: int, true: int) -> None:
    made = {"device": lambda: C.aclrtMalloc(64, 0)[0], "host": lambda: C.aclrtMallocHost(64)[0]}
    source, to = (made[side]() for side in SIDES[true])
    assert C.aclrtMemcpy(to, 64, source, 64, said) == 0
    notes = [(finding.kind, finding.severity) for finding in sim.findings]
    assert notes == ([] if said in (true, 4) else [("undefined-use", "note")])


def test_the_report_says_both_directions(sim: Simulator) -> None:
    device, data = C.aclrtMalloc(64, 0)[0], np.zeros(64, np.uint8)
    assert C.aclrtMemcpy(device, 64, data, 64, C.ACL_MEMCPY_DEVICE_TO_HOST) == 0
    (finding,) = sim.findings
    assert finding.title == "aclrtMemcpy is told DEVICE_TO_HOST, and copies HOST_TO_DEVICE: the addresses decide"
    assert "pass 1 (ACL_MEMCPY_HOST_TO_DEVICE)" in finding.fix
    assert finding.primary is not None and finding.primary.frames[0].function == "test_the_report_says_both_directions"


def test_what_the_library_refuses_needs_no_note(sim: Simulator) -> None:
    device, data = C.aclrtMalloc(64, 0)[0], np.zeros(64, np.uint8)
    assert C.aclrtMemcpyAsync(device, 64, data, 64, C.ACL_MEMCPY_DEVICE_TO_HOST, None) == 107000
    assert C.aclrtMemcpy(device, 64, data, 64, 9) == 100000
    assert C.aclrtMemcpy(None, 64, data, 64, 2) == 100000
    assert C.aclrtMemcpy(device, 64, data, 0, 2) == 0
    assert list(sim.findings) == []


def test_a_queued_copy_is_corrected_as_well(sim: Simulator) -> None:
    device, host = C.aclrtMalloc(64, 0)[0], C.aclrtMallocHost(64)[0]
    assert C.aclrtMemcpyAsync(device, 64, host, 64, C.ACL_MEMCPY_DEVICE_TO_HOST, None) == 0
    assert [finding.severity for finding in sim.findings] == ["note"]
    assert C.aclrtSynchronizeStream(None) == 0
