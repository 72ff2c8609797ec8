"""What is special about the functions of ``acl.mdl``: dims and gears as dicts, options of handles."""

from __future__ import annotations

import ctypes
from ctypes import addressof, sizeof
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.models import (
    ACL_MDL_MEM_ADDR_PTR,
    ACL_MDL_PATH_PTR,
    ACL_MDL_PRIORITY_INT32,
    ACL_MDL_WEIGHT_ADDR_PTR,
    ACL_MDL_WEIGHT_PATH_PTR,
    ACL_MDL_WORKSPACE_ADDR_PTR,
)
from ascend_sim.pyacl.callbacks import PENDING, DumpCallback
from ascend_sim.pyacl.dicts import dims_argument, dims_dict, unsigned_dims
from ascend_sim.pyacl.generate import Adapter
from ascend_sim.pyacl.letters import CONVERT
from ascend_sim.pyacl.strings import Room

if TYPE_CHECKING:
    from ascend_sim.ascendcl.structs import aclAippInfo, aclmdlBatch, aclmdlHW, aclmdlIODimsRange

__all__ = [
    "ADAPTERS", "PENDING", "DumpCallback", "Room", "addressof", "aipp_dict", "batch_dict", "dims_argument", "dims_dict",
    "hw_dict", "option", "range_dict", "sizeof", "unsigned_dims", "word",
]  # fmt: skip

_POINTERS = {ACL_MDL_MEM_ADDR_PTR, ACL_MDL_WEIGHT_ADDR_PTR, ACL_MDL_WORKSPACE_ADDR_PTR, ACL_MDL_WEIGHT_PATH_PTR}
_OPTION_TEXT = "acl.mdl.set_config_opt args parse failed!"


def option(attribute: int, value: Any) -> ctypes.c_int32 | ctypes.c_void_p | ctypes.c_uint64 | ctypes.c_char_p:
    """The C variable that holds the option: its width is what pyACL tells C, right or wrong."""
    if attribute == ACL_MDL_PRIORITY_INT32:
        return ctypes.c_int32(CONVERT["i"](value, _OPTION_TEXT))
    if attribute == ACL_MDL_PATH_PTR:
        return ctypes.c_char_p(CONVERT["s"](value, _OPTION_TEXT).encode())
    if attribute in _POINTERS:
        return ctypes.c_void_p(CONVERT["k"](value, _OPTION_TEXT))
    return ctypes.c_uint64(CONVERT["K"](value, _OPTION_TEXT))


def word(value: int) -> ctypes.c_uint32:
    """The C variable of an option of an execution."""
    return ctypes.c_uint32(value)


def batch_dict(struct: aclmdlBatch | None) -> dict[str, Any]:
    """``{batchCount, batch}``; ``{}`` when the call failed."""
    return {} if struct is None else {"batchCount": struct.batchCount, "batch": list(struct.batch[: struct.batchCount])}


def hw_dict(struct: aclmdlHW | None) -> dict[str, Any]:
    """``{hwCount, hw: [[height, width], ...]}``; ``{}`` when the call failed."""
    return {} if struct is None else {"hwCount": struct.hwCount, "hw": [list(hw) for hw in struct.hw[: struct.hwCount]]}


def range_dict(struct: aclmdlIODimsRange | None) -> dict[str, Any]:
    """``{rangeCount, range: [[low, high], ...]}``; no ranges when the call failed."""
    count = 0 if struct is None else struct.rangeCount
    return {"rangeCount": count, "range": [] if struct is None else [list(pair) for pair in struct.range[:count]]}


# Three entries of the colour matrix are missing in the dict of the real module.
_AIPP_FIELDS = """
    cscSwitch matrixR0C0 matrixR0C1 matrixR1C0 matrixR1C1 matrixR1C2 matrixR2C2 outputBias0 outputBias1 outputBias2
    inputBias0 inputBias1 inputBias2 rbuvSwapSwitch axSwapSwitch singleLineMode srcImageSizeW srcImageSizeH srcFormat
    srcDatatype srcDimNum shapeCount inputFormat aippExtend cropSwitch loadStartPosW loadStartPosH cropSizeW cropSizeH
    resizeSwitch resizeOutputW resizeOutputH paddingSwitch leftPaddingSize rightPaddingSize topPaddingSize
    bottomPaddingSize meanChn0 meanChn1 meanChn2 meanChn3 minChn0 minChn1 minChn2 minChn3 varReciChn0 varReciChn1
    varReciChn2 varReciChn3
"""


def aipp_dict(struct: aclAippInfo) -> dict[str, Any]:
    """The fields of the struct, with ``outDims`` as a list of dicts."""
    found: dict[str, Any] = {name: getattr(struct, name) for name in _AIPP_FIELDS.split()}
    found["outDims"] = [
        {
            "srcDims": dims_dict(item.srcDims),
            "srcSize": item.srcSize,
            "aippOutdims": dims_dict(item.aippOutdims),
            "aippOutSize": item.aippOutSize,
        }
        for item in struct.outDims[: struct.shapeCount]
    ]
    return found


_DIMS = Adapter(result="(dims_dict(r[0] if not r[1] else None), r[1])")

_GEARS = """
if gear_count > 4096: return (None, 100000)
found, code = c(desc, index, gear_count)
return (unsigned_dims(found, gear_count, code), code)
"""

_OP_DESC = """
if op_name_len > 4096: return ("", 0, 0, 0, 0, 100000)
room = Room(op_name_len)
found = c(device_id, stream_id, task_id, room.address, op_name_len)
return (room.text(), *(value or 0 for value in found))
"""

_DUMP = """
code = c(DumpCallback(func), flag)
PENDING.raise_in("dump_reg_callback")
return code
"""

ADAPTERS: dict[str, Adapter] = {
    "mdl.get_input_dims": _DIMS,
    "mdl.get_input_dims_v2": _DIMS,
    "mdl.get_output_dims": _DIMS,
    "mdl.get_cur_output_dims": _DIMS,
    "mdl.get_input_dims_range": Adapter(result="(range_dict(r[0] if not r[1] else None), r[1])"),
    "mdl.get_input_dynamic_dims": Adapter(body=_GEARS),
    "mdl.set_input_dynamic_dims": Adapter(call="model_id, dataset, index, dims_argument(dims_dict_)"),
    "mdl.get_dynamic_batch": Adapter(result="(batch_dict(r[0] if not r[1] else None), r[1])"),
    "mdl.get_dynamic_hw": Adapter(result="(hw_dict(r[0] if not r[1] else None), r[1])"),
    "mdl.get_first_aipp_info": Adapter(result="(None if r[1] else aipp_dict(r[0]), r[1])"),
    # a size_t that is built with "I"
    "mdl.get_aipp_data_size": Adapter(result="((r[0] or 0) & 0xFFFFFFFF, r[1])"),
    "mdl.bundle_get_model_num": Adapter(result="((r[0] or 0) & 0xFFFFFFFF, r[1])"),
    "mdl.create_and_get_op_desc": Adapter(body=_OP_DESC),
    "mdl.set_config_opt": Adapter(
        before="value = option(attr, value)", call="handle, attr, addressof(value), sizeof(value)"
    ),
    "mdl.set_exec_config_opt": Adapter(
        before="value = word(value)", call="handle, attr & 0xFFFFFFFF, addressof(value), sizeof(value)"
    ),
    "mdl.dump_reg_callback": Adapter(body=_DUMP),
}
