"""What graphs cost: a node of a replay, without checks and with the default ones, and a call that is captured."""

from __future__ import annotations

import gc
from collections.abc import Collection
from typing import Any

from ascend_sim.cli.bench.floors import Group, Row, Settings, Value, against_floor, clock

__all__ = ["GROUP"]

ROWS = (
    Row("graph_replay", "floors", 4, "a node of a replay: 1,000 empty tasks on 4 streams, 1 in 5 a record or a wait"),
    Row("graph_checks", "floors", 12, "the same with the default checks"),
    Row("graph_sets", "floors", 20, "the same of 1,000 sets of 64 bytes on 4 streams, default checks"),
    Row("graph_capture", "times", 1.5, "capturing 1,000 sets of 64 bytes, against queueing and running them"),
)
NODES, STREAMS = 1000, 4
RELAXED, SYNC = 2, 1


def _streams(C: Any, count: int = STREAMS) -> list[int]:
    return [C.aclrtCreateStream()[0] for _ in range(count)]


def _edge(C: Any, first: int, then: int) -> None:
    event, _ = C.aclrtCreateEventExWithFlag(SYNC)
    C.aclrtRecordEvent(event, first)
    C.aclrtStreamWaitEvent(then, event)


def _model(C: Any, sim: Any, sets: bool) -> int:
    """A graph of some 1,000 nodes whose streams fork at its beginning, wait for each other, and join at its end."""
    from ascend_sim.runtime.current import LOCAL
    from ascend_sim.runtime.task import Op

    streams = _streams(C)
    memory = [C.aclrtMalloc(64, 0)[0] for _ in streams]
    op = Op("empty", sim.profile.costs.task_ns)
    C.aclmdlRICaptureBegin(streams[0], RELAXED)
    for other in streams[1:]:
        _edge(C, streams[0], other)
    for i in range(NODES - 4 * (STREAMS - 1)):
        place = i % STREAMS
        if i % 10 == 4 and not sets:
            _edge(C, streams[place], streams[place - 1])
        elif sets:
            C.aclrtMemsetAsync(memory[place], 64, 1, 64, streams[place])
        elif i % 10 != 9:
            sim.handles[streams[place]].submit(LOCAL.state, op)
    for other in streams[1:]:
        _edge(C, other, streams[0])
    model, _ = C.aclmdlRICaptureEnd(streams[0])
    return int(model)


def _replay(checks: str | None, sets: bool, settings: Settings) -> Value:
    from ascend_sim import ascendcl as C
    from ascend_sim.simulator import Simulator

    options = {} if checks is None else {"checks": checks}
    with Simulator(threads=settings.threads, **options) as sim:  # type: ignore[arg-type]
        C.aclrtSetDevice(0)
        model = _model(C, sim, sets)
        stream = _streams(C, 1)[0]
        nodes = len(sim.handles[model].graph.nodes)  # type: ignore[attr-defined]

        def seconds(times: int = 20) -> float:
            begin = clock()
            for _ in range(times):
                C.aclmdlRIExecuteAsync(model, stream)
                C.aclrtSynchronizeStream(stream)
            return (clock() - begin) / (times * nodes)

        gc.collect()
        gc.freeze()
        value = against_floor(seconds)
        gc.unfreeze()
    return value


def _capture(settings: Settings, times: int = 9) -> Value:
    """How many times longer 1,000 calls take that are captured than the same calls with the run of their tasks."""
    from ascend_sim import ascendcl as C
    from ascend_sim.simulator import Simulator

    with Simulator(threads=settings.threads, checks="none"):
        C.aclrtSetDevice(0)
        stream = _streams(C, 1)[0]
        memory, _ = C.aclrtMalloc(64, 0)
        plain, captured = [], []
        for _ in range(times):
            begin = clock()
            for _ in range(NODES):
                C.aclrtMemsetAsync(memory, 64, 1, 64, stream)
            C.aclrtSynchronizeStream(stream)
            plain.append(clock() - begin)
            begin = clock()
            C.aclmdlRICaptureBegin(stream, RELAXED)
            for _ in range(NODES):
                C.aclrtMemsetAsync(memory, 64, 1, 64, stream)
            model, _ = C.aclmdlRICaptureEnd(stream)
            captured.append(clock() - begin)
            C.aclmdlRIDestroy(model)
    return min(captured) / min(plain), min(captured) / NODES * 1e6


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    figures: dict[str, Value] = {}
    if "graph_replay" in names:
        figures["graph_replay"] = _replay("none", False, settings)
    if "graph_checks" in names:
        figures["graph_checks"] = _replay(None, False, settings)
    if "graph_sets" in names:
        figures["graph_sets"] = _replay(None, True, settings)
    if "graph_capture" in names:
        figures["graph_capture"] = _capture(settings)
    return figures


GROUP = Group(ROWS, _measure)
