"""Chapters 11-08 and 25-03: custom allocators by stream (docs/semantics/allocators.md#the-registry)."""

from __future__ import annotations

from typing import Any

from tests.conformance.registry import row, rows
from tests.conformance.world import STALE, World

SETTERS = {
    "obj": "aclrtAllocatorSetObjToDesc",
    "alloc": "aclrtAllocatorSetAllocFuncToDesc",
    "free": "aclrtAllocatorSetFreeFuncToDesc",
    "advise": "aclrtAllocatorSetAllocAdviseFuncToDesc",
    "get": "aclrtAllocatorSetGetAddrFromBlockFuncToDesc",
}
OBJECT = 0x1234


def allocate(obj: Any, size: int) -> int:
    return size


def allocate_otherwise(obj: Any, size: int) -> int:
    return size + 1


def release(obj: Any, block: int) -> None:
    return None


def advise(obj: Any, size: int, address: int) -> int:
    return size


def address_of(block: int) -> int:
    return block


VALUES = {"obj": OBJECT, "alloc": allocate, "free": release, "advise": advise, "get": address_of}


def desc(w: World, *fields: str) -> int:
    """A descriptor with these fields set."""
    made = int(w.value("aclrtAllocatorCreateDesc"))
    for field in fields:
        w.ok(SETTERS[field], made, VALUES[field])
    return made


def complete(w: World) -> int:
    """A descriptor with every field set."""
    return desc(w, *SETTERS)


def registered(w: World, stream: int, made: int) -> None:
    """What a stream has is what *made* was given."""
    w.same(w.ok("aclrtAllocatorGetByStream", stream), (made, *VALUES.values()), "the registration")


@row("memory-0262", bare=True)
def create(w: World) -> None:
    made = w.value("aclrtAllocatorCreateDesc")
    w.same(bool(made), True, "a handle")
    w.ok("aclrtAllocatorDestroyDesc", made)


@row("memory-0264", bare=True)
def destroy_null(w: World) -> None:
    w.expect("aclrtAllocatorDestroyDesc", 0)


@row("memory-0265", bare=True)
def destroy_twice(w: World) -> None:
    """Undefined: here a code and a finding."""
    made = desc(w)
    w.ok("aclrtAllocatorDestroyDesc", made)
    w.refuse(100000, "aclrtAllocatorDestroyDesc", made)
    w.same([f.kind for f in w.sim.findings], ["undefined-use"], "the findings")


@row("memory-0266")
def destroy_while_registered(w: World) -> None:
    stream, made = w.stream(), complete(w)
    w.ok("aclrtAllocatorRegister", stream, made)
    w.expect("aclrtAllocatorDestroyDesc", made)
    registered(w, stream, made)


@rows(
    ("memory-0267", "obj"),
    ("memory-0268", "alloc"),
    ("memory-0269", "free"),
    ("memory-0270", "advise"),
    ("memory-0271", "get"),
    bare=True,
    faces="c",
)
def set_null(w: World, field: str) -> None:
    made = desc(w)
    w.expect(SETTERS[field], 0, VALUES[field])
    w.expect(SETTERS[field], made, None)
    w.ok(SETTERS[field], made, VALUES[field])


@rows(("memory-0272", "stream"), ("memory-0273", "desc"), ("memory-case-076", "stream"))
def register_null(w: World, what: str) -> None:
    made = complete(w)
    if what == "stream":
        w.refuse(100000, "aclrtAllocatorRegister", 0, made)
    else:
        w.refuse(100000, "aclrtAllocatorRegister", w.stream(), 0)


@rows(
    (
        "memory-0274",
        ("alloc", "free", "get"),
        ("obj", "free", "get"),
        ("obj", "alloc", "get"),
        ("obj", "alloc", "free"),
    ),
    ("memory-case-071", ()),
    ("memory-case-073", ("obj", "alloc")),
    ("memory-case-074", ("obj", "alloc", "free", "advise")),
)
def register_incomplete(w: World, *incomplete: tuple[str, ...]) -> None:
    stream = w.stream()
    for fields in incomplete:
        w.refuse(100000, "aclrtAllocatorRegister", stream, desc(w, *fields))
    w.refuse(100000, "aclrtAllocatorGetByStream", stream)


