"""Models: loading from files and memory, sizes, unloading (docs/semantics/models.md#who-answers-a-load)."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers, peek
from ascend_sim.ascendcl.structs import aclmdlAttrValue_t, aclmdlExeOMDesc
from ascend_sim.constants.errors import (
    ACL_ERROR_FAILURE,
    ACL_ERROR_GE_EXEC_MODEL_ID_INVALID,
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
)
from ascend_sim.errors import AclError
from ascend_sim.models.loading import from_file, from_memory, load, partitions, refuse_zip
from ascend_sim.models.model import DYNAMIC
from ascend_sim.models.queue_fed import feed
from ascend_sim.models.registry import Bounds, ModelRegistry
from ascend_sim.runtime.thread_state import ThreadState

PRIORITY = 0
LEAST_PRIORITY = 7


def _bounds(work: int, work_size: int, weight: int, weight_size: int) -> Bounds:
    return Bounds((work, work_size), (weight, weight_size))


@api("aclmdlLoadFromFile")
def load_from_file(t: ThreadState, path: str | None) -> int:
    """Load a stand-in (or what is registered for the path); returns the model's id.

    Codes: 100000 NULL, 145002 cannot be read, 145006 no model or a compiled one, 145001 no aclInit (static models),
    500002 its body cannot run here, 107002.
    """
    return load(t, from_file(t, path), Bounds()).id


@api("aclmdlLoadFromMem")
def load_from_mem(t: ThreadState, model: int, size: int) -> int:
    """Load a model from host memory. Codes: 100000 NULL, 0 or less than a header of 256 bytes; as aclmdlLoadFromFile."""
    return load(t, from_memory(t, model, size), Bounds()).id


@api("aclmdlLoadFromFileWithMem")
def load_from_file_with_mem(
    t: ThreadState, path: str | None, work: int, work_size: int, weight: int, weight_size: int
) -> int:
    """Load with work and weight memory of the caller's; NULL: the model allocates. Codes: 145000 too small."""
    return load(t, from_file(t, path), _bounds(work, work_size, weight, weight_size)).id


@api("aclmdlLoadFromMemWithMem")
def load_from_mem_with_mem(
    t: ThreadState, model: int, size: int, work: int, work_size: int, weight: int, weight_size: int
) -> int:
    """Load from host memory, with memory of the caller's or NULL. Codes: as aclmdlLoadFromMem; 145000 too small."""
    return load(t, from_memory(t, model, size), _bounds(work, work_size, weight, weight_size)).id


def load_with_queues(t: ThreadState, data: bytes, ins: Any, in_count: int, outs: Any, out_count: int) -> int:
    """Load the model in *data*, and let the queues feed it. Raises AclError as aclmdlLoadFromFileWithQ."""
    refuse_zip(data, "queues")
    numbers = []
    for what, value, count in (("inputQ", ins, in_count), ("outputQ", outs, out_count)):
        require(value, what)
        require(count, f"{what}Num")
        numbers.append(integers(value, count, what, 4))
    model = load(t, data, Bounds())
    try:
        feed(t, model, *numbers)
    except AclError:
        t.sim.part(ModelRegistry).unload(t, model)
        raise
    return model.id


@api("aclmdlLoadFromFileWithQ")
def load_from_file_with_q(t: ThreadState, path: str | None, ins: Any, in_count: int, outs: Any, out_count: int) -> int:
    """Load a model that runs by itself: a message of each input queue is an execution (docs/semantics/models.md).

    Codes: as from a file; 200001 an OM2 model, 100000 no queues, 145008 not one for each tensor, or unknown; 207000
    shapes that are not fixed, pictures.
    """
    return load_with_queues(t, from_file(t, path), ins, in_count, outs, out_count)


@api("aclmdlLoadFromMemWithQ")
def load_from_mem_with_q(
    t: ThreadState, model: int, size: int, ins: Any, in_count: int, outs: Any, out_count: int
) -> int:
    """As aclmdlLoadFromFileWithQ, from host memory. Codes as there."""
    return load_with_queues(t, from_memory(t, model, size), ins, in_count, outs, out_count)


