"""Checks of mapped memory, each both ways: the planted fault at its line, and silence when it is corrected."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from tests.kit.calls import must

M = 2 << 20


@kernel
def two(b: Block, x: gm.Out[np.float32], y: gm.Out[np.float32]) -> None:
    if b.idx == 0:
        x[0:8] = 1.0
    else:
        y[4:12] = 2.0


@kernel
def double(b: Block, x: gm.InOut[np.float32]) -> None:
    x[0:8] = x[0:8] * 2


class World:
    """Two streams; memory at one address or at two."""

    def __init__(self, devices: int = 1) -> None:
        must(C.aclInit(None))
        must(C.aclrtSetDevice(0))
        self.a, self.b = (must(C.aclrtCreateStream()) for _ in range(2))
        self.undo: list[Callable[[], int]] = []

    def memory(self) -> int:
        place = C.aclrtMemLocation(0, C.ACL_MEM_LOCATION_TYPE_DEVICE)
        handle = must(C.aclrtMallocPhysical(M, C.aclrtPhysicalMemProp(memAttr=C.ACL_HBM_MEM_HUGE, location=place), 0))
        self.undo.append(lambda: C.aclrtFreePhysical(handle))
        return int(handle)

    def show(self, handle: int) -> int:
        address = must(C.aclrtReserveMemAddress(M, 0, 0, 0))
        must(C.aclrtMapMem(address, M, 0, handle, 0))
        self.undo.append(lambda: C.aclrtReleaseMemAddress(address))
        return int(address)

    def order(self, first: int, second: int) -> None:
        event = must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC))
        must(C.aclrtRecordEvent(event, first))
        must(C.aclrtStreamWaitEvent(second, event))
        self.undo.append(lambda: C.aclrtDestroyEvent(event))

    def end(self, *mapped: int) -> None:
        must(C.aclrtSynchronizeDevice())
        for address in mapped:
            must(C.aclrtUnmapMem(address))
        for undo in reversed(self.undo):
            must(undo())
        for stream in (self.a, self.b):
            must(C.aclrtDestroyStream(stream))
        must(C.aclFinalize())


def race_through_two_mappings(w: World, right: bool) -> None:
    handle = w.memory()
    x, y = w.show(handle), w.show(handle)
    must(C.aclrtMemsetAsync(x, M, 1, 64, w.a))
    if right:
        w.order(w.a, w.b)
    must(C.aclrtMemsetAsync(y + 32, 64, 2, 64, w.b))  # fault
    w.end(x, y)


def two_pieces_are_two_memories(w: World, right: bool) -> None:
    x, y = w.show(w.memory()), w.show(w.memory())
    must(C.aclrtMemsetAsync(x, M, 1, 64, w.a))
    must(C.aclrtMemsetAsync(y if right else x, M, 2, 64, w.b))  # fault
    w.end(x, y)


def unmapped_too_early(w: World, right: bool) -> None:
    x = w.show(w.memory())
    must(C.aclrtMemsetAsync(x, M, 1, 64, w.a))
    must(C.aclrtSynchronizeStream(w.a if right else w.b))
    must(C.aclrtUnmapMem(x))  # fault
    w.end()


def unmapped_in_no_order(w: World, right: bool) -> None:
    x = w.show(w.memory())
    must(C.aclrtMemsetAsync(x, M, 1, 64, w.a))
    if right:
        w.order(w.a, w.b)
    else:
        for _ in range(20):
            must(C.aclrtMemsetAsync(w_scratch(w), 64, 0, 64, w.b))
    must(C.aclrtSynchronizeStream(w.b))  # here the first set has run, but only by chance
    must(C.aclrtUnmapMem(x))  # fault
    w.end()


def w_scratch(w: World) -> int:
    if not hasattr(w, "scratch"):
        w.scratch = must(C.aclrtMalloc(64, 0))  # type: ignore[attr-defined]
        w.undo.append(lambda: C.aclrtFree(w.scratch))  # type: ignore[attr-defined]
    return int(w.scratch)  # type: ignore[attr-defined]


def unmapping_one_of_two(w: World, right: bool) -> None:
    handle = w.memory()
    x, y = w.show(handle), w.show(handle)
    must(C.aclrtMemsetAsync(y if right else x, M, 1, 64, w.a))
    must(C.aclrtUnmapMem(x))  # fault
    w.end(y)


def used_after_the_unmapping(w: World, right: bool) -> None:
    x = w.show(w.memory())
    if not right:
        must(C.aclrtUnmapMem(x))
    code = C.aclrtMemsetAsync(x, M, 1, 64, w.a)  # fault
    assert bool(code) is not right
    w.end(*[x] * right)


def read_before_it_is_written(w: World, right: bool) -> None:
    handle = w.memory()
    x, y = w.show(handle), w.show(handle)
    if right:
        must(C.aclrtMemset(x, M, 0, 64))
    must(C.aclrtMemcpy(np.zeros(64, np.uint8), 64, y, 64, C.ACL_MEMCPY_DEVICE_TO_HOST))  # fault
    w.end(x, y)


def blocks_through_two_mappings(w: World, right: bool) -> None:
    handle, other = w.memory(), w.memory()
    x, y = w.show(handle), w.show(other if right else handle)
    two[2, w.a](x, y)  # fault
    w.end(x, y)


def a_value_is_awaited_through_the_other_mapping(w: World, right: bool) -> None:
    handle = w.memory()
    x, y = w.show(handle), w.show(handle)
    must(C.aclrtMemset(x, M, 0, 64))
    must(C.aclrtValueWait(x, 5, C.ACL_VALUE_WAIT_EQ if hasattr(C, "ACL_VALUE_WAIT_EQ") else 1, w.a))
    must(C.aclrtMemsetAsync(x + 32, 8, 1, 8, w.a))
    must(C.aclrtValueWrite(y, 5, 0, w.b))
    if not right:
        must(C.aclrtMemsetAsync(y + 32, 8, 2, 8, w.b))  # fault
    w.end(x, y)


CASES = {
    race_through_two_mappings: "race",
    two_pieces_are_two_memories: "race",
    unmapped_too_early: "use-after-free",
    unmapped_in_no_order: "use-after-free",
    unmapping_one_of_two: "use-after-free",
    used_after_the_unmapping: "use-after-free",
    read_before_it_is_written: "uninitialised-read",
    blocks_through_two_mappings: "block-race",
    a_value_is_awaited_through_the_other_mapping: "race",
}


@pytest.mark.parametrize("program", list(CASES), ids=lambda program: program.__name__)
def test_the_fault_is_found_at_its_line(program: Callable[[World, bool], None]) -> None:
    lines, start = inspect.getsourcelines(program)
    wanted = start + next(i for i, line in enumerate(lines) if "# fault" in line)
    with Simulator(checks="all") as sim:
        program(World(), False)
    found: list[Any] = [f for f in sim.findings if f.kind not in ("ignored-code", "leak")]
    assert [f.kind for f in found] == [CASES[program]]
    assert wanted in [frame.line for site in found[0].sites for frame in site.frames], found[0]


@pytest.mark.parametrize("program", list(CASES), ids=lambda program: program.__name__)
def test_the_corrected_program_is_silent(program: Callable[[World, bool], None]) -> None:
    with Simulator(checks="all") as sim:
        program(World(), True)
    assert [f.title for f in sim.findings] == []


def test_what_is_left_behind_is_named() -> None:
    with Simulator(checks="all") as sim:
        w = World()
        handle = w.memory()
        w.show(handle)
        must(C.aclFinalize())
    (leak,) = [f for f in sim.findings if f.kind == "leak"]
    assert leak.title == f"1 physical piece ({M} bytes), 1 reserved range and 2 streams are alive at aclFinalize"
    texts = [site.text for site in leak.sites]
    assert f"1 x {M} bytes, mapped on device 0" in texts and f"1 x addresses for {M} bytes" in texts


def test_another_device_needs_access() -> None:
    with Simulator(devices=2) as sim:
        w = World()
        x = w.show(w.memory())
        must(C.aclrtMemset(x, M, 0, 64))
        must(C.aclrtSetDevice(1))
        stream = must(C.aclrtCreateStream())
        double[1, stream](x)
        assert C.aclrtSynchronizeStream(stream) == 507035
        place = C.aclrtMemLocation(1, C.ACL_MEM_LOCATION_TYPE_DEVICE)
        must(C.aclrtMemSetAccess(x, M, [C.aclrtMemAccessDesc(C.ACL_RT_MEM_ACCESS_FLAGS_READWRITE, place)], 1))
        assert C.aclrtMemGetAccess(x, place) == (3, 0)
        other = must(C.aclrtCreateStream())
        double[1, other](x)
        assert C.aclrtSynchronizeStream(other) == 0
        assert [f.kind for f in sim.findings if f.kind != "leak"][:1] == ["peer-access"]


def test_memory_of_the_host_is_pinned_memory() -> None:
    with Simulator():
        w = World()
        place = C.aclrtMemLocation(0, C.ACL_MEM_LOCATION_TYPE_HOST)
        properties = C.aclrtPhysicalMemProp(memAttr=C.ACL_MEM_NORMAL, location=place)
        handle = must(C.aclrtMallocPhysical(M, properties, 0))
        address = w.show(handle)
        assert must(C.aclrtPointerGetAttributes(address)).location.type == C.ACL_MEM_LOCATION_TYPE_HOST
        there = must(C.aclrtMalloc(M, 0))
        must(C.aclrtMemset(address, M, 3, M))
        must(C.aclrtMemcpyAsync(there, M, address, M, C.ACL_MEMCPY_HOST_TO_DEVICE, w.a))
        must(C.aclrtSynchronizeStream(w.a))
        got = np.zeros(16, np.uint8)
        must(C.aclrtMemcpy(got, 16, there, 16, C.ACL_MEMCPY_DEVICE_TO_HOST))
        assert got.tolist() == [3] * 16
