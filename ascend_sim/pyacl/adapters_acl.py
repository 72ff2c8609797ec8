"""What is special about the functions of ``acl`` itself: tensor descriptors, versions, the log."""

from __future__ import annotations

from ascend_sim.findings.wording import in_pyacl
from ascend_sim.pyacl.dicts import package_version
from ascend_sim.pyacl.generate import Adapter
from ascend_sim.pyacl.lists import dims, pairs
from ascend_sim.pyacl.strings import Room

__all__ = ["ADAPTERS", "Room", "dims", "in_pyacl", "package_version", "pairs"]

# The limits of the wrappers: above 4096 they refuse before the C function is called.
_DIM_RANGE = """
if dim_range_num > 4096: return (None, 100000)
found, code = c(tensor_desc, index, dim_range_num)
return (None if code else list(found)[:dim_range_num], code)
"""

_VERSION = """
room = Room(127)
code = c(package_name, room.address)
return (room.text(), code)
"""

ADAPTERS: dict[str, Adapter] = {
    "create_tensor_desc": Adapter(before="dims_ = dims(dims_)", call="data_type, len(dims_), dims_, format_"),
    "set_tensor_storage_shape": Adapter(before="dims_ = dims(dims_)", call="tensor_desc, len(dims_), dims_"),
    "set_tensor_shape": Adapter(before="dims_ = dims(dims_)", call="tensor_desc, len(dims_), dims_"),
    "set_tensor_origin_shape": Adapter(before="dims_ = dims(dims_)", call="tensor_desc, len(dims_), dims_"),
    "set_tensor_shape_range": Adapter(before="ranges = pairs(ranges)", call="tensor_desc, len(ranges), ranges"),
    "set_tensor_value_range": Adapter(
        before='ranges = pairs(ranges, "int64_t argument is not list")', call="tensor_desc, len(ranges), ranges"
    ),
    "get_tensor_desc_dim_range": Adapter(body=_DIM_RANGE),
    # the macro ACL_APP_LOG: C function, file and line are those of the wrapper; the text is no format
    "app_log": Adapter(body='c(level, "app_log", "acl", 0, msg)'),
    "get_cann_attribute_list": Adapter(body="found, count, code = c()\nreturn (list(found or ()), count or 0, code)"),
    "get_recent_err_msg": Adapter(result="r and in_pyacl(r)"),
    "get_cann_version": Adapter(result="(package_version(r[0]), r[1])"),
    "get_version_str": Adapter(body=_VERSION),
}
