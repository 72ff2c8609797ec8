"""Chapter 11-04: virtual memory (docs/semantics/virtual_memory.md)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ascend_sim import ascendcl as C
from ascend_sim.ascendcl import structs
from tests.conformance.registry import row
from tests.conformance.world import STALE, World

M = 2 << 20
GIB = 1 << 30
HOST, DEVICE, UNREGISTERED, MANAGED, NUMA = range(5)
HBM = C.ACL_HBM_MEM_HUGE
A3 = "Ascend910_9392"


def props(kind: int = HBM, place: int = DEVICE, number: int = 0, **fields: Any) -> structs.aclrtPhysicalMemProp:
    """The properties of physical memory."""
    return structs.aclrtPhysicalMemProp(memAttr=kind, location=structs.aclrtMemLocation(number, place), **fields)


def physical(w: World, size: int = M, **fields: Any) -> int:
    """Physical memory of device 0."""
    return int(w.ok("aclrtMallocPhysical", size, props(**fields), 0))


def reserved(w: World, size: int = 8 * M) -> int:
    """A reserved range."""
    return int(w.ok("aclrtReserveMemAddress", size, 0, 0, 0))


def mapped(w: World) -> tuple[int, int]:
    """A range with memory at its start: the address, and the handle."""
    address, handle = reserved(w), physical(w)
    w.ok("aclrtMapMem", address, M, 0, handle, 0)
    return address, handle


def access(flags: int, place: int = DEVICE, number: int = 0) -> list[structs.aclrtMemAccessDesc]:
    """What aclrtMemSetAccess is given."""
    return [structs.aclrtMemAccessDesc(flags, structs.aclrtMemLocation(number, place))]


@row("memory-0056")
def a_reserved_range_is_not_freed(w: World) -> None:
    address, handle = mapped(w)
    w.expect("aclrtFree", address)
    w.expect("aclrtFree", reserved(w))
    w.ok("aclrtUnmapMem", address)
    w.expect("aclrtFree", address)
    w.ok("aclrtFreePhysical", handle)
    w.ok("aclrtReleaseMemAddress", address)


@row("memory-0200")
def reserving_nothing(w: World) -> None:
    w.expect("aclrtReserveMemAddress", 0, 0, 0, 0)
    w.expect("aclrtReserveMemAddress", M, 0, 0, 2)
    w.expect("aclrtReserveMemAddress", M, 1, 0, 2)  # before the alignment
    w.ok("aclrtReserveMemAddress", M, 0, 0, 1)


@row("memory-0201")
def alignment(w: World) -> None:
    w.expect("aclrtReserveMemAddress", M, M, 0, 0)


@row("memory-0202")
def a_wanted_address_is_aligned(w: World) -> None:
    w.expect("aclrtReserveMemAddress", M, 0, (17 << 40) + 4096, 0)
    w.expect("aclrtReserveMemAddress", 4 * M, 0, (17 << 40) + M, 0)
    w.expect("aclrtReserveMemAddress", GIB, 0, (17 << 40) + GIB // 2, 0)
    w.same(w.ok("aclrtReserveMemAddress", GIB, 0, 17 << 40, 0), 17 << 40, "the address")


@row("memory-0203")
def releasing_null(w: World) -> None:
    w.expect("aclrtReleaseMemAddress", 0)


@row("memory-0204")
def releasing_what_is_no_start(w: World) -> None:
    address = reserved(w)
    for other in (address + M, address + 8 * M, STALE, w.device()):
        w.expect("aclrtReleaseMemAddress", other)
    w.ok("aclrtReleaseMemAddress", address)
    w.expect("aclrtReleaseMemAddress", address)


@row("memory-0205", faces="c")
def wrong_properties(w: World) -> None:
    w.expect("aclrtMallocPhysical", M, None, 0)
    w.expect("aclrtMallocPhysical", 0, props(), 0)
    w.expect("aclrtMallocPhysical", M, props(), 1)
    w.expect("aclrtMallocPhysical", M, props(handleType=C.ACL_MEM_HANDLE_TYPE_POSIX), 0)
    w.expect("aclrtMallocPhysical", M, props(allocationType=1), 0)
    for place in (UNREGISTERED, MANAGED):
        w.expect("aclrtMallocPhysical", M, props(place=place), 0)
    for kind in (C.ACL_DDR_MEM_HUGE, C.ACL_DDR_MEM_NORMAL, C.ACL_DDR_MEM_P2P_HUGE, C.ACL_DDR_MEM_P2P_NORMAL):
        w.expect("aclrtMallocPhysical", M, props(kind), 0)
    for kind in (C.ACL_DDR_MEM, C.ACL_HBM_MEM, C.ACL_HBM_MEM_P2P_HUGE, C.ACL_HBM_MEM_P2P_HUGE1G, 99):
        w.expect("aclrtMallocPhysical", M, props(kind), 0)
    raw = np.zeros(8, np.uint32)  # as in memory: types, attribute, id and type of the place, reserved
    raw[2], raw[4] = HBM, DEVICE
    w.ok("aclrtMallocPhysical", M, raw.ctypes.data, 0)


@row("memory-0206")
def no_such_device(w: World) -> None:
    w.expect("aclrtMallocPhysical", M, props(number=1), 0)


@row("memory-0207", limits={"memory": 8 * M})
def no_room(w: World) -> None:
    w.expect("aclrtMallocPhysical", 16 * M, props(), 0)
    handles = [physical(w) for _ in range(8)]
    w.expect("aclrtMallocPhysical", M, props(), 0)
    w.ok("aclrtFreePhysical", handles[0])
    physical(w)


@row("memory-0208")
def freeing_null(w: World) -> None:
    w.expect("aclrtFreePhysical", 0)


@row("memory-0209")
def freed_while_it_is_mapped(w: World) -> None:
    free = w.ok("aclrtGetMemInfo", C.ACL_HBM_MEM)[0]
    address, handle = mapped(w)
    w.expect("aclrtFreePhysical", handle)
    w.same(w.ok("aclrtGetMemInfo", C.ACL_HBM_MEM)[0], free - M, "free bytes while it is mapped")
    w.ok("aclrtMemset", address, M, 1, M)
    w.ok("aclrtUnmapMem", address)
    w.same(w.ok("aclrtGetMemInfo", C.ACL_HBM_MEM)[0], free, "free bytes after the unmapping")


@row("memory-0210")
def freed_too_often(w: World) -> None:
    _, handle = mapped(w)
    w.ok("aclrtFreePhysical", handle)
    w.expect("aclrtFreePhysical", handle)
    other = physical(w)
    w.ok("aclrtFreePhysical", other)
    w.expect("aclrtFreePhysical", other)


@row("memory-0211")
def mapping_nothing(w: World) -> None:
    address, handle = reserved(w), physical(w)
    w.expect("aclrtMapMem", 0, M, 0, handle, 0)
    w.expect("aclrtMapMem", address, M, 0, 0, 0)
    w.expect("aclrtMapMem", address, 0, 0, handle, 0)
    w.expect("aclrtMapMem", address, M, 0, handle, 1)
    w.expect("aclrtMapMem", address, M, M, handle, 1)  # before the offset


@row("memory-0212")
def offsets(w: World) -> None:
    w.expect("aclrtMapMem", reserved(w), M, 4096, physical(w), 0)


@row("memory-0213")
def unmapping_null(w: World) -> None:
    w.expect("aclrtUnmapMem", 0)


@row("memory-0214")
def unmapping_what_is_not_mapped(w: World) -> None:
    address, _ = mapped(w)
    for other in (address + 4096, address + M, STALE, w.device()):
        w.expect("aclrtUnmapMem", other)
    w.ok("aclrtUnmapMem", address)
    w.expect("aclrtUnmapMem", address)


@row("memory-0215")
def access_that_cannot_be_given(w: World) -> None:
    address, _ = mapped(w)
    for flags in (0, 1):
        w.expect("aclrtMemSetAccess", address, M, access(flags), 1)


@row("memory-0216")
def access_that_does_not_exist(w: World) -> None:
    address, _ = mapped(w)
    for flags in (2, 4):
        w.expect("aclrtMemSetAccess", address, M, access(flags), 1)
    for descs, count in ((None, 1), (access(3), 0), (access(3, HOST, 1), 1), (access(3, NUMA), 1)):
        w.expect("aclrtMemSetAccess", address, M, descs, count)
    w.refuse(507899, "aclrtMemSetAccess", address, 2 * M, access(3), 1)
    w.refuse(507899, "aclrtMemSetAccess", address + M, M, access(3), 1)
    w.ok("aclrtMemSetAccess", address, M, access(3), 1)
    w.same(w.ok("aclrtMemGetAccess", address, structs.aclrtMemLocation(0, DEVICE)), 3, "the access")


@row("memory-0217")
def retaining_null(w: World) -> None:
    w.expect("aclrtMemRetainAllocationHandle", 0)
    address, handle = mapped(w)
    w.same(w.ok("aclrtMemRetainAllocationHandle", address), handle, "the handle")


@row("memory-0218")
def properties_of_null(w: World) -> None:
    w.expect("aclrtMemGetAllocationPropertiesFromHandle", 0)
    found = w.ok("aclrtMemGetAllocationPropertiesFromHandle", physical(w, kind=C.ACL_MEM_HUGE))
    w.same((found.memAttr, found.location.type, found.location.id), (HBM, DEVICE, 0), "the properties")


@row("memory-0219", faces="c")
def granularity_of_nothing(w: World) -> None:
    w.expect("aclrtMemGetAllocationGranularity", None, 0)
    for kind in (C.ACL_DDR_MEM_HUGE, C.ACL_DDR_MEM_P2P_NORMAL, C.ACL_HBM_MEM, 99):
        w.expect("aclrtMemGetAllocationGranularity", props(kind), 0)


@row("memory-0220")
def granularity(w: World) -> None:
    for kind, place, option, wanted in (
        (HBM, DEVICE, 0, M),
        (C.ACL_HBM_MEM_NORMAL, DEVICE, 0, M),
        (C.ACL_HBM_MEM_HUGE1G, DEVICE, 0, GIB),
        (C.ACL_MEM_HUGE1G, DEVICE, 1, GIB),
        (C.ACL_MEM_NORMAL, HOST, 0, 4096),
        (C.ACL_MEM_NORMAL, HOST, 1, M),
        (C.ACL_MEM_HUGE, HOST, 0, M),
    ):
        found = w.expect("aclrtMemGetAllocationGranularity", props(kind, place), option)[0]
        w.same(found, wanted, f"the granularity of {kind} at {place}, option {option}")


@row("memory-0221")
def range_of_null(w: World) -> None:
    w.expect("aclrtMemGetAddressRange", 0)


@row("memory-0222")
def range_of_nothing(w: World) -> None:
    address, _ = mapped(w)
    for other in (address + M, STALE, w.host()):
        w.expect("aclrtMemGetAddressRange", other)
    w.same(w.ok("aclrtMemGetAddressRange", address + 5), (address, M), "the mapping")
    block = w.device(4096)
    w.same(w.ok("aclrtMemGetAddressRange", block + 5)[0], block, "the block")


@row("memory-0223")
def exporting_nothing(w: World) -> None:
    w.expect("aclrtMemExportToShareableHandle", 0, 0, 0)
    w.expect("aclrtMemExportToShareableHandle", physical(w), C.ACL_MEM_HANDLE_TYPE_POSIX, 0)
    handle = physical(w)
    w.ok("aclrtMemExportToShareableHandle", handle, 0, 0)
    w.refuse(507899, "aclrtMemExportToShareableHandle", handle, 0, 0)
    w.refuse(107000, "aclrtMemExportToShareableHandle", physical(w), 0, 2)


@row("memory-0224")
def importing_nothing(w: World) -> None:
    room = np.zeros(1, np.uint64)
    w.expect("aclrtMemImportFromShareableHandleV2", 0, 1, 0)
    w.expect("aclrtMemImportFromShareableHandleV2", room, 1, 1)
    w.refuse(107000, "aclrtMemImportFromShareableHandleV2", room, 3, 0)
    w.refuse(107017, "aclrtMemImportFromShareableHandleV2", room, 1, 0)


@row("memory-case-079")
def reserve_nothing(w: World) -> None:
    w.refuse(100000, "aclrtReserveMemAddress", 0, 0, 0, 0)


@row("memory-case-080")
def reserve_with_flags(w: World) -> None:
    w.refuse(100000, "aclrtReserveMemAddress", M, 0, 0, 2)


@row("memory-case-082")
def an_attribute_of_no_physical_memory(w: World) -> None:
    w.refuse(100000, "aclrtMallocPhysical", M, props(C.ACL_DDR_MEM), 0)


@row("memory-case-083")
def a_handle_type(w: World) -> None:
    w.refuse(100000, "aclrtMallocPhysical", M, props(handleType=100), 0)


@row("memory-case-085")
def unregistered_memory(w: World) -> None:
    w.refuse(100000, "aclrtMallocPhysical", M, props(place=UNREGISTERED), 0)


@row("memory-case-086")
def no_bytes(w: World) -> None:
    w.refuse(100000, "aclrtMallocPhysical", 0, props(), 0)


@row("memory-case-088")
def memory_of_the_host(w: World) -> None:
    kinds = (
        C.ACL_DDR_MEM_HUGE, C.ACL_DDR_MEM_NORMAL, C.ACL_DDR_MEM_P2P_HUGE, C.ACL_DDR_MEM_P2P_NORMAL, C.ACL_MEM_NORMAL,
        C.ACL_MEM_HUGE, C.ACL_MEM_P2P_NORMAL, C.ACL_MEM_P2P_HUGE,
    )  # fmt: skip
    for kind in kinds:
        w.ok("aclrtMallocPhysical", M, props(kind, NUMA), 0)


@row("memory-case-089")
def memory_of_the_host_on_a_device(w: World) -> None:
    w.refuse(100000, "aclrtMallocPhysical", M, props(C.ACL_DDR_MEM_NORMAL), 0)


@row("memory-case-091")
def from_reserve_to_release(w: World) -> None:
    address, handle = mapped(w)
    w.ok("aclrtUnmapMem", address)
    w.ok("aclrtReleaseMemAddress", address)
    w.ok("aclrtFreePhysical", handle)


@row("memory-case-092")
def map_no_bytes(w: World) -> None:
    w.refuse(100000, "aclrtMapMem", reserved(w), 0, 0, physical(w), 0)


@row("memory-case-104")
def granularity_of_an_unknown_attribute(w: World) -> None:
    w.refuse(100000, "aclrtMemGetAllocationGranularity", props(C.ACL_HBM_MEM_P2P_NORMAL), 0)
