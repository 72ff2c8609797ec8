"""More programs of the kinds of the reports: other calls, the same mistakes, each under several schedules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
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


# -- kernels, operators, other copies ---------------------------------------------------------------------------------

KERNELS = """
import numpy as np
from ascend_sim import Block, gm, kernel

@kernel
def add(b: Block, x: gm.In[np.float32], y: gm.In[np.float32], z: gm.Out[np.float32]) -> None:
    b.cost(200_000)
    z[0:4] = x[0:4] + y[0:4]
"""


def add_function(w: Any, folder: Path) -> Any:
    (folder / "k.py").write_text(KERNELS)
    return w.must(C.aclrtBinaryGetFunction(w.must(C.aclrtBinaryLoadFromFile(str(folder / "k.py"), None)), "add"))


@pytest.mark.parametrize("end", ["fixed", "freed", "rewritten"])
def test_an_argument_block_in_device_memory_has_to_stay(w: Any, tmp_path: Path, end: str) -> None:
    add, s = add_function(w, tmp_path), w.stream()
    pointers = np.array([w.malloc(16, 0) for _ in range(3)], np.uint64)
    block = w.must(C.aclrtMalloc(24, 0))  # <made>
    w.must(C.aclrtMemcpy(block, 24, pointers.ctypes.data, 24, H2D))
    w.must(C.aclrtLaunchKernelV2(add, 1, block, 24, None, s))  # <launch>
    if end == "fixed":
        w.must(C.aclrtSynchronizeStream(s))
    if end == "freed":
        w.must(C.aclrtFree(block))  # <free>
    else:
        w.must(C.aclrtMemcpy(block, 24, pointers.ctypes.data, 24, H2D))  # <again>
    C.aclrtSynchronizeStream(s)
    if end == "freed":
        w.expect("use-after-free", "block", "aclrtSynchronizeStream(s)", free="free", alloc="made")
    elif end == "rewritten":
        w.expect("race", "aclrtSynchronizeStream(s)", access="again", other="launch")
    assert len(w.findings()) == (end != "fixed")


@both
def test_an_argument_block_in_host_memory_is_copied_at_the_call(w: Any, tmp_path: Path, fixed: bool) -> None:
    add, s, t, e = add_function(w, tmp_path), w.stream(), w.stream(), event(w)
    pointers = np.array([w.malloc(16, 0) for _ in range(3)], np.uint64)
    w.must(C.aclrtLaunchKernelWithHostArgs(add, 1, s, None, pointers.ctypes.data, 24, None, 0))  # <first>
    pointers[:] = pointers[::-1].copy()
    if fixed:
        order(w, s, t, e)
    w.must(C.aclrtLaunchKernelWithHostArgs(add, 1, t, None, pointers.ctypes.data, 24, None, 0))  # <second>
    pointers[:] = 0
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
    else:
        assert {(f.sites[0].role, f.kind) for f in w.findings()} == {("access", "race")}


@both
def test_what_the_host_does_after_it_let_a_value_wait_pass(w: Any, fixed: bool) -> None:
    s, flag, p, q, one = w.stream(), w.malloc(8, 0), w.malloc(64, 1), w.malloc(), np.ones(1, np.uint64)
    w.must(C.aclrtValueWait(flag, 1, 0, s))
    w.copy[1, s](q, p, 64)  # <read>
    if fixed:
        w.must(C.aclrtMemset(p, 64, 5, 64))
    w.must(C.aclrtMemcpy(flag, 8, one.ctypes.data, 8, H2D))
    if not fixed:
        w.must(C.aclrtMemset(p, 64, 5, 64))  # <write>
    w.must(C.aclrtSynchronizeStream(s))
    if fixed:
        w.silent()
        assert w.read(q) == [5]
    else:
        w.expect("race", access="write", other="read")


@both
def test_a_value_that_is_written_before_the_work(w: Any, fixed: bool) -> None:
    a, b, p, q, flag = w.stream(), w.stream(), w.malloc(), w.malloc(), w.malloc(8, 0)
    if not fixed:
        w.must(C.aclrtValueWrite(flag, 1, 0, a))
    w.slow_fill[1, a](p, 1, 64)  # <write>
    if fixed:
        w.must(C.aclrtValueWrite(flag, 1, 0, a))
    w.must(C.aclrtValueWait(flag, 1, 0, b))
    w.copy[1, b](q, p, 64)  # <read>
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
    else:
        w.expect("race", access="read", other="write")


@both
def test_a_notify_on_the_wrong_stream(w: Any, fixed: bool) -> None:
    a, b, c, p, q = w.stream(), w.stream(), w.stream(), w.malloc(), w.malloc()
    n = w.must(C.aclrtCreateNotify(0))
    w.slow_fill[1, a](p, 1, 64)  # <write>
    w.must(C.aclrtRecordNotify(n, a if fixed else c))
    w.must(C.aclrtWaitAndResetNotify(n, b, 0))
    w.copy[1, b](q, p, 64)  # <read>
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
    else:
        w.expect("race", "was recorded on `c`", access="read", other="write")


@both
def test_columns_of_a_matrix(w: Any, fixed: bool) -> None:
    s, t, p, h = w.stream(), w.stream(), w.malloc(1024, 0), w.host(1024)
    w.must(C.aclrtMemcpy2dAsync(p, 64, h, 64, 32, 16, H2D, s))  # <left>
    w.must(C.aclrtMemcpy2dAsync(p + (32 if fixed else 31), 64, h, 64, 32, 15, H2D, t))  # <right>
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
    else:
        w.expect("race", access="right", other="left")


@both
def test_one_of_two_readers_is_not_waited_for(w: Any, fixed: bool) -> None:
    s, t, u, p, q, r = w.stream(), w.stream(), w.stream(), w.malloc(64, 1), w.malloc(), w.malloc()
    first, second = event(w), event(w)
    w.copy[1, s](q, p, 64)
    w.copy[1, t](r, p, 64)  # <read>
    order(w, s, u, first)
    if fixed:
        order(w, t, u, second)
    w.fill[1, u](p, 9, 64)  # <write>
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
    else:
        w.expect("race", "`t`", "wait on `u`", access="write", other="read")


@both
def test_two_buffers_in_turns(w: Any, fixed: bool) -> None:
    up, work, out, h = w.stream(), w.stream(), w.malloc(), w.host(64, 1)
    buffers, ready, free = [w.malloc(), w.malloc()], [event(w), event(w)], [event(w), event(w)]
    for i in range(6):
        k = i % 2
        if fixed and i > 1:
            w.must(C.aclrtStreamWaitEvent(up, free[k]))
        w.must(C.aclrtMemcpyAsync(buffers[k], 64, h, 64, H2D, up))  # <up>
        order(w, up, work, ready[k])
        w.copy[1, work](out, buffers[k], 64)  # <work>
        w.must(C.aclrtRecordEvent(free[k], work))
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
        return
    found = w.findings("race")
    assert len(found) == len(w.findings()) and "aclrtStreamWaitEvent(up, free[" in found[0].fix


@both
def test_the_device_is_synchronised_in_another_context(w: Any, fixed: bool) -> None:
    p, h, first = w.malloc(), w.host(), w.must(C.aclrtGetCurrentContext())
    w.must(C.aclrtCreateContext(0))
    t = w.stream()
    w.slow_fill[1, t](p, 1, 64)  # <write>
    if not fixed:
        w.must(C.aclrtSetCurrentContext(first))
    w.must(C.aclrtSynchronizeDevice())
    w.must(C.aclrtMemcpy(h, 64, p, 64, D2H))  # <read>
    w.must(C.aclrtSynchronizeStream(t))
    if fixed:
        w.silent()
    else:
        w.expect("race", "aclrtSynchronizeStream(t)", access="read", other="write")


@pytest.mark.parametrize("how", ["read too early", "only freed"])
def test_a_read_that_comes_too_early_is_told_beside_the_free(w: Any, how: str) -> None:
    s, d, h, out = w.stream(), w.malloc(64, 1), w.host(), w.host()
    w.slow[1, s]()
    w.must(C.aclrtMemcpyAsync(h, 64, d, 64, D2H, s))  # <copy>
    if how != "only freed":
        w.must(C.aclrtMemcpy(out, 64, h, 64, H2H))  # <read>
    w.must(C.aclrtFreeHost(h))  # <free>
    w.must(C.aclrtSynchronizeStream(s))
    w.expect("use-after-free", access="copy", free="free")
    if how != "only freed":
        w.expect("race", "aclrtSynchronizeStream(s)", access="read", other="copy")
    assert len(w.findings()) == 1 + (how != "only freed")
