"""What tasks cost: inside the runtime and through both faces, one by one and in the plan on which peers were measured."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Collection
from typing import Any

from ascend_sim.cli.bench.floors import BATCH, Group, Row, Settings, Value, against_floor, clock

__all__ = ["GROUP", "TIME_STAMP_ONLY", "plan", "plan_seconds"]

TIME_STAMP_ONLY = 8
"""aclrtCreateEventWithFlag(ACL_EVENT_TIME_LINE): its record is the emptiest task that has a C name."""

ROWS = (
    Row("task_inside", "floors", 7, "an empty task, submit and run, inside the runtime"),
    Row("task_ascendcl", "floors", 12, "task_inside through ascendcl: aclrtRecordEvent of a time stamp"),
    Row("task_pyacl", "floors", 15, "task_inside through pyACL: acl.rt.record_event"),
    Row("plan_ascendcl", "floors", 15, "a task of the 100,000-task plan on 4 streams (records and waits), ascendcl"),
)


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


def plan_seconds(operations: list[tuple[str, int, int]], count: int) -> float:
    """Seconds a task of the plan takes in the current simulator, through ascendcl."""
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


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    from ascend_sim import ascendcl as C
    from ascend_sim.simulator import Simulator

    figures: dict[str, Value] = {}
    single: dict[str, Callable[[Any], float]] = {
        "task_inside": _empty_inside, "task_ascendcl": _empty_ascendcl, "task_pyacl": _empty_pyacl,
    }  # fmt: skip
    with Simulator(threads=settings.threads, checks="none") as sim:
        C.aclrtSetDevice(0)
        operations, events = plan(settings.tasks)
        gc.collect()
        gc.freeze()  # what is alive now is the benchmark's own
        for name, seconds in single.items():
            if name in names:
                figures[name] = against_floor(lambda seconds=seconds: seconds(sim))  # type: ignore[misc]
        if "plan_ascendcl" in names:
            figures["plan_ascendcl"] = against_floor(lambda: plan_seconds(operations, events), 5)
    gc.unfreeze()
    return figures


GROUP = Group(ROWS, _measure)
