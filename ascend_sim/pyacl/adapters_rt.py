"""What is special about the functions of ``acl.rt``: dicts and lists, texts, callbacks, cut results."""

from __future__ import annotations

import ctypes

from ascend_sim.pyacl.callbacks import PENDING, ExceptionCallback, LaunchedCallback, allocator_callback, needs_callable
from ascend_sim.pyacl.dicts import (
    binary_options,
    kernel_config,
    malloc_config,
    physical_prop,
    place_holders,
    pointer_attributes,
    stream_attribute,
    stream_attribute_dict,
    uce_dicts,
    uce_infos,
    utilization,
    uuid,
)
from ascend_sim.pyacl.generate import Adapter
from ascend_sim.pyacl.lists import notifies, pids
from ascend_sim.pyacl.strings import Room

__all__ = [
    "ADAPTERS", "PENDING", "ExceptionCallback", "LaunchedCallback", "Room", "allocator_callback", "binary_options",
    "int32",
    "kernel_config", "malloc_config", "needs_callable", "notifies", "physical_prop", "pids", "place_holders",
    "pointer_attributes",
    "short_length", "stream_attribute", "stream_attribute_dict", "uce_dicts", "uce_infos", "utilization", "uuid",
    "words",
]  # fmt: skip


def int32(value: int) -> int:
    """What Py_BuildValue("i") makes of a wider number."""
    return ctypes.c_int32(value & 0xFFFF_FFFF).value


def short_length(size: int, text: str) -> int:
    """ValueError for a text length of 1024 and more."""
    if size >= 1024:
        raise ValueError(text)
    return size


def words(room: Room, count: int) -> list[int]:
    """The first *count* int32 numbers that were written into *room*."""
    return list((ctypes.c_int32 * count).from_address(room.address))


_EXPORT_KEY = """
room = Room(short_length({length}, "key len should be less than 1024"))
code = c({call})
return (room.text(), code)
"""

_FUNCTION_NAME = """
room = Room(short_length(max_len, "maxLen should be less than 1024"))
code = c(func_handle, max_len, room.address)
return (room.text(), code)
"""

_REGISTER_CPU_FUNC = """
if not func_name or not kernel_name: raise ValueError("argument 2 or 3 must not be empty")
"""

_LAUNCH_CALLBACK = """
needs_callable(fn)
return c(LaunchedCallback(fn, user_data_list), 0, block_type, stream)
"""

_EXCEPTION_CALLBACK = """
if fn is None: return c(None)
if not callable(fn): raise TypeError(WRONG)
return c(ExceptionCallback(fn))
"""

_PROCESS_REPORT = """
code = c(timeout_ms)
PENDING.raise_in("process_report")
return code
"""

_WAIT_NOTIFY = """
if timeout < 0: raise TypeError("timeout can't be a negative number!")
if timeout > 0xFFFFFFFF: raise TypeError("timeout should be less than 2**32!")
"""

# 256 ints of room; the length that C is told is 256, the size of the array in elements
_GROUP_DETAIL = """
room = Room(1024)
count, code = c(group_info, group_id, attr, room.address, 256)
if code or not count: raise RuntimeError("aclrtGetGroupInfoDetail failed")
return (words(room, min(count, 256)), code)
"""

_UCE_INFO = """
found, count, code = c(device_id, array_size)
return (uce_dicts(found, count), code)
"""

