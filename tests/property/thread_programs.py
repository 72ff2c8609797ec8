"""Random programs of two or three host threads that share streams, events, buffers, locks and queues."""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ascend_sim import ascendcl as C
from tests.kit.calls import must

Step = tuple[Any, ...]
SIZE = 16
LATE = (0, 107020, 507046, 507047)
"""Success, and what a wait that reached its limit returns."""


MENUS = {
    "shared": ["write"] * 4 + ["record", "lock"] * 2
    + ["copy", "wait", "query", "sync", "read", "put", "get", "frecord", "fwait", "freset"],
    "device": ["write"] * 3 + ["nrecord", "nwait", "vwrite", "vwait"] * 2
    + ["tnwait", "nreset", "tsync", "esync", "squery", "fquery", "record", "frecord", "fwait", "freset", "free"],
    "python": ["write"] * 2 + ["istwice", "trytwice"]
    + ["lock", "set", "cleared", "isset", "await", "qput", "qget", "acquire", "release"] * 2
    + ["sync", "trylock", "tlock", "getnow", "tget", "put", "tawait", "tqget", "notify", "cwait", "task_done"],
    "polls": ["squery", "fquery", "query", "wquery", "stamp", "twice", "ftwice"] * 2
    + ["write", "record", "frecord", "wait", "fwait", "sync"],
    "loops": ["write"] * 2 + ["set", "put", "isset", "sleep", "query", "record", "lock"] * 2
    + ["until", "drain", "spin", "done"],
}
"""What threads do, by kind of program."""


def make_program(rng: random.Random, length: int, threads: int = 2, kinds: str = "shared") -> list[list[Step]]:
    """The steps of each thread."""
    menu = MENUS[kinds]
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
        self.notifies = [self.must(C.aclrtCreateNotify(0)) for _ in range(2)]
        self.word = self.must(C.aclrtMalloc(8, 0))
        self.must(C.aclrtMemset(self.word, 8, 0, 8))
        self.queue: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.small: queue.Queue[int] = queue.Queue(1)
        self.event = threading.Event()
        self.semaphore = threading.Semaphore(1)
        self.condition = threading.Condition()
        self.seen: dict[int, list[Any]] = {}

    must = staticmethod(must)

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
            self.ends(me, C.aclrtSynchronizeStream(stream))
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
        elif not self._device_step(me, step):
            self._python_step(me, step)

    def ends(self, me: int, code: int) -> None:
        """A wait may have reached its limit: that is a part of the outcome."""
        assert code in LATE, (code, C.aclGetRecentErrMsg())
        self.seen[me].append(code)

    def _device_step(self, me: int, step: Step) -> bool:
        """One that no thread but this waits for; False when it is none."""
        kind, a, b, value = step
        must, stream = self.must, self.streams[a]
        if kind == "nrecord":
            must(C.aclrtRecordNotify(self.notifies[b], stream))
        elif kind in ("nwait", "tnwait"):
            must(C.aclrtWaitAndResetNotify(self.notifies[b], stream, int(kind == "tnwait")))
        elif kind == "nreset":
            must(C.aclrtNotifyBatchReset([self.notifies[b]], 1))
        elif kind == "vwrite":
            must(C.aclrtValueWrite(self.word, 1 + value % 2, 0, stream))
        elif kind == "vwait":
            must(C.aclrtValueWait(self.word, 1 + value % 2, 1, stream))
        elif kind == "tsync":
            self.ends(me, C.aclrtSynchronizeStreamWithTimeout(stream, 1))
        elif kind == "esync":
            self.ends(me, C.aclrtSynchronizeEventWithTimeout(self.events[b], 1 if value % 2 else -1))
        elif kind == "squery":
            self.seen[me].append(must(C.aclrtStreamQuery(stream)))
        elif kind == "fquery":
            self.seen[me].append(must(C.aclrtQueryEventStatus(self.flags[b])))
        elif kind == "wquery":
            self.seen[me].append(must(C.aclrtQueryEventWaitStatus(self.flags[b])))
        elif kind == "twice":
            self.seen[me].append(must(C.aclrtStreamQuery(stream)))
            self.seen[me].append(must(C.aclrtStreamQuery(stream)))
        elif kind == "ftwice":
            self.seen[me].append(must(C.aclrtQueryEventStatus(self.flags[b])))
            self.seen[me].append(must(C.aclrtQueryEventStatus(self.flags[b])))
        elif kind == "stamp":
            self.seen[me].append(C.aclrtEventGetTimestamp(self.flags[b])[1])
        elif kind == "free":
            block = must(C.aclrtMalloc(SIZE, 0))
            must(C.aclrtMemsetAsync(block, SIZE, value, SIZE, stream))
            self.ends(me, C.aclrtSynchronizeStream(stream))
            must(C.aclrtFree(block))
        else:
            return False
        return True

    def _python_step(self, me: int, step: Step) -> None:
        """One of the standard library alone."""
        kind, a, _, value = step
        seen = self.seen[me]
        if kind == "put":
            self.queue.put(value)
        elif kind == "set":
            self.event.set()
        elif kind == "cleared":
            self.event.clear()
        elif kind == "isset":
            seen.append(self.event.is_set())
        elif kind == "istwice":
            seen.append(self.event.is_set())
            seen.append(self.event.is_set())
        elif kind == "trytwice":
            seen.append(self.locks[a].acquire(False) and self.locks[a].release())
            seen.append(self.locks[a].acquire(False) and self.locks[a].release())
        elif kind == "await":
            seen.append(self.event.wait())
        elif kind == "tawait":
            seen.append(self.event.wait(0.5))
        elif kind == "qput":
            self.small.put(value)
        elif kind == "qget":
            seen.append(self.small.get())
        elif kind == "acquire":
            seen.append(self.semaphore.acquire())
        elif kind == "release":
            self.semaphore.release()
        elif kind == "tqget":
            try:
                seen.append(self.small.get(timeout=0.5))
            except queue.Empty:
                seen.append("empty")
        elif kind == "task_done":
            self.small.put(value)
            self.small.get()
            self.small.task_done()
            self.small.join()
        elif kind == "notify":
            with self.condition:
                self.condition.notify()
        elif kind == "cwait":
            with self.condition:
                seen.append(self.condition.wait(0.5 if value % 2 else None))
        elif kind == "sleep":
            time.sleep(0.01)
        elif kind == "until":
            while not self.event.is_set():
                time.sleep(0.01)
        elif kind == "drain":
            while self.queue.empty():
                time.sleep(0.01)
            seen.append(self.queue.get())
        elif kind == "spin":
            while True:
                with self.locks[0]:
                    if self.event.is_set():
                        break
                time.sleep(0.01)
        elif kind == "done":
            while not self.must(C.aclrtQueryEventStatus(self.events[a])):
                time.sleep(0.01)
        elif kind == "trylock":
            if self.locks[a].acquire(False):
                self.locks[a].release()
                seen.append("free")
        elif kind == "tlock":
            if self.locks[a].acquire(timeout=0.5):
                self.locks[a].release()
                seen.append("free")
        elif kind in ("getnow", "tget"):
            try:
                seen.append(self.queue.get(kind == "tget", 0.5))
            except queue.Empty:
                seen.append("empty")
        elif kind == "get":
            seen.append(self.queue.get())
        else:
            raise AssertionError(kind)


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
