"""Signal handlers that raise, or call the API, wherever in a call the signal comes."""

from __future__ import annotations

import _signal
import gc
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest

import ascend_sim.ascendcl as acl
from ascend_sim import Simulator, pyacl
from ascend_sim.runtime.threads.signal_handlers import HANDLERS

STEPS = 1_000
"""About so many instructions of the simulator are in one `work`."""
PYACL = pyacl.modules()["acl"]


class Interrupted(Exception):
    """What the handlers raise."""


@pytest.fixture(autouse=True)
def quiet_collector() -> Iterator[None]:
    """Without callbacks of the collector in Python (hypothesis has one): they would swallow what a handler raises."""
    kept, gc.callbacks[:] = gc.callbacks[:], []
    yield
    gc.callbacks[:] = kept


@pytest.fixture(params=["free", "deterministic"])
def sim(request: pytest.FixtureRequest) -> Iterator[Simulator]:
    before = signal.getsignal(signal.SIGUSR1)
    with Simulator(threads=request.param, limits={"stream_depth": 4}) as sim:
        assert acl.aclInit(None) == acl.aclrtSetDevice(0) == 0
        yield sim
        signal.signal(signal.SIGUSR1, before)


def by_c_names() -> None:
    stream, _ = acl.aclrtCreateStream()
    event, _ = acl.aclrtCreateEvent()
    memory, _ = acl.aclrtMalloc(64, 0)
    codes = [acl.aclrtMemsetAsync(memory, 64, 1, 64, stream) for _ in range(6)]  # the queue is full after four
    codes += [acl.aclrtRecordEvent(event, stream), acl.aclrtSynchronizeEvent(event), acl.aclrtSynchronizeStream(stream)]
    codes += [acl.aclrtFree(memory), acl.aclrtDestroyEvent(event), acl.aclrtDestroyStream(stream)]
    assert codes == [0] * 12


def by_pyacl() -> None:
    stream, _ = PYACL.rt.create_stream()
    memory, _ = PYACL.rt.malloc(64, 0)
    codes = [PYACL.rt.memset_async(memory, 64, 1, 64, stream) for _ in range(6)]
    codes += [PYACL.rt.synchronize_stream(stream), PYACL.rt.free(memory), PYACL.rt.destroy_stream(stream)]
    assert codes == [0] * 9


def deliver(at: int, program: Callable[[], None]) -> None:
    """Run *program*; SIGUSR1 comes before instruction *at* that it runs of the simulator."""
    met = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal met
        file = frame.f_code.co_filename
        if ("ascend_sim/" not in file and file not in ("<ascendcl>", "<pyacl>")) or file.endswith("signal_handlers.py"):
            return None
        frame.f_trace_opcodes = True
        met += 1
        if met == at:
            _signal.getsignal(signal.SIGUSR1)(signal.SIGUSR1, frame)
        return trace

    sys.settrace(trace)
    try:
        program()
    finally:
        sys.settrace(None)


@pytest.mark.parametrize("work", [by_c_names, by_pyacl])
def test_a_handler_raises_in_the_middle_of_a_call(sim: Simulator, work: Callable[[], None]) -> None:
    def handler(number: int, frame: FrameType | None) -> None:
        raise Interrupted

    signal.signal(signal.SIGUSR1, handler)
    places = random.Random(14)
    for _ in range(60):
        with pytest.raises(Interrupted):
            deliver(places.randrange(1, STEPS), work)
        work()
    assert [finding.kind for finding in sim.findings] == []


@pytest.mark.parametrize("work", [by_c_names, by_pyacl])
def test_a_handler_calls_the_api_in_the_middle_of_a_call(sim: Simulator, work: Callable[[], None]) -> None:
    came = []

    def handler(number: int, frame: FrameType | None) -> None:
        work()
        came.append(number)

    signal.signal(signal.SIGUSR1, handler)
    places = random.Random(14)
    for _ in range(60):
        deliver(places.randrange(1, STEPS), work)
        work()
    assert len(came) == 60
    assert [finding.kind for finding in sim.findings] == []


def test_signals_of_a_timer_come_anywhere(sim: Simulator) -> None:
    came: list[int] = []
    times = random.Random(14)

    def handler(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if len(came) % 2:
            by_c_names()
        else:
            raise Interrupted

    before = signal.signal(signal.SIGALRM, handler)
    try:
        for count in range(200):
            try:
                signal.setitimer(signal.ITIMER_REAL, times.uniform(1e-6, 3e-4))
                by_c_names()
                while len(came) == count:
                    pass
            except Interrupted:
                pass
    finally:
        signal.signal(signal.SIGALRM, before)
    by_c_names()
    assert [finding.kind for finding in sim.findings if finding.kind == "deadlock"] == []


def test_a_call_that_waits_for_another_thread_is_interrupted(sim: Simulator) -> None:
    stream, _ = acl.aclrtCreateStream()
    assert acl.aclrtMemsetAsync(acl.aclrtMalloc(64, 0)[0], 64, 1, 64, stream) == 0
    sim.hold(stream)
    main = sim.threads.attached()[0]
    interrupted = threading.Event()

    def other() -> None:
        assert acl.aclrtSetDevice(0) == 0
        while main.awaited is None:
            pass
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # type: ignore[arg-type]
        interrupted.wait()

    thread = threading.Thread(target=other)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        acl.aclrtSynchronizeStream(stream)
    interrupted.set()
    thread.join()
    sim.release(stream)
    assert acl.aclrtSynchronizeStream(stream) == 0
    by_c_names()


def test_the_program_sees_its_own_handlers(sim: Simulator) -> None:
    def handler(number: int, frame: FrameType | None) -> None:
        raise Interrupted

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.signal(signal.SIGINT, handler) is signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is handler
    with pytest.raises(Interrupted):
        signal.raise_signal(signal.SIGINT)
    assert signal.signal(signal.SIGINT, signal.default_int_handler) is handler
    sim.close()
    assert _signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert not HANDLERS.pending


def test_a_profile_of_the_program_goes_on(sim: Simulator) -> None:
    seen = []
    signal.signal(signal.SIGUSR1, lambda number, frame: seen.append("signal"))

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        seen.append(event)

    sys.setprofile(profile)
    try:
        deliver(300, by_c_names)
        assert sys.getprofile() is profile
    finally:
        sys.setprofile(None)
    assert "signal" in seen
