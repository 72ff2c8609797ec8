"""The address space: who is where, checked ranges, copies between all places."""

import ctypes
import sys

import numpy as np
import pytest

from ascend_sim.machine.address_space import DEVICE_BASE, AddressSpace
from ascend_sim.machine.allocations import FRESH
from ascend_sim.machine.faults import AddressFault, OutOfMemory
from ascend_sim.machine.profiles import load_profile


@pytest.fixture
def memory():
    return AddressSpace(load_profile(), 2)


def fault(call, *arguments):
    with pytest.raises(AddressFault) as caught:
        call(*arguments)
    return caught.value


def test_where_an_address_belongs(memory):
    device = memory.allocate(1, 100)
    pinned = memory.allocate_host(100)
    managed = memory.allocate_host(100, kind="managed")
    plain = np.zeros(8192, np.uint8)
    registered = memory.register(plain.ctypes.data, 4096)
    assert memory.where(device.address) == memory.where(device.address + 99) == "device"
    assert memory.where(device.address + 100) == "unallocated"
    assert memory.where(DEVICE_BASE) == memory.where((1 << 48) - 1) == "unallocated"
    assert memory.where(pinned.address + 50) == "host"
    assert memory.where(managed.address) == "managed"
    assert memory.where(plain.ctypes.data + 4095) == "host"
    assert memory.where(plain.ctypes.data + 4096) == "unregistered"
    assert memory.where(0x1234) == memory.where(1 << 50) == "unregistered"
    memory.free(device)
    memory.free(pinned)
    memory.unregister(registered)
    assert memory.where(device.address) == "unallocated"
    assert memory.where(pinned.address) == "unregistered"
    assert memory.where(plain.ctypes.data) == "unregistered"


def test_page_locked_memory_is_true_memory(memory):
    block = memory.allocate_host(1000)
    assert block.address % 64 == 0 and block.device == -1
    ctypes.memset(block.address, 7, 1000)
    assert (memory.view(block.address, 1000) == 7).all()
    assert memory.find(block.address + 999) is block


def test_page_locked_memory_is_limited():
    memory = AddressSpace(load_profile(limits={"host_memory": 1000}), 1)
    block = memory.allocate_host(600)
    with pytest.raises(OutOfMemory, match="page-locked"):
        memory.allocate_host(401)
    memory.free(block)
    memory.allocate_host(1000)


def test_a_freed_host_block_lives_on_for_who_still_holds_it(memory):
    block = memory.allocate_host(1 << 20)
    memory.fill(block.address, 5, 1 << 20)
    memory.free(block)
    for _ in range(100):  # push it out of the quarantine
        memory.free(memory.allocate_host(1 << 20))
    assert memory.find(block.address) is not block
    assert (block.bytes == 5).all()


def test_copies_between_all_places(memory):
    size = 200_000
    pattern = np.random.default_rng(1).integers(0, 255, size, np.uint8)
    plain = pattern.copy()
    places = {
        "plain": plain.ctypes.data,
        "device": memory.allocate(0, size).address,
        "other": memory.allocate(1, size).address,
        "pinned": memory.allocate_host(size).address,
        "managed": memory.allocate_host(size, kind="managed").address,
    }
    for name, address in places.items():
        memory.copy(address, places["plain"], size)
        assert (memory.view(address, size) == pattern).all(), name
    for source in places.values():
        for target in places.values():
            pattern = np.roll(pattern, 1)
            memory.view(source, size)[:] = pattern
            memory.copy(target, source, size)
            assert (memory.view(target, size) == pattern).all()


@pytest.mark.parametrize("shift", [1, 100, 5000, -1, -100, -5000])
def test_overlapping_copies_behave_like_memmove(memory, shift):
    block = memory.allocate(0, 100_000)
    pattern = np.arange(50_000, dtype=np.uint32).astype(np.uint8)
    start = block.address + 20_000
    memory.view(start, 50_000)[:] = pattern
    memory.copy(start + shift, start, 50_000)
    assert (memory.view(start + shift, 50_000) == pattern).all()


def test_an_overlapping_copy_of_fresh_memory_copies_poison(memory):
    block = memory.allocate(0, 1 << 20)
    memory.copy(block.address + 1000, block.address, 500_000)
    assert (memory.view(block.address, 600_000) == FRESH).all()


def test_a_range_that_leaves_its_block_names_it(memory):
    code = compile("x = 1", "train.py", "exec")
    block = memory.allocate(0, 4096, site=(code, 2))
    other = memory.allocate(0, 8192)
    found = fault(memory.copy, block.address + 96, other.address, 4096)
    assert found.kind == "bounds" and found.block is block
    assert found.text.endswith("end 96 bytes past the end of the 4096-byte block allocated at train.py:1")
    assert fault(memory.view, block.address, 1 << 63).kind == "bounds"
    assert fault(memory.view, other.address - 1, 10).kind == "unallocated"


