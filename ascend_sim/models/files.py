"""Reading model files, with the codes that the real library gives, in its order.

See docs/semantics/models.md#who-answers-a-load.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ascend_sim.constants.errors import ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID
from ascend_sim.errors import AclError
from ascend_sim.models.registry import ModelRegistry
from ascend_sim.om import OmFile, OmFormatError, read
from ascend_sim.om.container import MOST_BYTES, ZIP
from ascend_sim.untrusted.escaping import quoted
from ascend_sim.untrusted.files import TooLarge, read_file

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["MAGIC_BYTES", "fetch", "parse", "routed"]

MAGIC_BYTES: Final = 4
HOW: Final = "ascend-sim om from-onnx MODEL.onnx -o STAND_IN.om\nascend-sim run --models MODEL.om=STAND_IN.om ..."


def routed(data: bytes, what: str) -> bytes:
    """*data*, long enough to tell what it is. Raises AclError 145006."""
    if len(data) < MAGIC_BYTES:
        raise AclError(
            ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, f"{what} has {len(data)} bytes: no model begins like that", "acl"
        )
    return data


def fetch(t: ThreadState, path: str) -> bytes:
    """The bytes of the file, or of what is registered for it. Raises AclError 145002 (cannot be read), 145006."""
    source = t.sim.part(ModelRegistry).source_of(path)
    if isinstance(source, bytes):
        return routed(source, repr(path))
    name = os.fspath(source) if source is not None else path
    if name.endswith(".onnx") and source is not None:
        return _from_onnx(name)
    try:
        return routed(read_file(name, MOST_BYTES), repr(name))
    except TooLarge as error:
        raise AclError(
            ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, f"{name!r} is larger than a stand-in can be: {error}", "acl"
        ) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        why = getattr(error, "strerror", None) or error
        option = f"--models {quoted(os.path.basename(name))}=STAND_IN.om"
        hint = "" if source is not None else f"; {option} names a stand-in for it"
        raise AclError(ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID, f"{name!r} cannot be read: {why}{hint}", "acl") from None


def _from_onnx(path: str) -> bytes:
    from ascend_sim.om.container import write
    from ascend_sim.om.from_onnx import OnnxError, from_onnx

    try:
        description, blob = from_onnx(path)
    except OnnxError as error:
        raise AclError(ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID, f"{path!r}: {error}", "acl") from None
    return write(description, blob)


def parse(t: ThreadState, data: bytes, what: str, code: int = ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID) -> OmFile:
    """The stand-in in *data*. Raises AclError *code*, with a finding for a compiled model: that cannot be run."""
    try:
        if data.startswith(ZIP):
            from ascend_sim.om.zipped import read_zip

            return read_zip(data)
        return read(data)
    except OmFormatError as error:
        if error.kind == "real":
            title = f"{t.call}: {what} is a compiled model, which the simulator cannot run"
            t.sim.report_call(t, "not-modelled", "warning", title, fix=HOW, code=(t.call, code))
        raise AclError(code, f"{what}: {error}", "acl") from None
