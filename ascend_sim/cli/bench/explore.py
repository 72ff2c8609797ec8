"""What exploring costs: a schedule with everything that belongs to it, by one process and by two."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from ascend_sim import ascendcl as C

__all__ = ["FIGURES", "measure", "polls_program", "streams_program", "threads_program"]

SIZE = 64
ROUNDS = 5
LEAST = 0.7
POLLS = 3

# name, unit, the bar of the project, what it is
FIGURES: tuple[tuple[str, str, float, str], ...] = (
    (
        "explore_streams",
        "ms",
        0.667,
        "a schedule of 12 tasks on 3 streams, explored; simulator, C face, races included",
    ),
    ("explore_polls", "ms", 0.667, "the same of a program that has polls as well, 36 calls in all"),
    ("explore_threads", "ms", 2.0, "a schedule of a program with two host threads, explored"),
    ("explore_workers", "x ideal", 1.25, "a schedule by two processes, against half of one process's time"),
)


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


def _rate(program: Callable[[], Any], **options: Any) -> float:
    """Schedules a second."""
    from ascend_sim.explore import explore

    begin = time.perf_counter()
    runs = 0
    while True:
        runs += explore(program, progress=False, hosts="shared", **options).runs
        passed = time.perf_counter() - begin
        if passed > LEAST:
            return runs / passed


def measure() -> dict[str, tuple[float, float | None]]:
    """The figures: medians."""
    found: dict[str, tuple[float, float | None]] = {}
    programs = (
        ("explore_streams", streams_program),
        ("explore_polls", polls_program),
        ("explore_threads", threads_program),
    )
    for name, program in programs:
        _rate(program, budget=1, checks="races")
        found[name] = 1e3 / statistics.median(_rate(program, budget=2, checks="races") for _ in range(ROUNDS)), None
    options: dict[str, Any] = {"checks": "none", "budget": 3}
    one = statistics.median(_rate(streams_program, **options) for _ in range(3))
    with ProcessPoolExecutor(2) as pool:
        _rate(streams_program, executor=pool, checks="none", budget=1)
        two = statistics.median(_rate(streams_program, executor=pool, **options) for _ in range(3))
    found["explore_workers"] = 2 * one / two, None
    return found
