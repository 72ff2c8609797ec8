"""Chapter 11-01: allocation and free, row by row (docs/semantics/memory.md)."""

import ctypes

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.simulator import Simulator
from tests.kit.calls import must, simulator

HUGE_FIRST, HUGE_ONLY, NORMAL_ONLY, GIANT = 0, 1, 2, 6
SIZE_MAX = (1 << 64) - 1
HBM, DDR = 1, 0


sim = simulator(devices=2)


def free_bytes():
    return must(C.aclrtGetMemInfo(HBM))[0]


def taken(call, *arguments):
    """How much of the device an allocation takes."""
    before = free_bytes()
    address = must(call(*arguments))
    used = before - free_bytes()
    must(C.aclrtFree(address))
    assert free_bytes() == before
    return used


# -- sizes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "rounded"), [(1, 64), (32, 64), (33, 96), (64, 96), (65, 128), (1000, 1056)])
def test_malloc_rounds_to_32_plus_32(sim, size, rounded):
    assert taken(C.aclrtMalloc, size, HUGE_FIRST) == rounded


@pytest.mark.parametrize(("size", "rounded"), [(1, 32), (32, 32), (33, 64), (1000, 1024)])
def test_the_other_allocations_round_to_32_only(sim, size, rounded):
    assert taken(C.aclrtMallocAlign32, size, HUGE_FIRST) == rounded
    assert taken(C.aclrtMallocWithCfg, size, HUGE_FIRST, None) == rounded
    assert taken(C.aclrtMallocForTaskScheduler, size, HUGE_FIRST, None) == rounded


@pytest.mark.parametrize(("size", "rounded"), [(1, 32), (32, 32), (33, 64)])
def test_950_has_no_padding(size, rounded):
    with Simulator("Ascend950PR_9589"):
        must(C.aclrtSetDevice(0))
        assert taken(C.aclrtMalloc, size, HUGE_FIRST) == rounded


def test_giant_pages_come_whole_and_without_padding(sim):
    assert taken(C.aclrtMalloc, 1, GIANT) == 1 << 30
    assert taken(C.aclrtMalloc, 1 << 30, GIANT) == 1 << 30


@pytest.mark.parametrize("call", ["aclrtMalloc", "aclrtMallocAlign32", "aclrtMallocCached"])
@pytest.mark.parametrize("size", [0, SIZE_MAX, SIZE_MAX - 10])
def test_no_size_and_sizes_that_wrap_are_refused_by_the_acl_layer(call, size):
    with Simulator():  # no context: the acl layer looks first
        assert getattr(C, call)(size, NORMAL_ONLY) == (0, 100000)
        assert C.aclrtPeekAtLastError(0) == 0


@pytest.mark.parametrize("policy", [3, 4, 5, 8, 99, 0x7FFFFFFF])
def test_p2p_and_unknown_policies_are_accepted(sim, policy):
    must(C.aclrtFree(must(C.aclrtMalloc(100, policy))))


def test_addresses_are_multiples_of_512(sim):
    assert all(must(C.aclrtMalloc(size, HUGE_FIRST)) % 512 == 0 for size in (1, 700, 5000, 3 << 20))


def test_pages_follow_the_policy(sim):
    def page(size, policy):
        attributes = must(C.aclrtPointerGetAttributes(must(C.aclrtMalloc(size, policy))))
        return attributes.pageSize

    small, huge = 4096, 2 << 20
    assert page((1 << 20) - 32, HUGE_FIRST) == small  # 1 MiB after rounding
    assert page((1 << 20) - 31, HUGE_FIRST) == huge
    assert page(2 << 20, 77) == huge
    assert page(100, HUGE_ONLY) == huge
    assert page(3 << 20, NORMAL_ONLY) == small
    assert page(100, GIANT) == 1 << 30


def test_out_of_memory_says_who_has_it():
    with Simulator(limits={"memory": 1 << 20}):
        must(C.aclrtSetDevice(0))
        must(C.aclrtMalloc(900_000, HUGE_FIRST))
        assert C.aclrtMalloc(200_000, HUGE_FIRST) == (0, 207001)
        text = C.aclGetRecentErrMsg()
        assert "no room for 200000 bytes" in text and "900000-byte block allocated at" in text
        assert C.aclrtMallocWithCfg(SIZE_MAX, HUGE_FIRST, None) == (0, 207001)
        assert C.aclrtGetLastError(0) == 207001


