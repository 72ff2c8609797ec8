"""Changing a task of a model from a stream: aclrtTaskUpdateAsync (docs/semantics/graphs.md#updates-from-a-stream)."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.kernel.loading import binary_of, function_in_binary
from ascend_sim.ascendcl.products import check_product
from ascend_sim.ascendcl.stream.random_numbers import STRUCT_BYTES, RandomNumbers, read_struct
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_INVALID_HANDLE,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_CAPTURED,
)
from ascend_sim.constants.execution import ACL_RT_UPDATE_AIC_AIV_TASK, ACL_RT_UPDATE_RANDOM_TASK
from ascend_sim.errors import AclError
from ascend_sim.kernels.launching.binaries import Binary
from ascend_sim.kernels.launching.launch import HostLaunch, Launch
from ascend_sim.kernels.launching.submit import Attributes, launch_op
from ascend_sim.machine import host_memory
from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.graphs.building import building_of
from ascend_sim.runtime.graphs.graph import Node
from ascend_sim.runtime.graphs.instance import RunningInstance
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Op, Task, TaskFault, task_id
from ascend_sim.runtime.thread_state import ThreadState

_INFO_BYTES, _WORD = 40, 8
_DOING = "updating a task of a model"


@api("aclrtTaskUpdateAsync")
def task_update_async(t: ThreadState, task_stream: int, task_id: int, given: Any, exec_stream: int) -> None:
    """Queue on *execStream* an update of the task *taskId* that *taskStream* recorded for its model.

    ACL_RT_UPDATE_RANDOM_TASK (1): addresses, seed and number of random numbers are read from an aclrtRandomNumTaskInfo in
    device memory. ACL_RT_UPDATE_AIC_AIV_TASK (2): the entry of another function of *binHandle*, and the number of blocks,
    8 bytes of device memory each. Both are read when the update runs, and count for executions that have not come to the
    task. Codes: 100000 NULL info; 107000 another id, NULL streams or addresses, a size that is not that of the struct, a
    stream of no model, an unknown task or one of another kind, an *execStream* that is bound to a model; 107017; 207000
    not on this product; 107027 *execStream* is captured; 107002, 107003.
    """
    require(given, "info")
    info = _read(given)
    check_product(t, "aclrtTaskUpdateAsync")
    if info.id not in (ACL_RT_UPDATE_RANDOM_TASK, ACL_RT_UPDATE_AIC_AIV_TASK):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"info->id is {info.id}: 1 or 2 is required")
    if info.id == ACL_RT_UPDATE_RANDOM_TASK:
        check_product(t, "aclrtRandomNumAsync")
    _need(task_stream, "taskStream")
    owner = t.stream(task_stream)
    if info.id == ACL_RT_UPDATE_AIC_AIV_TASK:
        _need(exec_stream, "execStream")
        attributes = info.val.aicAivTaskAttr
        _need(attributes.funcEntryAddr, "funcEntryAddr")
        _need(attributes.blockDimAddr, "blockDimAddr")
        _need(attributes.binHandle, "binHandle")
        binary = binary_of(t, attributes.binHandle)
    else:
        _need(info.val.randomTaskAttr.srcAddr, "srcAddr")
        if info.val.randomTaskAttr.size != STRUCT_BYTES:
            text = (
                f"size is {info.val.randomTaskAttr.size}: {STRUCT_BYTES}, those of aclrtRandomNumTaskInfo, are required"
            )
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
    target = t.stream(exec_stream) if exec_stream else t.current_context().default
    if building_of(target) is not None:
        text = f"{target.describe()} is bound to a model: the update must run on another stream"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
    if target.recorder is not None:
        raise AclError(ACL_ERROR_RT_STREAM_CAPTURED, f"{target.describe()} is being captured", "state")
    t.check_own(target)
    instance, node = _node_of(owner, task_id)
    action: _Update
    if info.id == ACL_RT_UPDATE_RANDOM_TASK:
        if not isinstance(node.op.action, RandomNumbers):
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"task {task_id} is a {node.op.kind}: it makes no random numbers"
            )
        action = _UpdateNumbers(t, instance, node, info.val.randomTaskAttr.srcAddr)
    else:
        if not isinstance(node.op, Launch):
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"task {task_id} is a {node.op.kind}: it launches no kernel")
        attributes = info.val.aicAivTaskAttr
        action = _UpdateLaunch(t, instance, node, binary, attributes.funcEntryAddr, attributes.blockDimAddr)
    target.submit(t, Op("task-update", t.sim.profile.costs.task_ns, action))


def _need(value: Any, what: str) -> None:
    if not value:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{what} is NULL")


def _read(given: Any) -> structs.aclrtTaskUpdateInfo:
    """An aclrtTaskUpdateInfo, or what is at its address. Raises AclError 100000."""
    if isinstance(given, structs.aclrtTaskUpdateInfo):
        return given
    raw = peek(given, _INFO_BYTES)
    if raw is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"info is {given:#x}: no struct can be read there", "acl")
    first, second, third = (int.from_bytes(raw[at : at + 8], "little") for at in (8, 16, 24))
    return structs.aclrtTaskUpdateInfo(
        int.from_bytes(raw[:4], "little"),
        structs.aclrtUpdateTaskAttrVal(
            structs.aclrtRandomTaskUpdateAttr(first, second), structs.aclrtAicAivTaskUpdateAttr(first, second, third)
        ),
    )


def _node_of(stream: Stream, wanted: int) -> tuple[RunningInstance, Node]:
    """The task with that id which *stream* recorded for its model, and the model. Raises AclError 107000."""
    building = building_of(stream)
    if building is None:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{stream.describe()} is not bound to a model (aclmdlRIBindStream does that)"
        )
    instance = building.instance
    line = instance.graph.of_stream.get(stream)
    for node in line.nodes if line is not None else ():
        if task_id(node.thread.number, node.number) == wanted:
            return instance, node
    raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{stream.describe()} has no task {wanted} (aclrtGetThreadLastTaskId)")


class _Update:
    """The action: it reads device memory when it runs, and writes the task anew."""

    def __init__(self, t: ThreadState, instance: RunningInstance, node: Node) -> None:
        self.t = t
        self.instance = instance
        self.node = node

    def _bytes(self, task: Task, address: int, nbytes: int) -> bytes:
        """Device memory, observers told. Raises TaskFault."""
        memory = self.t.sim.memory
        try:
            block = memory.check(address, nbytes, False)
        except AddressFault as fault:
            raise TaskFault(ACL_ERROR_RT_DRV_INTERNAL_ERROR, fault.text) from None
        if block is None or block.device < 0:
            text = f"{memory.describe(address)}: device memory is required for {_DOING}"
            raise TaskFault(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text)
        place = Place(self.t.sim, block, address, nbytes, False)
        true = place.reach(task)
        place.tell(task)
        return host_memory.view(true, nbytes).tobytes()

    def _write(self, op: Op) -> None:
        graph = self.instance.graph
        self.node.op = op
        graph.uses[self.node] = op.uses()
        graph.changed()


class _UpdateNumbers(_Update):
    """Of random numbers: addresses, seed and number; type and distribution stay."""

    def __init__(self, t: ThreadState, instance: RunningInstance, node: Node, address: int) -> None:
        super().__init__(t, instance, node)
        self.address = address

    def __call__(self, task: Task, time: int) -> None:
        """Read the struct and change the task."""
        new = read_struct(self._bytes(task, self.address, STRUCT_BYTES))
        old = self.node.op.action
        assert isinstance(old, RandomNumbers)
        new.dataType, new.randomNumFuncParaInfo = old.given.dataType, old.given.randomNumFuncParaInfo
        self._write(Op("random", self.node.op.cost, RandomNumbers(self.t, new)))


class _UpdateLaunch(_Update):
    """Of a kernel: the function and its blocks; the arguments stay."""

    def __init__(
        self, t: ThreadState, instance: RunningInstance, node: Node, binary: Binary, entry: int, blocks: int
    ) -> None:
        super().__init__(t, instance, node)
        self.binary = binary
        self.entry = entry
        self.blocks = blocks

    def __call__(self, task: Task, time: int) -> None:
        """Read both numbers and change the task."""
        entry, blocks = (
            int.from_bytes(self._bytes(task, address, _WORD), "little") for address in (self.entry, self.blocks)
        )
        kernel, old = self.binary.entries.get(entry), self.node.op
        if kernel is None:
            text = f"entry {entry} is not in {self.binary.name}"
            raise TaskFault(ACL_ERROR_RT_INVALID_HANDLE, text)
        assert isinstance(old, Launch)
        function = function_in_binary(self.t, self.binary, kernel, kernel.name)
        raw = old.raw if isinstance(old, HostLaunch) else None
        attributes = Attributes(1 < old.plan.least == old.plan.cores, old.plan.timeout_ns)
        new = launch_op(self.t, function, blocks, self.node.stream, attributes, raw, old.address, old.size)
        self._write(new)
