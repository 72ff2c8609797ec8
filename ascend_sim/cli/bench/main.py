"""``ascend-sim bench``: what the simulator itself costs, as multiples of a floor measured in the same run.

The floor is one object with slots, one append and one pop of a deque, and one function call: what no simulator of
queues in Python can do without. Machines differ and drift, so every figure is the median of ratios that are measured
in turn with the floor. Absolute times are printed beside them for orientation only.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from ascend_sim.cli.bench import explore, kernels, testing, timeline

__all__ = ["FIGURES", "against_floor", "floor", "main"]

HELP = "measure the speed of the simulator itself"
ROUNDS = 9
BATCH = 1000
TIME_STAMP_ONLY = 8
"""aclrtCreateEventWithFlag(ACL_EVENT_TIME_LINE): its record is the emptiest task that has a C name."""

clock = time.perf_counter


class _Slots:
    __slots__ = ("a", "b", "c", "d", "e")

    def __init__(self, a: int, b: int, c: int, d: int, e: int) -> None:
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.e = e


def _call(value: _Slots) -> _Slots:
    return value


def floor(n: int = 20_000) -> float:
    """Seconds of one floor: object, append, pop, call."""
    queue: deque[_Slots] = deque()
    begin = clock()
    for _ in range(n):
        queue.append(_Slots(1, 2, 3, 4, 5))
        _call(queue.popleft())
    return (clock() - begin) / n


def against_floor(measure: Callable[[], float], rounds: int = ROUNDS) -> tuple[float, float]:
    """Median of *measure* (seconds an operation) over the floor around it, and its median in microseconds."""
    measure()
    ratios, absolute = [], []
    for _ in range(rounds):
        before = floor()
        seconds = measure()
        ratios.append(seconds / ((before + floor()) / 2))
        absolute.append(seconds * 1e6)
    return statistics.median(ratios), statistics.median(absolute)


def _empty_inside(sim: Any, n: int = 20) -> float:
    from ascend_sim import ascendcl as C
    from ascend_sim.runtime.task import Op
    from ascend_sim.simulator import LOCAL

    handle, _ = C.aclrtCreateStream()
    stream, t = sim.handles[handle], LOCAL.state
    op, submit = Op("empty", sim.profile.costs.task_ns), stream.submit
    if t.threads.locked:
        t.threads.enter(t)
    begin = clock()
    for _ in range(n):
        for _ in range(BATCH):
            submit(t, op)
        stream.wait_empty(t, None)
    seconds = (clock() - begin) / (n * BATCH)
    if t.threads.locked:
        t.threads.leave(t)
    C.aclrtDestroyStream(handle)
    return seconds


def _empty_ascendcl(sim: Any, n: int = 20) -> float:
    from ascend_sim import ascendcl as C

    stream, _ = C.aclrtCreateStream()
    event, _ = C.aclrtCreateEventWithFlag(TIME_STAMP_ONLY)
    record = C.aclrtRecordEvent
    begin = clock()
    for _ in range(n):
        for _ in range(BATCH):
            record(event, stream)
        C.aclrtSynchronizeStream(stream)
    seconds = (clock() - begin) / (n * BATCH)
    C.aclrtDestroyEvent(event)
    C.aclrtDestroyStream(stream)
    return seconds


def _empty_pyacl(sim: Any, n: int = 20) -> float:
    from ascend_sim.pyacl import modules

    rt = modules()["acl.rt"]
    stream, _ = rt.create_stream()
    event, _ = rt.create_event_with_flag(TIME_STAMP_ONLY)
    record = rt.record_event
    begin = clock()
    for _ in range(n):
        for _ in range(BATCH):
            record(event, stream)
        rt.synchronize_stream(stream)
    seconds = (clock() - begin) / (n * BATCH)
    rt.destroy_event(event)
    rt.destroy_stream(stream)
    return seconds


def plan(n: int, streams: int = 4, seed: int = 1) -> tuple[list[tuple[str, int, int]], int]:
    """The workload on which peers were measured: 80 % tiny tasks, 10 % records, 10 % waits for a recent record."""
    rng = random.Random(seed)
    operations: list[tuple[str, int, int]] = []
    events = 0
    for i in range(n):
        stream, kind = i % streams, i % 10
        if kind == 4:
            operations.append(("record", stream, events))
            events += 1
        elif kind == 9 and events:
            operations.append(("wait", stream, rng.randrange(max(0, events - 8), events)))
        else:
            operations.append(("task", stream, i))
    return operations, events


def _plan_ascendcl(sim: Any, operations: list[tuple[str, int, int]], count: int) -> float:
    from ascend_sim import ascendcl as C

    streams = [C.aclrtCreateStream()[0] for _ in range(4)]
    events = [C.aclrtCreateEvent()[0] for _ in range(count)]
    tiny, _ = C.aclrtCreateEventWithFlag(TIME_STAMP_ONLY)
    record, wait = C.aclrtRecordEvent, C.aclrtStreamWaitEvent
    begin = clock()
    for kind, stream, what in operations:
        if kind == "task":
            record(tiny, streams[stream])
        elif kind == "record":
            record(events[what], streams[stream])
        else:
            wait(streams[stream], events[what])
    C.aclrtSynchronizeDevice()
    seconds = (clock() - begin) / len(operations)
    for handle in (*events, tiny):
        C.aclrtDestroyEvent(handle)
    for handle in streams:
        C.aclrtDestroyStream(handle)
    return seconds


def _copy_ratio(sim: Any, megabytes: int = 64, pairs: int = 15) -> tuple[float, float]:
    """A host-to-device copy against numpy's copyto of the same size, both buffers touched before."""
    import numpy as np

    from ascend_sim import ascendcl as C

    size = megabytes << 20
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    device, _ = C.aclrtMalloc(size, 0)
    address = source.ctypes.data
    C.aclrtMemcpy(device, size, address, size, 1)
    np.copyto(target, source)
    ratios, absolute = [], []
    for _ in range(pairs):
        begin = clock()
        np.copyto(target, source)
        middle = clock()
        C.aclrtMemcpy(device, size, address, size, 1)
        end = clock()
        ratios.append((end - middle) / (middle - begin))
        absolute.append((end - middle) * 1e6)
    C.aclrtFree(device)
    return statistics.median(ratios), statistics.median(absolute)


