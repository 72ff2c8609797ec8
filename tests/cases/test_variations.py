"""More programs of the kinds of the reports: other calls, the same mistakes, each under several schedules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C

H2H, H2D, D2H, D2D = range(4)
SCHEDULES = ["virtual-time", "late", "early", "random(1)"]


@pytest.fixture(params=SCHEDULES)
def w(request: pytest.FixtureRequest, world: Any) -> Iterator[Any]:
    """One device, all checks, each schedule."""
    with Simulator(checks="all", devices=2, schedule=request.param, soc="Ascend950PR_9599") as sim:
        made = world(sim)
        made.must(C.aclrtSetDevice(0))
        yield made


def event(w: Any) -> int:
    return w.must(C.aclrtCreateEventExWithFlag(1))  # type: ignore[no-any-return]


def order(w: Any, first: int, second: int, e: int) -> None:
    w.must(C.aclrtRecordEvent(e, first))
    w.must(C.aclrtStreamWaitEvent(second, e))


both = pytest.mark.parametrize("fixed", [False, True])


# -- what is read too early holds nothing: a consequence, and no finding of its own -----------------------------------


@both
def test_a_host_read_before_the_only_write(w: Any, fixed: bool) -> None:
    s, t, p, h = w.stream(), w.stream(), w.malloc(), w.host()
    w.slow_fill[1, s](p, 1, 64)  # <write>
    w.must(C.aclrtSynchronizeStream(s if fixed else t))
    w.must(C.aclrtMemcpy(h, 64, p, 64, D2H))  # <read>
    w.must(C.aclrtSynchronizeStream(s))
    if fixed:
        w.silent()
        return
    w.expect("race", "aclrtSynchronizeStream(s)", access="read", other="write")
    assert [f.kind for f in w.findings()] == ["race"]


@both
def test_a_kernel_reads_before_the_only_write(w: Any, fixed: bool) -> None:
    s, t, p, q, e = w.stream(), w.stream(), w.malloc(), w.malloc(), event(w)
    w.slow[1, s]()
    w.must(C.aclrtMemsetAsync(p, 64, 1, 64, s))  # <write>
    if fixed:
        order(w, s, t, e)
    w.copy[1, t](q, p, 64)  # <read>
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
        return
    w.expect("race", access="read", other="write")
    assert [f.kind for f in w.findings()] == ["race"]


def test_a_read_that_comes_first_by_the_program_itself_is_told(w: Any) -> None:
    s, t, p, q, e = w.stream(), w.stream(), w.malloc(), w.malloc(), event(w)
    w.copy[1, s](q, p, 64)  # <read>
    order(w, s, t, e)
    w.must(C.aclrtMemsetAsync(p, 64, 1, 64, t))
    w.must(C.aclrtSynchronizeDevice())
    w.expect("uninitialised-read", access="read")
    assert [f.kind for f in w.findings()] == ["uninitialised-read"]


@pytest.mark.parametrize("end", ["other write", "free", "nothing"])
def test_a_read_whose_writer_does_not_write_the_bytes_is_told(w: Any, end: str) -> None:
    s, t, p, q = w.stream(), w.stream(), w.malloc(128), w.malloc()
    w.slow[1, s]()
    w.far_fill[1, s](p, 64)  # the other half
    w.copy[1, t](q, p, 64)  # <read>
    w.must(C.aclrtSynchronizeStream(t))
    w.must(C.aclrtSynchronizeStream(s))
    if end == "other write":
        w.must(C.aclrtMemset(p, 64, 1, 64))
    elif end == "free":
        w.must(C.aclrtFree(p))
    w.expect("uninitialised-read", access="read")
    assert [f.kind for f in w.findings()] == ["uninitialised-read"]


def test_a_read_whose_writer_nobody_waits_for(world: Any) -> None:
    with Simulator(checks="all", schedule="late") as sim:
        w = world(sim)
        w.must(C.aclInit(None))
        w.must(C.aclrtSetDevice(0))
        s, p, h = w.stream(), w.malloc(), w.host()
        w.slow[1, s]()
        w.must(C.aclrtMemsetAsync(p, 64, 1, 64, s))  # <write>
        w.must(C.aclrtMemcpy(h, 64, p, 64, D2H))  # <read>
        assert not w.findings()
    w.expect("uninitialised-read", "aclrtSynchronizeStream(s)", access="read", other="write")


# -- frees ------------------------------------------------------------------------------------------------------------


@both
def test_freed_by_the_host_while_a_copy_is_queued(w: Any, fixed: bool) -> None:
    s, p, h = w.stream(), w.malloc(), w.host()
    w.slow[1, s]()
    w.must(C.aclrtMemcpyAsync(p, 64, h, 64, H2D, s))  # <copy>
    if fixed:
        w.must(C.aclrtFreeHostWithDevSync(h))
        w.silent()
        return
    w.must(C.aclrtFreeHost(h))  # <free>
    w.must(C.aclrtSynchronizeStream(s))
    finding = w.expect("use-after-free", "aclrtSynchronizeStream(s)", access="copy", free="free")
    assert finding.sites[0].role == "free"


@both
def test_unregistered_while_a_copy_is_queued(w: Any, fixed: bool) -> None:
    s, d = w.stream(), w.malloc()
    room = np.zeros(8192, np.uint8)
    address = (room.ctypes.data + 4095) & ~4095
    w.must(C.aclrtHostRegisterV2(address, 4096, 2))  # <made>
    w.slow[1, s]()
    w.must(C.aclrtMemcpyAsync(d, 64, address, 64, H2D, s))  # <copy>
    if fixed:
        w.must(C.aclrtSynchronizeStream(s))
    w.must(C.aclrtHostUnregister(address))  # <free>
    C.aclrtSynchronizeStream(s)
    if fixed:
        w.silent()
        return
    w.expect("use-after-free", "unregistered", "aclrtSynchronizeStream(s)", access="copy", free="free", alloc="made")


@pytest.mark.parametrize("code", [0, 107000])
def test_page_locked_memory_given_to_the_other_free(code: int, world: Any) -> None:
    with Simulator(checks="all", switches={"free_pinned_pointer": code}) as sim:
        w = world(sim)
        w.must(C.aclrtSetDevice(0))
        h = w.host()
        assert C.aclrtFree(h) == code  # <free>
        w.expect("bad-free", "aclrtFreeHost", access="free")
        assert w.findings("bad-free")[0].severity == ("error" if code else "warning")


# -- which edge is missing --------------------------------------------------------------------------------------------


@both
def test_the_writer_waits_for_itself_and_the_reader_does_not_wait(w: Any, fixed: bool) -> None:
    s, t, p, e = w.stream(), w.stream(), w.malloc(), event(w)
    w.slow_fill[1, s](p, 1, 64)  # <write>
    w.must(C.aclrtRecordEvent(e, s))  # <record>
    w.must(C.aclrtStreamWaitEvent(t if fixed else s, e))  # <wait>
    w.must(C.aclrtMemsetAsync(p, 64, 2, 64, t))  # <again>
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
        return
    w.expect(
        "race", "did nothing: same stream", "aclrtStreamWaitEvent(t, e)",
        access="again", other="write", sync="record", wait="wait",
    )  # fmt: skip


def test_submits_of_two_threads_are_told_in_the_order_that_the_program_fixes(w: Any) -> None:
    s, t, p, q = w.stream(), w.stream(), w.malloc(64, 0), w.malloc()

    def produce() -> None:
        w.must(C.aclrtSetDevice(0))
        w.slow_fill[1, s](p, 1, 64)  # <write>

    w.in_thread(produce)
    w.copy[1, t](q, p, 64)  # <read>
    w.must(C.aclrtSynchronizeDevice())
    w.expect("race", "record on `s`", "wait on `t`", access="read", other="write")
