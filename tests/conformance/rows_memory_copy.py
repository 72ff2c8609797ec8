"""Chapter 11-03: copies (docs/semantics/copies.md)."""

from __future__ import annotations

from tests.conformance.registry import row, rows
from tests.conformance.world import D2D, D2H, DEFAULT, H2D, H2H, MS, STALE, World

BUFFERED = 5
ALL_KINDS = (H2H, H2D, D2H, D2D, DEFAULT)
BAD_KINDS = (6, 7, 99, 0x7FFFFFFF)

COPIES = ("aclrtMemcpy", "aclrtMemcpyAsync", "aclrtMemcpyAsyncWithCondition")


def tail(name: str, stream: int = 0) -> tuple[int, ...]:
    """The arguments behind the kind."""
    return () if name == "aclrtMemcpy" else (stream,)


@rows(
    ("memory-0110", "aclrtMemcpy"),
    ("memory-0121", "aclrtMemcpyAsync"),
    ("memory-0141", "aclrtMemcpyAsyncWithCondition"),
    ("memory-case-025", "aclrtMemcpy"),
    ("memory-case-026", "aclrtMemcpy"),
    ("memory-case-031", "aclrtMemcpyAsync"),
    ("memory-case-032", "aclrtMemcpyAsync"),
    bare=True,
)
def nothing_to_copy(w: World, name: str) -> None:
    for kind in (*ALL_KINDS, *BAD_KINDS):
        w.ok(name, None, 0, None, 0, kind, *tail(name, STALE))
    w.ok(name, STALE, 0, STALE, 0, H2D, *tail(name))


@row("memory-case-037", bare=True)
def nothing_to_do_on_a_bogus_stream(w: World) -> None:
    w.ok("aclrtMemcpyAsync", None, 0, None, 0, H2H, 0x10)
    w.ok("aclrtMemcpyAsyncWithCondition", None, 0, None, 0, H2H, 0x10)
    w.ok("aclrtMemset", None, 0, 1, 0)
    w.ok("aclrtMemsetAsync", None, 0, 1, 0, 0x10)


@rows(
    ("memory-0111", "aclrtMemcpy"),
    ("memory-0122", "aclrtMemcpyAsync"),
    ("memory-0142", "aclrtMemcpyAsyncWithCondition"),
    ("memory-case-028", "aclrtMemcpy"),
    ("memory-case-034", "aclrtMemcpyAsync"),
    ("memory-case-049", "aclrtMemcpyAsyncWithCondition"),
    bare=True,
)
def null_pointers(w: World, name: str) -> None:
    here = w.host()
    for kind in ALL_KINDS:
        w.refuse(100000, name, None, 8, here, 8, kind, *tail(name, STALE))
        w.refuse(100000, name, here, 8, None, 8, kind, *tail(name, STALE))
    w.refuse(100000, name, None, 0, here, 8, H2D, *tail(name))  # NULL before destMax
    if name == "aclrtMemcpyAsyncWithCondition":
        w.refuse(100000, name, here, 8, here, 8, 99, *tail(name))


@rows(
    ("memory-0112", "aclrtMemcpy"),
    ("memory-0123", "aclrtMemcpyAsync"),
    ("memory-case-050", "aclrtMemcpyAsyncWithCondition"),
    bare=True,
)
def bad_kinds(w: World, name: str) -> None:
    here, there = w.host(), w.host()
    for kind in BAD_KINDS:
        w.refuse(100000, name, here, 8, there, 8, kind, *tail(name, STALE))
        w.refuse(100000, name, here, 1, there, 8, kind, *tail(name, STALE))  # before destMax


@rows(("memory-0113", "aclrtMemcpy"), ("memory-0124", "aclrtMemcpyAsync"), bare=True)
def too_small_a_destination(w: World, name: str) -> None:
    here, there = w.host(), w.host()
    for most, count in ((0, 1), (7, 8), (0, 8)):
        w.expect(name, here, most, there, count, H2D, *tail(name))  # before the context


@row("memory-0114", bare=True)
def same_pointer(w: World) -> None:
    here = w.host()
    w.expect("aclrtMemcpy", here, 8, here, 8, H2H)
    w.expect("aclrtMemcpy", STALE, 8, STALE, 8, D2D)


@rows(("memory-0115", "aclrtMemcpy"), ("memory-0125", "aclrtMemcpyAsync"), ("stream-0466", "aclrtMemcpy"), bare=True)
def no_context(w: World, name: str) -> None:
    w.expect(name, w.host(), 8, w.host(), 8, H2D, *tail(name))


