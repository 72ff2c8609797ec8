"""Host callbacks (docs/semantics/callbacks.md): who serves them, what they hold up, two families that never mix."""

import threading

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang
from tests.kit.forks import HANG

MS = 1_000_000
NO_BLOCK, BLOCK = 0, 1


def me():
    return threading.get_ident()


@pytest.fixture
def served(world):
    stream = world.stream()
    world.must(C.aclrtSubscribeReport(me(), stream))
    return stream


# -- reports of a subscribed thread ------------------------------------------------------------------------------------


def test_a_callback_starts_when_earlier_tasks_are_done(world, served):
    order = []
    world.task(served, 3 * MS, then=lambda _: order.append("task"))
    world.must(C.aclrtLaunchCallback(order.append, "callback", NO_BLOCK, served))
    assert C.aclrtProcessReport(-1) == 0
    assert order == ["task", "callback"]


def test_block_holds_the_stream_and_no_block_does_not(world, served):
    order = []
    world.must(C.aclrtLaunchCallback(order.append, "loose", NO_BLOCK, served))
    world.task(served, 1000, then=lambda _: order.append("after loose"))
    world.must(C.aclrtLaunchCallback(order.append, "block", BLOCK, served))
    world.task(served, 1000, then=lambda _: order.append("after block"))
    world.t.clock += 5 * MS
    assert C.aclrtStreamQuery(served) == (1, 0)
    assert order == ["after loose"], "nobody serves yet"
    assert C.aclrtProcessReport(10) == 0
    assert order == ["after loose", "loose", "block"], "everything that was reported, then it returns"
    assert world.sync(served) == 0
    assert order[-1] == "after block"


def test_the_stream_goes_on_at_the_end_of_the_callback(world, served):
    ends = []
    world.must(C.aclrtLaunchCallback(lambda _: world.sim.threads.sleep(world.t, 30 * MS), None, BLOCK, served))
    world.task(served, 1000, then=ends.append)
    world.must(C.aclrtProcessReport(-1))
    world.must(world.sync(served))
    assert ends[0] >= 30 * MS


def test_one_thread_serves_many_streams(world, served):
    other, order = world.stream(), []
    world.must(C.aclrtSubscribeReport(me(), other))
    world.task(served, 2 * MS)
    world.must(C.aclrtLaunchCallback(order.append, "slow", BLOCK, served))
    world.must(C.aclrtLaunchCallback(order.append, "quick", BLOCK, other))
    world.must(C.aclrtProcessReport(-1))
    world.must(C.aclrtProcessReport(-1))
    assert order == ["quick", "slow"]


def test_nothing_reported_in_time(world, served):
    began = world.t.clock
    assert C.aclrtProcessReport(20) == 507012
    assert world.t.clock >= began + 20 * MS
    assert not world.kinds(), "an idle serving thread is no deadlock"


def test_subscriptions(build):
    world = build(devices=2)
    a, b = world.streams(2)
    other = threading.get_ident() + 1
    assert C.aclrtSubscribeReport(me(), a) == 0
    assert C.aclrtSubscribeReport(me(), a) == 107011
    assert C.aclrtSubscribeReport(other, a) == 107011
    assert C.aclrtUnSubscribeReport(other, a) == 107012
    assert C.aclrtUnSubscribeReport(me(), b) == 107011
    assert C.aclrtSubscribeReport(me(), 0) == 0, "NULL is the default stream"
    world.must(C.aclrtSetDevice(1))
    elsewhere = world.stream()
    assert C.aclrtSubscribeReport(me(), elsewhere) == 107012, "one device a thread"
    assert C.aclrtUnSubscribeReport(me(), a) == 0
    assert C.aclrtUnSubscribeReport(me(), a) == 107011


def test_a_foreign_stream_can_be_subscribed_but_takes_no_callback(world):
    stream = world.stream()
    world.must(C.aclrtCreateContext(0))
    assert C.aclrtSubscribeReport(me(), stream) == 0
    assert C.aclrtLaunchCallback(print, None, BLOCK, stream) == 107003


def test_there_are_at_most_1024_serving_threads(build):
    world = build(limits={"streams": 2000})
    streams = world.streams(1025)
    codes = [C.aclrtSubscribeReport(100 + i, stream) for i, stream in enumerate(streams)]
    assert codes == [0] * 1024 + [507000]
    assert C.aclrtSubscribeReport(100, streams[-1]) == 0, "a thread that serves already may take one more"


def test_destroying_a_stream_ends_its_subscription(world, served):
    world.must(C.aclrtDestroyStream(served))
    assert C.aclrtProcessReport(1) == 107012


def test_the_order_of_the_tests_of_launch_callback(world, served):
    free, mixed = world.streams(2)
    world.must(C.aclrtLaunchHostFunc(mixed, lambda _: None, None))
    foreign = world.stream()
    context = world.must(C.aclrtCreateContext(0))
    world.must(C.aclrtSetDevice(0))
    assert C.aclrtLaunchCallback(None, None, 2, 1) == 100000, "the block type"
    assert C.aclrtLaunchCallback(None, None, BLOCK, 1) == 107017, "then the handle"
    assert C.aclrtLaunchCallback(None, None, BLOCK, mixed) == 107000, "then the function"
    world.must(C.aclrtSetCurrentContext(context))
    assert C.aclrtLaunchCallback(print, None, BLOCK, mixed) == 107011, "then the other family"
    assert C.aclrtLaunchCallback(print, None, BLOCK, foreign) == 107003, "then the context"
    world.must(C.aclrtSetDevice(0))
    assert C.aclrtLaunchCallback(print, None, BLOCK, free) == 107015, "then whether somebody serves"
    assert C.aclrtLaunchCallback(print, None, BLOCK, 0) == 107015
    world.t.drop_context()
    assert C.aclrtLaunchCallback(print, None, BLOCK, free) == 107002
    assert C.aclrtLaunchCallback(None, None, BLOCK, free) == 107000


