"""Chapter 11-09: writes of 64 bits and waits for them."""

import ctypes

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.value_wait import satisfied

MS = 1_000_000
GREATER_OR_EQUAL, EQUAL, AND, NOR = range(4)
ALL_ONES, TOP = (1 << 64) - 1, 1 << 63
STALE = 0x1234
H2D, D2H, D2D = 1, 2, 3


@pytest.fixture
def waiting(world):
    """A stream that waits for the 64 bits at an address to be 7, and the ends of the task behind the wait."""
    address, stream, ends = world.device(64), world.stream(), []
    world.must(C.aclrtValueWait(address, 7, EQUAL, stream))
    world.task(stream, 1000, then=ends.append)
    world.t.clock += MS
    assert C.aclrtStreamQuery(stream) == (1, 0)
    return address, stream, ends


def number(value):
    """Host memory with a 64-bit number."""
    return ctypes.c_uint64(value)


def read(world, address):
    buffer = number(0)
    world.must(C.aclrtMemcpy(ctypes.addressof(buffer), 8, address, 8, D2H))
    return buffer.value


# -- conditions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("memory", "value", "result"),
    [
        (7, 7, True),
        (8, 7, True),
        (6, 7, False),
        (0, ALL_ONES, True),  # a counter that wrapped around
        (3, ALL_ONES - 5, True),
        (ALL_ONES, 0, False),
        (TOP, 0, False),
        (TOP - 1, 0, True),
        (0, TOP, False),
        (0, TOP + 1, True),
    ],
)
def test_greater_or_equal_looks_at_the_sign_of_the_difference(memory, value, result):
    assert satisfied(GREATER_OR_EQUAL, memory, value) is result


@pytest.mark.parametrize(
    ("condition", "memory", "value", "result"),
    [
        (EQUAL, ALL_ONES, ALL_ONES, True),
        (EQUAL, 1, 2, False),
        (AND, 0b1100, 0b0100, True),
        (AND, 0b1100, 0b0011, False),
        (AND, ALL_ONES, 0, False),
        (NOR, 0, 0, True),
        (NOR, TOP, TOP - 1, False),
        (NOR, TOP, TOP - 2, True),
        (NOR, ALL_ONES, 0, False),
    ],
)
def test_the_other_conditions(condition, memory, value, result):
    assert satisfied(condition, memory, value) is result


def test_a_met_condition_does_not_wait(world):
    address, stream = world.device(8, 1), world.stream()
    for condition, value in (
        (GREATER_OR_EQUAL, 0x0101010101010101),
        (EQUAL, 0x0101010101010101),
        (AND, 1),
        (NOR, 2),
    ):
        world.must(C.aclrtValueWait(address, value, condition, stream))
    assert world.sync(stream) == 0


# -- writers -----------------------------------------------------------------------------------------------------------


def test_a_value_write_of_another_stream(world, waiting):
    address, stream, ends = waiting
    other = world.stream()
    world.task(other, 5 * MS)
    world.must(C.aclrtValueWrite(address, 7, 0, other))
    assert world.sync(stream) == 0
    assert ends[0] >= 5 * MS
    assert read(world, address) == 7


def test_copies_and_sets_of_the_host(world, waiting):
    address, stream, ends = waiting
    world.must(C.aclrtMemset(address, 8, 7, 8))
    assert C.aclrtStreamQuery(stream) == (1, 0), "0x0707..., looked at again and found wanting"
    buffer = number(7)
    world.must(C.aclrtMemcpy(address, 8, ctypes.addressof(buffer), 8, H2D))
    assert world.sync(stream) == 0
    assert ends


def test_copies_of_streams(world, waiting):
    address, stream, ends = waiting
    source, other, buffer = world.device(8), world.stream(), number(7)
    world.must(C.aclrtMemcpyAsync(source, 8, ctypes.addressof(buffer), 8, H2D, other))
    world.must(C.aclrtMemcpyAsync(address, 8, source, 8, D2D, other))
    assert world.sync(stream) == 0
    assert ends


def test_a_set_of_a_stream(world, waiting):
    address, stream, ends = waiting
    other = world.stream()
    world.must(C.aclrtMemsetAsync(address, 1, 7, 1, other))
    assert world.sync(stream) == 0
    assert ends


def test_a_reduction(world, waiting):
    address, stream, ends = waiting
    source, other = world.device(8), world.stream()
    world.must(C.aclrtValueWrite(source, 7, 0, other))
    world.must(C.aclrtReduceAsync(address, source, 8, 10, 3, other, None))
    assert world.sync(stream) == 0
    assert ends


