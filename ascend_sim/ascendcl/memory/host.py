"""Chapter 11-02: page-locked and registered host memory."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.device.device import device_of
from ascend_sim.ascendcl.memory.malloc import read_config
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
    ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.flags import (
    ACL_HOST_REG_IOMEMORY,
    ACL_HOST_REG_MAPPED,
    ACL_HOST_REG_PINNED,
    ACL_HOST_REG_READONLY,
)
from ascend_sim.constants.memory import (
    ACL_RT_HAC_TYPE_CCU,
    ACL_RT_HAC_TYPE_UDMA,
    ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED,
    ACL_RT_HOST_MEM_MAP_SUPPORTED,
    ACL_RT_MEM_ATTR_MODULE_ID,
    ACL_RT_MEM_ATTR_VA_FLAG,
)
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.machine.allocations import Allocation
from ascend_sim.runtime.memory.allocation import allocate_host, free, synchronize_all, tell_freed, tell_made_known
from ascend_sim.runtime.thread_state import ThreadState

REGISTER_ALIGN = 4096
_ONLY_950 = {ACL_RT_HAC_TYPE_UDMA, ACL_RT_HAC_TYPE_CCU}
_ON_ALL = {*range(ACL_RT_HAC_TYPE_CCU + 1)}
"""Engines (aclrtHacType) of the products whose host memory devices can reach."""
_FOR_DEVICES = ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY
"""Flags with which the driver maps the pages; PINNED alone is only a note of the runtime's."""


@api("aclrtMallocHost")
def malloc_host(t: ThreadState, size: int) -> int:
    """*size* bytes of page-locked host memory at a true address, 64-byte aligned.

    Codes: 100000 size 0, 107002, 207001 no room.
    """
    require(size, "size")
    return allocate_host(t, size)


@api("aclrtMallocHostWithCfg")
def malloc_host_with_cfg(t: ThreadState, size: int, cfg: Any) -> int:
    """Allocate with attributes: MODULE_ID, or VA_FLAG (registered, host and devices have one address for it).

    Codes: 100000 size 0, 107000 a cfg without a list or with another attribute, 107002, 207000 no common addresses.
    """
    require(size, "size")
    attributes: dict[int, int] = {}
    if cfg is not None:
        given = read_config(cfg)
        if given is None:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                "cfg is not NULL but its list of attributes is: pass no cfg, or one with attributes",
            )
        for attribute, value in given:
            if attribute not in (ACL_RT_MEM_ATTR_MODULE_ID, ACL_RT_MEM_ATTR_VA_FLAG):
                raise AclError(
                    ACL_ERROR_RT_PARAM_INVALID,
                    f"cfg has attribute {attribute}: MODULE_ID (1) or VA_FLAG (3) is required",
                )
            attributes[attribute] = value
    t.current_context()
    if attributes.get(ACL_RT_MEM_ATTR_VA_FLAG) and "unified_va" not in t.sim.profile.supports:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            f"{t.sim.profile.name} has no common addresses of host and device (VA_FLAG)",
            "driver",
        )
    address = allocate_host(t, size)
    if attributes.get(ACL_RT_MEM_ATTR_VA_FLAG):
        block = t.sim.memory.find(address)
        assert block is not None
        block.alias = address  # what a registration will give devices
    return address


@api("aclrtFreeHost")
def free_host(t: ThreadState, address: int) -> None:
    """Free a page-locked block at once, whoever still uses it.

    Codes: 100000 NULL; 107000 device or managed memory, freed before, or not from aclrtMallocHost.
    """
    require(address, "hostPtr")
    free(t, address, host=True)


@api("aclrtFreeHostWithDevSync")
def free_host_with_dev_sync(t: ThreadState, address: int) -> None:
    """Wait for the whole device, then free; a failure met in the wait is returned and nothing is freed.

    Codes: 100000 NULL, 107002, the failure of a task, as aclrtFreeHost.
    """
    require(address, "hostPtr")
    synchronize_all(t)
    free(t, address, host=True)


def _register(t: ThreadState, address: int, size: int, flags: int) -> Allocation:
    t.current_context()
    pinned = flags & ACL_HOST_REG_PINNED
    memory = t.sim.memory
    known = memory.registered(address, size)
    if known is not None:
        raise AclError(
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, f"{size} bytes from {address:#x} overlap {known.describe()}"
        )
    inside = memory.find(address)
    if memory.where(address) in ("device", "unallocated", "managed"):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"ptr is {memory.describe(address)}: host memory is required", "driver"
        )
    if inside is not None and pinned:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"flag has PINNED but ptr is {memory.describe(address)}, which is page-locked",
            "driver",
        )
    if inside is None and t.sim.profile.switches["host_register_pageable"] == "refused":
        text = f"ptr is {memory.describe(address)}: this driver registers page-locked memory only"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text, "driver")
    if not host_memory.readable(address, size):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{size} bytes of host memory from {address:#x} are not all mapped", "driver"
        )
    # page-locked blocks begin with a page in the driver, though here only with 64 bytes
    past = (address - (inside.address if inside is not None else 0)) % REGISTER_ALIGN
    if past:
        _tell_unaligned(t, address, past, flags)
    block: Allocation = memory.register(address, size, site=t.site, thread=t.number)
    tell_made_known(t, block)
    return block


