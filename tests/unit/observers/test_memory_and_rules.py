"""The memory and the rules checker: what they find, where, and that they are silent otherwise."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.observers.memory.init_shadow import WrittenBytes
from tests.kit.calls import must, simulator

H2D, D2H, D2D = 1, 2, 3


@kernel
def double(b: Block, to: gm.Out[np.uint8], x: gm.In[np.uint8], n: np.uint32) -> None:
    s = b.slice(n)
    to[s] = x[s] + x[s]


@kernel
def fails(b: Block, to: gm.Out[np.uint8]) -> None:
    raise ValueError("on purpose")


sim = simulator(checks="memory,rules")


def found(sim: Simulator, *kinds: str) -> list[Any]:
    """What was found, leaks left out."""
    return [f for f in sim.findings if f.kind != "leak" and (not kinds or f.kind in kinds)]


@pytest.mark.parametrize("seed", range(100))
def test_written_bytes_against_a_set(seed: int) -> None:
    rng = random.Random(seed)
    spans, right = WrittenBytes(40), set[int]()
    for _ in range(30):
        lo = rng.randrange(40)
        hi = rng.randrange(lo, 40) + 1
        what = rng.choice(("add", "add", "remove", "ask"))
        if what == "add":
            spans.add(lo, hi)
            right |= set(range(lo, hi))
        elif what == "remove":
            spans.remove(lo, hi)
            right -= set(range(lo, hi))
        missing = [i for a, b in spans.missing(lo, hi) for i in range(a, b)]
        assert missing == [i for i in range(lo, hi) if i not in right]
        assert spans.covers(lo, hi) == (not missing)
        assert spans.full() == (len(right) == 40)


def test_a_kernel_reads_what_nobody_wrote(sim: Simulator) -> None:
    s, x, z = must(C.aclrtCreateStream()), must(C.aclrtMalloc(64, 0)), must(C.aclrtMalloc(64, 0))
    must(C.aclrtMemset(x, 64, 0, 32))
    double[2, s](z, x, 64)
    must(C.aclrtSynchronizeStream(s))
    (finding,) = found(sim)
    assert (finding.kind, finding.severity) == ("uninitialised-read", "error")
    assert "kernel `double` reads 32 bytes of `x`" in finding.title
    assert [(r.lo, r.hi) for r in finding.bytes.ranges] == [(32, 64)]
    assert [site.role for site in finding.sites] == ["access", "other", "alloc"]


def test_a_copy_on_the_device_hands_the_state_on(sim: Simulator) -> None:
    a, b, c = (must(C.aclrtMalloc(64, 0)) for _ in range(3))
    out = np.zeros(64, np.uint8)
    must(C.aclrtMemset(a, 64, 1, 16))
    must(C.aclrtMemset(c, 64, 1, 64))
    must(C.aclrtMemcpy(b, 64, a, 64, D2D))
    must(C.aclrtMemcpy(c, 64, b, 64, D2D))
    assert not found(sim)
    must(C.aclrtMemcpy(out.ctypes.data, 64, c, 16, D2H))
    assert not found(sim)
    must(C.aclrtMemcpy(out.ctypes.data, 64, c, 64, D2H))
    (finding,) = found(sim)
    assert finding.severity == "warning" and "48 bytes of `a`" in finding.title.replace("`b`", "`a`").replace(
        "`c`", "`a`"
    )


def test_what_a_failed_kernel_should_have_written_is_not_asked_about(sim: Simulator) -> None:
    s, z, out = must(C.aclrtCreateStream()), must(C.aclrtMalloc(64, 0)), np.zeros(64, np.uint8)
    fails[1, s](z)
    assert C.aclrtSynchronizeStream(s) != 0
    must(C.aclrtMemcpy(out.ctypes.data, 64, z, 64, D2H))
    assert [f.kind for f in found(sim)] == ["kernel-exception"]


def test_page_locked_memory_is_written_in_ways_that_nobody_sees(sim: Simulator) -> None:
    s, h, d = must(C.aclrtCreateStream()), must(C.aclrtMallocHost(64)), must(C.aclrtMalloc(64, 0))
    must(C.aclrtMemcpyAsync(d, 64, h, 64, H2D, s))
    must(C.aclrtSynchronizeStream(s))
    assert not found(sim)


def test_pitched_copies_write_their_rows_only(sim: Simulator) -> None:
    d, host = must(C.aclrtMalloc(64 * 8, 0)), np.zeros((8, 16), np.uint8)
    must(C.aclrtMemcpy2d(d, 64, host.ctypes.data, 16, 16, 8, H2D))
    must(C.aclrtMemcpy2d(host.ctypes.data, 16, d, 64, 16, 8, D2H))
    assert not found(sim)
    must(C.aclrtMemcpy2d(host.ctypes.data, 16, d + 16, 64, 16, 8, D2H))
    assert [f.kind for f in found(sim)] == ["uninitialised-read"]


def test_waits_that_do_nothing(sim: Simulator) -> None:
    s = must(C.aclrtCreateStream())
    e = must(C.aclrtCreateEventExWithFlag(1))
    must(C.aclrtStreamWaitEvent(s, e))
    must(C.aclrtRecordEvent(e, s))
    must(C.aclrtStreamWaitEvent(s, e))
    assert [(f.kind, f.severity) for f in found(sim)] == [("unrecorded-wait", "warning"), ("self-wait", "note")]
    must(C.aclrtSynchronizeStream(s))


@pytest.mark.parametrize("through", [0, 1])
@pytest.mark.parametrize("hands_over", [True, False])
def test_the_first_round_of_a_loop_that_hands_a_buffer_back(sim: Simulator, hands_over: bool, through: int) -> None:
    """The record that frees the buffer comes after what the wait let through: it cannot come before."""
    streams = [must(C.aclrtCreateStream()) for _ in range(2 + through)]
    free, ready = must(C.aclrtCreateEventExWithFlag(1)), must(C.aclrtCreateEventExWithFlag(1))
    for _ in range(2):
        must(C.aclrtStreamWaitEvent(streams[0], free))
        for first, then in pairwise(streams):
            if hands_over:
                must(C.aclrtRecordEvent(ready, first))
                must(C.aclrtStreamWaitEvent(then, ready))
        must(C.aclrtRecordEvent(free, streams[-1]))
    assert [f.kind for f in found(sim)] == ([] if hands_over else ["unrecorded-wait"])


def test_an_event_that_is_never_recorded_is_told_at_the_end(sim: Simulator) -> None:
    for _ in range(2):
        must(C.aclrtStreamWaitEvent(must(C.aclrtCreateStream()), must(C.aclrtCreateEventExWithFlag(1))))
    assert not found(sim)
    sim.close()
    assert [f.kind for f in found(sim)] == ["unrecorded-wait"]
    assert len(found(sim)[0].followers) <= 1


@pytest.mark.parametrize("limit", [None, 10])
@pytest.mark.parametrize("make", [C.aclrtCreateEvent, lambda: C.aclrtCreateEventExWithFlag(1)])
def test_the_host_waits_for_an_event_that_was_never_recorded(sim: Simulator, make: Any, limit: int | None) -> None:
    e = must(make())
    must(C.aclrtSynchronizeEvent(e) if limit is None else C.aclrtSynchronizeEventWithTimeout(e, limit))
    assert [(f.kind, f.severity) for f in found(sim)] == [("unrecorded-wait", "warning")]
    assert "`e`, which was never recorded: the call returns at once" in found(sim)[0].title
    must(C.aclrtRecordEvent(e, None))
    must(C.aclrtSynchronizeEvent(e))
    assert len(found(sim)) == 1


@pytest.mark.parametrize("what", ["streams", "notifies"])
def test_a_limit_that_comes_close(what: str) -> None:
    with Simulator(checks="rules", limits={what: 20}) as sim:
        assert C.aclrtSetDevice(0) == 0
        for _ in range(18):
            must(C.aclrtCreateStream() if what == "streams" else C.aclrtCreateNotify(0))
        (finding,) = [f for f in sim.findings if f.kind == "limit-close"]
        assert f"of 20 {what}" in finding.title and "made at" in finding.notes[0]


def test_leaks_are_told_once_by_the_lines_that_made_them() -> None:
    with Simulator(checks="memory") as sim:
        must(C.aclInit(None))
        must(C.aclrtSetDevice(0))
        for _ in range(3):
            must(C.aclrtMalloc(100, 0))
        must(C.aclrtMallocHost(50))
        must(C.aclrtCreateContext(0))
        must(C.aclFinalize())
    (finding,) = sim.findings
    assert (
        finding.title == "3 device buffers (300 bytes), 1 host buffer (50 bytes) and 1 context are alive at aclFinalize"
    )
    assert [site.text for site in finding.sites] == [
        "3 x 100 bytes on device 0", "1 x 50 bytes of host memory", "1 context",
    ]  # fmt: skip


def test_peer_access_is_asked_for() -> None:
    with Simulator(checks="memory", devices=2) as sim:
        must(C.aclrtSetDevice(0))
        a = must(C.aclrtMalloc(64, 0))
        must(C.aclrtMemset(a, 64, 0, 64))
        must(C.aclrtSetDevice(1))
        b = must(C.aclrtMalloc(64, 0))
        assert C.aclrtMemcpy(b, 64, a, 64, D2D) != 0
        assert [f.kind for f in sim.findings] == ["peer-access"]
