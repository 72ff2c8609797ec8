"""Chapters 11-02 and 11-05: host memory, registration, pointer attributes."""

import ctypes
import mmap

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.simulator import Simulator
from tests.kit.calls import must, simulator

MAPPED, IO_MEMORY, READ_ONLY, PINNED = 2, 4, 8, 0x10000000
HOST, DEVICE, UNREGISTERED, MANAGED = range(4)


sim = simulator(devices=2)


@pytest.fixture
def pages():
    """Four pages of plain host memory: (address, array)."""
    memory = mmap.mmap(-1, 4 * 4096)
    array = np.frombuffer(memory, np.uint8)
    return array.__array_interface__["data"][0], array


def test_malloc_host_gives_true_aligned_memory(sim):
    h = must(C.aclrtMallocHost(1000))
    assert h % 64 == 0
    ctypes.memset(h, 3, 1000)
    assert ctypes.string_at(h, 1000) == b"\x03" * 1000
    must(C.aclrtFreeHost(h))


def config(*attributes):
    listed = []
    for attribute, field, value in attributes:
        made = C.aclrtMallocAttribute(attr=attribute)
        setattr(made.value, field, value)
        listed.append(made)
    return C.aclrtMallocConfig(attrs=listed, numAttrs=len(listed))


def test_common_addresses_are_a_feature_of_a2_and_a3():
    with Simulator("Ascend310P3"):
        assert C.aclrtMallocHostWithCfg(10, config((3, "vaFlag", 1))) == (0, 107002)
        must(C.aclrtSetDevice(0))
        assert C.aclrtMallocHostWithCfg(10, config((3, "vaFlag", 1))) == (0, 207000)
        must(C.aclrtMallocHostWithCfg(10, config((3, "vaFlag", 0))))


def test_free_host_takes_page_locked_blocks_only(sim, pages):
    h, p, m = must(C.aclrtMallocHost(100)), must(C.aclrtMalloc(100, 0)), must(C.aclrtMemAllocManaged(100, 1))
    assert C.aclrtFreeHost(p) == 107000
    assert C.aclrtFreeHost(m) == 107000
    assert C.aclrtFreeHost(pages[0]) == 107000
    assert C.aclrtFreeHost(h + 8) == 107000
    must(C.aclrtFreeHost(h))
    assert C.aclrtFreeHost(h) == 107000
    assert [found.kind for found in sim.findings] == ["bad-free"] * 4 + ["double-free"]


# -- registering -------------------------------------------------------------------------------------------------------


def test_register_and_unregister(sim, pages):
    address, _ = pages
    alias = must(C.aclrtHostRegister(address, 4096, 0))
    assert must(C.aclrtPointerGetAttributes(address + 100)).location.type == HOST
    assert must(C.aclrtPointerGetAttributes(address + 4096)).location.type == UNREGISTERED
    assert must(C.aclrtHostGetDevicePointer(address + 8, 0)) == alias + 8
    assert C.aclrtHostRegister(address, 100, 0) == (0, 507910)
    assert C.aclrtHostRegisterV2(address + 4000, 4096, MAPPED) == 507910
    assert C.aclrtHostUnregister(address + 4) == 507911
    must(C.aclrtHostUnregister(address))
    assert C.aclrtHostUnregister(address) == 507911
    assert C.aclrtHostGetDevicePointer(address, 0) == (0, 107000)


def test_the_sequence_of_the_unit_test(sim, pages):
    address, _ = pages
    assert C.aclrtHostRegisterV2(address, 4, PINNED) == 0
    assert C.aclrtHostRegisterV2(address, 4, PINNED) == 507910
    assert C.aclrtHostUnregister(address) == 0
    assert C.aclrtHostUnregister(address) == 507911


def test_register_argument_errors(sim, pages):
    address, _ = pages
    assert C.aclrtHostRegister(None, 4096, 0) == (0, 100000)
    assert C.aclrtHostRegister(address, 0, 0) == (0, 100000)
    assert C.aclrtHostRegister(address, 4096, 2) == (0, 207000)
    assert C.aclrtHostRegister(0x1000, 4096, 0) == (0, 107000)
    assert C.aclrtHostRegister(must(C.aclrtMalloc(4096, 0)), 4096, 0) == (0, 107000)
    assert C.aclrtHostRegisterV2(None, 4096, MAPPED) == C.aclrtHostRegisterV2(address, 0, MAPPED) == 100000
    for flag in (0, 1, 16, MAPPED | 1, 0x20000000):
        assert C.aclrtHostRegisterV2(address, 4096, flag) == 107000
    assert C.aclrtHostUnregister(None) == 100000
    assert C.aclrtHostGetDevicePointer(None, 0) == C.aclrtHostGetDevicePointer(address, 1) == (0, 100000)
    for kind in (0, IO_MEMORY, READ_ONLY, IO_MEMORY | READ_ONLY):
        must(C.aclrtHostRegister(address, 4096, kind))
        must(C.aclrtHostUnregister(address))


