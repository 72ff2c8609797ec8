"""Chapter 11-01: device memory (docs/semantics/memory.md#sizes)."""

from __future__ import annotations

from ascend_sim.ascendcl import structs
from tests.conformance.registry import row, rows
from tests.conformance.world import H2D, HUGE_FIRST, HUGE_ONLY, MS, NORMAL_ONLY, STALE, World

SIZE_MAX = 2**64 - 1
MIB = 1 << 20
HBM = 1
GIANT = 6


def config(*attributes: tuple[int, int], count: int | None = None) -> structs.aclrtMallocConfig:
    """An aclrtMallocConfig with attributes (id, value)."""
    fields = {1: "moduleId", 2: "deviceId", 3: "vaFlag"}
    listed = []
    for number, value in attributes:
        union = structs.aclrtMallocAttrValue(**({fields[number]: value} if number in fields else {}))
        listed.append(structs.aclrtMallocAttribute(number, union))
    return structs.aclrtMallocConfig(listed, len(listed) if count is None else count)


def no_list(count: int) -> structs.aclrtMallocConfig:
    """One whose list is NULL."""
    return structs.aclrtMallocConfig(None, count)


def taken(w: World, name: str, *inputs: object) -> int:
    """The bytes that an allocation takes from the device."""
    before = w.ok("aclrtGetMemInfo", HBM)[0]
    w.ok(name, *inputs)
    return int(before - w.ok("aclrtGetMemInfo", HBM)[0])


@rows(
    ("memory-0015", "aclrtMalloc", (0,)),
    ("memory-0016", "aclrtMalloc", (SIZE_MAX, SIZE_MAX - 31, SIZE_MAX - 63)),
    ("memory-0027", "aclrtMallocAlign32", (0, SIZE_MAX, SIZE_MAX - 30)),
    ("memory-0029", "aclrtMallocCached", (0, SIZE_MAX, SIZE_MAX - 63)),
    ("memory-case-004", "aclrtMalloc", (SIZE_MAX,)),
    ("memory-case-005", "aclrtMalloc", (0,)),
    ("memory-case-008", "aclrtMallocCached", (SIZE_MAX,)),
)
def bad_sizes(w: World, name: str, sizes: tuple[int, ...]) -> None:
    for size in sizes:
        for policy in (HUGE_FIRST, NORMAL_ONLY, 99):
            w.refuse(100000, name, size, policy)
    w.in_thread(lambda: w.refuse(100000, name, sizes[0], NORMAL_ONLY))


@rows(
    ("memory-0033", "aclrtMallocWithCfg"),
    ("memory-0040", "aclrtMallocForTaskScheduler"),
    ("memory-case-124", "aclrtMallocWithCfg"),
)
def bad_size_with_a_config(w: World, name: str) -> None:
    w.refuse(100000, name, 0, HUGE_FIRST, None)
    w.refuse(100000, name, 0, HUGE_FIRST, config((1, 5)))
    w.in_thread(lambda: w.refuse(100000, name, 0, HUGE_FIRST, None))


@row("memory-0017")
def unknown_policy(w: World) -> None:
    for policy in (8, 99, 0x7FFFFFFF):
        (address,) = w.expect("aclrtMalloc", 4 * MIB, policy)
        huge = w.ok("aclrtPointerGetAttributes", w.ok("aclrtMalloc", 4 * MIB, HUGE_FIRST)).pageSize
        w.same(w.ok("aclrtPointerGetAttributes", address).pageSize, huge, "the page size")


@rows(("memory-0018", "aclrtMalloc", HUGE_FIRST), ("memory-0032", "aclrtMallocCached", NORMAL_ONLY), bare=True)
def no_context(w: World, name: str, policy: int) -> None:
    w.expect(name, 64, policy)


@row("memory-0019", limits={"memory": 4 * MIB})
def out_of_memory(w: World) -> None:
    w.expect("aclrtMalloc", 5 * MIB, HUGE_FIRST)
    first = w.ok("aclrtMalloc", 3 * MIB, HUGE_FIRST)
    w.expect("aclrtMalloc", 2 * MIB, HUGE_FIRST)
    w.ok("aclrtFree", first)
    w.ok("aclrtMalloc", 3 * MIB, HUGE_FIRST)


@row("memory-0020")
def larger_than_the_address_range(w: World) -> None:
    for size in (1 << 48, 1 << 60, SIZE_MAX - 4096):
        w.expect("aclrtMalloc", size, HUGE_FIRST)