ADAPTERS: dict[str, Adapter] = {
    # allocators
    "rt.allocator_set_alloc_func_to_desc": Adapter(call='desc, allocator_callback("alloc", func)'),
    "rt.allocator_set_free_func_to_desc": Adapter(call='desc, allocator_callback("free", func)'),
    "rt.allocator_set_alloc_advise_func_to_desc": Adapter(call='desc, allocator_callback("advise", func)'),
    "rt.allocator_set_get_addr_from_block_func_to_desc": Adapter(call='desc, allocator_callback("get_address", func)'),
    # kernels
    "rt.binary_load_from_file": Adapter(call="bin_path, binary_options(options)"),
    "rt.binary_load_from_data": Adapter(call="data_ptr, length, binary_options(options)"),
    "rt.get_function_name": Adapter(body=_FUNCTION_NAME),
    "rt.register_cpu_func": Adapter(before=_REGISTER_CPU_FUNC),
    "rt.launch_kernel_with_config": Adapter(
        call="func_handle, num_blocks, stream, kernel_config(cfg), args_handle, reserve"
    ),
    "rt.launch_kernel_with_host_args": Adapter(
        call="func_handle, num_blocks, stream, kernel_config(cfg), host_args_ptr, host_args_size, "
        "place_holders(place_holder_list), place_holder_num"
    ),
    # memory
    "rt.malloc_with_cfg": Adapter(call="size, policy, malloc_config(cfg)"),
    "rt.malloc_for_task_scheduler": Adapter(call="size, policy, malloc_config(cfg)"),
    "rt.malloc_host_with_cfg": Adapter(call="size, malloc_config(cfg)"),
    "rt.malloc_physical": Adapter(call="size, physical_prop(prop), flags"),
    "rt.mem_get_allocation_granularity": Adapter(
        call="physical_prop(prop), option", result="r if not r[-1] else (r[0] or 0, r[1])"
    ),
    "rt.mem_set_pid_to_shareable_handle": Adapter(
        before="found = pids(pids_)", call="shareable_handle, found, len(found)"
    ),
    "rt.pointer_get_attributes": Adapter(result="(pointer_attributes(r[0] if not r[1] else None), r[1])"),
    "rt.ipc_mem_get_export_key": Adapter(
        body=_EXPORT_KEY.format(length="len_", call="dev_ptr, size, room.address, len_, flag")
    ),
    "rt.ipc_mem_set_import_pid": Adapter(before="found = pids(pids_)", call="key, found, len(found)"),
    "rt.get_mem_uce_info": Adapter(body=_UCE_INFO),
    "rt.mem_uce_repair": Adapter(before="found = uce_infos(info_list)", call="device_id, found, len(found)"),
    # devices and contexts
    "rt.get_device_utilization_rate": Adapter(result="(utilization(r[0]), r[1])"),
    "rt.get_device_info": Adapter(result="(int32(r[0] or 0), r[1])"),
    "rt.get_devices_topo": Adapter(result="((r[0] or 0) & 0xFFFFFFFF, r[1])"),
    "rt.device_get_uuid": Adapter(result="(uuid(r[0]), r[1])"),
    # the wrapper passes a null pointer for the flags
    "rt.get_primary_ctx_state": Adapter(result="(r[1] or 0, 0, r[2])"),
    "rt.query_device_status": Adapter(result="r if not r[-1] else (65535 if r[0] is None else r[0], r[1])"),
    "rt.get_group_count": Adapter(call="", result="(r[0] or 0, r[1])"),
    "rt.get_group_info_detail": Adapter(body=_GROUP_DETAIL),
    # streams, notifies, callbacks
    "rt.stream_query": Adapter(result="r if not r[-1] else (65535 if r[0] is None else r[0], r[1])"),
    "rt.set_stream_attribute": Adapter(call="stream, attr_type, stream_attribute(attr_type, value)"),
    "rt.get_stream_attribute": Adapter(result="(stream_attribute_dict(attr_type, r[0] if not r[1] else None), r[1])"),
    "rt.wait_and_reset_notify": Adapter(before=_WAIT_NOTIFY, call="notify, stream, timeout"),
    "rt.notify_batch_reset": Adapter(before="found = notifies(notifies_)", call="found, len(found)"),
    "rt.notify_get_export_key": Adapter(
        body=_EXPORT_KEY.format(length="len_", call="notify, room.address, len_, flag")
    ),
    "rt.notify_set_import_pid": Adapter(before="found = pids(pids_)", call="notify, found, len(found)"),
    "rt.launch_callback": Adapter(body=_LAUNCH_CALLBACK),
    "rt.set_exception_info_callback": Adapter(body=_EXCEPTION_CALLBACK),
    "rt.process_report": Adapter(body=_PROCESS_REPORT),
}
