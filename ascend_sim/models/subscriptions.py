"""Subscriptions: the operators of a model that ran go to a file descriptor (docs/semantics/profiling.md#subscription)."""

from __future__ import annotations

import os
import select
from typing import TYPE_CHECKING, Final

from ascend_sim.constants.errors import ACL_ERROR_INVALID_MODEL_ID, ACL_ERROR_PROF_REPEAT_SUBSCRIBE
from ascend_sim.constants.tools import ACL_SUBSCRIBE_OP
from ascend_sim.errors import AclError
from ascend_sim.models.execution import Execution
from ascend_sim.models.op_descs import operators_of
from ascend_sim.runtime.profiling.op_records import RECORD_BYTES, OpNames, OpRecord, pack
from ascend_sim.runtime.profiling.session import OFF, SUBSCRIBED, ProfilerSession

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.task import Task, TaskFault
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["Subscriptions", "tell_of_model"]

AT_ONCE: Final = 4096 // RECORD_BYTES * RECORD_BYTES
"""What a pipe takes in one piece, in whole records."""


class Subscriptions:
    """The subscribed models of one simulator: by their ids the descriptor, and what it has not taken yet."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.to: dict[int, int] = {}
        self._waiting: dict[int, bytearray] = {}
        """By descriptor."""
        self.told: set[int] = set()
        """Models of which the profiler was told by name, without a load."""

    def add(self, model: int, fd: int) -> None:
        """Raises AclError 148046 (subscribed before), 148047 and 100042 (a session of the profiler)."""
        session = self.sim.part(ProfilerSession)
        session.check_mode(OFF, SUBSCRIBED)
        if model in self.to:
            raise AclError(ACL_ERROR_PROF_REPEAT_SUBSCRIBE, f"model {model} is subscribed", "acl")
        if not self.to:
            self.sim.hooks.add("completed", self._completed)
        session.mode = SUBSCRIBED
        self.to[model] = fd
        self._waiting.setdefault(fd, bytearray())

    def remove(self, t: HostThread, model: int) -> None:
        """Write what is left; the last one of a descriptor closes it. Raises AclError 100011 (not subscribed)."""
        session = self.sim.part(ProfilerSession)
        session.check_mode(OFF, SUBSCRIBED)
        if model not in self.to:
            raise AclError(ACL_ERROR_INVALID_MODEL_ID, f"model {model} is not subscribed", "acl")
        fd = self.to.pop(model)
        if not self.to:
            self.sim.hooks.remove("completed", self._completed)
            session.mode = OFF
        if fd in self.to.values():
            return
        left = self._waiting.pop(fd)
        with self.sim.threads.outside(t):  # who reads may be a thread of the program
            _finish(fd, left)

    def _completed(self, task: Task, fault: TaskFault | None) -> None:
        action = task.op.action
        if type(action) is not Execution or action.model.id not in self.to or fault is not None:
            return
        names = self.sim.part(OpNames)
        operators = operators_of(action)
        start, count = task.start, len(operators)
        fd = self.to[action.model.id]
        for place, (name, kind) in enumerate(operators):
            began = start + (task.end - start) * place // count
            ended = start + (task.end - start) * (place + 1) // count
            record = OpRecord(
                action.model.id, ACL_SUBSCRIBE_OP, task.thread.number, names.keep(name, kind), began // 1000,
                ended // 1000, task.stream.context.device.index,
            )  # fmt: skip
            self._waiting[fd] += pack(record)
        self._flush(fd)

    def _flush(self, fd: int) -> None:
        """Write what the descriptor takes without waiting."""
        left = self._waiting[fd]
        try:
            while left and select.select([], [fd], [], 0)[1]:
                del left[: os.write(fd, bytes(left[:AT_ONCE]))]
        except (OSError, ValueError):  # closed by the program, or nobody reads any more
            left.clear()


def tell_of_model(t: ThreadState, model: int, device: int) -> None:
    """MsprofSetDeviceIdByGeModelIdx: *model*, which nothing has loaded, can be subscribed from now on. Never fails."""
    t.sim.part(Subscriptions).told.add(model)


def _finish(fd: int, left: bytearray) -> None:
    try:
        while left:
            del left[: os.write(fd, bytes(left[:AT_ONCE]))]
        os.close(fd)
    except OSError:  # it was closed before
        left.clear()