def _new_simulator() -> float:
    from ascend_sim.simulator import Simulator

    begin = clock()
    for _ in range(20):
        Simulator()
    return (clock() - begin) / 20


def _child(code: str) -> float:
    """The number that *code* prints in a fresh interpreter."""
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return float(output)


_IMPORT = """
import time
begin = time.perf_counter()
import ascend_sim
seconds = time.perf_counter() - begin
import sys
assert not {"rich", "hypothesis", "pytest"} & set(sys.modules)
print(seconds)
"""

_IMPORT_FACES = """
import numpy, attrs
import time
begin = time.perf_counter()
import ascend_sim.simulator, ascend_sim.ascendcl, ascend_sim.pyacl
seconds = time.perf_counter() - begin
import sys
assert not {"rich", "hypothesis", "pytest"} & set(sys.modules)
print(seconds)
"""

_MEMORY = """
import numpy, attrs, resource
def peak(): return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
import ascend_sim.simulator, ascend_sim.ascendcl as C
{warm}
before = peak()
with ascend_sim.simulator.Simulator(devices=8) as sim:
    blocks = []
    for device in range(8):
        C.aclrtSetDevice(device)
        blocks.append(C.aclrtMalloc(60 << 30, 0))
        assert blocks[-1][1] == 0
    print((peak() - before) / 2**20)
"""
_WARM = "with ascend_sim.simulator.Simulator() as sim: C.aclrtSetDevice(0)"