@row("memory-0116")
def the_kind_does_not_matter_to_the_synchronous_copy(w: World) -> None:
    there, back = w.device(fill=0), w.host()
    for kind in (*ALL_KINDS, BUFFERED):
        source = w.host(8, fill=kind + 1)
        w.expect("aclrtMemcpy", there, 8, source, 8, kind)
        w.expect("aclrtMemcpy", back, 8, there, 8, kind)
        w.same(w.read(back), bytes([kind + 1]), "the byte")


@row("memory-0117")
def leaving_the_block(w: World) -> None:
    there, here, freed = w.ok("aclrtMallocAlign32", 64, 0), w.host(4096), w.device()
    w.ok("aclrtFree", freed)
    w.expect("aclrtMemcpy", there, 128, here, 65, H2D)
    w.expect("aclrtMemcpy", here, 128, there + 32, 64, D2H)
    w.expect("aclrtMemcpy", freed, 8, here, 8, H2D)
    w.expect("aclrtMemcpy", there + (1 << 30), 8, here, 8, H2D)
    w.ok("aclrtMemcpy", there, 64, here, 64, H2D)


@row("memory-0126")
def queued_on_a_foreign_stream(w: World) -> None:
    foreign, there, other, pinned = w.foreign_stream(), w.device(), w.device(), w.pinned()
    w.expect("aclrtMemcpyAsync", there, 8, pinned, 8, H2D, foreign)
    w.expect("aclrtMemcpyAsync", pinned, 8, there, 8, D2H, foreign)
    w.expect("aclrtMemcpyAsync", there, 8, other, 8, D2D, foreign)


@row("memory-0127")
def pageable_on_a_foreign_stream(w: World) -> None:
    foreign, there, here, ran = w.foreign_stream(), w.device(fill=1), w.host(8, fill=9), []
    mine = w.ok("aclrtGetCurrentContext")
    w.work(foreign, 5 * MS, ran)
    w.expect("aclrtMemcpyAsync", there, 8, here, 8, H2D, foreign)
    w.same((len(ran), w.peek(there)), (1, b"\x09"), "tasks done and the byte, when the copy returns")
    w.same(w.ok("aclrtGetCurrentContext"), mine, "the context")


@row("memory-0128")
def dead_stream(w: World) -> None:
    stream, there, pinned = w.stream(), w.device(), w.pinned()
    w.ok("aclrtDestroyStream", stream)
    w.expect("aclrtMemcpyAsync", there, 8, pinned, 8, H2D, stream)
    w.expect("aclrtMemcpyAsync", there, 0, pinned, 8, H2D, stream)  # before destMax


@row("memory-0129")
def host_to_host(w: World) -> None:
    stream, plain, other = w.stream(), w.host(), w.host()
    registered = w.pages()
    w.ok("aclrtHostRegister", registered, 4096, 0)
    locked = (w.pinned(), w.pinned(), registered)
    for kind in ALL_KINDS:
        w.expect("aclrtMemcpyAsync", locked[0], 8, locked[1], 8, kind, stream)
        w.expect("aclrtMemcpyAsync", locked[2], 8, locked[1], 8, kind, stream)
    for kind in (H2H, DEFAULT):
        w.expect("aclrtMemcpyAsync", locked[0], 8, plain, 8, kind, stream)
        w.expect("aclrtMemcpyAsync", plain, 8, locked[0], 8, kind, stream)
        w.expect("aclrtMemcpyAsync", plain, 8, other, 8, kind, stream)


@row("memory-0130")
def wrong_kinds_are_corrected(w: World) -> None:
    stream, there, other, pinned = w.stream(), w.device(fill=0), w.device(fill=0), w.pinned(fill=0)
    for kind in ALL_KINDS:
        source = w.pinned(fill=kind + 1)
        for dst, src in ((there, source), (other, there), (pinned, other)):
            w.expect("aclrtMemcpyAsync", dst, 8, src, 8, kind, stream)
        w.ok("aclrtSynchronizeStream", stream)
        w.same(w.read(pinned), bytes([kind + 1]), f"the byte with kind {kind}")


@rows(
    ("memory-0131", "to the device", (H2H, D2H), (H2D, D2D, DEFAULT)),
    ("memory-0132", "from the device", (H2H, H2D), (D2H, D2D, DEFAULT)),
)
def kinds_of_pageable_copies(w: World, way: str, bad: tuple[int, ...], good: tuple[int, ...]) -> None:
    stream, there, here = w.stream(), w.device(), w.host()
    dst, src = (there, here) if way == "to the device" else (here, there)
    for kind in bad:
        w.expect("aclrtMemcpyAsync", dst, 8, src, 8, kind, stream)
    for kind in good:
        w.ok("aclrtMemcpyAsync", dst, 8, src, 8, kind, stream)


