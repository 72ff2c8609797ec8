"""The free group: real threads, one lock; virtual time-outs and hangs when every attached thread is blocked."""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang
from ascend_sim.observers.observer import Observer
from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.threads.free import FreeThreads
from ascend_sim.runtime.threads.host_threads import HostThread
from tests.unit.runtime.threads.fake_device import Reports, Stream, World


@pytest.fixture
def world() -> World:
    world = World(FreeThreads())
    world.thread()
    return world


def start(body: Callable[[], Any], daemon: bool = True) -> tuple[threading.Thread, list[Any]]:
    """A thread, and what its body returned or raised."""
    result: list[Any] = []

    def run() -> None:
        try:
            result.append(body())
        except (Exception, SimulatedHang) as error:  # noqa: BLE001 - the test looks at it
            result.append(error)

    thread = threading.Thread(target=run, daemon=daemon)
    thread.start()
    return thread, result


def finish(thread: threading.Thread) -> None:
    thread.join()
    assert not thread.is_alive()


def test_threads_are_numbered_in_the_order_of_their_first_calls(world: World) -> None:
    thread, result = start(lambda: world.thread().number)
    finish(thread)
    assert result == [1]
    assert world.thread().number == 0


def test_the_dead_are_detached(world: World) -> None:
    finish(start(world.thread)[0])
    assert world.group.attached() == [world.thread()]


def test_a_thread_waits_for_what_another_one_completes(world: World) -> None:
    signal = Signal()
    thread, result = start(lambda: world.sync(signal))
    time.sleep(0.05)
    t = world.enter()
    world.scheduler.complete(signal, 123_000)
    world.leave(t)
    finish(thread)
    assert result == [True]


def test_the_device_is_driven_by_whoever_waits(world: World) -> None:
    task = world.submit(Stream(1), 50_000)
    thread, result = start(lambda: (world.sync(task), world.thread().clock))
    finish(thread)
    assert result == [(True, 51_000)]
    world.submit(Stream(2), 10)
    assert world.thread().clock == 52_000  # a call that begins later is not earlier


def test_all_blocked_the_earliest_deadline_fires_without_sleeping(world: World) -> None:
    never = Signal()
    first, one = start(lambda: world.sync(never, Stream(1), 3_600 * 10**9))
    second, two = start(lambda: world.sync(never, Stream(2), 7_200 * 10**9))
    assert not world.sync(never, Stream(3), 9_000 * 10**9)
    finish(first)
    finish(second)
    assert (one, two) == ([False], [False])


def test_as_long_as_a_thread_is_elsewhere_a_deadline_keeps_the_real_pace(world: World) -> None:
    """Main is outside: the time-out of the other thread takes as long as it says."""
    began = time.monotonic()
    thread, result = start(lambda: world.sync(Signal(), Stream(1), 200_000_000))
    while thread.is_alive():
        time.sleep(0.01)
    assert result == [False]
    assert time.monotonic() - began > 0.15


def test_all_blocked_for_ever_is_a_hang_of_all_in_calls(world: World) -> None:
    found: list[Any] = []
    world.group.on_deadlock = lambda threads, lines: found.append(([t.number for t in threads], lines))
    thread, result = start(lambda: world.sync(Signal(), Stream(1)), daemon=False)
    with pytest.raises(SimulatedHang):  # not before the thread, which has not called yet, is blocked too
        world.sync(Signal(), Stream(2))
    finish(thread)
    assert isinstance(result[0], SimulatedHang)
    assert len(found) == 1
    assert found[0][0] == [0, 1]


def test_main_that_joins_a_hung_worker_hears_of_it_after_a_second(world: World) -> None:
    thread, result = start(lambda: world.sync(Signal(), Stream(1)))
    thread.join()
    assert isinstance(result[0], SimulatedHang)


def test_main_that_sleeps_or_reads_is_no_hang(world: World) -> None:
    thread, result = start(lambda: world.sync(Signal(), Stream(1)))
    time.sleep(1.5)
    assert result == []
    world.group.close(world)
    finish(thread)
    assert isinstance(result[0], SimulatedHang)
    assert "closed" in str(result[0])


def test_user_code_runs_without_the_lock(world: World) -> None:
    """A callback waits for a thread that calls."""
    reports, stream, others = Reports(), Stream(1), []

    def callback() -> None:
        thread, result = start(lambda: world.submit(Stream(2), 10))
        finish(thread)
        others.append(result)

    world.callback(stream, reports, callback)
    assert world.process_report(reports, 1_000_000)
    assert isinstance(others[0][0], Signal)


def test_a_service_thread_serves_and_ends_with_the_simulator(world: World) -> None:
    ended = threading.Event()
    served: list[int] = []
    work: list[Signal] = []

    def serve(t: Any) -> None:
        try:
            while True:
                wanted = Signal()
                work.append(wanted)
                world.group.block(t, wanted)
                served.append(t.number)
        finally:
            ended.set()

    t = world.enter()
    world.group.spawn_service(world, serve, "service")
    world.leave(t)
    while not work:
        time.sleep(0.01)
    t = world.enter()
    world.scheduler.complete(work[0], 5)
    world.leave(t)
    while len(work) < 2:
        time.sleep(0.01)
    assert served == [1]
    with pytest.raises(SimulatedHang):  # the service waits for work: main alone is at fault
        world.sync(Signal(), Stream(1))
    world.group.close(world)
    assert ended.wait()


