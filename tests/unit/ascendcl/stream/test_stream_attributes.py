"""Chapter 06: failure mode, overflow detection and the five attributes of a stream."""

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.ascendcl.structs import aclrtStreamAttrValue

FAILURE_MODE, OVERFLOW_CHECK, USER_TAG, CACHE_OP_INFO, PRIORITY = range(1, 6)
CPU_SCHEDULE, DEVICE_USE_ONLY = 0x10, 0x20
STALE = 0x1234
P310, TRN = "Ascend310P3", "Ascend910A"


def member(name, number):
    value = aclrtStreamAttrValue()
    setattr(value, name, number)
    return value


# -- failure mode ------------------------------------------------------------------------------------------------------


def test_failure_mode_goes_one_way(world):
    stream = world.stream()
    set_mode = C.aclrtSetStreamFailureMode
    assert set_mode(stream, 0) == 0
    assert set_mode(stream, 1) == 0
    assert set_mode(stream, 1) == 0
    assert set_mode(stream, 0) == 207000
    assert C.aclrtGetLastError(0) == 0, "this refusal is not stored"
    assert C.aclrtGetStreamAttribute(stream, FAILURE_MODE)[0].failureMode == 1


def test_only_the_lowest_bit_of_the_mode_counts(world):
    a, b = world.streams(2)
    world.must(C.aclrtSetStreamFailureMode(a, 2))
    world.must(C.aclrtSetStreamFailureMode(b, 3))
    assert [C.aclrtGetStreamAttribute(s, FAILURE_MODE)[0].failureMode for s in (a, b)] == [0, 1]


def test_failure_mode_order_of_checks(world):
    foreign, device_only = world.stream(), world.stream(DEVICE_USE_ONLY)
    world.must(C.aclrtCreateContext(0))
    assert C.aclrtSetStreamFailureMode(STALE, 1) == 107017
    assert C.aclrtSetStreamFailureMode(device_only, 1) == 207000, "before the context of another stream"
    assert C.aclrtSetStreamFailureMode(foreign, 1) == 107003
    world.t.drop_context()
    assert C.aclrtSetStreamFailureMode(STALE, 1) == 107017
    assert C.aclrtSetStreamFailureMode(device_only, 1) == 207000
    assert C.aclrtSetStreamFailureMode(foreign, 1) == 107002
    assert C.aclrtSetStreamFailureMode(0, 1) == 107000, "NULL without a context"


def test_failure_mode_of_the_default_stream(build):
    assert build().sim and C.aclrtSetStreamFailureMode(0, 1) == 0
    assert build(soc=P310).sim and C.aclrtSetStreamFailureMode(0, 1) == 107000
    assert build(switches={"default_stream_failure_mode": "refused"}).sim
    assert C.aclrtSetStreamFailureMode(0, 1) == 207000


def test_failure_mode_as_an_attribute(world):
    stream = world.stream()
    assert C.aclrtSetStreamAttribute(stream, FAILURE_MODE, member("failureMode", 1)) == 0
    assert C.aclrtSetStreamAttribute(stream, FAILURE_MODE, member("failureMode", 0)) == 207000
    assert C.aclrtSetStreamAttribute(stream, FAILURE_MODE, 0) == 100000, "0 is NULL"
    world.task(stream, code=507015)
    assert world.sync(stream) == 507015
    assert C.aclrtGetStreamAttribute(stream, FAILURE_MODE)[0].failureMode == 1


# -- overflow detection ------------------------------------------------------------------------------------------------


def test_overflow_switch_of_one_stream(world):
    a, b = world.streams(2)
    assert C.aclrtSetStreamOverflowSwitch(a, 1) == 0
    assert [C.aclrtGetStreamOverflowSwitch(s) for s in (a, b, 0)] == [(1, 0), (0, 0), (0, 0)]
    assert C.aclrtGetStreamAttribute(a, OVERFLOW_CHECK)[0].overflowSwitch == 1
    assert C.aclrtSetStreamAttribute(a, OVERFLOW_CHECK, member("overflowSwitch", 0)) == 0
    assert C.aclrtGetStreamOverflowSwitch(a) == (0, 0)


