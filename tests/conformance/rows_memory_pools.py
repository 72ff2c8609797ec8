"""Chapter 11-10: stream-ordered memory pools (docs/semantics/pools.md)."""

from __future__ import annotations

import numpy as np

from ascend_sim.ascendcl import structs
from tests.conformance.registry import row
from tests.conformance.world import HUGE_FIRST, STALE, World

MIB = 1 << 20
UNIT = 2 * MIB
SIZE_MAX = 2**64 - 1
HBM = 1
EVENTS, OPPORTUNISTIC, INTERNAL, THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH = range(1, 9)


def props(size: int = 64 * MIB, **fields: object) -> structs.aclrtMemPoolProps:
    """What a pool of *size* bytes on device 0 is made from."""
    made = structs.aclrtMemPoolProps(location=structs.aclrtMemLocation(0, 1), maxSize=size)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def pool(w: World, size: int = 64 * MIB) -> int:
    """A pool of *size* bytes."""
    return int(w.ok("aclrtMemPoolCreate", props(size)))


def attribute(w: World, handle: int, which: int) -> int:
    """The value of an attribute."""
    found = np.zeros(1, np.uint32 if which <= INTERNAL else np.uint64)
    w.ok("aclrtMemPoolGetAttr", handle, which, found.ctypes.data)
    return int(found[0])


def number(value: int, wide: bool = True) -> np.ndarray:
    """A number in memory, to be passed by its address."""
    return np.array([value], np.uint64 if wide else np.uint32)


@row("memory-0225", faces="c")
def wrong_properties(w: World) -> None:
    w.expect("aclrtMemPoolCreate", None)
    w.expect("aclrtMemPoolCreate", props(allocType=1))
    w.expect("aclrtMemPoolCreate", props(location=structs.aclrtMemLocation(0, 0)))
    for place in (0, 31):
        w.expect("aclrtMemPoolCreate", props(reserved=[int(i == place) for i in range(32)]))
    w.expect("aclrtMemPoolCreate", props(SIZE_MAX, allocType=1))  # before its size
    w.in_thread(lambda: w.expect("aclrtMemPoolCreate", props(allocType=1)))
    raw = np.zeros(14, np.uint32)  # as in memory: types, location, size, reserved
    raw[3], raw[4], raw[13] = 1, 64 * MIB, 1
    w.expect("aclrtMemPoolCreate", raw.ctypes.data)
    raw[13] = 0
    w.ok("aclrtMemPoolCreate", raw.ctypes.data)


@row("memory-0226", limits={"memory": 9 * MIB}, faces="c")
def larger_than_the_device(w: World) -> None:
    for size in (8 * MIB + 1, 9 * MIB, 10 * MIB, SIZE_MAX):
        w.expect("aclrtMemPoolCreate", props(size))
    pool(w, 8 * MIB)


@row("memory-0227", limits={"memory": 9 * MIB}, faces="c")
def as_large_as_the_device(w: World) -> None:
    (handle,) = w.expect("aclrtMemPoolCreate", props(0))
    stream = w.stream()
    for _ in range(4):
        w.ok("aclrtMemPoolMallocAsync", 1, handle, stream)
    w.refuse(507000, "aclrtMemPoolMallocAsync", 1, handle, stream)
    w.same(attribute(w, handle, RESERVED), 8 * MIB, "the reserved bytes")


@row("memory-0228", faces="c")
def destroying_null(w: World) -> None:
    w.expect("aclrtMemPoolDestroy", None)
    w.in_thread(lambda: w.expect("aclrtMemPoolDestroy", 0))


@row("memory-0229", faces="c")
def destroying_what_is_not_there(w: World) -> None:
    w.expect("aclrtMemPoolDestroy", STALE)
    w.expect("aclrtMemPoolDestroy", w.stream())
    handle = pool(w)
    w.ok("aclrtMemPoolDestroy", handle)
    w.expect("aclrtMemPoolDestroy", handle)


@row("memory-0230", faces="c")
def attributes_that_cannot_be_set(w: World) -> None:
    value = number(1)
    w.expect("aclrtMemPoolSetAttr", STALE, THRESHOLD, value)
    w.expect("aclrtMemPoolSetAttr", STALE, 99, value)
    handle = pool(w)
    for which in (EVENTS, THRESHOLD, 99):
        w.expect("aclrtMemPoolSetAttr", handle, which, None)
    for which in (RESERVED, USED):
        w.expect("aclrtMemPoolSetAttr", handle, which, value)
    w.refuse(100000, "aclrtMemPoolSetAttr", None, THRESHOLD, value)
    w.ok("aclrtMemPoolDestroy", handle)
    w.expect("aclrtMemPoolSetAttr", handle, THRESHOLD, value)


