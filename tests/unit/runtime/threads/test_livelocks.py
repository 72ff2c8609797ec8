"""Waits with a time-out in a loop that nothing can end: reported like other polls, and ended there."""

from __future__ import annotations

import itertools

import pytest

from ascend_sim.errors import SimulatedHang
from ascend_sim.findings.finding import Finding
from ascend_sim.runtime.threads.patches.clocks import SECOND_NS
from tests.kit.texts import findings_of

SERVE = """
import threading
context, _ = C.aclrtGetCurrentContext()
s, _ = C.aclrtCreateStream()
rounds = []
def serve(*args):
    C.aclrtSetCurrentContext(context)
    while len(rounds) < 20_000:
        acl.rt.process_report(100)
        rounds.append(0)
{start}
C.aclrtSubscribeReport({ident}, s)
C.aclrtLaunchCallback(lambda *_: None, None, 1, s)
C.aclrtSynchronizeStream(s)
{end}
{stop}
assert len(rounds) < 3000, len(rounds)
"""
NATIVE = {
    "start": "ident, _ = acl.util.start_thread(serve, [])",
    "ident": "ident",
    "stop": "acl.util.stop_thread(ident)",
}
PYTHON = {
    "start": "thread = threading.Thread(target=serve); thread.start()", "ident": "thread.ident", "stop": "thread.join()"
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("thread", [NATIVE, PYTHON])
@pytest.mark.parametrize("end", ["", "C.aclrtUnSubscribeReport({ident}, s)"])
def test_a_serving_loop_that_nobody_ends_is_reported(thread: dict[str, str], end: str) -> None:
    text = SERVE.format(**thread, end=end.format(**thread))
    found = [f for f in findings_of("serving", text) if f.kind == "deadlock"]
    assert len(found) == 1
    assert "process_report" in found[0].title or "a callback to be reported" in found[0].title
    assert "flag" in found[0].fix


@pytest.mark.parametrize("threads", ["deterministic", "free"])
def test_a_time_out_that_is_tried_for_ever_ends_as_a_hang(threads: str) -> None:
    text = """
s, _ = C.aclrtCreateStream()
ready, _ = C.aclrtCreateEventWithFlag(1)
C.aclrtStreamWaitEvent(s, ready)
for tries in range(20_000):
    if C.aclrtSynchronizeStreamWithTimeout(s, 10) == 0:
        break
"""
    with pytest.raises(SimulatedHang, match="time-out has ended 1000 times"):
        findings_of("tries", text, threads=threads)


SLEEPS = """
import threading, time
s, _ = C.aclrtCreateStream()
e, _ = C.aclrtCreateEvent()
ready, _ = C.aclrtCreateEventWithFlag(1)
C.aclrtStreamWaitEvent(s, ready)
C.aclrtRecordEvent(e, s)
def ask():
    while C.aclrtQueryEventStatus(e)[0] == 0:
        time.sleep({seconds})
        time.sleep({seconds})
{run}
"""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("seconds", [0.001, 2])
@pytest.mark.parametrize("thread", [False, True])
def test_a_poll_with_sleeps_ends_before_its_time_is_real(seconds: float, thread: bool) -> None:
    """A thousand time-outs in ten virtual minutes: from there on virtual time would go with the real clock."""
    run = "t = threading.Thread(target=ask); t.start(); t.join(); C.aclrtRecordEvent(ready, 0)" if thread else "ask()"
    text = SLEEPS.format(seconds=seconds, run=run)
    try:
        found = [f for f in findings_of("sleeps", text) if f.kind == "deadlock"]
    except SimulatedHang as hang:
        assert not thread
        assert "aclrtQueryEventStatus about event `e` to change its answer" in str(hang)
    else:
        assert [f.title for f in found] == ["stream `s` waits for the flag of event `ready`, and nobody can end it"]


BEHIND = """
import threading
context, _ = C.aclrtGetCurrentContext()
s, _ = C.aclrtCreateStream()
never, _ = C.aclrtCreateNotify(0)
C.aclrtWaitAndResetNotify(never, s, 0)
done = []
def serve():
    C.aclrtSetCurrentContext(context)
    while not done:
        {poll}
thread = threading.Thread(target=serve)
thread.start()
try:
    C.aclrtSynchronizeStream(s)
finally:
    done.append(0)
    thread.join()
"""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("poll", ["C.aclrtProcessReport(100)", "acl.rt.process_report(10)", "C.aclrtStreamQuery(s)"])
@pytest.mark.parametrize("threads", ["deterministic", "free"])
def test_a_poll_beside_a_wait_that_nothing_ends_is_not_the_cause(poll: str, threads: str) -> None:
    """The loop goes round until the other thread is done, which waits for what never comes: that is told, once."""
    found: list[Finding] = []
    with pytest.raises(SimulatedHang):
        findings_of("behind", BEHIND.format(poll=poll), threads=threads, also=found)
    told = [f for f in found if f.kind == "deadlock"]
    assert [f.title for f in told] == ["stream `s` waits for notify `never`, and nobody can end it"]
    assert told[0].fix == "record notify `never` on another stream"


def test_a_time_out_in_the_condition_of_a_loop_is_one_finding() -> None:
    """Its bytes stand twice in the code: before the loop, and at its end."""
    found: list[Finding] = []
    text = """
s, _ = C.aclrtCreateStream()
never, _ = C.aclrtCreateNotify(0)
C.aclrtWaitAndResetNotify(never, s, 0)
while C.aclrtSynchronizeStreamWithTimeout(s, 10) != 0:
    pass
"""
    with pytest.raises(SimulatedHang):
        findings_of("condition", text, also=found)
    assert [(f.kind, f.severity) for f in found if f.kind != "leak"] == [("deadlock", "error")]


def test_a_loop_that_counts_its_time_outs_is_none() -> None:
    text = """
import queue
empty = queue.Queue()
for tries in range(1500):
    try:
        empty.get(timeout=0.01)
    except queue.Empty:
        pass
"""
    assert not [f for f in findings_of("counted", text) if f.kind == "deadlock"]


LOOKS = """
import gc, time
C.aclrtSetDevice(0)
def look(*_):
    time.perf_counter()
{}
"""


@pytest.mark.parametrize(
    ("end", "noted"),
    [
        ("for _ in range(100): look()", ["order-depends-on-clock"]),
        ("gc.callbacks.append(look)\nfor _ in range(50): gc.collect(0)\ngc.callbacks.remove(look)", []),
    ],
)
def test_a_callback_of_the_collector_that_takes_the_time_is_no_wait(
    end: str, noted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count(0, SECOND_NS)
    monkeypatch.setattr("ascend_sim.runtime.threads.patches.clocks._real_ns", lambda: next(ticks))
    assert [finding.kind for finding in findings_of("looks", LOOKS.format(end))] == noted