def test_writes_beside_the_value_do_not_matter(world, waiting):
    address, stream, ends = waiting
    world.must(C.aclrtMemset(address + 8, 8, 7, 8))
    other = world.stream()
    world.must(C.aclrtValueWrite(address + 16, 7, 0, other))
    world.must(world.sync(other))
    assert C.aclrtStreamQuery(stream) == (1, 0)
    assert not ends


def test_every_write_is_seen_in_turn(world):
    address, a, b = world.device(8), *world.streams(2)
    order = []
    for step in (1, 2, 3):
        world.must(C.aclrtValueWait(address, 2 * step - 1, EQUAL, a))
        world.task(a, 100, then=lambda _, step=step: order.append(f"a{step}"))
        world.must(C.aclrtValueWrite(address, 2 * step, 0, a))
        world.must(C.aclrtValueWrite(address, 2 * step - 1, 0, b))
        world.must(C.aclrtValueWait(address, 2 * step, EQUAL, b))
        world.task(b, 100, then=lambda _, step=step: order.append(f"b{step}"))
    world.must(C.aclrtSynchronizeDevice())
    assert order == ["a1", "b1", "a2", "b2", "a3", "b3"]


def test_one_write_releases_everybody(world):
    address, streams = world.device(8), world.streams(3)
    for stream in streams:
        world.must(C.aclrtValueWait(address, 1, GREATER_OR_EQUAL, stream))
    world.must(C.aclrtValueWrite(address, 5, 0, 0))
    world.must(C.aclrtSynchronizeDevice())
    assert not world.sim.value_watches._parked
    assert world.sim.hooks.accessed is None or world.sim.value_watches.written not in world.sim.hooks.accessed


# -- waits that do not end ---------------------------------------------------------------------------------------------


def test_a_wait_without_a_writer_is_a_deadlock(world, waiting):
    with pytest.raises(SimulatedHang):
        world.sync(waiting[1])
    assert "the 64 bits at byte 0 of " in str(world.sim.findings[0])


def test_an_abort_ends_the_wait(world, waiting):
    address, stream, ends = waiting
    world.must(C.aclrtStreamAbort(stream))
    assert world.sync(stream) == 0
    assert not ends
    world.must(C.aclrtMemset(address, 8, 7, 8))


def test_the_watched_block_is_freed(world, waiting):
    address, stream, _ = waiting
    world.must(C.aclrtFree(address))
    with pytest.raises(SimulatedHang):
        world.sync(stream)


def test_a_wait_queued_on_a_block_that_is_freed_before_it_starts(world):
    address, stream = world.device(8), world.stream()
    world.hold(stream)
    world.must(C.aclrtValueWait(address, 0, EQUAL, stream))
    world.must(C.aclrtFree(address))
    world.release(stream)
    with pytest.raises(SimulatedHang):
        world.sync(stream)  # what is there now is no 0 any more
    assert "use-after-free" in world.kinds()


# -- codes -------------------------------------------------------------------------------------------------------------


def test_order_of_checks(world):
    address, foreign = world.device(), world.stream()
    host = world.must(C.aclrtMallocHost(64))
    world.must(C.aclrtCreateContext(0))
    for call, flag in ((C.aclrtValueWrite, 1), (C.aclrtValueWait, 4)):
        assert call(0, 0, flag, STALE) == 100000
        assert call(host, 0, flag, STALE) == 107017
        assert call(host, 0, flag, foreign) == 107000, "a flag"
        assert call(host, 0, 0, foreign) == 107000, "no device memory"
        assert call(address, 0, 0, foreign) == 107003
        assert call(address, 0, 0, 0) == 0
    world.t.drop_context()
    assert C.aclrtValueWrite(address, 0, 0, foreign) == 107002
    assert C.aclrtValueWait(address, 0, 0, 0) == 107002


def test_an_odd_address_is_reported(world):
    address, stream = world.device(), world.stream()
    assert C.aclrtValueWrite(address + 4, 1, 0, stream) == 0
    assert world.kinds() == ["undefined-use"]


@pytest.mark.parametrize(
    ("soc", "code"),
    [("Ascend910_9392", 0), ("Ascend950PR_9599", 0), ("Ascend310P3", 207000), ("Ascend910A", 207000)],
)
def test_chips(build, soc, code):
    world = build(soc=soc)
    address, stream = world.device(8), world.stream()
    assert C.aclrtValueWrite(address, 1, 0, stream) == code
    assert C.aclrtValueWait(address, 1, 0, stream) == code
    if code:
        assert C.aclrtValueWrite(address, 1, 9, STALE) == code, "before everything but NULL"
        assert C.aclrtValueWrite(0, 1, 9, STALE) == 100000
    assert world.sync(stream) == 0
