"""Random programs of kernels on streams, and all orders of their blocks: the yardstick of exploring block by block."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ascend_sim import Block, gm, kernel
from ascend_sim import ascendcl as C

READ, WRITE, ATOMIC = 0, 1, 2
BYTES = 12
LIMIT = 4
"""Cores of the device, for programs that have fewer cores than blocks."""

Access = tuple[int, int, int]
Event = tuple[int, int, int]
"""(launch, block, part): what one block does between two waits."""
Class = frozenset[tuple[Event, Event]]
"""For each two events that conflict, which came first."""


class Launch(NamedTuple):
    """One launch: what each part of each block touches; the launch of another stream that it waits for, or -1."""

    stream: int
    blocks: list[list[list[Access]]]
    after: int


class Program(NamedTuple):
    launches: list[Launch]
    cores: int


class TooMany(Exception):
    """More orders than one wants to look at."""


def make_program(rng: random.Random, cores: int = 0) -> Program:
    """One or two streams, up to three launches with up to four blocks each, in which few bytes meet."""
    streams = rng.choice([1, 2, 2, 2])
    cores = cores or rng.choice([2, 3, LIMIT, LIMIT])
    launches: list[Launch] = []
    for _ in range(rng.randint(streams, 3)):
        parts = rng.choice([1, 1, 1, 2])
        blocks = [
            [[_access(rng) for _ in range(rng.choice([0, 1, 1, 2]))] for _ in range(parts)]
            for _ in range(rng.randint(1, 4 if parts == 1 else min(cores, 3)))
        ]
        stream = rng.randrange(streams)
        others = [i for i, launch in enumerate(launches) if launch.stream != stream]
        launches.append(Launch(stream, blocks, rng.choice(others) if others and rng.random() < 0.3 else -1))
    return Program(launches, cores)


def _access(rng: random.Random) -> Access:
    lo = rng.randrange(BYTES - 1)
    return rng.choice([READ, READ, WRITE, WRITE, ATOMIC]), lo, min(lo + rng.choice([1, 1, 1, 3, 6]), BYTES)


def conflict(one: list[Access], two: list[Access]) -> bool:
    """Whether two events may not change places."""
    pairs = itertools.product(one, two)
    return any(a[1] < b[2] and b[1] < a[2] and (WRITE in (a[0], b[0]) or a[0] != b[0]) for a, b in pairs)


# -- the program, run by the simulator -------------------------------------------------------------------------------

LOG: list[Event] = []
"""What ran, in order."""
RUNNING: list[Program] = []


def _touch(x: Any, which: int, block: int, part: int) -> None:
    LOG.append((which, block, part))
    total = 0
    for mode, lo, hi in RUNNING[-1].launches[which].blocks[block][part]:
        if mode == READ:
            total += int(x[lo:hi].sum())
        elif mode == WRITE:
            x[lo:hi] = np.uint8((7 * total + 16 * which + 4 * block + part + 1) % 256)
        else:
            x.atomic_add(slice(lo, hi), np.uint8(1))


@kernel
def plain(b: Block, x: gm.InOut[np.uint8], which: np.uint32) -> None:
    _touch(x, int(which), b.idx, 0)


@kernel
async def waiting(b: Block, x: gm.InOut[np.uint8], which: np.uint32) -> None:
    parts = RUNNING[-1].launches[int(which)].blocks[b.idx]
    for part in range(len(parts)):
        if part:
            await b.sync_all()
        _touch(x, int(which), b.idx, part)


def runner(program: Program) -> Callable[[], Any]:
    """The program as something that can be explored."""

    def run() -> list[int]:
        RUNNING[:] = [program]
        LOG.clear()
        assert C.aclrtSetDevice(0) == 0
        for kind in (0, 1):
            assert C.aclrtSetDeviceResLimit(0, kind, program.cores) == 0
        streams = [C.aclrtCreateStream()[0] for _ in range(2)]
        events = [C.aclrtCreateEvent()[0] for _ in program.launches]
        address, _ = C.aclrtMalloc(BYTES, 0)
        C.aclrtMemset(address, BYTES, 0, BYTES)
        for which, launch in enumerate(program.launches):
            if launch.after >= 0:
                C.aclrtStreamWaitEvent(streams[launch.stream], events[launch.after])
            function = plain if len(launch.blocks[0]) == 1 else waiting
            function[len(launch.blocks), streams[launch.stream]](address, which)
            C.aclrtRecordEvent(events[which], streams[launch.stream])
        assert C.aclrtSynchronizeDevice() == 0
        out = np.zeros(BYTES, np.uint8)
        C.aclrtMemcpy(out.ctypes.data, BYTES, address, BYTES, 2)
        return out.tolist()

    return run


def class_of(program: Program, log: list[Event]) -> Class:
    """The class of what ran."""
    found = []
    for j, two in enumerate(log):
        for one in log[:j]:
            if conflict(_does(program, one), _does(program, two)):
                found.append((one, two))
    return frozenset(found)


def _does(program: Program, event: Event) -> list[Access]:
    launch, block, part = event
    return program.launches[launch].blocks[block][part]


# -- all orders, without the simulator -------------------------------------------------------------------------------


def all_classes(program: Program, most: int) -> set[Class]:
    """Every class that the order of blocks can lead to. Raises TooMany."""
    found: set[Class] = set()
    start = tuple(tuple(0 for _ in launch.blocks) for launch in program.launches)
    seen = {(start, frozenset[tuple[Event, Event]]())}
    pending = list(seen)
    while pending:
        state, pairs = pending.pop()
        events = list(_possible(program, state))
        if not events:
            found.add(pairs)
        for event in events:
            launch, block, part = event
            does = _does(program, event)
            more = [(other, event) for other in _past(state) if conflict(_does(program, other), does)]
            blocks = list(state[launch])
            blocks[block] = part + 1
            following = (*state[:launch], tuple(blocks), *state[launch + 1 :])
            reached = following, pairs.union(more)
            if reached not in seen:
                seen.add(reached)
                pending.append(reached)
                if len(seen) > most:
                    raise TooMany
    return found


State = tuple[tuple[int, ...], ...]


def _past(state: State) -> Iterator[Event]:
    for launch, blocks in enumerate(state):
        for block, parts in enumerate(blocks):
            for part in range(parts):
                yield launch, block, part


def _possible(program: Program, state: State) -> Iterator[Event]:
    """What can come next."""
    launches = program.launches

    def over(launch: int) -> bool:
        return all(did == len(parts) for did, parts in zip(state[launch], launches[launch].blocks, strict=True))

    for number, launch in enumerate(launches):
        before = [i for i in range(number) if launches[i].stream == launch.stream]
        needs = [*before, *(launches[i].after for i in [*before, number] if launches[i].after >= 0)]
        if not all(over(i) for i in needs):
            continue
        blocks = state[number]
        for block, did in enumerate(blocks):
            if did == len(launch.blocks[block]):
                continue
            started = sum(done < len(parts) for done, parts in zip(blocks[:block], launch.blocks, strict=False))
            if did == 0 and started >= program.cores:
                continue
            if did and min(blocks) < did:
                continue
            yield number, block, did
