"""Random programs in which every edge is there, and the same with one edge taken out. A script of its own.

One or two threads, streams of their own, device and page-locked memory; sets, copies, pitched copies, kernels of several
blocks, accesses of the host; ordered by events, notifies, waits for values, synchronises, and from thread to thread by a
queue. The yardstick is a graph, built as the steps are made: a program with all its edges has to be silent, and one that
lacks an edge that matters has to have a finding in one run under each schedule.

Usage: python planted_edges.py PROGRAMS LENGTH SEED. Prints one JSON line.
"""

from __future__ import annotations

import json
import queue
import random
import sys
import threading
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from ascend_sim import Block, SimulatedHang, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches
from tests.kit.calls import must
from tests.property.race_programs import RACES, Step

SCHEDULES = ("virtual-time", "late", "early")
CELL, CELLS = 16, 8
PINNED = 2
"""The number of the buffer in page-locked memory; 0 and 1 are on the device."""
H2D, D2H, D2D = 1, 2, 3
STREAMS = 2
"""Each thread has so many."""
BY = ("event", "event", "ex", "notify", "early notify", "value", "sync", "event sync")
KINDS = ("write", "write", "copy", "pitched", "kernel", "kernel", "kernel copy", "up", "down", "hread", "hwrite")


@kernel
def fill(b: Block, p: gm.Out[np.uint8], value: np.uint8, n: np.uint32) -> None:
    """Each block writes its part."""
    b.cost(2000 * int(value % 7))
    s = b.slice(n)
    p[s] = np.full(s.stop - s.start, value, np.uint8)


@kernel
def copy(b: Block, to: gm.Out[np.uint8], source: gm.In[np.uint8], n: np.uint32) -> None:
    """Each block copies its part."""
    s = b.slice(n)
    to[s] = source[s]


class Made(NamedTuple):
    """Steps of each thread, as (place in the whole, step); how many edges there are."""

    threads: list[list[tuple[int, Step]]]
    edges: int


class Graph:
    """Who comes before whom. Streams are (thread, number)."""

    def __init__(self) -> None:
        self.after: list[int] = []
        self.host: dict[int, int] = {}
        self.last: dict[Any, int] = {}
        self.accesses: list[tuple[int, Any, int, frozenset[int], bool]] = []
        """(node, stream or thread, buffer, cells, write)"""

    def node(self, *before: int | None) -> int:
        mask = 0
        for other in before:
            if other is not None:
                mask |= self.after[other] | 1 << other
        self.after.append(mask)
        return len(self.after) - 1

    def call(self, thread: int, *before: int | None) -> int:
        """A call of a thread."""
        self.host[thread] = self.node(self.host.get(thread), *before)
        return self.host[thread]

    def task(self, thread: int, stream: int, *before: int | None) -> int:
        """Something is queued."""
        call = self.call(thread)
        self.last[thread, stream] = node = self.node(call, self.last.get((thread, stream)), *before)
        return node

    def unordered(self, a: int, b: int) -> bool:
        return a != b and not (self.after[a] >> b & 1 or self.after[b] >> a & 1)

    def races(self) -> bool:
        """Whether two accesses conflict and nothing orders them."""
        return any(
            b == ob and cells & ocells and (write or owrite) and self.unordered(node, other)
            for i, (node, _, b, cells, write) in enumerate(self.accesses)
            for other, _, ob, ocells, owrite in self.accesses[:i]
        )


