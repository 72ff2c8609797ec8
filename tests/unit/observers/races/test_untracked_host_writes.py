"""Page-locked memory that callbacks fill before, beside and after a queued copy reads it."""

from __future__ import annotations

import ctypes
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import must
from tests.kit.forks import ascend_sim

PROGRAM = """
import ctypes
from ascend_sim import ascendcl as C

def must(result):
    value, code = result if isinstance(result, tuple) else (None, result)
    assert code == 0, code
    return value

must(C.aclInit(None))
must(C.aclrtSetDevice(0))
a, b = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
ready = must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC))
device = must(C.aclrtMalloc(64, 0))
by_chain, by_event, by_nobody, by_program = [must(C.aclrtMallocHost(64)) for _ in range(4)]

def filling(address):
    return lambda _: ctypes.memset(address, 7, 64)

must(C.aclrtLaunchHostFunc(a, filling(by_chain), None))
must(C.aclrtMemcpyAsync(device, 64, by_chain, 64, 1, a))
must(C.aclrtSynchronizeDevice())

must(C.aclrtLaunchHostFunc(a, filling(by_event), None))
must(C.aclrtRecordEvent(ready, a))
must(C.aclrtStreamWaitEvent(b, ready))
must(C.aclrtMemcpyAsync(device, 64, by_event, 64, 1, b))
must(C.aclrtSynchronizeDevice())

must(C.aclrtLaunchHostFunc(a, filling(by_nobody), None))
must(C.aclrtMemcpyAsync(device, 64, by_nobody, 64, 1, b))
must(C.aclrtSynchronizeDevice())

must(C.aclrtLaunchHostFunc(a, lambda _: None, None))
must(C.aclrtMemcpyAsync(device, 64, by_program, 64, 1, a))
ctypes.memset(by_program, 9, 64)
must(C.aclrtSynchronizeDevice())
"""


def test_only_callbacks_in_no_order_with_the_copy_are_races(tmp_path: Path) -> None:
    program, out = tmp_path / "program.py", tmp_path / "out.json"
    program.write_text(PROGRAM)
    ascend_sim("run", "--checks", "races", "--json", out, program)
    told = json.loads(out.read_text())["findings"]
    assert [finding["title"].split(":")[0] for finding in told] == [
        "a callback on `a` writes `by_nobody` while a copy on `b` may still be reading it",
        "the program writes `by_program` while a copy on `a` may still be reading it",
    ]
    assert "let `b` wait for it" in told[0]["fix"]


class Pipeline:
    """Streams, events and memory for one way of filling the page-locked buffer that a copy reads."""

    def __init__(self) -> None:
        must(C.aclInit(None))
        must(C.aclrtSetDevice(0))
        self.a, self.b, self.c = (must(C.aclrtCreateStream()) for _ in range(3))
        self.first, self.second = (must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC)) for _ in range(2))
        self.device, self.host = must(C.aclrtMalloc(64, 0)), must(C.aclrtMallocHost(64))

    def fill(self, stream: int) -> None:
        must(C.aclrtLaunchHostFunc(stream, lambda _: ctypes.memset(self.host, 7, 64), None))

    def copy(self, stream: int) -> None:
        must(C.aclrtMemcpyAsync(self.device, 64, self.host, 64, 1, stream))

    def order(self, event: int, first: int, then: int) -> None:
        must(C.aclrtRecordEvent(event, first))
        must(C.aclrtStreamWaitEvent(then, event))


def two_hops(p: Pipeline) -> None:
    p.fill(p.a)
    p.order(p.first, p.a, p.b)
    p.order(p.second, p.b, p.c)
    p.copy(p.c)


def a_notify(p: Pipeline) -> None:
    notify = must(C.aclrtCreateNotify(0))
    p.fill(p.a)
    must(C.aclrtRecordNotify(notify, p.a))
    must(C.aclrtWaitAndResetNotify(notify, p.b, 0))
    p.copy(p.b)


def a_value(p: Pipeline) -> None:
    flag = must(C.aclrtMalloc(64, 0))
    must(C.aclrtMemset(flag, 64, 0, 64))
    p.fill(p.a)
    must(C.aclrtValueWrite(flag, 1, 0, p.a))
    must(C.aclrtValueWait(flag, 1, 0, p.b))
    p.copy(p.b)


def again_and_again(p: Pipeline) -> None:
    for _ in range(3):
        p.copy(p.a)
        p.fill(p.a)


def rows(p: Pipeline) -> None:
    p.fill(p.a)
    must(C.aclrtMemcpy2dAsync(p.device, 16, p.host, 16, 16, 4, 1, p.a))


