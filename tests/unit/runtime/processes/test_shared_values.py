"""Waits for a value in memory that processes share: another process writes it, or ends, or waits itself."""

from __future__ import annotations

import os
import re

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang
from ascend_sim.machine.virtual_memory import VirtualMemory
from tests.kit.calls import must
from tests.kit.pairs import Side, pair

pytestmark = pytest.mark.skipif(
    not (VirtualMemory.supported() and hasattr(os, "fork")), reason="this system cannot show pages of others"
)
both_threads = pytest.mark.parametrize("threads", ["deterministic", "free"])
SIZE, OPEN, EQUAL, TASK_TIMEOUT = 4096, 1, 1, 107020


def exported(side: Side) -> int:
    block = side.malloc(SIZE, 0)
    side.send(side.key("aclrtIpcMemGetExportKey", block, SIZE, OPEN))
    return block


def opened(side: Side) -> int:
    return int(must(C.aclrtIpcMemImportByKey(side.receive(), 0)))


@both_threads
def test_counters_hand_over_turns(threads: str) -> None:
    """Two processes take turns a hundred times: each waits for the other's counter, and nothing is said."""
    turns = 100

    def play(side: Side, block: int, mine: int, theirs: int) -> bytes:
        stream, log = side.stream(), side.malloc(turns * 8, 0)
        for turn in range(1, turns + 1):
            if mine:
                must(C.aclrtValueWait(block + theirs, turn, EQUAL, stream))
                must(C.aclrtMemcpyAsync(log + (turn - 1) * 8, 8, block + 64, 8, 3, stream))
            else:
                must(C.aclrtMemsetAsync(block + 64, 8, turn, 8, stream))
            must(C.aclrtValueWrite(block + mine, turn, 0, stream))
            if not mine:
                must(C.aclrtValueWait(block + theirs, turn, EQUAL, stream))
        must(C.aclrtSynchronizeStream(stream))
        return side.bytes_at(log, turns * 8)

    def one(side: Side) -> None:
        play(side, exported(side), 0, 8)
        side.receive()

    def two(side: Side) -> bytes:
        seen = play(side, opened(side), 8, 0)
        side.send("over")
        return seen

    first, second = pair(one, two, threads=threads)
    assert second.value == b"".join(bytes([turn]) * 8 for turn in range(1, turns + 1))
    assert first.titles == second.titles == []


def test_physical_memory() -> None:
    size = 2 << 20
    prop = C.aclrtPhysicalMemProp(0, 0, C.ACL_HBM_MEM_HUGE, C.aclrtMemLocation(0, C.ACL_MEM_LOCATION_TYPE_DEVICE), 0)

    def mapped(handle: int) -> int:
        address = int(must(C.aclrtReserveMemAddress(size, 0, 0, 0)))
        must(C.aclrtMapMem(address, size, 0, handle, 0))
        return address

    def owner(side: Side) -> int:
        handle, stream = must(C.aclrtMallocPhysical(size, prop, 0)), side.stream()
        block = mapped(handle)
        must(C.aclrtMemset(block, 8, 0, 8))
        must(C.aclrtValueWait(block, 5, EQUAL, stream))  # before anybody else can see it
        side.send(must(C.aclrtMemExportToShareableHandle(handle, 0, 1)))
        code = int(C.aclrtSynchronizeStream(stream))
        side.receive()
        return code

    def user(side: Side) -> None:
        block, stream = mapped(must(C.aclrtMemImportFromShareableHandle(side.receive(), 0))), side.stream()
        must(C.aclrtValueWrite(block, 5, 0, stream))
        must(C.aclrtSynchronizeStream(stream))
        side.send("written")

    first, second = pair(owner, user)
    assert first.value == 0 and first.titles == second.titles == []


@both_threads
@pytest.mark.parametrize("leave", [True, False], ids=["killed", "closed"])
def test_a_dead_peer_ends_the_wait(threads: str, leave: bool) -> None:
    def waiter(side: Side) -> int:
        block, stream = exported(side), side.stream()
        must(C.aclrtValueWait(block, 1, EQUAL, stream))
        return int(C.aclrtSynchronizeStream(stream))

    first, _ = pair(waiter, lambda side: opened(side), leave=leave, threads=threads)
    assert first.value == TASK_TIMEOUT
    assert first.kinds == ["dead-peer"]
    assert re.search(
        "a wait for the 64 bits at byte 0 of .* to be == 1 can never end: process .* is gone, which had the memory",
        first.titles[0],
    )


@both_threads
def test_two_that_wait_for_each_others_value_are_a_deadlock(threads: str) -> None:
    def hang(side: Side, block: int, at: int) -> str:
        stream = side.stream()
        must(C.aclrtValueWait(block + at, 1, EQUAL, stream))
        try:
            C.aclrtSynchronizeStream(stream)
        except SimulatedHang as hang:
            return str(hang)
        return ""

    def one(side: Side) -> str:
        block = exported(side)
        side.receive()
        return hang(side, block, 0)

    def two(side: Side) -> str:
        block = opened(side)
        side.send("opened")
        return hang(side, block, 8)

    ends = pair(one, two, threads=threads)
    kinds = [set(end.kinds) & {"deadlock", "dead-peer"} for end in ends]
    assert all(kinds)  # who sees it first ends, and may be gone before the other looks
    assert {"deadlock"} in kinds
    assert any(re.search("which is up to process .*, which waits for the 64 bits at byte [08]", e.value) for e in ends)


def test_a_value_that_was_there_before() -> None:
    def owner(side: Side) -> int:
        block, stream = exported(side), side.stream()
        side.receive()
        must(C.aclrtValueWait(block, 1, EQUAL, stream))
        code = int(C.aclrtSynchronizeStream(stream))
        side.send("over")
        return code

    def user(side: Side) -> None:
        block, one = opened(side), np.ones(1, np.int64)
        must(C.aclrtMemcpy(block, 8, one.ctypes.data, 8, 1))
        side.send("written")
        side.receive()

    first, second = pair(owner, user)
    assert first.value == 0 and first.titles == second.titles == []