def test_page_locked_memory_may_be_registered_but_not_pinned_again(sim):
    h = must(C.aclrtMallocHost(8192))
    assert C.aclrtHostRegisterV2(h, 4096, PINNED) == 107000
    must(C.aclrtHostRegisterV2(h, 4096, MAPPED))
    must(C.aclrtHostUnregister(h))


def test_older_kernels_register_page_locked_memory_only(pages):
    address, _ = pages
    with Simulator(switches={"host_register_pageable": "refused"}):
        must(C.aclrtSetDevice(0))
        assert C.aclrtHostRegister(address, 4096, 0) == (0, 107000)
        must(C.aclrtHostRegister(must(C.aclrtMallocHost(8192)), 4096, 0))


@pytest.mark.parametrize("how", ["V1", "V1 read only", "V2", "V2 read only", "V2 pinned too"])
@pytest.mark.parametrize("code", [None, 507899, 107000, 0])
def test_unaligned_registration_is_refused_as_the_switch_says(pages, how, code):
    calls = {
        "V1": lambda at: C.aclrtHostRegister(at, 4096, 0)[1],
        "V1 read only": lambda at: C.aclrtHostRegister(at, 4096, READ_ONLY)[1],
        "V2": lambda at: C.aclrtHostRegisterV2(at, 4096, MAPPED),
        "V2 read only": lambda at: C.aclrtHostRegisterV2(at, 4096, READ_ONLY),
        "V2 pinned too": lambda at: C.aclrtHostRegisterV2(at, 4096, MAPPED | PINNED),
    }
    switches = {} if code is None else {"unaligned_host_register": code}
    with Simulator(switches=switches) as sim:
        must(C.aclrtSetDevice(0))
        assert calls[how](pages[0] + 64) == (507899 if code is None else code)
        (found,) = sim.findings
        assert (found.kind, found.severity) == ("undefined-use", "warning" if code == 0 else "error")
        assert "begins 64 bytes into a page" in found.title
        assert C.aclrtHostUnregister(pages[0] + 64) == (0 if code == 0 else 507911)
        assert calls[how](pages[0]) == 0  # and an aligned one is silent
        assert len(sim.findings) == 1


def test_pinning_alone_takes_any_address_and_is_noted(sim, pages):
    must(C.aclrtHostRegisterV2(pages[0] + 64, 4096, PINNED))
    assert [(found.kind, found.severity) for found in sim.findings] == [("undefined-use", "warning")]


def test_a_page_locked_block_begins_with_a_page(sim):
    h = must(C.aclrtMallocHost(3 * 4096))
    must(C.aclrtHostRegisterV2(h + 4096, 4096, MAPPED))
    assert C.aclrtHostRegisterV2(h + 2 * 4096 + 64, 64, MAPPED) == 507899


def test_products_without_registration(pages):
    with Simulator("Ascend310P3"):
        must(C.aclrtSetDevice(0))
        assert C.aclrtHostRegister(pages[0], 4096, 0) == (0, 207000)
        assert C.aclrtHostUnregister(pages[0]) == 207000


def test_registered_memory_is_copied_in_stream_order(sim, pages):
    address, array = pages
    must(C.aclrtHostRegister(address, 4096, 0))
    p, s = must(C.aclrtMalloc(4096, 0)), must(C.aclrtCreateStream())
    array[:4096] = 1
    must(C.aclrtMemcpyAsync(p, 4096, address, 4096, 1, s))
    array[:4096] = 2  # read when the task runs
    must(C.aclrtSynchronizeStream(s))
    assert (sim.memory.view(p, 4096) == 2).all()


