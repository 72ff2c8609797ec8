"""Chapter 15: the streams and tasks of a model, changing tasks, and printing what it holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.graph.execution import check_context, instance_of
from ascend_sim.ascendcl.kernel.launch import attributes_of
from ascend_sim.ascendcl.kernel.loading import function_of
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY,
    ACL_ERROR_RT_MODEL_UPDATE_FAILED,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.execution import (
    ACL_MODEL_RI_TASK_DEFAULT,
    ACL_MODEL_RI_TASK_EVENT_RECORD,
    ACL_MODEL_RI_TASK_EVENT_RESET,
    ACL_MODEL_RI_TASK_EVENT_WAIT,
    ACL_MODEL_RI_TASK_KERNEL,
    ACL_MODEL_RI_TASK_VALUE_WAIT,
    ACL_MODEL_RI_TASK_VALUE_WRITE,
    ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US,
)
from ascend_sim.constants.flags import ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE
from ascend_sim.errors import AclError
from ascend_sim.kernels.launching.launch import Launch
from ascend_sim.kernels.launching.submit import launch_op
from ascend_sim.runtime.event import Event
from ascend_sim.runtime.graphs.building import building_of
from ascend_sim.runtime.graphs.graph import Node
from ascend_sim.runtime.graphs.instance import READY, UPDATING, RunningInstance
from ascend_sim.runtime.memory.allocation import block_for_task
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Op
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.runtime.value_wait import NOR, WIDTH, ValueGate, ValueWrite, wait_op, write_op

TYPES = {
    "record": ACL_MODEL_RI_TASK_EVENT_RECORD, "wait": ACL_MODEL_RI_TASK_EVENT_WAIT,
    "reset": ACL_MODEL_RI_TASK_EVENT_RESET, "value-write": ACL_MODEL_RI_TASK_VALUE_WRITE,
    "value-wait": ACL_MODEL_RI_TASK_VALUE_WAIT,
}  # fmt: skip
"""By the kind of operation; kernels have kinds of their own, everything else is ACL_MODEL_RI_TASK_DEFAULT."""
NAMES = {
    ACL_MODEL_RI_TASK_DEFAULT: "DEFAULT", ACL_MODEL_RI_TASK_KERNEL: "KERNEL",
    ACL_MODEL_RI_TASK_EVENT_RECORD: "EVENT_RECORD", ACL_MODEL_RI_TASK_EVENT_WAIT: "EVENT_WAIT",
    ACL_MODEL_RI_TASK_EVENT_RESET: "EVENT_RESET", ACL_MODEL_RI_TASK_VALUE_WRITE: "VALUE_WRITE",
    ACL_MODEL_RI_TASK_VALUE_WAIT: "VALUE_WAIT",
}  # fmt: skip


def _type(node: Node) -> int:
    return (
        ACL_MODEL_RI_TASK_KERNEL if isinstance(node.op, Launch) else TYPES.get(node.op.kind, ACL_MODEL_RI_TASK_DEFAULT)
    )


def _need(value: Any, what: str) -> None:
    """Raises AclError 107000 for NULL: the runtime tests it, not the layer above."""
    if not value:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{what} is NULL")


def _listed(room: int, found: list[int], what: str) -> tuple[list[int] | None, int]:
    """An array of *room* handles for *found*; room 0 asks for their number. Raises AclError 107039 when it is small."""
    if not room:
        return None, len(found)
    if room < len(found):
        text = f"{what} is {room}: {len(found)} are there"
        raise AclError(ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY, text)
    return found + [0] * (room - len(found)), len(found)


@api("aclmdlRIGetStreams")
def ri_get_streams(t: ThreadState, model_ri: int, num_streams: int) -> tuple[list[int] | None, int]:
    """The streams of the model, newest first; *numStreams* 0: only how many.

    Codes: 107000 NULL, 107017, 207000 a sub-graph, 107002, 107004, 107039 *numStreams* is too small.
    """
    _need(model_ri, "modelRI")
    instance = instance_of(t, model_ri)
    if instance.parent is not None:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{instance.describe()} is a sub-graph", "state")
    check_context(t, instance)
    return _listed(num_streams, [line.stream.handle for line in reversed(instance.graph.lines)], "numStreams")


def _instance_with(stream: Stream) -> RunningInstance | None:
    """The model whose streams *stream* is one of: bound to it, or captured into it."""
    building = building_of(stream)
    if building is not None:
        return building.instance
    holding = [instance for instance in stream.context.instances if stream in instance.graph.of_stream]
    return holding[-1] if holding else None


@api("aclmdlRIGetTasksByStream")
def ri_get_tasks_by_stream(t: ThreadState, stream: int, num_tasks: int) -> tuple[list[int] | None, int]:
    """The tasks that a stream recorded for its model; *numTasks* 0: only how many.

    Codes: 107000 NULL, or a stream of no model; 107017, 107039.
    """
    _need(stream, "stream")
    target = t.stream(stream)
    instance = _instance_with(target)
    if instance is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{target.describe()} is not a stream of a model")
    handles = instance.task_handles
    nodes = instance.graph.of_stream[target].nodes
    for node in nodes:
        if num_tasks and node not in handles:
            handles[node] = t.sim.new_handle(node)
    return _listed(num_tasks, [handles.get(node, 0) for node in nodes], "numTasks")


def _node(t: ThreadState, task: int) -> tuple[RunningInstance, Node]:
    _need(task, "task")
    found = t.sim.handles.get(task)
    if not isinstance(found, Node):
        raise t.stale(task, "task of a model")
    owner = next(instance for instance in found.stream.context.instances if found in instance.task_handles)
    return owner, found


@api("aclmdlRITaskGetType")
def ri_task_get_type(t: ThreadState, task: int) -> int:
    """ACL_MODEL_RI_TASK_*. Codes: 107000 NULL, 107017."""
    return _type(_node(t, task)[1])


@api("aclmdlRITaskGetSeqId")
def ri_task_get_seq_id(t: ThreadState, task: int) -> int:
    """The place of the task on its stream, from 0. Codes: 107000 NULL, 107017."""
    node = _node(t, task)[1]
    return node.line.nodes.index(node)


@api("aclmdlRITaskGetParams")
def ri_task_get_params(t: ThreadState, task: int) -> structs.aclmdlRITaskParams:
    """What the task does. Codes: 107000 NULL, or a task of another type than kernels, events and values; 107017."""
    node = _node(t, task)[1]
    op, kind = node.op, _type(node)
    params = structs.aclmdlRITaskParams(type=kind)
    if isinstance(op, Launch):
        address, size = op.device_arguments()
        params.kernelTaskParams = structs.aclmdlRIKernelTaskParams(
            funcHandle=op.plan.function.handle, args=address, argsSize=size, numBlocks=op.plan.num
        )
    elif isinstance(op.action, ValueWrite):
        write = op.action
        params.valueWriteTaskParams = structs.aclmdlRIValueWriteTaskParams(write.place.address, write.value)
    elif isinstance(op.gate, ValueGate):
        gate = op.gate
        params.valueWaitTaskParams = structs.aclmdlRIValueWaitTaskParams(gate.place.address, gate.value, gate.condition)
    elif kind == ACL_MODEL_RI_TASK_DEFAULT:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"a {op.kind} has no parameters to ask for")
    else:
        event = _event(node)
        handle, flags = (event.handle, event.flags) if event is not None else (0, 0)
        if kind == ACL_MODEL_RI_TASK_EVENT_RECORD:
            params.eventRecordTaskParams = structs.aclmdlRIEventRecordTaskParams(handle, flags)
        elif kind == ACL_MODEL_RI_TASK_EVENT_WAIT:
            params.eventWaitTaskParams = structs.aclmdlRIEventWaitTaskParams(handle, flags)
        else:
            params.eventResetTaskParams = structs.aclmdlRIEventResetTaskParams(handle, flags)
    return params


def _event(node: Node) -> Event | None:
    """The event that *node* records, waits for or resets."""
    if node.event is not None:
        return node.event
    events = [thing for thing in node.stream.sim.handles.values() if isinstance(thing, Event)]
    return next((e for e in events if node.op in (e.record_op, e.reset_op) or node.op.gate is e.gate is not None), None)


def _updatable(instance: RunningInstance) -> None:
    """Raises AclError 207000 for hand-built models and sub-graphs, 107040 while it is captured or runs."""
    if not instance.captured or instance.parent is not None:
        text = f"{instance.describe()} was not captured as a whole: its tasks cannot be changed"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "state")
    if instance.capturing() or instance.running():
        what = "runs" if instance.running() else "is being captured"
        raise AclError(ACL_ERROR_RT_MODEL_UPDATE_FAILED, f"{instance.describe()} {what}: it cannot be changed now")


def _change(instance: RunningInstance, node: Node, op: Op) -> None:
    node.op = op
    instance.graph.changed()
    instance.state = UPDATING


@api("aclmdlRITaskSetParams")
def ri_task_set_params(t: ThreadState, task: int, params: structs.aclmdlRITaskParams | None) -> None:
    """Change a kernel launch, a value write or a value wait; it counts from aclmdlRIUpdate on.

    Codes: 107000 NULL, a task or a type that cannot be changed, or bad parameters; 107017, 207000, 107040.
    """
    instance, node = _node(t, task)
    _need(isinstance(params, structs.aclmdlRITaskParams), "params")
    assert params is not None
    _updatable(instance)
    make = CHANGES.get(params.type)
    if make is None or _type(node) != params.type:
        text = (
            f"params.type is {params.type}, the task is of type {_type(node)}: only kernels and values can be changed"
        )
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
    _change(instance, node, make(t, node, params))


def _kernel(t: ThreadState, node: Node, params: structs.aclmdlRITaskParams) -> Op:
    given = params.kernelTaskParams
    if params.taskGrp:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "params.taskGrp is given: NULL is required")
    function = function_of(t, given.funcHandle)
    _need(given.args, "args")
    _need(given.argsSize, "argsSize")
    attributes = attributes_of(given.cfg)
    if not given.isHostArgs:
        return launch_op(t, function, given.numBlocks, node.stream, attributes, None, given.args, given.argsSize)
    raw = peek(given.args, given.argsSize, "args")
    if raw is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"args: {given.argsSize} bytes cannot be read there")
    return launch_op(t, function, given.numBlocks, node.stream, attributes, raw)


def _write(t: ThreadState, node: Node, params: structs.aclmdlRITaskParams) -> Op:
    given = params.valueWriteTaskParams
    _need(given.devAddr, "devAddr")
    block = block_for_task(t, given.devAddr, WIDTH, "devAddr", True)
    assert block is not None
    return write_op(t.sim, block, given.devAddr, given.value)


def _wait(t: ThreadState, node: Node, params: structs.aclmdlRITaskParams) -> Op:
    given = params.valueWaitTaskParams
    _need(given.devAddr, "devAddr")
    if not 0 <= given.flag <= NOR:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flag is {given.flag}: 0 to {NOR} is required")
    block = block_for_task(t, given.devAddr, WIDTH, "devAddr", False)
    assert block is not None
    return wait_op(t.sim, block, given.devAddr, given.flag, given.value)


CHANGES: dict[int, Callable[[ThreadState, Node, structs.aclmdlRITaskParams], Op]] = {
    ACL_MODEL_RI_TASK_KERNEL: _kernel,
    ACL_MODEL_RI_TASK_VALUE_WRITE: _write,
    ACL_MODEL_RI_TASK_VALUE_WAIT: _wait,
}


def _schedule_mode(op: Launch, value: structs.aclrtLaunchKernelAttrValue) -> None:
    value.schemMode = int(1 < op.plan.least == op.plan.cores)


def _timeout(op: Launch, value: structs.aclrtLaunchKernelAttrValue) -> None:
    value.timeout = op.plan.timeout_ns // 1_000_000_000


def _timeout_us(op: Launch, value: structs.aclrtLaunchKernelAttrValue) -> None:
    microseconds = op.plan.timeout_ns // 1000
    value.timeoutUs.timeoutLow, value.timeoutUs.timeoutHigh = microseconds & 0xFFFF_FFFF, microseconds >> 32


ATTRIBUTES: dict[int, Callable[[Launch, structs.aclrtLaunchKernelAttrValue], None]] = {
    ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE: _schedule_mode,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT: _timeout,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US: _timeout_us,
}


@api("aclmdlRIKernelTaskGetAttribute")
def ri_kernel_task_get_attribute(t: ThreadState, task: int, attr_id: int) -> structs.aclrtLaunchKernelAttrValue:
    """An attribute of the launch: the schedule mode (1) or the time-out in s (7) or µs (8).

    Codes: 107000 NULL, a task that is no kernel, or another attribute; 107017.
    """
    op = _node(t, task)[1].op
    if not isinstance(op, Launch):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"a {op.kind} is no kernel launch")
    value = structs.aclrtLaunchKernelAttrValue()
    read = ATTRIBUTES.get(attr_id)
    if read is None:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"attrId is {attr_id}: {', '.join(map(str, ATTRIBUTES))} can be asked"
        )
    read(op, value)
    return value


@api("aclmdlRITaskDisable")
def ri_task_disable(t: ThreadState, task: int) -> None:
    """Let the task do nothing from aclmdlRIUpdate on.

    Codes: 107000 NULL, or a task of another type; 107017, 207000, 107040.
    """
    instance, node = _node(t, task)
    _updatable(instance)
    if _type(node) == ACL_MODEL_RI_TASK_DEFAULT:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"a {node.op.kind} cannot be disabled")
    _change(instance, node, Op("nothing", t.sim.profile.costs.record_ns))


@api("aclmdlRIUpdate")
def ri_update(t: ThreadState, model_ri: int) -> None:
    """Let changes of tasks count. Codes: 107000 NULL, 107017, 207000 a hand-built model, 107040 not possible now."""
    _need(model_ri, "modelRI")
    instance = instance_of(t, model_ri)
    if not instance.captured:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{instance.describe()} was not captured", "state")
    if instance.state is READY:
        return
    if instance.state is not UPDATING:
        raise AclError(ACL_ERROR_RT_MODEL_UPDATE_FAILED, f"{instance.describe()} is {instance.state}")
    instance.state = READY


@api("aclmdlRIDebugPrint")
def ri_debug_print(t: ThreadState, model_ri: int) -> None:
    """The real call writes the tasks to its log: nothing is seen here. Codes: 100000 NULL, 107017."""
    require(model_ri, "modelRI")
    instance_of(t, model_ri)


@api("aclmdlRIDebugJsonPrint")
def ri_debug_json_print(t: ThreadState, model_ri: int, path: str | None, flags: int) -> None:
    """Write the tasks as trace events (chrome://tracing) to a file; *flags* 1: with the arguments of kernels.

    Codes: 100000 NULL, 107017, 107000 the file cannot be written.
    """
    require(model_ri, "modelRI")
    if path is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "path is NULL", "acl")
    instance = instance_of(t, model_ri)
    events = [event for line in instance.graph.lines for event in _trace(instance, line.nodes, flags)]
    try:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(events, file, indent=1)
    except (OSError, ValueError) as error:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"path is {path!r}: {error}") from None


def _trace(instance: RunningInstance, nodes: list[Node], flags: int) -> list[dict[str, object]]:
    events: list[dict[str, object]] = []
    start = 0
    for place, node in enumerate(nodes):
        args: dict[str, object] = {
            "model id": instance.number - 1, "stream id": node.stream.stream_id, "task id": place,
            "task type": NAMES[_type(node)],
        }  # fmt: skip
        if isinstance(node.op, Launch) and flags & ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE:
            args["blocks"] = node.op.plan.num
            args["args size"] = node.op.size
        events.append({
            "name": node.op.kind, "ph": "X", "pid": "aclGraph", "tid": f"stream{node.stream.stream_id}",
            "ts": start, "dur": node.op.cost, "args": args,
        })  # fmt: skip
        start += node.op.cost
    return events