def test_what_an_allocation_takes_is_a_switch():
    with Simulator(switches={"allocation_granule": 512}):
        must(C.aclrtSetDevice(0))
        assert taken(C.aclrtMalloc, 1, HUGE_FIRST) == 512
    with Simulator(switches={"allocation_granule": "page"}):
        must(C.aclrtSetDevice(0))
        assert taken(C.aclrtMalloc, 1, HUGE_FIRST) == 4096
        assert taken(C.aclrtMalloc, 2 << 20, HUGE_FIRST) == 4 << 20


# -- cached, configured ------------------------------------------------------------------------------------------------


def config(*attributes):
    listed = []
    for attribute, field, value in attributes:
        made = C.aclrtMallocAttribute(attr=attribute)
        setattr(made.value, field, value)
        listed.append(made)
    return C.aclrtMallocConfig(attrs=listed, numAttrs=len(listed))


@pytest.mark.parametrize("call", ["aclrtMallocWithCfg", "aclrtMallocForTaskScheduler"])
def test_configured_allocation(call, sim):
    malloc = getattr(C, call)
    assert malloc(0, 0, None) == (0, 100000)
    assert malloc(100, 0, C.aclrtMallocConfig(attrs=[], numAttrs=2)) == (0, 100000)
    assert malloc(100, 0, C.aclrtMallocConfig(attrs=[], numAttrs=0)) == (0, 107000)
    assert malloc(100, 0, config((3, "vaFlag", 1))) == (0, 107000)
    assert malloc(100, 0, config((9, "moduleId", 1))) == (0, 107000)
    assert malloc(100, 0, config((2, "deviceId", 1))) == (0, 107000)
    assert "cfg asks for device 1 but device 0 is current" in C.aclGetRecentErrMsg()
    must(malloc(100, 0x100000 | 0x1000, config((1, "moduleId", 33), (2, "deviceId", 0))))
    must(malloc(100, 0, config((2, "deviceId", 1), (2, "deviceId", 0))))  # the last one counts
    assert malloc(100, 0, config((2, "deviceId", 0), (2, "deviceId", 1))) == (0, 107000)


def test_a_config_may_be_the_address_of_the_c_struct(sim):
    attributes = (ctypes.c_uint32 * 6)(1, 33, 0, 2, 1, 0)  # MODULE_ID 33, DEVICE_ID 1
    cfg = (ctypes.c_uint64 * 2)(ctypes.addressof(attributes), 2)
    assert C.aclrtMallocWithCfg(100, 0, ctypes.addressof(cfg)) == (0, 107000)
    attributes[4] = 0
    must(C.aclrtMallocWithCfg(100, 0, ctypes.addressof(cfg)))
    cfg[0] = 0
    assert C.aclrtMallocWithCfg(100, 0, ctypes.addressof(cfg)) == (0, 100000)
    assert C.aclrtMallocWithCfg(100, 0, 0x1234) == (0, 100000)


# -- free --------------------------------------------------------------------------------------------------------------


def test_free_needs_no_context_and_may_come_from_another_device(sim):
    p = must(C.aclrtMalloc(100, HUGE_FIRST))
    must(C.aclrtSetDevice(1))
    must(C.aclrtFree(p))
    q = must(C.aclrtMalloc(100, HUGE_FIRST))
    must(C.aclrtResetDevice(1))
    assert C.aclrtGetDevice()[1] == 107002
    must(C.aclrtFree(q))


def test_a_second_free(sim):
    p = must(C.aclrtMalloc(128, HUGE_FIRST))
    must(C.aclrtFree(p))
    assert C.aclrtFree(p) == 107000
    text = C.aclGetRecentErrMsg()
    assert "128-byte block allocated at" in text and "freed at" in text and "test_malloc.py" in text
    (found,) = sim.findings
    assert found.kind == "double-free"
    assert [site.role for site in found.sites] == ["access", "free", "alloc"]


def test_a_pointer_inside_a_block(sim):
    p = must(C.aclrtMalloc(128, HUGE_FIRST))
    assert C.aclrtFree(p + 64) == 107000
    assert "byte 64 of the 128-byte block" in C.aclGetRecentErrMsg()
    must(C.aclrtMemset(p, 128, 1, 128))  # it is still there
    (found,) = sim.findings
    assert found.kind == "bad-free" and "byte 64" in found.title