@row("memory-0231", faces="c")
def values_that_cannot_be_set(w: World) -> None:
    handle = pool(w)
    for which in (RESERVED_HIGH, USED_HIGH):
        w.expect("aclrtMemPoolSetAttr", handle, which, number(1))
        w.ok("aclrtMemPoolSetAttr", handle, which, number(0))
    w.expect("aclrtMemPoolSetAttr", handle, THRESHOLD, number(64 * MIB + 1))
    w.ok("aclrtMemPoolSetAttr", handle, THRESHOLD, number(64 * MIB))
    w.same(attribute(w, handle, THRESHOLD), 64 * MIB, "the threshold")
    for which in (0, 9, 0xFF):
        w.expect("aclrtMemPoolSetAttr", handle, which, number(0))
        w.expect("aclrtMemPoolGetAttr", handle, which, number(0))
    for which in (EVENTS, OPPORTUNISTIC, INTERNAL):
        w.same(attribute(w, handle, which), 0, "an attribute of reuse, before")
        w.ok("aclrtMemPoolSetAttr", handle, which, number(7, wide=False))
        w.same(attribute(w, handle, which), 1, "an attribute of reuse, after")
    w.refuse(107000, "aclrtMemPoolGetAttr", STALE, THRESHOLD, number(0))
    w.refuse(107000, "aclrtMemPoolGetAttr", handle, THRESHOLD, None)
    w.refuse(100000, "aclrtMemPoolGetAttr", None, THRESHOLD, number(0))


@row("memory-0232", faces="c")
def allocating_with_null(w: World) -> None:
    handle, stream = pool(w), w.stream()
    for size in (0, 64, SIZE_MAX):
        w.expect("aclrtMemPoolMallocAsync", size, None, stream)
        w.expect("aclrtMemPoolMallocAsync", size, handle, None)
        w.expect("aclrtMemPoolMallocAsync", size, None, STALE)
        w.expect("aclrtMemPoolMallocAsync", size, STALE, None)


@row("memory-0233", faces="c")
def allocating_nothing(w: World) -> None:
    (address,) = w.expect("aclrtMemPoolMallocAsync", 0, pool(w), w.stream())
    w.same(address, 0, "*ptr")
    w.expect("aclrtMemPoolMallocAsync", 0, STALE, STALE)


@row("memory-0234", faces="c")
def a_full_pool(w: World) -> None:
    handle, stream = pool(w, 6 * MIB), w.stream()
    first, second = (w.ok("aclrtMemPoolMallocAsync", UNIT, handle, stream) for _ in range(2))
    w.same(second - first, UNIT, "the distance of two blocks")
    w.expect("aclrtMemPoolMallocAsync", UNIT + 1, handle, stream)
    w.ok("aclrtMemPoolMallocAsync", 1, handle, stream)
    w.expect("aclrtMemPoolMallocAsync", 1, handle, stream)
    w.ok("aclrtMemPoolFreeAsync", first, stream)
    other = w.stream()
    w.expect("aclrtMemPoolMallocAsync", 1, handle, other)  # it waits in the pool for its own stream
    w.same(w.ok("aclrtMemPoolMallocAsync", 1, handle, stream), first, "the address of the next block there")
    w.ok("aclrtSynchronizeStream", stream)
    w.ok("aclrtMemPoolDestroy", handle)
    w.expect("aclrtMemPoolMallocAsync", 1, handle, stream)
    w.expect("aclrtMemPoolMallocAsync", 1, STALE, stream)


@row("memory-0235", faces="c")
def allocating_on_a_foreign_stream(w: World) -> None:
    w.expect("aclrtMemPoolMallocAsync", 64, pool(w), w.foreign_stream())
    w.expect("aclrtMemPoolMallocAsync", SIZE_MAX, STALE, w.foreign_stream())


@row("memory-0236", faces="c")
def sizes_that_cannot_be_rounded(w: World) -> None:
    handle, stream = pool(w), w.stream()
    for size in (SIZE_MAX, SIZE_MAX - UNIT + 2):
        w.expect("aclrtMemPoolMallocAsync", size, handle, stream)
        w.expect("aclrtMemPoolMallocAsync", size, STALE, stream)
    w.refuse(507000, "aclrtMemPoolMallocAsync", SIZE_MAX - UNIT + 1, handle, stream)


@row("memory-0237", faces="c")
def giving_back_null(w: World) -> None:
    w.expect("aclrtMemPoolFreeAsync", None, w.stream())
    w.expect("aclrtMemPoolFreeAsync", None, None)
    w.expect("aclrtMemPoolFreeAsync", None, STALE)


