"""Random programs of two or three host threads that share streams, events, buffers, locks and queues."""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ascend_sim import ascendcl as C

Step = tuple[Any, ...]
SIZE = 16


def make_program(rng: random.Random, length: int, threads: int = 2) -> list[list[Step]]:
    """The steps of each thread."""
    menu = ["write"] * 4 + ["record", "lock"] * 2
    menu += ["copy", "wait", "query", "sync", "read", "put", "get", "frecord", "fwait", "freset"]
    program = []
    for _ in range(threads):
        steps: list[Step] = []
        for _ in range(length):
            kind = rng.choice(menu)
            steps.append((kind, rng.randrange(2), rng.randrange(2), rng.randrange(1, 99)))
        program.append(steps)
    return program


class Shared:
    """What the threads share in one run."""

    def __init__(self) -> None:
        self.must(C.aclrtSetDevice(0))
        self.streams = [self.must(C.aclrtCreateStream()) for _ in range(2)]
        self.buffers = [self.must(C.aclrtMalloc(SIZE, 0)) for _ in range(2)]
        for buffer in self.buffers:
            self.must(C.aclrtMemset(buffer, SIZE, 0, SIZE))
        self.events = [self.must(C.aclrtCreateEventExWithFlag(1)) for _ in range(2)]
        self.flags = [self.must(C.aclrtCreateEventWithFlag(1)) for _ in range(2)]
        self.locks = [threading.Lock() for _ in range(2)]
        self.queue: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.seen: dict[int, list[Any]] = {}

    @staticmethod
    def must(result: Any) -> Any:
        """The output of a call that succeeds."""
        code = result[-1] if isinstance(result, tuple) else result
        assert code == 0, (code, C.aclGetRecentErrMsg())
        return result[0] if isinstance(result, tuple) else None

    def step(self, me: int, step: Step) -> None:
        """One step of thread *me*."""
        kind, a, b, value = step
        must, stream = self.must, self.streams[a]
        if kind == "write":
            must(C.aclrtMemsetAsync(self.buffers[b], SIZE, value, SIZE, stream))
        elif kind == "copy":
            must(C.aclrtMemcpyAsync(self.buffers[b], SIZE, self.buffers[1 - b], SIZE, 3, stream))
        elif kind == "record":
            must(C.aclrtRecordEvent(self.events[b], stream))
        elif kind == "wait":
            must(C.aclrtStreamWaitEvent(stream, self.events[b]))
        elif kind == "query":
            self.seen[me].append(must(C.aclrtQueryEventStatus(self.events[b])))
        elif kind == "frecord":
            must(C.aclrtRecordEvent(self.flags[b], stream))
        elif kind == "fwait":
            must(C.aclrtStreamWaitEvent(stream, self.flags[b]))
        elif kind == "freset":
            must(C.aclrtResetEvent(self.flags[b], stream))
        elif kind == "sync":
            must(C.aclrtSynchronizeStream(stream))
        elif kind == "read":
            out = np.zeros(SIZE, np.uint8)
            must(C.aclrtMemcpy(out.ctypes.data, SIZE, self.buffers[b], SIZE, 2))
            self.seen[me].append(int(out[0]))
        elif kind == "lock":
            with self.locks[a]:
                if value % 2:
                    must(C.aclrtMemsetAsync(self.buffers[b], SIZE, value, SIZE, stream))
                if value % 3 == 0:
                    with self.locks[1 - a]:
                        pass
        elif kind == "put":
            self.queue.put(value)
        elif kind == "get":
            self.seen[me].append(self.queue.get())


def played(program: list[list[Step]]) -> Callable[[], Any]:
    """The program as a function."""

    def run() -> Any:
        shared = Shared()

        def work(me: int) -> None:
            shared.must(C.aclrtSetDevice(0))
            shared.seen[me] = []
            for step in program[me]:
                shared.step(me, step)

        threads = [threading.Thread(target=work, args=(me,)) for me in range(1, len(program))]
        for thread in threads:
            thread.start()
        shared.seen[0] = []
        for step in program[0]:
            shared.step(0, step)
        for thread in threads:
            thread.join()
        return [shared.seen[me] for me in sorted(shared.seen)]

    return run
