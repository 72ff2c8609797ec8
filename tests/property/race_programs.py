"""Random programs of streams, events, flags, notifies and values, and how they run under a schedule.

A program is a list of steps (tuples). `run` says how it ended, what it computed (final bytes and what the host saw), what
the race detector found, and whether it left order marks.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np

from ascend_sim import Block, SimulatedHang, Simulator, kernel
from ascend_sim import ascendcl as C
from tests.kit.calls import must

CELL, CELLS, BUFFERS = 16, 4, 2
D2H, D2D = 2, 3
EX, LEVEL = 1, 1
TASK_LATE, STREAM_LATE, EVENT_LATE = 107020, 507046, 507047
"""A wait on the device, or of the host, took longer than its limit."""
RACES = ("race", "sync-race", "use-after-free")

Step = tuple[Any, ...]


@kernel
def slow(b: Block) -> None:
    """Nothing, and it takes longer than any limit."""
    b.cost(3_000_000_000)


class Run(NamedTuple):
    """One run of a program."""

    ended: bool
    outcome: Any
    found: list[tuple[str, str]]
    marks: tuple[str, ...]

    @property
    def clean(self) -> bool:
        """It says that every schedule ends like this."""
        return self.ended and not self.found and not self.marks


def outcomes_of(runs: list[Run]) -> set[str]:
    """The outcomes of *runs*, without those that a time limit decided: only the machine's own clock lets one pass early."""
    return {repr(r.outcome) for r in runs if "time limit" not in r.marks}


def make_program(rng: random.Random, length: int, streams: int = 3, kinds: str = "statics") -> list[Step]:
    """A random program. *kinds*: ``statics`` (events bound when they are queued), ``flags``, ``all``, ``times`` (limits)."""
    steps: list[Step] = []
    value = 0
    menu = ["write"] * 4 + ["copy"] * 2 + ["record"] * 3 + ["wait"] * 3 + ["sync"] + ["esync"] + ["hread", "hwrite", "renew"]
    if kinds in ("flags", "all", "times"):
        menu += ["frecord"] * 2 + ["fwait"] * 2 + ["freset"]
    if kinds in ("all", "times"):
        menu += ["nrecord"] * 2 + ["nwait"] * 2 + ["query", "vwrite", "vwait"]
    if kinds == "times":
        menu += ["tsync", "tesync", "tnwait", "tnwait", "squery", "fquery", "nreset", "slow", "slow"]
    recorded: set[int] = set()
    while len(steps) < length:
        kind = rng.choice(menu)
        s, s2 = rng.randrange(streams), rng.randrange(2)
        b, lo = rng.randrange(BUFFERS), rng.randrange(CELLS)
        hi = rng.randrange(lo, CELLS) + 1
        if kind == "write":
            value += 1
            steps.append(("write", s, b, lo, hi, value))
        elif kind == "copy":
            steps.append(("copy", s, b, 1 - b, lo, hi))
        elif kind in ("record", "wait", "esync", "query", "tesync"):
            if kind == "record":
                recorded.add(s2)
            elif s2 not in recorded:
                continue
            steps.append((kind, s, s2))
        elif kind in ("frecord", "fwait", "freset", "nrecord", "nwait", "tnwait", "fquery", "nreset"):
            steps.append((kind, s, s2))
        elif kind in ("sync", "renew", "tsync", "squery", "slow"):
            steps.append((kind, s))
        elif kind == "hread":
            steps.append(("hread", b, lo, hi))
        elif kind == "hwrite":
            value += 1
            steps.append(("hwrite", b, lo, hi, value))
        elif kind == "vwrite":
            steps.append(("vwrite", s, rng.randrange(1, 3)))
        elif kind == "vwait":
            steps.append(("vwait", s, rng.randrange(1, 3)))
    return steps


