"""The timeline: every host call, task, wait, callback and allocation in virtual time, as a trace for Perfetto.

The file is in the trace-event format of Chrome and Perfetto: open it at ui.perfetto.dev or chrome://tracing. Tracks:
one for each host thread, one for each stream of each device; arrows from a record to the wait that it released; a
counter of device memory in use; findings as marks.
"""

from __future__ import annotations

import json
import os
from types import CodeType
from typing import TYPE_CHECKING, Any

from ascend_sim.observers.observer import Observer
from ascend_sim.runtime.event import RecordGate

if TYPE_CHECKING:
    from ascend_sim.findings import Finding
    from ascend_sim.machine.blocks import Block
    from ascend_sim.runtime.host_threads import HostThread
    from ascend_sim.runtime.task import Task, TaskFault
    from ascend_sim.simulator import Simulator

__all__ = ["Timeline"]

HOST = 1
"""The process of the host's tracks; devices are processes from 10 on."""
FIRST_DEVICE = 10


class Timeline(Observer):
    """Collects the events of one simulator; `save` writes them, and so does closing the simulator when *path* is given.

    `events` are the trace's own objects.

    Times in the trace are microseconds of virtual time. A task's slice begins when it started, for a plain task its
    cost before its end; its arguments hold the formula's parts: when it was submitted, and what it cost.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = path
        self.events: list[dict[str, Any]] = []
        self._tracks: set[tuple[int, int]] = set()
        self._begun: dict[int, tuple[str, int]] = {}
        self._callbacks: dict[int, int] = {}
        self._in_use: dict[int, int] = {}
        self._flows = 0

    # -- hooks -----------------------------------------------------------------------------------------------------

    def api_entered(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """A call begins where its cost began."""
        self._begun[t.number] = (name, t.clock - t.sim.host_call_ns)

    def api_returned(self, t: HostThread, name: str, result: Any) -> None:
        """It ends at the thread's clock."""
        begun = self._begun.pop(t.number, None)
        start = begun[1] if begun is not None and begun[0] == name else t.clock
        self._host_track(t)
        code = result[-1] if isinstance(result, tuple) else result
        arguments = {"code": code if isinstance(code, int) else None, "at": _place(t.site)}
        self._slice(HOST, t.number, name, start, t.clock, "call", arguments)

    def completed(self, task: Task, fault: TaskFault | None) -> None:
        """A task ended: its slice, and the arrow from the record that it waited for."""
        stream, op = task.stream, task.op
        process = FIRST_DEVICE + stream.context.device.index
        self._stream_track(process, stream)
        start = getattr(task, "start", None)
        if start is None:
            start = task.end - op.cost
        arguments: dict[str, Any] = {
            "task": task.number,
            "thread": task.thread.name,
            "submitted_us": task.ready / 1000,
            "cost_us": (task.end - start) / 1000,
            "at": _place(task.site),
        }
        if fault is not None:
            arguments["fault"] = f"{fault.code}: {fault.text}"
        gate = op.gate
        if gate is not None and start > task.ready:
            self._slice(process, stream.number, f"waits for {gate.describe()}", task.ready, start, "wait", {})
        if isinstance(gate, RecordGate):
            self._arrow(gate.record, task, start)
        self._slice(process, stream.number, op.kind, start, task.end, "task", arguments)

    def callback_started(self, t: HostThread, task: Task | None) -> None:
        """A callback begins on its serving thread."""
        self._callbacks[t.number] = t.clock

    def callback_ended(self, t: HostThread, task: Task | None) -> None:
        """It ends."""
        start = self._callbacks.pop(t.number, t.clock)
        self._host_track(t)
        self._slice(HOST, t.number, "callback", start, t.clock, "callback", {})

    def allocated(self, t: HostThread | None, block: Block) -> None:
        """Device memory in use goes up."""
        self._count(t, block, block.capacity)

    def freed(self, t: HostThread | None, block: Block) -> None:
        """And down."""
        self._count(t, block, -block.capacity)

    def found(self, finding: Finding) -> None:
        """A mark where a finding was made."""
        if finding.time_ns is not None:
            self.events.append(
                {
                    "ph": "i", "s": "g", "pid": HOST, "tid": 0, "ts": finding.time_ns / 1000, "cat": "finding",
                    "name": f"{finding.severity}[{finding.kind}]", "args": {"title": finding.title},
                }
            )  # fmt: skip

    def closed(self, sim: Simulator) -> None:
        """Write the file that was asked for."""
        if self.path is not None:
            self.save(self.path, sim)

    # -- building ----------------------------------------------------------------------------------------------------

    def _slice(
        self, process: int, track: int, name: str, start: int, end: int, category: str, arguments: dict[str, Any]
    ) -> None:
        self.events.append(
            {
                "ph": "X", "pid": process, "tid": track, "ts": start / 1000, "dur": max(end - start, 0) / 1000,
                "cat": category, "name": name, "args": arguments,
            }
        )  # fmt: skip

    def _arrow(self, record: Task, wait: Task, time: int) -> None:
        if not record.done:
            return
        self._flows += 1
        source, target = record.stream, wait.stream
        shared = {"cat": "edge", "name": "record", "id": self._flows}
        for phase, stream, moment in (("s", source, record.end), ("f", target, time)):
            place = {"pid": FIRST_DEVICE + stream.context.device.index, "tid": stream.number, "ts": moment / 1000}
            self.events.append({"ph": phase, "bp": "e", **place, **shared})

    def _count(self, t: HostThread | None, block: Block, bytes_: int) -> None:
        if block.device < 0:
            return
        used = self._in_use[block.device] = self._in_use.get(block.device, 0) + bytes_
        place = {"pid": FIRST_DEVICE + block.device, "ts": (t.clock if t is not None else 0) / 1000}
        self.events.append({"ph": "C", "name": "memory in use", "args": {"bytes": used}, **place})

    def _host_track(self, t: HostThread) -> None:
        self._name(HOST, t.number, "host", t.name)

    def _stream_track(self, process: int, stream: Any) -> None:
        self._name(process, stream.number, f"device {process - FIRST_DEVICE}", stream.describe())

    def _name(self, process: int, track: int, process_name: str, track_name: str) -> None:
        if (process, track) in self._tracks:
            return
        if not any(known == process for known, _ in self._tracks):
            self.events.append({"ph": "M", "pid": process, "name": "process_name", "args": {"name": process_name}})
        self._tracks.add((process, track))
        named = {"ph": "M", "pid": process, "tid": track, "name": "thread_name"}
        self.events.append({**named, "args": {"name": track_name}})

    # -- writing -----------------------------------------------------------------------------------------------------

    def to_json(self, sim: Simulator) -> dict[str, Any]:
        """The whole trace as plain values."""
        return {
            "traceEvents": self.events,
            "displayTimeUnit": "ns",
            "otherData": {"simulator": "ascend_sim", "profile": sim.profile.name, "seed": sim.seed},
        }

    def save(self, path: str | os.PathLike[str], sim: Simulator) -> None:
        """Write the trace to *path*."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_json(sim), file, separators=(",", ":"))


def _place(site: Any) -> str:
    """``file:line`` of a call site; empty when it is unknown."""
    if not site:
        return ""
    code, offset = site if isinstance(site[0], CodeType) else site[0]  # the innermost frame of several
    line = code.co_firstlineno
    for begin, end, number in code.co_lines():
        if begin <= offset < end and number is not None:
            line = number
    return f"{os.path.basename(code.co_filename)}:{line}"
