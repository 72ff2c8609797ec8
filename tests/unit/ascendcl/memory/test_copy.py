"""Chapter 11-03: copies and sets, row by row (docs/semantics/copies.md), and what queued copies do."""

import ctypes
import weakref

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.runtime.memory.directions import CORRECTION
from ascend_sim.runtime.memory.host_buffers import KEPT_OBJECTS, keepalive
from ascend_sim.simulator import Simulator
from tests.kit.calls import must, simulator

H2H, H2D, D2H, D2D, DEFAULT, BUFFERED = range(6)
SIZE_MAX = (1 << 64) - 1
N = 4096


sim = simulator(devices=2)


def device(n=N):
    return must(C.aclrtMalloc(n, 0))


def pinned(n=N, value=0):
    address = must(C.aclrtMallocHost(n))
    ctypes.memset(address, value, n)
    return address


def stream():
    return must(C.aclrtCreateStream())


def held(s):
    """Block stream *s* at a wait; returns what releases it."""
    flag, other = must(C.aclrtCreateEventWithFlag(1)), stream()
    must(C.aclrtStreamWaitEvent(s, flag))
    return lambda: must(C.aclrtRecordEvent(flag, other))


def shown(sim, address, n=N):
    """The bytes at a device address."""
    return bytes(sim.memory.view(address, n))


# -- aclrtMemcpy -------------------------------------------------------------------------------------------------------


def test_nothing_to_copy_is_success_before_every_other_test():
    with Simulator():
        for kind in (H2H, 6, 0x7FFFFFFF):
            assert C.aclrtMemcpy(None, 0, None, 0, kind) == 0
            assert C.aclrtMemcpyAsync(None, 0, None, 0, kind, 0x10) == 0
            assert C.aclrtMemcpyAsyncWithCondition(None, 0, None, 0, kind, 0x10) == 0
        assert C.aclrtMemset(None, 0, 1, 0) == 0
        assert C.aclrtMemsetAsync(None, 0, 1, 0, 0x10) == 0
        assert C.aclrtMemsetD32(None, 0, 1, 0) == C.aclrtMemsetD32Async(None, 0, 1, 0, 0x10) == 0
        assert C.aclrtMemcpy2d(None, 0, None, 0, 2, 0, 99) == C.aclrtMemcpy2d(None, 0, None, 0, 0, 2, 99) == 0
        assert C.aclrtMemcpy2dAsync(None, 0, None, 0, 2, 0, 99, 0x10) == 0


def test_memcpy_in_every_direction_whatever_the_kind(sim):
    p, q, h, g = device(), device(), pinned(value=1), pinned()
    plain = np.zeros(N, np.uint8)
    for kind in range(6):
        ctypes.memset(h, kind + 1, N)
        must(C.aclrtMemcpy(p, N, h, N, kind))
        must(C.aclrtMemcpy(q, N, p, N, kind))
        must(C.aclrtMemcpy(plain.ctypes.data, N, q, N, kind))
        must(C.aclrtMemcpy(g, N, plain.ctypes.data, N, kind))
        assert ctypes.string_at(g, N) == bytes([kind + 1]) * N


def test_memcpy_tests_sizes_then_equal_pointers_then_the_context():
    with Simulator():
        assert C.aclrtMemcpy(0x10, 10, 0x20, 11, H2H) == 107000
        assert "count is 11 but destMax is 10" in C.aclGetRecentErrMsg()
        assert C.aclrtMemcpy(0x10, 0, 0x10, 1, H2H) == 107000
        assert C.aclrtMemcpy(0x10, 10, 0x10, 10, H2H) == 0
        assert C.aclrtMemcpy(0x10, 10, 0x20, 10, H2H) == 107002
        assert C.aclrtPeekAtLastError(0) == 107002


def test_memcpy_refuses_ranges_that_nobody_has(sim):
    p, q, freed = device(), device(), device()
    must(C.aclrtFree(freed))
    must(C.aclrtMemset(p, N, 5, N))
    for bad in (freed, freed + 8, p + (1 << 30), 0x1234, 1 << 50, SIZE_MAX - 7):
        assert C.aclrtMemcpy(p, N, bad, N, DEFAULT) == 107000
        assert C.aclrtMemcpy(bad, N, q, N, DEFAULT) == 107000
    assert shown(sim, p) == b"\5" * N
    title = "aclrtMemcpy uses `freed` as {}, which was freed before"
    assert {(found.kind, found.title) for found in sim.findings} == {
        ("use-after-free", title.format(what)) for what in ("src", "dst")
    }


def test_leaving_a_block_is_refused_and_reported(sim):
    p, h = must(C.aclrtMallocAlign32(N, 0)), pinned(2 * N)
    assert C.aclrtMemcpy(p, 2 * N, h, N + 96, H2D) == 107000
    text = C.aclGetRecentErrMsg()
    assert "dst:" in text and "96 bytes past the end of the 4096-byte block allocated at" in text
    assert C.aclrtMemcpy(h, 2 * N, p + 32, N, D2H) == 107000
    assert "src:" in C.aclGetRecentErrMsg()
    assert [found.kind for found in sim.findings] == ["out-of-bounds"] * 2