@row("memory-0238", faces="c")
def giving_back_on_the_default_stream(w: World) -> None:
    address = w.ok("aclrtMemPoolMallocAsync", 64, pool(w), w.stream())
    w.expect("aclrtMemPoolFreeAsync", address, None)
    w.expect("aclrtMemPoolFreeAsync", address + 1, None)
    w.in_thread(lambda: w.expect("aclrtMemPoolFreeAsync", address, 0))
    w.refuse(107017, "aclrtMemPoolFreeAsync", address, STALE)
    w.refuse(107003, "aclrtMemPoolFreeAsync", address, w.foreign_stream())
    w.ok("aclrtMemPoolFreeAsync", address, w.default_stream())


@row("memory-0239", faces="c")
def giving_back_what_is_no_block(w: World) -> None:
    handle, stream = pool(w), w.stream()
    address = w.ok("aclrtMemPoolMallocAsync", 64, handle, stream)
    for inside in (1, 64, UNIT - 1, UNIT, 8 * MIB):
        w.expect("aclrtMemPoolFreeAsync", address + inside, stream)
    w.ok("aclrtMemPoolFreeAsync", address, stream)
    w.expect("aclrtMemPoolFreeAsync", address, stream)
    w.ok("aclrtSynchronizeStream", stream)
    w.expect("aclrtMemPoolFreeAsync", address, stream)


@row("memory-0240", faces="c")
def giving_back_other_memory(w: World) -> None:
    pool(w)
    before = w.ok("aclrtGetMemInfo", HBM)[0]
    stream, address = w.stream(), w.ok("aclrtMalloc", 8 * MIB, HUGE_FIRST)
    gate = w.hold(stream)
    taken = before - w.ok("aclrtGetMemInfo", HBM)[0]
    w.expect("aclrtMemPoolFreeAsync", address, stream)
    w.same(before - w.ok("aclrtGetMemInfo", HBM)[0], taken, "the bytes that are taken, while the stream is held")
    w.ok("aclrtMemset", address, 64, 1, 64)
    w.ok("aclrtRecordEvent", gate, w.stream())
    w.ok("aclrtSynchronizeStream", stream)
    w.same(w.ok("aclrtGetMemInfo", HBM)[0], before, "the free bytes after it")
    w.expect("aclrtMemPoolFreeAsync", STALE, stream)  # nobody looks before the stream does
    w.ok("aclrtSynchronizeStream", stream)


@row("memory-0241", faces="c")
def trimming_null(w: World) -> None:
    w.expect("aclrtMemPoolTrimTo", None, 0)
    w.expect("aclrtMemPoolTrimTo", 0, SIZE_MAX)


@row("memory-0242", faces="c")
def trimming_too_much_or_too_little(w: World) -> None:
    handle, stream = pool(w), w.stream()
    w.expect("aclrtMemPoolTrimTo", handle, 64 * MIB + 1)
    w.ok("aclrtMemPoolTrimTo", handle, 64 * MIB)
    w.ok("aclrtMemPoolTrimTo", handle, 0)
    address = w.ok("aclrtMemPoolMallocAsync", 3 * MIB, handle, stream)
    w.ok("aclrtMemPoolTrimTo", handle, 4 * MIB)
    w.ok("aclrtMemPoolMallocAsync", 1, handle, stream)
    w.ok("aclrtMemPoolFreeAsync", address, stream)
    w.expect("aclrtMemPoolTrimTo", handle, UNIT - 1)
    w.ok("aclrtMemPoolTrimTo", handle, UNIT)
    w.refuse(507000, "aclrtMemPoolTrimTo", STALE, 0)


@row("memory-0059", faces="c")
def freeing_a_block_at_once(w: World) -> None:
    before = w.ok("aclrtGetMemInfo", HBM)[0]
    handle, stream = pool(w), w.stream()
    address = w.ok("aclrtMemPoolMallocAsync", 64, handle, stream)
    w.ok("aclrtSynchronizeStream", stream)
    w.same(before - w.ok("aclrtGetMemInfo", HBM)[0], UNIT, "the bytes that are taken")
    w.expect("aclrtFree", address)
    w.same(w.ok("aclrtGetMemInfo", HBM)[0], before, "the free bytes after it")
    w.same([attribute(w, handle, which) for which in (USED, RESERVED)], [0, 0], "the pool's counters")
    w.same(w.ok("aclrtMemPoolMallocAsync", 64, handle, w.stream()), address, "the next address")


@row("memory-0011", faces="c")
def codes_of_its_own(w: World) -> None:
    """The pools have error codes inside the library that no table maps to public ones."""
    handle, stream = pool(w), w.stream()
    w.expect("aclrtMemPoolDestroy", STALE)
    w.expect("aclrtMemPoolTrimTo", STALE, 0)
    w.expect("aclrtMemPoolMallocAsync", 65 * MIB, handle, stream)
    w.expect("aclrtMemPoolSetAttr", handle, THRESHOLD, number(65 * MIB))