def test_pointers_that_nobody_allocated(sim):
    plain = np.zeros(64, np.uint8)
    p = must(C.aclrtMalloc(128, HUGE_FIRST))
    for address in (p + (1 << 20), 0x1234, plain.ctypes.data, SIZE_MAX):
        assert C.aclrtFree(address) == 107000
        assert C.aclrtFreeHost(address) == 107000


def test_what_the_software_driver_answers_is_a_switch():
    plain = np.zeros(64, np.uint8)
    with Simulator(switches={"free_unknown_pointer": 107017, "free_pageable_pointer": 0}):
        must(C.aclrtSetDevice(0))
        p = must(C.aclrtMalloc(128, HUGE_FIRST))
        assert C.aclrtFree(p + (1 << 20)) == 107017
        assert C.aclrtFree(plain.ctypes.data) == 0
        assert C.aclrtFree(p + 64) == 107000


def test_free_takes_page_locked_blocks_but_free_host_no_device_memory(sim):
    h, p = must(C.aclrtMallocHost(100)), must(C.aclrtMalloc(100, HUGE_FIRST))
    assert C.aclrtFreeHost(p) == 107000
    must(C.aclrtFree(h))
    assert C.aclrtFreeHost(h) == 107000
    must(C.aclrtFree(p))
    with Simulator(switches={"free_pinned_pointer": 107000}):
        must(C.aclrtSetDevice(0))
        h = must(C.aclrtMallocHost(100))
        assert C.aclrtFree(h) == 107000
        must(C.aclrtFreeHost(h))


def test_free_does_not_wait_and_free_with_sync_does(sim):
    s = must(C.aclrtCreateStream())
    p, q = must(C.aclrtMalloc(1 << 20, 0)), must(C.aclrtMalloc(1 << 20, 0))
    must(C.aclrtMemsetAsync(p, 1 << 20, 1, 1 << 20, s))
    must(C.aclrtFree(q))
    assert must(C.aclrtStreamQuery(s)) == 1
    must(C.aclrtFreeWithDevSync(p))
    assert must(C.aclrtStreamQuery(s)) == 0
    assert not list(sim.findings)


def test_free_with_sync_waits_for_streams_of_other_contexts(sim):
    s = must(C.aclrtCreateStream())
    p = must(C.aclrtMalloc(1 << 20, 0))
    must(C.aclrtMemsetAsync(p, 1 << 20, 1, 1 << 20, s))
    other = must(C.aclrtCreateContext(0))
    must(C.aclrtFreeWithDevSync(p))
    assert must(C.aclrtStreamQuery(s)) == 0
    must(C.aclrtDestroyContext(other))
    assert not list(sim.findings)


def test_free_with_sync_frees_nothing_when_the_wait_fails(sim):
    p, h = must(C.aclrtMalloc(100, 0)), must(C.aclrtMallocHost(100))
    must(C.aclrtResetDevice(0))
    assert C.aclrtFreeWithDevSync(p) == 107002
    assert C.aclrtFreeHostWithDevSync(h) == 107002
    must(C.aclrtSetDevice(0))
    must(C.aclrtFreeWithDevSync(p))
    must(C.aclrtFreeHostWithDevSync(h))


# -- asking ------------------------------------------------------------------------------------------------------------


def test_memory_info(sim):
    assert C.aclrtGetMemInfo(HBM) == (64 << 30, 64 << 30, 0)
    for attribute in range(18):
        free, total, code = C.aclrtGetMemInfo(attribute)
        assert code == 0
        assert (free, total) == ((0, 0) if attribute in (0, 2, 3, 6, 7) else (64 << 30, 64 << 30))
    for attribute in (18, 99, 0xFFFFFFFF):
        assert C.aclrtGetMemInfo(attribute) == (None, None, 107016)


def test_chips_with_ddr_answer_for_it_when_asked_for_hbm():
    with Simulator("Ascend310P3"):
        must(C.aclrtSetDevice(0))
        assert must(C.aclrtGetMemInfo(HBM)) == must(C.aclrtGetMemInfo(DDR)) == (24_000_000_000, 24_000_000_000)
        assert must(C.aclrtGetMemInfo(10)) == (0, 0)