@api("aclmdlLoadFromModel")
def load_from_model(t: ThreadState, model: int, handle: int) -> int:
    """Codes: 100000 NULL; 207000: there is nothing here that builds an aclmdlModel."""
    require(model, "model")
    t.sim.report_call(t, "not-modelled", "warning", "`aclmdlLoadFromModel` is not modelled: it does nothing here")
    raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "this function is not modelled by the simulator", "acl")


@api("aclmdlUnload")
def unload(t: ThreadState, number: int) -> None:
    """Forget a model; nothing is awaited. Codes: 100000 it belongs to a bundle, 145003 unknown or unloaded."""
    models = t.sim.part(ModelRegistry)
    model = models.loaded.get(number)
    if model is not None and model.bundle:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"{model.describe()} belongs to bundle {model.bundle}: aclmdlBundleUnload", "acl"
        )
    models.unload(t, models.get(number))


@api("aclmdlQuerySize")
def query_size(t: ThreadState, path: str | None) -> tuple[int, int]:
    """Bytes of work (0 of dynamic models) and weight memory.

    Codes: 100000 NULL, 145002, 145006 shorter than the magic number, 145001, 145000 the header, 545003, 545004.
    """
    return partitions(t, from_file(t, path))


@api("aclmdlQueryExeOMDesc")
def query_exe_om_desc(t: ThreadState, path: str | None) -> aclmdlExeOMDesc:
    """Sizes of the parts of an exeom model, which only chips of the IPV350 have. Codes: 100000 NULL; 207000."""
    require(path, "fileName")
    text = f"{t.sim.profile.name} has no exeom models: they are for the IPV350"
    raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text)


@api("aclRecoverAllHcclTasks")
def recover_all_hccl_tasks(t: ThreadState, device_id: int) -> None:
    """Recover the collective tasks of models of graph engines that compile online.

    Models of files are none of these, so it fails here, as on hardware. Codes: 500001; 107002.
    """
    current = t.current_context().device.index
    why = "no model of this process was compiled online" if current == device_id else f"the current device is {current}"
    raise AclError(ACL_ERROR_FAILURE, f"deviceId is {device_id}: {why}", "acl")


@api("aclmdlQuerySizeFromMem")
def query_size_from_mem(t: ThreadState, model: int, size: int) -> tuple[int, int]:
    """Sizes that a model in host memory needs. Codes: 100000 NULL or 0; else as aclmdlQuerySize."""
    return partitions(t, from_memory(t, model, size, whole_header=False))


# -- attributes -------------------------------------------------------------------------------------------------------


def _attribute(attribute: int) -> None:
    if attribute != PRIORITY:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"attr is {attribute}: ACL_MDL_ATTR_PRIORITY_INT32 (0) is the only one", "acl"
        )


@api("aclmdlSetAttribute")
def set_attribute(t: ThreadState, number: int, attribute: int, value: Any) -> None:
    """Codes: 100000 NULL, another attribute, a priority outside 0 to 7; 145003 unknown, or a dynamic model."""
    require(value, "attrValue")
    _attribute(attribute)
    priority = _priority(value)
    if not 0 <= priority <= LEAST_PRIORITY:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"mdlPriority is {priority}: 0 to {LEAST_PRIORITY} is required", "acl")
    model = t.sim.part(ModelRegistry).get(number)
    if model.executor == DYNAMIC:
        raise AclError(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, f"{model.describe()} is dynamic: it has no priority", "acl")
    model.priority = priority


def _priority(value: Any) -> int:
    if isinstance(value, int):
        raw = peek(value, 4)
        if raw is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"attrValue cannot be read at {value:#x}", "acl")
        return int.from_bytes(raw, "little", signed=True)
    return int(value.mdlPriority)


@api("aclmdlGetAttribute")
def get_attribute(t: ThreadState, number: int, attribute: int) -> aclmdlAttrValue_t:
    """Codes: 100000 another attribute; 145003 unknown, or a dynamic model."""
    _attribute(attribute)
    model = t.sim.part(ModelRegistry).get(number)
    if model.executor == DYNAMIC:
        raise AclError(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, f"{model.describe()} is dynamic: it has no priority", "acl")
    return aclmdlAttrValue_t(mdlPriority=model.priority)
