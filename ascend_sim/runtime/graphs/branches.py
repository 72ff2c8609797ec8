"""Tasks of hand-built models that decide what runs next: activating and switching streams, labels and jumps to them.

See docs/semantics/graphs.md#branches.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_MODEL_EXECUTE,
)
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.graphs.built_replay import built_replay_of
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.task import Access, Op, Task, TaskFault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.graphs.graph import Line
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["COMPARED_BYTES", "CONDITIONS", "Label", "LabelList", "activate_op", "jump_op", "switch_op"]

CONDITIONS: tuple[Callable[[int, int], bool], ...] = (
    operator.eq, operator.ne, operator.gt, operator.ge, operator.lt, operator.le,
)  # fmt: skip
"""By aclrtCondition."""
COMPARED_BYTES = (4, 8)
"""By aclrtCompareDataType: int32, int64."""
INDEX_BYTES = 4


class Number:
    """An integer in device memory that a task reads when it runs."""

    __slots__ = ("access", "gone", "place", "signed")

    def __init__(self, sim: Runtime, address: int, nbytes: int, signed: bool) -> None:
        self.gone = ""
        """What is wrong with the address; nobody tests it before the task runs."""
        block = None
        try:
            block = sim.memory.check(address, nbytes, False)
        except AddressFault as fault:
            block = fault.block
            if block is None or fault.kind == "bounds":
                self.gone = fault.text
        self.place = Place(sim, block, address, nbytes, False)
        self.access = Access(address, address + nbytes, False)
        self.signed = signed

    def read(self, task: Task) -> int:
        """Its value now. Raises TaskFault when the memory is not there."""
        if self.gone:
            raise TaskFault(ACL_ERROR_RT_DRV_INTERNAL_ERROR, self.gone)
        true = self.place.reach(task)
        self.place.tell(task)
        if not true:
            return 0
        return int.from_bytes(host_memory.view(true, self.place.nbytes).tobytes(), "little", signed=self.signed)


def activate_op(sim: Runtime, stream: Stream) -> Op:
    """The operation that activates *stream*."""

    def activate(task: Task, time: int) -> None:
        replay, _ = built_replay_of(task)
        replay.start_beside(stream, task, time)

    return Op("activate-stream", sim.profile.costs.record_ns, activate)


def switch_op(sim: Runtime, left: int, condition: int, right: int, data_type: int, stream: Stream) -> Op:
    """The operation that goes on with *stream*, from its beginning, when the numbers at two addresses compare so."""
    nbytes = COMPARED_BYTES[data_type]
    numbers = [Number(sim, address, nbytes, True) for address in (left, right)]

    def switch(task: Task, time: int) -> None:
        replay, lane = built_replay_of(task)
        if CONDITIONS[condition](*[number.read(task) for number in numbers]):
            target = replay.lane_of(stream)
            if target is None:
                text = f"{stream.describe()} is not bound to {replay.instance.describe()}"
                raise TaskFault(ACL_ERROR_RT_MODEL_EXECUTE, text)
            replay.decided[lane] = (target, 0)

    accesses = tuple(number.access for number in numbers)
    return Op("switch-stream", sim.profile.costs.record_ns, switch, accesses=accesses)


class Label:
    """A label: a place in what a stream of a model recorded, once it is set there."""

    __slots__ = ("context", "handle", "index", "line", "list", "number", "site", "stream")

    def __init__(self, context: Context, site: CallSite) -> None:
        sim = context.device.sim
        self.context = context
        self.site = site
        self.number = sim.next_number("label")
        self.stream: Stream | None = None
        self.line: Line | None = None
        self.index = 0
        """The node of the line that it stands before."""
        self.list: LabelList | None = None
        """The list that holds it: no label may be in two."""
        self.handle = sim.new_handle(self)

    def describe(self) -> str:
        """The label in words."""
        return f"label {self.number}"

    def set(self, t: ThreadState, stream: Stream, line: Line) -> None:
        """Let it stand before what *stream*, which is bound, records next.

        Raises AclError 507000: it stands elsewhere, or here already, or no list holds it.
        """
        if self.stream is not None:
            text = f"{self.describe()} is set on {self.stream.describe()} already"
            raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, text)
        if self.list is None:
            text = f"no list holds {self.describe()} (aclrtCreateLabelList)"
            raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, text)
        stream.submit(t, Op("label", t.sim.profile.costs.record_ns))
        self.stream, self.line, self.index = stream, line, len(line.nodes) - 1


class LabelList:
    """Labels that a jump chooses from."""

    __slots__ = ("handle", "labels", "number", "site")

    def __init__(self, sim: Runtime, labels: Sequence[Label], site: CallSite) -> None:
        """Raises AclError 507000 for a label that is in a list already."""
        self.labels = tuple(labels)
        self.site = site
        for label in self.labels:
            if label.list is not None:
                raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"{label.describe()} is in a list already")
            label.list = self
        self.number = sim.next_number("label list")
        self.handle = sim.new_handle(self)

    def describe(self) -> str:
        """The list in words."""
        return f"label list {self.number}"


def jump_op(sim: Runtime, address: int, count: int, labels: LabelList) -> Op:
    """The operation that goes on at one of the first *count* of *labels*: a 32-bit number in device memory says which.

    Numbers beyond the last one mean the last one.
    """
    index = Number(sim, address, INDEX_BYTES, False)
    last = min(count, len(labels.labels)) - 1

    def jump(task: Task, time: int) -> None:
        replay, lane = built_replay_of(task)
        label = labels.labels[min(index.read(task), last)]
        target = replay.lane_of(label.stream) if label.stream is not None else None
        if target is None:
            text = f"{label.describe()} is not set on a stream of {replay.instance.describe()}"
            raise TaskFault(ACL_ERROR_RT_MODEL_EXECUTE, text)
        replay.decided[lane] = (target, label.index)

    return Op("switch-label", sim.profile.costs.record_ns, jump, accesses=(index.access,))