# name, unit, the bar of the project, what it is
FIGURES: tuple[tuple[str, str, float, str], ...] = (
    ("task_inside", "floors", 7, "an empty task, submit and run, inside the runtime"),
    ("task_ascendcl", "floors", 12, "the same through ascendcl: aclrtRecordEvent of a time stamp"),
    ("task_pyacl", "floors", 15, "the same through pyACL: acl.rt.record_event"),
    ("plan_ascendcl", "floors", 15, "a task of the 100,000-task plan on 4 streams (records and waits), ascendcl"),
    ("copy_64MiB", "x copyto", 1.15, "aclrtMemcpy of 64 MiB host to device against numpy's copyto"),
    ("simulator", "ms", 0.2, "Simulator()"),
    ("import", "s", 0.25, "`import ascend_sim` in a fresh interpreter, without rich, hypothesis, pytest"),
    ("import_faces", "s", 0.25, "what simulator and both faces add to numpy and attrs, in a fresh interpreter"),
    ("model_onnx", "x direct", 1.3, "aclmdlExecute of a 1 ms ONNX model against onnxruntime (when it is installed)"),
    ("eight_devices", "MiB", 8, "resident memory of 8 devices with 60 GiB allocated on each, nothing touched"),
    *kernels.FIGURES,
    *timeline.FIGURES,
    *testing.FIGURES,
    *explore.FIGURES,
)


def measure(threads: str, tasks: int) -> dict[str, tuple[float, float | None]]:
    """All figures: the value in its unit, and microseconds where that says something."""
    from ascend_sim import ascendcl as C
    from ascend_sim.simulator import Simulator

    figures: dict[str, tuple[float, float | None]] = {}
    operations, events = plan(tasks)
    with Simulator(threads=threads) as sim:
        C.aclrtSetDevice(0)
        gc.collect()
        gc.freeze()  # what is alive now is the benchmark's own
        figures["task_inside"] = against_floor(lambda: _empty_inside(sim))
        figures["task_ascendcl"] = against_floor(lambda: _empty_ascendcl(sim))
        figures["task_pyacl"] = against_floor(lambda: _empty_pyacl(sim))
        figures["plan_ascendcl"] = against_floor(lambda: _plan_ascendcl(sim, operations, events), 5)
        figures["copy_64MiB"] = _copy_ratio(sim)
    gc.unfreeze()
    figures["simulator"] = (statistics.median(_new_simulator() for _ in range(ROUNDS)) * 1e3, None)
    figures["import"] = (statistics.median(_child(_IMPORT) for _ in range(5)), None)
    figures["import_faces"] = (statistics.median(_child(_IMPORT_FACES) for _ in range(5)), None)
    from ascend_sim.cli.bench.models import model_ratio

    model = model_ratio()
    if model is not None:
        figures["model_onnx"] = model
    figures.update(kernels.in_a_child(threads))
    figures.update(timeline.measure(threads, tasks))
    figures.update(testing.measure())
    figures.update(explore.measure())
    if sys.platform == "linux":
        figures["eight_devices"] = (_child(_MEMORY.format(warm=_WARM)), None)
    return figures


def main(argv: Sequence[str]) -> int:
    """Print the figures; exit code 1 when one is above its bar and ``--check`` was given."""
    parser = argparse.ArgumentParser(prog="ascend-sim bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a figure is above its bar")
    parser.add_argument("--threads", choices=("free", "deterministic"), default="deterministic")
    parser.add_argument("--tasks", type=int, default=100_000, help="length of the plan (default 100000)")
    options = parser.parse_args(argv)
    figures = measure(options.threads, options.tasks)
    over = [name for name, _, bar, _ in FIGURES if name in figures and figures[name][0] > bar]
    if options.json:
        print(json.dumps({"floor_us": floor() * 1e6, "figures": figures, "over": over}))
    else:
        print(f"floor: {floor() * 1e6:.3f} us (an object with slots, append, pop, call); threads={options.threads}\n")
        for name, unit, bar, text in FIGURES:
            if name in figures:
                value, microseconds = figures[name]
                aside = f" {microseconds:10.2f} us" if microseconds is not None else " " * 14
                mark = "OVER" if name in over else "    "
                print(f"{name:14} {value:8.3f} {unit:9} (bar {bar:>5}) {mark}{aside}  {text}")
        if testing.missing() is not None:
            print(f"skipped: {', '.join(name for name, *_ in testing.FIGURES)} ({testing.missing()})")
    return 1 if options.check and over else 0
