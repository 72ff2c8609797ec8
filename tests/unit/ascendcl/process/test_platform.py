"""Chapter 24: what the chip has, by the platform's queries."""

from __future__ import annotations

import ctypes

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

SOCS = ("Ascend950PR_9599", "Ascend910_9391", "Ascend910B3", "Ascend310B1", "Ascend310P3", "Ascend910A")


sim = simulator(device=None)


@pytest.mark.parametrize("soc", SOCS)
def test_attributes(soc: str) -> None:
    with Simulator(soc):
        found, count, code = C.aclGetCannAttributeList()
        assert (list(found), count, code) == (([0, 1, 2], 3, 0) if soc in SOCS[:3] else ([2], 1, 0))
        assert C.aclGetCannAttribute(0) == (int(soc in SOCS[:3]), 0)
        assert C.aclGetCannAttribute(2) == (1, 0)
        assert C.aclGetCannAttribute(3) == (None, 100000)
        assert C.aclGetCannAttribute(-1) == (None, 100000)


def platform(kind: int, room: int = 64) -> tuple[bytes, int]:
    buffer = ctypes.create_string_buffer(64)
    code = C.aclplatformGetDeviceInfo(kind, ctypes.addressof(buffer), room)
    return buffer.value, code


def test_numbers_of_the_chip(sim: Simulator) -> None:
    assert platform(C.ACL_PLATFORM_AICORE_CNT) == (b"20", 0)
    assert platform(C.ACL_PLATFORM_AICORE_UB_SIZE) == (b"196608", 0)
    assert platform(C.ACL_PLATFORM_VECTOR_CORE_CNT) == (b"40", 0)
    assert platform(C.ACL_PLATFORM_MEMORY_SIZE) == (b"68719476736", 0)
    assert platform(C.ACL_PLATFORM_SOC_VERSION) == (b"Ascend910B3", 0)
    assert platform(C.ACL_PLATFORM_NPU_ARCH) == (b"2201", 0)
    assert platform(C.ACL_PLATFORM_VEC_FREQ) == (b"", 100000)  # not in the file of this chip
    assert platform(C.ACL_PLATFORM_MEMORY_TYPE) == (b"", 100000)


@pytest.mark.parametrize(("soc", "code"), list(zip(SOCS, (0, 0, 0, 0, 100000, 100000), strict=True)))
def test_cube_cores_are_in_the_files_of_newer_chips(soc: str, code: int) -> None:
    with Simulator(soc):
        assert platform(C.ACL_PLATFORM_CUBE_CORE_CNT)[1] == code
        assert platform(C.ACL_PLATFORM_L0_C_SIZE)[1] == 0


def test_faults_of_platform_queries(sim: Simulator) -> None:
    assert platform(17) == (b"", 100000)
    assert platform(0, 0) == (b"", 100000)
    assert platform(0, 2) == (b"", 100000)  # "20" and a zero
    assert platform(0, 3) == (b"20", 0)
    assert C.aclplatformGetDeviceInfo(0, 0, 8) == 100000
    room = ctypes.create_string_buffer(8)
    assert C.aclplatformGetInstructionInfo(2, "x", ctypes.addressof(room), 8) == 100000
    assert C.aclplatformGetInstructionInfo(0, None, ctypes.addressof(room), 8) == 100000
    assert C.aclplatformGetInstructionInfo(0, "x", 0, 8) == 100000
    assert C.aclplatformGetInstructionInfo(0, "x", ctypes.addressof(room), 0) == 100000
    assert not sim.findings
    assert C.aclplatformGetInstructionInfo(0, "x", ctypes.addressof(room), 8) == 100000
    assert [finding.kind for finding in sim.findings] == ["not-modelled"]


@pytest.mark.parametrize("soc", SOCS)
def test_what_only_the_ipv350_has(soc: str) -> None:
    with Simulator(soc):
        assert C.aclrtCreateStreamConfigHandle() == 0
        assert C.aclrtDestroyStreamConfigHandle(0) == 207000
        assert C.aclrtSetStreamConfigOpt(0, 0, 0, 0) == 207000
        assert C.aclrtCreateStreamV2(0) == (0, 207000)
        assert C.aclrtSubscribeHostFunc(1, 0) == 207000
        assert C.aclrtProcessHostFunc(1) == 207000
        assert C.aclrtUnSubscribeHostFunc(1, 0) == 207000


@pytest.mark.parametrize("product, answer", [("Ascend910B1", 1), ("Ascend310P3", 0)])
def test_whether_kernels_of_another_product_run_here(product: str, answer: int) -> None:
    with Simulator("Ascend910B3"):
        assert C.aclrtCheckArchCompatibility(product) == (answer, 0)


@pytest.mark.parametrize("product", ["Ascend9", "", None])
def test_kernels_of_no_product(product: str | None) -> None:
    with Simulator("Ascend910B3"):
        assert C.aclrtCheckArchCompatibility(product)[-1] == 107000
