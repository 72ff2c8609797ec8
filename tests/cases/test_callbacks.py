"""CB: callbacks."""

import threading
from typing import Any

import pytest

from ascend_sim import ascendcl as C

H2H, D2H = 0, 2
NO_BLOCK, BLOCK = 0, 1


def test_cb_02_process_report(w: Any) -> None:
    s, ran = w.stream(), []
    assert C.aclrtProcessReport(0) == C.aclrtProcessReport(-5) == 100000
    assert w.in_thread(lambda: C.aclrtProcessReport(10)) == 107012
    w.must(C.aclrtSubscribeReport(threading.get_ident(), s))
    assert C.aclrtProcessReport(10) == 507012
    w.must(C.aclrtLaunchCallback(ran.append, 7, BLOCK, s))
    assert C.aclrtProcessReport(1000) == 0
    assert ran == [7]
    w.silent()


def test_cb_03_calls_in_a_callback(w: Any) -> None:
    s, a, p = w.stream(), w.malloc(), w.malloc()
    log = []

    def callback(_: Any) -> None:
        log.append(C.aclrtFree(p))  # <free>

    w.must(C.aclrtLaunchHostFunc(s, callback, 0))  # <launch>
    assert C.aclrtSynchronizeStreamWithTimeout(s, 1000) == 0
    assert log == [0] and a
    w.expect("callback-call", "aclrtFree", submit="launch")


@pytest.mark.parametrize("mode", [BLOCK, NO_BLOCK])
def test_cb_04_a_callback_that_does_not_block(w: Any, mode: int) -> None:
    s, d, h, out = w.stream(), w.malloc(64, 1), w.host(), w.host()
    seen: list[int] = []

    def read_h(_: Any) -> None:
        w.must(C.aclrtMemcpy(out, 64, h, 64, H2H))  # <read>
        seen.append(w.read(out)[0])

    w.must(C.aclrtSubscribeReport(threading.get_ident(), s))
    w.must(C.aclrtMemcpyAsync(h, 64, d, 64, D2H, s))
    w.must(C.aclrtLaunchCallback(read_h, 0, mode, s))  # <callback>
    w.fill[1, s](d, 2, 64)
    w.must(C.aclrtMemcpyAsync(h, 64, d, 64, D2H, s))  # <write>
    w.must(C.aclrtProcessReport(1000))
    w.must(C.aclrtSynchronizeStream(s))
    races = w.findings("race")
    if mode == BLOCK:
        assert seen == [1] and not races
    else:
        assert seen[0] in (1, 2)
        finding = w.expect("race", "`h`", "NO_BLOCK", "ACL_CALLBACK_BLOCK", submit="callback", access="read", other="write")
        assert finding.severity == "error"


def test_cb_03_a_callback_that_waits_for_its_own_stream(w: Any) -> None:
    s = w.stream()

    def callback(_: Any) -> None:
        C.aclrtSynchronizeStream(s)  # <inside>

    w.must(C.aclrtLaunchHostFunc(s, callback, 0))
    assert C.aclrtSynchronizeStreamWithTimeout(s, 1000) == 507046
    finding = w.findings("deadlock")[0]
    assert "wait for each other" in finding.title and "host functions" in finding.title
    assert w.findings("callback-call")
