"""Two faults in one call: the layer that looks first answers (docs/semantics/layers.md#order-of-the-tests)."""

from __future__ import annotations

import pytest

from ascend_sim.ascendcl import structs
from tests.conformance.orders import Orders
from tests.conformance.rows_memory_malloc import config, no_list
from tests.conformance.rows_memory_pools import RESERVED, THRESHOLD, number, pool, props
from tests.conformance.world import D2D, D2H, DEFAULT, H2D, H2H, STALE, World

order = Orders()


@order(
    "a queued copy: NULL and kind, dead stream, destMax, context, place and kind, host to host, same pointer, stream"
)
def _(w: World) -> None:
    there, pinned, foreign = w.device(), w.pinned(), w.foreign_stream()
    freed = w.device()
    w.ok("aclrtFree", freed)
    copy = "aclrtMemcpyAsync"
    w.ok(copy, None, 0, None, 0, 99, STALE)
    w.refuse(100000, copy, None, 1, pinned, 8, 99, STALE)
    w.refuse(100000, copy, there, 1, pinned, 8, 99, STALE)
    w.refuse(107017, copy, there, 1, pinned, 8, H2D, STALE)

    def alone() -> None:
        w.refuse(107000, copy, freed, 1, pinned, 8, H2D, foreign)
        w.refuse(107002, copy, freed, 8, pinned, 8, H2D, foreign)
        w.refuse(107002, copy, pinned, 8, pinned, 8, H2H, foreign)

    w.in_thread(alone)
    w.refuse(507899, copy, freed, 8, pinned, 8, H2D, foreign)
    w.refuse(107000, copy, there, 8, w.host(), 8, D2H, foreign)
    w.refuse(207000, copy, pinned, 8, pinned, 8, H2H, foreign)
    w.ok(copy, there, 8, there, 8, D2D, foreign)
    w.refuse(107003, copy, there, 8, pinned, 8, H2D, foreign)


@order("a copy at once: nothing to do, NULL and kind, destMax, context, range")
def _(w: World) -> None:
    here = w.host()

    def alone() -> None:
        w.ok("aclrtMemcpy", None, 0, None, 0, 99)
        w.refuse(100000, "aclrtMemcpy", here, 1, here, 8, 99)
        w.refuse(107000, "aclrtMemcpy", here, 1, STALE, 8, DEFAULT)
        w.refuse(107002, "aclrtMemcpy", here, 8, STALE, 8, DEFAULT)

    w.in_thread(alone)
    w.refuse(107000, "aclrtMemcpy", here, 8, STALE, 8, DEFAULT)


@order("a set at once: the context before the range; a queued one: the range before the context")
def _(w: World) -> None:
    there = w.device()

    def alone() -> None:
        w.refuse(107002, "aclrtMemset", there, 4, 0, 8)
        w.refuse(107000, "aclrtMemsetAsync", there, 4, 0, 8, 0)
        w.refuse(107017, "aclrtMemsetAsync", there, 4, 0, 8, STALE)
        w.refuse(100000, "aclrtMemsetAsync", None, 4, 0, 8, STALE)

    w.in_thread(alone)


@order("allocations: size, then the context, then attributes", devices=2)
def _(w: World) -> None:
    def alone() -> None:
        w.refuse(100000, "aclrtMalloc", 0, 0)
        w.refuse(100000, "aclrtMallocWithCfg", 0, 0, no_list(1))
        w.refuse(100000, "aclrtMallocWithCfg", 64, 0, no_list(1))
        w.refuse(107002, "aclrtMallocWithCfg", 64, 0, config((100, 0)))
        w.refuse(107002, "aclrtMallocWithCfg", 64, 0, config((2, 1)))
        w.refuse(107016, "aclrtGetMemInfo", 99)

    w.in_thread(alone)
    w.refuse(107000, "aclrtMallocWithCfg", 64, 0, config((100, 0)))


@order("rows: nothing to do, NULL and pitch and kind, then limits, then the context")
def _(w: World) -> None:
    here, there = w.host(), w.device()

    def alone() -> None:
        w.ok("aclrtMemcpy2d", None, 0, None, 0, 0, 9, 99)
        w.refuse(100000, "aclrtMemcpy2d", there, 1, here, 1, 8, 5_242_881, H2D)
        w.refuse(107000, "aclrtMemcpy2d", there, 8, here, 8, 8, 5_242_881, H2D)
        w.refuse(107002, "aclrtMemcpy2d", there, 8, here, 8, 8, 2, H2D)
        w.refuse(107017, "aclrtMemcpy2dAsync", there, 8, here, 8, 8, 5_242_881, H2D, STALE)

    w.in_thread(alone)


