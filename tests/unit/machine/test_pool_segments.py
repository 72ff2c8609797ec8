"""Segments of a pool: best fit, splitting, joining, counters, trimming."""

from __future__ import annotations

import pytest

from ascend_sim.machine.address_space import AddressSpace
from ascend_sim.machine.allocations import FREED, FRESH
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.machine.pool_region import PoolAllocation, PoolRegion
from ascend_sim.machine.pool_segments import BUSY, CACHED, FREE, UNIT, Segment, Segments
from ascend_sim.machine.profiles import load_profile


def row(units: int = 8) -> Segments:
    return Segments(0, units * UNIT)


def taken(segments: Segments, units: int) -> Segment:
    found = segments.fresh(units * UNIT)
    assert found is not None
    return found


def shape(segments: Segments) -> list[tuple[int, int, int]]:
    """(first unit, units, state) of each."""
    return [(s.base // UNIT, s.size // UNIT, s.state) for s in segments]


def test_blocks_come_from_the_smallest_free_segment_that_fits() -> None:
    segments = row()
    first, second, third = (taken(segments, n) for n in (3, 1, 2))
    assert shape(segments) == [(0, 3, BUSY), (3, 1, BUSY), (4, 2, BUSY), (6, 2, FREE)]
    segments.drop(first)
    assert taken(segments, 2).base == 6 * UNIT
    assert taken(segments, 2).base == 0
    assert not segments.fits(2 * UNIT) and segments.fresh(2 * UNIT) is None
    segments.drop(second)
    segments.drop(third)
    assert shape(segments) == [(0, 2, BUSY), (2, 4, FREE), (6, 2, BUSY)]


def test_what_was_given_back_stays_until_it_is_trimmed() -> None:
    segments = row()
    first, second = taken(segments, 2), taken(segments, 1)
    segments.release(first, "A", 0, ("f1",))
    assert (segments.used, segments.reserved) == (UNIT, 3 * UNIT)
    assert [s.base for s in segments.cached(2 * UNIT)] == [0] and not list(segments.cached(3 * UNIT))
    again = segments.reuse(next(segments.cached(UNIT)), UNIT)
    assert again.base == 0 and shape(segments)[:2] == [(0, 1, BUSY), (1, 1, CACHED)]
    assert next(segments.cached()).frees == ("f1",)
    assert segments.trim(UNIT, lambda segment: True) == [(UNIT, 2 * UNIT)]
    assert (segments.used, segments.reserved, second.state) == (2 * UNIT, 2 * UNIT, BUSY)
    assert (segments.used_high, segments.reserved_high) == (3 * UNIT, 3 * UNIT)


def test_neighbours_that_came_in_the_same_way_are_joined() -> None:
    segments = row()
    blocks = [taken(segments, 1) for _ in range(5)]
    segments.release(blocks[0], "A", 0, ("f0",))
    segments.release(blocks[2], "A", 0, ("f2",))
    segments.release(blocks[1], "A", 0, ("f1",))
    assert shape(segments)[0] == (0, 3, CACHED) and next(segments.cached()).frees == ("f1",)
    segments.release(blocks[3], "A", 1, ())  # after a record: not alike
    segments.release(blocks[4], "B", 1, ())  # of another stream: not alike
    assert shape(segments)[:3] == [(0, 3, CACHED), (3, 1, CACHED), (4, 1, CACHED)]


def test_the_last_segment_of_a_pool_joins_no_other() -> None:
    segments = row(2)
    blocks = [taken(segments, 1) for _ in range(2)]
    for block in blocks:
        segments.release(block, "A", 0, ())
    assert shape(segments) == [(0, 1, CACHED), (1, 1, CACHED)]


def test_trimming_takes_the_smallest_first_no_more_than_needed_and_only_what_it_may() -> None:
    segments = row(16)
    blocks = [taken(segments, n) for n in (4, 1, 2, 1, 3, 1)]
    for i in (0, 2, 4):
        segments.release(blocks[i], "A", 0, (i,))
    assert segments.trim(9 * UNIT, lambda segment: segment.frees != (2,)) == [(8 * UNIT, 11 * UNIT)]
    assert segments.trim(8 * UNIT, lambda segment: segment.frees != (2,)) == [(0, UNIT)]
    assert shape(segments)[:2] == [(0, 1, FREE), (1, 3, CACHED)]
    assert segments.trim(0, lambda segment: True) == [(5 * UNIT, 7 * UNIT), (UNIT, 4 * UNIT)]
    assert segments.reserved == segments.used == 3 * UNIT


# -- the memory behind it --------------------------------------------------------------------------------------------


def memory(units: int = 16) -> AddressSpace:
    return AddressSpace(load_profile(limits={"memory": units * UNIT}), 1)


def block_of(region: PoolRegion, size: int = 100) -> PoolAllocation:
    block = region.allocate(size, next(region.segments.cached(), None), None, 0)
    assert block is not None
    return block


def test_memory_is_taken_with_the_first_block_and_given_back_with_a_trim() -> None:
    space = memory()
    region = PoolRegion(space, 0, 8 * UNIT)
    assert region.base % UNIT == 0 and space.memory_of(0)[0] == 16 * UNIT
    block = block_of(region)
    assert (block.size, block.capacity, space.memory_of(0)[0]) == (100, UNIT, 15 * UNIT)
    assert space.find(block.address + 50) is block and space.where(block.address) == "device"
    region.release(block, "A", 0, ())
    region.ended(block, None, "on stream 1")
    assert space.memory_of(0)[0] == 15 * UNIT and space.where(block.address) == "device"
    region.trim(0, lambda segment: True)
    assert space.memory_of(0)[0] == 16 * UNIT and space.where(block.address) == "unallocated"


def test_poison_when_a_block_is_new_and_when_it_is_given_back() -> None:
    space = memory()
    region = PoolRegion(space, 0, 8 * UNIT)
    block = block_of(region)
    assert set(space.view(block.address, 100)) == {FRESH}
    space.fill(block.address, 7, 100)
    region.release(block, "A", 0, ())
    again = block_of(region)
    assert again.address == block.address and again.former == (block,)
    region.ended(block, None, "on stream 1")
    assert set(space.view(again.address, 100)) == {FRESH}
    space.fill(again.address, 9, 100)
    assert space.reach(block, 0, 100) and block.bytes is not None
    assert set(block.bytes[:100]) <= {9, 7}, "what the next owner has there, or its own where memory is not shared"
    region.release(again, "A", 0, ())
    region.ended(again, None, "on stream 1")
    assert again.bytes is not None and space.reach(again, 0, 100) and set(again.bytes[:100]) == {FREED}


def test_who_uses_an_old_block_spoils_nothing_of_the_next_one() -> None:
    space = memory()
    region = PoolRegion(space, 0, 8 * UNIT)
    block = block_of(region)
    space.fill(block.address, 7, 100)
    region.release(block, "A", 0, ())
    region.ended(block, None, "on stream 1")
    again = block_of(region)
    space.fill(again.address, 9, 100)
    assert space.reach(block, 0, 100)
    assert set(space.view(again.address, 100)) == {9}


def test_a_block_over_several_old_ones_takes_their_addresses() -> None:
    space = memory()
    region = PoolRegion(space, 0, 8 * UNIT)
    blocks = [block_of(region) for _ in range(3)]
    for block in blocks[:2]:
        region.release(block, "A", 0, ())
        region.ended(block, None, "on stream 1")
    large = block_of(region, 2 * UNIT)
    assert large.address == blocks[0].address and set(large.former) == set(blocks[:2])
    assert space.find(blocks[1].address) is large and space.blocks(0) == [blocks[2], large]


def test_the_device_can_be_full_while_the_pool_is_not() -> None:
    space = memory(4)
    region = PoolRegion(space, 0, 4 * UNIT)
    other = space.allocate(0, 3 * UNIT)
    block_of(region)
    with pytest.raises(OutOfMemory):
        region.allocate(1, None, None, 0)
    space.free(other)
    block_of(region)


def test_addresses_of_pools_come_back_when_they_are_scarce() -> None:
    space = memory(16)
    for _ in range(200):  # many times what the window has
        region = PoolRegion(space, 0, 16 * UNIT)
        block = block_of(region)
        space.fill(block.address, 1, 100)
        assert not region.close(None) and block.freed
        assert space.memory_of(0)[0] == 16 * UNIT


def test_free_of_a_single_block_takes_its_memory_at_once() -> None:
    space = memory()
    region = PoolRegion(space, 0, 8 * UNIT)
    first, second = block_of(region), block_of(region)
    space.free(first)
    assert first.freed and space.memory_of(0)[0] == 15 * UNIT and region.segments.used == UNIT
    assert block_of(region).address == first.address
    assert not second.freed
