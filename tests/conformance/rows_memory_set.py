"""Chapters 11-03, 11-09, 12: sets, batches, stream memory operations, reductions."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl import structs
from tests.conformance.registry import row, rows
from tests.conformance.world import MS, STALE, World

SIZE_MAX = 2**64 - 1


@rows(
    ("memory-0144", "aclrtMemset"),
    ("memory-0149", "aclrtMemsetAsync"),
    ("memory-0154", "aclrtMemsetD32"),
    ("memory-0159", "aclrtMemsetD32Async"),
    ("memory-case-053", "aclrtMemsetAsync"),
    bare=True,
)
def nothing_to_set(w: World, name: str) -> None:
    rest = (STALE,) if name.endswith("Async") else ()
    for address in (None, STALE, 1):
        w.ok(name, address, 0, 1, 0, *rest)


@rows(
    ("memory-0145", "aclrtMemset"),
    ("memory-0150", "aclrtMemsetAsync"),
    ("memory-case-023", "aclrtMemset"),
    ("memory-case-052", "aclrtMemsetAsync"),
    bare=True,
)
def set_of_null(w: World, name: str) -> None:
    w.refuse(100000, name, None, 1, 1, 1, *((STALE,) if name == "aclrtMemsetAsync" else ()))


@row("memory-0146")
def too_small_a_range(w: World) -> None:
    address = w.device()
    for most, count in ((7, 8), (0, 1)):
        w.expect("aclrtMemset", address, most, 0, count)
    w.in_thread(lambda: w.refuse(107002, "aclrtMemset", address, 0, 0, 1))


@row("memory-0147", bare=True)
def set_without_a_context(w: World) -> None:
    w.expect("aclrtMemset", w.host(), 8, 0, 8)


@row("memory-0148")
def only_the_low_byte(w: World) -> None:
    address = w.device(fill=0)
    for value in (0x1FF, -1, 256 + 7, -249):
        w.expect("aclrtMemset", address, 8, value, 8)
        w.same(w.peek(address), bytes([value & 0xFF]), f"the byte of {value}")


@row("memory-0151", bare=True)
def too_small_a_range_async(w: World) -> None:
    for most, count in ((7, 8), (0, 1)):
        w.expect("aclrtMemsetAsync", w.host(), most, 0, count, 0)  # before the context


@row("memory-0152")
def host_memory_is_set_at_once(w: World) -> None:
    stream, there, ran = w.stream(), w.device(fill=1), []
    w.work(stream, 5 * MS, ran)
    for here in (w.host(8), w.pinned()):
        w.expect("aclrtMemsetAsync", here, 8, 7, 8, stream)
        w.same(w.read(here), b"\7", "the byte")
    w.expect("aclrtMemsetAsync", there, 8, 7, 8, stream)
    w.same((w.peek(there), len(ran)), (b"\1", 0), "device memory and tasks so far")
    w.ok("aclrtSynchronizeStream", stream)
    w.same(w.peek(there), b"\7", "device memory in stream order")


@row("memory-0153")
def set_on_a_foreign_stream(w: World) -> None:
    w.expect("aclrtMemsetAsync", w.device(), 8, 0, 8, w.foreign_stream())


def d32(name: str, address: int | None, size: int, number: int, stream: int = 0) -> tuple[Any, ...]:
    """A call of one of the 32-bit sets."""
    return (name, address, size, 5, number, *((stream,) if name.endswith("Async") else ()))


@rows(
    ("memory-0155", "aclrtMemsetD32"),
    ("memory-0160", "aclrtMemsetD32Async"),
    ("memory-case-038", "aclrtMemsetD32"),
    ("memory-case-040", "aclrtMemsetD32"),
    ("memory-case-041", "aclrtMemsetD32Async"),
    ("memory-case-043", "aclrtMemsetD32Async"),
    ("memory-case-044", "aclrtMemsetD32"),
    ("memory-case-046", "aclrtMemsetD32"),
    ("memory-case-047", "aclrtMemsetD32Async"),
)
def d32_refusals(w: World, name: str) -> None:
    there, pinned = w.device(), w.pinned()
    managed = w.ok("aclrtMemAllocManaged", 64, 1)
    for address, size, number in (
        (None, 16, 4),
        (there + 1, 16, 2),
        (there + 2, 16, 2),
        (there, 15, 4),
        (pinned, 15, 4),
        (there, 16, 1 << 40),
        (w.host(), 16, 4),
        (managed, 16, 4),
    ):
        w.refuse(100000, *d32(name, address, size, number))


@rows(("memory-0156", "aclrtMemsetD32"), ("memory-0161", "aclrtMemsetD32Async"))
def d32_wraps(w: World, name: str) -> None:
    """4*N = 2^64 wraps to 0: the acl layer notices nothing; what follows is not defined, but nothing is written."""
    there, other = w.device(fill=1), w.device(fill=2)
    _, code = w.call(*d32(name, there, 16, 1 << 62))
    w.same(code == 100000, False, "the acl layer refused")
    w.call("aclrtSynchronizeStream", 0)
    w.same((w.peek(other), w.read(w.host())), (b"\2", b"\0"), "bytes of others")


@rows(("memory-0157", "aclrtMemsetD32"), ("memory-0162", "aclrtMemsetD32Async"))
def d32_of_freed_memory(w: World, name: str) -> None:
    address = w.device()
    w.ok("aclrtFree", address)
    w.expect(*d32(name, address, 16, 4))


@rows(("memory-0158", "aclrtMemsetD32"), ("memory-0163", "aclrtMemsetD32Async"), soc=("Ascend310P3", "Ascend910A"))
def d32_that_the_runtime_lacks(w: World, name: str) -> None:
    address = w.device(fill=1)
    w.expect(*d32(name, address, 16, 4))
    w.ok("aclrtSynchronizeStream", 0)
    w.same(w.peek(address), b"\1", "the byte: nothing was set")


# -- batches -----------------------------------------------------------------------------------------------------------

HOST, DEVICE = 0, 1


def attribute(to: int, source: int, reserved: int = 0) -> structs.aclrtMemcpyBatchAttr:
    """A batch attribute from *source* to *to* (location types)."""
    place = structs.aclrtMemLocation
    return structs.aclrtMemcpyBatchAttr(place(0, to), place(0, source), [reserved] * 16)


class Batch:
    """The arguments of a batch of two copies to the device, to be spoilt one at a time."""

    def __init__(self, w: World, host: int | None = None) -> None:
        self.there = [w.device(fill=0), w.device(fill=0)]
        self.values: dict[str, Any] = {
            "dsts": self.there,
            "destMaxs": [8, 8],
            "srcs": [host or w.pinned(fill=3), host or w.pinned(fill=4)],
            "sizes": [8, 8],
            "numBatches": 2,
            "attrs": [attribute(DEVICE, HOST)],
            "attrsIndexes": [0],
            "numAttrs": 1,
        }

    def with_(self, **changes: Any) -> list[Any]:
        """The arguments with *changes*."""
        return list({**self.values, **changes}.values())


@row("memory-0169", bare=True)
def batches_of_nothing(w: World) -> None:
    w.expect("aclrtMemcpyBatch", [1], [1], [1], None, 1, [attribute(DEVICE, HOST)], [0], 1)
    w.expect("aclrtMemcpyBatch", [], [], [], [], 0, [attribute(DEVICE, HOST)], [0], 1)


@row("memory-0170", bare=True)
def all_sizes_zero(w: World) -> None:
    w.same(w.expect("aclrtMemcpyBatch", None, None, None, [0, 0], 2, None, None, 0), (SIZE_MAX,), "failIndex")


@row("memory-case-142", bare=True)
def all_sizes_zero_v2(w: World) -> None:
    w.ok("aclrtMemcpyBatchAsyncV2", None, None, None, [0, 0], 2, None, None, 0, STALE)


@rows(("memory-0171",), ("memory-case-140",))
def batch_refusals(w: World) -> None:
    batch = Batch(w)
    for name in ("dsts", "destMaxs", "srcs", "sizes", "attrs", "attrsIndexes"):
        w.refuse(100000, "aclrtMemcpyBatch", *batch.with_(**{name: None}))
    w.refuse(100000, "aclrtMemcpyBatch", *batch.with_(numBatches=0))
    w.refuse(100000, "aclrtMemcpyBatch", *batch.with_(destMaxs=[8, 7]))
    w.refuse(100000, "aclrtMemcpyBatch", *batch.with_(attrs=[attribute(DEVICE, HOST, 1)]))
    w.same(w.ok("aclrtMemcpyBatch", *batch.with_()), SIZE_MAX, "failIndex")


@row("memory-0172")
def bad_attribute_indexes(w: World) -> None:
    batch, both = Batch(w), [attribute(DEVICE, HOST)] * 2
    for changes in (
        {"numAttrs": 0},
        {"numAttrs": 3, "attrs": both * 2, "attrsIndexes": [0, 1, 2]},
        {"attrsIndexes": [1]},
        {"numAttrs": 2, "attrs": both, "attrsIndexes": [0, 0]},
        {"numAttrs": 2, "attrs": both, "attrsIndexes": [0, 2]},
    ):
        w.expect("aclrtMemcpyBatch", *batch.with_(**changes))
    many = 4097
    there, here = w.device(many), w.pinned(many)
    lists = ([there] * many, [1] * many, [here] * many, [1] * many)
    w.expect("aclrtMemcpyBatch", *lists, many, [attribute(DEVICE, HOST)], [0], 1)


@row("memory-0173")
def attributes_that_disagree(w: World) -> None:
    batch, pinned = Batch(w), w.pinned()
    for changes, index in (
        ({"attrs": [attribute(HOST, DEVICE)]}, 0),
        ({"srcs": [batch.values["srcs"][0], w.device()]}, 1),
        ({"dsts": [batch.there[0], pinned]}, 1),
        ({"dsts": [pinned, pinned], "attrs": [attribute(HOST, HOST)]}, 0),
    ):
        w.same(w.expect("aclrtMemcpyBatch", *batch.with_(**changes)), (index,), "failIndex")


@row("memory-0174")
def an_empty_element(w: World) -> None:
    w.expect("aclrtMemcpyBatchAsync", *Batch(w).with_(sizes=[8, 0]), w.stream())


@row("memory-0175")
def pageable_elements_wait(w: World) -> None:
    stream, ran = w.stream(), []
    batch = Batch(w, w.host(8, fill=9))
    w.work(stream, 5 * MS, ran)
    w.expect("aclrtMemcpyBatchAsync", *batch.with_(), stream)
    w.same((len(ran), w.peek(batch.there[1])), (1, b"\x09"), "tasks done and the byte, when the call returns")


@row("memory-0176")
def elements_before_a_bad_one(w: World) -> None:
    stream, batch, freed = w.stream(), Batch(w), w.device()
    w.ok("aclrtFree", freed)
    w.same(
        w.refuse(507899, "aclrtMemcpyBatchAsync", *batch.with_(dsts=[batch.there[0], freed]), stream), (1,), "failIndex"
    )
    w.ok("aclrtSynchronizeStream", stream)
    w.same(w.peek(batch.there[0]), b"\3", "the first element was copied")


# -- stream memory operations ------------------------------------------------------------------------------------------


@rows(("memory-0243", "aclrtValueWrite"), ("memory-0246", "aclrtValueWait"))
def value_of_null(w: World, name: str) -> None:
    w.expect(name, 0, 1, 0, w.stream())
    w.expect(name, 0, 1, 99, STALE)


@rows(("memory-0244", "aclrtValueWrite", (1, 2, 99)), ("memory-0247", "aclrtValueWait", (4, 5, 99)))
def value_flags(w: World, name: str, flags: tuple[int, ...]) -> None:
    address = w.device(fill=0)
    for flag in flags:
        w.expect(name, address, 1, flag, w.stream())


@rows(("memory-0245", "aclrtValueWrite"), ("memory-0248", "aclrtValueWait"))
def values_elsewhere(w: World, name: str) -> None:
    stream = w.stream()
    for address in (w.host(), w.pinned(), 0x1234):
        w.expect(name, address, 1, 0, stream)


@row("memory-0249", soc=("Ascend310P3", "Ascend310B1", "Ascend910A"))
def values_on_old_chips(w: World) -> None:
    address, stream = w.device(), w.stream()
    w.expect("aclrtValueWrite", address, 1, 0, stream)
    w.expect("aclrtValueWait", address, 1, 0, stream)


# -- reductions --------------------------------------------------------------------------------------------------------

FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, DOUBLE, BOOL, BF16, INT4 = (
    0,
    1,
    2,
    3,
    4,
    6,
    7,
    8,
    9,
    11,
    12,
    27,
    29,
)
SUM, MAX, MIN, EQUAL = 10, 11, 12, 13
ALLOWED = (FLOAT, FLOAT16, INT16, INT4, INT8, INT32, BF16, UINT8, UINT16, UINT32)


@rows(("memory-0257",), ("memory-case-133",))
def reduce_refusals(w: World) -> None:
    dst, src, stream = w.device(), w.device(), w.stream()
    w.refuse(100000, "aclrtReduceAsync", 0, src, 64, SUM, FLOAT, stream, 0)
    w.refuse(100000, "aclrtReduceAsync", dst, 0, 64, SUM, FLOAT, stream, 0)
    w.refuse(100000, "aclrtReduceAsync", dst, src, 64, SUM, FLOAT, stream, dst)
    if w.row.name == "memory-0257":
        for kind in (INT64, DOUBLE, BOOL, 99, -1):
            w.refuse(100000, "aclrtReduceAsync", dst, src, 64, SUM, kind, stream, 0)


@row("memory-0258")
def reduce_ranges(w: World) -> None:
    dst, src, stream = w.device(), w.device(), w.stream()
    w.expect("aclrtReduceAsync", dst, src, 0, SUM, FLOAT, stream, 0)
    for kind in (0, 9, 14, 99):
        w.expect("aclrtReduceAsync", dst, src, 64, kind, FLOAT, stream, 0)
    w.expect("aclrtReduceAsync", dst, src, (4 << 30) + 1, SUM, FLOAT, stream, 0)


@row("memory-0259")
def reduce_alignment(w: World) -> None:
    dst, src, stream = w.device(), w.device(), w.stream()
    for offset, kind in ((1, FLOAT16), (1, INT16), (2, FLOAT), (1, INT32)):
        w.expect("aclrtReduceAsync", dst + offset, src, 64, SUM, kind, stream, 0)
        w.expect("aclrtReduceAsync", dst, src + offset, 64, SUM, kind, stream, 0)
    w.ok("aclrtReduceAsync", dst + 1, src + 1, 64, SUM, INT8, stream, 0)


@row("memory-0260")
def reduce_pairs_that_the_chip_lacks(w: World) -> None:
    dst, src, stream = w.device(), w.device(), w.stream()
    codes = {
        w.call("aclrtReduceAsync", dst, src, 64, kind, data, stream, 0)[1]
        for kind in (SUM, MAX, MIN, EQUAL)
        for data in ALLOWED
    }
    w.same(codes, {0, 207000}, "codes over all kinds and types")


@row("memory-0261", soc=("Ascend310P3", "Ascend910A"))
def reduce_kinds_on_old_chips(w: World) -> None:
    dst, src, stream = w.device(), w.device(), w.stream()
    for kind in (MAX, MIN, EQUAL):
        w.expect("aclrtReduceAsync", dst, src, 64, kind, FLOAT, stream, 0)
    w.ok("aclrtReduceAsync", dst, src, 64, SUM, FLOAT, stream, 0)


@row("memory-case-134")
def reduce_types(w: World) -> None:
    """The case stubs the runtime; which pairs a chip has is another row: here none is refused as a type."""
    dst, src, stream = w.device(), w.device(), w.stream()
    for data in ALLOWED:
        _, code = w.call("aclrtReduceAsync", dst, src, 64, SUM, data, stream, 0)
        w.same(code in (0, 207000), True, f"type {data} is allowed")
