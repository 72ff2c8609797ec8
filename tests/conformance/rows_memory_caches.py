"""Chapter 11-06: operations on caches (docs/semantics/memory.md#caches)."""

from __future__ import annotations

from ascend_sim.ascendcl import structs
from tests.conformance.registry import row
from tests.conformance.world import STALE, World

PREFETCH, WRITE_BACK, INVALID, FLUSH = range(4)
SMALL = "Ascend310B1"
"""The product with barriers."""


def barrier(*entries: tuple[int, int]) -> structs.aclrtBarrierTaskInfo:
    """What aclrtCmoWaitBarrier is given: (type, number) each."""
    return structs.aclrtBarrierTaskInfo(len(entries), [structs.aclrtBarrierCmoInfo(*entry) for entry in entries])


@row("memory-0250")
def prefetching_nothing(w: World) -> None:
    w.expect("aclrtCmoAsync", 0, 64, PREFETCH, STALE)
    w.expect("aclrtCmoAsync", w.device(), 0, PREFETCH, STALE)
    w.ok("aclrtCmoAsync", w.device(), 64, PREFETCH, w.stream())


@row("memory-0251")
def types_that_the_chip_lacks(w: World) -> None:
    for kind in (WRITE_BACK, INVALID, FLUSH, 9):
        w.expect("aclrtCmoAsync", w.device(), 64, kind, w.stream())


@row("memory-0252")
def barrier_of_nothing(w: World) -> None:
    w.expect("aclrtCmoAsyncWithBarrier", 0, 64, INVALID, 1, STALE)


@row("memory-0253", soc=SMALL)
def barrier_numbers(w: World) -> None:
    there, stream = w.device(), w.stream()
    w.expect("aclrtCmoAsyncWithBarrier", there, 0, INVALID, 1, stream)
    w.expect("aclrtCmoAsyncWithBarrier", there, 64, INVALID, 0, stream)
    for kind in (PREFETCH, WRITE_BACK, FLUSH):
        w.expect("aclrtCmoAsyncWithBarrier", there, 64, kind, 1, stream)
        w.ok("aclrtCmoAsyncWithBarrier", there, 64, kind, 0, stream)
    w.ok("aclrtCmoAsyncWithBarrier", there, 64, INVALID, 1, stream)
    w.ok("aclrtCmoWaitBarrier", barrier((INVALID, 1)), stream, 0)


@row("memory-0254", faces="c")
def waiting_for_nothing(w: World) -> None:
    w.expect("aclrtCmoWaitBarrier", None, w.stream(), 0)
    w.expect("aclrtCmoWaitBarrier", barrier(), w.stream(), 0)
    w.expect("aclrtCmoWaitBarrier", barrier(*[(INVALID, 1)] * 7), w.stream(), 0)


@row("memory-0255", faces="c")
def waiting_for_what_has_no_number(w: World) -> None:
    w.expect("aclrtCmoWaitBarrier", barrier((PREFETCH, 1)), w.stream(), 0)
    w.expect("aclrtCmoWaitBarrier", barrier((INVALID, 1), (INVALID, 0)), w.stream(), 0)


@row("memory-0256")
def describing_nothing(w: World) -> None:
    desc = w.device(w.ok("aclrtCmoGetDescSize"))
    w.expect("aclrtCmoSetDesc", desc, 0, 64)
    w.expect("aclrtCmoSetDesc", desc, w.device(), 0)
    w.expect("aclrtCmoSetDesc", 0, w.device(), 64)
    w.ok("aclrtCmoSetDesc", desc, w.device(), 64)
    w.ok("aclrtCmoAsyncWithDesc", desc, PREFETCH, w.stream(), 0)


@row("memory-case-106")
def prefetch_null(w: World) -> None:
    w.refuse(100000, "aclrtCmoAsync", 0, 64, PREFETCH, w.stream())


@row("memory-case-107")
def prefetch_no_bytes(w: World) -> None:
    w.refuse(100000, "aclrtCmoAsync", w.device(), 0, PREFETCH, w.stream())


@row("memory-case-139")
def barrier_null(w: World) -> None:
    w.refuse(100000, "aclrtCmoAsyncWithBarrier", 0, 64, INVALID, 1, w.stream())
