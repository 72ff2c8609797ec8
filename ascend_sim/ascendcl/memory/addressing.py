"""Chapter 11-05: one address space, managed memory."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.memory.managed import prefetch_op, read_location
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_INVALID_DEVICEID,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.flags import ACL_RT_MEM_ATTACH_GLOBAL
from ascend_sim.constants.memory import (
    ACL_MEM_LOCATION_TYPE_DEVICE,
    ACL_MEM_LOCATION_TYPE_HOST,
    ACL_MEM_LOCATION_TYPE_MANAGED,
    ACL_MEM_LOCATION_TYPE_UNREGISTERED,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.allocation import allocate_host
from ascend_sim.runtime.memory.copies import location
from ascend_sim.runtime.thread_state import ThreadState

_TYPES = {
    "host": ACL_MEM_LOCATION_TYPE_HOST,
    "device": ACL_MEM_LOCATION_TYPE_DEVICE,
    "unregistered": ACL_MEM_LOCATION_TYPE_UNREGISTERED,
    "managed": ACL_MEM_LOCATION_TYPE_MANAGED,
}
MANAGED_UNIT = 2 << 20


@api("aclrtPointerGetAttributes")
def pointer_get_attributes(t: ThreadState, address: int) -> Any:
    """Where an address lives: type, device id, page size; also for addresses inside a block. Needs no context.

    Codes: 100000 NULL, 507899 an address in a device's range that is not allocated.
    """
    from ascend_sim.ascendcl.structs import aclrtMemLocation, aclrtPtrAttributes

    require(address, "ptr")
    place = location(t, address, "ptr")
    block = t.sim.memory.find(address)
    known = block is not None and not block.freed
    page = block.page if known and block is not None else 0
    device = block.device if place == "device" and block is not None else 0
    return aclrtPtrAttributes(location=aclrtMemLocation(id=device, type=_TYPES[place]), pageSize=page)


@api("aclrtMemAllocManaged")
def mem_alloc_managed(t: ThreadState, size: int, flag: int) -> int:
    """Memory that host and devices share at one address, in units of 2 MiB; free it with aclrtFree.

    Codes: 100000 flag not ATTACH_GLOBAL (1), 107000 size 0, 207000 not on this product, 107002, 207001.
    """
    if flag != ACL_RT_MEM_ATTACH_GLOBAL:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"flag is {flag}: ATTACH_GLOBAL (1) is required", "acl")
    if not size:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "size is 0")
    check_product(t, "aclrtMemAllocManaged")
    return allocate_host(t, size, "managed", MANAGED_UNIT)


@api("aclrtMemManagedPrefetchAsync", raw=("location",))
def mem_managed_prefetch_async(t: ThreadState, address: int, size: int, location: Any, flags: int, stream: int) -> None:
    """Queue a hint that managed memory will be used elsewhere; its bytes do not change.

    Codes: 100000 NULL, 0 or flags, 207000 not on this product, 107017, 107003, 107000 no managed memory.
    """
    _range_and_flags(address, size, flags)
    check_product(t, "aclrtMemManagedPrefetchAsync")
    queue = t.submit_stream(stream)
    place = read_location(t, location) if getattr(location, "type", 1) else None  # of no known type: no place
    queue.submit(t, prefetch_op(t, [(address, size, place)]))


@api("aclrtMemP2PMap")
def mem_p2p_map(t: ThreadState, address: int, size: int, device_id: int, flags: int) -> None:
    """Let another device see a block; all memory can be seen here once peer access is enabled.

    Codes: 100000 NULL, 0 or flags, 107002, 107001 no such device, 107000 no device memory.
    """
    _range_and_flags(address, size, flags)
    check_product(t, "aclrtMemP2PMap")
    t.current_context()
    if not 0 <= device_id < len(t.sim.devices):
        raise AclError(
            ACL_ERROR_RT_INVALID_DEVICEID, f"dstDevId is {device_id}: there are {len(t.sim.devices)} devices, from 0"
        )
    if t.sim.memory.where(address) != "device":
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"devPtr is {t.sim.memory.describe(address)}: device memory is required",
            "driver",
        )


def _range_and_flags(address: int, size: int, flags: int) -> None:
    require(address, "ptr")
    require(size, "size")
    if flags:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"flags is {flags}: 0 is required", "acl")
