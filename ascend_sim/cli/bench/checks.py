"""What the race detector costs: the same work with it and without it, in one run, as a difference.

Run alone: ``python -m ascend_sim.cli.bench.checks``. The bars are those of ``spec/prototypes/races_and_explorer.md`` C.
Processor time is taken, so that other programs disturb less.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Any

__all__ = ["FIGURES", "measure"]

clock = time.process_time

# name, unit, the bar, what it is
FIGURES: tuple[tuple[str, str, float, str], ...] = (
    ("checks_none", "floors", 3, "races on minus off, a task of the plan that touches nothing"),
    ("checks_whole", "floors", 18, "the same, two whole-buffer reads and one write"),
    ("checks_mixed", "floors", 35, "the same, mixed sub-ranges"),
    ("checks_racy", "floors", 30, "the same, whole buffers, nearly every access races"),
    ("checks_racy_mix", "floors", 60, "the same, mixed sub-ranges, nearly every access races"),
    ("checks_stacks", "floors", 1, "what keeping the frames of each call adds to a task of the plan"),
    ("launch_merged", "ms", 2, "a launch with 10,000 accesses that merge into 1,000 intervals"),
    ("launch_spread", "ms", 6, "a launch with 10,000 disjoint accesses"),
    ("pitched_copy", "us", 20, "a pitched copy of 4,096 rows"),
    ("join_1000", "us", 2, "learning what another thread knows, with 1,000 streams"),
)
STREAMS, BUFFERS, SIZE = 4, 16, 4096
TIME_STAMP_ONLY = 8


class _Floor:
    __slots__ = ("a", "b", "c", "d", "e")

    def __init__(self, a: int, b: int, c: int, d: int, e: int) -> None:
        self.a, self.b, self.c, self.d, self.e = a, b, c, d, e


def _same(value: _Floor) -> _Floor:
    return value


REFERENCE_FLOOR = 0.17e-6
"""Seconds of a floor on the machine of the bars: absolute times are scaled to it."""


def floor(n: int = 50_000) -> float:
    """Seconds of processor time of one floor: object, append, pop, call."""
    queue: deque[_Floor] = deque()
    begin = clock()
    for _ in range(n):
        queue.append(_Floor(1, 2, 3, 4, 5))
        _same(queue.popleft())
    return (clock() - begin) / n


def _parts(rng: random.Random, blocks: list[Any], mixed: bool) -> list[tuple[Any, int, int, bool]]:
    parts = []
    for write in (False, False, True):
        lo, hi = 0, SIZE
        if mixed:
            lo = rng.randrange(16) * 256
            hi = min(SIZE, lo + 256 * rng.randrange(1, 5))
        parts.append((rng.choice(blocks), lo, hi, write))
    return parts


def _operation(sim: Any, parts: list[tuple[Any, int, int, bool]]) -> Any:
    """A task that touches *parts* and does nothing else."""
    from ascend_sim.runtime.task import Op

    hooks = sim.hooks

    def act(task: Any, time: int) -> None:
        if hooks.accessed is not None:
            for block, lo, hi, write in parts:
                for observe in hooks.accessed:
                    observe(task, block, lo, hi, write)

    return Op("work", 1000, act)


def _plan_seconds(checks: str, mode: str, tasks: int, stacks: bool) -> float:
    """Seconds a task of the plan."""
    from ascend_sim import ascendcl as C
    from ascend_sim.cli.bench.main import plan
    from ascend_sim.runtime.current import LOCAL
    from ascend_sim.simulator import Simulator

    operations, count = plan(tasks)
    with Simulator(checks=checks) as sim:
        if not stacks:
            sim.keep_stacks = False
        C.aclrtSetDevice(0)
        handles = [C.aclrtCreateStream()[0] for _ in range(STREAMS)]
        streams: list[Any] = [sim.handles[handle] for handle in handles]
        events = [C.aclrtCreateEventExWithFlag(1)[0] for _ in range(count)]
        stamp, _ = C.aclrtCreateEventWithFlag(TIME_STAMP_ONLY)
        blocks = [sim.memory.find(C.aclrtMalloc(SIZE, 0)[0]) for _ in range(BUFFERS)]
        rng = random.Random(3)
        made = []
        for s in range(STREAMS):
            mine = blocks if "racy" in mode else blocks[4 * s : 4 * s + 4]
            made.append([_operation(sim, _parts(rng, mine, "mix" in mode)) for _ in range(64)])
        t = LOCAL.state
        record, wait, ask = C.aclrtRecordEvent, C.aclrtStreamWaitEvent, C.aclrtStreamGetId
        gc.collect()
        begin = clock()
        for i, (kind, stream, what) in enumerate(operations):
            if kind == "record":
                record(events[what], handles[stream])
            elif kind == "wait":
                wait(handles[stream], events[what])
            elif mode == "none":
                record(stamp, handles[stream])
            else:
                ask(handles[stream])
                streams[stream].submit(t, made[stream][i & 63])
        C.aclrtSynchronizeDevice()
        return (clock() - begin) / tasks  # reports included: some milliseconds in all


def _difference(mode: str, tasks: int, rounds: int = 5) -> float:
    """Floors a task, detector on minus off."""
    found = []
    for _ in range(rounds):
        unit = floor()
        off = _plan_seconds("none", mode, tasks, False)
        on = _plan_seconds("races", mode, tasks, False)
        found.append((on - off) / ((unit + floor()) / 2))
    return statistics.median(found)


def _stacks(tasks: int, rounds: int = 5) -> float:
    found = []
    for _ in range(rounds):
        unit = floor()
        without = _plan_seconds("races", "none", tasks, False)
        found.append((_plan_seconds("races", "none", tasks, True) - without) / unit)
    return statistics.median(found)


class _Thing:
    """Something with the attributes that a launch looks at."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def _launch(step: int, rounds: int = 7) -> float:
    """Milliseconds that the detector spends on a launch of 10 blocks with 10,000 accesses, *step* bytes apart."""
    from ascend_sim import ascendcl as C
    from ascend_sim.kernels.language.memory import Log
    from ascend_sim.kernels.launching import accesses
    from ascend_sim.runtime.current import LOCAL
    from ascend_sim.runtime.task import Op
    from ascend_sim.simulator import Simulator

    found = []
    for _ in range(rounds):
        with Simulator(checks="races") as sim:
            C.aclrtSetDevice(0)
            handle, _ = C.aclrtCreateStream()
            stream: Any = sim.handles[handle]
            t = LOCAL.state
            first, second = (sim.memory.find(C.aclrtMalloc(5000 * 64, 0)[0]) for _ in range(2))
            task = stream.submit(t, Op("work", 1000))
            C.aclrtSynchronizeStream(handle)
            memories: Any = [_Thing(block=first, name="x"), _Thing(block=second, name="z")]
            log = Log()
            ends = []
            for block in range(10):
                for i in range(500 * block, 500 * block + 500):
                    at = i * 16 + (i // 10 * 16 if step == 16 else i * 16)
                    log += (at, at + 16, 0)
                    log += (at, at + 16, 5)
                ends.append(len(log))
            grid: Any = _Thing(kernel=None, blocks=list(range(10)), segments=None)
            bound: Any = _Thing(log=log, memories=memories)
            begin = clock()
            accesses.tell(sim.hooks, task, bound, grid, ends)
            found.append((clock() - begin) * 1e3)
    return min(found)


def _pitched(rounds: int = 300) -> float:
    """Microseconds of one access of 4,096 rows."""
    from ascend_sim.observers.races.access_history import AccessHistory
    from ascend_sim.observers.races.row_history import RowHistory

    history = RowHistory(8192, AccessHistory(1 << 25, 1 << 25))
    view = [0] * 16
    tasks = [_Epoch(0, i + 1) for i in range(rounds)]
    for i, task in enumerate(tasks[:32]):
        history.box(i % 32 * 256, 256, 8192, 4096, task, view, True)
    begin = clock()
    for i, task in enumerate(tasks):
        history.box(i % 32 * 256, 256, 8192, 4096, task, view, True)
    return (clock() - begin) / rounds * 1e6


class _Epoch:
    def __init__(self, c: int, q: int) -> None:
        self.c = c
        self.q = q


def _join(rounds: int = 20_000) -> float:
    """Microseconds of one join of 1,000 entries."""
    from ascend_sim.observers.races.vector_clocks import EMPTY, enlarged, join

    a, b = enlarged(EMPTY, 1000), enlarged(EMPTY, 1000)
    begin = clock()
    for _ in range(rounds):
        join(a, b)
    return (clock() - begin) / rounds * 1e6


def measure(tasks: int = 20_000) -> dict[str, float]:
    """All figures, each in its unit."""
    figures: dict[str, Callable[[], float]] = {
        "checks_none": lambda: _difference("none", tasks),
        "checks_whole": lambda: _difference("whole", tasks),
        "checks_mixed": lambda: _difference("mix", tasks),
        "checks_racy": lambda: _difference("racy", tasks),
        "checks_racy_mix": lambda: _difference("racy mix", tasks),
        "checks_stacks": lambda: _stacks(tasks),
        "launch_merged": lambda: _launch(16),
        "launch_spread": lambda: _launch(32),
        "pitched_copy": _pitched,
        "join_1000": _join,
    }
    found = {}
    for name, figure in figures.items():
        unit = floor()
        value = figure()
        absolute = name in ("launch_merged", "launch_spread", "pitched_copy", "join_1000")
        found[name] = value * REFERENCE_FLOOR * 2 / (unit + floor()) if absolute else value
    return found


def main() -> int:
    """Print the figures; 1 when one is above its bar."""
    found = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
    print(f"floor: {floor() * 1e6:.3f} us of processor time")
    over = 0
    for name, unit, bar, text in FIGURES:
        mark = "OVER" if found[name] > bar else "    "
        over += found[name] > bar
        print(f"{name:16} {found[name]:8.2f} {unit:7} (bar {bar:>3}) {mark}  {text}")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