@row("memory-0133")
def kinds_between_host_memories(w: World) -> None:
    stream, pinned, here = w.stream(), w.pinned(fill=4), w.host(8)
    for kind in (D2H, D2D):
        w.expect("aclrtMemcpyAsync", here, 8, pinned, 8, kind, stream)
    for kind in (H2D, D2D):
        w.expect("aclrtMemcpyAsync", pinned, 8, here, 8, kind, stream)
    w.ok("aclrtMemcpyAsync", here, 8, pinned, 8, H2D, stream)
    w.same(w.read(here), b"\4", "the byte")
    w.ok("aclrtMemcpyAsync", pinned, 8, here, 8, D2H, stream)


@rows(("memory-0134",), ("stream-0463",))
def pageable_copies_wait(w: World) -> None:
    stream, there, here, ran = w.stream(), w.device(fill=1), w.host(8, fill=6), []
    w.work(stream, 5 * MS, ran)
    w.expect("aclrtMemcpyAsync", there, 8, here, 8, H2D, stream)
    w.same((len(ran), w.peek(there)), (1, b"\6"), "tasks done and the byte, when the copy returns")
    back = w.host(8)
    w.work(stream, 5 * MS, ran)
    w.expect("aclrtMemcpyAsync", back, 8, there, 8, D2H, stream)
    w.same((len(ran), w.read(back)), (2, b"\6"), "tasks done and the byte, when the copy returns")


@row("stream-0464")
def pageable_copies_return_earlier_failures(w: World) -> None:
    stream, there, here = w.stream(), w.device(fill=1), w.host(8, fill=6)
    w.fault(stream, 507015)
    w.refuse(507015, "aclrtMemcpyAsync", there, 8, here, 8, H2D, stream)
    w.same(w.peek(there), b"\1", "the byte: nothing was copied")
    w.ok("aclrtMemcpyAsync", there, 8, here, 8, H2D, stream)


@row("stream-0465")
def the_synchronous_copy_waits_for_nothing(w: World) -> None:
    stream, there, ran = w.stream(), w.device(fill=1), []
    for handle in (stream, w.default_stream()):
        w.work(handle, 5 * MS, ran)
    w.expect("aclrtMemcpy", there, 8, w.host(8, fill=2), 8, H2D)
    w.same((len(ran), w.peek(there)), (0, b"\2"), "tasks waited for, and the byte")


@row("memory-0137")
def pinned_copies_read_late(w: World) -> None:
    import ctypes

    stream, there, pinned, ran = w.stream(), w.device(fill=1), w.pinned(fill=2), []
    w.work(stream, 5 * MS, ran)
    w.expect("aclrtMemcpyAsync", there, 8, pinned, 8, H2D, stream)
    w.same(len(ran), 0, "tasks waited for")
    ctypes.memset(pinned, 3, 8)
    w.ok("aclrtSynchronizeStream", stream)
    w.same(w.peek(there), b"\3", "the byte: read when the task ran")


@row("memory-0138")
def no_alignment(w: World) -> None:
    stream, there, pinned = w.stream(), w.device(), w.pinned(fill=5)
    w.expect("aclrtMemcpyAsync", there + 3, 7, pinned + 1, 7, H2D, stream)
    w.expect("aclrtMemcpyAsync", there + 77, 1, there + 5, 1, D2D, stream)
    w.ok("aclrtSynchronizeStream", stream)
    w.same(w.peek(there + 77), b"\5", "the byte")


@row("memory-0139")
def same_pointer_async(w: World) -> None:
    stream, there, pinned, freed = w.stream(), w.device(), w.pinned(), w.device()
    w.expect("aclrtMemcpyAsync", there, 8, there, 8, D2D, stream)
    w.same(w.ok("aclrtStreamQuery", stream), 0, "the status: nothing was queued")
    w.refuse(207000, "aclrtMemcpyAsync", pinned, 8, pinned, 8, H2H, stream)  # the places are looked at first
    w.ok("aclrtFree", freed)
    w.refuse(507899, "aclrtMemcpyAsync", freed, 8, freed, 8, D2D, stream)


