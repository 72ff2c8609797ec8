"""Models that queues feed: a message of each input queue is one execution, and its outputs go into the output queues.

Such a model runs by itself from its load on, again and again. See docs/semantics/models.md#models-fed-by-queues.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_sim.constants.errors import (
    ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID,
    ACL_ERROR_GE_FAILURE,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
)
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.machine import host_memory
from ascend_sim.machine.data_types import numpy_type
from ascend_sim.models.bodies import BodyError
from ascend_sim.models.execution import run_of
from ascend_sim.ops.operator import same_shape
from ascend_sim.runtime.queues.entries import Entry
from ascend_sim.runtime.queues.registry import QueueRegistry

if TYPE_CHECKING:
    from ascend_sim.models.model import Model
    from ascend_sim.om import TensorDescription
    from ascend_sim.runtime.queues.shared_queue import SharedQueue
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["QueueFed", "feed"]


def check_queues(t: ThreadState, numbers: Sequence[int], count: int, what: str) -> list[SharedQueue]:
    """The queues of *numbers* on the current device, one for each of *count* tensors. Raises AclError 145008, 107002."""
    if len(numbers) != count:
        text = f"{len(numbers)} {what} queues are given: the model has {count} {what}s"
        raise AclError(ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID, text, "acl")
    device = t.current_context().device.index
    try:
        return [t.sim.part(QueueRegistry).find(device, number) for number in numbers]
    except AclError as error:
        raise AclError(ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID, error.reason, "acl") from None


def feed(t: ThreadState, model: Model, ins: Sequence[int], outs: Sequence[int]) -> None:
    """Let *model* run whenever there is a message in each of the queues *ins*, by their ids.

    Raises AclError 145008 (queues), 207000 (shapes that are not fixed, pictures), 500002 (no body, odd types).
    """
    check_feedable(t, model)
    run_of(t, model)
    sources = check_queues(t, ins, len(model.description.inputs), "input")
    targets = check_queues(t, outs, len(model.description.outputs), "output")
    model.fed = QueueFed(t, model, sources, targets)
    model.fed.pump(t.clock)


class QueueFed:
    """A loaded model between its queues."""

    __slots__ = ("_pumps", "_taken", "free", "ins", "model", "outs", "sim", "site")

    def __init__(self, t: ThreadState, model: Model, ins: Sequence[SharedQueue], outs: Sequence[SharedQueue]) -> None:
        self.sim = t.sim
        self.model = model
        self.site = t.site
        self.ins = list(ins)
        self.outs = list(outs)
        self.free = t.clock
        """Virtual time (ns) at which its last execution has ended: they follow each other."""
        self._pumps = False
        self._taken: list[Entry | None] = [None] * len(self.ins)
        """Messages of an execution that waits for others."""
        for queue in self._queues():
            queue.feeds.append(self.pump)

    def _queues(self) -> list[SharedQueue]:
        return list(dict.fromkeys([*self.ins, *self.outs]))

    def end(self) -> None:
        """The model is unloaded: nothing more is taken."""
        for queue in self._queues():
            if self.pump in queue.feeds:
                queue.feeds.remove(self.pump)

    def pump(self, time: int) -> None:
        """One of its queues has changed at virtual *time* (ns): run as often as there are messages, and room."""
        if self._pumps:
            return
        self._pumps = True
        try:
            while self._ready():
                for place, queue in enumerate(self.ins):
                    if self._taken[place] is None and queue.filled():
                        self._taken[place] = queue.store.pop(None)
                taken = [entry for entry in self._taken if entry is not None]
                if len(taken) < len(self.ins):
                    return  # one queue feeds two inputs, or another process was quicker
                self._taken = [None] * len(self.ins)
                start = max([time, self.free, *(entry.time for entry in taken)])
                self._execute(taken, start)
                for queue in self._queues():
                    queue.changed(time)
        finally:
            self._pumps = False

    def _ready(self) -> bool:
        if any(queue.dead for queue in self._queues()):
            return False
        filled = all(entry or queue.filled() for entry, queue in zip(self._taken, self.ins, strict=True))
        return filled and all(queue.has_room() for queue in self.outs)

    def _execute(self, taken: list[Entry], start: int) -> None:
        description = self.model.description
        cause = max(taken, key=lambda entry: entry.time)
        read = sum(entry.data.nbytes for entry in taken)
        try:
            values = [self._value(*pair) for pair in zip(description.inputs, taken, strict=True)]
            assert self.model.run is not None
            results = self.model.run(values)
            outputs = zip(description.outputs, results, strict=True)
            made = [self._made(i, said, found) for i, (said, found) in enumerate(outputs)]
        except (BodyError, ValueError) as error:
            self._failed(str(error), start)
            return
        costs = self.sim.profile.costs
        written = sum(array.nbytes for array in made)
        self.free = start + (description.cost_ns or costs.kernel_ns + (read + written) * 1000 // costs.d2d_rate)
        for queue, array in zip(self.outs, made, strict=True):
            entry = Entry(array)
            entry.giver, entry.known, entry.time = cause.giver, cause.known, self.free
            queue.store.push(None, entry, queue.room)

    def _value(self, said: TensorDescription, entry: Entry) -> Any:
        """The tensor in a message: its first bytes, without a header. Raises ValueError."""
        kind = numpy_type(said.data_type)
        nbytes = int(np.prod(said.dims, dtype=np.int64)) * kind.itemsize
        data = entry.data
        if entry.buffer is not None:
            area = entry.buffer.area
            data = host_memory.view(self.sim.memory.reach(area.block, 0, area.size), area.size)
        if data.nbytes < nbytes:
            raise ValueError(f"the message for input {said.name} has {data.nbytes} bytes, its tensor {nbytes}")
        value = np.frombuffer(data.tobytes()[:nbytes], kind).reshape(said.dims)
        if entry.buffer is not None:
            thread = self.sim.threads.attached()[0]
            entry.drop(thread)
        return value

    def _made(self, index: int, said: TensorDescription, found: Any) -> Any:
        array = np.ascontiguousarray(found, numpy_type(said.data_type))
        if not same_shape(array.shape, said.dims):
            raise ValueError(f"output {index} is {list(array.shape)}, {list(said.dims)} was expected")
        return array.reshape(-1).view(np.uint8).copy()

    def _failed(self, why: str, time: int) -> None:
        self.sim.report(
            "task-fault", "error", f"{self.model.describe()}, which queues feed, failed: {why}",
            [Site("access", "loaded here", self.site, primary=True)],
            notes=("nothing comes into its output queues for that",), time_ns=time,
        )  # fmt: skip


def check_feedable(t: ThreadState, model: Model) -> None:
    """Raises AclError 207000: shapes that are not fixed, pictures; 500002: a type that numpy has not."""
    description = model.description
    tensors = (*description.inputs, *description.outputs)
    if description.gears is not None or any(said.aipp is not None or min(said.dims, default=0) < 0 for said in tensors):
        text = f"{model.describe()} has shapes that are not fixed, or takes pictures: queues cannot feed it"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "acl")
    try:
        for said in tensors:
            numpy_type(said.data_type)
    except ValueError as error:
        raise AclError(ACL_ERROR_GE_FAILURE, str(error), "acl") from None
