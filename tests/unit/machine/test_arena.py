"""Arenas: capacity, addresses, quarantine, poison, backing."""

import os
import subprocess
import sys
from itertools import pairwise

import pytest

from ascend_sim.machine.address_space import DEVICE_BASE, AddressSpace
from ascend_sim.machine.allocations import FREED, FRESH, AddressIndex, Allocation
from ascend_sim.machine.arena import ALIGN, Ranges
from ascend_sim.machine.faults import AddressFault, OutOfMemory
from ascend_sim.machine.profiles import load_profile

MIB = 1 << 20


def space(memory=64 << 30, devices=1, **options):
    return AddressSpace(load_profile(limits={"memory": memory}), devices, **options)


def test_addresses_are_aligned_and_blocks_apart():
    memory = space()
    blocks = [memory.allocate(0, size) for size in (1, 511, 512, 513, 4096, 5 * MIB)]
    for block in blocks:
        assert block.address % ALIGN == 0
        assert DEVICE_BASE <= block.address < 1 << 48
    for first, second in pairwise(blocks):
        assert first.address + first.capacity < second.address


def test_devices_have_windows_of_their_own():
    memory = space(devices=8)
    blocks = [memory.allocate(device, 1 << 30) for device in range(8)]
    assert len({block.address >> 40 for block in blocks}) == 8
    assert [memory.find(block.address + 5).device for block in blocks] == list(range(8))


def test_an_allocation_takes_its_rounded_size_and_a_free_gives_it_back_at_once():
    memory = space(memory=10_000)
    assert memory.memory_of(0) == (10_000, 10_000)
    block = memory.allocate(0, 100, 160)
    assert memory.memory_of(0) == (9840, 10_000)
    other = memory.allocate(0, 100, 128, 1000)
    assert memory.memory_of(0) == (8840, 10_000)
    memory.free(block)
    memory.free(other)
    assert memory.memory_of(0) == (10_000, 10_000)
    assert memory.arena(0).peak == 1160


def test_what_does_not_fit_is_refused_and_changes_nothing():
    memory = space(memory=1000)
    memory.allocate(0, 600)
    with pytest.raises(OutOfMemory, match="401 bytes were asked of device 0 but 400 of 1000 are free"):
        memory.allocate(0, 401)
    assert memory.memory_of(0) == (400, 1000)
    memory.allocate(0, 400)


def test_the_whole_memory_can_be_had_in_small_blocks():
    memory = space(memory=64 * 1000)
    for _ in range(1000):
        memory.allocate(0, 1, 64)
    with pytest.raises(OutOfMemory):
        memory.allocate(0, 1, 64)


def test_a_freed_range_is_not_handed_out_again_soon():
    memory = space()
    seen = set()
    for _ in range(2000):
        block = memory.allocate(0, 4096)
        assert block.address not in seen
        seen.add(block.address)
        memory.free(block)


def test_addresses_come_round_when_the_window_is_used_up():
    memory = space(memory=1 << 20)  # a window of 1 GiB
    for _ in range(5000):
        block = memory.allocate(0, MIB)
        memory.fill(block.address, 1, 10)
        memory.free(block)
    keep = memory.allocate(0, 100)
    for _ in range(5000):
        memory.free(memory.allocate(0, MIB - 100))
    assert memory.find(keep.address) is keep and not keep.freed


def test_lifo_hands_the_last_freed_range_of_the_size_out_first():
    memory = space(reuse="lifo")
    a, b, c = (memory.allocate(0, 1000) for _ in range(3))
    memory.free(a)
    memory.free(c)
    assert memory.find(c.address) is c and c.freed
    again = memory.allocate(0, 1000)
    assert again.address == c.address
    assert memory.find(c.address) is again
    assert memory.allocate(0, 1000).address == a.address
    assert memory.allocate(0, 1000).address > b.address


def test_only_two_ways_of_reuse():
    with pytest.raises(ValueError, match="quarantine"):
        space(reuse="fifo")