def test_what_a_bad_range_answers_is_a_switch():
    with Simulator(switches={"copy_out_of_range": 507899}):
        must(C.aclrtSetDevice(0))
        assert C.aclrtMemcpy(device(), N, 0x1234, N, H2D) == 507899


def test_copies_between_devices_need_peer_access(sim):
    a = device()
    must(C.aclrtMemset(a, N, 3, N))
    must(C.aclrtSetDevice(1))
    b = device()
    assert C.aclrtMemcpy(b, N, a, N, D2D) == 107000
    assert "aclrtDeviceEnablePeerAccess(0, 0)" in C.aclGetRecentErrMsg()
    assert C.aclrtMemcpyAsync(b, N, a, N, D2D, None) == 107000
    must(C.aclrtDeviceEnablePeerAccess(0, 0))
    must(C.aclrtMemcpy(b, N, a, N, D2D))
    assert shown(sim, b) == b"\3" * N


def test_a3_copies_between_devices_without_asking():
    with Simulator("Ascend910_9391", devices=2):
        must(C.aclrtSetDevice(0))
        a = device()
        must(C.aclrtSetDevice(1))
        must(C.aclrtMemcpy(device(), N, a, N, D2D))


def test_memcpy_is_in_no_order_with_streams(sim):
    p, s, h = device(), stream(), pinned()
    must(C.aclrtMemset(p, N, 1, N))
    release = held(s)
    must(C.aclrtMemsetAsync(p, N, 9, N, s))
    must(C.aclrtMemcpy(h, N, p, N, D2H))
    assert ctypes.string_at(h, 1) == b"\1"
    release()
    must(C.aclrtSynchronizeStream(s))
    must(C.aclrtMemcpy(h, N, p, N, D2H))
    assert ctypes.string_at(h, 1) == b"\x09"


def test_overlapping_copy(sim):
    p = device()
    pattern = np.arange(N, dtype=np.uint32).astype(np.uint8)
    must(C.aclrtMemcpy(p, N, pattern.ctypes.data, N, H2D))
    must(C.aclrtMemcpy(p + 100, N, p, N - 100, D2D))
    assert shown(sim, p + 100, N - 100) == pattern[: N - 100].tobytes()


def test_python_objects_may_stand_for_host_memory(sim):
    p = device()
    out = bytearray(4)
    must(C.aclrtMemcpy(p, N, np.arange(16, dtype=np.uint8), 16, H2D))
    must(C.aclrtMemcpy(out, 4, p + 4, 4, D2H))
    assert out == bytes([4, 5, 6, 7])
    assert not list(sim.findings)


# -- aclrtMemcpyAsync: where the pointers live -------------------------------------------------------------------------


def places(sim):
    plain, more = np.zeros(N, np.uint8), np.zeros(N, np.uint8)
    sim.keep = plain, more
    return {
        "device": (device(), device()),
        "host": (pinned(), pinned()),
        "unregistered": (plain.ctypes.data, more.ctypes.data),
    }


@pytest.mark.parametrize("kind", range(5))
@pytest.mark.parametrize("source", ["host", "device", "unregistered"])
@pytest.mark.parametrize("target", ["host", "device", "unregistered"])
def test_the_correction_table(sim, source, target, kind):
    """Every cell: the code, and whether the call queued or waited."""
    where = places(sim)
    dst, src = where[target][0], where[source][1]
    s = stream()
    must(C.aclrtMemset(src, N, 7, N))
    queued = []
    sim.hooks.add("submitted", queued.append)
    ret = C.aclrtMemcpyAsync(dst, N, src, N, kind, s)
    expected = CORRECTION[source, target].get(kind)
    if expected is None:
        assert ret == 107000
    elif expected == "host to host":
        assert ret == 207000
    else:
        assert ret == 0
        assert len(queued) == (expected == "queued")
        must(C.aclrtSynchronizeStream(s))
        assert shown(sim, dst) == b"\7" * N


def test_the_table_is_that_of_the_manual():
    ok = {"host": {}, "device": {}, "unregistered": {}}
    for (source, target), kinds in CORRECTION.items():
        ok[source][target] = "".join(
            {"queued": "q", "pageable": "p", "host to host": "h"}.get(kinds.get(kind, ""), "-") for kind in range(5)
        )
    assert ok == {
        "host": {"host": "hhhhh", "device": "qqqqq", "unregistered": "hp--h"},
        "device": {"host": "qqqqq", "device": "qqqqq", "unregistered": "--pqp"},
        "unregistered": {"host": "h-p-h", "device": "-p-qp", "unregistered": "hppqh"},
    }


def test_a_default_device_is_not_applied_by_the_asynchronous_copies():
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        p, q = device(), device()
        must(C.aclrtResetDevice(0))
        sim.process.default_device = 0
        assert C.aclrtMemcpyAsync(p, N, q, N, D2D, None) == 107002
        assert C.aclrtMemcpy2dAsync(p, 8, q, 8, 8, 8, D2D, None) == 107002
        assert C.aclrtMemcpy(p, N, q, N, D2D) == 0


