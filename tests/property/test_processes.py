"""Two processes with random exchanges: each round is ordered by a notify, so both end, agree, and nothing is found."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_sim import ascendcl as C
from ascend_sim.machine.virtual_memory import VirtualMemory
from tests.kit.calls import must
from tests.kit.pairs import Side, pair
from tests.kit.scale import SCALE

pytestmark = pytest.mark.skipif(
    not (VirtualMemory.supported() and hasattr(os, "fork")), reason="this system cannot show pages of others"
)
SIZE, OPEN, OPEN_NOTIFY = 4096, 1, 2

STEPS = st.tuples(
    st.sampled_from(["fill", "copy", "add"]), st.integers(0, 63), st.integers(1, 64), st.integers(0, 255), st.booleans()
)
"""What a turn does, where, with how many bytes and which value; whether the host waits for it."""
ROUNDS = st.lists(st.tuples(st.booleans(), st.lists(STEPS, min_size=1, max_size=4)), min_size=1, max_size=10)
"""Whose turn it is (the first process or the second), and what it does then."""


def play(memory: np.ndarray, kind: str, at: int, size: int, value: int) -> None:
    """What a step does to the bytes."""
    lo = at * 32
    if kind == "fill":
        memory[lo : lo + size] = value
    elif kind == "copy":
        memory[SIZE // 2 : SIZE // 2 + size] = memory[lo : lo + size].copy()
    else:
        memory[lo : lo + size] += np.uint8(value)


def do(side: Side, block: int, stream: int, kind: str, at: int, size: int, value: int) -> None:
    """What a step does to the bytes of *block* on the device."""
    lo = block + at * 32
    if kind == "fill":
        must(C.aclrtMemsetAsync(lo, size, value, size, stream))
    elif kind == "copy":
        must(C.aclrtMemcpyAsync(block + SIZE // 2, size, lo, size, 3, stream))
    else:  # read, change, write: three tasks of the host
        must(C.aclrtSynchronizeStream(stream))
        data = np.frombuffer(side.bytes_at(lo, size), np.uint8) + np.uint8(value)
        must(C.aclrtMemcpy(lo, size, data.ctypes.data, size, 1))


def turns(side: Side, first: bool, rounds: list, block: int, mine: int, theirs: int) -> bytes:
    """Take the turns of this process; a notify hands each change of turns over."""
    stream, whose = side.stream(), True
    for turn, steps in rounds:
        if turn != whose:
            if whose is first:
                must(C.aclrtRecordNotify(theirs, stream))
            else:
                must(C.aclrtWaitAndResetNotify(mine, stream, 0))
            whose = turn
        if turn is first:
            for kind, at, size, value, wait in steps:
                do(side, block, stream, kind, at, size, value)
                if wait:
                    must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtSynchronizeStream(stream))
    return b""


@pytest.mark.parametrize("threads", ["deterministic", "free"])
@settings(max_examples=12 * SCALE, deadline=None)
@given(rounds=ROUNDS)
def test_random_exchanges_end_and_agree(threads: str, rounds: list) -> None:
    expected = np.zeros(SIZE, np.uint8)
    for _, steps in rounds:
        for kind, at, size, value, _ in steps:
            play(expected, kind, at, size, value)

    def one(side: Side) -> bytes:
        block, mine = side.malloc(SIZE, 0), must(C.aclrtCreateNotify(0))
        side.send(
            side.key("aclrtIpcMemGetExportKey", block, SIZE, OPEN),
            side.key("aclrtNotifyGetExportKey", mine, OPEN_NOTIFY),
        )
        theirs = must(C.aclrtNotifyImportByKey(side.receive(), 0))
        turns(side, True, rounds, block, mine, theirs)
        side.receive()
        return side.bytes_at(block, SIZE)

    def two(side: Side) -> bytes:
        key, name = side.receive()
        mine = must(C.aclrtCreateNotify(0))
        side.send(side.key("aclrtNotifyGetExportKey", mine, OPEN_NOTIFY))
        block, theirs = must(C.aclrtIpcMemImportByKey(key, 0)), must(C.aclrtNotifyImportByKey(name, 0))
        turns(side, False, rounds, block, mine, theirs)
        side.send("done")
        return b""

    first, second = pair(one, two, threads=threads)
    assert first.value == expected.tobytes()
    assert first.kinds == second.kinds == [], (first.titles, second.titles)
