"""Chapter 13: faults of devices, of which there are none."""

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.ascendcl.structs import aclrtErrorInfo, aclrtMemUceInfo

P310 = "Ascend310P3"
CHIPS = [("Ascend910B1", 0), ("Ascend910_9392", 0), ("Ascend950PR_9599", 0), (P310, 207000), ("Ascend910A", 207000)]


@pytest.mark.parametrize(("soc", "code"), CHIPS)
def test_chips(build, soc, code):
    assert build(soc=soc).sim
    assert C.aclrtGetErrorVerbose(0)[1] == code
    assert C.aclrtGetMemUceInfo(0, 4)[-1] == code
    assert C.aclrtRepairError(0, aclrtErrorInfo(tryRepair=1)) == code
    assert C.aclrtMemUceRepair(0, [aclrtMemUceInfo()], 1) == code
    assert C.aclrtGetLastError(0) == 0, "not stored"


def test_there_is_nothing_wrong(world):
    info, code = C.aclrtGetErrorVerbose(0)
    assert (info.errorType, info.tryRepair, code) == (0, 0, 0)
    assert C.aclrtGetMemUceInfo(0, 4) == ([], 0, 0)


def test_devices(world):
    assert C.aclrtGetErrorVerbose(9)[1] == 107001
    assert C.aclrtGetMemUceInfo(9, 4)[-1] == 107001
    assert C.aclrtMemUceRepair(9, [], 0) == 107001
    assert C.aclrtRepairError(9, aclrtErrorInfo(tryRepair=1)) == 107001
    world.must(C.aclrtResetDevice(0))
    assert C.aclrtGetErrorVerbose(0)[1] == 0
    assert C.aclrtRepairError(0, aclrtErrorInfo(tryRepair=1)) == 507033


def test_order_of_checks_of_repair(build):
    assert build().sim
    assert C.aclrtRepairError(9, None) == 100000
    assert C.aclrtRepairError(9, aclrtErrorInfo()) == 107000
    assert C.aclrtRepairError(0, aclrtErrorInfo(tryRepair=1, errorType=2)) == 107000
    assert build(soc=P310).sim
    assert C.aclrtRepairError(9, None) == 100000
    assert C.aclrtRepairError(9, aclrtErrorInfo()) == 207000


def test_order_of_checks_of_memory_repair(build):
    assert build(soc=P310).sim
    assert C.aclrtMemUceRepair(9, None, 1) == 100000
    assert C.aclrtMemUceRepair(9, [], 129) == 100000
    assert C.aclrtMemUceRepair(9, [aclrtMemUceInfo(reserved=[1])], 1) == 100000
    assert C.aclrtMemUceRepair(9, [], 128) == 207000
