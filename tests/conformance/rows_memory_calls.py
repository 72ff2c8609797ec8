"""Rows about all memory calls: layers, handles, contexts, driver codes (docs/semantics/layers.md#the-four-layers)."""

from __future__ import annotations

from tests.conformance.registry import row
from tests.conformance.world import D2D, H2D, HUGE_FIRST, MS, STALE, World


@row("memory-0001")
def what_the_acl_layer_tests(w: World) -> None:
    here, there = w.host(), w.device()
    for name, *inputs in (
        ("aclrtMalloc", 0, HUGE_FIRST),
        ("aclrtMallocHost", 0),
        ("aclrtFree", 0),
        ("aclrtFreeHost", 0),
        ("aclrtMemcpy", 0, 8, here, 8, H2D),
        ("aclrtMemcpy", there, 8, 0, 8, H2D),
        ("aclrtMemcpyAsync", there, 8, 0, 8, H2D, STALE),
        ("aclrtMemset", 0, 8, 0, 8),
        ("aclrtPointerGetAttributes", 0),
        ("aclrtMemFlush", there, 0),
    ):
        w.expect(name, *inputs)
    w.ok("aclrtPeekAtLastError", 0)


@row("memory-0002")
def codes_of_the_runtime_pass_through(w: World) -> None:
    w.refuse(207001, "aclrtMalloc", 1 << 60, HUGE_FIRST)
    w.refuse(107000, "aclrtFree", STALE)
    w.refuse(107016, "aclrtGetMemInfo", 99)
    w.refuse(107017, "aclrtMemcpyAsync", w.device(), 8, w.pinned(), 8, H2D, STALE)
    w.refuse(507911, "aclrtHostUnregister", w.host())
    w.in_thread(lambda: w.refuse(107002, "aclrtMalloc", 64, HUGE_FIRST))


@row("memory-0003")
def dead_streams(w: World) -> None:
    stream, event = w.stream(), w.auto()
    w.ok("aclrtDestroyStream", stream)
    there, pinned = w.device(), w.pinned()
    for handle in (stream, event, STALE):
        w.expect("aclrtMemcpyAsync", there, 8, pinned, 8, H2D, handle)
        w.expect("aclrtMemcpyAsyncWithCondition", there, 8, pinned, 8, H2D, handle)
        w.expect("aclrtMemcpy2dAsync", there, 8, pinned, 8, 8, 1, H2D, handle)
        w.expect("aclrtMemsetAsync", there, 8, 0, 8, handle)
        w.expect("aclrtMemsetD32Async", there, 8, 0, 2, handle)
        w.expect("aclrtValueWrite", there, 1, 0, handle)


@row("memory-0004")
def null_is_the_default_stream(w: World) -> None:
    there, other, pinned, ran = w.device(fill=1), w.device(fill=2), w.pinned(fill=3), []
    w.work(w.default_stream(), 5 * MS, ran)
    w.ok("aclrtMemsetAsync", there, 8, 7, 8, 0)
    w.ok("aclrtMemcpyAsync", other, 8, pinned, 8, H2D, None)
    w.same(w.peek(there), b"\1", "the byte before the default stream came to it")
    w.ok("aclrtSynchronizeStream", 0)
    w.same((w.peek(there), w.peek(other), len(ran)), (b"\7", b"\3", 1), "bytes and tasks behind the work")


@row("memory-0005")
def no_context(w: World) -> None:
    there, other, pinned = w.device(), w.device(), w.pinned()

    def calls() -> None:
        for name, *inputs in (
            ("aclrtMalloc", 64, HUGE_FIRST),
            ("aclrtMallocAlign32", 64, HUGE_FIRST),
            ("aclrtMallocCached", 64, 2),
            ("aclrtMallocHost", 64),
            ("aclrtMemcpy", there, 8, pinned, 8, H2D),
            ("aclrtMemcpyAsync", there, 8, pinned, 8, H2D, 0),
            ("aclrtMemset", there, 8, 0, 8),
            ("aclrtMemsetAsync", there, 8, 0, 8, 0),
            ("aclrtMemcpy2d", there, 8, pinned, 8, 8, 1, H2D),
            ("aclrtMemcpy2dAsync", there, 8, other, 8, 8, 1, D2D, 0),
            ("aclrtGetMemInfo", 1),
            ("aclrtHostRegister", w.host(), 8, 0),
        ):
            w.expect(name, *inputs)

    w.in_thread(calls)


@row("memory-0006")
def foreign_stream(w: World) -> None:
    foreign, there, other, pinned = w.foreign_stream(), w.device(), w.device(), w.pinned()
    w.expect("aclrtMemcpyAsync", there, 8, pinned, 8, H2D, foreign)
    w.expect("aclrtMemcpyAsync", there, 8, other, 8, D2D, foreign)
    w.expect("aclrtMemcpy2dAsync", there, 8, pinned, 8, 8, 1, H2D, foreign)
    w.expect("aclrtMemsetAsync", there, 8, 0, 8, foreign)
    w.expect("aclrtMemsetD32Async", there, 8, 0, 2, foreign)
    w.ok("aclrtMemcpyAsync", there, 8, w.host(), 8, H2D, foreign)


@row("memory-0007")
def driver_says_invalid(w: World) -> None:
    w.expect("aclrtFree", 0x1234)
    w.expect("aclrtMemset", STALE, 8, 0, 8)


@row("memory-0008", limits={"memory": 1 << 20, "host_memory": 1 << 20})
def driver_says_out_of_memory(w: World) -> None:
    w.expect("aclrtMalloc", 2 << 20, HUGE_FIRST)
    w.expect("aclrtMallocHost", 2 << 20)


@row("memory-0010")
def driver_code_without_a_mapping(w: World) -> None:
    address = w.device()
    w.ok("aclrtFree", address)
    w.expect("aclrtPointerGetAttributes", address)
