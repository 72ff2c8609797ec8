"""STR: streams, and allocators registered for them."""

import threading
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.forks import HANG

D2D = 3


def test_str_01_a_full_queue_blocks_and_does_not_fail() -> None:
    with Simulator(limits={"stream_depth": 16}, checks="all") as sim:
        assert C.aclrtSetDevice(0) == 0
        s, t = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
        d, e_, d2 = (C.aclrtMalloc(64, 0)[0] for _ in range(3))
        C.aclrtMemset(e_, 64, 1, 64)
        sim.hold(s)
        for _ in range(16):
            assert C.aclrtMemcpyAsync(d, 64, e_, 64, D2D, s) == 0
        done: list[int] = []

        def one_more() -> None:
            C.aclrtSetDevice(0)
            done.append(C.aclrtMemcpyAsync(d, 64, e_, 64, D2D, s))

        thread = threading.Thread(target=one_more)
        thread.start()
        thread.join(0.3)
        assert not done
        assert C.aclrtMemsetAsync(d2, 64, 0, 64, t) == 0
        sim.release(s)
        assert C.aclrtSynchronizeStream(s) == 0
        thread.join(HANG)
        assert done == [0]
        assert not [f for f in sim.findings if f.severity == "error"]


@pytest.mark.parametrize("fixed", [False, True])
def test_str_04_the_producer_used_another_stream(w: Any, fixed: bool) -> None:
    p, cur = w.stream(), w.stream()
    a, out = w.malloc(), w.malloc()
    w.slow_fill[1, cur if fixed else p](a, 1, 64)  # <write>
    w.copy[1, cur](out, a, 64)  # <read>
    w.must(C.aclrtSynchronizeStream(cur))
    if fixed:
        w.silent()
        assert w.read(out) == [1]
        return
    w.must(C.aclrtSynchronizeStream(p))
    found = w.findings("race")
    assert len(found) == 1
    lines = {site.role: site.frames[0].line for site in found[0].sites}
    assert abs(lines["access"] - lines["other"]) == 1
    assert "record on `" in found[0].fix and "wait on `" in found[0].fix


def test_str_05_destroy_waits_and_force_does_not(w: Any) -> None:
    s, t, a, b = w.stream(), w.stream(), w.malloc(), w.malloc(64, 0)
    w.slow_fill[1, s](a, 1, 64)
    assert C.aclrtDestroyStream(s) == 0
    assert w.read(a) == [1]
    w.slow_fill[1, t](b, 1, 64)  # <queued>
    assert C.aclrtDestroyStreamForce(t) == 0  # <dropped>
    assert C.aclrtSynchronizeStream(s) == 107017
    assert C.aclrtDestroyStream(None) == 100000
    assert C.aclrtSynchronizeStream(w.must(C.aclrtCreateEvent())) == 107017
    assert not w.findings("race")
    w.expect("unawaited-work", "1 task of `t`", "kernel `slow_fill`", submit="queued", free="dropped")


def test_str_06_a_registration_survives_its_stream() -> None:
    for reuse in (False, True):
        with Simulator(checks="all", reuse_handles=reuse) as sim:
            assert C.aclrtSetDevice(0) == 0
            desc = C.aclrtAllocatorCreateDesc()
            desc = desc[0] if isinstance(desc, tuple) else desc
            C.aclrtAllocatorSetObjToDesc(desc, 1)
            for name in ("Alloc", "Free", "GetAddrFromBlock"):
                assert getattr(C, f"aclrtAllocatorSet{name}FuncToDesc")(desc, lambda *a: 0) == 0
            s = C.aclrtCreateStream()[0]
            assert C.aclrtAllocatorRegister(s, desc) == 0
            assert C.aclrtDestroyStream(s) == 0
            assert C.aclrtAllocatorGetByStream(s)[-1] == 0
            t = C.aclrtCreateStream()[0]
            assert (t == s) == reuse
            assert C.aclrtAllocatorGetByStream(t)[-1] == (0 if reuse else 100000)
            assert C.aclrtAllocatorUnregister(s) == 0
            assert C.aclrtAllocatorGetByStream(t)[-1] == 100000
            assert C.aclrtAllocatorUnregister(s) == 0
            assert [f for f in sim.findings if f.kind == "stale-registration"]


def described(w: Any, name: int) -> int:
    """A complete descriptor of an allocator with object *name*, without advice."""
    desc = C.aclrtAllocatorCreateDesc()
    desc = desc[0] if isinstance(desc, tuple) else desc
    w.must(C.aclrtAllocatorSetObjToDesc(desc, name))
    for part in ("Alloc", "Free", "GetAddrFromBlock"):
        w.must(getattr(C, f"aclrtAllocatorSet{part}FuncToDesc")(desc, lambda *_: 0))
    return desc  # type: ignore[no-any-return]


def test_str_07_a_descriptor_is_copied_at_registration(w: Any) -> None:
    s, t = w.stream(), w.stream()
    empty = C.aclrtAllocatorCreateDesc()
    assert C.aclrtAllocatorRegister(s, empty[0] if isinstance(empty, tuple) else empty) == 100000
    desc, other = described(w, 1), described(w, 3)
    assert C.aclrtAllocatorRegister(None, desc) == 100000
    assert C.aclrtAllocatorRegister(s, desc) == C.aclrtAllocatorRegister(t, desc) == 0
    w.must(C.aclrtAllocatorSetObjToDesc(desc, 2))
    w.must(C.aclrtAllocatorDestroyDesc(desc))
    found = C.aclrtAllocatorGetByStream(s)
    assert found[-1] == 0 and found[1] == 1
    assert C.aclrtAllocatorRegister(s, other) == 0
    assert C.aclrtAllocatorGetByStream(s)[1] == 3
