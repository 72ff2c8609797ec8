"""CAP in other shapes: chains of streams, other threads, and calls of pyACL in the middle of captures of the C face."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.pyacl import modules
from tests.cases.test_capture import GLOBAL, H2D, RELAXED, THREAD_LOCAL, captured, edge, ex, filled, peek
from tests.kit.calls import in_thread

acl = modules()["acl"]


def here(call: Any) -> Any:
    """*call* in a thread that uses device 0."""

    def work() -> Any:
        C.aclrtSetDevice(0)
        return call()

    return in_thread(work)


@pytest.mark.parametrize("thread", [False, True])
def test_pyacl_synchronises_what_the_c_face_captures(w: Any, thread: bool) -> None:
    s, a = w.stream(), filled(w)
    w.must(C.aclmdlRICaptureBegin(s, RELAXED))
    w.fill[1, s](a, 1, 64)

    def wait() -> Any:
        return acl.rt.synchronize_stream(s)  # <wait>

    assert (here(wait) if thread else wait()) == 107027
    w.must(C.aclmdlRICaptureEnd(s))
    w.expect("capture-rule", "is being captured", access="wait")


@pytest.mark.parametrize(("mode", "code"), [(GLOBAL, 107030), (THREAD_LOCAL, 107030), (RELAXED, 0)])
def test_pyacl_copies_in_another_thread(w: Any, mode: int, code: int) -> None:
    s, a, h = w.stream(), filled(w), w.host()
    w.must(C.aclmdlRICaptureBegin(s, mode))
    w.fill[1, s](a, 1, 64)
    assert here(lambda: acl.rt.memcpy(a, 64, h, 64, H2D)) == (0 if mode != GLOBAL else code)
    assert acl.rt.memcpy(a, 64, h, 64, H2D) == code
    _, ret = C.aclmdlRICaptureEnd(s)
    assert ret in (0, 507903)


def test_another_thread_relaxes_its_own_mode_only(w: Any) -> None:
    s, a, h = w.stream(), filled(w), w.host()
    w.must(C.aclmdlRICaptureBegin(s, GLOBAL))
    w.fill[1, s](a, 1, 64)

    def relaxed() -> Any:
        assert C.aclmdlRICaptureThreadExchangeMode(RELAXED) == (GLOBAL, 0)
        return C.aclrtMemcpy(a, 64, h, 64, H2D)

    assert here(relaxed) == 0
    assert C.aclrtMemcpy(a, 64, h, 64, H2D) == 107030


@pytest.mark.parametrize("last", ["back", "lost", "only to the middle"])
def test_a_chain_of_streams(w: Any, last: str) -> None:
    s, t, u, a, b = w.stream(), w.stream(), w.stream(), filled(w), filled(w)
    w.must(C.aclmdlRICaptureBegin(s, RELAXED))
    edge(w, s, t)
    edge(w, t, u)
    w.fill[1, u](a, 1, 64)  # <task>
    if last == "back":
        edge(w, u, t)
    w.fill[1, t](b, 2, 64)
    if last == "only to the middle":
        edge(w, u, t)
        _, ret = C.aclmdlRICaptureEnd(s)
        assert ret == 107025
        w.expect("capture-rule", "does not lead back")
        return
    edge(w, t, s)
    m, ret = C.aclmdlRICaptureEnd(s)
    if last == "lost":
        assert ret == 107025
        w.expect("capture-rule", "does not lead back", other="task")
        return
    assert ret == 0
    w.must(C.aclmdlRIExecuteAsync(m, s))
    w.must(C.aclrtSynchronizeStream(s))
    assert (w.read(a), w.read(b)) == ([1], [2])
    w.silent()


@pytest.mark.parametrize(("mode", "code"), [(GLOBAL, 107038), (THREAD_LOCAL, 107038), (RELAXED, 0)])
def test_begun_in_one_thread_filled_in_two_ended_in_another(w: Any, mode: int, code: int) -> None:
    s, a = w.stream(), filled(w)
    assert here(lambda: C.aclmdlRICaptureBegin(s, mode)) == 0
    w.fill[1, s](a, 1, 64)
    here(lambda: w.fill[1, s](a, 2, 64))
    m, ret = C.aclmdlRICaptureEnd(s)
    assert ret == code and peek(w, a) == 0
    if not code:
        w.must(C.aclmdlRIExecuteAsync(m, w.stream()))
        w.must(C.aclrtSynchronizeDevice())
        assert w.read(a) == [2]


@pytest.mark.parametrize("fixed", [False, True])
def test_another_thread_fills_the_pinned_buffer_again(w: Any, fixed: bool) -> None:
    s, t, a, h = w.stream(), w.stream(), filled(w), w.host()
    ctypes.memset(h, 1, 64)
    m = captured(w, s, lambda: w.must(C.aclrtMemcpyAsync(a, 64, h, 64, H2D, s)))
    w.must(C.aclmdlRIExecuteAsync(m, t))
    if fixed:
        w.must(C.aclrtSynchronizeStream(t))
    here(lambda: ctypes.memset(h, 2, 64))
    w.must(C.aclrtSynchronizeStream(t))
    if fixed:
        w.silent()
    else:
        w.expect("race", "the bytes changed between the call and the copy")


@pytest.mark.parametrize("face", ["c", "pyacl"])
def test_another_thread_frees_what_a_graph_uses(w: Any, face: str) -> None:
    s, t, a = w.stream(), w.stream(), filled(w)
    m = captured(w, s, lambda: w.fill[1, s](a, 7, 64))  # <capture>
    free = C.aclrtFree if face == "c" else acl.rt.free
    assert here(lambda: free(a)) == 0  # <free>
    w.must(C.aclmdlRIExecuteAsync(m, t))  # <run>
    C.aclrtSynchronizeStream(t)
    w.expect("use-after-free", free="free")


@pytest.mark.parametrize("fixed", [False, True])
def test_two_threads_replay_one_graph(w: Any, fixed: bool) -> None:
    s, t, a = w.stream(), w.stream(), filled(w)
    m = captured(w, s, lambda: w.fill[1, s](a, 7, 64))
    here(lambda: w.must(C.aclmdlRIExecuteAsync(m, s)))
    if fixed:
        w.must(C.aclrtSynchronizeStream(s))
    w.must(C.aclmdlRIExecuteAsync(m, t))
    w.must(C.aclrtSynchronizeDevice())
    if fixed:
        w.silent()
    else:
        w.expect("race", "never waited for")


def test_an_event_of_another_thread_is_no_event_of_the_capture(w: Any) -> None:
    s, t, a, e = w.stream(), w.stream(), filled(w), ex(w)
    here(lambda: (w.fill[1, t](a, 1, 64), w.must(C.aclrtRecordEvent(e, t))))
    w.must(C.aclmdlRICaptureBegin(s, RELAXED))
    assert C.aclrtStreamWaitEvent(s, e) == 107024  # <wait>
    w.expect("capture-rule", "ACL_EVENT_WAIT_EXTERNAL", access="wait")