def test_a_queued_copy_reads_its_source_when_it_runs(sim):
    p, h, s = device(), pinned(value=1), stream()
    must(C.aclrtMemcpyAsync(p, N, h, N, H2D, s))
    ctypes.memset(h, 2, N)
    must(C.aclrtSynchronizeStream(s))
    assert shown(sim, p) == b"\2" * N


def test_the_buffered_kind_reads_its_source_at_the_call(sim):
    p, h, s = device(), pinned(value=1), stream()
    plain = np.full(N, 3, np.uint8)
    must(C.aclrtMemcpyAsync(p, N, h, N, BUFFERED, s))
    must(C.aclrtFreeHost(h))
    must(C.aclrtSynchronizeStream(s))
    assert shown(sim, p) == b"\1" * N
    must(C.aclrtMemcpyAsync(p, N, plain.ctypes.data, N, BUFFERED, s))
    plain[:] = 4
    must(C.aclrtSynchronizeStream(s))
    assert shown(sim, p) == b"\3" * N
    assert C.aclrtMemcpyAsync(plain.ctypes.data, N, p, N, BUFFERED, s) == 107000
    assert C.aclrtMemcpyAsync(p, N, device(), N, BUFFERED, s) == 107000
    assert not list(sim.findings)


def test_pageable_memory_makes_the_call_wait_for_the_stream(sim):
    p, s = device(), stream()
    out = np.zeros(N, np.uint8)
    must(C.aclrtMemsetAsync(p, N, 5, N, s))
    must(C.aclrtMemcpyAsync(out.ctypes.data, N, p, N, D2H, s))
    assert (out == 5).all()
    assert must(C.aclrtStreamQuery(s)) == 0
    assert not list(sim.findings)


def test_the_pageable_path_accepts_a_stream_of_another_context(sim):
    p, s = device(), stream()
    out = np.zeros(N, np.uint8)
    must(C.aclrtMemsetAsync(p, N, 5, N, s))
    other = must(C.aclrtCreateContext(0))
    must(C.aclrtMemcpyAsync(out.ctypes.data, N, p, N, D2H, s))
    assert (out == 5).all()
    must(C.aclrtMemcpy2dAsync(out.ctypes.data, 64, p, 64, 64, 64, D2H, s))
    assert C.aclrtMemcpyAsync(pinned(), N, p, N, D2H, s) == 107003
    must(C.aclrtDestroyContext(other))


def test_the_pageable_path_returns_the_failure_of_an_earlier_task(sim):
    p, s = device(), stream()
    out = np.zeros(N, np.uint8)
    flag = must(C.aclrtCreateEventWithFlag(1))
    must(C.aclrtStreamWaitEventWithTimeout(s, flag, 1))  # nobody records it: the task fails after a second
    assert C.aclrtMemcpyAsync(out.ctypes.data, N, p, N, D2H, s) == 107020
    must(C.aclrtMemcpyAsync(out.ctypes.data, N, p, N, D2H, s))


def test_bad_ranges_of_asynchronous_copies(sim):
    p, h, s = must(C.aclrtMallocAlign32(N, 0)), pinned(2 * N), stream()
    assert C.aclrtMemcpyAsync(p, 2 * N, h, N + 1, H2D, s) == 107000
    assert C.aclrtMemcpyAsync(h + N, 2 * N, p, N + 1, D2H, s) == 107000
    assert C.aclrtMemcpyAsync(p, N, 0x1234, N, H2D, s) == 107000  # pageable, but not mapped
    must(C.aclrtSynchronizeStream(s))


def test_conditional_copies_need_a_driver_that_can_tell():
    with Simulator(switches={"pinned_detection": "no"}):
        must(C.aclrtSetDevice(0))
        p, h = device(), pinned()
        plain = np.zeros(N, np.uint8)
        assert C.aclrtMemcpyAsyncWithCondition(p, N, h, N, H2D, None) == 207000
        must(C.aclrtMemcpyAsync(p, N, plain.ctypes.data, N, H2D, None))  # no table, no waiting
        assert must(C.aclrtStreamQuery(None)) == 1
        assert C.aclrtMemcpyAsync(h, N, h + 8, 8, H2H, None) == 207000
        must(C.aclrtSynchronizeDevice())
    with Simulator():
        must(C.aclrtSetDevice(0))
        must(C.aclrtMemcpyAsyncWithCondition(device(), N, pinned(), N, H2D, None))


def test_old_behaviour_of_host_copies_is_switches():
    with Simulator(switches={"host_to_host_async": "queued", "pageable_async_copy": "queued"}) as sim:
        must(C.aclrtSetDevice(0))
        h, g, p = pinned(value=4), pinned(), device()
        plain = np.full(N, 6, np.uint8)
        must(C.aclrtMemcpyAsync(g, N, h, N, H2H, None))
        must(C.aclrtMemcpyAsync(p, N, plain.ctypes.data, N, H2D, None))
        assert must(C.aclrtStreamQuery(None)) == 1
        must(C.aclrtSynchronizeDevice())
        assert ctypes.string_at(g, N) == b"\4" * N and shown(sim, p) == b"\6" * N