def test_overflow_switch_order_of_checks(world):
    foreign = world.stream()
    world.must(C.aclrtCreateContext(0))
    assert C.aclrtSetStreamOverflowSwitch(STALE, 2) == 100000
    assert C.aclrtSetStreamOverflowSwitch(STALE, 1) == 107017
    assert C.aclrtSetStreamOverflowSwitch(foreign, 1) == 107003
    assert C.aclrtGetStreamOverflowSwitch(foreign)[1] == 107003
    assert C.aclrtSetStreamAttribute(STALE, OVERFLOW_CHECK, 2) == 107017, "as an attribute the value comes later"
    assert C.aclrtSetStreamAttribute(foreign, OVERFLOW_CHECK, 2) == 107000
    assert C.aclrtSetStreamAttribute(foreign, OVERFLOW_CHECK, 1) == 107003
    world.t.drop_context()
    assert C.aclrtSetStreamOverflowSwitch(foreign, 1) == 107002
    assert C.aclrtGetStreamOverflowSwitch(0)[1] == 107002


@pytest.mark.parametrize("soc", [P310, TRN])
def test_chips_without_overflow_detection_per_stream(build, soc):
    stream = build(soc=soc).stream()
    assert C.aclrtSetStreamOverflowSwitch(stream, 0) == 0
    assert C.aclrtGetStreamOverflowSwitch(stream) == (1, 0), "it is always on"
    assert C.aclrtSetStreamAttribute(stream, OVERFLOW_CHECK, 5) == 0, "nobody looks at the value"
    assert C.aclrtSetStreamAttribute(stream, USER_TAG, 5) == 0
    assert C.aclrtGetStreamAttribute(stream, USER_TAG)[0].userCustomTag == 0


# -- tag, cached names, priority ---------------------------------------------------------------------------------------


def test_tags(world):
    a, b = world.streams(2)
    assert C.aclrtSetStreamAttribute(a, USER_TAG, 0xFFFFFFFF) == 0
    assert [C.aclrtGetStreamAttribute(s, USER_TAG)[0].userCustomTag for s in (a, b)] == [0xFFFFFFFF, 0]


def test_cached_operator_names(world):
    stream = world.stream()
    assert C.aclrtSetStreamAttribute(stream, CACHE_OP_INFO, 2) == 107000
    assert C.aclrtSetStreamAttribute(stream, CACHE_OP_INFO, 1) == 0
    assert C.aclrtGetStreamAttribute(stream, CACHE_OP_INFO)[0].cacheOpInfoSwitch == 1


def test_priority_where_it_can_be_changed(build):
    world = build(soc="Ascend950PR_9599")
    stream, cpu = world.stream(), world.stream(CPU_SCHEDULE)
    for wanted, got in ((3, 3), (9, 7), (0xFFFFFFFF, 0)):
        assert C.aclrtSetStreamAttribute(stream, PRIORITY, wanted) == 0
        assert C.aclrtGetStreamAttribute(stream, PRIORITY)[0].streamPriority == got
    assert C.aclrtSetStreamAttribute(cpu, PRIORITY, 1) == 207000
    assert C.aclrtSetStreamAttribute(0, PRIORITY, 1) == 107000


def test_a_changed_priority_counts(build):
    world = build(soc="Ascend950PR_9599")
    a, b = world.streams(2)
    order = []
    for stream, name in ((a, "a"), (b, "b")):
        world.hold(stream)
        world.task(stream, 1000, then=lambda _, name=name: order.append(name))
    world.must(C.aclrtSetStreamAttribute(a, PRIORITY, 7))
    world.must(C.aclrtSetStreamAttribute(b, PRIORITY, 1))
    world.release(a)
    world.release(b)
    world.must(C.aclrtSynchronizeDevice())
    assert order == ["b", "a"]


# -- all of them -------------------------------------------------------------------------------------------------------


def test_unknown_attributes_and_values(world):
    stream = world.stream()
    assert C.aclrtSetStreamAttribute(STALE, 9, None) == 100000
    assert C.aclrtSetStreamAttribute(STALE, 9, 1) == 107017
    for attribute in (0, 6):
        assert C.aclrtSetStreamAttribute(stream, attribute, 1) == 107000
        assert C.aclrtGetStreamAttribute(stream, attribute)[1] == 107000
    assert C.aclrtSetStreamAttribute(stream, USER_TAG, "seven") == 100000
    assert C.aclrtGetStreamAttribute(STALE, USER_TAG)[1] == 107017
