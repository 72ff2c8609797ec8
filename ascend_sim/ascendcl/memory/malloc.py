"""Chapter 11-01: allocating and freeing device memory."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers, peek
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INVALID_DEVICEID,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.flags import ACL_RT_MEM_TYPE_DEV, ACL_RT_MEM_TYPE_DVPP, ACL_RT_MEM_TYPE_RSVD
from ascend_sim.constants.memory import (
    ACL_MEM_MALLOC_NORMAL_ONLY,
    ACL_RT_MEM_ATTR_DEVICE_ID,
    ACL_RT_MEM_ATTR_MODULE_ID,
    ACL_RT_MEM_ATTR_VA_FLAG,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.allocation import GIANTS, allocate, free, memory_info, round_up, synchronize_all
from ascend_sim.runtime.thread_state import ThreadState

LARGEST = 1 << 50
_SIZE_MAX = (1 << 64) - 1
_READ_ONLY, _BANDWIDTHS = 0x100000, 0x100 | 0x1000


def _rounded(size: int, padding: int) -> int:
    """The size as the acl layer rounds it. Raises AclError 100000 for 0 and for what wraps."""
    require(size, "size")
    if size > _SIZE_MAX - 32 - padding:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"size is {size}: rounding it up leaves the 64-bit range", "acl")
    return round_up(size, padding)


def _padding(t: ThreadState, policy: int) -> int:
    return 0 if policy in GIANTS else t.sim.profile.padding_size


@api("aclrtMalloc")
def malloc(t: ThreadState, size: int, policy: int) -> int:
    """*size* bytes of device memory, 512-byte aligned, not initialised; waits for nothing.

    The size is rounded to 32 bytes, plus 32 on all products but 950 (and not for 1 GiB pages). Unknown policies act as
    HUGE_FIRST. Codes: 100000 size 0 or too large to round, 107002 no context, 207000 no 1 GiB pages, 207001 no room.
    """
    return allocate(t, size, _rounded(size, _padding(t, policy)), policy)


@api("aclrtMallocAlign32")
def malloc_align32(t: ThreadState, size: int, policy: int) -> int:
    """As aclrtMalloc, but only rounded up to a multiple of 32."""
    return allocate(t, size, _rounded(size, 0), policy)


@api("aclrtMallocCached")
def malloc_cached(t: ThreadState, size: int, policy: int) -> int:
    """Cacheable device memory. Codes as aclrtMalloc; 107000 above 2^50 bytes, 207000 for policies but NORMAL_ONLY."""
    rounded = _rounded(size, _padding(t, policy))
    t.current_context()
    if rounded > LARGEST:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"size is {size}: at most 2^50 bytes are possible")
    if policy != ACL_MEM_MALLOC_NORMAL_ONLY:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            f"policy is {policy}: cached memory has ordinary pages only (NORMAL_ONLY)",
            "driver",
        )
    return allocate(t, size, rounded, policy)


def read_config(cfg: Any) -> list[tuple[int, int]] | None:
    """The attributes of an aclrtMallocConfig (object or address of one) as (id, value); None: its list is NULL.

    Raises AclError 100000 when it announces attributes and has none.
    """
    if isinstance(cfg, int):
        head = integers(cfg, 2, "cfg")
        address, count = head
        data = peek(address, 12 * count) if address and count <= 4096 else None
        if count and data is None:
            raise AclError(
                ACL_ERROR_INVALID_PARAM, f"cfg announces {count} attributes that cannot be read at {address:#x}", "acl"
            )
        if not address:
            return None
        words = [int.from_bytes((data or b"")[i : i + 4], "little") for i in range(0, 12 * count, 4)]
        return [(words[3 * i], words[3 * i + 1]) for i in range(count)]
    listed, count = getattr(cfg, "attrs", None), getattr(cfg, "numAttrs", 0)
    if not listed:
        if count:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"cfg announces {count} attributes but its list is NULL", "acl")
        return None
    fields = {
        ACL_RT_MEM_ATTR_MODULE_ID: "moduleId",
        ACL_RT_MEM_ATTR_DEVICE_ID: "deviceId",
        ACL_RT_MEM_ATTR_VA_FLAG: "vaFlag",
    }
    return [(a.attr, getattr(a.value, fields.get(a.attr, "moduleId"))) for a in listed[:count]]


def allocate_with_config(t: ThreadState, size: int, rounded: int, policy: int, cfg: Any) -> int:
    """Device memory with the attributes of an aclrtMallocConfig. Raises AclError as aclrtMallocWithCfg says."""
    require(size, "size")
    attributes: list[tuple[int, int]] = []
    if cfg is not None:
        given = read_config(cfg)
        if given is None:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                "cfg is not NULL but its list of attributes is: pass no cfg, or one with attributes",
            )
        attributes = given
    device = t.current_context().device.index
    for attribute, _ in attributes:
        if attribute not in (0, ACL_RT_MEM_ATTR_MODULE_ID, ACL_RT_MEM_ATTR_DEVICE_ID):
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                f"cfg has attribute {attribute}: 0, MODULE_ID (1) or DEVICE_ID (2) is required",
            )
    wanted = dict(attributes).get(ACL_RT_MEM_ATTR_DEVICE_ID, device)  # the last one of a kind counts
    if wanted != device:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"cfg asks for device {wanted} but device {device} is current in {t.name}"
        )
    return allocate(t, size, rounded, policy & ~(_READ_ONLY | _BANDWIDTHS))


@api("aclrtMallocWithCfg")
def malloc_with_cfg(t: ThreadState, size: int, policy: int, cfg: Any) -> int:
    """Device memory with attributes; rounded to 32 only. *cfg* may be NULL.

    Codes: 100000 size 0 or attributes announced and absent, 107000 a cfg without a list, a wrong attribute or another
    device than the current one, 107002 (tested before the attributes), 207001.
    """
    return allocate_with_config(t, size, round_up(size), policy, cfg)


@api("aclrtMallocForTaskScheduler")
def malloc_for_task_scheduler(t: ThreadState, size: int, policy: int, cfg: Any) -> int:
    """As aclrtMallocWithCfg, for memory that the task scheduler sees. Codes as there."""
    return allocate_with_config(t, size, round_up(size), policy, cfg)


@api("aclrtFree")
def free_device(t: ThreadState, address: int) -> None:
    """Free a block at once, whoever still uses it; needs no context. Page-locked host blocks are taken, too.

    Codes: 100000 NULL; 107000 freed before, inside a block, or never allocated.
    """
    require(address, "devPtr")
    free(t, address)


@api("aclrtFreeWithDevSync")
def free_with_dev_sync(t: ThreadState, address: int) -> None:
    """Wait for the whole device, then free; a failure met in the wait is returned and nothing is freed.

    Codes: 100000 NULL, 107002, the failure of a task, as aclrtFree.
    """
    require(address, "devPtr")
    synchronize_all(t)
    free(t, address)


@api("aclrtMemFlush")
def mem_flush(t: ThreadState, address: int, size: int) -> None:
    """Write cached lines back: nothing to do here. Codes: 100000 NULL or 0, 107002, 107000 no device memory."""
    _cached_range(t, address, size)


@api("aclrtMemInvalidate")
def mem_invalidate(t: ThreadState, address: int, size: int) -> None:
    """Drop cached lines: nothing to do here. Codes: 100000 NULL or 0, 107002, 107000 no device memory."""
    _cached_range(t, address, size)


def _cached_range(t: ThreadState, address: int, size: int) -> None:
    require(address, "devPtr")
    require(size, "size")
    t.current_context()
    if t.sim.memory.where(address) not in ("device", "host"):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"devPtr is {t.sim.memory.describe(address)}: device memory is required",
            "driver",
        )


@api("aclrtGetMemInfo")
def get_mem_info(t: ThreadState, attribute: int) -> tuple[int, int]:
    """(free, total) bytes of the current device for a memory kind; (0, 0) for a kind that the chip lacks.

    Codes: 107016 no such attribute, 107002.
    """
    return memory_info(t, attribute)


@api("aclrtGetMemUsageInfo")
def get_mem_usage_info(t: ThreadState, device_id: int, wanted: int) -> tuple[list[Any], int]:
    """What components use on a device, largest first; the simulator knows one, the program itself.

    Codes: 107000 inputNum 0, 107001 no such device, 207000 not on 950.
    """
    from ascend_sim.ascendcl.structs import aclrtMemUsageInfo

    if not wanted:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "inputNum is 0: room for one entry at least is required")
    if not 0 <= device_id < len(t.sim.devices):
        raise AclError(
            ACL_ERROR_RT_INVALID_DEVICEID, f"deviceId is {device_id}: there are {len(t.sim.devices)} devices, from 0"
        )
    check_product(t, "aclrtGetMemUsageInfo")
    arena = t.sim.memory.arena(device_id)
    return [aclrtMemUsageInfo(name="APP", curMemSize=arena.used, memPeakSize=arena.peak)], 1


@api("aclrtCheckMemType")
def check_mem_type(t: ThreadState, addresses: Any, size: int, types: int, reserve: int) -> int:
    """1 when all *size* addresses are memory of the *types* (or-ed: device 2, DVPP 8, reserved 0x10), else 0.

    Codes: 107000 size 0, no or unknown types, reserve not 0; 100000 the list is NULL or shorter.
    """
    known = ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP | ACL_RT_MEM_TYPE_RSVD
    if not size or not types or types & ~known or reserve:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"size is {size}, memType {types:#x}, reserve {reserve}: above 0, some of {known:#x}, and 0 are required",
        )
    require(addresses, "addrList")
    if not types & ACL_RT_MEM_TYPE_DEV:
        return 0  # nothing here is memory for DVPP or reserved memory
    return int(all(t.sim.memory.where(a) == "device" for a in integers(addresses, size, "addrList")))
