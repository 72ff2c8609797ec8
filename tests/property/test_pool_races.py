"""Random programs with pools against the order that their calls fix: found what is unordered, silent what is ordered.

One host thread, three streams. Each task's predecessors are known from the calls: what came before on its stream, and the
records that it waits for.
"""

import random

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import must
from tests.kit.scale import SCALE

D2D = 3
UNIT = 2 << 20
SCHEDULES = ("virtual-time", "late", "early", "random(1)", "random(2)")
INTERNAL = 3


class Owned:
    """A block with its tasks, by number."""

    def __init__(self, address, alloc):
        self.address = address
        self.alloc = alloc
        self.free = None
        self.uses = []
        """(task, write), in the order of the calls."""


class Walk:
    """A random program and what it must lead to."""

    def __init__(self, sim, rng, internal):
        self.sim = sim
        self.rng = rng
        must(C.aclrtSetDevice(0))
        self.streams = [must(C.aclrtCreateStream()) for _ in range(3)]
        self.out = [must(C.aclrtMalloc(64, 0)) for _ in self.streams]
        props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=64 * UNIT)
        self.pool = must(C.aclrtMemPoolCreate(props))
        must(C.aclrtMemPoolSetAttr(self.pool, INTERNAL, np.array([internal], np.uint32)))
        self.before = []
        """For each task a set of those that come before it, as bits."""
        self.last = [None] * 3
        self.blocks = []
        self.records = []
        self.number_of = {}
        """The number of the task that gives a block back, by the simulator's task."""

    def task(self, s, after=0):
        """The next task on stream *s*; it also follows *after*."""
        last = self.last[s]
        mask = after | (0 if last is None else self.before[last] | 1 << last)
        self.before.append(mask)
        self.last[s] = len(self.before) - 1
        return self.last[s]

    def follows(self, later, earlier):
        return bool(self.before[later] >> earlier & 1)

    # -- calls -------------------------------------------------------------------------------------------------------

    def malloc(self):
        s = self.rng.randrange(3)
        address = must(C.aclrtMemPoolMallocAsync(self.rng.choice([64, 3 * UNIT]), self.pool, self.streams[s]))
        block = self.sim.memory.find(address)
        after = 0
        for free in block.after:
            number = self.number_of[free]
            after |= self.before[number] | 1 << number
        for old in block.former:
            number = self.number_of[old.free_task]
            assert after >> number & 1 or old.freed, "an owner that nobody waits for"
        self.blocks.append(Owned(address, self.task(s)))  # the pool's own wait orders nothing that a program may count on

    def free(self):
        live = [block for block in self.blocks if block.free is None]
        if live:
            block, s = self.rng.choice(live), self.rng.randrange(3)
            task = self.sim.memory.find(block.address)
            must(C.aclrtMemPoolFreeAsync(block.address, self.streams[s]))
            block.free = self.task(s)
            self.number_of[task.free_task] = block.free

    def use(self):
        """Read or write a block; now and then one that was given back, if its address is nobody else's."""
        known = [block for block in self.blocks if block.free is None or self.rng.random() < 0.1]
        if not known:
            return
        block, s = self.rng.choice(known), self.rng.randrange(3)
        block = [other for other in self.blocks if other.address == block.address][-1]
        if block.free is not None and self.sim.memory.find(block.address) is None:
            return
        write = self.rng.random() < 0.6
        if write:
            ret = C.aclrtMemsetAsync(block.address, 64, 1, 64, self.streams[s])
        else:
            ret = C.aclrtMemcpyAsync(self.out[s], 64, block.address, 64, D2D, self.streams[s])
        assert ret == 0
        block.uses.append((self.task(s), write))

    def record(self):
        s, event = self.rng.randrange(3), must(C.aclrtCreateEventExWithFlag(1))
        must(C.aclrtRecordEvent(event, self.streams[s]))
        self.records.append((event, self.task(s)))

    def wait(self):
        if self.records:
            (event, record), s = self.rng.choice(self.records[-4:]), self.rng.randrange(3)
            must(C.aclrtStreamWaitEvent(self.streams[s], event))
            self.task(s, self.before[record] | 1 << record)

    def ordered(self):
        """A record, and a wait for it right behind."""
        self.record()
        self.wait()

    def run(self, length):
        steps = [self.malloc, self.free, self.use, self.use, self.use, self.record, self.wait, self.ordered, self.ordered]
        self.malloc()
        for _ in range(length):
            self.rng.choice(steps)()
        must(C.aclrtSynchronizeDevice())

    # -- what must be found ------------------------------------------------------------------------------------------

    def conflicts(self):
        """The kinds of what is not ordered; several names where one fault can hide behind another."""
        found = set()
        for block in self.blocks:
            alloc, free = block.alloc, block.free
            if free is not None and not self.follows(free, alloc):
                found.add("free-before-alloc")
            for place, (use, write) in enumerate(block.uses):
                if not self.follows(use, alloc):
                    found.add("unordered")
                if free is not None and (use > free or not self.follows(free, use)):
                    found.add("use-after-free")
                for other, wrote in block.uses[:place]:
                    if (write or wrote) and not self.follows(use, other):
                        found.add("unordered")
        return found


@pytest.mark.parametrize("internal", [0, 1])
def test_found_is_what_the_calls_do_not_order(internal):
    rng = random.Random(SCALE + internal)
    faulty = 0
    for number in range(60 * SCALE):
        schedule = SCHEDULES[number % len(SCHEDULES)]
        with Simulator(checks="memory,races", schedule=schedule) as sim:
            walk = Walk(sim, rng, internal)
            walk.run(rng.randrange(3, 22))
            kinds = {f.kind for f in sim.findings if f.kind not in ("leak", "uninitialised-read")}
            wanted = walk.conflicts()
            text = f"{number}: {sorted(kinds)} for {sorted(wanted)}"
            assert bool(kinds) == bool(wanted), text
            assert ("free-before-alloc" in kinds) == ("free-before-alloc" in wanted), text
            if "unordered" not in wanted:  # of three that are in no order one pair may hide the other
                assert kinds == wanted, text
            else:
                assert "use-after-free" in wanted or "use-after-free" not in kinds, text
            assert kinds <= {"free-before-alloc", "use-after-free", "use-before-alloc", "race"}, text
            faulty += bool(wanted)
    assert 10 * SCALE < faulty < 59 * SCALE
