"""What exploring costs: a schedule with everything that belongs to it, by one process and by two.

The bars in floors are those that stood in milliseconds for the machine on which a floor took 0.17 us: 0.667 ms and 2 ms.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from ascend_sim import ascendcl as C
from ascend_sim.cli.bench.floors import Group, Row, Settings, Value, against_floor

__all__ = ["GROUP", "polls_program", "streams_program", "threads_program"]

SIZE = 64
ROUNDS = 5
LEAST = 0.7
POLLS = 3

ROWS = (
    Row(
        "explore_streams", "floors", 3_900,
        "a schedule of 12 tasks on 3 streams, explored; simulator, C face, races included",
    ),
    Row("explore_polls", "floors", 3_900, "the same of a program that has polls as well, 36 calls in all"),
    Row("explore_threads", "floors", 11_800, "a schedule of a program with two host threads, explored"),
    Row("explore_workers", "x ideal", 1.25, "a schedule by two processes, against half of one process's time"),
)  # fmt: skip


def streams_program() -> None:
    """Twelve tasks on three streams, which all write the same bytes: 34,650 classes, and every schedule has races."""
    C.aclrtSetDevice(0)
    block = C.aclrtMalloc(SIZE, 0)[0]
    streams = [C.aclrtCreateStream()[0] for _ in range(3)]
    for i, stream in enumerate(streams):
        for j in range(4):
            C.aclrtMemsetAsync(block, SIZE, 4 * i + j, SIZE, stream)
    C.aclrtSynchronizeDevice()


def polls_program() -> None:
    """Twelve tasks on three streams without a race, and polls that see every order of their ends: 64 classes."""
    C.aclrtSetDevice(0)
    blocks = [C.aclrtMalloc(SIZE, 0)[0] for _ in range(3)]
    streams = [C.aclrtCreateStream()[0] for _ in range(3)]
    events = [C.aclrtCreateEventExWithFlag(1)[0] for _ in range(3)]
    for block, stream, event in zip(blocks, streams, events, strict=True):
        C.aclrtMemsetAsync(block, SIZE, 1, SIZE, stream)
        C.aclrtMemsetAsync(block, SIZE // 2, 2, SIZE // 2, stream)
        C.aclrtMemcpyAsync(block, SIZE // 4, block + SIZE // 2, SIZE // 4, 3, stream)
        C.aclrtRecordEvent(event, stream)
    for _ in range(POLLS):
        C.aclrtCreateEventExWithFlag(1)  # a round that only asked again would wait until an answer can be another
        for event in events:
            C.aclrtQueryEventStatus(event)
    C.aclrtSynchronizeDevice()


def threads_program() -> int:
    """Two host threads with a stream each, which take one lock in turn."""
    C.aclrtSetDevice(0)
    block = C.aclrtMalloc(SIZE, 0)[0]
    lock = threading.Lock()

    def work(value: int) -> None:
        C.aclrtSetDevice(0)
        stream = C.aclrtCreateStream()[0]
        for _ in range(3):
            with lock:
                C.aclrtMemsetAsync(block, SIZE, value, SIZE, stream)
                C.aclrtSynchronizeStream(stream)

    thread = threading.Thread(target=work, args=(2,))
    thread.start()
    work(1)
    thread.join()
    return 0


def _seconds(program: Callable[[], Any], **options: Any) -> float:
    """Seconds a schedule."""
    from ascend_sim.explore import explore

    begin = time.perf_counter()
    runs = 0
    while True:
        runs += explore(program, progress=False, hosts="shared", **options).runs
        passed = time.perf_counter() - begin
        if passed > LEAST:
            return passed / runs


def _workers() -> float:
    """What two processes take for a schedule, over half of what one takes."""
    options: dict[str, Any] = {"checks": "none", "budget": 3}
    one = statistics.median(_seconds(streams_program, **options) for _ in range(3))
    with ProcessPoolExecutor(2) as pool:
        _seconds(streams_program, executor=pool, checks="none", budget=1)
        two = statistics.median(_seconds(streams_program, executor=pool, **options) for _ in range(3))
    return 2 * two / one


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    found: dict[str, Value] = {}
    programs: dict[str, Callable[[], Any]] = {
        "explore_streams": streams_program, "explore_polls": polls_program, "explore_threads": threads_program,
    }  # fmt: skip
    for name, program in programs.items():
        if name in names:
            found[name] = against_floor(lambda p=program: _seconds(p, budget=2, checks="races"), ROUNDS)  # type: ignore[misc]
    if "explore_workers" in names:
        found["explore_workers"] = _workers(), None
    return found


GROUP = Group(ROWS, _measure)
