"""What is special about the functions of ``acl.prof``: texts and lengths, devices, a file descriptor."""

from __future__ import annotations

import ctypes

from ascend_sim import ascendcl
from ascend_sim.pyacl.generate import Adapter
from ascend_sim.pyacl.lists import device_ids
from ascend_sim.pyacl.strings import Room

__all__ = ["ADAPTERS", "Room", "ascendcl", "descriptor", "device_ids"]

_DESCRIPTORS: list[ctypes.c_int32] = []  # a list of the real module that only grows: C keeps the addresses


def descriptor(number: int) -> int:
    """The address of a variable that holds the file descriptor *number* for good."""
    _DESCRIPTORS.append(ctypes.c_int32(number))
    return ctypes.addressof(_DESCRIPTORS[-1])


_TEXT = """
if {length} > 4096: return ("", 100000)
room = Room({length})
code = c(op_info, op_info_len, index, room.address, {length})
return (room.text(), code)
"""

# There is no C function of that name: the length is asked for, then the text.
_TEXT_V2 = """
length, code = ascendcl.aclprofGetOp{what}Len(op_info, op_info_len, index)
if code: return (None, code)
room = Room(length)
code = ascendcl.aclprofGetOp{what}(op_info, op_info_len, index, room.address, length)
return (room.text(), code)
"""

ADAPTERS: dict[str, Adapter] = {
    "prof.create_config": Adapter(
        before="device_ids_ = device_ids(device_ids_)",
        call="device_ids_, len(device_ids_), aicore_metrics, aicore_events, data_type_config",
    ),
    "prof.init": Adapter(call="result_path, len(result_path.encode())"),
    "prof.create_subscribe_config": Adapter(call="time_info_switch, aicore_metrics, descriptor(fd)"),
    "prof.get_op_type": Adapter(body=_TEXT.format(length="op_type_len")),
    "prof.get_op_name": Adapter(body=_TEXT.format(length="op_name_len")),
    "prof.get_op_type_v2": Adapter(body=_TEXT_V2.format(what="Type")),
    "prof.get_op_name_v2": Adapter(body=_TEXT_V2.format(what="Name")),
    "prof.mark_ex": Adapter(call="message, len(message.encode()), stream"),
    "prof.set_config": Adapter(call="config_type, config, len(config.encode())"),
}