# -- memory that goes away ---------------------------------------------------------------------------------------------


def kinds(sim):
    return [found.kind for found in sim.findings]


def test_a_device_block_freed_before_its_copy_ran(sim):
    p, q, s = device(), device(), stream()
    must(C.aclrtMemset(p, N, 1, N))
    must(C.aclrtMemcpyAsync(q, N, p, N, D2D, s))
    must(C.aclrtFree(p))
    assert C.aclrtSynchronizeStream(s) == 0
    (found,) = sim.findings
    assert found.kind == "use-after-free"
    assert found.title == "`p` was freed while a copy on stream `s` was queued, which reads it"
    assert [site.role for site in found.sites] == ["free", "access", "alloc"]
    assert all("test_copy.py" in site.frames[0].file for site in found.sites)
    assert shown(sim, q) == b"\xfd" * N


def test_a_destination_freed_before_the_copy_ran(sim):
    p, q, s = device(), device(), stream()
    must(C.aclrtMemcpyAsync(q, N, p, N, D2D, s))
    must(C.aclrtMemsetAsync(q, N, 1, N, s))
    must(C.aclrtFree(q))
    assert C.aclrtSynchronizeStream(s) == 0
    assert kinds(sim) == ["use-after-free"] * 2


def test_a_pinned_block_freed_before_its_copy_ran_keeps_its_bytes(sim):
    p, h, s = device(), pinned(value=8), stream()
    release = held(s)
    must(C.aclrtMemcpyAsync(p, N, h, N, H2D, s))
    must(C.aclrtFreeHost(h))
    for _ in range(80):
        must(C.aclrtFreeHost(must(C.aclrtMallocHost(1 << 20))))  # the quarantine overflows
    release()
    assert C.aclrtSynchronizeStream(s) == 0
    assert shown(sim, p) == b"\x08" * N
    assert kinds(sim) == ["use-after-free"]


def test_a_block_that_was_forgotten_before_its_copy_ran(sim):
    p, q, s = device(), device(), stream()
    must(C.aclrtMemcpyAsync(q, N, p, N, D2D, s))
    must(C.aclrtMemcpyAsync(p, N, q, N, D2D, s))
    must(C.aclrtFree(p))
    sim.memory.arena(0).forget_freed()
    assert C.aclrtSynchronizeStream(s) == 0
    assert shown(sim, q) == b"\xfd" * N
    assert kinds(sim) == ["use-after-free"] * 2


def test_under_address_reuse_a_late_copy_hits_the_new_owner():
    with Simulator(reuse="lifo") as sim:
        must(C.aclrtSetDevice(0))
        p, h, s = device(), pinned(value=9), stream()
        must(C.aclrtMemcpyAsync(p, N, h, N, H2D, s))
        must(C.aclrtFree(p))
        q = device()
        assert q == p
        must(C.aclrtMemset(q, N, 1, N))
        must(C.aclrtSynchronizeStream(s))
        assert shown(sim, q) == b"\x09" * N
        assert kinds(sim) == ["use-after-free"]


def test_a_range_unregistered_and_unmapped_before_its_copy_ran(sim):
    import mmap

    mapping = mmap.mmap(-1, 2 * N)
    array = np.frombuffer(mapping, np.uint8)
    address = array.__array_interface__["data"][0]
    must(C.aclrtHostRegister(address, N, 0))
    p, s = device(), stream()
    must(C.aclrtMemcpyAsync(p, N, address, N, H2D, s))
    must(C.aclrtHostUnregister(address))
    must(C.aclrtSynchronizeStream(s))
    assert kinds(sim) == ["use-after-free"]
    must(C.aclrtHostRegister(address, N, 0))
    must(C.aclrtMemcpyAsync(p, N, address, N, H2D, s))
    del array
    mapping.close()
    assert C.aclrtSynchronizeStream(s) == 507899  # a fault of the task, no crash
    assert C.aclrtSynchronizeStream(s) == 0


def test_a_corrected_program_is_silent(sim):
    p, q, h, s = device(), device(), pinned(value=1), stream()
    must(C.aclrtMemcpyAsync(p, N, h, N, H2D, s))
    must(C.aclrtMemcpyAsync(q, N, p, N, D2D, s))
    must(C.aclrtSynchronizeStream(s))
    for free, address in ((C.aclrtFree, p), (C.aclrtFree, q), (C.aclrtFreeHost, h)):
        must(free(address))
    assert not list(sim.findings)


def test_a_dead_python_owner_is_reported_by_copies_that_act_at_once(sim):
    p = device()

    def address_of(array):
        keepalive(array, array.ctypes.data)
        return array.ctypes.data

    must(C.aclrtMemcpy(p, N, address_of(np.zeros(N, np.uint8)), N, H2D))
    assert kinds(sim) == ["dead-host-buffer"]
    alive = np.zeros(N, np.uint8)
    must(C.aclrtMemcpy(p, N, address_of(alive), N, H2D))
    must(C.aclrtMemcpyAsync(p, N, address_of(alive), N, H2D, None))
    assert len(kinds(sim)) == 1


