"""Virtual memory: codes, bytes, capacity, and what is left behind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C

M = 2 << 20
PARAM, DRIVER, ACL = 107000, 507899, 100000


@pytest.fixture
def sim() -> Iterator[Simulator]:
    with Simulator(devices=2) as opened:
        assert C.aclrtSetDevice(0) == 0
        yield opened


def prop(device: int = 0, attribute: int = C.ACL_HBM_MEM_HUGE, place: int = C.ACL_MEM_LOCATION_TYPE_DEVICE):
    return C.aclrtPhysicalMemProp(memAttr=attribute, location=C.aclrtMemLocation(device, place))


def reserve(size: int = 8 * M, wanted: int = 0) -> int:
    address, code = C.aclrtReserveMemAddress(size, 0, wanted, 0)
    assert code == 0
    return address


def physical(size: int = M, device: int = 0) -> int:
    handle, code = C.aclrtMallocPhysical(size, prop(device), 0)
    assert code == 0
    return handle


def mapped(pieces: int = 1) -> tuple[int, list[int]]:
    address, handles = reserve(), [physical() for _ in range(pieces)]
    for i, handle in enumerate(handles):
        assert C.aclrtMapMem(address + i * M, M, 0, handle, 0) == 0
    return address, handles


def kinds(sim: Simulator) -> list[str]:
    return [finding.kind for finding in sim.findings]


def test_adjacent_mappings_are_used_as_one_block(sim: Simulator) -> None:
    address, _ = mapped(3)
    stream, _ = C.aclrtCreateStream()
    sent, got = np.random.default_rng(1).integers(0, 256, 3 * M, np.uint8), np.zeros(3 * M, np.uint8)
    assert C.aclrtMemcpyAsync(address, 3 * M, sent, 3 * M, C.ACL_MEMCPY_HOST_TO_DEVICE, stream) == 0
    assert C.aclrtSynchronizeStream(stream) == 0
    assert C.aclrtMemcpy(got, 3 * M, address, 3 * M, C.ACL_MEMCPY_DEVICE_TO_HOST) == 0
    assert np.array_equal(sent, got)
    assert kinds(sim) == []


def test_two_mappings_show_the_very_bytes(sim: Simulator) -> None:
    address, (handle,) = mapped()
    other = reserve()
    assert C.aclrtMapMem(other + M, M, 0, handle, 0) == 0
    got = np.zeros(16, np.uint8)
    assert C.aclrtMemset(address + 100, M - 100, 7, 8) == 0
    assert C.aclrtMemcpy(got, 16, other + M + 96, 16, C.ACL_MEMCPY_DEVICE_TO_HOST) == 0
    assert got.tolist() == [255] * 4 + [7] * 8 + [255] * 4  # fresh memory is poison, through either


def test_bytes_stay_while_the_memory_is_not_mapped(sim: Simulator) -> None:
    address, (handle,) = mapped()
    got = np.zeros(4, np.uint8)
    assert C.aclrtMemset(address, M, 9, 4) == 0
    assert C.aclrtUnmapMem(address) == 0
    assert C.aclrtMapMem(address + 2 * M, M, 0, handle, 0) == 0
    assert C.aclrtMemcpy(got, 4, address + 2 * M, 4, C.ACL_MEMCPY_DEVICE_TO_HOST) == 0
    assert got.tolist() == [9] * 4
    assert C.aclrtMemcpy(got, 4, address, 4, C.ACL_MEMCPY_DEVICE_TO_HOST) == PARAM  # nothing is there any more
    assert kinds(sim) == ["use-after-free"]


@pytest.mark.parametrize(
    ("what", "code"),
    [
        (lambda a, h: C.aclrtMapMem(0, M, 0, h, 0), ACL),
        (lambda a, h: C.aclrtMapMem(a + M, M, 0, 0, 0), ACL),
        (lambda a, h: C.aclrtMapMem(a + M, 0, 0, h, 0), ACL),
        (lambda a, h: C.aclrtMapMem(a + M, M, 0, h, 1), ACL),
        (lambda a, h: C.aclrtMapMem(a + M, M, M, h, 0), PARAM),
        (lambda a, h: C.aclrtMapMem(a + M, M, 0, h + 16, 0), PARAM),
        (lambda a, h: C.aclrtMapMem(a + M + 4096, M, 0, h, 0), DRIVER),  # no multiple of 2 MiB
        (lambda a, h: C.aclrtMapMem(a, M, 0, h, 0), DRIVER),  # over another one
        (lambda a, h: C.aclrtMapMem(a + 8 * M, M, 0, h, 0), DRIVER),  # not reserved
        (lambda a, h: C.aclrtMapMem(a + M, 2 * M, 0, h, 0), DRIVER),  # more than the memory
        (lambda a, h: C.aclrtUnmapMem(a + 4096), DRIVER),  # inside
        (lambda a, h: C.aclrtUnmapMem(a + M), DRIVER),  # nothing there
        (lambda a, h: C.aclrtUnmapMem(0), ACL),
        (lambda a, h: C.aclrtReleaseMemAddress(a + M), PARAM),
        (lambda a, h: C.aclrtReleaseMemAddress(0), ACL),
        (lambda a, h: C.aclrtFree(a), PARAM),
        (lambda a, h: C.aclrtMemRetainAllocationHandle(a + 4096)[1], DRIVER),
        (lambda a, h: C.aclrtMemGetAddressRange(a + M)[2], PARAM),
    ],
)  # fmt: skip
def test_what_is_refused(sim: Simulator, what, code: int) -> None:
    address, (handle,) = mapped()
    assert what(address, handle) == code
    assert C.aclrtUnmapMem(address) == 0 and C.aclrtFreePhysical(handle) == 0  # nothing has changed
    assert C.aclrtReleaseMemAddress(address) == 0


def test_a_range_is_of_the_device_whose_memory_came_first(sim: Simulator) -> None:
    address, _ = mapped()
    other = physical(device=1)
    assert C.aclrtMapMem(address + M, M, 0, other, 0) == DRIVER
    assert C.aclrtUnmapMem(address) == 0
    assert C.aclrtMapMem(address + M, M, 0, other, 0) == DRIVER
    assert C.aclrtMapMem(reserve(), M, 0, other, 0) == 0


@pytest.mark.parametrize("first", ["free", "unmap"])
def test_memory_ends_with_the_last_of_handle_and_mapping(sim: Simulator, first: str) -> None:
    free = C.aclrtGetMemInfo(C.ACL_HBM_MEM)[0]
    address, (handle,) = mapped()
    assert C.aclrtGetMemInfo(C.ACL_HBM_MEM)[0] == free - M
    steps = [lambda: C.aclrtFreePhysical(handle), lambda: C.aclrtUnmapMem(address)]
    for step in steps if first == "free" else steps[::-1]:
        assert C.aclrtGetMemInfo(C.ACL_HBM_MEM)[0] == free - M
        assert step() == 0
    assert C.aclrtGetMemInfo(C.ACL_HBM_MEM)[0] == free
    assert C.aclrtFreePhysical(handle) == PARAM


def test_a_free_too_many_while_it_is_mapped(sim: Simulator) -> None:
    address, (handle,) = mapped()
    again, code = C.aclrtMemRetainAllocationHandle(address)
    assert (again, code) == (handle, 0)
    assert [C.aclrtFreePhysical(handle) for _ in range(3)] == [0, 0, PARAM]
    assert C.aclrtUnmapMem(address) == 0


def test_no_access_before_it_is_given(sim: Simulator) -> None:
    address, handle = reserve(), physical()
    place = C.aclrtMemLocation(0, C.ACL_MEM_LOCATION_TYPE_DEVICE)
    assert C.aclrtMemMapNoAccess(address, M, 0, handle, 0) == 0
    assert C.aclrtMemGetAccess(address, place) == (0, 0)
    assert C.aclrtMemset(address, M, 1, M) != 0
    desc = C.aclrtMemAccessDesc(C.ACL_RT_MEM_ACCESS_FLAGS_READWRITE, place)
    assert C.aclrtMemSetAccess(address, M, [desc], 1) == 0
    assert C.aclrtMemGetAccess(address, place) == (3, 0)
    assert C.aclrtMemset(address, M, 1, M) == 0


def test_large_ranges_cost_nothing_and_pairs_leave_nothing(sim: Simulator) -> None:
    def state() -> tuple[int, ...]:
        virtual = sim.memory.virtual
        lines = Path("/proc/self/maps").read_text().count("\n")
        return len(os.listdir("/proc/self/fd")), lines, len(virtual.mapped), len(virtual.physical), len(sim.handles)

    address, unit = reserve(50 << 30), 256 << 20
    handles = [physical(unit) for _ in range(200)]
    before = resident()
    for i, handle in enumerate(handles):
        assert C.aclrtMapMem(address + i * unit, unit, 0, handle, 0) == 0
    assert resident() - before < 16 << 20
    assert C.aclrtMemset(address + 10 * unit - 4, 8, 3, 8) == 0  # across two of them
    for i, handle in enumerate(handles):
        assert C.aclrtUnmapMem(address + i * unit) == 0 and C.aclrtFreePhysical(handle) == 0
    small = physical()
    at_first = state()
    for i in range(10_000):
        assert C.aclrtMapMem(address + i % 7 * M, M, 0, small, 0) == 0
        assert C.aclrtUnmapMem(address + i % 7 * M) == 0
    assert all(now <= before for now, before in zip(state(), at_first, strict=True))  # regions may merge meanwhile
    assert len(sim.memory.virtual.gone) <= 1024


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_wanted_address(sim: Simulator) -> None:
    assert reserve(M, 17 << 40) == 17 << 40
    assert C.aclrtReserveMemAddress(M, 0, 17 << 40, 0)[1] == 207001  # taken
    assert C.aclrtReserveMemAddress(M, 0, (17 << 40) + 4096, 0)[1] == PARAM
    assert C.aclrtReserveMemAddress(1 << 30, 0, (17 << 40) + (512 << 20), 0)[1] == PARAM
    assert C.aclrtReserveMemAddress(M, 4096, 0, 0)[1] == PARAM


def test_out_of_memory_says_who_has_it(sim: Simulator) -> None:
    free = C.aclrtGetMemInfo(C.ACL_HBM_MEM)[0]
    physical(free)
    assert C.aclrtMallocPhysical(M, prop(), 0) == (0, 207001)
    assert "physical memory" in C.aclGetRecentErrMsg()


def test_sharing_within_the_process(sim: Simulator) -> None:
    address, (handle,) = mapped()
    number, code = C.aclrtMemExportToShareableHandle(handle, 0, 0)
    assert code == 0
    assert C.aclrtMemExportToShareableHandle(handle, 0, 0)[1] == DRIVER
    assert C.aclrtMemImportFromShareableHandle(number, 0)[1] == DRIVER  # the exporter, on its own device
    assert C.aclrtMemImportFromShareableHandle(number, 1)[1] == DRIVER  # not listed
    assert C.aclrtMemSetPidToShareableHandle(number, [os.getpid()], 1) == 0
    imported, code = C.aclrtMemImportFromShareableHandle(number, 1)
    assert code == 0
    assert C.aclrtMemImportFromShareableHandle(number, 1) == (imported, 0)  # one more hold of it
    there = reserve()
    assert C.aclrtMapMem(there, M, 0, imported, 0) == 0
    got = np.zeros(4, np.uint8)
    assert C.aclrtMemset(address, M, 5, 4) == 0
    assert C.aclrtMemcpy(got, 4, there, 4, C.ACL_MEMCPY_DEVICE_TO_HOST) == 0
    assert got.tolist() == [5] * 4
    assert C.aclrtUnmapMem(address) == 0 and C.aclrtFreePhysical(handle) == 0
    assert C.aclrtMemImportFromShareableHandle(number, 1)[1] == 107017
    assert C.aclrtMemcpy(got, 4, there, 4, C.ACL_MEMCPY_DEVICE_TO_HOST) == 0  # who imported it keeps it
    free = C.aclrtGetMemInfo(C.ACL_HBM_MEM)[0]
    assert [C.aclrtFreePhysical(imported), C.aclrtFreePhysical(imported), C.aclrtUnmapMem(there)] == [0, 0, 0]
    assert C.aclrtGetMemInfo(C.ACL_HBM_MEM)[0] == free + M


def test_the_second_form_of_shareable_handles(sim: Simulator) -> None:
    _, (handle,) = mapped()
    room = np.zeros(16, np.uint64)
    assert C.aclrtMemExportToShareableHandleV2(handle, 1, 3, room) == PARAM
    assert C.aclrtMemExportToShareableHandleV2(handle, 2, 1, room) == PARAM
    assert C.aclrtMemExportToShareableHandleV2(handle, 1, C.ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, room) == 207000  # A2
    assert C.aclrtMemExportToShareableHandleV2(handle, 1, C.ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, room) == 0
    assert C.aclrtMemImportFromShareableHandleV2(room, C.ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, 0)[1] == DRIVER
    assert C.aclrtSetDevice(1) == 0
    assert C.aclrtMemImportFromShareableHandleV2(room, C.ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, 0)[1] == 0


def test_a_handle_between_servers() -> None:
    with Simulator(soc="Ascend910_9392", devices=2):
        assert C.aclrtSetDevice(0) == 0
        handle, room = physical(), np.zeros(128, np.uint8)
        assert C.aclrtMemExportToShareableHandleV2(handle, 1, C.ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, room) == 0
        assert C.aclrtSetDevice(1) == 0
        assert C.aclrtMemImportFromShareableHandleV2(room, C.ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0)[1] == 0
        assert C.aclrtMemImportFromShareableHandleV2(np.zeros(128, np.uint8), 2, 0)[1] == PARAM


def test_addresses_may_be_reserved_before_a_device_is_open() -> None:
    """torch_npu does that when its allocator is told to use expandable segments."""
    with Simulator():
        address, ret = C.aclrtReserveMemAddress(512, 0, None, 1)
        assert (bool(address), ret) == (True, 0)
        assert C.aclrtReleaseMemAddress(address) == 0
