"""Chapters 11-02, 11-05 and 04: host memory, where memory lives, peers.

See docs/semantics/memory.md#where-memory-lives.
"""

from __future__ import annotations

from ascend_sim.ascendcl import structs
from tests.conformance.registry import row, rows
from tests.conformance.rows_memory_malloc import config, no_list
from tests.conformance.world import D2H, H2D, STALE, World

HOST, DEVICE, UNREGISTERED, MANAGED = range(4)
PINNED = 0x1000_0000
MIB = 1 << 20


@rows(
    ("memory-0065", "aclrtMallocHost"),
    ("memory-0069", "aclrtMallocHostWithCfg"),
    ("memory-case-016", "aclrtMallocHost"),
    bare=True,
)
def no_size(w: World, name: str) -> None:
    w.refuse(100000, name, 0, *([None] if name.endswith("Cfg") else []))


@row("memory-0066", bare=True)
def no_context(w: World) -> None:
    w.expect("aclrtMallocHost", 64)


@row("memory-0067", limits={"host_memory": MIB})
def out_of_host_memory(w: World) -> None:
    w.expect("aclrtMallocHost", 2 * MIB)
    first = w.ok("aclrtMallocHost", MIB // 2)
    w.expect("aclrtMallocHost", MIB // 2 + 64)
    w.ok("aclrtFreeHost", first)
    w.ok("aclrtMallocHost", MIB // 2 + 64)


@row("memory-0068", limits={"host_memory": 128})
def page_locked(w: World) -> None:
    (address,) = w.expect("aclrtMallocHost", 33)  # takes 64
    w.same(w.ok("aclrtPointerGetAttributes", address).location.type, HOST, "the place")
    w.expect("aclrtMallocHost", 64)
    w.refuse(207001, "aclrtMallocHost", 1)
    w.ok("aclrtMemcpyAsync", w.device(), 33, address, 33, H2D, w.stream())


@row("memory-0070", faces="c")
def host_attributes(w: World) -> None:
    for number in (0, 2, 4, 100):
        w.expect("aclrtMallocHostWithCfg", 64, config((number, 0)))
    w.ok("aclrtMallocHostWithCfg", 64, config((1, 5)))


@row("memory-0071", faces="c")
def host_config_without_a_list(w: World) -> None:
    w.expect("aclrtMallocHostWithCfg", 64, no_list(0))


@row("memory-0072", soc=("Ascend310P3", "Ascend910A", "Ascend950PR_9599"), faces="c")
def no_common_addresses(w: World) -> None:
    w.expect("aclrtMallocHostWithCfg", 64, config((3, 1)))
    w.ok("aclrtMallocHostWithCfg", 64, config((3, 0)))


@row("memory-0074", soc="Ascend910B3")
def free_host_of_other_memory(w: World) -> None:
    w.expect("aclrtFreeHost", w.device())
    w.expect("aclrtFreeHost", w.ok("aclrtMemAllocManaged", 64, 1))


@row("memory-0075")
def free_host_of_ordinary_memory(w: World) -> None:
    w.expect("aclrtFreeHost", w.host(4096))


@row("memory-0076")
def free_host_twice(w: World) -> None:
    address = w.pinned()
    w.ok("aclrtFreeHost", address)
    w.expect("aclrtFreeHost", address)


@rows(
    ("memory-0077", "aclrtHostRegister", 0),
    ("memory-0080", "aclrtHostRegisterV2", 2),
    ("memory-case-128", "aclrtHostRegister", 0),
    ("memory-case-130", "aclrtHostRegisterV2", 2),
)
def register_nothing(w: World, name: str, flag: int) -> None:
    w.refuse(100000, name, 0, 8, flag)
    w.refuse(100000, name, w.host(), 0, flag)


@row("memory-0078")
def register_with_bad_types(w: World) -> None:
    address = w.pages()
    for kind in (1, 2, 3, 0x10, 0x400, PINNED):
        w.expect("aclrtHostRegister", address, 64, kind)
    w.ok("aclrtHostRegister", address, 64, 0)


@row("memory-0079")
def register_again(w: World) -> None:
    address = w.pages()
    w.ok("aclrtHostRegister", address, 4096, 0)
    w.expect("aclrtHostRegister", address, 4096, 0)
    w.ok("aclrtHostUnregister", address)
    w.ok("aclrtHostRegister", address, 4096, 0)


@row("memory-0081")
def register_with_bad_flags(w: World) -> None:
    address = w.pages()
    for flag in (0, 1, 0x10, 0x20000000, 2 | 1, 0x80000000):
        w.expect("aclrtHostRegisterV2", address, 64, flag)
    w.ok("aclrtHostRegisterV2", address, 64, 2 | 8 | PINNED)


@row("memory-0082")
def register_an_overlap(w: World) -> None:
    page = 4096
    address = w.pages(3 * page)
    w.ok("aclrtHostRegisterV2", address + page, page, 2)
    for start, size in ((page, page), (0, page + 1), (2 * page - 1, 1), (0, 3 * page), (page + 500, 10)):
        w.expect("aclrtHostRegisterV2", address + start, size, 2)
    w.ok("aclrtHostRegisterV2", address, page, 2)
    w.ok("aclrtHostRegisterV2", address + 2 * page, page, 2)


@row("memory-0084")
def unregister_the_wrong_address(w: World) -> None:
    address = w.pages()
    w.expect("aclrtHostUnregister", address)
    w.ok("aclrtHostRegister", address, 4096, 0)
    for wrong in (address + 1, address + 4095, STALE):
        w.expect("aclrtHostUnregister", wrong)
    w.ok("aclrtHostUnregister", address)
    w.expect("aclrtHostUnregister", address)


@row("memory-case-149")
def unregister_what_was_never_registered(w: World) -> None:
    w.refuse(507911, "aclrtHostUnregister", w.pages())


@row("memory-case-148")
def register_twice(w: World) -> None:
    address = w.host(4096)
    w.ok("aclrtHostRegisterV2", address, 4, PINNED)
    w.refuse(507910, "aclrtHostRegisterV2", address, 4, PINNED)
    w.ok("aclrtHostUnregister", address)


@row("memory-0085", bare=True)
def registration_without_a_context(w: World) -> None:
    address = w.pages()
    w.expect("aclrtHostRegister", address, 64, 0)
    w.expect("aclrtHostRegisterV2", address, 64, 2)
    w.expect("aclrtHostUnregister", address)
    w.expect("aclrtHostGetDevicePointer", address, 0)


@rows(("memory-0086", "null"), ("memory-0087", "flag"), ("memory-case-131", "both"))
def device_pointer_refusals(w: World, what: str) -> None:
    address = w.pages()
    w.ok("aclrtHostRegister", address, 64, 0)
    if what != "flag":
        w.refuse(100000, "aclrtHostGetDevicePointer", 0, 0)
    if what != "null":
        w.refuse(100000, "aclrtHostGetDevicePointer", address, 1)
        w.refuse(100000, "aclrtHostGetDevicePointer", address, 2)


@row("memory-0088")
def device_pointer_of_unregistered_memory(w: World) -> None:
    w.expect("aclrtHostGetDevicePointer", w.pages(), 0)


@rows(("memory-0089",), ("memory-case-127",), bare=True)
def attributes_of_null(w: World) -> None:
    w.refuse(100000, "aclrtPointerGetAttributes", 0)


@row("memory-0090", devices=2)
def attributes_of_device_memory(w: World) -> None:
    w.ok("aclrtSetDevice", 1)
    address = w.device(4096)
    w.ok("aclrtSetDevice", 0)
    for offset in (0, 1, 4095):
        (found,) = w.expect("aclrtPointerGetAttributes", address + offset)
        w.same((found.location.type, found.location.id), (DEVICE, 1), "place and device")


@row("memory-0091", devices=2)
def attributes_of_host_memory(w: World) -> None:
    w.ok("aclrtSetDevice", 1)
    pinned, registered = w.pinned(4096), w.pages(8192)
    w.ok("aclrtHostRegister", registered, 4096, 0)
    for address in (pinned, pinned + 4095, registered, registered + 4095):
        (found,) = w.expect("aclrtPointerGetAttributes", address)
        w.same((found.location.type, found.location.id), (HOST, 0), "place and device")


@row("memory-0092")
def attributes_of_ordinary_memory(w: World) -> None:
    (found,) = w.expect("aclrtPointerGetAttributes", w.host())
    w.same(found.location.type, UNREGISTERED, "the place")
    registered = w.pages()
    w.ok("aclrtHostRegister", registered, 4096, 0)
    w.ok("aclrtHostUnregister", registered)
    (found,) = w.expect("aclrtPointerGetAttributes", registered)
    w.same(found.location.type, UNREGISTERED, "the place after the registration")


@row("memory-0093")
def attributes_of_managed_memory(w: World) -> None:
    address = w.ok("aclrtMemAllocManaged", 64, 1)
    (found,) = w.expect("aclrtPointerGetAttributes", address)
    w.same(found.location.type, MANAGED, "the place")


@row("memory-0094")
def attributes_of_freed_memory(w: World) -> None:
    address = w.device(4096)
    w.ok("aclrtFree", address)
    for offset in (0, 100):
        w.expect("aclrtPointerGetAttributes", address + offset)


@row("memory-0095")
def attributes_without_a_context(w: World) -> None:
    address = w.device()
    w.in_thread(lambda: w.expect("aclrtPointerGetAttributes", address))


@row("memory-0105")
def managed_flags(w: World) -> None:
    for flag in (0, 2, 3, 100):
        w.expect("aclrtMemAllocManaged", 64, flag)


@row("memory-0106")
def managed_nothing(w: World) -> None:
    w.expect("aclrtMemAllocManaged", 0, 1)


@row("memory-0107", limits={"host_memory": 5 * MIB})
def managed_memory(w: World) -> None:
    (address,) = w.expect("aclrtMemAllocManaged", 1, 1)
    w.same(address % 512, 0, "the alignment")
    w.expect("aclrtMemAllocManaged", 1, 1)
    w.refuse(207001, "aclrtMemAllocManaged", 1, 1)  # each one took 2 MiB
    w.ok("aclrtFree", address)


@row("memory-0108")
def prefetch_refusals(w: World) -> None:
    address = w.ok("aclrtMemAllocManaged", 64, 1)
    place, stream = structs.aclrtMemManagedLocation(), w.stream()
    w.expect("aclrtMemManagedPrefetchAsync", 0, 64, place, 0, stream)
    w.expect("aclrtMemManagedPrefetchAsync", address, 0, place, 0, stream)
    w.expect("aclrtMemManagedPrefetchAsync", address, 64, place, 1, stream)


@row("memory-0109", devices=2)
def p2p_map_refusals(w: World) -> None:
    address = w.device()
    w.expect("aclrtMemP2PMap", 0, 64, 1, 0)
    w.expect("aclrtMemP2PMap", address, 0, 1, 0)
    w.expect("aclrtMemP2PMap", address, 64, 1, 1)


@row("memory-0183", devices=2)
def peer_of_itself(w: World) -> None:
    w.expect("aclrtDeviceCanAccessPeer", 0, 0)
    w.expect("aclrtDeviceCanAccessPeer", 1, 1)


@rows(("memory-0185",), ("memory-case-056",), devices=2)
def peer_flags(w: World) -> None:
    w.refuse(200006, "aclrtDeviceEnablePeerAccess", 1, 1)
    w.refuse(200006, "aclrtDeviceEnablePeerAccess", 0, 1)


@rows(
    ("memory-0186", "aclrtDeviceEnablePeerAccess", (0,)), ("memory-0187", "aclrtDeviceDisablePeerAccess", ()), devices=2
)
def peer_is_the_current_device(w: World, name: str, rest: tuple[int, ...]) -> None:
    w.expect(name, 0, *rest)
    w.ok("aclrtSetDevice", 1)
    w.expect(name, 1, *rest)


@row("memory-case-055", devices=2)
def can_access_peer(w: World) -> None:
    w.same(w.ok("aclrtDeviceCanAccessPeer", 0, 1), 1, "access")


@row("memory-case-017")
def malloc_host_and_free(w: World) -> None:
    w.ok("aclrtFreeHost", w.ok("aclrtMallocHost", 1))


@row("memory-0120", devices=2)
def copy_between_devices(w: World) -> None:
    """The code is not settled: the switch copy_without_peer_access chooses."""
    source, before = w.device(fill=5), w.host(8)
    w.ok("aclrtSetDevice", 1)
    target = w.device(fill=6)
    w.refuse(107000, "aclrtMemcpy", target, 8, source, 8, 3)
    w.ok("aclrtDeviceEnablePeerAccess", 0, 0)
    w.ok("aclrtSetDevice", 0)
    w.ok("aclrtDeviceEnablePeerAccess", 1, 0)
    w.ok("aclrtMemcpy", target, 8, source, 8, 3)
    w.ok("aclrtMemcpy", before, 8, target, 8, D2H)
    w.same(w.read(before), b"\5", "the copied byte")