def test_freeing_needs_the_start_of_a_live_block():
    memory = space()
    block = memory.allocate(0, 1000)
    with pytest.raises(AddressFault) as interior:
        memory.block_to_free(block.address + 64)
    assert interior.value.kind == "interior"
    assert "byte 64 of the 1000-byte block" in interior.value.text
    with pytest.raises(AddressFault) as unknown:
        memory.block_to_free(block.address + MIB)
    assert unknown.value.kind == "unknown"
    memory.free(memory.block_to_free(block.address))
    for address in (block.address, block.address + 8):
        with pytest.raises(AddressFault) as again:
            memory.block_to_free(address)
        assert again.value.kind == "freed"
        assert again.value.block is block


def test_a_block_keeps_its_history():
    memory = space()
    code = compile("x = 1", "train.py", "exec")
    block = memory.allocate(0, 4096, site=(code, 2), thread=3)
    memory.free(block, (code, 2))
    assert block.describe() == "the 4096-byte block allocated at train.py:1 and freed at train.py:1"
    assert (block.thread, block.number, block.freed) == (3, 0, True)


def test_history_is_bounded():
    memory = space()
    for _ in range(20_000):
        memory.free(memory.allocate(0, 64))
    assert len(memory._exact) <= 16384 + 1
    assert len(memory.arena(0).index) <= 16384 + 1


# -- poison and backing ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 100, 4096, 65536, 65537, 3 * MIB])
def test_fresh_memory_reads_as_poison(size):
    memory = space()
    block = memory.allocate(0, size)
    view = memory.view(block.address, size)
    assert (view == FRESH).all()


def test_poison_stays_around_what_was_written():
    memory = space()
    block = memory.allocate(0, MIB)
    base = block.address
    memory.fill(base + 10_000, 1, 5)
    memory.fill(base + 200_000, 2, 100_000)
    view = memory.view(base, MIB)
    assert (view[10_000:10_005] == 1).all() and (view[200_000:300_000] == 2).all()
    assert (view[:10_000] == FRESH).all()
    assert (view[10_005:200_000] == FRESH).all() and (view[300_000:] == FRESH).all()
    assert block.touched is None


def test_reading_does_not_poison_what_was_written():
    memory = space()
    block = memory.allocate(0, MIB)
    for start in range(0, MIB, 7000):
        memory.fill(block.address + start, 9, 100)
    view = memory.view(block.address, MIB)
    for start in range(0, MIB, 7000):
        assert (view[start : start + 100] == 9).all()
        assert (view[start + 100 : start + 7000] == FRESH).all()


def test_a_freed_block_reads_as_freed_while_it_is_remembered():
    memory = space()
    block = memory.allocate(0, 200_000)
    memory.fill(block.address, 1, 200_000)
    memory.free(block)
    assert memory.reach(block, 0, 200_000) == block.host
    assert (block.bytes == FREED).all()


def test_a_forgotten_block_reaches_nothing():
    memory = space()
    block = memory.allocate(0, 100)
    memory.fill(block.address, 1, 100)
    memory.free(block)
    memory.arena(0).forget_freed()
    assert memory.reach(block, 0, 100) == 0
    assert memory.find(block.address) is None
    assert memory.where(block.address) == "unallocated"


def test_a_reused_range_starts_as_poison():
    memory = space(reuse="lifo")
    block = memory.allocate(0, 1000)
    memory.fill(block.address, 1, 1000)
    memory.free(block)
    again = memory.allocate(0, 1000)
    assert again.address == block.address
    assert (memory.view(again.address, 1000) == FRESH).all()


def test_without_a_reservation_each_block_has_memory_of_its_own(monkeypatch):
    monkeypatch.setattr("ascend_sim.machine.arena.reserve", lambda nbytes: None)
    memory = space()
    a, b = memory.allocate(0, 1000), memory.allocate(0, 3 * MIB)
    memory.fill(a.address, 1, 1000)
    memory.copy(b.address + MIB, a.address, 1000)
    view = memory.view(b.address, 3 * MIB)
    assert (view[MIB : MIB + 1000] == 1).all() and view[MIB + 1000] == FRESH
    memory.free(a)
    memory.arena(0).forget_freed()
    assert a.bytes is None


