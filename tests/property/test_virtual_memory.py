"""Random programs with mappings: against a model of who shows what, and the explorer against brute force."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.explore.runs import quiet_group
from ascend_sim.explore.search.dpor import Search
from tests.kit.calls import must
from tests.kit.scale import SCALE
from tests.property.brute_force import InRandomOrder, TooMany, brute_force, explored

UNIT = 2 << 20
PLACES = 6
"""Units of addresses in each of two ranges."""
SHOWN = 8
"""So many bytes at the start of each unit are used."""
FRESH = 0xFF


def properties() -> Any:
    place = C.aclrtMemLocation(0, C.ACL_MEM_LOCATION_TYPE_DEVICE)
    return C.aclrtPhysicalMemProp(memAttr=C.ACL_HBM_MEM_HUGE, location=place)


class Model:
    """Two ranges and some physical pieces, as the manual describes them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.ranges = [must(C.aclrtReserveMemAddress(PLACES * UNIT, 0, 0, 0)) for _ in range(2)]
        self.free = must(C.aclrtGetMemInfo(C.ACL_HBM_MEM))[0]
        self.holds: dict[int, int] = {}
        self.units: dict[int, int] = {}
        self.content: dict[int, list[list[int]]] = {}
        self.shown: dict[tuple[int, int], int] = {}
        """(range, place) of the first unit -> handle."""

    def alive(self, handle: int) -> bool:
        return handle in self.holds and (self.holds[handle] > 0 or handle in self.shown.values())

    def at(self, which: int, place: int) -> tuple[int, int] | None:
        """The handle that is shown at a unit, and which unit of it."""
        for (other, first), handle in self.shown.items():
            if other == which and first <= place < first + self.units[handle]:
                return handle, place - first
        return None

    def step(self) -> None:
        getattr(self, self.rng.choice(["make", "map", "map", "map", "unmap", "release", "retain", "fill", "copy"]))()
        taken = sum(self.units[handle] for handle in self.holds if self.alive(handle))
        assert must(C.aclrtGetMemInfo(C.ACL_HBM_MEM))[0] == self.free - taken * UNIT

    def make(self) -> None:
        units = self.rng.randrange(1, 3)
        handle = must(C.aclrtMallocPhysical(units * UNIT, properties(), 0))
        self.holds[handle], self.units[handle] = 1, units
        self.content[handle] = [[FRESH] * SHOWN for _ in range(units)]

    def some(self) -> int:
        if not self.holds:
            self.make()
        return self.rng.choice(list(self.holds))

    def map(self) -> None:
        handle, which, place = self.some(), self.rng.randrange(2), self.rng.randrange(PLACES)
        units = self.units[handle]
        code = C.aclrtMapMem(self.ranges[which] + place * UNIT, units * UNIT, 0, handle, 0)
        if not self.alive(handle):
            assert code == 107000
        elif place + units > PLACES or any(self.at(which, at) for at in range(place, place + units)):
            assert code == 507899
        else:
            assert code == 0
            self.shown[which, place] = handle

    def unmap(self) -> None:
        which, place = self.rng.randrange(2), self.rng.randrange(PLACES)
        code = C.aclrtUnmapMem(self.ranges[which] + place * UNIT)
        assert code == (0 if (which, place) in self.shown else 507899)
        self.shown.pop((which, place), None)

    def release(self) -> None:
        handle = self.some()
        allowed = self.holds[handle] > 0
        assert C.aclrtFreePhysical(handle) == (0 if allowed else 107000)
        self.holds[handle] -= allowed

    def retain(self) -> None:
        which, place = self.rng.randrange(2), self.rng.randrange(PLACES)
        found, code = C.aclrtMemRetainAllocationHandle(self.ranges[which] + place * UNIT)
        if (which, place) in self.shown:
            handle = self.shown[which, place]
            assert (found, code) == (handle, 0)
            self.holds[handle] += 1
        else:
            assert code in (107017, 507899)

    def fill(self) -> None:
        """Across the border of two units."""
        which, place, value = self.rng.randrange(2), self.rng.randrange(PLACES - 1), self.rng.randrange(250)
        ends = [self.at(which, place), self.at(which, place + 1)]
        start = self.ranges[which] + (place + 1) * UNIT - 4
        code = C.aclrtMemset(start, 8, value, 8)
        if None in ends:
            assert code != 0
            return
        assert code == 0
        handle, unit = ends[1]
        self.content[handle][unit][:4] = [value] * 4

    def copy(self) -> None:
        """What each unit shows is what was written last, through whatever address."""
        for which, base in enumerate(self.ranges):
            for place in range(PLACES):
                found, got = self.at(which, place), np.zeros(SHOWN, np.uint8)
                code = C.aclrtMemcpy(got, SHOWN, base + place * UNIT, SHOWN, C.ACL_MEMCPY_DEVICE_TO_HOST)
                assert (code == 0) == (found is not None)
                if found is not None:
                    assert got.tolist() == self.content[found[0]][found[1]]


