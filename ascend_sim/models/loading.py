"""Loading a model from a path or from memory: the checks of each layer in their order, and their codes.

See docs/semantics/models.md#who-answers-a-load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_API_NOT_SUPPORT,
    ACL_ERROR_GE_EXEC_LOAD_TASK_PARTITION_FAILED,
    ACL_ERROR_GE_EXEC_LOAD_WEIGHT_PARTITION_FAILED,
    ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID,
    ACL_ERROR_GE_PARAM_INVALID,
    ACL_ERROR_INVALID_PARAM,
)
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.models.files import fetch, parse, routed
from ascend_sim.models.registry import Bounds, ModelRegistry, check_initialised
from ascend_sim.om import HEADER_BYTES, OmFile, OmFormatError, read_header
from ascend_sim.om.container import BUNDLE, LARGEST, ZIP
from ascend_sim.runtime.memory.allocation import tell_over_read

if TYPE_CHECKING:
    from ascend_sim.models.model import Model
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["bundle_file", "describe", "from_file", "from_memory", "load", "partitions"]


def from_file(t: ThreadState, path: str | None) -> bytes:
    """The bytes of a model file. Raises AclError 100000 (NULL), 145002, 145006."""
    if path is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "the path is NULL", "acl")
    return fetch(t, path)


def from_memory(t: ThreadState, address: int, size: int, whole_header: bool = True) -> bytes:
    """The bytes of a model in host memory.

    Raises AclError 100000 (NULL, 0, with *whole_header* less than a header), 145006 (shorter than the magic number).
    """
    if not address or not size:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"model is {address:#x} with {size} bytes", "acl")
    tell_over_read(t, address, size, "model")
    if size > LARGEST or not host_memory.readable(address, size):
        where = t.sim.memory.describe(address)
        t.sim.report_call(t, "undefined-use", "error", f"{t.call} reads a model of {size} bytes from {where}")
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"model is {where}: {size} bytes of host memory cannot be read there", "acl"
        )
    data = routed(host_memory.view(address, size).tobytes(), "the model in memory")
    if whole_header and size < HEADER_BYTES and not data.startswith(ZIP):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"modelSize is {size}: the header alone has {HEADER_BYTES}", "acl")
    return data


def _is_dynamic(data: bytes) -> bool:
    """Whether the header says so; what is no model is left to the static loader."""
    try:
        return read_header(data).is_dynamic
    except OmFormatError:
        return False


def load(t: ThreadState, data: bytes, given: Bounds, static_only: bool = False) -> Model:
    """Load the model in *data*.

    Raises AclError 145001 (static models), 145006 (content), 100000 (dynamic, *static_only*), and as the registry.
    """
    zipped = data.startswith(ZIP)
    if not zipped and not _is_dynamic(data):
        check_initialised(t)
    file = parse(t, data, "the file")
    if len(file.models) != 1 or file.header.model_type == BUNDLE:
        raise AclError(
            ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, f"the file is a bundle of {len(file.models)} models", "acl"
        )
    if static_only and file.models[0].is_dynamic:
        raise AclError(ACL_ERROR_INVALID_PARAM, "ACL_MDL_WITHOUT_GRAPH_INT32 is set, and the model is dynamic", "acl")
    return t.sim.part(ModelRegistry).load(t, file, 0, given, zipped)


def refuse_zip(data: bytes, what: str) -> None:
    """Raises AclError 200001 for an OM2 model, which has neither queues nor bundles."""
    if data.startswith(ZIP):
        raise AclError(ACL_ERROR_API_NOT_SUPPORT, f"OM2 models have no {what}", "acl")


def bundle_file(t: ThreadState, data: bytes) -> OmFile:
    """The bundle in *data*. Raises AclError 200001 (OM2), 100000 (no bundle, cut off)."""
    refuse_zip(data, "bundles")
    file = parse(t, data, "the bundle", ACL_ERROR_INVALID_PARAM)
    if file.header.model_type != BUNDLE:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"the model type is {file.header.model_type}: a bundle has {BUNDLE}", "acl"
        )
    return file


def describe(t: ThreadState, data: bytes) -> OmFile:
    """The model in *data*, which is not loaded. Raises AclError 145006."""
    file = parse(t, data, "the file")
    if len(file.models) != 1:
        raise AclError(
            ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, f"the file is a bundle of {len(file.models)} models", "acl"
        )
    return file


def partitions(t: ThreadState, data: bytes) -> tuple[int, int]:
    """Bytes of work and weight memory.

    Raises AclError 145001, 145000 (the header is wrong), 545003, 545004 (the partitions behind it are missing).
    """
    check_initialised(t)
    if data.startswith(ZIP):
        file = parse(t, data, "the file", ACL_ERROR_GE_PARAM_INVALID)
    else:
        try:
            header = read_header(data)
        except OmFormatError as error:
            raise AclError(ACL_ERROR_GE_PARAM_INVALID, str(error), "acl") from None
        if header.is_stand_in and header.length < 8:
            raise AclError(ACL_ERROR_GE_EXEC_LOAD_WEIGHT_PARTITION_FAILED, "nothing is behind the header", "acl")
        file = parse(
            t,
            data,
            "the file",
            ACL_ERROR_GE_EXEC_LOAD_TASK_PARTITION_FAILED if header.is_stand_in else ACL_ERROR_GE_PARAM_INVALID,
        )
    if len(file.models) != 1:
        raise AclError(ACL_ERROR_GE_PARAM_INVALID, f"the file is a bundle of {len(file.models)} models", "acl")
    model = file.models[0]
    return 0 if model.is_dynamic else model.work_size, model.weight_size
