"""Histories of bytes against a yardstick that looks at every byte."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

from ascend_sim.observers.races.access_history import MOST_SEGMENTS, AccessHistory
from ascend_sim.observers.races.row_history import RowHistory

CHAINS = 4


class Epoch:
    """Number *q* of chain *c*."""

    def __init__(self, c: int, q: int) -> None:
        self.c, self.q = c, q


class EveryByte:
    """Last write and reads of each byte, by plain loops."""

    def __init__(self, size: int) -> None:
        self.w: list[Any] = [None] * size
        self.r: list[dict[int, Epoch]] = [{} for _ in range(size)]

    def access(self, places: list[int], who: Epoch, view: list[int], write: bool) -> set[tuple[int, int, bool]]:
        """The unordered earlier accesses as (chain, number, write)."""
        met = set()
        for i in places:
            w = self.w[i]
            if w is not None and w.c != who.c and view[w.c] < w.q:
                met.add((w.c, w.q, True))
            if write:
                for r in self.r[i].values():
                    if r.c != who.c and view[r.c] < r.q:
                        met.add((r.c, r.q, False))
                self.r[i] = {}
                self.w[i] = who
            else:
                self.r[i][who.c] = who
        return met


def seen(met: Any) -> set[tuple[int, int, bool]]:
    """What a history gives back, in the same form."""
    return {(e.c, e.q, wrote) for e, wrote, _, _ in met or ()}


def step(rng: random.Random, clocks: list[list[int]]) -> tuple[Epoch, list[int]]:
    """The next epoch of a chain, which sometimes learns of another one before."""
    c = rng.randrange(CHAINS)
    if rng.random() < 0.5:
        other = clocks[rng.randrange(CHAINS)]
        clocks[c] = [max(a, b) for a, b in zip(clocks[c], other, strict=True)]
    clocks[c][c] += 1
    return Epoch(c, clocks[c][c]), list(clocks[c])


@pytest.mark.parametrize("seed", range(200))
def test_intervals_are_judged_as_their_bytes_are(seed: int) -> None:
    rng = random.Random(seed)
    size = 40
    history, bytes_ = AccessHistory(32, size), EveryByte(size)
    clocks = [[0] * CHAINS for _ in range(CHAINS)]
    for _ in range(40):
        who, view = step(rng, clocks)
        write = rng.random() < 0.5
        if rng.random() < 0.3:
            cuts = sorted(rng.sample(range(size + 1), 6))
            parts = list(zip(cuts[::2], cuts[1::2], strict=True))
            found = seen(history.many(parts, who, view, write))
        else:
            lo = rng.choice((0, rng.randrange(size)))
            hi = rng.choice((32, rng.randrange(lo, size) + 1))
            hi = hi if hi > lo else size
            parts = [(lo, hi)]
            found = seen((history.write if write else history.read)(lo, hi, who, view))
        places = [i for lo, hi in parts for i in range(lo, hi)]
        right = bytes_.access(places, who, view, write)
        assert found <= right and bool(found) == bool(right)  # a read that a later ordered one stands for is left out
        if rng.random() < 0.1:
            floor = [min(clock[c] for clock in clocks) for c in range(CHAINS)]
            history.compact(floor)


@pytest.mark.parametrize("seed", range(200))
def test_rows_are_judged_as_their_bytes_are(seed: int) -> None:
    rng = random.Random(seed)
    size, pitch = 64, 8
    flat, bytes_ = AccessHistory(60, size), EveryByte(size)
    clocks = [[0] * CHAINS for _ in range(CHAINS)]
    history: Any = flat
    for number in range(40):
        who, view = step(rng, clocks)
        write = rng.random() < 0.5
        if number == 5:
            history = RowHistory(pitch, flat)
        if number > 5 and rng.random() < 0.6:
            step_size = rng.choice((pitch, pitch, pitch, 12))
            width = rng.randrange(1, step_size)
            rows = rng.randrange(2, 4)
            lo = rng.randrange(0, size - step_size * (rows - 1) - width + 1)
            places = [lo + row * step_size + i for row in range(rows) for i in range(width)]
            found = seen(history.box(lo, width, step_size, rows, who, view, write))
        else:
            lo = rng.randrange(size)
            hi = rng.randrange(lo, size) + 1
            places = list(range(lo, hi))
            found = seen((history.write if write else history.read)(lo, hi, who, view))
        right = bytes_.access(places, who, view, write)
        assert found <= right and bool(found) == bool(right)
        if number > 5 and rng.random() < 0.1:
            history.compact([min(clock[c] for clock in clocks) for c in range(CHAINS)])


def test_a_history_in_very_many_pieces_forgets_its_older_half() -> None:
    history = AccessHistory(1 << 21, 1 << 21)
    nobody = [0] * CHAINS
    for i in range(MOST_SEGMENTS + 10):
        history.write(16 * i, 16 * i + 8, Epoch(0, i + 1), nobody)
    history.compact(nobody)
    assert history.forgotten and len(history) < MOST_SEGMENTS * 1.1
    newest = 16 * (MOST_SEGMENTS + 9)
    assert history.read(newest, newest + 8, Epoch(1, 1), nobody)
    assert not history.read(0, 8, Epoch(1, 2), nobody)


def test_many_slices_stay_bounded_when_everybody_knows_them() -> None:
    rng = random.Random(1)
    history = AccessHistory(1 << 20, 1 << 20)
    most = 0
    for i in range(5000):
        lo = rng.randrange((1 << 20) - 64)
        history.read(lo, lo + rng.randrange(1, 64), Epoch(0, i + 1), [i + 1])
        if len(history) > history.limit:
            history.compact([i])
        most = max(most, len(history))
    assert most < 300


def test_a_pitched_access_costs_no_more_with_more_rows() -> None:
    def calls(rows: int) -> int:
        """Function calls of 200 accesses."""
        history = RowHistory(8192, AccessHistory(1 << 26, 1 << 26))
        count = 0

        def called(frame: Any, event: str, argument: Any) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        sys.setprofile(called)
        try:
            for i in range(200):
                history.box(i % 16 * 256, 256, 8192, rows, Epoch(0, i + 1), [1000], True)
        finally:
            sys.setprofile(None)
        return count

    assert calls(4096) == calls(64)


def test_parts_that_were_touched_together_stay_one_cell_until_one_is_touched_alone() -> None:
    history = AccessHistory(1 << 16, 1 << 16)
    parts = [(64 * i, 64 * i + 32) for i in range(1000)]
    for number in range(3):
        history.many(parts, Epoch(0, number + 1), [9], write=number == 1)
        assert len({id(cell) for cell in history.cells}) <= 3
    assert not history.write(64, 96, Epoch(1, 1), [9, 0])
    assert history.write(0, 128, Epoch(2, 1), [9, 0, 0]) and not history.read(128, 160, Epoch(2, 2), [9, 0, 2])