# -- sets --------------------------------------------------------------------------------------------------------------


def test_memset(sim):
    p = device()
    must(C.aclrtMemset(p, N, 0x1FE, N))  # the low byte counts
    assert shown(sim, p) == b"\xfe" * N
    must(C.aclrtMemset(p + 10, N, -1, 5))
    assert shown(sim, p, 20) == b"\xfe" * 10 + b"\xff" * 5 + b"\xfe" * 5
    assert C.aclrtMemset(None, N, 1, N) == 100000
    assert C.aclrtMemset(p, N - 1, 1, N) == 107000
    assert C.aclrtMemset(p, 0, 1, 1) == 107000
    assert C.aclrtMemset(p, 1 << 40, 1, 1 << 40) == 107000
    assert C.aclrtMemset(0x1234, N, 1, N) == 107000
    h, plain = pinned(), np.zeros(N, np.uint8)
    must(C.aclrtMemset(h, N, 3, N))
    must(C.aclrtMemset(plain.ctypes.data, N, 4, N))
    assert ctypes.string_at(h, N) == b"\3" * N and (plain == 4).all()


def test_memset_async_is_queued_on_device_memory_only(sim):
    p, h, s = device(), pinned(), stream()
    plain = np.zeros(N, np.uint8)
    must(C.aclrtMemset(p, N, 1, N))
    release = held(s)
    for address in (p, h, plain.ctypes.data):
        must(C.aclrtMemsetAsync(address, N, 2, N, s))
    assert shown(sim, p) == b"\1" * N
    assert ctypes.string_at(h, N) == b"\2" * N and (plain == 2).all()  # before the earlier wait of the stream
    release()
    must(C.aclrtSynchronizeStream(s))
    assert shown(sim, p) == b"\2" * N


def test_memset_async_errors(sim):
    p, s, freed = device(), stream(), device()
    must(C.aclrtFree(freed))
    assert C.aclrtMemsetAsync(None, N, 1, N, s) == 100000
    assert C.aclrtMemsetAsync(p, N - 1, 1, N, s) == 107000
    assert C.aclrtMemsetAsync(freed, N, 1, N, s) == 507899
    assert C.aclrtMemsetAsync(p, 1 << 30, 1, 1 << 30, s) == 107000
    other = must(C.aclrtCreateContext(0))
    assert C.aclrtMemsetAsync(freed, N, 1, N, s) == 107003
    must(C.aclrtDestroyContext(other))


@pytest.mark.parametrize("asynchronous", [False, True])
def test_memset_d32(sim, asynchronous):
    def call(*arguments):
        ret = C.aclrtMemsetD32Async(*arguments, None) if asynchronous else C.aclrtMemsetD32(*arguments)
        must(C.aclrtSynchronizeDevice())
        return ret

    p, h, m = device(), pinned(), must(C.aclrtMemAllocManaged(N, 1))
    freed = device()
    must(C.aclrtFree(freed))
    plain = np.zeros(N, np.uint8)
    for address in (p, h):
        assert call(address, 16, 0xDEADBEEF, 4) == 0
        assert (sim.memory.view(address, 16).view(np.uint32) == 0xDEADBEEF).all()
    assert call(None, 16, 1, 4) == 100000
    assert call(p + 1, 16, 1, 4) == 100000
    assert call(p, 15, 1, 4) == 100000
    assert call(p, 16, 1, 1 << 40) == 100000
    assert call(plain.ctypes.data, 16, 1, 4) == 100000
    assert call(m, 16, 1, 4) == 100000
    assert call(freed, 16, 1, 4) == 507899
    assert call(p, 16, 1, (1 << 62) + 1) == 107000  # 4*N wraps: not noticed by the acl layer


def test_products_without_32_bit_sets_say_0_and_set_nothing():
    with Simulator("Ascend310P3") as sim:
        must(C.aclrtSetDevice(0))
        p = device()
        must(C.aclrtMemset(p, N, 1, N))
        assert C.aclrtMemsetD32(p, 16, 5, 4) == C.aclrtMemsetD32Async(p, 16, 5, 4, None) == 0
        must(C.aclrtSynchronizeDevice())
        assert shown(sim, p) == b"\1" * N


# -- rows --------------------------------------------------------------------------------------------------------------


def test_rows_to_and_from_the_device(sim):
    source = np.arange(6 * 10, dtype=np.uint8).reshape(6, 10)
    p = device()
    must(C.aclrtMemset(p, N, 99, N))
    must(C.aclrtMemcpy2d(p, 16, source.ctypes.data, 10, 8, 6, H2D))
    got = np.frombuffer(shown(sim, p, 96), np.uint8).reshape(6, 16)
    assert (got[:, :8] == source[:, :8]).all() and (got[:, 8:] == 99).all()
    back = np.zeros((6, 12), np.uint8)
    must(C.aclrtMemcpy2d(back.ctypes.data, 12, p, 16, 8, 6, DEFAULT))
    assert (back[:, :8] == source[:, :8]).all() and not back[:, 8:].any()


