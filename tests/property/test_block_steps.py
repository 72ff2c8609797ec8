"""Blocks of kernels among steps of the host and of other streams: the explorer against every interleaving."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.explore.control.blocks.granularity import Split, Splits
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.runs import Runner, quiet_group
from ascend_sim.explore.search.dpor import Search
from ascend_sim.explore.search.run_path import Trace
from tests.kit.scale import SCALE
from tests.property.block_orders import BYTES, LOG, RUNNING, Program, make_program, plain, waiting
from tests.property.brute_force import UNLIKELY, Enumerator, TooMany, class_of

OPTIONS = {"soc": "Ascend910B3", "checks": "none"}
MOST = 120 if SCALE == 1 else 600

Op = tuple[str, int, int, int]
"""(what, launch or stream, from byte, to byte)."""


def make_ops(rng: random.Random, program: Program) -> list[Op]:
    """Up to two launches of *program*, and questions, copies, sets and waits between them."""
    ops: list[Op] = [("launch", i, 0, 0) for i in range(min(len(program.launches), 2))]
    for _ in range(rng.choice([1, 1, 2])):
        what = rng.choice(["poll", "read", "set", "wait"])
        lo = rng.randrange(BYTES - 3)
        ops.insert(rng.randrange(1, len(ops) + 1), (what, rng.randrange(2), lo, lo + rng.choice([1, 3])))
    return ops


def played(program: Program, ops: list[Op]) -> Callable[[], Any]:
    """What performs *ops*; its value is what the host saw."""

    def run() -> Any:
        RUNNING[:] = [program]
        LOG.clear()
        seen: list[Any] = []
        C.aclrtSetDevice(0)
        for kind in (0, 1):
            C.aclrtSetDeviceResLimit(0, kind, program.cores)
        streams = [C.aclrtCreateStream()[0] for _ in range(2)]
        address, _ = C.aclrtMalloc(BYTES, 0)
        C.aclrtMemset(address, BYTES, 0, BYTES)
        for what, number, lo, hi in ops:
            if what == "launch":
                launch = program.launches[number]
                function = plain if len(launch.blocks[0]) == 1 else waiting
                function[len(launch.blocks), streams[launch.stream]](address, number)
            elif what == "poll":
                seen.append(C.aclrtStreamQuery(streams[number])[0])
            elif what == "read":
                seen.append(_read(address, lo, hi))
            elif what == "set":
                C.aclrtMemsetAsync(address + lo, hi - lo, 200, hi - lo, streams[number])
            else:
                C.aclrtSynchronizeStream(streams[number])
        C.aclrtSynchronizeDevice()
        return seen, _read(address, 0, BYTES)

    return run


def _read(address: int, lo: int, hi: int) -> list[int]:
    out = np.zeros(hi - lo, np.uint8)
    C.aclrtMemcpy(out.ctypes.data, hi - lo, address + lo, hi - lo, 2)
    return out.tolist()


def all_apart(program: Program, ops: list[Op]) -> dict[str, Split]:
    """Every launch with all its blocks alone."""
    counts: dict[str, int] = {}
    found = {}
    for what, number, _, _ in ops:
        if what == "launch":
            launch = program.launches[number]
            name = f"stream {2 + launch.stream}"
            counts[name] = counts.get(name, 0) + 1
            if len(launch.blocks) > 1 or len(launch.blocks[0]) > 1:
                found[f"{name}/launch {counts[name]}"] = Split(tuple(range(len(launch.blocks))))
    return found


def brute_force(run_once: Runner, apart: dict[str, Split]) -> dict[Any, Any]:
    """Every class with its outcome. Raises TooMany."""
    known_state = KnownState(splits=Splits("whole", apart))
    found: dict[Any, Any] = {}
    prefix: list[int] | None = []
    runs = 0
    while prefix is not None:
        guide = Enumerator(prefix)
        run = run_once.run(guide, known_state)
        found[class_of(guide.steps)] = run.outcome
        runs += 1
        if runs >= MOST or (runs == 1 and guide.promises() > UNLIKELY * MOST):
            raise TooMany
        prefix = guide.next_prefix()
    return found


def explored(run_once: Runner, splits: Splits) -> tuple[list[tuple[Any, Any]], int]:
    """The classes that are run, with their outcomes; and the runs that were cut short."""
    known_state = KnownState(splits=splits)
    while True:
        search, branch = Search(), None
        found = []
        cut = 0
        splits.grown = False
        while not splits.grown:
            trace = Trace(search, branch)
            run = run_once.run(trace, known_state)
            trace.reached_branch()
            assert not trace.trouble, trace.trouble
            search.learn(trace.steps, trace.fresh, run.blocked)
            splits.look(trace.steps, trace.fresh, run.launches)
            if trace.cut:
                cut += 1
            else:
                found.append((class_of([(s.process, s.items, s.call) for s in trace.steps]), run.outcome))
            branch = search.next()
            if branch is None and not splits.grown:
                return found, cut


@pytest.mark.slow
def test_every_class_once_and_every_outcome_where_only_conflicts_are_steps() -> None:
    rng = random.Random(SCALE)
    programs = runs = cut = 0
    with quiet_group():
        while programs < 12 * SCALE:
            program = make_program(rng)
            if sum(len(launch.blocks) * len(launch.blocks[0]) for launch in program.launches[:2]) > (4 if SCALE == 1 else 6):
                continue  # every block is a step: too many interleavings
            ops = make_ops(rng, program)
            run_once = Runner(played(program, ops), OPTIONS)
            apart = all_apart(program, ops)
            found, short = explored(run_once, Splits("whole", apart))
            if len(found) == 1 and rng.random() < 0.9:
                continue  # most would have nothing to choose
            try:
                classes = brute_force(run_once, apart)
            except TooMany:
                continue
            programs += 1
            keys = [key for key, _ in found]
            assert set(keys) == set(classes), (program, ops)
            assert len(keys) == len(classes), (program, ops)
            runs += len(keys) + short
            cut += short
            found, _ = explored(run_once, Splits("all"))
            assert {outcome for _, outcome in found} == set(classes.values()), (program, ops)
            assert len(found) <= len(classes)
    print(f"{programs} programs, {runs} runs, {cut} cut short")
    assert cut <= max(0.02 * runs, 1)