@order("32-bit sets: NULL, alignment, size and place in the acl layer, then the context")
def _(w: World) -> None:
    there = w.device()

    def alone() -> None:
        w.refuse(100000, "aclrtMemsetD32", there + 1, 16, 0, 4)
        w.refuse(100000, "aclrtMemsetD32", there, 8, 0, 4)
        w.refuse(100000, "aclrtMemsetD32Async", w.host(), 16, 0, 4, STALE)
        w.refuse(107002, "aclrtMemsetD32", there, 16, 0, 4)

    w.in_thread(alone)


@order("registrations: NULL, then flags, then the context")
def _(w: World) -> None:
    here = w.host()

    def alone() -> None:
        w.refuse(100000, "aclrtHostRegister", 0, 8, 99)
        w.refuse(207000, "aclrtHostRegister", here, 8, 1)
        w.refuse(107000, "aclrtHostRegisterV2", here, 8, 0)
        w.refuse(100000, "aclrtHostGetDevicePointer", here, 1)
        w.refuse(107002, "aclrtHostGetDevicePointer", here, 0)

    w.in_thread(alone)


@order("value operations: NULL, a dead stream, the flag, the place")
def _(w: World) -> None:
    there, foreign = w.device(), w.foreign_stream()
    for name, bad in (("aclrtValueWrite", 1), ("aclrtValueWait", 4)):
        w.refuse(100000, name, 0, 1, bad, STALE)
        w.refuse(107017, name, there, 1, bad, STALE)
        w.refuse(107000, name, there, 1, bad, foreign)
        w.refuse(107003, name, there, 1, 0, foreign)


@order("a block of a pool: NULLs, nothing to do, dead stream, context, foreign stream, size, pool, room")
def _(w: World) -> None:
    handle, stream, foreign = pool(w, 4 << 20), w.stream(), w.foreign_stream()
    malloc, most = "aclrtMemPoolMallocAsync", 2**64 - 1
    w.refuse(100000, malloc, 0, None, STALE)
    w.refuse(100000, malloc, 0, STALE, None)
    w.ok(malloc, 0, STALE, STALE)
    w.refuse(107017, malloc, most, STALE, STALE)
    w.in_thread(lambda: w.refuse(107002, malloc, most, STALE, stream))
    w.refuse(107003, malloc, most, STALE, foreign)
    w.refuse(107000, malloc, most, STALE, stream)
    w.refuse(507000, malloc, most >> 1, STALE, stream)
    w.refuse(507000, malloc, 5 << 20, handle, stream)


@order("giving back: NULL, dead stream, no stream, context, foreign stream, address")
def _(w: World) -> None:
    handle, stream, foreign = pool(w), w.stream(), w.foreign_stream()
    inside = w.ok("aclrtMemPoolMallocAsync", 64, handle, stream) + 1
    free = "aclrtMemPoolFreeAsync"
    w.refuse(100000, free, None, STALE)
    w.refuse(107017, free, inside, STALE)
    w.in_thread(lambda: w.refuse(507000, free, inside, None))
    w.in_thread(lambda: w.refuse(107002, free, inside, stream))
    w.refuse(107003, free, inside, foreign)
    w.refuse(107000, free, inside, stream)


@order("a pool: NULL, properties, device, context, size, product", soc="Ascend310P3")
def _(w: World) -> None:
    create, huge = "aclrtMemPoolCreate", 2**62
    w.refuse(100000, create, None)
    w.refuse(100000, create, props(huge, allocType=1, location=structs.aclrtMemLocation(9, 1)))
    w.refuse(107001, create, props(huge, location=structs.aclrtMemLocation(9, 1)))
    w.in_thread(lambda: w.refuse(107002, create, props(huge)))
    w.refuse(107000, create, props(huge))
    w.refuse(207000, create, props())


@order("attributes of a pool: NULL pool, NULL value, unknown pool, read-only, unknown attribute, value")
def _(w: World) -> None:
    handle, value = pool(w), number(2**63)
    w.refuse(100000, "aclrtMemPoolSetAttr", None, RESERVED, None)
    w.refuse(107000, "aclrtMemPoolSetAttr", STALE, 99, None)
    w.refuse(107000, "aclrtMemPoolSetAttr", handle, 99, None)
    w.refuse(107000, "aclrtMemPoolSetAttr", STALE, 99, value)
    w.refuse(107000, "aclrtMemPoolSetAttr", handle, RESERVED, value)
    w.refuse(507000, "aclrtMemPoolSetAttr", handle, 99, value)
    w.refuse(507000, "aclrtMemPoolSetAttr", handle, THRESHOLD, value)


@pytest.mark.parametrize("text", list(order.cases))
def test_order(text: str) -> None:
    order.run(text)