def test_the_last_row_needs_its_width_only(sim):
    p, h = must(C.aclrtMallocAlign32(3 * 64, 0)), pinned()
    must(C.aclrtMemcpy2d(p, 80, h, 64, 32, 3, H2D))  # 2 * 80 + 32 = 192
    assert C.aclrtMemcpy2d(p, 81, h, 64, 32, 3, H2D) == 107000


@pytest.mark.parametrize("asynchronous", [False, True])
def test_row_errors(sim, asynchronous):
    def call(*arguments):
        return C.aclrtMemcpy2dAsync(*arguments, None) if asynchronous else C.aclrtMemcpy2d(*arguments)

    p, q, h = device(), device(), pinned()
    assert call(None, 8, h, 8, 8, 8, H2D) == call(p, 8, None, 8, 8, 8, H2D) == 100000
    assert call(p, 7, h, 8, 8, 8, H2D) == call(p, 8, h, 7, 8, 8, H2D) == 100000
    for kind in (H2H, BUFFERED, 6, 99):
        assert call(p, 8, h, 8, 8, 8, kind) == 100000
    assert call(p, 1 << 40, h, 1 << 40, 5_000_001, 1, H2D) == 107000
    assert call(p, 8, h, 8, 8, 5 * 1024 * 1024 + 1, H2D) == 107000
    assert call(p, 1 << 30, h, 64, 64, 3, H2D) == 107000
    assert call(p, 64, q, 64, 64, 8, D2D) == (0 if asynchronous else 207000)


def test_rows_in_stream_order(sim):
    p, h, s = device(), pinned(), stream()
    rows = np.arange(64, dtype=np.uint8).reshape(8, 8)
    ctypes.memmove(h, rows.ctypes.data, 64)
    must(C.aclrtMemset(p, N, 0, N))
    release = held(s)
    must(C.aclrtMemcpy2dAsync(p, 32, h, 8, 8, 8, H2D, s))
    assert shown(sim, p, 8) == bytes(8)
    release()
    must(C.aclrtSynchronizeStream(s))
    assert (np.frombuffer(shown(sim, p, 256), np.uint8).reshape(8, 32)[:, :8] == rows).all()


def test_device_rows_only_on_newer_chips():
    with Simulator("Ascend310P3"):
        must(C.aclrtSetDevice(0))
        assert C.aclrtMemcpy2dAsync(device(), 8, device(), 8, 8, 8, D2D, None) == 207000


def test_rows_between_two_hosts_or_two_devices(sim):
    p, q, h = device(), device(), pinned()
    assert C.aclrtMemcpy2d(p, 8, q, 8, 8, 8, DEFAULT) == 207000
    assert C.aclrtMemcpy2d(h, 8, h + 512, 8, 8, 8, DEFAULT) == 107000


# -- descriptors -------------------------------------------------------------------------------------------------------


def test_copy_descriptors(sim):
    inner = 6
    size = must(C.aclrtGetMemcpyDescSize(inner))
    d, p, q, s = device(size), device(), device(), stream()
    must(C.aclrtMemset(p, N, 7, N))
    must(C.aclrtSetMemcpyDesc(d, inner, p, q, N, None))
    must(C.aclrtMemcpyAsyncWithDesc(d, inner, s))
    must(C.aclrtSynchronizeStream(s))
    assert shown(sim, q) == b"\7" * N
    for arguments in ((0, inner, p, q, N, 0), (d, inner, 0, q, N, 0), (d, inner, p, 0, N, 0), (d, inner, p, q, 0, 0)):
        assert C.aclrtSetMemcpyDesc(*arguments) == 100000
    assert C.aclrtSetMemcpyDesc(d, inner, p, q, N, 1) == 100000
    assert C.aclrtSetMemcpyDesc(d, D2D, p, q, N, 0) == 207000
    assert C.aclrtSetMemcpyDesc(d + 8, inner, p, q, N, 0) == 107000
    assert C.aclrtSetMemcpyDesc(pinned(), inner, p, q, N, 0) == 107000
    assert C.aclrtSetMemcpyDesc(d, inner, p, q, (4 << 30) + 1, 0) == 107000
    assert C.aclrtMemcpyAsyncWithDesc(0, inner, s) == C.aclrtMemcpyAsyncWithDesc(d, inner, 0) == 100000
    assert C.aclrtGetMemcpyDescSize(8)[1] == 100000
    assert C.aclrtGetMemcpyDescSize(H2D)[1] == 207000


# -- batches -----------------------------------------------------------------------------------------------------------


def attribute(to, source, to_id=0, source_id=0):
    made = C.aclrtMemcpyBatchAttr()
    made.dstLoc.type, made.dstLoc.id = to, to_id
    made.srcLoc.type, made.srcLoc.id = source, source_id
    return made


HOST, DEVICE = 0, 1


def batch(name, dsts, rooms, srcs, sizes, count, attrs, indexes, num):
    rest = (None,) if "Async" in name else ()
    return getattr(C, name)(dsts, rooms, srcs, sizes, count, attrs, indexes, num, *rest)


