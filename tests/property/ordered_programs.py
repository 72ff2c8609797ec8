"""Random programs without races, and how they run: which task ended when, what queries answered, which bytes remain.

Copies and sets on a few streams; where two of them touch the same block from different streams, a record and a wait
come between. As a script it prints a digest of the runs of some programs: ``ordered_programs.py PROGRAMS``.
"""

from __future__ import annotations

import hashlib
import random
import sys
from typing import Any, NamedTuple

import numpy as np

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.observers.observer import Observer
from ascend_sim.runtime.task import Task, TaskFault
from tests.kit.calls import must

SCHEDULES = ["virtual-time", "late", "early", "random(1)", "random(2)"]
SIZE, BLOCKS, PINNED = 64, 5, (3, 4)
DEFAULT, D2H = 4, 2
Step = tuple[Any, ...]


class Run(NamedTuple):
    """*trace*: tasks in the order of their ends; *answers*: what the host saw on the way; *final*: the blocks."""

    trace: list[tuple[Any, ...]]
    answers: list[Any]
    final: list[bytes]


def make_program(rng: random.Random, length: int) -> tuple[int, list[Step]]:
    """The number of streams, and the steps."""
    streams = rng.randrange(2, 5)
    knows = [[0] * streams for _ in range(streams)]  # how many steps of each stream come before what it does next
    done = [0] * streams
    users: list[list[tuple[int, int, bool]]] = [[] for _ in range(BLOCKS)]  # (stream, number, wrote)
    steps: list[Step] = []

    def order_after(stream: int, other: int) -> None:
        event = rng.choice(["aclrtCreateEvent", "aclrtCreateEventExWithFlag", "aclrtCreateEventWithFlag"])
        steps.append(("record", other, event))
        done[other] += 1
        steps.append(("wait", stream))
        knows[stream] = [max(pair) for pair in zip(knows[stream], knows[other], strict=True)]
        knows[stream][other] = done[other]

    def touch(stream: int, block: int, writes: bool) -> None:
        for other, number, wrote in users[block]:
            if other != stream and (writes or wrote) and knows[stream][other] < number:
                order_after(stream, other)

    while len(steps) < length:
        stream, to, source = rng.randrange(streams), rng.randrange(BLOCKS), rng.randrange(BLOCKS)
        kind = rng.choice(["copy", "copy", "fill", "fill", "query", "sync", "spare"])
        if kind == "copy" and to != source and not (to in PINNED and source in PINNED):
            touch(stream, source, False)
            touch(stream, to, True)
            done[stream] += 1
            users[source].append((stream, done[stream], False))
            users[to] = [(stream, done[stream], True)]
            at, origin = rng.randrange(SIZE), rng.randrange(SIZE)
            steps.append(("copy", stream, to, source, at, origin, rng.randrange(1, SIZE - max(at, origin) + 1)))
        elif kind == "fill" and to not in PINNED:
            touch(stream, to, True)
            done[stream] += 1
            users[to] = [(stream, done[stream], True)]
            steps.append(("fill", stream, to, rng.randrange(256), rng.randrange(1, SIZE + 1)))
        elif kind in ("query", "sync"):
            steps.append((kind, stream))
        elif kind == "spare" and rng.random() < 0.3:  # an order that nobody needs
            other = rng.randrange(streams)
            if other != stream:
                order_after(stream, other)
    return streams, steps


class Trace(Observer):
    """Notes the tasks that end, in order."""

    def __init__(self) -> None:
        self.ended: list[tuple[Any, ...]] = []

    def completed(self, task: Task, fault: TaskFault | None) -> None:
        """See Observer."""
        self.ended.append((task.op.kind, task.thread.number, task.number, task.stream.number, task.end, fault is None))


def run(streams: int, steps: list[Step], schedule: str, seed: int = 0, depth: int = 4) -> Run:
    """Run a program under a schedule, with short queues."""
    with Simulator(schedule=schedule, seed=seed, limits={"stream_depth": depth}, checks="memory") as sim:
        trace = sim.attach(Trace())
        must(C.aclrtSetDevice(0))
        handles = [must(C.aclrtCreateStreamWithConfig(number % 3, 0)) for number in range(streams)]
        blocks = [must(C.aclrtMallocHost(SIZE) if b in PINNED else C.aclrtMalloc(SIZE, 0)) for b in range(BLOCKS)]
        for number, block in enumerate(blocks):
            must(C.aclrtMemset(block, SIZE, number + 1, SIZE))
        answers: list[Any] = []
        event = 0
        for kind, stream, *rest in steps:
            handle = handles[stream]
            if kind == "copy":
                to, source, at, origin, count = rest
                must(C.aclrtMemcpyAsync(blocks[to] + at, SIZE, blocks[source] + origin, count, DEFAULT, handle))
            elif kind == "fill":
                to, value, count = rest
                must(C.aclrtMemsetAsync(blocks[to], SIZE, value, count, handle))
            elif kind == "record":
                event = must(C.aclrtCreateEvent() if rest[0] == "aclrtCreateEvent" else getattr(C, rest[0])(9))
                must(C.aclrtRecordEvent(event, handle))
            elif kind == "wait":
                must(C.aclrtStreamWaitEvent(handle, event))
                answers.append(must(C.aclrtQueryEventStatus(event)))
            elif kind == "query":
                answers.append(must(C.aclrtStreamQuery(handle)))
            else:
                must(C.aclrtSynchronizeStream(handle))
        must(C.aclrtSynchronizeDevice())
        answers.append(sim.time_ns())
        seen = np.zeros(SIZE, np.uint8)
        final = []
        for block in blocks:
            must(C.aclrtMemcpy(seen.ctypes.data, SIZE, block, SIZE, D2H))
            final.append(seen.tobytes())
        return Run(trace.ended, answers, final)


def in_order(steps: list[Step]) -> list[bytes]:
    """The blocks after the steps, one after the other."""
    blocks = [bytearray([number + 1]) * SIZE for number in range(BLOCKS)]
    for kind, _, *rest in steps:
        if kind == "copy":
            to, source, at, origin, count = rest
            blocks[to][at : at + count] = blocks[source][origin : origin + count]
        elif kind == "fill":
            to, value, count = rest
            blocks[to][:count] = bytes([value]) * count
    return [bytes(block) for block in blocks]


def main() -> None:
    """Print a digest of everything that the runs did."""
    digest = hashlib.sha256()
    for number in range(int(sys.argv[1])):
        program = make_program(random.Random(number), 30)
        for schedule in SCHEDULES:
            digest.update(repr(run(*program, schedule)).encode())
    print(digest.hexdigest())


if __name__ == "__main__":
    main()
