"""Schedules: legal orders of one program. What a stream or an event orders holds in each of them."""

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.schedules import Replay, make_schedule

MS = 1_000_000
ALL = ["virtual-time", "late", "early", "random(1)", "random(2)", "random(77)"]


def program(world):
    """Two streams with a wait between them and a third one on its own; returns the order in which tasks ended."""
    a, b, c = world.streams(3)
    order = []
    event = world.must(C.aclrtCreateEventExWithFlag(1))

    def work(stream, name, cost):
        world.task(stream, cost, then=lambda _: order.append(name))

    work(a, "a1", 5 * MS)
    world.must(C.aclrtRecordEvent(event, a))
    work(a, "a2", 1 * MS)
    work(c, "c1", 2 * MS)
    world.must(C.aclrtStreamWaitEvent(b, event))
    work(b, "b1", 1 * MS)
    work(c, "c2", 2 * MS)
    assert C.aclrtSynchronizeDevice() == 0
    return order


@pytest.mark.parametrize("schedule", ALL)
def test_streams_and_events_order_the_same_in_every_schedule(build, schedule):
    order = program(build(schedule=schedule))
    assert sorted(order) == ["a1", "a2", "b1", "c1", "c2"]
    assert order.index("a1") < order.index("a2")
    assert order.index("c1") < order.index("c2")
    assert order.index("a1") < order.index("b1")


@pytest.mark.parametrize("schedule", ALL)
def test_the_same_schedule_twice_is_the_same_run(build, schedule):
    assert program(build(schedule=schedule, seed=3)) == program(build(schedule=schedule, seed=3))


def test_random_schedules_find_different_orders(build):
    orders = {tuple(program(build(schedule=f"random({seed})"))) for seed in range(20)}
    assert len(orders) > 5


def test_random_takes_the_seed_of_the_simulator(build):
    assert program(build(schedule="random", seed=5)) == program(build(schedule="random(5)", seed=9))


def test_late_runs_only_what_the_wait_needs(build):
    world = build(schedule="late")
    a, b = world.streams(2)
    ran = []
    world.task(a, 1000, then=lambda _: ran.append("a"))
    world.task(b, 1000, then=lambda _: ran.append("b"))
    world.t.clock += 50 * MS
    world.must(world.sync(b))
    assert ran == ["b"]
    assert C.aclrtStreamQuery(a) == (1, 0), "however late it is"


def test_late_runs_the_stream_that_is_waited_for_on_the_device(build):
    world = build(schedule="late")
    a, b, c = world.streams(3)
    ran = []
    event = world.must(C.aclrtCreateEventExWithFlag(1))
    world.task(c, 1000, then=lambda _: ran.append("c"))
    world.task(a, 1000, then=lambda _: ran.append("a"))
    world.must(C.aclrtRecordEvent(event, a))
    world.must(C.aclrtStreamWaitEvent(b, event))
    world.must(world.sync(b))
    assert ran == ["a"]


def test_late_still_ends_a_polling_loop(build):
    world = build(schedule="late")
    stream = world.stream()
    world.task(stream, 1000)
    asked = 0
    while C.aclrtStreamQuery(stream)[0]:
        asked += 1
        assert asked < 1000
    assert asked > 10, "a program that trusts the first answers is found out"


def test_early_is_done_before_the_next_call(build):
    world = build(schedule="early")
    stream = world.stream()
    ran = []
    world.task(stream, 50 * MS, then=ran.append)
    world.must(C.aclrtStreamGetId(stream))
    assert ran


@pytest.mark.parametrize("schedule", ALL)
def test_a_limit_on_the_device_fires_only_when_nothing_else_can_happen(build, schedule):
    world = build(schedule=schedule)
    a, b = world.streams(2)
    flag = world.must(C.aclrtCreateEventWithFlag(1))
    world.must(C.aclrtStreamWaitEventWithTimeout(b, flag, 1))
    world.task(a, 100 * MS)
    world.must(C.aclrtRecordEvent(flag, a))
    assert world.sync(b) == 0


@pytest.mark.parametrize("schedule", ALL)
def test_a_hang_is_a_hang_in_every_schedule(build, schedule):
    world = build(schedule=schedule)
    stream, flag = world.stream(), world.must(C.aclrtCreateEventWithFlag(1))
    world.must(C.aclrtStreamWaitEvent(stream, flag))
    with pytest.raises(SimulatedHang):
        world.sync(stream)


def test_replay_follows_what_it_is_told(build):
    wanted = ["c1", "c2", "a1", "a2", "b1"]
    numbers = {"a": 2, "b": 3, "c": 4}  # the default stream is stream 1

    def decide(ready, w):
        if w is None:
            return None
        for name in "cab":
            for entry in ready:
                if entry[3].number == numbers[name]:
                    return entry
        return None

    assert program(build(schedule=Replay(decide))) == wanted


def test_unknown_names():
    with pytest.raises(ValueError, match="random"):
        make_schedule("fast", 0)
