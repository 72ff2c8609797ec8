"""What the race detector costs: equal work with it and without it, in one run, as a difference.

These rows take long and are measured when they are named: ``ascend-sim bench 'checks_*' 'races_*'``. Processor time is
taken, so that other programs disturb less. The bars of single operations are those that stood in milliseconds and
microseconds for the machine on which a floor took 0.17 us.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Collection
from typing import Any

from ascend_sim.cli.bench.calls import TIME_STAMP_ONLY, plan
from ascend_sim.cli.bench.floors import Group, Row, Settings, Value, floor

__all__ = ["GROUP"]

clock = time.process_time

ROWS = (
    Row("checks_none", "floors", 3, "races on minus off, a task of the plan that touches nothing", True),
    Row("checks_whole", "floors", 18, "the same, two whole-buffer reads and one write", True),
    Row("checks_mixed", "floors", 35, "the same, mixed sub-ranges", True),
    Row("checks_racy", "floors", 30, "the same, whole buffers, nearly every access races", True),
    Row("checks_racy_mix", "floors", 60, "the same, mixed sub-ranges, nearly every access races", True),
    Row("checks_stacks", "floors", 1, "what keeping the frames of each call adds to a task of the plan", True),
    Row("races_merged", "floors", 11_800, "a launch with 10,000 accesses that merge into 1,000 intervals (2 ms)", True),
    Row("races_spread", "floors", 35_300, "a launch with 10,000 disjoint accesses (6 ms)", True),
    Row("races_pitched", "floors", 118, "a pitched copy of 4,096 rows (20 us)", True),
    Row("races_join", "floors", 11.8, "learning what another thread knows, with 1,000 streams (2 us)", True),
)
STREAMS, BUFFERS, SIZE = 4, 16, 4096


def _floor() -> float:
    return floor(50_000, clock)


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
        unit = _floor()
        off = _plan_seconds("none", mode, tasks, False)
        on = _plan_seconds("races", mode, tasks, False)
        found.append((on - off) / ((unit + _floor()) / 2))
    return statistics.median(found)


def _stacks(tasks: int, rounds: int = 5) -> float:
    found = []
    for _ in range(rounds):
        unit = _floor()
        without = _plan_seconds("races", "none", tasks, False)
        found.append((_plan_seconds("races", "none", tasks, True) - without) / unit)
    return statistics.median(found)


class _Thing:
    """Something with the attributes that a launch looks at."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def _launch(step: int, rounds: int = 7) -> float:
    """Seconds that the detector spends on a launch of 10 blocks with 10,000 accesses, *step* bytes apart."""
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
            found.append(clock() - begin)
    return min(found)


def _pitched(rounds: int = 300) -> float:
    """Seconds of one access of 4,096 rows."""
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
    return (clock() - begin) / rounds


class _Epoch:
    def __init__(self, c: int, q: int) -> None:
        self.c = c
        self.q = q


def _join(rounds: int = 20_000) -> float:
    """Seconds of one join of 1,000 entries."""
    from ascend_sim.observers.races.vector_clocks import EMPTY, enlarged, join

    a, b = enlarged(EMPTY, 1000), enlarged(EMPTY, 1000)
    begin = clock()
    for _ in range(rounds):
        join(a, b)
    return (clock() - begin) / rounds


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    tasks = settings.tasks // 5
    found: dict[str, Value] = {}
    differences: dict[str, Callable[[], float]] = {
        "checks_none": lambda: _difference("none", tasks),
        "checks_whole": lambda: _difference("whole", tasks),
        "checks_mixed": lambda: _difference("mix", tasks),
        "checks_racy": lambda: _difference("racy", tasks),
        "checks_racy_mix": lambda: _difference("racy mix", tasks),
        "checks_stacks": lambda: _stacks(tasks),
    }
    single: dict[str, Callable[[], float]] = {
        "races_merged": lambda: _launch(16),
        "races_spread": lambda: _launch(32),
        "races_pitched": _pitched,
        "races_join": _join,
    }
    for name, floors in differences.items():
        if name in names:
            found[name] = floors(), None
    for name, seconds in single.items():
        if name in names:
            unit, value = _floor(), seconds()
            found[name] = value / ((unit + _floor()) / 2), value * 1e6
    return found


GROUP = Group(ROWS, _measure)
