"""A random life of an address space against a plain model: who owns which bytes, what they hold, what is free."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, precondition, rule

from ascend_sim.machine import arena
from ascend_sim.machine.address_space import AddressSpace
from ascend_sim.machine.allocations import FREED, FRESH
from ascend_sim.machine.faults import AddressFault, OutOfMemory
from ascend_sim.machine.profiles import load_profile

CAPACITY = 1 << 22
SIZES = st.one_of(st.integers(1, 3000), st.sampled_from([4096, 65536, 65537, 200_000, 1 << 20]))


class Owned:
    """The model of one block: a plain bytearray, with what it must hold."""

    def __init__(self, block, device, size, first):
        self.block = block
        self.device = device
        self.bytes = np.full(size, first, np.uint8)
        self.freed = False


class Life(RuleBasedStateMachine):
    reuse = "quarantine"
    blocks = Bundle("blocks")

    def __init__(self):
        super().__init__()
        profile = load_profile(limits={"memory": CAPACITY, "host_memory": CAPACITY})
        self.memory = AddressSpace(profile, 2, reuse=self.reuse)
        self.owned = []
        self.used = {0: 0, 1: 0, -1: 0}

    def live(self):
        return [o for o in self.owned if not o.freed]

    @rule(target=blocks, device=st.sampled_from([-1, 0, 1]), size=SIZES)
    def allocate(self, device, size):
        rounded = -(-size // 32) * 32
        fits = self.used[device] + rounded <= CAPACITY
        try:
            if device < 0:
                block = self.memory.allocate_host(size, rounded)
            else:
                block = self.memory.allocate(device, size, rounded)
        except OutOfMemory:
            assert not fits
            return multiple()
        assert fits
        for other in self.live():
            apart = block.address + rounded <= other.block.address
            assert apart or other.block.address + len(other.bytes) <= block.address
        self.used[device] += rounded
        owned = Owned(block, device, rounded, 0 if device < 0 else FRESH)
        self.owned.append(owned)
        return owned

    @rule(owned=consumes(blocks))
    def free(self, owned):
        assert self.memory.block_to_free(owned.block.address) is owned.block
        self.memory.free(owned.block)
        owned.freed = True
        self.used[owned.device] -= len(owned.bytes)
        with pytest.raises(AddressFault):
            self.memory.block_to_free(owned.block.address)

    @rule(owned=blocks, lo=st.integers(0, 1 << 20), n=st.integers(1, 70_000), value=st.integers(0, 255))
    def fill(self, owned, lo, n, value):
        lo %= len(owned.bytes)
        if lo + n > len(owned.bytes):
            with pytest.raises(AddressFault) as caught:
                self.memory.fill(owned.block.address + lo, value, n)
            assert caught.value.kind == "bounds"
            return
        self.memory.fill(owned.block.address + lo, value, n)
        owned.bytes[lo : lo + n] = value

    @rule(to=blocks, source=blocks, at=st.integers(0, 1 << 20), start=st.integers(0, 1 << 20), n=st.integers(1, 70_000))
    def copy(self, to, source, at, start, n):
        at, start = at % len(to.bytes), start % len(source.bytes)
        n = min(n, len(to.bytes) - at, len(source.bytes) - start)
        self.memory.copy(to.block.address + at, source.block.address + start, n)
        to.bytes[at : at + n] = source.bytes[start : start + n].copy()

    @rule(owned=blocks)
    def read(self, owned):
        assert (self.memory.view(owned.block.address, len(owned.bytes)) == owned.bytes).all()

    @rule(owned=blocks, lo=st.integers(0, 1 << 20), n=st.integers(1, 5000))
    def read_part(self, owned, lo, n):
        lo %= len(owned.bytes)
        n = min(n, len(owned.bytes) - lo)
        assert (self.memory.view(owned.block.address + lo, n) == owned.bytes[lo : lo + n]).all()

    @precondition(lambda self: any(o.freed for o in self.owned))
    @rule(data=st.data())
    def use_freed(self, data):
        owned = data.draw(st.sampled_from([o for o in self.owned if o.freed]))
        block = owned.block
        found = self.memory.find(block.address)
        if found is block:
            assert self.memory.where(block.address) in ("unallocated", "unregistered")
            with pytest.raises(AddressFault) as caught:
                self.memory.view(block.address, 1)
            assert caught.value.kind == "freed"
            if owned.device >= 0:
                assert self.memory.reach(block, 0, block.capacity) == block.host
                assert (block.bytes == FREED).all()
        elif owned.device >= 0:
            assert self.memory.reach(block, 0, 1) == 0

    @rule(device=st.sampled_from([0, 1]))
    def forget(self, device):
        self.memory.arena(device).forget_freed()

    @invariant()
    def the_owner_of_each_end_is_known(self):
        for owned in self.live():
            block = owned.block
            assert self.memory.find(block.address) is block
            assert self.memory.find(block.address + len(owned.bytes) - 1) is block

    @invariant()
    def capacity_is_what_the_model_says(self):
        for device in (0, 1):
            assert self.memory.memory_of(device) == (CAPACITY - self.used[device], CAPACITY)
        assert self.memory.host_used == self.used[-1]

    def teardown(self):
        for owned in self.live():
            assert (self.memory.view(owned.block.address, len(owned.bytes)) == owned.bytes).all()


class LifoLife(Life):
    reuse = "lifo"


SETTINGS = settings(max_examples=20, stateful_step_count=50, deadline=None)


@pytest.fixture
def short_memory(monkeypatch):
    """A quarantine that overflows after a few frees."""
    monkeypatch.setattr(arena, "_REMEMBERED_BLOCKS", 4)
    monkeypatch.setattr(arena, "_REMEMBERED_BYTES", 1 << 20)
    monkeypatch.setattr(arena, "_DISCARD_BATCH", 2)


@pytest.mark.parametrize("life", [Life, LifoLife])
def test_a_random_life_agrees_with_the_model(life):
    run(life)


@pytest.mark.parametrize("life", [Life, LifoLife])
def test_a_random_life_with_a_short_quarantine(life, short_memory):
    run(life)


@pytest.mark.parametrize("life", [Life, LifoLife])
def test_a_random_life_in_a_narrow_window(life, short_memory, monkeypatch):
    """Addresses run out all the time: old ranges are merged and cut anew."""
    make = AddressSpace.__init__

    def narrow(self, *args, **options):
        make(self, *args, **options)
        self._shift = 23

    monkeypatch.setattr(AddressSpace, "__init__", narrow)
    run(life)


@pytest.mark.parametrize("life", [Life, LifoLife])
def test_a_random_life_without_reservations(life, short_memory, monkeypatch):
    monkeypatch.setattr(arena, "reserve", lambda nbytes: None)
    run(life)


def run(life):
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(life, settings=SETTINGS)
