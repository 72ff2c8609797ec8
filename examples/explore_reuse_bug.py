"""A caching allocator that gives blocks away too early: the bug found in every order, made short, replayed, and fixed.

The pool keeps freed blocks and an event each: a block may be used again on another stream once its event is done. The
mistake is in which stream the event is recorded on: the one that the block was allocated for, though another one has
used it since.
"""

import ctypes
import os
import tempfile
from typing import Any

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.explore import replay

SIZE = 256
DEVICE_TO_HOST, DEVICE_TO_DEVICE = 2, 3


def must(result: Any) -> Any:
    code = result[-1] if isinstance(result, tuple) else result
    assert code == 0, (code, C.aclGetRecentErrMsg())
    return result[0] if isinstance(result, tuple) else None


class Pool:
    """Blocks of one size. Each remembers the streams that it was used on since it was handed out."""

    def __init__(self, fixed: bool) -> None:
        self.fixed = fixed
        self.free: list[tuple[int, list[int]]] = []
        self.users: dict[int, list[int]] = {}

    def allocate(self, stream: int) -> Any:
        done = (entry for entry in self.free if all(must(C.aclrtQueryEventStatus(event)) for event in entry[1]))
        entry = next(done, None)
        if entry is not None:
            self.free.remove(entry)
        block = must(C.aclrtMalloc(SIZE, 0)) if entry is None else entry[0]
        self.users[block] = [stream]
        return block

    def use(self, block: int, stream: int) -> None:
        if stream not in self.users[block]:
            self.users[block].append(stream)

    def release(self, block: int) -> None:
        users = self.users.pop(block)
        events = []
        for stream in users if self.fixed else users[:1]:  # the mistake: only the stream it was allocated for
            events.append(must(C.aclrtCreateEventExWithFlag(1)))
            must(C.aclrtRecordEvent(events[-1], stream))
        self.free.append((block, events))


def program(fixed: bool) -> int:
    """One stream fills a block, another copies it away, and the next block may be the same one."""
    must(C.aclrtSetDevice(0))
    pool = Pool(fixed)
    compute, copies = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
    out = must(C.aclrtMalloc(SIZE, 0))
    ready = must(C.aclrtCreateEventExWithFlag(1))

    first = pool.allocate(compute)
    must(C.aclrtMemsetAsync(first, SIZE, 1, SIZE, compute))
    must(C.aclrtRecordEvent(ready, compute))
    must(C.aclrtStreamWaitEvent(copies, ready))
    must(C.aclrtMemcpyAsync(out, SIZE, first, SIZE, DEVICE_TO_DEVICE, copies))
    pool.use(first, copies)
    pool.release(first)

    second = pool.allocate(compute)
    must(C.aclrtMemsetAsync(second, SIZE, 2, SIZE, compute))
    must(C.aclrtSynchronizeDevice())

    host = must(C.aclrtMallocHost(SIZE))
    must(C.aclrtMemcpy(host, SIZE, out, SIZE, DEVICE_TO_HOST))
    return ctypes.string_at(host, 1)[0]


def broken() -> None:
    assert program(fixed=False) == 1, "the copy was overwritten"


def corrected() -> None:
    assert program(fixed=True) == 1, "the copy was overwritten"


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "reuse.json")
    report = explore(broken, budget="30s", save=path)
    print(f"broken pool: {report.classes} classes of schedules, exhausted: {report.exhausted}")
    for failure in report.failures:
        print(f"  {failure.kind} in {failure.count}: {failure.title}")
        for choice in failure.recording.words:
            print(f"    {choice}")

    lost = next(failure for failure in report.failures if failure.kind == "exception")
    with Simulator(schedule=replay(lost.path)):
        try:
            broken()
        except AssertionError as error:
            print(f"replayed: {error}")

report = explore(corrected, budget="30s")
print(f"corrected pool: {report.classes} classes, exhausted: {report.exhausted}, failures: {len(report.failures)}")