@pytest.mark.parametrize("form", ["", "V2", "Async", "AsyncV2"])
def test_batches(sim, form):
    name = f"aclrtMemcpyBatch{form}"

    def code(result):
        return result if isinstance(result, int) else result[1]

    def index(result):
        return None if isinstance(result, int) else result[0]

    p, q, h, g = device(), device(), pinned(value=1), pinned(value=2)
    down = [attribute(DEVICE, HOST)]
    result = batch(name, [p, q], [N, N], [h, g], [N, N], 2, down, [0], 1)
    assert code(result) == 0 and index(result) in (None, SIZE_MAX)
    must(C.aclrtSynchronizeDevice())
    assert shown(sim, p) == b"\1" * N and shown(sim, q) == b"\2" * N
    zeros = batch(name, None, None, None, [0, 0], 2, None, None, 0)
    assert code(zeros) == 0 and index(zeros) in (None, SIZE_MAX)
    good = ([p, q], [N, N], [h, g], [N, N], 2, down, [0], 1)
    for position in (0, 1, 2, 3, 5, 6):
        bad = list(good)
        bad[position] = None
        assert code(batch(name, *bad)) == 100000
    assert code(batch(name, *good[:4], 0, *good[5:])) == 100000
    assert code(batch(name, [p, q], [N, N - 1], [h, g], [N, N], 2, down, [0], 1)) == 100000
    reserved = attribute(DEVICE, HOST)
    reserved.rsv[3] = 1
    assert code(batch(name, *good[:5], [reserved], [0], 1)) == 100000
    two = [attribute(DEVICE, HOST), attribute(DEVICE, HOST)]
    badly_indexed = ((down, [0], 0), (two * 2, [0, 1, 2], 3), (down, [1], 1), (two, [0, 0], 2), (two, [0, 2], 2))
    for attrs, indexes, num in badly_indexed:
        assert code(batch(name, *good[:5], attrs, indexes, num)) == 107000
    wrong = batch(name, *good[:5], [attribute(DEVICE, HOST), attribute(HOST, DEVICE)], [0, 1], 2)
    assert code(wrong) == 107000 and index(wrong) in (None, 1)
    other_device = batch(name, *good[:5], [attribute(DEVICE, HOST, to_id=1)], [0], 1)
    assert code(other_device) == 107000 and index(other_device) in (None, 0)
    both_ways = [attribute(DEVICE, HOST), attribute(HOST, DEVICE)]
    mixed = batch(name, [p, g], [N, N], [h, q], [N, N], 2, both_ways, [0, 1], 2)
    assert code(mixed) == 107000 and index(mixed) in (None, 1)
    must(C.aclrtSynchronizeDevice())


def test_an_element_of_size_0_is_skipped_at_once_and_refused_when_queued(sim):
    p, h = device(), pinned(value=3)
    arguments = ([p, p], [N, N], [h, h], [0, N], 2, [attribute(DEVICE, HOST)], [0], 1)
    assert C.aclrtMemcpyBatch(*arguments) == (SIZE_MAX, 0)
    assert shown(sim, p) == b"\3" * N
    assert C.aclrtMemcpyBatchAsync(*arguments, None) == (0, 107000)


def test_elements_before_one_of_size_0_are_queued(sim):
    p, h = device(4 * N), pinned(value=3)
    lists = ([p, p + N, p + 2 * N, p + 3 * N], [N] * 4, [h] * 4, [N, N, 0, N])
    assert C.aclrtMemcpyBatchAsync(*lists, 4, [attribute(DEVICE, HOST)], [0], 1, None) == (2, 107000)
    must(C.aclrtSynchronizeDevice())
    assert shown(sim, p, 2 * N) == b"\3" * 2 * N and shown(sim, p + 2 * N, 2 * N) == b"\xff" * 2 * N


def test_only_a_batch_at_once_has_a_most_of_elements(sim):
    p, h, many = device(64), pinned(value=3), 4097
    arguments = ([p] * many, [64] * many, [h] * many, [64] * many, many, [attribute(DEVICE, HOST)], [0], 1)
    assert C.aclrtMemcpyBatch(*arguments) == (SIZE_MAX, 107000)
    assert C.aclrtMemcpyBatchAsync(*arguments, None) == (SIZE_MAX, 0)


def test_a_batch_at_once_copies_nothing_when_an_element_is_bad(sim):
    p, h, freed = device(), pinned(value=4), device()
    must(C.aclrtFree(freed))
    arguments = ([p, freed], [N, N], [h, h], [N, N], 2, [attribute(DEVICE, HOST)], [0], 1)
    assert C.aclrtMemcpyBatch(*arguments) == (1, 507899)
    assert shown(sim, p) == b"\xff" * N


def test_elements_before_a_bad_one_are_queued(sim):
    p, h = device(), pinned(value=4)
    freed = device()
    must(C.aclrtFree(freed))
    arguments = ([p, freed], [N, N], [h, h], [N, N], 2, [attribute(DEVICE, HOST)], [0], 1)
    assert C.aclrtMemcpyBatchAsync(*arguments, None) == (1, 507899)
    must(C.aclrtSynchronizeDevice())
    assert shown(sim, p) == b"\4" * N


