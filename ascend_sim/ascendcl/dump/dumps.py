"""Chapter 18: dumps of models and operators, as files and to a callback (docs/semantics/dump.md)."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.queue.parameters import write_value
from ascend_sim.constants.errors import ACL_ERROR_FAILURE, ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.tools import (
    ACL_DUMP_ADDR_RAW,
    ACL_DUMP_MAX_SHAPE_NUM,
    ACL_DUMP_PLACEMENT_DEVICE,
    ACL_DUMP_TENSOR_WORKSPACE,
    AIC_ERR_BRIEF_DUMP,
    AIC_ERR_DETAIL_DUMP,
    DATA_DUMP,
    OVERFLOW_DUMP,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.dumping.session import DumpSession
from ascend_sim.runtime.memory.copies import Shape, copy_now
from ascend_sim.runtime.settings.configuration import dump_section
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.source.fence import shown

_SIDES = ("input", "output", "workspace")
MOST_PATH = 4096


@api("aclmdlInitDump")
def init_dump(t: ThreadState) -> None:
    """Begin to dump. Codes: 100001 without aclInit, 100002 called before."""
    t.sim.part(DumpSession).begin()


@api("aclmdlSetDump")
def set_dump(t: ThreadState, path: str | None) -> None:
    """Take over the ``dump`` section of a file; models that are loaded from now on follow it.

    Codes: 100001 without aclInit, 100045 without aclmdlInitDump, 100000 NULL, 100003 no file, 100006 no JSON, 100009 a
    section that is refused.
    """
    session = t.sim.part(DumpSession)
    session.check_begun()
    require(path, "dumpCfgPath")
    assert path is not None
    session.apply(t, dump_section(path))


@api("aclmdlFinalizeDump")
def finalize_dump(t: ThreadState) -> None:
    """Dump no more, models that are loaded included. Codes: 100001 without aclInit, 100045 without aclmdlInitDump."""
    t.sim.part(DumpSession).finish()


@api("acldumpRegCallback")
def reg_callback(t: ThreadState, callback: Callable[[int, int], Any] | None, flag: int) -> None:
    """Hand dumps to a callback, as the address of an acldumpChunk and its size. Codes: 500001 NULL, a flag."""
    if callback is None or flag:
        raise AclError(ACL_ERROR_FAILURE, f"messageCallback is {shown(callback)}, flag {flag}: a function and 0", "acl")
    t.sim.part(DumpSession).register(callback)


@api("acldumpUnregCallback")
def unreg_callback(t: ThreadState) -> None:
    """Dumps are files again."""
    t.sim.part(DumpSession).register(None)


def _root(t: ThreadState, exceptions: bool) -> str:
    settings = t.sim.process.dumping
    context = t.bound_context()
    device = context.device.index if context is not None else 0
    return "" if settings is None else settings.root(exceptions, device)


@api("acldumpGetPath")
def get_path(t: ThreadState, kind: int) -> str | None:
    """The directory of the dumps of a kind: 1 to 3 exceptions, 4 data, 5 overflows. NULL: none is in use."""
    if AIC_ERR_BRIEF_DUMP <= kind <= AIC_ERR_DETAIL_DUMP:
        return _root(t, True) or None
    return (_root(t, False) or None) if kind in (DATA_DUMP, OVERFLOW_DUMP) else None


def _exceptions(t: ThreadState) -> str:
    root = _root(t, True)
    if not root:
        raise AclError(ACL_ERROR_FAILURE, "the dump of exceptions is not in use (dump_scene)", "acl")
    return root


@api("acldumpGetExceptionInfoPath")
def get_exception_info_path(t: ThreadState, address: int, room: int) -> None:
    """Write the directory of exceptions of the current device. Codes: 100000 NULL, no room, 500001 not in use."""
    require(address, "path")
    if room <= 1:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"maxLen is {room}: more than 1 is required", "acl")
    write_value(address, room, os.fsencode(_exceptions(t)) + b"\0")


@api("acldumpSaveExceptionInfo")
def save_exception_info(t: ThreadState, name: str | None, tag: str | None, tensors: Any, count: int) -> None:
    """Save device tensors and a text below the directory of exceptions, as a numpy archive.

    Codes: 100000 no name, one with ``..``, no tensors, a tensor with another address type, placement or rank, without
    an address or a size; 500001 exceptions are not in use, the file cannot be written; 107000 memory that cannot be read.
    """
    require(name, "fileName")
    assert name is not None
    if ".." in name.split("/"):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"fileName is {name!r}: it must not lead out of the directory", "acl")
    require(count, "tensorCount")
    if not isinstance(tensors, list) or len(tensors) < count:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"tensors: {count} of them are required", "acl")
    root = _exceptions(t)
    for place, tensor in enumerate(tensors[:count]):
        _check(tensor, place)
    arrays = {"tag": np.frombuffer((tag or "").encode("utf-8", "replace"), np.uint8)}
    for place, tensor in enumerate(tensors[:count]):
        held = np.empty(tensor.tensorSize, np.uint8)
        copy_now(t, int(held.ctypes.data), tensor.tensorAddr, Shape(tensor.tensorSize))
        arrays[f"{_SIDES[tensor.type]}_{place}"] = held
    path = os.path.join(root, f"{name.lstrip('/')}.custom.{t.clock // 1_000_000}")
    try:
        os.makedirs(os.path.dirname(path), mode=0o750, exist_ok=True)
        with open(path, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]  # the names are ours
    except OSError as error:
        raise AclError(ACL_ERROR_FAILURE, f"{path} cannot be written: {error.strerror}", "acl") from None


def _check(tensor: Any, place: int) -> None:
    faults = {
        "shapeNum": tensor.shapeNum > ACL_DUMP_MAX_SHAPE_NUM,
        "originShapeNum": tensor.originShapeNum > ACL_DUMP_MAX_SHAPE_NUM,
        "type": not 0 <= tensor.type <= ACL_DUMP_TENSOR_WORKSPACE,
        "addrType": tensor.addrType != ACL_DUMP_ADDR_RAW,
        "placement": tensor.placement != ACL_DUMP_PLACEMENT_DEVICE,
        "tensorAddr": not tensor.tensorAddr,
        "tensorSize": not 0 < tensor.tensorSize < 1 << 40,
    }
    wrong = next((field for field, fault in faults.items() if fault), "")
    if wrong:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"tensors[{place}].{wrong} is {getattr(tensor, wrong)}: that is refused", "acl"
        )