@row("memory-0021", soc=("Ascend310P3", "Ascend310B1", "Ascend910A"))
def giant_pages_on_old_chips(w: World) -> None:
    for policy in (GIANT, GIANT + 1):
        w.expect("aclrtMalloc", 64, policy)


def page(w: World, size: int, policy: int) -> int:
    (address,) = w.expect("aclrtMalloc", size, policy)
    return int(w.ok("aclrtPointerGetAttributes", address).pageSize)


@rows(("memory-0022", (HUGE_FIRST, 99)), limits={"memory": 11 * MIB // 2}, switches={"allocation_granule": "page"})
def huge_first_large(w: World, policies: tuple[int, ...]) -> None:
    w.same([page(w, 3 * MIB // 2, policy) for policy in policies], [2 * MIB] * 2, "page sizes")
    w.same(page(w, 5 * MIB // 4, policies[0]), 4096, "the page size when no huge page is left")


@row("memory-0023")
def huge_first_small(w: World) -> None:
    for size in (1, 4096, MIB - 64):
        w.same(page(w, size, HUGE_FIRST), 4096, f"the page size of {size} bytes")
    w.same(page(w, MIB, HUGE_FIRST), 2 * MIB, "the page size of 1 MiB, which is rounded up")


@row("memory-0024", limits={"memory": 3 * MIB}, switches={"allocation_granule": "page"})
def huge_only(w: World) -> None:
    w.ok("aclrtMalloc", 64, HUGE_ONLY)
    w.expect("aclrtMalloc", 64, HUGE_ONLY)
    w.ok("aclrtMalloc", 64, NORMAL_ONLY)


@row("memory-0025")
def padding(w: World) -> None:
    for size, expected in (
        (1, 64),
        (32, 64),
        (33, 96),
        (64, 96),
        (65, 128),
        (96, 128),
        (97, 160),
        (5 * MIB, 5 * MIB + 32),
    ):
        w.same(taken(w, "aclrtMalloc", size, NORMAL_ONLY), expected, f"bytes taken for {size}")  # huge pages hide it
    w.same(taken(w, "aclrtMalloc", 1 << 30, GIANT), 1 << 30, "bytes taken for a 1 GiB page")


@row("memory-0026")
def alignment(w: World) -> None:
    stream, ran = w.stream(), []
    w.work(stream, MS, ran)
    for size in (1, 31, 100, 513, MIB, 3 * MIB):
        for policy in (HUGE_FIRST, HUGE_ONLY, NORMAL_ONLY):
            (address,) = w.expect("aclrtMalloc", size, policy)
            w.same(address % 512, 0, "the alignment")
    w.same(len(ran), 0, "tasks that an allocation waited for")


@row("memory-0028")
def align32(w: World) -> None:
    for size, expected in ((1, 32), (32, 32), (33, 64), (64, 64), (65, 96)):
        w.same(taken(w, "aclrtMallocAlign32", size, HUGE_FIRST), expected, f"bytes taken for {size}")


@row("memory-0030")
def cached_policies(w: World) -> None:
    for policy in (HUGE_FIRST, HUGE_ONLY, 3, 4, 5, 6, 99):
        w.expect("aclrtMallocCached", 64, policy)


@row("memory-0031")
def cached_too_large(w: World) -> None:
    w.expect("aclrtMallocCached", (1 << 50) + 1, NORMAL_ONLY)
    w.expect("aclrtMallocCached", 1 << 55, NORMAL_ONLY)


@rows(("memory-0034", "aclrtMallocWithCfg"), ("memory-0041", "aclrtMallocForTaskScheduler"), faces="c")
def attributes_announced_and_absent(w: World, name: str) -> None:
    w.expect(name, 64, HUGE_FIRST, no_list(1))
    w.in_thread(lambda: w.expect(name, 64, HUGE_FIRST, no_list(3)))


@row("memory-case-125", faces="c")
def attributes_announced_and_absent_case(w: World) -> None:
    w.refuse(100000, "aclrtMallocWithCfg", 64, HUGE_FIRST, no_list(1))


@rows(("memory-0035", "aclrtMallocWithCfg"), ("memory-0042", "aclrtMallocForTaskScheduler"), faces="c")
def config_without_a_list(w: World, name: str) -> None:
    w.expect(name, 64, HUGE_FIRST, no_list(0))


@rows(("memory-0036", "aclrtMallocWithCfg"), ("memory-0043", "aclrtMallocForTaskScheduler"), faces="c")
def unknown_attributes(w: World, name: str) -> None:
    for number in (3, 4, 100):
        w.expect(name, 64, HUGE_FIRST, config((number, 0)))
        w.expect(name, 64, HUGE_FIRST, config((1, 5), (number, 0)))
    w.ok(name, 64, HUGE_FIRST, config((0, 0), (1, 5), (2, 0)))


@rows(("memory-0037", "aclrtMallocWithCfg"), ("memory-0044", "aclrtMallocForTaskScheduler"), devices=2)
def another_device(w: World, name: str) -> None:
    w.expect(name, 64, HUGE_FIRST, config((2, 1)))
    w.in_thread(lambda: w.refuse(107002, name, 64, HUGE_FIRST, config((2, 1))))
    w.ok("aclrtSetDevice", 1)
    w.ok(name, 64, HUGE_FIRST, config((2, 1)))


@rows(("memory-0038", "aclrtMallocWithCfg"), ("memory-0045", "aclrtMallocForTaskScheduler"))
def the_last_attribute_wins(w: World, name: str) -> None:
    w.expect(name, 64, HUGE_FIRST, config((2, 7), (2, 0)))
    w.refuse(107000, name, 64, HUGE_FIRST, config((2, 0), (2, 7)))


@rows(("memory-0039", "aclrtMallocWithCfg"), ("memory-0046", "aclrtMallocForTaskScheduler"))
def no_padding_with_a_config(w: World, name: str) -> None:
    for size, expected in ((1, 32), (32, 32), (33, 64)):
        for cfg in (None, config((1, 5))):
            w.same(taken(w, name, size, HUGE_FIRST, cfg), expected, f"bytes taken for {size}")
    w.expect(name, 64, HUGE_FIRST, None)


@row("memory-0047", limits={"memory": MIB})
def out_of_memory_with_a_config(w: World) -> None:
    w.expect("aclrtMallocWithCfg", 2 * MIB, HUGE_FIRST, None)


@row("memory-0048")
def task_scheduler_memory(w: World) -> None:
    (address,) = w.expect("aclrtMallocForTaskScheduler", 64, HUGE_FIRST, None)
    w.ok("aclrtMemset", address, 64, 5, 64)
    w.ok("aclrtFree", address)


@row("memory-0050")
def free_what_nobody_allocated(w: World) -> None:
    address = w.device()
    for unknown in (address + (1 << 30), 0x1234, SIZE_MAX, STALE):
        w.expect("aclrtFree", unknown)


@row("memory-0051")
def free_inside_a_block(w: World) -> None:
    address = w.device(4096, fill=3)
    for offset in (1, 32, 512, 4095):
        w.expect("aclrtFree", address + offset)
    w.same(w.peek(address), b"\3", "the block lives")
    w.ok("aclrtFree", address)


@row("memory-0052")
def free_twice(w: World) -> None:
    address = w.device()
    w.ok("aclrtFree", address)
    w.expect("aclrtFree", address)


@row("memory-0053")
def free_a_host_block(w: World) -> None:
    address = w.pinned()
    w.expect("aclrtFree", address)
    w.refuse(107000, "aclrtFreeHost", address)


@row("memory-0054")
def free_ordinary_memory(w: World) -> None:
    w.expect("aclrtFree", w.host(4096))


@row("memory-0055", switches={"free_pageable_pointer": 0})
def free_ordinary_memory_in_malloc_mode(w: World) -> None:
    w.expect("aclrtFree", w.host(4096))


@row("memory-0057")
def free_needs_no_context(w: World) -> None:
    address = w.device()
    w.in_thread(lambda: w.expect("aclrtFree", address))
    w.refuse(107000, "aclrtFree", address)


@row("memory-0058")
def free_while_in_use(w: World) -> None:
    stream, source, target, ran = w.stream(), w.pinned(), w.device(), []
    w.work(stream, 5 * MS, ran)
    w.ok("aclrtMemcpyAsync", target, 8, source, 8, H2D, stream)
    w.expect("aclrtFree", target)
    w.same(len(ran), 0, "tasks that the free waited for")
    w.ok("aclrtSynchronizeStream", stream)
    w.same([f.kind for f in w.sim.findings], ["use-after-free"], "the findings")


@row("memory-0060", switches={"free_unknown_pointer": 107017})
def free_under_the_software_driver(w: World) -> None:
    w.expect("aclrtFree", 0x1234)


@rows(("memory-0062", "aclrtFreeWithDevSync"), ("memory-0064", "aclrtFreeHostWithDevSync"))
def the_wait_fails(w: World, name: str) -> None:
    stream, host = w.stream(), name == "aclrtFreeHostWithDevSync"
    address = w.pinned(fill=7) if host else w.device(fill=7)
    w.work(stream, 5 * MS)
    w.fault(stream, 507015)
    w.refuse(507015, name, address)
    w.same(w.read(address) if host else w.peek(address), b"\7", "the memory is still there")
    ran: list[int] = []
    w.work(stream, 5 * MS, ran)
    w.ok(name, address)
    w.same(len(ran), 1, "tasks that the free waited for")
    w.refuse(107000, name, address)


@rows(
    ("memory-0049", "aclrtFree"),
    ("memory-0061", "aclrtFreeWithDevSync"),
    ("memory-0063", "aclrtFreeHostWithDevSync"),
    ("memory-0073", "aclrtFreeHost"),
    ("memory-0083", "aclrtHostUnregister"),
    ("memory-case-014", "aclrtFree"),
    ("memory-case-019", "aclrtFreeHost"),
    ("memory-case-020", "aclrtFreeWithDevSync"),
    ("memory-case-022", "aclrtFreeHostWithDevSync"),
    bare=True,
)
def null_pointer(w: World, name: str) -> None:
    w.refuse(100000, name, 0)
    w.refuse(100000, name, None)


@row("memory-0097")
def no_such_memory_kind(w: World) -> None:
    for attribute in (18, 100, 2**32 - 1):
        w.expect("aclrtGetMemInfo", attribute)


@row("memory-0098", bare=True)
def memory_info_without_a_context(w: World) -> None:
    w.expect("aclrtGetMemInfo", HBM)
    w.refuse(107016, "aclrtGetMemInfo", 100)


@row("memory-0099", soc=("Ascend910B3", "Ascend310P3"))
def absent_memory_kind(w: World) -> None:
    hbm, ddr = w.expect("aclrtGetMemInfo", HBM), w.expect("aclrtGetMemInfo", 0)
    if w.sim.profile.memory_kind == "HBM":
        w.same((hbm[1] > 0, ddr), (True, (0, 0)), "HBM and DDR")
    else:
        w.same(hbm, ddr, "HBM of a chip with DDR only")


@row("memory-0101")
def usage_of_nothing(w: World) -> None:
    w.expect("aclrtGetMemUsageInfo", 0, 0)


@rows(("memory-0102", "aclrtMemFlush"), ("memory-0103", "aclrtMemInvalidate"))
def cache_operations(w: World, name: str) -> None:
    address = w.device()
    w.expect(name, 0, 8)
    w.expect(name, address, 0)
    w.ok(name, address, 8)


@rows(
    ("memory-case-010", "aclrtMemFlush", None, 1),
    ("memory-case-011", "aclrtMemFlush", 0x11, 0),
    ("memory-case-013", "aclrtMemInvalidate", 0x11, 0),
)
def cache_operation_cases(w: World, name: str, address: int | None, size: int) -> None:
    w.refuse(100000, name, address, size)


@row("memory-0104")
def check_of_no_types(w: World) -> None:
    addresses = [w.device()]
    for size, types, reserve in ((0, 2, 0), (1, 0, 0), (1, 4, 0), (1, 0x80, 0), (1, 2, 1)):
        w.expect("aclrtCheckMemType", addresses, size, types, reserve)
    w.same(w.ok("aclrtCheckMemType", addresses, 1, 2, 0), 1, "device memory")


@row("memory-case-001")
def malloc_and_free(w: World) -> None:
    address = w.ok("aclrtMalloc", 1, HUGE_FIRST)
    w.same(address != 0, True, "an address")
    w.ok("aclrtFree", address)


@row("memory-case-007")
def cached_memory(w: World) -> None:
    """With the real driver only NORMAL_ONLY goes."""
    for policy in (HUGE_FIRST, HUGE_ONLY):
        w.refuse(207000, "aclrtMallocCached", 64, policy)
    w.ok("aclrtFree", w.ok("aclrtMallocCached", 64, NORMAL_ONLY))