def test_block_without_anybody_who_serves_is_a_deadlock(world, served):
    world.must(C.aclrtLaunchCallback(print, None, BLOCK, served))
    with pytest.raises(SimulatedHang):
        world.sync(served)
    assert world.kinds() == ["deadlock"]


def test_an_exception_comes_out_of_process_report(world, served):
    def fails(_):
        raise KeyError("mine")

    world.must(C.aclrtLaunchCallback(fails, None, BLOCK, served))
    world.task(served)
    with pytest.raises(KeyError, match="mine"):
        C.aclrtProcessReport(-1)
    assert world.sync(served) == 0, "and the stream goes on"


# -- host functions ----------------------------------------------------------------------------------------------------


def test_host_functions_need_nobody_and_hold_the_stream(world):
    stream, order = world.stream(), []
    world.task(stream, 2 * MS, then=lambda _: order.append("before"))
    world.must(C.aclrtLaunchHostFunc(stream, order.append, "host"))
    world.task(stream, 1000, then=lambda _: order.append("after"))
    assert world.sync(stream) == 0
    assert order == ["before", "host", "after"]


def test_they_run_in_a_thread_of_the_runtime_one_for_each_context(world):
    names = []

    def note(_):
        names.append(threading.get_ident())

    a, b = world.streams(2)
    world.must(C.aclrtLaunchHostFunc(a, note, None))
    world.must(C.aclrtLaunchHostFunc(b, note, None))
    world.must(C.aclrtSynchronizeDevice())
    world.must(C.aclrtCreateContext(0))
    c = world.stream()
    world.must(C.aclrtLaunchHostFunc(c, note, None))
    world.must(world.sync(c))
    assert me() not in names
    assert names[0] == names[1] != names[2]


def ended(threads):
    """Whether all of them end soon."""
    for thread in threads:
        thread.join(HANG)
    return not any(thread.is_alive() for thread in threads)


def test_the_thread_ends_with_its_context(world):
    context = world.must(C.aclrtCreateContext(0))
    stream, threads = world.stream(), []
    world.must(C.aclrtLaunchHostFunc(stream, lambda _: threads.append(threading.current_thread()), None))
    world.must(world.sync(stream))
    world.must(C.aclrtDestroyContext(context))
    world.must(C.aclrtSetDevice(0))
    assert ended(threads)


def test_the_thread_ends_with_the_simulator_even_when_it_never_worked(build):
    """It may not even have begun when the simulator closes."""
    for _ in range(20):
        before = set(threading.enumerate())
        world = build()
        world.must(C.aclrtLaunchHostFunc(world.stream(), lambda _: None, None))
        world.sim.close()
        assert ended(set(threading.enumerate()) - before)


def test_a_host_function_that_raises_fails_its_task(world):
    def fails(_):
        raise ValueError("mine")

    stream, ran = world.stream(), []
    world.must(C.aclrtLaunchHostFunc(stream, fails, None))
    world.task(stream, then=ran.append)
    assert world.sync(stream) == 507000
    assert ran
    assert world.sync(stream) == 0


def test_user_data_may_be_any_object(world):
    stream, seen = world.stream(), []
    for thing in ("text", 7, None, [1, 2], object()):
        world.must(C.aclrtLaunchHostFunc(stream, seen.append, thing))
    world.must(world.sync(stream))
    assert len(seen) == 5
    assert seen[:4] == ["text", 7, None, [1, 2]]


def serving(world, *streams):
    """The calling thread serves the callbacks of *streams*."""
    for stream in streams:
        world.must(C.aclrtSubscribeReport(threading.get_ident(), stream))


def test_one_call_of_process_report_serves_several_streams(world):
    a, b = world.streams(2)
    serving(world, a, b)
    ran = []
    for stream, name in ((a, "a"), (b, "b"), (a, "a2")):
        world.must(C.aclrtLaunchCallback(ran.append, name, C.ACL_CALLBACK_NO_BLOCK, stream))
    for stream in (a, b):
        world.must(world.sync(stream))
    assert C.aclrtProcessReport(1) == 0
    assert sorted(ran) == ["a", "a2", "b"]
    assert ran.index("a") < ran.index("a2")
    assert C.aclrtProcessReport(1) == 507012


def test_destroying_a_stream_waits_for_its_callbacks_by_force_it_does_not(world):
    a, b = world.streams(2)
    serving(world, a, b)
    ran = []
    world.hold(a)
    world.must(C.aclrtLaunchCallback(ran.append, "a", C.ACL_CALLBACK_BLOCK, a))
    world.must(C.aclrtDestroyStreamForce(a))
    assert C.aclrtProcessReport(1) == 507012
    assert not ran
    world.must(C.aclrtLaunchCallback(ran.append, "b", C.ACL_CALLBACK_BLOCK, b))
    with pytest.raises(SimulatedHang):
        C.aclrtDestroyStream(b)  # the thread that waits is the one that serves


def test_a_callback_that_launches_the_next_one_is_served_in_the_next_round(world):
    stream = world.stream()
    serving(world, stream)
    ran = []

    def first(data):
        ran.append(data)
        C.aclrtLaunchCallback(ran.append, "second", C.ACL_CALLBACK_BLOCK, stream)

    world.must(C.aclrtLaunchCallback(first, "first", C.ACL_CALLBACK_BLOCK, stream))
    assert C.aclrtProcessReport(100) == 0
    assert ran[0] == "first"
    if len(ran) == 1:
        assert C.aclrtProcessReport(100) == 0
    assert ran == ["first", "second"]
    assert world.sync(stream) == 0