def test_a_rounded_block_may_be_used_up_to_its_rounded_size(memory):
    block = memory.allocate(0, 1000, 1056)
    memory.fill(block.address, 1, 1056)
    found = fault(memory.fill, block.address, 1, 1057)
    assert "57 bytes past the end of the 1000-byte block allocated (rounded up to 1056)" in found.text


def test_a_freed_range_names_its_history(memory):
    block = memory.allocate(0, 4096)
    memory.free(block)
    found = fault(memory.view, block.address + 16, 4)
    assert found.kind == "freed" and found.block is block
    assert "byte 16 of the 4096-byte block allocated and freed" in found.text


def test_addresses_past_a_block_are_described_by_it(memory):
    block = memory.allocate(0, 4096)
    assert "100 bytes past the end of the 4096-byte block" in memory.describe(block.address + 4196)
    assert "in no block" in memory.describe(DEVICE_BASE + (1 << 40) + 5)
    assert "not allocated or registered" in memory.describe(0x1000)


@pytest.mark.parametrize("address", [1, 0x1234, 1 << 50, (1 << 64) - 4, DEVICE_BASE + (1 << 20), (1 << 48) - 64])
@pytest.mark.parametrize("nbytes", [1, 8, 4096, 1 << 40, (1 << 64) - 1])
def test_invented_addresses_end_in_a_fault_and_change_nothing(memory, address, nbytes):
    block = memory.allocate(0, 8192)
    memory.fill(block.address, 3, 8192)
    for dst, src in ((block.address, address), (address, block.address)):
        found = fault(memory.copy, dst, src, nbytes)
        assert found.kind in ("unmapped", "unallocated", "wrapped", "bounds")
    assert fault(memory.fill, address, 1, nbytes).text
    assert (memory.view(block.address, 8192) == 3).all()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="knows where read-only memory is")
def test_read_only_host_memory_is_not_written(memory):
    block = memory.allocate(0, 64)
    text = ctypes.cast(ctypes.pythonapi.Py_GetVersion, ctypes.c_void_p).value  # code of the interpreter
    memory.copy(block.address, text, 64)
    found = fault(memory.copy, text, block.address, 64)
    assert found.kind == "unmapped" and "cannot be written" in found.text


def test_a_registration_whose_memory_is_gone_is_found(memory):
    import mmap

    mapping = mmap.mmap(-1, 8192)
    array = np.frombuffer(mapping, np.uint8)
    address = array.__array_interface__["data"][0]
    registered = memory.register(address, 8192)
    target = memory.allocate(0, 8192)
    memory.copy(target.address, address, 8192)
    del array
    mapping.close()
    found = fault(memory.copy, target.address, address, 8192)
    assert found.kind == "unmapped" and found.block is registered
    assert "part of the 8192-byte host range registered" in found.text


def test_registrations_overlap_and_alias(memory):
    plain = np.zeros(3 * 4096, np.uint8)
    address = plain.ctypes.data
    block = memory.register(address, 4096)
    assert memory.registered(address + 4095) is block
    assert memory.registered(address - 10, 11) is block
    assert memory.registered(address + 4096, 100) is None
    assert memory.where(block.alias) == "unallocated"  # copies must not use it
    assert memory.aliased(block.alias + 40) == (block, 40)
    second = memory.register(address + 4096, 4096)
    assert second.alias - block.alias >= 4096 and second.alias % 4096 == (address + 4096) % 4096
    memory.unregister(block)
    assert memory.registered(address) is None and memory.aliased(block.alias) is None


def test_live_blocks_are_listed_in_order_of_making(memory):
    first, second = memory.allocate(1, 10), memory.allocate(0, 10)
    third = memory.allocate_host(10)
    assert memory.blocks() == [first, second, third]
    assert memory.blocks(0) == [second]
    memory.free(second)
    assert memory.blocks() == [first, third]


def test_a_device_that_is_released_has_all_its_memory_again(memory):
    blocks = [memory.allocate(0, 1 << 20) for _ in range(3)]
    other = memory.allocate(1, 100)
    memory.fill(blocks[1].address, 1, 100)
    memory.release_device(0)
    assert memory.memory_of(0) == (64 << 30, 64 << 30)
    assert all(block.freed for block in blocks) and not other.freed
    assert memory.where(blocks[0].address) == "unallocated"


def test_nothing_is_left_after_close(memory):
    device, host = memory.allocate(0, 100), memory.allocate_host(100)
    view = memory.view(host.address, 100)
    memory.close()
    assert memory.find(device.address) is None and memory.blocks() == []
    assert not view.any()


def test_many_devices_and_large_memories_fit_into_the_windows():
    for devices, soc in ((64, "Ascend910B3"), (32, "Ascend950DT_9591"), (1, "Ascend310P3")):
        memory = AddressSpace(load_profile(soc), devices)
        block = memory.allocate(devices - 1, load_profile(soc).memory_bytes)
        assert memory.find(block.address + block.size - 1) is block
        assert block.address + block.size < (1 << 48) - (1 << 40)
