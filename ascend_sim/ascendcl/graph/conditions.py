"""Chapter 15: conditional tasks and their sub-graphs."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.graph.capture import check_mode
from ascend_sim.ascendcl.graph.execution import check_context, instance_of
from ascend_sim.ascendcl.products import check_product
from ascend_sim.ascendcl.struct_arguments import to_struct
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_NOT_CAPTURED,
)
from ascend_sim.constants.execution import ACL_MODEL_RI_COND_TYPE_SWITCH
from ascend_sim.errors import AclError
from ascend_sim.runtime.graphs import capture
from ascend_sim.runtime.graphs.conditions import Condition, add_conditional_task, flag_means_default
from ascend_sim.runtime.thread_state import ThreadState


def _condition(t: ThreadState, handle: int) -> Condition:
    found = t.sim.handles.get(handle)
    if not isinstance(found, Condition):
        raise t.stale(handle, "condition handle")
    return found


@api("aclmdlRICondHandleCreate")
def ri_cond_handle_create(t: ThreadState, model_ri: int, default_launch_value: int, flag: int) -> int:
    """A condition of a graph that is being captured; *flag* 1: each execution sets it to *defaultLaunchValue*.

    Codes: 100000 NULL, 107017, 107000 flag, or the graph is not being captured; 207000 a hand-built model, or a product
    without conditional tasks; 107002, 107004, 207001 no room.
    """
    require(model_ri, "modelRI")
    instance = instance_of(t, model_ri)
    takes_default = flag_means_default(flag)
    if not instance.captured:
        text = f"{instance.describe()} is built by hand: conditions are for captured graphs"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "state")
    if not instance.capturing():
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{instance.describe()} is not being captured")
    check_context(t, instance)
    check_product(t, "aclmdlRICondHandleCreate")
    return Condition(t, instance, default_launch_value if takes_default else None).handle


@api("aclmdlRICondHandleGetCondPtr")
def ri_cond_handle_get_cond_ptr(t: ThreadState, handle: int) -> int:
    """The device address of the 64-bit number. Codes: 100000 NULL, 107017, 107002."""
    require(handle, "handle")
    found = _condition(t, handle)
    t.current_context()
    return found.block.address


@api("aclmdlRIAddCondTask", raw=("params",))
def ri_add_cond_task(t: ThreadState, params: Any, stream: int, flags: int) -> None:
    """Record a task that runs sub-graphs by its condition: if (1 or 2 of them), while (1), switch.

    The handles of the sub-graphs, which have to be filled by aclmdlRICaptureToModelRIBegin, are written to
    ``params.modelRIArray``. Codes: 100000 NULL stream, 107017, 107000 type, flags, size, NULL in *params*, a condition
    that has its task or is of another graph; 107002, 107003, 107029 the stream is not captured, 207000.
    """
    require(stream, "stream")
    target = t.stream(stream)
    given = params  # its array is an output
    params = to_struct(given, 0, "params", "aclmdlRICondTaskParams")
    if not isinstance(params, structs.aclmdlRICondTaskParams):
        raise AclError(ACL_ERROR_INVALID_PARAM, "params is required as a struct", "acl")
    if not 0 <= params.type <= ACL_MODEL_RI_COND_TYPE_SWITCH:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"type is {params.type}: 0 (if), 1 (while) or 2 (switch)")
    if flags:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flags is {flags}: 0 is required")
    if not params.handle:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "params.handle is NULL")
    if not params.modelRIArray:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "params.modelRIArray is NULL")
    condition = _condition(t, params.handle)
    if condition.sub_graphs:
        text = f"{condition.describe()} has its task already: create another one"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
    t.check_own(target)
    if capture.capture_of(target) is None:
        raise AclError(ACL_ERROR_RT_STREAM_NOT_CAPTURED, f"{target.describe()} is not being captured")
    check_product(t, "aclmdlRIAddCondTask")
    add_conditional_task(t, condition, params.type, params.size, target)
    given.modelRIArray[: params.size] = [sub_graph.handle for sub_graph in condition.sub_graphs]


@api("aclmdlRICaptureToModelRIBegin")
def ri_capture_to_model_ri_begin(t: ThreadState, stream: int, model_ri: int, mode: int) -> None:
    """Record what is queued on the stream from now on into a sub-graph. Codes as aclmdlRICaptureBegin.

    107000 for a model that is no sub-graph, too.
    """
    require(stream, "stream")
    require(model_ri, "modelRI")
    target, instance = t.stream(stream), instance_of(t, model_ri)
    check_mode(mode)
    capture.check_supports_capture(target)
    if instance.parent is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{instance.describe()} is not a sub-graph")
    capture.begin(t, target, mode, instance)