def another_thread(p: Pipeline) -> None:
    context = must(C.aclrtGetCurrentContext())

    def submit() -> None:
        must(C.aclrtSetCurrentContext(context))
        p.fill(p.a)
        p.copy(p.a)

    thread = threading.Thread(target=submit)
    thread.start()
    thread.join()


def blocking_callback(p: Pipeline) -> None:
    context, over = must(C.aclrtGetCurrentContext()), threading.Event()

    def serve() -> None:
        must(C.aclrtSetCurrentContext(context))
        while not over.is_set():
            C.aclrtProcessReport(10)

    thread = threading.Thread(target=serve)
    thread.start()
    must(C.aclrtSubscribeReport(thread.ident, p.a))
    must(C.aclrtLaunchCallback(lambda _: ctypes.memset(p.host, 7, 64), None, 1, p.a))
    p.order(p.first, p.a, p.b)
    p.copy(p.b)
    must(C.aclrtSynchronizeStream(p.b))
    over.set()
    thread.join()
    must(C.aclrtUnSubscribeReport(thread.ident, p.a))


def a_graph_on_two_streams(p: Pipeline) -> None:
    """The first execution is over for the host, whatever its host function told the host of the launch."""
    must(C.aclmdlRICaptureBegin(p.a, 0))
    p.fill(p.a)
    p.copy(p.a)
    graph = must(C.aclmdlRICaptureEnd(p.a))
    for stream in (p.b, p.c):
        must(C.aclmdlRIExecuteAsync(graph, stream))
        must(C.aclrtSynchronizeStream(stream))


def wrong_record_before(p: Pipeline) -> None:
    must(C.aclrtRecordEvent(p.first, p.a))
    p.fill(p.a)
    must(C.aclrtStreamWaitEvent(p.b, p.first))
    p.copy(p.b)


def wrong_fill_after(p: Pipeline) -> None:
    must(C.aclrtRecordEvent(p.first, p.a))
    p.copy(p.a)
    must(C.aclrtStreamWaitEvent(p.b, p.first))
    p.fill(p.b)


WAYS = [two_hops, a_notify, a_value, again_and_again, rows, another_thread, blocking_callback, a_graph_on_two_streams]


@pytest.mark.parametrize("threads", ["deterministic", "free"])
@pytest.mark.parametrize("schedule", ["virtual-time", "early", "late", "random(3)"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_what_is_ordered_is_no_race(way: Callable[[Pipeline], None], schedule: str, threads: str) -> None:
    with Simulator(schedule=schedule, threads=threads) as sim:
        way(Pipeline())
        must(C.aclrtSynchronizeDevice())
        assert [finding.title for finding in sim.findings if finding.kind == "race"] == []


@pytest.mark.parametrize("way", [wrong_record_before, wrong_fill_after], ids=lambda way: way.__name__)
def test_what_is_not_ordered_is_one(way: Callable[[Pipeline], None]) -> None:
    with Simulator(schedule="late", threads="deterministic") as sim:
        way(Pipeline())
        must(C.aclrtSynchronizeDevice())
        assert [finding.kind for finding in sim.findings if finding.severity == "error"] == ["race"]


@pytest.mark.parametrize("ordered", [True, False], ids=["ordered", "in no order"])
def test_a_copy_that_is_queued_while_a_host_function_fills_its_source(ordered: bool) -> None:
    """The program's own threads run free: one waits in the call that runs the host function, the other one queues.

    The copy is held, for who waits may run it as well before the function has written.
    """
    with Simulator(threads="free") as sim:
        must(C.aclrtSetDevice(0))
        context = must(C.aclrtGetCurrentContext())
        source, target = must(C.aclrtMallocHost(64)), must(C.aclrtMalloc(64, 0))
        filling, copying = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
        filled = must(C.aclrtCreateEvent())
        begun, queued = threading.Event(), threading.Event()

        def fill(_: object) -> None:
            begun.set()
            queued.wait()
            ctypes.memset(source, 7, 64)

        def wait() -> None:
            must(C.aclrtSetCurrentContext(context))
            must(C.aclrtSynchronizeStream(filling))

        must(C.aclrtLaunchHostFunc(filling, fill, None))
        must(C.aclrtRecordEvent(filled, filling))
        waiter = threading.Thread(target=wait)
        waiter.start()
        begun.wait()
        if ordered:
            must(C.aclrtStreamWaitEvent(copying, filled))
        sim.hold(copying)
        must(C.aclrtMemcpyAsync(target, 64, source, 64, 1, copying))
        queued.set()
        waiter.join()
        sim.release(copying)
        must(C.aclrtSynchronizeStream(copying))
        assert C.aclrtMemcpy(source, 64, target, 64, 2) == 0
        titles = [finding.title for finding in sim.findings if finding.severity == "error"]
    assert (titles == []) if ordered else titles[0].startswith("a callback on `filling` writes `source` while a copy on")