def test_polls_wait_for_a_thread_that_may_act(world: World) -> None:
    signal = Signal()

    def act() -> None:
        time.sleep(0.1)
        t = world.enter()
        world.scheduler.complete(signal, t.clock)
        world.leave(t)

    def body() -> None:
        world.thread()
        act()

    thread, _ = start(body)
    while len(world.group.attached()) < 2:
        time.sleep(0.001)
    while not world.query(signal):
        pass
    finish(thread)


def test_many_threads_do_a_lot_of_work(world: World) -> None:
    def work() -> int:
        stream = Stream(threading.get_ident())
        return sum(world.sync(world.submit(stream, 100)) for _ in range(200))

    threads = [start(work) for _ in range(8)]
    for thread, result in threads:
        finish(thread)
        assert result == [200]


def test_a_thread_that_has_not_called_yet_may_end_a_wait(world: World) -> None:
    signal = Signal()

    def late() -> None:
        time.sleep(0.2)
        t = world.enter()
        world.scheduler.complete(signal, t.clock)
        world.leave(t)

    thread, _ = start(late)
    assert world.sync(signal, Stream(1))
    finish(thread)


def test_after_a_fork_the_child_has_new_locks(world: World) -> None:
    notes: list[str] = []
    world.group.on_note = lambda kind, text, stands: notes.append(kind)
    thread, _ = start(lambda: world.sync(Signal(), Stream(1), 10**9))
    while len(world.group.attached()) < 2:
        time.sleep(0.001)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        alone = world.group.attached() == [world.thread()]
        os._exit(7 if alone and notes == ["fork-after-init"] and world.sync(world.submit(Stream(2), 10)) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert notes == []
    finish(thread)


def test_a_service_of_another_simulator_does_not_delay_a_hang() -> None:
    """It waits for work in its own group, again and again: seen from here it never stands still."""
    with Simulator() as other:
        C.aclrtSetDevice(0)
        stream, _ = C.aclrtCreateStream()
        assert C.aclrtLaunchHostFunc(stream, lambda _: None, None) == 0
        assert C.aclrtSynchronizeStream(stream) == 0
        assert any(t.service for t in other.threads.attached())
        with Simulator() as sim:
            C.aclrtSetDevice(0)
            stream, _ = C.aclrtCreateStream()
            flag, _ = C.aclrtCreateEventWithFlag(1)
            assert C.aclrtStreamWaitEvent(stream, flag) == 0
            with pytest.raises(SimulatedHang):
                C.aclrtSynchronizeStream(stream)
            assert [f.kind for f in sim.findings] == ["deadlock"] and not list(other.findings)


class _Asks(Observer):
    """Whether each hook of a call is called while the thread has the lock."""

    def __init__(self, sim: Simulator) -> None:
        self.sim = sim
        self.seen: list[tuple[str, bool]] = []

    def _ask(self, t: HostThread, when: str) -> None:
        self.seen.append((when, t.threads.running is t))

    def api_entered(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        self._ask(t, "called")

    def api_returned(self, t: HostThread, name: str, result: Any) -> None:
        self._ask(t, "returned")

    def call_failed(self, t: HostThread, name: str, error: Any) -> None:
        self._ask(t, "failed")


def test_observers_of_calls_have_the_lock() -> None:
    """They walk over the handles; another thread that makes one meanwhile ended the walk with a RuntimeError."""
    with Simulator(threads="free") as sim:
        C.aclrtSetDevice(0)
        asks = sim.attach(_Asks(sim))
        assert C.aclrtCreateStream()[1] == 0
        assert C.aclrtDestroyStream(0) != 0
        sim.detach(asks)
        assert sim.threads.running is None
    assert isinstance(asks, _Asks)
    assert {when for when, _ in asks.seen} == {"called", "returned", "failed"}
    assert all(locked for _, locked in asks.seen)


def test_looking_at_the_simulator_and_changing_it_take_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests and notebooks ask from any thread, while others are in calls."""
    with Simulator(threads="free") as sim:
        C.aclrtSetDevice(0)
        stream, _ = C.aclrtCreateStream()
        watch = Observer()
        taken: list[FreeThreads] = []
        quiet = FreeThreads.quiet
        monkeypatch.setattr(FreeThreads, "quiet", lambda group: taken.append(group) or quiet(group))
        questions: dict[str, Callable[[], Any]] = {
            "show": sim.show,
            "attach": lambda: sim.attach(watch),
            "detach": lambda: sim.detach(watch),
            "hold": lambda: sim.hold(stream),
            "release": lambda: sim.release(stream),
        }
        for name, question in questions.items():
            taken.clear()
            question()
            assert taken == [sim.threads], name