@row("memory-0275")
def register_without_advise(w: World) -> None:
    stream = w.stream()
    w.expect("aclrtAllocatorRegister", stream, desc(w, "obj", "alloc", "free", "get"))
    w.same(w.ok("aclrtAllocatorGetByStream", stream)[4], None, "the advise function")


@row("memory-0276")
def register_again(w: World) -> None:
    stream, first, second = w.stream(), complete(w), complete(w)
    w.expect("aclrtAllocatorRegister", stream, first)
    w.expect("aclrtAllocatorRegister", stream, second)
    registered(w, stream, second)


@row("memory-0277")
def register_for_a_dead_stream(w: World) -> None:
    stream, made = w.stream(), complete(w)
    w.ok("aclrtDestroyStream", stream)
    for key in (stream, STALE, 7):
        w.expect("aclrtAllocatorRegister", key, made)
        registered(w, key, made)


@row("memory-0278", bare=True)
def register_without_a_context(w: World) -> None:
    made = complete(w)
    w.expect("aclrtAllocatorRegister", STALE, made)
    registered(w, STALE, made)


@row("memory-0279")
def register_for_the_default_stream(w: World) -> None:
    made = complete(w)
    w.expect("aclrtAllocatorRegister", w.default_stream(), made)
    registered(w, w.default_stream(), made)
    w.refuse(100000, "aclrtAllocatorGetByStream", 0)


@row("memory-0281")
def get_of_null(w: World) -> None:
    w.expect("aclrtAllocatorGetByStream", 0)


@row("memory-0282")
def get_of_nothing(w: World) -> None:
    w.same(w.expect("aclrtAllocatorGetByStream", w.stream())[2:], (None,) * 4, "the functions")


@row("memory-0283")
def get_after_the_descriptor_died(w: World) -> None:
    stream, made = w.stream(), complete(w)
    w.ok("aclrtAllocatorRegister", stream, made)
    w.ok("aclrtAllocatorDestroyDesc", made)
    w.same(w.expect("aclrtAllocatorGetByStream", stream)[0], made, "the descriptor")


@row("memory-0284")
def the_registry_holds_a_copy(w: World) -> None:
    stream, made = w.stream(), complete(w)
    w.ok("aclrtAllocatorRegister", stream, made)
    w.ok(SETTERS["alloc"], made, allocate_otherwise)
    w.ok(SETTERS["obj"], made, OBJECT + 1)
    registered(w, stream, made)
    w.expect("aclrtAllocatorGetByStream", stream)


@rows(("memory-0285",), ("memory-case-077",))
def unregister_null(w: World) -> None:
    w.refuse(100000, "aclrtAllocatorUnregister", 0)
    if w.row.name == "memory-case-077":
        w.ok("aclrtAllocatorUnregister", w.stream())


@row("memory-0286")
def unregister_nothing(w: World) -> None:
    stream = w.stream()
    w.expect("aclrtAllocatorUnregister", stream)
    w.ok("aclrtAllocatorRegister", stream, complete(w))
    w.expect("aclrtAllocatorUnregister", stream)
    w.expect("aclrtAllocatorUnregister", stream)
    w.refuse(100000, "aclrtAllocatorGetByStream", stream)


@row("memory-0287", reuse_handles=True)
def a_new_stream_inherits(w: World) -> None:
    stream, made = w.stream(), complete(w)
    w.ok("aclrtAllocatorRegister", stream, made)
    w.expect("aclrtDestroyStream", stream)
    w.same(w.stream(), stream, "the handle of the new stream")
    registered(w, stream, made)


@row("memory-case-070")
def unregister_and_destroy(w: World) -> None:
    stream, made = w.stream(), complete(w)
    w.ok("aclrtAllocatorRegister", stream, made)
    w.ok("aclrtAllocatorUnregister", stream)
    w.refuse(100000, "aclrtAllocatorGetByStream", stream)
    w.ok("aclrtAllocatorDestroyDesc", made)
