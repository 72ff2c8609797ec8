"""One thread alone: waiting, polling and sleeping only move its clock and the device. Both groups do the same."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.free import FreeThreads
from ascend_sim.runtime.threads.host_threads import HostThreads
from tests.unit.runtime.threads.fake_device import Stream, Until, World


@pytest.fixture(params=[DeterministicThreads, FreeThreads], ids=["deterministic", "free"])
def world(request: pytest.FixtureRequest) -> World:
    group: HostThreads = request.param()
    return World(group)


def deadlocks(world: World) -> list[Any]:
    found: list[Any] = []
    world.group.on_deadlock = lambda threads, lines: found.append((list(threads), list(lines)))
    return found


def test_a_wait_moves_the_clock_to_the_end_of_the_task(world: World) -> None:
    task = world.submit(Stream(1), 5_000)
    t = world.thread()
    assert t.clock == 1_000
    assert world.sync(task)
    assert t.clock == 6_000


def test_device_events_up_to_the_end_of_the_wait_happen_too_and_later_ones_do_not(world: World) -> None:
    early, same, late = (world.submit(Stream(i), ns) for i, ns in enumerate((1_000, 5_000, 9_000)))
    first = world.submit(Stream(9), 3_000)  # ends at 7000, as `same` does
    world.sync(first)
    assert (early.done, same.done, late.done) == (True, True, False)


def test_a_wait_for_what_is_done_costs_its_call_only(world: World) -> None:
    task = world.submit(Stream(1), 5)
    world.sync(task)
    before = world.thread().clock
    world.sync(task)
    assert world.thread().clock == before + 1_000


def test_a_deadline_passes_in_virtual_time_and_the_task_goes_on(world: World) -> None:
    task = world.submit(Stream(1), 1 << 40)
    found = deadlocks(world)
    assert not world.sync(task, Stream(1), timeout_ns=7_000)
    assert world.thread().clock == 9_000
    assert world.sync(task)
    assert found == []  # the task would have ended the wait


def test_an_event_at_the_time_of_the_deadline_goes_first(world: World) -> None:
    task = world.submit(Stream(1), 8_000)
    assert world.sync(task, timeout_ns=7_000)


def test_a_deadline_that_ends_a_hopeless_wait_is_reported_and_the_call_goes_on(world: World) -> None:
    found = deadlocks(world)
    assert not world.sync(Signal(), Stream(3), timeout_ns=60_000_000_000)
    [(threads, lines)] = found
    assert threads == [world.thread()]
    assert lines[0].startswith("T0 (main): waits for stream 3 to finish at ")


def test_a_reason_may_say_that_its_time_out_is_no_fault(world: World) -> None:
    class Patient(Until):
        may_time_out = True

    found = deadlocks(world)
    t = world.enter()
    assert not world.group.block(t, Signal(), 99_000, Patient(Stream(1)))
    world.leave(t)
    assert found == []


def test_a_wait_that_nobody_can_end_is_a_hang_at_once(world: World) -> None:
    found = deadlocks(world)
    with pytest.raises(SimulatedHang, match=r"T0 .main.: waits for stream 1 to finish at .*fake_device.py:"):
        world.sync(Signal(), Stream(1))
    assert [threads for threads, _ in found] == [[world.thread()]]
    assert world.sync(world.submit(Stream(2), 10))  # the thread goes on if it wants to


def test_the_first_polls_cost_their_call_and_later_ones_double(world: World) -> None:
    task = world.submit(Stream(1), 1_000_000_000)
    t = world.thread()
    clocks = []
    while not world.query(task):
        clocks.append(t.clock)
    steps = [b - a for a, b in pairwise(clocks)]
    assert set(steps[:14]) == {1_000}
    assert steps[15:19] == [2_000, 3_000, 5_000, 9_000]
    assert len(clocks) < 50
    assert t.clock == task.end  # up to the event, not beyond


def test_polls_of_many_handles_do_not_count_for_each_other(world: World) -> None:
    tasks = [world.submit(Stream(i), 1 << 40) for i in range(100)]
    began = world.thread().clock
    for task in tasks:
        assert not world.query(task)
    assert world.thread().clock == began + 100 * 1_000


def test_a_submit_begins_the_count_of_polls_again(world: World) -> None:
    task, stream = world.submit(Stream(1), 1 << 40), Stream(2)
    began = world.thread().clock
    for _ in range(100):
        world.query(task)
        world.submit(stream, 1 << 40)
    assert world.thread().clock == began + 200 * 1_000


def test_a_thousand_polls_that_nothing_can_satisfy_are_a_hang(world: World) -> None:
    found = deadlocks(world)
    never, asked = Signal(), 0
    with pytest.raises(SimulatedHang, match="asked 1000 times"):
        while not world.query(never):
            asked += 1
    assert asked >= 999  # polls do not count while a thread of the test runner may do something
    assert len(found) == 1


def test_a_loop_with_a_virtual_time_limit_ends_before_that(world: World) -> None:
    t, never = world.thread(), Signal()
    while t.clock < 600_000_000_000:
        assert not world.query(never)


def test_sleep_runs_the_device_meanwhile(world: World) -> None:
    task = world.submit(Stream(1), 5_000)
    t = world.enter()
    world.group.sleep(t, 10_000)
    world.leave(t)
    assert task.done
    assert t.clock == 12_000


def test_attach_gives_the_same_thread_again_and_detach_forgets_it(world: World) -> None:
    t = world.thread()
    assert world.group.attach(world) is t
    assert world.group.attached() == [t]
    world.group.detach(t)
    assert world.group.attach(world) is not t


def test_two_simulators_share_the_clock_of_a_thread_under_the_deterministic_group() -> None:
    group = DeterministicThreads()
    one, two = World(group), World(group)
    one.sync(one.submit(Stream(1), 50_000))
    two.submit(Stream(1), 10)
    assert two.thread().clock == one.thread().clock + 1_000
    two.sync(two.submit(Stream(1), 70_000))
    one.submit(Stream(1), 10)
    assert one.thread().clock > 120_000


def test_a_new_simulator_after_the_last_one_closed_begins_at_zero() -> None:
    group = DeterministicThreads()
    for _ in range(2):
        world = World(group)
        world.sync(world.submit(Stream(1), 50_000))
        assert (world.thread().number, world.thread().clock) == (0, 51_000)
        group.close(world)
