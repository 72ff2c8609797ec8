"""Chapter 11-04: virtual memory: reserved addresses, physical memory, mappings, access."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INVALID_DEVICEID,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.memory import (
    ACL_DDR_MEM_HUGE,
    ACL_DDR_MEM_NORMAL,
    ACL_DDR_MEM_P2P_HUGE,
    ACL_DDR_MEM_P2P_NORMAL,
    ACL_HBM_MEM_HUGE,
    ACL_HBM_MEM_HUGE1G,
    ACL_HBM_MEM_NORMAL,
    ACL_MEM_HANDLE_TYPE_NONE,
    ACL_MEM_HUGE,
    ACL_MEM_HUGE1G,
    ACL_MEM_LOCATION_TYPE_DEVICE,
    ACL_MEM_LOCATION_TYPE_HOST,
    ACL_MEM_LOCATION_TYPE_HOST_NUMA,
    ACL_MEM_LOCATION_TYPE_MANAGED,
    ACL_MEM_LOCATION_TYPE_UNREGISTERED,
    ACL_MEM_NORMAL,
    ACL_MEM_P2P_HUGE,
    ACL_MEM_P2P_HUGE1G,
    ACL_MEM_P2P_NORMAL,
    ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM,
    ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.host_memory import PAGE
from ascend_sim.machine.virtual_memory import UNIT
from ascend_sim.runtime.memory.virtual import mapping
from ascend_sim.runtime.memory.virtual.handles import handle_of
from ascend_sim.runtime.thread_state import ThreadState

Prop = structs.aclrtPhysicalMemProp

_HOSTS = (ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_HOST_NUMA)
_HOST_ONLY = (ACL_DDR_MEM_HUGE, ACL_DDR_MEM_NORMAL, ACL_DDR_MEM_P2P_HUGE, ACL_DDR_MEM_P2P_NORMAL)
_NORMAL = (
    ACL_HBM_MEM_NORMAL, ACL_MEM_NORMAL, ACL_MEM_P2P_NORMAL, ACL_DDR_MEM_NORMAL, ACL_DDR_MEM_P2P_NORMAL,
)  # fmt: skip
_GIANT = (ACL_HBM_MEM_HUGE1G, ACL_MEM_HUGE1G, ACL_MEM_P2P_HUGE1G)
_KNOWN = (
    *_NORMAL, *_GIANT, ACL_HBM_MEM_HUGE, ACL_MEM_HUGE, ACL_MEM_P2P_HUGE, ACL_DDR_MEM_HUGE, ACL_DDR_MEM_P2P_HUGE,
)  # fmt: skip
_TOLD: dict[bool, dict[int, int]] = {
    False: {
        ACL_MEM_NORMAL: ACL_HBM_MEM_NORMAL, ACL_MEM_HUGE: ACL_HBM_MEM_HUGE, ACL_MEM_HUGE1G: ACL_HBM_MEM_HUGE1G,
    },
    True: {
        ACL_DDR_MEM_NORMAL: ACL_MEM_NORMAL, ACL_DDR_MEM_HUGE: ACL_MEM_HUGE, ACL_DDR_MEM_P2P_HUGE: ACL_MEM_P2P_HUGE,
        ACL_MEM_P2P_NORMAL: ACL_DDR_MEM_P2P_NORMAL,
    },
}  # fmt: skip
"""Attributes that mean the same, and which of them the properties of a handle give back; for memory of the host: True."""
_PROP_BYTES, _DESC_BYTES, _PLACE_BYTES = 32, 24, 8


def _reserve(t: ThreadState, name: str, size: int, alignment: int, wanted: int, flags: int) -> int:
    require(size, "size")
    if flags not in (0, 1):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"flags is {flags}: 0 is required", "acl")
    check_product(t, name)
    return mapping.reserve(t, size, alignment, wanted)


@api("aclrtReserveMemAddress")
def reserve_mem_address(t: ThreadState, size: int, alignment: int, wanted: int, flags: int) -> int:
    """Reserve *size* bytes of addresses, in units of 2 MiB: nothing is there before memory is mapped.

    *expectPtr* 0: any; else that address, in [2**44, 1.5 * 2**44), a multiple of 1 GiB for more than 512 MiB, of the
    next power of two for less. No device need be open: torch_npu asks before it opens one. Codes: 100000 size 0 or flags,
    107000 alignment not 0 or an address that does not fit, 207001 no addresses left, or not those.
    """
    return _reserve(t, "aclrtReserveMemAddress", size, alignment, wanted, flags)


@api("aclrtReserveMemAddressNoUCMemory")
def reserve_mem_address_no_uc_memory(t: ThreadState, size: int, alignment: int, wanted: int, flags: int) -> int:
    """As aclrtReserveMemAddress, for memory that always goes through the L2 cache, which makes no difference here.

    Only at an address of the program's choice; A3 only. Codes as there, and 207000.
    """
    if size and not wanted and flags in (0, 1):
        check_product(t, "aclrtReserveMemAddressNoUCMemory")
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "expectPtr is NULL: an address is required", "driver")
    return _reserve(t, "aclrtReserveMemAddressNoUCMemory", size, alignment, wanted, flags)


@api("aclrtReleaseMemAddress")
def release_mem_address(t: ThreadState, address: int) -> None:
    """Give a reserved range back, when all of it was unmapped. Codes: 100000 NULL, 107000 not the start of one."""
    require(address, "virPtr")
    mapping.release(t, address)


def read_prop(given: Any, what: str = "prop") -> structs.aclrtPhysicalMemProp:
    """An aclrtPhysicalMemProp, or what is at its address. Raises AclError 100000."""
    if isinstance(given, Prop):
        return given
    raw = peek(given, _PROP_BYTES)
    if raw is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} is {given:#x}: no struct can be read there", "acl")
    words = [int.from_bytes(raw[i : i + 4], "little") for i in range(0, 20, 4)]
    place = structs.aclrtMemLocation(words[3], words[4])
    return Prop(words[0], words[1], words[2], place, int.from_bytes(raw[24:], "little"))


def _check_attribute(prop: structs.aclrtPhysicalMemProp) -> None:
    """Raises AclError 100000 for an attribute that the place does not have."""
    kind = prop.memAttr
    if prop.location.type == ACL_MEM_LOCATION_TYPE_DEVICE and kind in _HOST_ONLY:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"prop->memAttr is {kind}: for memory of the host only", "acl")
    if kind not in _KNOWN:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"prop->memAttr is {kind}: not one of physical memory", "acl")


def _place(t: ThreadState, prop: structs.aclrtPhysicalMemProp, granularity: bool = False) -> tuple[int, int]:
    """The device (-1: the host) and the page size that *prop* asks for. Raises AclError 107001, 107002, 207000, 107000."""
    place, number = prop.location.type, prop.location.id
    if place == ACL_MEM_LOCATION_TYPE_DEVICE and not 0 <= number < len(t.sim.devices):
        raise AclError(
            ACL_ERROR_RT_INVALID_DEVICEID,
            f"prop->location.id is {number}: there are {len(t.sim.devices)} devices, from 0",
        )
    if place == ACL_MEM_LOCATION_TYPE_HOST_NUMA and not granularity:
        t.current_context()
    giant, profile = prop.memAttr in _GIANT, t.sim.profile
    if giant and "giant_pages" not in profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{profile.name} has no pages of 1 GiB", "driver")
    if giant and place != ACL_MEM_LOCATION_TYPE_DEVICE:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "pages of 1 GiB are for devices only", "driver")
    if prop.reserve:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"prop->reserve is {prop.reserve}: 0 is required", "driver")
    if place == ACL_MEM_LOCATION_TYPE_HOST and number:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"prop->location.id is {number}: the host is 0", "driver")
    unit = profile.giant_page if giant else UNIT
    return (number if place == ACL_MEM_LOCATION_TYPE_DEVICE else -1), unit


@api("aclrtMallocPhysical")
def malloc_physical(t: ThreadState, size: int, given: Any, flags: int) -> int:
    """Physical memory: bytes without an address, in pages of 2 MiB (or 1 GiB); it takes from the free memory at once.

    Codes: 100000 NULL, size 0, flags, a handle type, an allocation type but PINNED, a location that is neither device
    nor host, an attribute that the location does not have; 107001 no such device, 107002 (NUMA), 107000 reserve not 0,
    107017 no device is open, 207000 1 GiB pages that the chip lacks, 207001 no room.
    """
    require(given, "prop")
    require(size, "size")
    if flags:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"flags is {flags}: 0 is required", "acl")
    prop = read_prop(given)
    if prop.handleType != ACL_MEM_HANDLE_TYPE_NONE:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"prop->handleType is {prop.handleType}: NONE (0) is required", "acl")
    if prop.allocationType:
        text = f"prop->allocationType is {prop.allocationType}: PINNED (0) is required"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    place = prop.location.type
    if place in (ACL_MEM_LOCATION_TYPE_UNREGISTERED, ACL_MEM_LOCATION_TYPE_MANAGED):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"prop->location.type is {place}: a device or the host", "acl")
    _check_attribute(prop)
    check_product(t, "aclrtMallocPhysical")
    device, unit = _place(t, prop)
    if device < 0 and prop.memAttr in _NORMAL and size < UNIT:
        unit = PAGE
    on_host = place in _HOSTS
    told = _TOLD[on_host].get(prop.memAttr, prop.memAttr)
    return mapping.malloc_physical(t, size, device, unit, (told, place, prop.location.id, prop.reserve))


@api("aclrtFreePhysical")
def free_physical(t: ThreadState, handle: int) -> None:
    """Give a handle back. What is mapped lives on until it is unmapped, what was retained needs as many frees.

    Codes: 100000 NULL, 107000 no live handle, or freed more often than it was handed out.
    """
    require(handle, "handle")
    mapping.free_physical(t, handle)


def _map(t: ThreadState, address: int, size: int, offset: int, handle: int, flags: int, opened: bool) -> None:
    require(address, "virPtr")
    require(handle, "handle")
    require(size, "size")
    if flags:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"flags is {flags}: 0 is required", "acl")
    mapping.map_memory(t, address, size, offset, handle, opened)


@api("aclrtMapMem")
def map_mem(t: ThreadState, address: int, size: int, offset: int, handle: int, flags: int) -> None:
    """Show the memory of *handle*, all of it, from *virPtr* on, anywhere in a reserved range; its device may use it.

    A handle can be mapped at several addresses: they are one memory. Codes: 100000 NULL, size 0, flags; 107000 offset
    not 0, no live handle; 507899 not reserved, no multiple of 2 MiB, another size than the memory's, over another
    mapping, or in a range where memory of another device was mapped before.
    """
    _map(t, address, size, offset, handle, flags, True)


@api("aclrtMemMapNoAccess")
def mem_map_no_access(t: ThreadState, address: int, size: int, offset: int, handle: int, flags: int) -> None:
    """As aclrtMapMem, but nobody may use the addresses before aclrtMemSetAccess. Codes as there."""
    _map(t, address, size, offset, handle, flags, False)


@api("aclrtUnmapMem")
def unmap_mem(t: ThreadState, address: int) -> None:
    """Undo a mapping, all of it; nobody is waited for. Codes: 100000 NULL, 507899 no mapping begins there."""
    require(address, "virPtr")
    mapping.unmap(t, address)


def _descs(given: Any, count: int) -> list[structs.aclrtMemAccessDesc]:
    """The access descriptors of an argument. Raises AclError 107000: NULL, none, or they cannot be read."""
    if given is None or not count:
        what = "desc is NULL" if given is None else "count is 0"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, what)
    if isinstance(given, structs.aclrtMemAccessDesc):
        given = [given]
    if isinstance(given, list):
        if len(given) < count:
            text = f"desc holds {len(given)} entries, {count} are announced"
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
        return given[:count]
    raw = peek(given, count * _DESC_BYTES) if count < 1 << 20 else None
    if raw is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"desc is {given:#x}: {count} entries cannot be read there")
    words = [[int.from_bytes(raw[at + i : at + i + 4], "little") for i in (0, 4, 8)] for at in range(0, len(raw), 24)]
    return [structs.aclrtMemAccessDesc(flags, structs.aclrtMemLocation(number, kind)) for flags, number, kind in words]


def _location(t: ThreadState, place: structs.aclrtMemLocation) -> int:
    """A device, or -1 for the host. Raises AclError 107000."""
    if place.type == ACL_MEM_LOCATION_TYPE_HOST:
        if place.id:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"location.id is {place.id}: the host is 0", "driver")
        return mapping.HOST
    if place.type != ACL_MEM_LOCATION_TYPE_DEVICE:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"location.type is {place.type}: HOST (0) or DEVICE (1) is required", "driver"
        )
    return mapping.check_place(t, place.id)


@api("aclrtMemSetAccess")
def mem_set_access(t: ThreadState, address: int, size: int, given: Any, count: int) -> None:
    """Give devices, or the host, access to a mapping; address and size as it was mapped.

    Codes: 107000 NULL, count 0, a flag or a location that does not exist; 207000 NONE and READ (only READWRITE can be
    given), the host to memory of the host; 507899 not exactly one mapping, no such device.
    """
    if not address:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "virPtr is NULL")
    wanted = []
    for desc in _descs(given, count):
        if desc.flags in (mapping.NONE, mapping.READ):
            raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"flags is {desc.flags}: READWRITE (3) only", "driver")
        if desc.flags != mapping.READ_WRITE:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flags is {desc.flags}: READWRITE (3) is required", "driver")
        wanted.append((_location(t, desc.location), desc.flags))
    mapping.give_access(t, address, size, wanted)


@api("aclrtMemGetAccess")
def mem_get_access(t: ThreadState, address: int, given: Any) -> int:
    """What a place may do with a mapping: 0 or READWRITE (3). Codes: 100000 NULL, 107000, 507899 nothing is mapped."""
    require(address, "virPtr")
    require(given, "location")
    place = given
    if not isinstance(given, structs.aclrtMemLocation):
        raw = peek(given, _PLACE_BYTES)
        if raw is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"location is {given:#x}: no struct can be read there", "acl")
        place = structs.aclrtMemLocation(int.from_bytes(raw[:4], "little"), int.from_bytes(raw[4:], "little"))
    return mapping.access_of(t, address, _location(t, place))


@api("aclrtMemGetAllocationGranularity")
def mem_get_allocation_granularity(t: ThreadState, given: Any, option: int) -> int:
    """What sizes of physical memory and of mappings are multiples of: 2 MiB, or 1 GiB for the HUGE1G attributes.

    The minimum for ordinary memory of the host is its page. Codes: 100000 NULL, an attribute that the location does not
    have; 107001 no such device; 207000 another option.
    """
    require(given, "prop")
    prop = read_prop(given)
    _check_attribute(prop)
    device, unit = _place(t, prop, True)
    if option not in (ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED):
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"option is {option}: MINIMUM (0), RECOMMENDED (1)", "driver")
    if device < 0 and prop.memAttr in _NORMAL and option == ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM:
        return PAGE
    return unit


@api("aclrtMemRetainAllocationHandle")
def mem_retain_allocation_handle(t: ThreadState, address: int) -> int:
    """The handle of what is mapped from *virPtr* on, held once more: it needs one more aclrtFreePhysical.

    Codes: 100000 NULL, 107017 nothing was mapped in that range yet, 507899 no mapping begins there.
    """
    require(address, "virPtr")
    return mapping.retain(t, address)


@api("aclrtMemGetAllocationPropertiesFromHandle")
def mem_get_allocation_properties_from_handle(t: ThreadState, handle: int) -> Any:
    """The properties that physical memory was made with. Codes: 100000 NULL, 107000 no live handle."""
    require(handle, "handle")
    kind, place, number, reserve = handle_of(t, handle).properties
    return Prop(memAttr=kind, location=structs.aclrtMemLocation(number, place), reserve=reserve)


@api("aclrtMemGetAddressRange")
def mem_get_address_range(t: ThreadState, address: int) -> tuple[int, int]:
    """Start and size of the block, or the mapping, that holds an address. Codes: 100000 NULL, 107000 not allocated."""
    require(address, "ptr")
    memory = t.sim.memory
    shown = memory.virtual.mapping_at(address) if memory.virtual is not None else None
    block = shown or memory.find(address)
    if block is None or block.freed or block.kind == "registered":
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"ptr is {memory.describe(address)}: nothing allocated", "driver")
    return block.address, block.capacity


@api("aclrtMemMapSelectedLink")
def mem_map_selected_link(t: ThreadState, target: int, size: int, source: int, link: int) -> None:
    """Show at the reserved range *virPtrDst* all that is mapped in the range of *virPtrSrc*, at equal offsets.

    Which link is used makes no difference here. A3 only. Codes: 100000 NULL, size 0, a link above 1; 207000; 507899 the
    two are not the starts of ranges of that size.
    """
    require(target, "virPtrDst")
    require(source, "virPtrSrc")
    require(size, "size")
    if link > 1:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"linkIdx is {link}: 0 or 1 is required", "acl")
    check_product(t, "aclrtMemMapSelectedLink")
    mapping.map_as(t, target, size, source)


@api("aclrtMemMapSetLink")
def mem_map_set_link(t: ThreadState, handle: int, link: int) -> None:
    """Advise which link mappings of a handle use: accepted, without effect here. No page.

    Codes: 100000 NULL, 107000 no live handle.
    """
    require(handle, "handle")
    handle_of(t, handle)
