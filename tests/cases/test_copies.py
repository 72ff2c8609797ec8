"""CPY: copies between host and device."""

import ctypes
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C

H2D, D2H, D2D = 1, 2, 3


def test_cpy_02_pageable_memory_makes_the_copy_wait(w: Any) -> None:
    s, d, h = w.stream(), w.malloc(), np.zeros(64, np.uint8)
    w.slow_fill[1, s](d, 5, 64)
    before = w.sim.time_ns()
    assert C.aclrtMemcpyAsync(h.ctypes.data, 64, d, 64, D2H, s) == 0
    assert set(h.tolist()) == {5} and w.sim.time_ns() - before > 100_000
    w.silent()


@pytest.mark.parametrize("fix", ["", "event", "two buffers"])
def test_cpy_05_the_host_buffer_is_rewritten_too_early(w: Any, fix: str) -> None:
    s, d, e_, h = w.stream(), w.malloc(), w.malloc(), w.host(64, 1)
    done = w.must(C.aclrtCreateEvent())
    other = w.host(64)
    w.slow[1, s]()
    w.must(C.aclrtMemcpyAsync(d, 64, h, 64, H2D, s))  # <copy>
    if fix == "event":
        w.must(C.aclrtRecordEvent(done, s))
        w.must(C.aclrtSynchronizeEvent(done))
    source = other if fix == "two buffers" else h
    w.must(C.aclrtMemset(source, 64, 2, 64))  # <write>
    w.must(C.aclrtMemcpyAsync(e_, 64, source, 64, H2D, s))
    w.must(C.aclrtSynchronizeStream(s))
    if fix:
        w.silent()
        assert (w.read(d), w.read(e_)) == ([1], [2])
    else:
        w.expect("race", "`h`", "aclrtMemset", "aclrtSynchronizeStream(s)", access="write", other="copy")


def test_cpy_05_a_write_that_nobody_sees_is_noticed_by_its_bytes(w: Any) -> None:
    s, d, h = w.stream(), w.malloc(), w.host(64, 1)
    w.slow[1, s]()
    w.must(C.aclrtMemcpyAsync(d, 64, h, 64, H2D, s))  # <copy>
    ctypes.memset(h, 2, 64)
    w.must(C.aclrtSynchronizeStream(s))
    w.expect("race", "changed", access="copy")


def test_cpy_05_bytes_that_a_task_changed_are_no_secret_write(w: Any) -> None:
    s, d, h = w.stream(), w.malloc(64, 3), w.host(64, 1)
    e_ = w.malloc()
    w.must(C.aclrtMemcpyAsync(h, 64, d, 64, D2H, s))
    w.must(C.aclrtMemcpyAsync(e_, 64, h, 64, H2D, s))
    w.must(C.aclrtSynchronizeStream(s))
    w.silent()
    assert w.read(e_) == [3]


def test_cpy_05_freed_instead(w: Any) -> None:
    s, d, h = w.stream(), w.malloc(), w.host(64, 1)
    w.slow[1, s]()
    w.must(C.aclrtMemcpyAsync(d, 64, h, 64, H2D, s))  # <copy>
    w.must(C.aclrtFreeHost(h))  # <free>
    w.must(C.aclrtSynchronizeStream(s))
    w.expect("use-after-free", access="copy", free="free")


def test_cpy_07_attributes_of_pointers(w: Any) -> None:
    d, h, plain = w.malloc(), w.host(), np.zeros(64, np.uint8)
    assert C.aclrtPointerGetAttributes(d + 16)[-1] == 0
    assert C.aclrtPointerGetAttributes(h)[-1] == 0
    attributes, code = C.aclrtPointerGetAttributes(plain.ctypes.data)
    assert code != 0 or attributes.location.type not in (0, 1)
    assert C.aclrtPointerGetAttributes(None)[-1] == 100000
    w.silent()


@pytest.mark.parametrize("fixed", [False, True])
def test_cpy_08_a_synchronous_copy_follows_no_stream(w: Any, fixed: bool) -> None:
    s, d, h = w.stream(), w.malloc(64, 1), np.zeros(64, np.uint8)
    w.slow_fill[1, s](d, 9, 64)  # <fill>
    if not fixed:
        assert C.aclrtMemcpy(h.ctypes.data, 64, d, 64, D2H) == 0  # <copy>
        assert set(h.tolist()) == {1}
    w.must(C.aclrtSynchronizeStream(s))
    w.must(C.aclrtMemcpy(h.ctypes.data, 64, d, 64, D2H))
    assert set(h.tolist()) == {9}
    if fixed:
        w.silent()
    else:
        w.expect("race", "aclrtMemcpy is ordered with no stream", "`s`", access="copy", other="fill")


def test_cpy_09_peer_access_and_the_order_of_two_devices(w: Any) -> None:
    a, s0 = w.malloc(), w.stream()
    w.slow_fill[1, s0](a, 3, 64)  # <fill>
    w.must(C.aclrtSetDevice(1))
    b, s1 = w.malloc(), w.stream()
    assert C.aclrtMemcpy(b, 64, a, 64, D2D) != 0  # <refused>
    w.expect("peer-access", access="refused")
    w.must(C.aclrtDeviceEnablePeerAccess(0, 0))
    assert C.aclrtMemcpyAsync(b, 64, a, 64, D2D, s1) == 0  # <copy>
    w.must(C.aclrtSynchronizeStream(s1))
    w.must(C.aclrtSetDevice(0))
    w.must(C.aclrtSynchronizeStream(s0))
    finding = w.findings("race")[0]
    assert {s.role for s in finding.sites} >= {"access", "other"}


def test_cpy_10_the_owner_of_the_source_is_dead(w: Any) -> None:
    from ascend_sim.pyacl import modules

    acl_rt, acl_util = modules()["acl.rt"], modules()["acl.util"]
    s, d = w.stream(), w.malloc()

    def upload(array: Any) -> int:
        data = array.tobytes()
        pointer = acl_util.bytes_to_ptr(data)
        del data
        return acl_rt.memcpy_async(d, 64, pointer, 64, H2D, s)  # type: ignore[no-any-return]

    assert upload(np.ones(64, np.uint8)) == 0
    (finding,) = w.findings("dead-host-buffer")
    first = upload.__code__.co_firstlineno
    assert [(s.role, s.frames[0].line - first) for s in finding.sites] == [("access", 4), ("alloc", 2)]
