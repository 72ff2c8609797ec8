"""Models: options of loading and of executing (docs/semantics/models.md#load-options)."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek, read_text
from ascend_sim.ascendcl.model.loading import load_with_queues
from ascend_sim.constants import models as C
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.models.config import (
    EXECUTION_OPTIONS,
    INT,
    OPTIONS,
    POINTER,
    WIDTH,
    WITH_MEM,
    WITH_Q,
    ConfigHandle,
    ExecConfigHandle,
)
from ascend_sim.models.loading import from_file, from_memory, load
from ascend_sim.models.registry import Bounds
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState

WEIGHT_STEP = 32


def _config(t: ThreadState, handle: int) -> ConfigHandle:
    return required(t, handle, ConfigHandle, "model config", "handle")


@api("aclmdlCreateConfigHandle")
def create_config_handle(t: ThreadState) -> int:
    """Options for aclmdlLoadWithConfig, none set."""
    made = ConfigHandle()
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclmdlDestroyConfigHandle")
def destroy_config_handle(t: ThreadState, handle: int) -> None:
    """Destroy a handle of aclmdlCreateConfigHandle. Codes: 100000 NULL."""
    t.sim.drop_handle(_config(t, handle).handle)


def _read(t: ThreadState, address: int, nbytes: int, signed: bool = False) -> int:
    raw = peek(address, nbytes, "attrValue")
    if raw is None:
        where = t.sim.memory.describe(address)
        t.sim.report_call(t, "undefined-use", "error", f"{t.call} reads a value of {nbytes} bytes from {where}")
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"attrValue is {where}: {nbytes} bytes of host memory cannot be read there", "acl"
        )
    return int.from_bytes(raw, "little", signed=signed)


@api("aclmdlSetConfigOpt")
def set_config_opt(t: ThreadState, handle: int, attribute: int, value: int, size: int) -> None:
    """Set an option; *value* is the address of it, for a path of the pointer to the text.

    Codes: 100000 NULL, unknown attribute, a size that is not the option's (4 or 8 bytes), a value outside its range.
    """
    config = _config(t, handle)
    require(value, "attrValue")
    kind = OPTIONS.get(attribute)
    if kind is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"attr is {attribute}: there is no such option", "acl")
    if size != WIDTH[kind]:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"valueSize is {size}: attribute {attribute} has {WIDTH[kind]} bytes", "acl"
        )
    found: int | str = _read(t, value, size, kind == INT)
    if kind == POINTER and found and attribute in (C.ACL_MDL_PATH_PTR, C.ACL_MDL_WEIGHT_PATH_PTR):
        text = read_text(int(found))
        if text is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"attribute {attribute}: no text can be read at {found:#x}", "acl")
        found = text
    config.set(attribute, found)


@api("aclmdlSetExternalWeightAddress")
def set_external_weight_address(t: ThreadState, handle: int, name: str | None, address: int, size: int) -> None:
    """Where the weights of file *name* lie on the device; kept, and not used. Codes: 100000 NULL, 0, not times 32."""
    config = _config(t, handle)
    require(name, "weightFileName")
    require(address, "devPtr")
    if not size or size % WEIGHT_STEP:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"size is {size}: a multiple of {WEIGHT_STEP} is required", "acl")
    assert name is not None
    config.external[name] = address, size


def load_with(t: ThreadState, handle: int) -> Bounds:
    """The memory that a config names. Raises AclError 100000."""
    values = _config(t, handle).values
    return Bounds(
        (values.get(C.ACL_MDL_WORKSPACE_ADDR_PTR, 0), values.get(C.ACL_MDL_WORKSPACE_SIZET, 0)),
        (values.get(C.ACL_MDL_WEIGHT_ADDR_PTR, 0), values.get(C.ACL_MDL_WEIGHT_SIZET, 0)),
    )


@api("aclmdlLoadWithConfig")
def load_with_config(t: ThreadState, handle: int) -> int:
    """Load as the options say; the path decides when there is memory, too.

    Codes: 100000 NULL, no model, an option of the load type is missing, a weight path with a load from a file,
    WITHOUT_GRAPH and a dynamic model; else as aclmdlLoadFromFile and aclmdlLoadFromFileWithQ.
    """
    config = _config(t, handle)
    values = config.values
    if not config.has_model():
        raise AclError(ACL_ERROR_INVALID_PARAM, "neither a path nor memory of a model is set", "acl")
    path = values.get(C.ACL_MDL_PATH_PTR)
    if path:
        data = from_file(t, path)
    else:
        data = from_memory(t, values[C.ACL_MDL_MEM_ADDR_PTR], values[C.ACL_MDL_MEM_SIZET])
    kind = config.check()
    if kind in WITH_Q:
        return load_with_queues(
            t, data, values[C.ACL_MDL_INPUTQ_ADDR_PTR], values[C.ACL_MDL_INPUTQ_NUM_SIZET],
            values[C.ACL_MDL_OUTPUTQ_ADDR_PTR], values[C.ACL_MDL_OUTPUTQ_NUM_SIZET],
        )  # fmt: skip
    given = load_with(t, handle) if kind in WITH_MEM else Bounds()
    model = load(t, data, given, bool(values.get(C.ACL_MDL_WITHOUT_GRAPH_INT32)))
    model.priority = values.get(C.ACL_MDL_PRIORITY_INT32, 0)
    model.without_graph = bool(values.get(C.ACL_MDL_WITHOUT_GRAPH_INT32))
    return model.id


# -- options of executions --------------------------------------------------------------------------------------------


def exec_config(t: ThreadState, handle: int) -> ExecConfigHandle:
    """The options of an execution. Raises AclError 100000 for NULL."""
    return required(t, handle, ExecConfigHandle, "execution config", "handle")


@api("aclmdlCreateExecConfigHandle")
def create_exec_config_handle(t: ThreadState) -> int:
    """Options for aclmdlExecuteV2: no time limits."""
    made = ExecConfigHandle()
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclmdlDestroyExecConfigHandle")
def destroy_exec_config_handle(t: ThreadState, handle: int) -> None:
    """Destroy a handle of aclmdlCreateExecConfigHandle. Codes: 100000 NULL."""
    t.sim.drop_handle(exec_config(t, handle).handle)


@api("aclmdlSetExecConfigOpt")
def set_exec_config_opt(t: ThreadState, handle: int, attribute: int, value: int, size: int) -> None:
    """Set a time limit in ms, -1 none. Codes: 100000 NULL, unknown attribute, not 4 bytes, below -1."""
    config = exec_config(t, handle)
    require(value, "attrValue")
    if attribute not in EXECUTION_OPTIONS:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"attr is {attribute}: there is no such option", "acl")
    if size != WIDTH[INT]:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"valueSize is {size}: {WIDTH[INT]} bytes are required", "acl")
    limit = _read(t, value, size, True)
    if limit < -1:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"the limit is {limit} ms: -1 (none) or more is required", "acl")
    config.values[attribute] = limit