class Player:
    """Performs steps in one simulator."""

    def __init__(self, streams: int) -> None:
        self.must(C.aclrtSetDevice(0))
        self.streams = [self.must(C.aclrtCreateStream()) for _ in range(streams)]
        self.buffers = [self.must(C.aclrtMalloc(CELL * CELLS, 0)) for _ in range(BUFFERS)]
        for buffer in self.buffers:
            self.must(C.aclrtMemset(buffer, CELL * CELLS, 0, CELL * CELLS))
        self.word = self.must(C.aclrtMalloc(8, 0))
        self.must(C.aclrtMemset(self.word, 8, 0, 8))
        self.events = [self.must(C.aclrtCreateEventExWithFlag(EX)) for _ in range(2)]
        self.flags = [self.must(C.aclrtCreateEventWithFlag(LEVEL)) for _ in range(2)]
        self.notifies = [self.must(C.aclrtCreateNotify(0)) for _ in range(2)]
        self.seen: list[Any] = []

    must = staticmethod(must)

    def part(self, b: int, lo: int, hi: int) -> tuple[int, int]:
        """Address and size of cells."""
        return self.buffers[b] + lo * CELL, (hi - lo) * CELL

    def step(self, step: Step) -> None:
        """One step."""
        kind, *args = step
        getattr(self, f"_{kind}")(*args)

    def _write(self, s: int, b: int, lo: int, hi: int, value: int) -> None:
        address, size = self.part(b, lo, hi)
        self.must(C.aclrtMemsetAsync(address, size, value, size, self.streams[s]))

    def _copy(self, s: int, b: int, source: int, lo: int, hi: int) -> None:
        address, size = self.part(b, lo, hi)
        self.must(C.aclrtMemcpyAsync(address, size, self.part(source, lo, hi)[0], size, D2D, self.streams[s]))

    def _record(self, s: int, e: int) -> None:
        self.must(C.aclrtRecordEvent(self.events[e], self.streams[s]))

    def _wait(self, s: int, e: int) -> None:
        self.must(C.aclrtStreamWaitEvent(self.streams[s], self.events[e]))

    def _esync(self, s: int, e: int) -> None:
        self.ends(C.aclrtSynchronizeEvent(self.events[e]))

    def _query(self, s: int, e: int) -> None:
        self.seen.append(self.must(C.aclrtQueryEventStatus(self.events[e])))

    def _edge(self, first: int, then: int) -> None:
        event = must(C.aclrtCreateEventExWithFlag(1))
        must(C.aclrtRecordEvent(event, self.streams[first]))
        must(C.aclrtStreamWaitEvent(self.streams[then], event))

    def _frecord(self, s: int, e: int) -> None:
        self.must(C.aclrtRecordEvent(self.flags[e], self.streams[s]))

    def _fwait(self, s: int, e: int) -> None:
        self.must(C.aclrtStreamWaitEvent(self.streams[s], self.flags[e]))

    def _freset(self, s: int, e: int) -> None:
        self.must(C.aclrtResetEvent(self.flags[e], self.streams[s]))

    def _nrecord(self, s: int, e: int) -> None:
        self.must(C.aclrtRecordNotify(self.notifies[e], self.streams[s]))

    def _nwait(self, s: int, e: int) -> None:
        self.must(C.aclrtWaitAndResetNotify(self.notifies[e], self.streams[s], 0))

    def _vwrite(self, s: int, value: int) -> None:
        self.must(C.aclrtValueWrite(self.word, value, 0, self.streams[s]))

    def _vwait(self, s: int, value: int) -> None:
        self.must(C.aclrtValueWait(self.word, value, 1, self.streams[s]))

    def _sync(self, s: int) -> None:
        self.ends(C.aclrtSynchronizeStream(self.streams[s]))

    def ends(self, code: int) -> None:
        """A wait on the device or of the host may have reached its limit: that is a part of the outcome."""
        assert code in (0, TASK_LATE, STREAM_LATE, EVENT_LATE), (code, C.aclGetRecentErrMsg())
        if code:
            self.seen.append(code)

    def _tsync(self, s: int) -> None:
        self.ends(C.aclrtSynchronizeStreamWithTimeout(self.streams[s], 1))

    def _tesync(self, s: int, e: int) -> None:
        self.ends(C.aclrtSynchronizeEventWithTimeout(self.events[e], 1))

    def _squery(self, s: int) -> None:
        self.seen.append(self.must(C.aclrtStreamQuery(self.streams[s])))

    def _fquery(self, s: int, e: int) -> None:
        self.seen.append(self.must(C.aclrtQueryEventStatus(self.flags[e])))

    def _tnwait(self, s: int, e: int) -> None:
        self.must(C.aclrtWaitAndResetNotify(self.notifies[e], self.streams[s], 1))

    def _nreset(self, s: int, e: int) -> None:
        self.must(C.aclrtNotifyBatchReset([self.notifies[e]], 1))

    def _slow(self, s: int) -> None:
        slow[1, self.streams[s]]()

    def _renew(self, s: int) -> None:
        self.ends(C.aclrtDestroyStream(self.streams[s]))
        self.streams[s] = self.must(C.aclrtCreateStream())

    def _hread(self, b: int, lo: int, hi: int) -> None:
        address, size = self.part(b, lo, hi)
        out = np.zeros(size, np.uint8)
        self.must(C.aclrtMemcpy(out.ctypes.data, size, address, size, D2H))
        self.seen.append(tuple(out[::CELL].tolist()))

    def _hwrite(self, b: int, lo: int, hi: int, value: int) -> None:
        address, size = self.part(b, lo, hi)
        self.must(C.aclrtMemset(address, size, value, size))

    def result(self) -> Any:
        """Wait for all; final bytes and what the host saw."""
        self.ends(C.aclrtSynchronizeDevice())
        for b in range(BUFFERS):
            self._hread(b, 0, CELLS)
        return tuple(self.seen)


def run(
    program: list[Step], schedule: str, streams: int = 3, depth: int | None = None, soc: str = "Ascend950PR_9599"
) -> Run:
    """Run *program* under *schedule* with the race detector."""
    limits = {"stream_depth": depth} if depth else None
    with Simulator(schedule=schedule, limits=limits, checks="races", soc=soc) as sim:
        player = Player(streams)
        try:
            for step in program:
                player.step(step)
            outcome, ended = player.result(), True
        except SimulatedHang:
            outcome, ended = "hang", False
        found = [(f.kind, f.title) for f in sim.findings if f.kind in RACES]
        return Run(ended, outcome, found, tuple(sim.checks.races.nondeterminism.counts))  # type: ignore[union-attr]
