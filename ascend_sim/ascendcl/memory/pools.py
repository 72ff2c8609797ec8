"""Chapter 11-10: stream-ordered memory allocation, memory pools."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.device.identity import put_bytes
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_INVALID_DEVICEID,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.memory import (
    ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH,
    ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
    ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC,
    ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.pools.foreign_frees import free_later
from ascend_sim.runtime.memory.pools.pool import MemoryPool, pool_block
from ascend_sim.runtime.memory.pools.registry import pool_registry
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.thread_state import ThreadState

PINNED, ON_DEVICE = 0, 1
SWITCHES = {
    ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES: "follow_events",
    ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC: "opportunistic",
    ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES: "internal",
}
_COUNTERS = {
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT: "reserved",
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH: "reserved_high",
    ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT: "used",
    ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH: "used_high",
}
_HIGHEST = (ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH)
_READ_ONLY = {
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT: "RESERVED_MEM_CURRENT",
    ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT: "USED_MEM_CURRENT",
}
_PROPS_BYTES = 56


def _pool(t: ThreadState, handle: int) -> MemoryPool | None:
    pool = t.sim.handles.get(handle)
    return pool if isinstance(pool, MemoryPool) else None


def _known(t: ThreadState, handle: int, code: int) -> MemoryPool:
    """The pool of *handle*. Raises AclError *code*."""
    pool = _pool(t, handle)
    if pool is None:
        was = t.sim.tombstone(handle) or "no such pool was ever created"
        raise AclError(code, f"memPool is {handle:#x}: {was}")
    return pool


def _read_props(given: Any) -> tuple[int, int, int, int, bytes]:
    """allocType, location type, device, maxSize and the reserved bytes of an aclrtMemPoolProps, or of its address."""
    if isinstance(given, structs.aclrtMemPoolProps):
        place = given.location
        return given.allocType, place.type, place.id, given.maxSize, bytes(x & 0xFF for x in given.reserved)
    raw = peek(given, _PROPS_BYTES)
    if raw is None:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"poolProps is {given:#x}: no aclrtMemPoolProps can be read there", "acl"
        )
    words = [int.from_bytes(raw[i : i + 4], "little") for i in (0, 12, 8)]
    return words[0], words[1], words[2], int.from_bytes(raw[16:24], "little"), raw[24:]


@api("aclrtMemPoolCreate")
def mem_pool_create(t: ThreadState, props: Any) -> int:
    """A pool on the device ``location.id`` with at most *maxSize* bytes, rounded up to 2 MiB; 0: all of the device.

    Codes: 100000 NULL, not PINNED, no device location, reserved bytes that are not 0; 107001 no such device; 107002;
    107000 more than the device has; 207000 products without pools. A trial feature.
    """
    require(props, "poolProps")
    alloc_type, place, device, max_size, reserved = _read_props(props)
    if alloc_type != PINNED:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"poolProps->allocType is {alloc_type}: PINNED (0) is required", "acl")
    if place != ON_DEVICE:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"poolProps->location.type is {place}: DEVICE (1) is required", "acl")
    if any(reserved):
        raise AclError(ACL_ERROR_INVALID_PARAM, "poolProps->reserved: all bytes must be 0", "acl")
    if not 0 <= device < len(t.sim.devices):
        raise AclError(
            ACL_ERROR_RT_INVALID_DEVICEID,
            f"poolProps->location.id is {device}: there are {len(t.sim.devices)} devices, from 0",
        )
    t.current_context()
    return pool_registry(t.sim).create(t, device, max_size).handle


@api("aclrtMemPoolDestroy")
def mem_pool_destroy(t: ThreadState, handle: int) -> None:
    """End a pool, whoever still uses its memory. Codes: 100000 NULL, 507000 unknown or destroyed."""
    require(handle, "memPool")
    _known(t, handle, ACL_ERROR_RT_INTERNAL_ERROR).destroy(t)


@api("aclrtMemPoolSetAttr")
def mem_pool_set_attr(t: ThreadState, handle: int, attribute: int, value: int) -> None:
    """Set an attribute from *value*, the address of 4 bytes (the three of reuse) or 8; the last one counts.

    The highest counters can only be set to 0. Codes: 100000 memPool NULL; 107000 value NULL, pool unknown, a read-only
    attribute; 507000 unknown attribute, a highest counter not 0, a threshold above the size.
    """
    require(handle, "memPool")
    if not value:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "value is NULL")
    pool = _known(t, handle, ACL_ERROR_RT_PARAM_INVALID)
    if attribute in _READ_ONLY:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"attr is {_READ_ONLY[attribute]}: it can only be asked for")
    pool.asked(t)
    if attribute in SWITCHES:
        setattr(pool, SWITCHES[attribute], int(_number(value, 4) != 0))
        return
    if attribute not in (ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, *_HIGHEST):
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"attr is {attribute}: an attribute of a memory pool is 1 to 8")
    number = _number(value, 8)
    if attribute == ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
        if number > pool.region.size:
            raise AclError(
                ACL_ERROR_RT_INTERNAL_ERROR,
                f"the threshold is {number}: {pool.describe()} has {pool.region.size} bytes",
            )
        pool.threshold = number
        return
    if number:
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"value is {number}: the highest counters can only be set to 0")
    setattr(pool.region.segments, _COUNTERS[attribute], 0)


@api("aclrtMemPoolGetAttr")
def mem_pool_get_attr(t: ThreadState, handle: int, attribute: int, value: int) -> None:
    """Write an attribute to *value*: 4 bytes for the three of reuse, else 8.

    Codes: 100000 memPool NULL, 107000 value NULL or pool unknown, 507000 unknown attribute.
    """
    require(handle, "memPool")
    if not value:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "value is NULL")
    pool = _known(t, handle, ACL_ERROR_RT_PARAM_INVALID)
    pool.asked(t)
    if attribute in SWITCHES:
        put_bytes(value, int(getattr(pool, SWITCHES[attribute])).to_bytes(4, "little"), "value")
        return
    if attribute == ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
        number = pool.threshold
    elif attribute in _COUNTERS:
        number = getattr(pool.region.segments, _COUNTERS[attribute])
    else:
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"attr is {attribute}: an attribute of a memory pool is 1 to 8")
    put_bytes(value, number.to_bytes(8, "little"), "value")


def _number(address: int, width: int) -> int:
    raw = peek(address, width)
    if raw is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"value is {address:#x}: {width} bytes cannot be read there", "acl")
    return int.from_bytes(raw, "little")


@api("aclrtMemPoolMallocAsync")
def mem_pool_malloc_async(t: ThreadState, size: int, handle: int, stream: int) -> int:
    """A block of *size* bytes, a multiple of 2 MiB in the pool, usable by what the stream runs after this.

    Its address is known at once. *size* 0 is a success that leaves *ptr* as it was (0 here). Codes: 100000 NULL (also the
    stream: no default one), 107017, 107002, 107003, 107000 a size that cannot be rounded, 507000 unknown pool, or no
    room in it.
    """
    require(handle, "memPool")
    require(stream, "stream")
    if not size:
        return 0
    target = _own_stream(t, stream)
    if size > (1 << 64) - (2 << 20):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"size is {size}: rounding it up to 2 MiB leaves the 64-bit range")
    return _known(t, handle, ACL_ERROR_RT_INTERNAL_ERROR).malloc(t, size, target)


@api("aclrtMemPoolFreeAsync")
def mem_pool_free_async(t: ThreadState, address: int, stream: int) -> None:
    """Give a block back once the stream has come here; memory of aclrtMalloc is freed then, by a host function.

    Codes: 100000 ptr NULL, 107017, 507000 stream NULL (no default one), 107002, 107003, 107000 in a pool, but no start
    of a block or given back before.
    """
    require(address, "ptr")
    if not stream:
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, "stream is NULL: the default stream cannot be meant here")
    target = _own_stream(t, stream)
    block = pool_block(t, address)
    if block is None:
        free_later(t, address, target)
    else:
        block.pool.owner.free(t, block, target)


def _own_stream(t: ThreadState, handle: int) -> Stream:
    target = t.stream(handle)
    t.check_own(target)
    return target


@api("aclrtMemPoolTrimTo")
def mem_pool_trim_to(t: ThreadState, handle: int, keep: int) -> None:
    """Give memory that nobody uses back to the device until the pool keeps *minBytesToKeep*; outranks the threshold.

    Codes: 100000 NULL, 507000 unknown pool, more than its size, less than what is in use.
    """
    require(handle, "memPool")
    _known(t, handle, ACL_ERROR_RT_INTERNAL_ERROR).trim_to(t, keep)
