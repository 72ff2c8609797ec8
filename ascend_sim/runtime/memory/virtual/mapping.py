"""Reserving addresses, mapping physical memory there, and who may use it.

The codes are those of the driver, whose tests these are (docs/semantics/virtual_memory.md#codes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INVALID_HANDLE,
    ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.machine.faults import AddressFault, OutOfMemory
from ascend_sim.machine.virtual_memory import HIGH, LOW, UNIT, AddressRange, Mapping, VirtualMemory
from ascend_sim.runtime.memory.allocation import freed_badly, no_room, tell_allocated, tell_made_known
from ascend_sim.runtime.memory.virtual.handles import PhysicalHandle, driver, handle_of, hold, let_go

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = [
    "HOST", "NONE", "READ", "READ_WRITE", "access_of", "free_physical", "give_access", "malloc_physical", "map_memory",
    "release", "reserve", "retain", "unmap",
]  # fmt: skip

HOST = -1
NONE, READ, READ_WRITE = 0, 1, 3
_HALF_GIB, _GIB = 512 << 20, 1 << 30
_MOST_DEVICES = 64


def reserve(t: ThreadState, size: int, alignment: int, wanted: int) -> int:
    """Reserve addresses, from *wanted* on if that is not 0.

    Raises AclError: 107000 an alignment, or an address that does not fit the size; 107017, 207000, 207001.
    """
    if alignment:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"alignment is {alignment}: 0 is required", "driver")
    if wanted:
        _check_wanted(t, wanted, size)
    virtual = _supported(t)
    try:
        found = virtual.reserve(size, wanted, t.site, t.number)
    except OutOfMemory as full:
        raise AclError(ACL_ERROR_RT_MEMORY_ALLOCATION, f"no range for {size} bytes: {full.text}", "driver") from None
    tell_made_known(t, found)
    return found.address


def _supported(t: ThreadState) -> VirtualMemory:
    virtual = t.sim.memory.virtual_memory()
    if not virtual.supported():
        t.sim.report_call(
            t, "not-modelled", "warning",
            f"{t.call}: this system cannot show one page of memory at two addresses, which virtual memory needs",
            fix="run the program on Linux",
        )  # fmt: skip
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "virtual memory needs Linux here", "driver")
    return virtual


def _check_wanted(t: ThreadState, wanted: int, size: int) -> None:
    unit = _GIB if size > _HALF_GIB else max(UNIT, 1 << (size - 1).bit_length())
    if wanted % unit:
        text = f"expectPtr is {wanted:#x}: for {size} bytes a multiple of {unit:#x} is required"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text, "driver")
    if not LOW <= wanted < wanted + size <= HIGH:
        text = f"expectPtr is {wanted:#x}: {size} bytes from there do not lie in [{LOW:#x}, {HIGH:#x})"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text, "driver")
    if t.sim.profile.product == "950":
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "expectPtr: this product takes NULL only", "driver")


def release(t: ThreadState, address: int) -> None:
    """Give a reserved range back. Raises AclError 107000: not the start of one.

    What is still mapped there goes, too, with a finding: the manual has it unmapped first.
    """
    virtual = t.sim.memory.virtual
    found = virtual.range_at(address) if virtual is not None else None
    if virtual is None or found is None or found.address != address:
        _released_badly(t, address, found)
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{t.sim.memory.describe(address)}: not the start of a reserved range", "driver"
        )
    left = virtual.mappings(found)
    if left:
        t.sim.report(
            "undefined-use", "error", f"{t.call} releases {t.sim.names.block(found)} while memory is mapped in it",
            [Site("free", "released here", t.site, primary=True),
             *(Site("other", f"mapped here, {mapping.size} bytes", mapping.map_site) for mapping in left[:3])],
            fix="unmap all of it first: aclrtUnmapMem", time_ns=t.clock,
        )  # fmt: skip
    for mapping in left:
        _unmap(t, virtual, mapping)
    virtual.release(found, t.site)


def _released_badly(t: ThreadState, address: int, found: AddressRange | None) -> None:
    if found is not None:
        why = f"is given byte {address - found.address} of {t.sim.names.block(found)}"
        freed_badly(t, found, why, "release the address that aclrtReserveMemAddress returned")
        return
    virtual = t.sim.memory.virtual
    gone = virtual.gone.find(address) if virtual is not None else None
    if isinstance(gone, Mapping):
        gone = gone.owner if gone.owner.freed else None
    if isinstance(gone, AddressRange):
        t.sim.report(
            "double-free", "error", f"{t.call} releases {t.sim.names.one_of(gone)} a second time",
            [Site("access", "released again here", t.site, primary=True),
             Site("free", "released first here", gone.free_site),
             Site("alloc", f"{gone.size} bytes reserved here", gone.site)],
            time_ns=t.clock,
        )  # fmt: skip
        return
    freed_badly(t, None, "is given an address that was not reserved")


def malloc_physical(t: ThreadState, size: int, device: int, unit: int, properties: tuple[int, int, int, int]) -> int:
    """Physical memory of *device*, or of the host (-1), in pages of *unit*. Raises AclError 107017, 207000, 207001."""
    virtual = _supported(t)
    try:
        memory = virtual.allocate(device, size, unit, t.site, t.number)
    except OutOfMemory as full:
        pools = t.sim.process.pools
        if device >= 0 and pools is not None and pools.trim_all(t, device):
            return malloc_physical(t, size, device, unit, properties)
        raise no_room(t, device, size, full) from None
    found = PhysicalHandle(t.sim, memory, device, properties, t.site)
    tell_allocated(t, memory)
    return found.handle


def free_physical(t: ThreadState, handle: int) -> None:
    """One free of a handle; the memory goes when none is due any more and nothing shows it. Raises AclError 107000."""
    let_go(t, handle_of(t, handle))


def map_memory(t: ThreadState, address: int, size: int, offset: int, handle: int, opened: bool) -> None:
    """Show physical memory from *address* on; *opened*: its device may use it at once.

    Raises AclError: 107000 an offset, no live handle; 507899 what the range forbids.
    """
    if offset:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"offset is {offset}: 0 is required", "driver")
    found = handle_of(t, handle)
    sim = t.sim
    virtual = sim.memory.virtual_memory()
    try:
        mapping = virtual.map(address, size, found.memory, opened, t.site, t.number, found.device)
    except AddressFault as fault:
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"virPtr: {fault.text}", "driver") from None
    except OutOfMemory as full:
        raise AclError(ACL_ERROR_RT_MEMORY_ALLOCATION, full.text, "driver") from None
    mapping.handle = found
    found.mapped += 1
    for observe in sim.hooks.mapped or ():
        observe(t, mapping)


def unmap(t: ThreadState, address: int) -> None:
    """Undo a mapping, all of it. Raises AclError 507899: none begins at *address*."""
    virtual = t.sim.memory.virtual
    mapping = virtual.mapping_at(address) if virtual is not None else None
    if virtual is None or mapping is None or mapping.address != address:
        where = t.sim.memory.describe(address)
        if mapping is not None:
            where = f"byte {address - mapping.address} of {mapping.describe()}: a mapping goes as a whole"
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"virPtr is {where}: no mapping begins there", "driver")
    _unmap(t, virtual, mapping)


def _unmap(t: ThreadState, virtual: VirtualMemory, mapping: Mapping) -> None:
    for observe in t.sim.hooks.unmapped or ():
        observe(t, mapping)
    virtual.unmap(mapping, t.site)
    mapping.free_ns = t.clock
    handle: PhysicalHandle = mapping.handle
    let_go(t, handle, by_unmap=True)


def retain(t: ThreadState, address: int) -> int:
    """The handle of what is mapped from *address* on, held once more.

    Raises AclError: 107017 nothing was ever mapped in that range, 507899 no mapping begins there.
    """
    virtual = driver(t)
    mapping = virtual.mapping_at(address)
    if mapping is None or mapping.address != address:
        owner = virtual.range_at(address)
        never = owner is not None and owner.side is None
        code = ACL_ERROR_RT_INVALID_HANDLE if never else ACL_ERROR_RT_DRV_INTERNAL_ERROR
        raise AclError(code, f"virPtr is {t.sim.memory.describe(address)}: no mapping begins there", "driver")
    handle: PhysicalHandle = mapping.handle
    hold(t, handle)
    return handle.handle


# -- access ------------------------------------------------------------------------------------------------------------


def _matching(t: ThreadState, address: int, size: int) -> Mapping:
    """The mapping of exactly that range. Raises AclError 507899."""
    virtual = t.sim.memory.virtual
    mapping = virtual.mapping_at(address) if virtual is not None else None
    if mapping is None:
        where = t.sim.memory.describe(address)
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"virPtr is {where}: nothing is mapped there", "driver")
    if mapping.address != address or mapping.capacity != size:
        text = f"{size} bytes from {address:#x} are not {mapping.describe()}: address and size must be those of the map"
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text, "driver")
    return mapping


def check_place(t: ThreadState, place: int) -> int:
    """*place*, a device or HOST. Raises AclError 107000 for more than the driver knows."""
    if place >= _MOST_DEVICES:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"location.id is {place}: less than {_MOST_DEVICES}", "driver")
    return place


def give_access(t: ThreadState, address: int, size: int, wanted: list[tuple[int, int]]) -> None:
    """Give places (a device, or HOST) access to a mapping: (place, flags) each, which were looked at before.

    Raises AclError: 507899 not exactly a mapping, no such device; 207000 the host to its own memory.
    """
    for place, _ in wanted:
        mapping = _matching(t, address, size)
        own = mapping.handle.imported is None and place == mapping.device
        if own:
            t.sim.memory.virtual_memory().admit(mapping)
            continue
        if place == HOST and mapping.device == HOST:
            raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "the host cannot be given its own memory again", "driver")
        if place >= len(t.sim.devices):
            text = f"location.id is {place}: there are {len(t.sim.devices)} devices, from 0"
            raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text, "driver")
        mapping.allowed.add(place)
        t.sim.memory.virtual_memory().admit(mapping)


def access_of(t: ThreadState, address: int, place: int) -> int:
    """What *place* may do with the mapping that holds *address*. Raises AclError 507899: nothing is mapped there."""
    virtual = t.sim.memory.virtual
    mapping = virtual.mapping_at(address) if virtual is not None else None
    if mapping is None:
        where = t.sim.memory.describe(address)
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"virPtr is {where}: nothing is mapped there", "driver")
    if place == mapping.device:
        return READ_WRITE if mapping.open else NONE
    return READ_WRITE if place in mapping.allowed else NONE


def map_as(t: ThreadState, target: int, size: int, source: int) -> None:
    """Show in the range from *target* on all that is mapped in the range from *source* on. Raises AclError 507899."""
    virtual = driver(t)
    ranges = [virtual.range_at(address) for address in (target, source)]
    for address, found in zip((target, source), ranges, strict=True):
        if found is None or found.address != address or found.size != size:
            where = t.sim.memory.describe(address)
            text = f"{where}: the start of a reserved range of {size} bytes is required"
            raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text, "driver")
    assert ranges[1] is not None
    shown = virtual.mappings(ranges[1])
    if not shown:
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"nothing is mapped in {ranges[1].describe()}", "driver")
    for one in shown:
        map_memory(t, target + one.address - source, one.capacity, 0, one.handle.handle, one.open)