def _tell_unaligned(t: ThreadState, address: int, past: int, flags: int) -> None:
    """The finding about an address *past* bytes into a page. Raises AclError as the switch says."""
    code = int(t.sim.profile.switches["unaligned_host_register"]) if flags & _FOR_DEVICES else 0
    t.sim.report_call(
        t, "undefined-use", "error" if code else "warning",
        f"`{t.call}` of memory that is not {REGISTER_ALIGN}-byte aligned: it begins {past} bytes into a page",
        fix=f"allocate {REGISTER_ALIGN - 1} bytes more and register from the next multiple of {REGISTER_ALIGN}, or use "
        "an anonymous mmap or aclrtMallocHost",
        code=(t.call, code) if code else None,
    )  # fmt: skip
    if code:
        text = f"ptr is {address:#x}, {past} bytes into a page: a multiple of {REGISTER_ALIGN} is required"
        raise AclError(code, text, "driver")


@api("aclrtHostRegister")
def host_register(t: ThreadState, address: int, size: int, kind: int) -> int:
    """Make host memory known to the devices; returns the address that kernels see.

    Codes: 100000 NULL or 0, 207000 another type than MAPPED 0, IOMEMORY 4, READONLY 8, or a product without it, 107002,
    507910 registered already, 107000 not mapped or no host memory, 507899 no multiple of 4096.
    """
    require(address, "ptr")
    require(size, "size")
    if kind & ~(ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY):
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"type is {kind:#x}: MAPPED (0), IOMEMORY (4) or READONLY (8) is required"
        )
    check_product(t, "aclrtHostRegister")
    return _register(t, address, size, kind | ACL_HOST_REG_MAPPED).alias


@api("aclrtHostRegisterV2")
def host_register_v2(t: ThreadState, address: int, size: int, flag: int) -> None:
    """Register with flags: MAPPED 2, IOMEMORY 4, READONLY 8, PINNED 0x10000000 (pageable memory only).

    Codes: 100000 NULL or 0, 107000 no or unknown flags, 207000, 107002, 507910 overlap, 507899 no multiple of 4096
    (PINNED alone: 0).
    """
    require(address, "ptr")
    require(size, "size")
    if not flag or flag & ~(ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED):
        text = f"flag is {flag:#x}: some of MAPPED 2, IOMEMORY 4, READONLY 8, PINNED 0x10000000 are required"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
    check_product(t, "aclrtHostRegisterV2")
    _register(t, address, size, flag)


@api("aclrtHostMemMapCapabilities")
def host_mem_map_capabilities(t: ThreadState, device_id: int, kind: int) -> int:
    """Whether an engine of the device reaches registered host memory: 1 for those that the product has, else 0.

    Codes: 107001; 107000 *hacType* beyond 9; 107002; 207000 not on this product.
    """
    check_product(t, "aclrtHostMemMapCapabilities")
    device_of(t, device_id)
    if not 0 <= kind <= ACL_RT_HAC_TYPE_CCU:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"hacType is {kind}: 0 to {ACL_RT_HAC_TYPE_CCU} are known")
    t.current_context()
    profile = t.sim.profile
    there = _ON_ALL if profile.product == "950" else _ON_ALL - _ONLY_950
    supported = "host_register" in profile.supports and kind in there
    return ACL_RT_HOST_MEM_MAP_SUPPORTED if supported else ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED


@api("aclrtHostUnregister")
def host_unregister(t: ThreadState, address: int) -> None:
    """Forget a registration. Codes: 100000 NULL, 107002, 507911 not the start of a registered range."""
    require(address, "ptr")
    check_product(t, "aclrtHostUnregister")
    t.current_context()
    block = t.sim.memory.registered(address)
    if block is None or block.address != address:
        where = f"it lies in {block.describe()}" if block is not None else "nothing is registered there"
        raise AclError(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, f"ptr is {address:#x}: {where}")
    t.sim.memory.unregister(block, t.site)
    tell_freed(t, block)


@api("aclrtHostGetDevicePointer")
def host_get_device_pointer(t: ThreadState, address: int, flag: int) -> int:
    """The address under which kernels see registered memory; copies must not use it.

    Codes: 100000 NULL or flag not 0, 107002, 107000 not registered.
    """
    require(address, "pHost")
    if flag:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"flag is {flag}: 0 is required", "acl")
    check_product(t, "aclrtHostGetDevicePointer")
    t.current_context()
    block = t.sim.memory.registered(address)
    if block is None:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"pHost is {t.sim.memory.describe(address)}: call aclrtHostRegister first"
        )
    return int(block.alias + address - block.address)
