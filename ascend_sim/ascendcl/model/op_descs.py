"""Models: the description of the operator of a failed task."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.device.identity import put_text
from ascend_sim.constants.errors import ACL_ERROR_INTERNAL_ERROR, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.models.op_descs import find
from ascend_sim.runtime.tensors.descriptors import TensorDesc
from ascend_sim.runtime.thread_state import ThreadState

LONGEST_BUFFER = 0x7FFF_FFFF
"""The C library's safe copy refuses more."""


def _array(t: ThreadState, descs: list[TensorDesc]) -> int:
    """The handle of the first descriptor of an array."""
    for desc in descs:
        desc.handle = t.sim.new_handle(desc)
    descs[0].array = descs
    return descs[0].handle


@api("aclmdlCreateAndGetOpDesc")
def create_and_get_op_desc(
    t: ThreadState, device: int, stream: int, task: int, name: int, room: int
) -> tuple[int, int, int, int]:
    """Name (written to *name*) and tensors of the operator that a task of a static model was; ids as exceptions tell.

    The arrays belong to the caller: aclGetTensorDescByIndex reads them, aclDestroyTensorDesc on the first one frees all.
    A stand-in is one task: see ascend_sim.models.op_descs for which of its operators is named. Codes: 100000 NULL,
    *room* not larger than the name, no inputs or no outputs; 500000 *room* above 2^31 - 1; 500002 no such task, a
    dynamic model, one loaded with ACL_MDL_WITHOUT_GRAPH_INT32 or unloaded.
    """
    require(name, "opName")
    found = find(t, device, stream, task)
    if room <= len(found.name.encode()):
        text = f"opNameLen is {room}: {found.name!r} needs {len(found.name.encode()) + 1}"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    if room > LONGEST_BUFFER:
        raise AclError(ACL_ERROR_INTERNAL_ERROR, f"opNameLen is {room}: {LONGEST_BUFFER} at most", "acl")
    put_text(name, found.name, "opName")
    for what, descs in (("inputs", found.inputs), ("outputs", found.outputs)):
        if not descs:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"operator {found.name!r} has no {what}", "acl")
    return _array(t, found.inputs), len(found.inputs), _array(t, found.outputs), len(found.outputs)