def draw(rng: random.Random, threads: int) -> list[tuple[int, Step, list[tuple[int, frozenset[int], bool]]]]:
    """(thread, step, its accesses): what the program is about."""
    kind = rng.choice(KINDS)
    t, s, value = rng.randrange(threads), rng.randrange(STREAMS), rng.randrange(1, 255)
    b, lo = rng.randrange(2), rng.randrange(CELLS)
    hi = rng.randrange(lo, CELLS) + 1
    cells = frozenset(range(lo, hi))
    if kind == "write":
        return [(t, ("write", s, b, lo, hi, value), [(b, cells, True)])]
    if kind == "kernel":
        return [(t, ("kernel", s, b, lo, hi, value, rng.randrange(1, 4)), [(b, cells, True)])]
    if kind in ("copy", "kernel copy"):
        step: Step = (kind, s, b, 1 - b, lo, hi, rng.randrange(1, 4))
        return [(t, step, [(1 - b, cells, False), (b, cells, True)])]
    if kind == "pitched":
        rows = rng.randrange(1, (CELLS - lo + 1) // 2 + 1)
        cells = frozenset(range(lo, lo + 2 * rows, 2))
        return [(t, ("pitched", s, b, 1 - b, lo, rows), [(1 - b, cells, False), (b, cells, True)])]
    if kind in ("up", "down"):
        to, source = (b, PINNED) if kind == "up" else (PINNED, b)
        return [(t, (kind, s, to, source, lo, hi), [(source, cells, False), (to, cells, True)])]
    b = rng.randrange(3)
    return [(t, (kind, b, lo, hi, value), [(b, cells, kind == "hwrite")])]


class Builder:
    """Makes a program with its graph; *without*: the number of the edge that is left out."""

    def __init__(self, seed: int, length: int, without: int = -1) -> None:
        self.rng = random.Random(seed)
        self.count = self.rng.choice((1, 2))
        self.without = without
        self.edges = 0
        self.graph, self.whole = Graph(), Graph()  # as it is, and with all edges
        self.threads: list[list[tuple[int, Step]]] = [[] for _ in range(self.count)]
        self.place = self.things = 0
        for _ in range(length):
            for thread, step, accesses in draw(self.rng, self.count):
                self._order(thread, step, accesses)
                self._do(thread, step, accesses)

    def _put(self, thread: int, step: Step) -> None:
        self.threads[thread].append((self.place, step))
        self.place += 1

    def _do(self, thread: int, step: Step, accesses: list[tuple[int, frozenset[int], bool]]) -> None:
        self._put(thread, step)
        host = step[0] in ("hread", "hwrite")
        for graph in (self.graph, self.whole):
            node = graph.call(thread) if host else graph.task(thread, step[1])
            for b, cells, write in accesses:
                graph.accesses.append((node, thread if host else (thread, step[1]), b, cells, write))

    def _order(self, thread: int, step: Step, accesses: list[tuple[int, frozenset[int], bool]]) -> None:
        """Edges in front of a step, as many as the whole program needs."""
        host = step[0] in ("hread", "hwrite")
        for _ in range(8):
            whole = self.whole
            mask = 0
            for n in (whole.host.get(thread), None if host else whole.last.get((thread, step[1]))):
                mask |= whole.after[n] | 1 << n if n is not None else 0
            other = next(
                (
                    (node, who)
                    for node, who, b, cells, write in whole.accesses
                    for mine, my_cells, writes in accesses
                    if b == mine and cells & my_cells and (write or writes) and not mask >> node & 1
                ),
                None,
            )
            if other is None:
                return
            self._edge(thread, step, host, other[1])

    def _edge(self, thread: int, step: Step, host: bool, who: Any) -> None:
        """Let *step* come after all that *who* (a thread, or a stream of one) was given."""
        giver = who if isinstance(who, int) else who[0]
        if not isinstance(who, int):
            self._device_edge(thread, step, host, who)
        if giver != thread:
            self._hand(giver, thread)

    def _hand(self, giver: int, thread: int) -> None:
        """From thread to thread: the submit itself has to come after."""
        self._put(giver, ("put", thread))
        self._put(thread, ("get", giver))
        for graph in (self.graph, self.whole):
            graph.call(thread, graph.call(giver))

    def _device_edge(self, thread: int, step: Step, host: bool, who: tuple[int, int]) -> None:
        giver, stream = who
        by = self.rng.choice(BY)
        if host and by not in ("sync", "event sync"):
            by = "sync"
        number, self.edges = self.edges, self.edges + 1
        real = number != self.without
        self.things += 1
        thing = self.things
        if by in ("sync", "event sync"):
            waiter = giver if self.rng.random() < 0.5 else thread  # who waits: the giver, before it hands over, or the taker
            if by == "event sync":
                self._record(giver, stream, ("record", stream, thing, "ex"))
            if waiter != giver:
                self._hand(giver, thread)
            if real:
                self._put(waiter, ("sync", giver, stream) if by == "sync" else ("esync", thing))
            for graph in (self.graph, self.whole):
                if real or graph is self.whole:
                    graph.call(waiter, graph.last.get(who))
            return
        if by == "early notify" and giver == thread and (thread, step[1]) != who:
            self._wait(thread, step[1], ("nwait", step[1], thing), real, None)  # it may stand before the record
            self._record(giver, stream, ("nrecord", stream, thing) if real else None)
            self._join(thread, step[1], who, real)
            return
        kinds = {"event": ("record", stream, thing, "auto"), "ex": ("record", stream, thing, "ex")}
        kinds |= {"value": ("vwrite", stream, thing)}
        record = kinds.get(by, ("nrecord", stream, thing))
        if real or by in ("event", "ex"):
            self._record(giver, stream, record)
        if giver != thread:
            self._hand(giver, thread)
        wait = {"event": "wait", "ex": "wait", "value": "vwait"}.get(by, "nwait")
        self._wait(thread, step[1], (wait, step[1], thing), real, who)

    def _record(self, thread: int, stream: int, step: Step | None) -> None:
        if step is not None:
            self._put(thread, step)
            self.graph.task(thread, stream)
        self.whole.task(thread, stream)

    def _wait(self, thread: int, stream: int, step: Step, real: bool, who: Any) -> None:
        if real:
            self._put(thread, step)
            self.graph.task(thread, stream, self.graph.last.get(who))
        self.whole.task(thread, stream, self.whole.last.get(who))

    def _join(self, thread: int, stream: int, who: Any, real: bool) -> None:
        """What stands on the stream from here on comes after *who*: the wait was queued before the record."""
        for graph in (self.graph, self.whole):
            if real or graph is self.whole:
                graph.last[thread, stream] = graph.node(graph.last.get((thread, stream)), graph.last.get(who))


class Player:
    """One thread's part of a program."""

    def __init__(self, thread: int, threads: int, shared: dict[str, Any]) -> None:
        self.thread = thread
        self.shared = shared
        self.streams = shared["streams"][thread]
        self.buffers = shared["buffers"]
        self.seen: list[Any] = []

    must = staticmethod(must)

    def at(self, b: int, lo: int) -> int:
        address: int = self.buffers[b] + lo * CELL
        return address

    def step(self, step: Step) -> None:
        kind, *args = step
        getattr(self, "_" + kind.replace(" ", "_"))(*args)

    def _write(self, s: int, b: int, lo: int, hi: int, value: int) -> None:
        size = (hi - lo) * CELL
        self.must(C.aclrtMemsetAsync(self.at(b, lo), size, value, size, self.streams[s]))

    def _kernel(self, s: int, b: int, lo: int, hi: int, value: int, blocks: int) -> None:
        fill[blocks, self.streams[s]](self.at(b, lo), value, (hi - lo) * CELL)

    def _kernel_copy(self, s: int, b: int, source: int, lo: int, hi: int, blocks: int) -> None:
        copy[blocks, self.streams[s]](self.at(b, lo), self.at(source, lo), (hi - lo) * CELL)

    def _move(self, s: int, b: int, source: int, lo: int, hi: int, kind: int) -> None:
        size = (hi - lo) * CELL
        self.must(C.aclrtMemcpyAsync(self.at(b, lo), size, self.at(source, lo), size, kind, self.streams[s]))

    def _copy(self, s: int, b: int, source: int, lo: int, hi: int, _: int) -> None:
        self._move(s, b, source, lo, hi, D2D)

    def _up(self, s: int, b: int, source: int, lo: int, hi: int) -> None:
        self._move(s, b, source, lo, hi, H2D)

    def _down(self, s: int, b: int, source: int, lo: int, hi: int) -> None:
        self._move(s, b, source, lo, hi, D2H)

    def _pitched(self, s: int, b: int, source: int, lo: int, rows: int) -> None:
        pitch = 2 * CELL
        self.must(
            C.aclrtMemcpy2dAsync(self.at(b, lo), pitch, self.at(source, lo), pitch, CELL, rows, D2D, self.streams[s])
        )

    def _hread(self, b: int, lo: int, hi: int, _: int) -> None:
        size = (hi - lo) * CELL
        out = np.zeros(size, np.uint8)
        self.must(C.aclrtMemcpy(out.ctypes.data, size, self.at(b, lo), size, D2H if b != PINNED else 0))
        self.seen.append(out.tolist())

    def _hwrite(self, b: int, lo: int, hi: int, value: int) -> None:
        size = (hi - lo) * CELL
        self.must(C.aclrtMemset(self.at(b, lo), size, value, size))

    def _record(self, s: int, thing: int, kind: str) -> None:
        made = C.aclrtCreateEvent() if kind == "auto" else C.aclrtCreateEventExWithFlag(1)
        event = self.shared["things"][thing] = self.must(made)
        self.must(C.aclrtRecordEvent(event, self.streams[s]))

    def _wait(self, s: int, thing: int) -> None:
        self.must(C.aclrtStreamWaitEvent(self.streams[s], self.shared["things"][thing]))

    def _esync(self, thing: int) -> None:
        self.must(C.aclrtSynchronizeEvent(self.shared["things"][thing]))

    def _notify(self, thing: int) -> int:
        things = self.shared["things"]
        if thing not in things:
            things[thing] = self.must(C.aclrtCreateNotify(0))
        notify: int = things[thing]
        return notify

    def _nrecord(self, s: int, thing: int) -> None:
        self.must(C.aclrtRecordNotify(self._notify(thing), self.streams[s]))

    def _nwait(self, s: int, thing: int) -> None:
        self.must(C.aclrtWaitAndResetNotify(self._notify(thing), self.streams[s], 0))

    def _vwrite(self, s: int, thing: int) -> None:
        self.must(C.aclrtValueWrite(self.shared["words"] + 8 * thing, 1, 0, self.streams[s]))

    def _vwait(self, s: int, thing: int) -> None:
        self.must(C.aclrtValueWait(self.shared["words"] + 8 * thing, 1, 1, self.streams[s]))

    def _sync(self, thread: int, s: int) -> None:
        self.must(C.aclrtSynchronizeStream(self.shared["streams"][thread][s]))

    def _put(self, to: int) -> None:
        self.shared["queues"][self.thread, to].put(None)

    def _get(self, giver: int) -> None:
        self.shared["queues"][giver, self.thread].get()


def play(program: list[list[tuple[int, Step]]], things: int) -> str:
    """Run the threads; the outcome."""
    must = Player.must
    must(C.aclrtSetDevice(0))
    size = CELL * CELLS
    buffers = [must(C.aclrtMalloc(size, 0)), must(C.aclrtMalloc(size, 0)), must(C.aclrtMallocHost(size))]
    words = must(C.aclrtMalloc(8 * things + 8, 0))
    for buffer, room in (*((b, size) for b in buffers), (words, 8 * things + 8)):
        must(C.aclrtMemset(buffer, room, 0, room))
    many = range(len(program))
    shared: dict[str, Any] = {
        "buffers": buffers, "words": words, "things": {},
        "streams": [[must(C.aclrtCreateStream()) for _ in range(STREAMS)] for _ in many],
        "queues": {(a, b): queue.SimpleQueue() for a in many for b in many if a != b},
    }  # fmt: skip
    players = [Player(i, len(program), shared) for i in many]
    hung: list[bool] = []

    def work(number: int) -> None:
        try:
            must(C.aclrtSetDevice(0))
            for _, step in program[number]:
                players[number].step(step)
        except SimulatedHang:
            hung.append(True)

    if len(program) == 1:
        work(0)
    else:
        threads = [threading.Thread(target=work, args=(i,)) for i in many]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if hung:
        raise SimulatedHang("a thread hung")
    must(C.aclrtSynchronizeDevice())
    for b in range(3):
        players[0].step(("hread", b, 0, CELLS, 0))
    return repr([player.seen for player in players])


def run(program: list[list[tuple[int, Step]]], things: int, schedule: str) -> tuple[str, list[str]]:
    """The outcome, and what was found."""
    with Simulator(schedule=schedule, threads="deterministic", checks="races", soc="Ascend950PR_9599") as sim:
        try:
            outcome = play(program, things)
        except SimulatedHang:
            outcome = "hang"
        return outcome, [f"{f.kind}: {f.title}" for f in sim.findings if f.kind in (*RACES, "block-race")]


def main() -> None:
    """Run the programs."""
    count, length, seed = (int(word) for word in sys.argv[1:4])
    keeper = Simulator(threads="deterministic", checks="none")
    assert isinstance(keeper.threads, DeterministicThreads)
    install_patches(keeper.threads)
    keeper.open()
    said: Counter[str] = Counter()
    wrong: list[Any] = []
    for number in range(seed, seed + count):
        built = Builder(number, length)
        assert not built.graph.races(), number
        said["programs"] += 1
        said["of two threads"] += built.count == 2
        outcomes = set()
        for schedule in SCHEDULES:
            outcome, found = run(built.threads, built.things, schedule)
            outcomes.add(outcome)
            if found or outcome == "hang":
                wrong.append([number, -1, schedule, outcome == "hang", found])
        if len(outcomes) != 1:
            wrong.append([number, -1, "outcomes", len(outcomes), []])
        edges = list(range(built.edges))
        for edge in random.Random(number).sample(edges, min(4, len(edges))):
            lacking = Builder(number, length, edge)
            racy = lacking.graph.races()
            said["planted"] += racy
            said["taken out, not needed"] += not racy
            for schedule in SCHEDULES:
                outcome, found = run(lacking.threads, lacking.things, schedule)
                said["runs"] += 1
                if bool(found) != racy:
                    wrong.append([number, edge, schedule, outcome == "hang", found])
    keeper.close()
    print(json.dumps({**said, "wrong": wrong[:5], "wrongs": len(wrong)}))


if __name__ == "__main__":
    main()
