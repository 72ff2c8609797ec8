"""What is said about waits that nobody can end."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import SimulatedHang, Simulator
from ascend_sim import ascendcl as C
from ascend_sim.findings.rendering import Printer
from ascend_sim.findings.spool import Spool, read
from ascend_sim.runtime.threads.host_threads import HostThread
from tests.kit.calls import must, simulator

sim = simulator()


def _hang(sim: Simulator, *call: Any) -> Any:
    with pytest.raises(SimulatedHang):
        call[0](*call[1:])
    (finding,) = [f for f in sim.findings if f.kind == "deadlock"]
    assert finding.severity == "error"
    return finding


def test_an_event_that_nobody_records(sim: Simulator) -> None:
    worker, _ = C.aclrtCreateStream()
    ready, _ = C.aclrtCreateEventWithFlag(1)
    assert C.aclrtStreamWaitEvent(worker, ready) == 0
    finding = _hang(sim, C.aclrtSynchronizeStream, worker)
    assert finding.title == "stream `worker` waits for the flag of event `ready`, and nobody can end it"
    assert finding.order.endswith(" -> stream `worker` -> the flag of event `ready`")
    assert "record event `ready`" in finding.fix
    assert [site.frames[0].function for site in finding.sites] == ["_hang", "test_an_event_that_nobody_records"]
    assert finding.sites[0].primary


def test_a_hang_is_told_once_though_the_end_of_the_program_meets_it_again(sim: Simulator) -> None:
    worker, _ = C.aclrtCreateStream()
    ready, _ = C.aclrtCreateEventWithFlag(1)
    assert C.aclrtStreamWaitEvent(worker, ready) == 0
    told = sim.threads.on_deadlock
    assert told is not None

    def twice(threads: list[HostThread], lines: list[str]) -> None:
        told(threads, lines)
        threads[0].os_ident, ident = 0, threads[0].os_ident  # as in the interpreter's own code: no line of the program
        told(threads, lines)
        threads[0].os_ident = ident

    sim.threads.on_deadlock = twice
    finding = _hang(sim, C.aclrtSynchronizeStream, worker)
    assert finding.count == 1 and "`worker`" in finding.title
    assert finding.followers == ("the program cannot end: T0 (main) waits for stream `worker`",)


def test_two_streams_that_wait_for_each_other(sim: Simulator) -> None:
    left, _ = C.aclrtCreateStream()
    right, _ = C.aclrtCreateStream()
    first, _ = C.aclrtCreateEventWithFlag(1)
    second, _ = C.aclrtCreateEventWithFlag(1)
    assert C.aclrtStreamWaitEvent(left, second) == 0
    assert C.aclrtRecordEvent(first, left) == 0
    assert C.aclrtStreamWaitEvent(right, first) == 0
    assert C.aclrtRecordEvent(second, right) == 0
    finding = _hang(sim, C.aclrtSynchronizeStream, left)
    assert finding.title == "stream `left` and stream `right` wait for each other"
    assert finding.order.endswith("stream `left` -> stream `right` -> stream `left`")
    assert len(finding.sites) == 3


def test_a_callback_that_nobody_runs(sim: Simulator) -> None:
    import threading

    lonely, _ = C.aclrtCreateStream()
    ended = threading.Thread(target=lambda: None)
    ended.start()
    ident = ended.ident
    ended.join()
    assert C.aclrtSubscribeReport(ident, lonely) == 0
    assert C.aclrtLaunchCallback(print, 0, 1, lonely) == 0
    finding = _hang(sim, C.aclrtSynchronizeStream, lonely)
    assert finding.title == "stream `lonely` waits for its callback to be run, and nobody can end it"
    assert "aclrtProcessReport" in finding.fix


def test_a_stream_that_only_waits_long_is_no_deadlock(sim: Simulator) -> None:
    worker, _ = C.aclrtCreateStream()
    ready, _ = C.aclrtCreateEventWithFlag(1)
    assert C.aclrtRecordEvent(ready, None) == 0
    assert C.aclrtStreamWaitEvent(worker, ready) == 0
    assert C.aclrtSynchronizeStream(worker) == 0
    assert [f for f in sim.findings if f.kind == "deadlock"] == []


@pytest.mark.parametrize("threads", ["free", "deterministic"])
def test_the_clock_of_a_hung_thread_is_where_the_device_stopped(threads):
    with Simulator(threads=threads) as sim:
        C.aclrtSetDevice(0)
        stream, _ = C.aclrtCreateStream()
        other, _ = C.aclrtCreateStream()
        event, _ = C.aclrtCreateEventWithFlag(1)
        memory, _ = C.aclrtMalloc(1 << 20, 0)
        for _ in range(100):
            C.aclrtMemsetAsync(memory, 1 << 20, 0, 1 << 20, other)
        C.aclrtStreamWaitEvent(stream, event)
        before = sim.time_ns()
        with pytest.raises(SimulatedHang):
            C.aclrtSynchronizeStream(stream)
        assert sim.time_ns() == sim.scheduler.now > before


@pytest.mark.parametrize("threads", ["free", "deterministic"])
@pytest.mark.parametrize("wait", ["stream", "device", "event"])
def test_a_time_out_that_an_abort_follows_is_no_error(wait: str, threads: str) -> None:
    with Simulator(threads=threads) as sim:
        must(C.aclrtSetDevice(0))
        worker, ready = must(C.aclrtCreateStream()), must(C.aclrtCreateEventWithFlag(1))
        after = must(C.aclrtCreateEventExWithFlag(1))
        must(C.aclrtStreamWaitEvent(worker, ready))
        must(C.aclrtRecordEvent(after, worker))
        call, code = {
            "stream": (lambda: C.aclrtSynchronizeStreamWithTimeout(worker, 100), 507046),
            "device": (lambda: C.aclrtSynchronizeDeviceWithTimeout(100), 507046),
            "event": (lambda: C.aclrtSynchronizeEventWithTimeout(after, 100), 507047),
        }[wait]
        assert call() == code
        must(C.aclrtStreamAbort(worker))
        must(C.aclrtSynchronizeStream(worker))
        assert [f.severity for f in sim.findings] == ["warning"]
        assert sim.findings[0].notes[-1].endswith("ends this wait")
        must(C.aclrtStreamWaitEvent(worker, ready))
        with pytest.raises(SimulatedHang):
            C.aclrtSynchronizeStream(worker)
        assert [f.severity for f in sim.findings] == ["warning", "error"], "a wait without a limit is a hang"
    assert [f.severity for f in sim.findings][:2] == ["warning", "error"], "what the abort ended stays a warning"


@pytest.mark.parametrize("ended", [True, False])
def test_a_time_out_that_nothing_follows_is_an_error_at_the_end(ended: bool, tmp_path: Path) -> None:
    out, pages = io.StringIO(), Spool(str(tmp_path))
    with Simulator(checks="memory,rules") as sim:
        sim.findings.sinks += [Printer(out), pages]
        must(C.aclrtSetDevice(0))
        worker, ready = must(C.aclrtCreateStream()), must(C.aclrtCreateEventWithFlag(1))
        must(C.aclrtStreamWaitEvent(worker, ready))
        for _ in range(2):
            assert C.aclrtSynchronizeStreamWithTimeout(worker, 100) == 507046
        if ended:
            must(C.aclrtRecordEvent(ready, None))
            must(C.aclrtSynchronizeDevice())
    (finding,) = [f for f in sim.findings if f.kind == "deadlock"]
    assert finding.severity == ("warning" if ended else "error")
    assert ("nothing had ended that wait" in finding.notes[-1]) is not ended
    assert out.getvalue().count("error[F1]") == (not ended)
    pages.close()
    (spooled,) = [f for f in read(str(tmp_path)) if f.kind == "deadlock"]
    assert (spooled.severity, spooled.notes, spooled.count) == (finding.severity, finding.notes, 2)


def test_the_warning_of_a_first_time_out_becomes_the_error_of_the_thousandth() -> None:
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        worker, ready = must(C.aclrtCreateStream()), must(C.aclrtCreateEventWithFlag(1))
        must(C.aclrtStreamWaitEvent(worker, ready))
        with pytest.raises(SimulatedHang):
            for _ in range(5000):
                C.aclrtSynchronizeStreamWithTimeout(worker, 100)
        (finding,) = sim.findings
    assert finding.severity == "error"


ENDS: dict[str, list[Any]] = {
    "reset": [lambda: C.aclrtResetDevice(0)],
    "reset by force": [lambda: C.aclrtResetDeviceForce(0)],
    "reset and finalise": [lambda: C.aclrtResetDeviceForce(0), C.aclFinalize],
    "finalise": [C.aclFinalize],
    "finalise a reference": [lambda: C.aclFinalizeReference()[1]],
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("cure", ["stream", "device", "force"])
def test_a_time_out_that_an_abort_and_an_end_follow_is_no_error(cure: str, end: str) -> None:
    """Whatever ends the wait, and whatever ends the program then."""
    with Simulator() as sim:
        must(C.aclInit(None))
        must(C.aclrtSetDevice(0))
        worker, ready = must(C.aclrtCreateStream()), must(C.aclrtCreateEventWithFlag(1))
        must(C.aclrtStreamWaitEvent(worker, ready))
        assert C.aclrtSynchronizeStreamWithTimeout(worker, 100) == 507046
        if cure == "stream":
            must(C.aclrtStreamAbort(worker))
        elif cure == "device":
            must(C.aclrtDeviceTaskAbort(0, 1000))
        if cure == "force":
            must(C.aclrtDestroyStreamForce(worker))
        else:
            must(C.aclrtDestroyStream(worker))
        must(C.aclrtDestroyEvent(ready))
        for call in ENDS[end]:
            assert call() == 0
    assert [(f.kind, f.severity) for f in sim.findings] == [("deadlock", "warning")]


def test_an_explicit_context_takes_the_wait_along() -> None:
    with Simulator() as sim:
        context = must(C.aclrtCreateContext(0))
        worker, ready = must(C.aclrtCreateStream()), must(C.aclrtCreateEventWithFlag(1))
        must(C.aclrtStreamWaitEvent(worker, ready))
        assert C.aclrtSynchronizeStreamWithTimeout(worker, 100) == 507046
        assert C.aclrtDestroyContext(context) == 0
    assert [f.severity for f in sim.findings if f.kind == "deadlock"] == ["warning"]
