"""Chapter 11-03: descriptors of copies."""

from __future__ import annotations

from tests.conformance.registry import row, rows
from tests.conformance.rows_memory_copy import ALL_KINDS, BUFFERED
from tests.conformance.world import World

INNER = 6


@row("memory-0177")
def descriptor_size_of_no_kind(w: World) -> None:
    for kind in (8, 9, 100):
        w.expect("aclrtGetMemcpyDescSize", kind)


@rows(("memory-0178", "aclrtGetMemcpyDescSize"), ("memory-0179", "aclrtSetMemcpyDesc"))
def descriptors_of_other_kinds(w: World, name: str) -> None:
    there = w.device(fill=0)
    for kind in (*ALL_KINDS, BUFFERED, 7):
        inputs = (kind,) if name == "aclrtGetMemcpyDescSize" else (there, kind, there, there, 8, 0)
        w.expect(name, *inputs)
    w.ok("aclrtGetMemcpyDescSize", INNER)


@rows(("memory-0180",), ("memory-case-109",))
def descriptor_refusals(w: World) -> None:
    desc, src, dst = w.device(), w.device(), w.device()
    for inputs in (
        (0, INNER, src, dst, 8, 0),
        (desc, INNER, 0, dst, 8, 0),
        (desc, INNER, src, 0, 8, 0),
        (desc, INNER, src, dst, 0, 0),
    ):
        w.refuse(100000, "aclrtSetMemcpyDesc", *inputs)
    if w.row.name == "memory-0180":
        w.refuse(100000, "aclrtSetMemcpyDesc", desc, INNER, src, dst, 8, desc)


@row("memory-0181", devices=2)
def bad_descriptors(w: World) -> None:
    desc, src, dst = w.device(), w.device(), w.device()
    w.ok("aclrtSetDevice", 1)
    far = w.device()
    w.ok("aclrtSetDevice", 0)
    for inputs in (
        (desc + 32, INNER, src, dst, 8, 0),
        (w.host(4096) // 64 * 64 + 64, INNER, src, dst, 8, 0),
        (desc, INNER, src, far, 8, 0),
        (desc, INNER, src, dst, (4 << 30) + 1, 0),
    ):
        w.expect("aclrtSetMemcpyDesc", *inputs)
    w.ok("aclrtSetMemcpyDesc", desc, INNER, src, dst, 8, 0)


@row("memory-0182")
def copies_without_a_descriptor(w: World) -> None:
    w.expect("aclrtMemcpyAsyncWithDesc", 0, INNER, w.stream())
    w.expect("aclrtMemcpyAsyncWithDesc", w.device(), INNER, 0)
