"""MEM: lifetimes of memory and the memory calls."""

from typing import Any

import pytest

from ascend_sim import ascendcl as C

H2D, D2H, D2D = 1, 2, 3
N = 256


@pytest.mark.parametrize("fix", ["", "one stream", "event"])
def test_mem_03_copy_and_compute_share_an_arena(w: Any, fix: str) -> None:
    cp, comp, h, arena = w.stream(), w.stream(), w.host(N, 1), w.malloc(4096)
    e = w.must(C.aclrtCreateEvent())
    w.must(C.aclrtMemcpyAsync(arena, N, h, N, H2D, cp))  # <copy>
    if fix == "event":
        w.must(C.aclrtRecordEvent(e, cp))
        w.must(C.aclrtStreamWaitEvent(comp, e))
    w.fill[1, cp if fix == "one stream" else comp](arena, 7, N)  # <fill>
    w.must(C.aclrtSynchronizeDevice())
    if fix:
        w.silent()
        assert w.read(arena, N) == [7]
    else:
        finding = w.expect("race", "arena", "record on `cp`", "wait on `comp`", access="fill", other="copy")
        assert finding.bytes.ranges[0].lo == 0 and finding.bytes.ranges[0].hi == N


@pytest.mark.parametrize("fixed", [False, True])
def test_mem_04_three_streams_and_a_stale_event(w: Any, fixed: bool) -> None:
    A, B, S = w.stream(), w.stream(), w.stream()
    eA, eB = (w.must(C.aclrtCreateEventExWithFlag(1)) for _ in range(2))
    X = w.malloc(N)
    w.slow[1, A]()
    w.must(C.aclrtMemsetAsync(X, N, 0xAA, N, A))  # <first>
    w.must(C.aclrtRecordEvent(eA, A))
    w.must(C.aclrtRecordEvent(eB, B))  # <stale>
    w.must(C.aclrtStreamWaitEvent(B, eA))  # <merge>
    if fixed:
        w.must(C.aclrtRecordEvent(eB, B))
    w.must(C.aclrtStreamWaitEvent(S, eB))  # <wait>
    w.must(C.aclrtMemsetAsync(X, N, 0xCC, N, S))  # <second>
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
        assert w.read(X, N) == [0xCC]
    else:
        finding = w.expect(
            "race", "record", "again on `B` after `B`'s wait", access="second", other="first", sync="stale", wait="wait"
        )
        assert "aclrtRecordEvent(" in finding.fix and finding.fix.endswith(", B)")


def test_mem_07_double_free_interior_pointer_and_the_wrong_family(w: Any) -> None:
    p = w.malloc(128)  # <made>
    assert C.aclrtFree(p) == 0  # <free>
    assert C.aclrtFree(p) != 0  # <again>
    q = w.malloc(128, 1)
    assert C.aclrtFree(q + 64) != 0
    h = w.host(128)
    assert C.aclrtFreeHost(q) != 0
    assert C.aclrtFree(None) == C.aclrtFreeHost(None) == 100000
    assert w.read(q, 128) == [1] and w.read(h, 128) == [0]
    w.expect("double-free", access="again", free="free")
    inside, family = w.findings("bad-free")
    assert "byte 64 of `q`" in inside.title and "device memory" in family.title


def test_mem_08_zero_sizes(w: Any) -> None:
    s = w.stream()
    assert C.aclrtMalloc(0, 0)[1] == C.aclrtMallocHost(0)[1] == 100000
    assert C.aclrtMemcpy(None, 0, None, 0, D2D) == 0
    assert C.aclrtMemcpyAsync(None, 0, None, 0, H2D, s) == 0
    assert C.aclrtMemset(None, 0, 0, 0) == 0
    p, q = w.malloc(), w.malloc(64, 1)
    assert C.aclrtMemcpy(p, 32, q, 64, D2D) == 107000
    assert C.aclrtMemcpy(None, 64, q, 64, D2D) == 100000
    assert C.aclrtMemcpy(p, 64, q, 64, 99) == 100000
    w.silent()


def test_mem_10_leaks_at_finalize(bare: Any) -> None:
    bare.must(C.aclInit(None))
    bare.must(C.aclrtSetDevice(0))
    s = bare.stream()
    for i in range(3):
        p = bare.must(C.aclrtMalloc(1 << 20, 0))  # <malloc>
        e = bare.must(C.aclrtCreateEvent())  # <event>
        bare.must(C.aclrtRecordEvent(e, s))
        if i == 0:
            bare.must(C.aclrtFree(p))
            bare.must(C.aclrtDestroyEvent(e))
    bare.must(C.aclrtDestroyStream(s))
    bare.must(C.aclrtResetDevice(0))
    bare.must(C.aclFinalize())
    finding = bare.expect("leak", "2 device buffers (2097152 bytes) and 2 events", alloc="malloc")
    assert finding.severity == "warning"
    assert [site.text for site in finding.sites] == ["2 x 1048576 bytes on device 0", "2 events"]


def test_mem_10_the_default_stream_and_context_are_no_leaks(bare: Any) -> None:
    bare.must(C.aclInit(None))
    bare.must(C.aclrtSetDevice(0))
    bare.must(C.aclrtMemsetAsync(bare.malloc(), 64, 0, 64, None))
    bare.must(C.aclrtFreeWithDevSync(next(iter(bare.sim.memory.blocks())).address))
    bare.must(C.aclrtResetDevice(0))
    bare.must(C.aclFinalize())
    assert not list(bare.sim.findings)


@pytest.mark.parametrize("fix", ["", "event", "host"])
def test_mem_06_free_ordered_before_alloc(w: Any, fix: str) -> None:
    A, B = w.stream(), w.stream()
    e = w.must(C.aclrtCreateEvent())
    pool = w.must(C.aclrtMemPoolCreate(C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=1 << 26)))
    p = w.must(C.aclrtMemPoolMallocAsync(4096, pool, A))  # <alloc>
    if fix:
        w.fill[1, A](p, 1, 4096)
    if fix == "event":
        w.must(C.aclrtRecordEvent(e, A))
        w.must(C.aclrtStreamWaitEvent(B, e))
    if fix == "host":
        w.must(C.aclrtSynchronizeStream(A))
    assert C.aclrtMemPoolFreeAsync(p, B) == 0  # <free>
    if not fix:
        w.fill[1, A](p, 1, 4096)  # <use>
    w.must(C.aclrtSynchronizeDevice())
    if fix:
        w.silent()
        return
    finding = w.expect("free-before-alloc", "`p`", "`B` has never waited for `A`", free="free", alloc="alloc")
    assert finding.severity == "error" and "aclrtStreamWaitEvent(B, " in finding.fix
    w.expect("use-after-free", "4096", free="free", submit="use", alloc="alloc")
    assert len(w.findings()) == 2


def test_mem_06_the_free_is_no_call_of_the_host(w: Any) -> None:
    """What was queued before the free still has the block, whenever it runs."""
    A = w.stream()
    pool = w.must(C.aclrtMemPoolCreate(C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=1 << 26)))
    out = w.host(N)
    p = w.must(C.aclrtMemPoolMallocAsync(N, pool, A))
    w.slow_fill[1, A](p, 7, N)
    w.must(C.aclrtMemcpyAsync(out, N, p, N, D2H, A))
    assert C.aclrtMemPoolFreeAsync(p, A) == 0
    assert w.must(C.aclrtMemPoolMallocAsync(N, pool, A)) == p
    w.must(C.aclrtSynchronizeStream(A))
    assert w.read(out, N) == [7]
    w.silent()
