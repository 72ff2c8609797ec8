"""Random programs with memory pools against a plain model of them: who has which addresses, and what they hold.

The programs order what they do with events, so nothing may be found, and each block holds what its owner wrote last.
Some are then spoilt: an order is left out.
"""

import ctypes
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.machine.pool_segments import BUSY, CACHED, FREE, UNIT, Segments
from tests.kit.calls import must
from tests.kit.scale import SCALE

D2H = 2
POOL = 12
"""Units in the pool of a program."""
EVENTS, OPPORTUNISTIC, INTERNAL, THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH = range(1, 9)
SHOWN = 64


class Given:
    """A block as its owner knows it."""

    def __init__(self, address, units, stream):
        self.address = address
        self.units = units
        self.users = {stream}
        """Streams on which it was used last; all of its other uses come before these."""
        self.value = None


class Program(RuleBasedStateMachine):
    """Three streams, one pool. `given_back`: for each unit the stream on which it was given back, None: by nobody."""

    schedule = "virtual-time"
    streams = st.integers(0, 2)

    @initialize(events=st.booleans(), internal=st.booleans(), threshold=st.integers(0, POOL))
    def begin(self, events, internal, threshold):
        self.sim = Simulator(checks="all", schedule=self.schedule)
        self.sim.open()
        must(C.aclrtSetDevice(0))
        self.stream = [must(C.aclrtCreateStream()) for _ in range(3)]
        props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=POOL * UNIT)
        self.pool = must(C.aclrtMemPoolCreate(props))
        self.events, self.internal, self.threshold = events, internal, threshold
        for which, value in ((EVENTS, events), (INTERNAL, internal), (THRESHOLD, threshold * UNIT)):
            must(C.aclrtMemPoolSetAttr(self.pool, which, np.array([value], np.uint64)))
        self.blocks = []
        self.base = None
        self.given_back = [None] * POOL
        self.records = [0, 0, 0]
        self.seen = {}
        """(who waits, who recorded) -> the latest record, counted on that stream."""
        self.used_high = self.reserved_high = 0
        self.expected = []
        """(host memory, value): what copies must have brought at the end."""
        self.next_value = 0

    def teardown(self):
        if hasattr(self, "sim"):
            try:
                must(C.aclrtSynchronizeDevice())
                for address, value in self.expected:
                    assert set(ctypes.string_at(address, SHOWN)) == {value}
                assert not [f for f in self.sim.findings if f.kind != "leak"], [f.title for f in self.sim.findings]
            finally:
                self.sim.close()

    def order(self, first, second):
        """*second* goes on after what is queued on *first*."""
        if first != second:
            event = must(C.aclrtCreateEvent())
            must(C.aclrtRecordEvent(event, self.stream[first]))
            must(C.aclrtStreamWaitEvent(self.stream[second], event))
            self.seen[second, first] = self.records[first]
            self.records[first] += 1

    def units_of(self, block):
        first = (block.address - self.base) // UNIT
        return range(first, first + block.units)

    def used(self):
        return sum(block.units for block in self.blocks)

    def reserved(self):
        return self.used() + sum(entry is not None for entry in self.given_back)

    def may_have(self, entry, s):
        """Whether stream *s* may have a unit that was given back so."""
        owner, mark = entry
        return owner == s or self.internal or (self.events and self.seen.get((s, owner), -1) >= mark)

    # -- what programs do --------------------------------------------------------------------------------------------

    @rule(s=streams, units=st.integers(1, 4), less=st.integers(0, UNIT - SHOWN))
    def malloc(self, s, units, less):
        address, code = C.aclrtMemPoolMallocAsync(units * UNIT - less, self.pool, self.stream[s])
        if code:
            assert code == 507000
            busy = {unit for block in self.blocks for unit in self.units_of(block)}
            free = "".join("x" if unit in busy or self.given_back[unit] is not None else "." for unit in range(POOL))
            assert "." * units not in free, "there was room"
            return
        if self.base is None:
            self.base = self.sim.memory.regions[0].base
        block = Given(address, units, s)
        mine = set(self.units_of(block))
        assert (address - self.base) % UNIT == 0 and mine <= set(range(POOL))
        for other in self.blocks:
            assert not mine & set(self.units_of(other)), "two owners of one address"
        again = [self.given_back[unit] for unit in sorted(mine)]
        assert all(entry is None for entry in again) or all(entry is not None for entry in again)
        for entry in again:
            assert entry is None or self.may_have(entry, s), "memory that another stream may still use"
        for unit in mine:
            self.given_back[unit] = None
        self.blocks.append(block)
        self.used_high = max(self.used_high, self.used())
        self.reserved_high = max(self.reserved_high, self.reserved())

    @precondition(lambda self: self.blocks)
    @rule(data=st.data(), s=streams)
    def use(self, data, s):
        """Fill the block, and bring its bytes to the host."""
        block = data.draw(st.sampled_from(self.blocks))
        for user in sorted(block.users):
            self.order(user, s)
        block.users = {s}
        self.next_value = self.next_value % 250 + 1
        out = must(C.aclrtMallocHost(SHOWN))
        must(C.aclrtMemsetAsync(block.address, SHOWN, self.next_value, SHOWN, self.stream[s]))
        must(C.aclrtMemcpyAsync(out, SHOWN, block.address, SHOWN, D2H, self.stream[s]))
        self.expected.append((out, self.next_value))

    @precondition(lambda self: self.blocks)
    @rule(data=st.data(), s=streams)
    def free(self, data, s):
        block = self.blocks.pop(data.draw(st.integers(0, len(self.blocks) - 1)))
        for user in sorted(block.users):
            self.order(user, s)
        must(C.aclrtMemPoolFreeAsync(block.address, self.stream[s]))
        for unit in self.units_of(block):
            self.given_back[unit] = (s, self.records[s])

    @rule(first=streams, second=streams)
    def wait(self, first, second):
        self.order(first, second)

    @rule(s=streams)
    def synchronize(self, s):
        """What is trimmed is not foreseen, only how much may be."""
        must(C.aclrtSynchronizeStream(self.stream[s]))
        self.look(max(self.used(), min(self.threshold, self.reserved())))

    @rule()
    def synchronize_device(self):
        must(C.aclrtSynchronizeDevice())
        self.look(max(self.used(), min(self.threshold, self.reserved())), all_of_it=True)

    @rule(keep=st.integers(0, POOL))
    def trim(self, keep):
        code = C.aclrtMemPoolTrimTo(self.pool, keep * UNIT)
        if keep < self.used():
            assert code == 507000
            return
        assert code == 0
        self.look(min(keep, self.reserved()))

    def look(self, least, all_of_it=False):
        """Take over what a trim has left: not less than *least* units, and never of a block in use."""
        left = self.attribute(RESERVED) // UNIT
        assert least <= left <= self.reserved()
        assert not all_of_it or left == least
        row = self.sim.memory.regions[0].segments
        for segment in row:
            first = (segment.base - row.base) // UNIT
            for unit in range(first, first + segment.size // UNIT):
                assert (segment.state == CACHED) <= (self.given_back[unit] is not None)
                if segment.state == FREE:
                    self.given_back[unit] = None

    # -- what always holds -------------------------------------------------------------------------------------------

    def attribute(self, which):
        found = np.zeros(1, np.uint64)
        must(C.aclrtMemPoolGetAttr(self.pool, which, found))
        return int(found[0])

    @invariant()
    def counters(self):
        if not hasattr(self, "sim"):
            return
        found = [self.attribute(which) // UNIT for which in (USED, USED_HIGH, RESERVED, RESERVED_HIGH)]
        assert found == [self.used(), self.used_high, self.reserved(), self.reserved_high]
        free, total, _ = C.aclrtGetMemInfo(1)
        assert total - free == self.reserved() * UNIT
        row = self.sim.memory.regions[0].segments
        assert sum(s.size for s in row) == row.size == POOL * UNIT
        assert sum(s.size for s in row if s.state == BUSY) == self.used() * UNIT


class EagerProgram(Program):
    schedule = "early"


class RandomProgram(Program):
    schedule = "random(7)"


for _machine in (Program, EagerProgram, RandomProgram):
    _machine.TestCase.settings = settings(
        max_examples=20 * SCALE, stateful_step_count=30
    )
TestProgram = Program.TestCase
TestEagerProgram = EagerProgram.TestCase
TestRandomProgram = RandomProgram.TestCase


# -- segments against an array of units ----------------------------------------------------------------------------------


class Row(RuleBasedStateMachine):
    """Segments without memory: the best fit of free runs, exactly; joined neighbours; trims of the right amount."""

    units = 16

    def __init__(self):
        super().__init__()
        self.row = Segments(0, self.units * UNIT)
        self.cells = ["."] * self.units
        """``.`` free, ``x`` in use, a digit: cached, by who gave it back."""
        self.busy = []

    def runs(self):
        """(length, start) of the free runs."""
        text = "".join("." if cell == "." else " " for cell in self.cells)
        found, at = [], 0
        for part in text.split(" "):
            if part:
                found.append((len(part), at))
            at += len(part) + 1
        return sorted(found)

    @rule(n=st.integers(1, 6))
    def fresh(self, n):
        fits = [start for length, start in self.runs() if length >= n]
        segment = self.row.fresh(n * UNIT)
        assert (segment is not None) == bool(fits) == self.row.fits(n * UNIT) or segment is not None
        if segment is None:
            assert not fits
            return
        assert segment.base == fits[0] * UNIT and segment.size == n * UNIT
        self.cells[fits[0] : fits[0] + n] = ["x"] * n
        self.busy.append(segment)

    @precondition(lambda self: self.busy)
    @rule(data=st.data(), owner=st.sampled_from("12"))
    def release(self, data, owner):
        segment = self.busy.pop(data.draw(st.integers(0, len(self.busy) - 1)))
        first, n = segment.base // UNIT, segment.size // UNIT
        self.row.release(segment, owner, 0, ())
        self.cells[first : first + n] = [owner] * n

    @precondition(lambda self: self.busy)
    @rule(data=st.data())
    def drop(self, data):
        segment = self.busy.pop(data.draw(st.integers(0, len(self.busy) - 1)))
        first, n = segment.base // UNIT, segment.size // UNIT
        self.row.drop(segment)
        self.cells[first : first + n] = ["."] * n

    @rule(n=st.integers(1, 6), owner=st.sampled_from("12"))
    def reuse(self, n, owner):
        fits = [s for s in self.row.cached(n * UNIT) if s.owner == owner]
        sizes = [s.size for s in self.row.cached(n * UNIT)]
        assert sizes == sorted(sizes) and all(size >= n * UNIT for size in sizes)
        if fits:
            first = fits[0].base // UNIT
            segment = self.row.reuse(fits[0], n * UNIT)
            assert segment.base == first * UNIT and self.cells[first : first + n] == [owner] * n
            self.cells[first : first + n] = ["x"] * n
            self.busy.append(segment)

    @rule(keep=st.integers(0, 16), who=st.sampled_from(["1", "2", "12"]))
    def trim(self, keep, who):
        before = self.row.reserved // UNIT
        may = sum(cell in who for cell in self.cells if cell in "12")
        parts = self.row.trim(keep * UNIT, lambda segment: segment.owner in who)
        assert sum(hi - lo for lo, hi in parts) // UNIT == max(min(before - keep, may), 0)
        for lo, hi in parts:
            for unit in range(lo // UNIT, hi // UNIT):
                assert self.cells[unit] in who
                self.cells[unit] = "."

    @invariant()
    def same(self):
        states = {"x": BUSY, ".": FREE}
        flat = [(segment.state, segment.owner) for segment in self.row for _ in range(segment.size // UNIT)]
        assert [state for state, _ in flat] == [states.get(cell, CACHED) for cell in self.cells]
        assert [owner for state, owner in flat if state == CACHED] == [cell for cell in self.cells if cell in "12"]
        assert self.row.used == self.cells.count("x") * UNIT
        assert self.row.reserved == (len(self.cells) - self.cells.count(".")) * UNIT
        last = self.units
        row = list(self.row)
        for left, right in pairwise(row):
            assert left.end == right.base and left.next is right and right.prev is left
            assert not left.state == right.state == FREE, "free neighbours are one segment"
            if left.state == right.state == CACHED and left.owner == right.owner:
                assert right.end == last * UNIT, "only the last segment joins no other"


Row.TestCase.settings = settings(
    max_examples=40 * SCALE, stateful_step_count=40
)
TestRow = Row.TestCase


# -- spoilt programs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_an_order_that_is_left_out_is_found(seed):
    """A block goes through streams in a random order, with events between; without one of these it is found."""
    random = np.random.default_rng(seed)
    way = [int(s) for s in random.permutation(3)]
    left_out = int(random.integers(0, 3))
    for spoilt in (False, True):
        with Simulator(checks="all", schedule=f"random({seed})") as sim:
            must(C.aclrtSetDevice(0))
            stream = [must(C.aclrtCreateStream()) for _ in range(4)]
            props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=POOL * UNIT)
            pool = must(C.aclrtMemPoolCreate(props))
            p = must(C.aclrtMemPoolMallocAsync(SHOWN, pool, stream[way[0]]))
            hops = [*way, 3]
            for i in range(3):
                if i:
                    must(C.aclrtMemsetAsync(p, SHOWN, i, SHOWN, stream[hops[i]]))
                if not (spoilt and i == left_out):
                    event = must(C.aclrtCreateEvent())
                    must(C.aclrtRecordEvent(event, stream[hops[i]]))
                    must(C.aclrtStreamWaitEvent(stream[hops[i + 1]], event))
            must(C.aclrtMemPoolFreeAsync(p, stream[3]))
            must(C.aclrtSynchronizeDevice())
            kinds = {f.kind for f in sim.findings if f.kind != "leak"}
            if not spoilt:
                assert not kinds
            else:
                assert kinds & ({"use-before-alloc", "free-before-alloc", "race"} if left_out < 2 else {"use-after-free"})