def test_memory_that_nobody_can_stand_behind_is_out_of_memory(monkeypatch):
    monkeypatch.setattr("ascend_sim.machine.arena.reserve", lambda nbytes: None)
    monkeypatch.setattr("ascend_sim.machine.arena.allocate", lambda nbytes: None)
    memory = space()
    block = memory.allocate(0, 1000)
    with pytest.raises(OutOfMemory, match="this computer has no 1000 bytes"):
        memory.view(block.address, 1)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_eight_devices_of_64_gib_cost_nothing_before_they_are_touched():
    code = """
import os
import numpy
from ascend_sim.machine.address_space import AddressSpace
from ascend_sim.machine.profiles import load_profile
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
profile = load_profile("Ascend910B3")
before = resident()
memory = AddressSpace(profile, 8)
blocks = [memory.allocate(device, 60 << 30) for device in range(8)]
assert memory.memory_of(7) == (4 << 30, 64 << 30)
for block in blocks:
    memory.fill(block.address + (30 << 30), 1, 100)
assert resident() - before < 8 << 20, resident() - before
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(("size", "count"), [(512, 60_000), (100_000, 3000), (16 * MIB, 40)])
@pytest.mark.parametrize("reuse", ["quarantine", "lifo"])
def test_allocating_and_freeing_for_ever_stays_in_bounded_memory(size, count, reuse):
    memory = space(reuse=reuse)
    for _ in range(count // 10):
        block = memory.allocate(0, size)
        memory.fill(block.address, 1, size)
        memory.free(block)
    before = resident()
    for _ in range(count):
        block = memory.allocate(0, size)
        memory.fill(block.address, 1, size)
        memory.free(block)
    assert resident() - before < 120 * MIB


# -- the pieces --------------------------------------------------------------------------------------------------------


def test_ranges_merge_neighbours_when_nothing_else_fits():
    merges = []
    ranges = Ranges(0, 1000, False, lambda: merges.append(1))
    starts = [ranges.take(250) for _ in range(4)]
    assert starts == [0, 250, 500, 750]
    assert ranges.take(1) is None
    ranges.give(250, 250)
    ranges.give(0, 250)
    assert ranges.take(500) == 0
    assert merges == [1]
    ranges.give(750, 250)
    assert ranges.take(100) == 750
    assert ranges.take(150) == 850
    assert ranges.take(1) is None


def test_the_best_fit_is_taken():
    ranges = Ranges(0, 1000, False, lambda: None)
    for size in (100, 50, 300, 50, 200, 300):
        ranges.take(size)
    for address, size in ((0, 100), (150, 300), (500, 200)):
        ranges.give(address, size)
    assert ranges.take(150) == 500
    assert ranges.take(50) == 650
    assert ranges.take(90) == 0


def test_the_index_finds_the_block_behind_any_address():
    index = AddressIndex()
    blocks = [Allocation(i * 1000, 600, 600, 0, "device", None, 0, i) for i in range(5000)]
    for block in blocks[::2] + blocks[1::2][::-1]:
        index.add(block)
    assert len(index) == 5000
    assert [block.number for block in index] == list(range(5000))
    assert index.find(2_345_599) is blocks[2345]
    assert index.find(2_345_600) is None
    assert index.before(2_345_999) is blocks[2345]
    assert index.before(-1) is None
    assert index.overlapping(2_345_600, 400) is None
    assert index.overlapping(2_345_600, 401) is blocks[2346]
    for block in blocks[100:4900]:
        index.discard(block)
    assert len(index) == 200
    assert index.before(4_899_999) is blocks[99]
    index.discard(blocks[200])  # already gone: nothing happens
    assert index.get(4_900_000) is blocks[4900]


def test_the_index_replaces_a_block_at_the_same_address():
    index = AddressIndex()
    old, new = (Allocation(512, 10, 10, 0, "device", None, 0, i) for i in range(2))
    index.add(old)
    index.add(new)
    index.discard(old)
    assert index.get(512) is new and len(index) == 1