def test_each_device_has_its_own_memory(sim):
    must(C.aclrtMalloc(1 << 30, 0))
    must(C.aclrtSetDevice(1))
    assert free_bytes() == 64 << 30


def test_memory_usage(sim):
    must(C.aclrtFree(must(C.aclrtMallocAlign32(1 << 20, 0))))
    must(C.aclrtMallocAlign32(4096, 0))
    infos, number = must(C.aclrtGetMemUsageInfo(0, 4))
    assert number == 1
    assert (infos[0].curMemSize, infos[0].memPeakSize) == (4096, 1 << 20)
    assert C.aclrtGetMemUsageInfo(0, 0)[-1] == 107000
    assert C.aclrtGetMemUsageInfo(9, 1)[-1] == 107001
    with Simulator("Ascend950PR_9589"):
        must(C.aclrtSetDevice(0))
        assert C.aclrtGetMemUsageInfo(0, 1)[-1] == 207000


def test_flush_and_invalidate(sim):
    p = must(C.aclrtMalloc(100, 0))
    for call in (C.aclrtMemFlush, C.aclrtMemInvalidate):
        assert call(None, 1) == 100000
        assert call(0x11, 0) == 100000
        assert call(p, 100) == 0
        assert call(0x11, 1) == 107000


def test_check_mem_type(sim):
    p, q, h = must(C.aclrtMalloc(10, 0)), must(C.aclrtMalloc(10, 0)), must(C.aclrtMallocHost(10))
    assert C.aclrtCheckMemType([p, q], 2, 2, 0) == (1, 0)
    assert C.aclrtCheckMemType([p, h], 2, 2, 0) == (0, 0)
    assert C.aclrtCheckMemType([p, q], 2, 8, 0) == (0, 0)
    for size, types, reserve in ((0, 2, 0), (2, 0, 0), (2, 4, 0), (2, 2, 1)):
        assert C.aclrtCheckMemType([p, q], size, types, reserve)[1] == 107000
    assert C.aclrtCheckMemType(None, 2, 2, 0)[1] == 100000
    assert C.aclrtCheckMemType([p], 2, 2, 0)[1] == 100000


# -- observers ---------------------------------------------------------------------------------------------------------


def test_observers_hear_of_blocks(sim):
    from ascend_sim.observers.observer import Observer

    class Log(Observer):
        def __init__(self):
            self.said = []

        def allocated(self, t, block):
            self.said.append(("allocated", block.size, block.kind, t.number))

        def freed(self, t, block):
            self.said.append(("freed", block.size, block.kind, t.number))

        def accessed(self, who, block, lo, hi, write):
            self.said.append((lo, hi, write))

    log = sim.attach(Log())
    p, h = must(C.aclrtMalloc(100, 0)), must(C.aclrtMallocHost(50))
    must(C.aclrtMemcpy(p + 10, 50, h, 50, 1))
    must(C.aclrtMemsetAsync(p, 100, 1, 20, None))
    must(C.aclrtSynchronizeDevice())
    must(C.aclrtFreeHost(h))
    must(C.aclrtFree(p))
    assert log.said == [
        ("allocated", 100, "device", 0),
        ("allocated", 50, "host", 0),
        (0, 50, False),
        (10, 60, True),
        (0, 20, True),
        ("freed", 50, "host", 0),
        ("freed", 100, "device", 0),
    ]


def test_huge_pages_are_taken_whole():
    """1 KiB with HUGE_ONLY costs 2 MiB; HUGE_FIRST takes ordinary pages up to 1 MiB, huge ones above."""
    with Simulator():
        must(C.aclrtSetDevice(0))
        assert taken(C.aclrtMalloc, 1024, HUGE_ONLY) == 2 << 20
        assert taken(C.aclrtMalloc, (2 << 20) - 32, HUGE_ONLY) == 2 << 20
        assert taken(C.aclrtMalloc, 2 << 20, HUGE_ONLY) == 4 << 20  # the padding needs one more
        assert taken(C.aclrtMalloc, 1024, HUGE_FIRST) == 1056
        assert taken(C.aclrtMalloc, (1 << 20) - 32, HUGE_FIRST) == 1 << 20
        assert taken(C.aclrtMalloc, 1 << 20, HUGE_FIRST) == 2 << 20
        assert taken(C.aclrtMalloc, 3 << 20, NORMAL_ONLY) == (3 << 20) + 32
