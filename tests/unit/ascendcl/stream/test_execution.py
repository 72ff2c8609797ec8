"""Chapter 12: ids of tasks; who serves callbacks is tested in runtime/callbacks/test_host_callbacks.py."""

import threading

from ascend_sim import ascendcl as C

NO_TASK = 0xFFFF_FFFF


def test_the_id_of_the_last_task(world):
    stream = world.stream()
    world.must(C.aclrtSetDevice(0))
    first = C.aclrtGetThreadLastTaskId()
    world.task(stream)
    second = world.must(C.aclrtGetThreadLastTaskId())
    world.task(stream)
    third = world.must(C.aclrtGetThreadLastTaskId())
    assert first == (NO_TASK, 0)
    assert second != third
    assert third == world.must(C.aclrtGetThreadLastTaskId())


def test_each_thread_has_its_own(world):
    stream, ids = world.stream(), []
    world.task(stream)
    mine = world.must(C.aclrtGetThreadLastTaskId())

    def work():
        world.must(C.aclrtSetDevice(0))
        ids.append(C.aclrtGetThreadLastTaskId())
        world.task(stream)
        ids.append(C.aclrtGetThreadLastTaskId())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ids[0] == (NO_TASK, 0)
    assert ids[1][0] != mine
    assert world.must(C.aclrtGetThreadLastTaskId()) == mine


def test_it_needs_no_context(world):
    world.task(world.stream())
    before = world.must(C.aclrtGetThreadLastTaskId())
    world.t.drop_context()
    assert C.aclrtGetThreadLastTaskId() == (before, 0)


def test_a_refused_submit_is_no_task(world):
    stream, event = world.stream(), world.must(C.aclrtCreateEventWithFlag(1))
    world.task(stream)
    before = world.must(C.aclrtGetThreadLastTaskId())
    assert C.aclrtRecordEvent(event, 0x1234) == 107017
    assert world.must(C.aclrtGetThreadLastTaskId()) == before