def test_the_devices_address_of_registered_memory_is_not_for_copies(sim, pages):
    alias = must(C.aclrtHostRegister(pages[0], 4096, 0))
    p = must(C.aclrtMalloc(4096, 0))
    assert C.aclrtMemcpy(p, 4096, alias, 4096, 3) == 107000
    assert C.aclrtMemcpyAsync(p, 4096, alias, 4096, 3, None) == 507899


# -- attributes --------------------------------------------------------------------------------------------------------


def test_pointer_attributes(sim):
    must(C.aclrtSetDevice(1))
    p, h, m = must(C.aclrtMalloc(1000, 0)), must(C.aclrtMallocHost(1000)), must(C.aclrtMemAllocManaged(1000, 1))
    plain = np.zeros(100, np.uint8)

    def where(address):
        attributes = must(C.aclrtPointerGetAttributes(address))
        return attributes.location.type, attributes.location.id

    assert where(p) == where(p + 999) == (DEVICE, 1)
    assert where(h) == where(h + 500) == (HOST, 0)
    assert where(m) == (MANAGED, 0)
    assert where(plain.ctypes.data) == where(0x1234) == (UNREGISTERED, 0)
    must(C.aclrtFree(p))
    assert C.aclrtPointerGetAttributes(p) == (None, 507899)
    assert "freed at" in C.aclGetRecentErrMsg()
    must(C.aclrtFreeHost(h))
    assert where(h) == (UNREGISTERED, 0)
    assert C.aclrtPointerGetAttributes(None) == (None, 100000)


def test_pointer_attributes_need_no_context(sim):
    p = must(C.aclrtMalloc(1000, 0))
    must(C.aclrtResetDevice(0))
    assert must(C.aclrtPointerGetAttributes(p)).location.type == DEVICE


# -- managed memory ----------------------------------------------------------------------------------------------------


def test_managed_memory_is_shared_by_host_and_device(sim):
    m, p = must(C.aclrtMemAllocManaged(1000, 1)), must(C.aclrtMalloc(1000, 0))
    ctypes.memset(m, 5, 1000)
    must(C.aclrtMemcpyAsync(p, 1000, m, 1000, 1, None))
    ctypes.memset(m, 6, 1000)  # queued: read when it runs
    must(C.aclrtSynchronizeDevice())
    assert (sim.memory.view(p, 1000) == 6).all()
    must(C.aclrtMemset(m, 1000, 7, 1000))
    assert ctypes.string_at(m, 1) == b"\7"
    must(C.aclrtMemset(m + 1000, 1 << 20, 7, 1 << 20))  # rounded up to 2 MiB
    must(C.aclrtFree(m))


def test_managed_allocation_errors():
    with Simulator():
        assert C.aclrtMemAllocManaged(100, 0) == (0, 100000)
        assert C.aclrtMemAllocManaged(0, 2) == (0, 100000)
        assert C.aclrtMemAllocManaged(0, 1) == (0, 107000)
        assert C.aclrtMemAllocManaged(100, 1) == (0, 107002)
    with Simulator("Ascend950PR_9589"):
        must(C.aclrtSetDevice(0))
        assert C.aclrtMemAllocManaged(100, 1) == (0, 207000)


def test_prefetch_is_a_hint_in_stream_order(sim):
    m, p = must(C.aclrtMemAllocManaged(1000, 1)), must(C.aclrtMalloc(100, 0))
    here = C.aclrtMemManagedLocation()
    must(C.aclrtMemManagedPrefetchAsync(m, 1000, here, 0, None))
    for arguments in ((0, 1000, here, 0), (m, 0, here, 0), (m, 1000, here, 1)):
        assert C.aclrtMemManagedPrefetchAsync(*arguments, None) == 100000
    assert C.aclrtMemManagedPrefetchAsync(p, 100, here, 0, None) == 107000
    assert C.aclrtMemManagedPrefetchAsync(m, 1000, here, 0, 0xDEAD) == 107017
    must(C.aclrtSynchronizeDevice())


def test_p2p_map(sim):
    p = must(C.aclrtMalloc(100, 0))
    must(C.aclrtMemP2PMap(p, 100, 1, 0))
    for arguments in ((0, 100, 1, 0), (p, 0, 1, 0), (p, 100, 1, 1)):
        assert C.aclrtMemP2PMap(*arguments) == 100000
    assert C.aclrtMemP2PMap(p, 100, 7, 0) == 107001
    assert C.aclrtMemP2PMap(must(C.aclrtMallocHost(100)), 100, 1, 0) == 107000