@pytest.mark.parametrize("seed", range(6 * SCALE))
def test_random_mappings_against_a_model(seed: int) -> None:
    with Simulator(checks="all") as sim:
        must(C.aclrtSetDevice(0))
        model = Model(random.Random(seed if SCALE == 1 else random.random()))
        for _ in range(120):
            model.step()
        model.copy()
        for (which, place), _ in list(model.shown.items()):
            must(C.aclrtUnmapMem(model.ranges[which] + place * UNIT))
        model.shown.clear()
        for handle, holds in model.holds.items():
            assert [C.aclrtFreePhysical(handle) for _ in range(holds)] == [0] * holds
        assert must(C.aclrtGetMemInfo(C.ACL_HBM_MEM))[0] == model.free
        assert [C.aclrtReleaseMemAddress(base) for base in model.ranges] == [0, 0]
        virtual = sim.memory.virtual
        assert virtual is not None
        assert (len(virtual.mapped), len(virtual.physical), len(virtual.ranges)) == (0, 0, 0)
        allowed = {"use-after-free", "uninitialised-read", "out-of-bounds", "bad-free", "ignored-code"}
        assert {finding.kind for finding in sim.findings} <= allowed


# -- the explorer ------------------------------------------------------------------------------------------------------

MENU = ["fill", "fill", "fill", "copy", "unmap", "map", "sync", "order"]
Step = tuple[str, int, int, int]


class Player:
    """Two streams, one piece of memory at two addresses of three."""

    def __init__(self) -> None:
        must(C.aclrtSetDevice(0))
        self.streams = [must(C.aclrtCreateStream()) for _ in range(2)]
        self.handle = must(C.aclrtMallocPhysical(UNIT, properties(), 0))
        self.places = [must(C.aclrtReserveMemAddress(UNIT, 0, 0, 0)) for _ in range(3)]
        for place in self.places[:2]:
            must(C.aclrtMapMem(place, UNIT, 0, self.handle, 0))
        self.seen: dict[int, list[int]] = {}

    def step(self, me: int, step: Step) -> None:
        kind, which, place, value = step
        stream, address, seen = self.streams[which], self.places[place], self.seen[me]
        if kind == "fill":
            seen.append(C.aclrtMemsetAsync(address + value % 2 * 8, 16, value, 16, stream))
        elif kind == "copy":
            seen.append(C.aclrtMemcpyAsync(address + 64, 16, self.places[1 - which], 16, 3, stream))
        elif kind == "unmap":
            seen.append(C.aclrtUnmapMem(address))
        elif kind == "map":
            seen.append(C.aclrtMapMem(address, UNIT, 0, self.handle, 0))
        elif kind == "sync":
            seen.append(C.aclrtSynchronizeStream(stream))
        elif kind == "order":
            event = must(C.aclrtCreateEventExWithFlag(1))
            must(C.aclrtRecordEvent(event, stream))
            must(C.aclrtStreamWaitEvent(self.streams[1 - which], event))


def played(program: list[list[Step]]) -> Callable[[], Any]:
    def run() -> Any:
        player = Player()

        def work(me: int) -> None:
            must(C.aclrtSetDevice(0))
            player.seen[me] = []
            for step in program[me]:
                player.step(me, step)

        threads = [threading.Thread(target=work, args=(me,)) for me in range(1, len(program))]
        for thread in threads:
            thread.start()
        work(0)
        for thread in threads:
            thread.join()
        return [player.seen[me] for me in range(len(program))], C.aclrtSynchronizeDevice()

    return run


@pytest.mark.parametrize(("threads", "all_hosts"), [(1, False), (2, True)])
def test_every_class_once(threads: int, all_hosts: bool) -> None:
    rng = random.Random(10 * threads + SCALE)
    programs = several = 0
    options: dict[str, Any] = {"checks": "none"}
    with quiet_group():
        while programs < (8 if threads == 1 else 4) * SCALE:
            length = rng.choice([3, 4, 5] if threads == 1 else [1, 2])
            steps = [
                [(rng.choice(MENU), rng.randrange(2), rng.randrange(3), rng.randrange(9)) for _ in range(length)]
                for _ in range(threads)
            ]
            try:
                classes, _ = brute_force(played(steps), options, 150 if SCALE == 1 else 500, all_hosts, quick=True)
            except TooMany:
                continue
            programs += 1
            several += len(classes) > 1
            for search in (Search(), InRandomOrder()):
                found, _ = explored(played(steps), options, search, all_hosts)
                assert sorted(key for key, _ in found) == sorted(classes), steps
                assert dict(found) == classes, steps
    assert several