@row("memory-0140")
def freed_memory(w: World) -> None:
    stream, freed, there, pinned = w.stream(), w.device(), w.device(), w.pinned()
    w.ok("aclrtFree", freed)
    w.expect("aclrtMemcpyAsync", freed, 8, pinned, 8, H2D, stream)
    w.expect("aclrtMemcpyAsync", pinned, 8, freed, 8, D2H, stream)
    w.expect("aclrtMemcpyAsync", there, 8, freed, 8, D2D, stream)


@row("memory-0143", switches={"pinned_detection": "no"})
def a_driver_that_cannot_tell(w: World) -> None:
    w.expect("aclrtMemcpyAsyncWithCondition", w.device(), 8, w.pinned(), 8, H2D, w.stream())


@row("memory-0119", faces="c")
def copies_during_a_task_abort(w: World) -> None:
    there, here = w.device(), w.host()

    def aborting(*_: object) -> None:
        w.expect("aclrtMemcpy", there, 8, here, 8, H2D)

    w.ok("aclrtSetDeviceTaskAbortCallback", "mine", aborting, 0)
    w.ok("aclrtDeviceTaskAbort", 0, 1000)
    w.ok("aclrtMemcpy", there, 8, here, 8, H2D)


# -- 2-D ---------------------------------------------------------------------------------------------------------------


@rows(
    ("memory-0164", "aclrtMemcpy2d"),
    ("memory-case-059", "aclrtMemcpy2d"),
    ("memory-case-064", "aclrtMemcpy2dAsync"),
    bare=True,
)
def no_rows(w: World, name: str) -> None:
    rest = () if name == "aclrtMemcpy2d" else (STALE,)
    for width, height in ((0, 4), (2, 0), (0, 0)):
        for kind in (H2D, H2H, 99):
            w.ok(name, None, 0, None, 0, width, height, kind, *rest)


@rows(
    ("memory-0165", "aclrtMemcpy2d"),
    ("memory-0168", "aclrtMemcpy2dAsync"),
    ("memory-case-058", "aclrtMemcpy2d"),
    ("memory-case-061", "aclrtMemcpy2d"),
    ("memory-case-062", "aclrtMemcpy2d"),
    ("memory-case-065", "aclrtMemcpy2dAsync"),
    ("memory-case-068", "aclrtMemcpy2dAsync"),
)
def bad_rows(w: World, name: str) -> None:
    there, here = w.device(), w.host()
    rest = () if name == "aclrtMemcpy2d" else (STALE,)
    for inputs in (
        (None, 16, here, 16, 8, 2, H2D),
        (there, 16, None, 16, 8, 2, H2D),
        (there, 7, here, 16, 8, 2, H2D),
        (there, 16, here, 7, 8, 2, H2D),
        (there, 16, here, 16, 8, 2, H2H),
        (there, 16, here, 16, 8, 2, BUFFERED),
        (there, 16, here, 16, 8, 2, 99),
    ):
        w.refuse(100000, name, *inputs, *rest)
    if name == "aclrtMemcpy2dAsync":
        w.ok(name, there, 16, w.device(), 16, 8, 2, D2D, w.stream())


@row("memory-0166")
def too_many_rows(w: World) -> None:
    there, here = w.device(), w.host()
    w.expect("aclrtMemcpy2d", there, 16, here, 16, 8, 5_242_881, H2D)
    w.expect("aclrtMemcpy2d", there, 6_000_000, here, 6_000_000, 5_000_001, 1, H2D)


@row("memory-0167")
def rows_between_device_blocks(w: World) -> None:
    w.expect("aclrtMemcpy2d", w.device(), 16, w.device(), 16, 8, 2, D2D)


@row("memory-case-067")
def queued_rows_between_device_blocks(w: World) -> None:
    source, target, stream = w.device(fill=8), w.device(fill=0), w.stream()
    w.ok("aclrtMemcpy2dAsync", target, 32, source, 16, 8, 3, D2D, stream)
    w.ok("aclrtSynchronizeStream", stream)
    w.same(w.peek(target + 64, 9), b"\x08" * 8 + b"\0", "the third row and the byte behind it")


@row("memory-case-029")
def every_kind(w: World) -> None:
    there = w.device()
    for kind in (*ALL_KINDS, BUFFERED):
        w.ok("aclrtMemcpy", there, 1, w.host(), 1, kind)


@row("memory-case-035")
def queued_copy_on_the_default_stream(w: World) -> None:
    w.ok("aclrtMemcpyAsync", w.device(), 1, w.pinned(), 1, H2D, 0)