def test_pageable_elements_make_a_batch_wait(sim):
    p, s = device(), stream()
    out = np.zeros(N, np.uint8)
    must(C.aclrtMemsetAsync(p, N, 5, N, s))
    arguments = ([out.ctypes.data], [N], [p], [N], 1, [attribute(HOST, DEVICE)], [0], 1)
    must(C.aclrtMemcpyBatchAsync(*arguments, s))
    assert (out == 5).all()


def test_a_batch_may_be_given_by_addresses(sim):
    p, h = device(), pinned(value=6)
    lists = [(ctypes.c_uint64 * 1)(value) for value in (p, N, h, N, 0)]
    words = (ctypes.c_uint32 * 8)(0, DEVICE, 0, HOST)
    dsts, rooms, srcs, sizes, indexes = (ctypes.addressof(values) for values in lists)
    must(C.aclrtMemcpyBatchV2(dsts, rooms, srcs, sizes, 1, ctypes.addressof(words), indexes, 1))
    assert shown(sim, p) == b"\6" * N
    words[7] = 1
    assert C.aclrtMemcpyBatchV2(dsts, rooms, srcs, sizes, 1, ctypes.addressof(words), indexes, 1) == 100000


def test_products_without_batches():
    with Simulator("Ascend310P3"):
        must(C.aclrtSetDevice(0))
        arguments = ([device()], [N], [pinned()], [N], 1, [attribute(DEVICE, HOST)], [0], 1)
        assert C.aclrtMemcpyBatch(*arguments)[1] == 207000


def test_a_copy_never_leaves_a_python_object(sim):
    p = device(2 * N)
    out, text = np.zeros(100, np.uint8), bytes(100)
    assert C.aclrtMemcpy(out, 2 * N, p, 101, D2H) == 107000
    assert "101 bytes from byte 0 of an ndarray of 100 bytes" in C.aclGetRecentErrMsg()
    assert C.aclrtMemcpy(p, 2 * N, text, 101, H2D) == 107000
    assert C.aclrtMemset(out, N, 1, N) == 107000
    assert C.aclrtMemcpyAsync(out, N, p, N, D2H, None) == 107000
    assert kinds(sim) == ["out-of-bounds"] * 4
    must(C.aclrtMemcpy(out[:10], 100, p, 100, D2H))  # the view is smaller, its owner is not


def test_a_copy_never_leaves_a_ctypes_object(sim):
    p = device(N)
    out = ctypes.pointer(ctypes.c_int(5))
    assert C.aclrtMemcpy(out, N, p, N, D2H) == 107000
    assert f"{N} bytes from byte 0 of a LP_c_int of 8 bytes" in C.aclGetRecentErrMsg()
    assert C.aclrtMemcpyAsync(out, N, p, N, D2H, None) == 107000
    assert kinds(sim) == ["out-of-bounds"] * 2


def test_the_buffer_of_a_queued_copy_lives_however_many_others_come():
    """The queue of kept objects is bounded, but a task that is still to come holds what it needs."""
    with Simulator(switches={"pinned_detection": "no"}):
        must(C.aclrtSetDevice(0))
        stream = must(C.aclrtCreateStream())
        p, out = device(N), np.zeros(N, np.uint8)
        must(C.aclrtMemset(p, N, 7, N))
        held = weakref.ref(out)
        must(C.aclrtMemcpyAsync(out, N, p, N, D2H, stream))
        del out
        for _ in range(KEPT_OBJECTS + 10):
            other = np.zeros(8, np.uint8)
            keepalive(other, other.ctypes.data)
        view = held()
        assert view is not None, "the memory is gone, and the copy still to come"
        assert not view.any()
        must(C.aclrtSynchronizeStream(stream))
        assert view[0] == 7


OVERLAPS = {
    "two write": ([0, 32], [0, 64], 64, True),
    "neighbours": ([0, 64], [0, 64], 64, False),
    "two read": ([0, 64], [0, 0], 64, False),
    "inside a longer one": ([0, 16], [64, 256], 48, True),
}


@pytest.mark.parametrize("queued", [False, True])
@pytest.mark.parametrize("name", OVERLAPS)
def test_elements_of_a_batch_are_in_no_order(name: str, queued: bool) -> None:
    to, source, nbytes, races = OVERLAPS[name]
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        d, h = device(), must(C.aclrtMallocHost(N))
        lists = [d + at for at in to], [nbytes] * 2, [h + at for at in source], [nbytes] * 2
        arguments = (*lists, 2, [attribute(DEVICE, HOST)], [0], 1)
        if queued:
            assert C.aclrtMemcpyBatchAsync(*arguments, None) == (SIZE_MAX, 0)
            must(C.aclrtSynchronizeStream(None))
        else:
            assert C.aclrtMemcpyBatch(*arguments) == (SIZE_MAX, 0)
        assert [f.kind for f in sim.findings] == ["race"] * races
        if races:
            assert sim.findings[0].title.startswith("elements 0 and 1 of one aclrtMemcpyBatch")
