"""The file of a session: tasks and marks in the trace-event format (docs/semantics/profiling.md#results)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final

from ascend_sim.constants.errors import ACL_ERROR_INVALID_FILE
from ascend_sim.errors import AclError

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Task, TaskFault
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Results"]

MOST_ROWS: Final = 1_000_000
HOST: Final = 1000
"""The process number of the host's threads in the file; devices have their own numbers."""


class Results:
    """What one session sees between start and stop, and its file ``PROF_NNNNNN_ascend_sim/msprof.json`` in *folder*."""

    def __init__(self, sim: Runtime, folder: str, number: int) -> None:
        self.sim = sim
        self.folder = os.path.join(folder, f"PROF_{number:06d}_ascend_sim")
        self.rows: list[dict[str, Any]] = []
        self.left_out = 0
        self._devices: set[int] = set()

    def begin(self, devices: set[int]) -> None:
        """Look at the tasks of *devices* and at marks from now on."""
        self._devices = devices
        self.sim.hooks.add("completed", self._completed)
        self.sim.hooks.add("marked", self._marked)

    def end(self) -> None:
        """Look no more, and write the file. Raises AclError 100003 when that fails."""
        self.sim.hooks.remove("completed", self._completed)
        self.sim.hooks.remove("marked", self._marked)
        path = os.path.join(self.folder, "msprof.json")
        try:
            os.makedirs(self.folder, mode=0o750, exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"traceEvents": self.rows, "otherData": {"left_out": self.left_out}}, file)
        except OSError as error:
            raise AclError(ACL_ERROR_INVALID_FILE, f"{path} cannot be written: {error.strerror}", "acl") from None

    def _row(self, name: str, kind: str, start: int, end: int, pid: int, tid: int) -> None:
        if len(self.rows) >= MOST_ROWS:
            self.left_out += 1
            return
        row = {"name": name, "cat": kind, "ph": "X", "ts": start / 1000, "dur": (end - start) / 1000}
        self.rows.append(row | {"pid": pid, "tid": tid})

    def _completed(self, task: Task, fault: TaskFault | None) -> None:
        device = task.stream.context.device.index
        if device in self._devices:
            start = task.end - task.op.cost if task.op.plain else getattr(task, "start", task.end)
            self._row(task.op.kind, "task", start, task.end, device, task.stream.number)

    def _marked(self, t: HostThread, kind: str, text: str, start: int, end: int) -> None:
        self._row(text, kind, start, end, HOST, t.number)
