"""Races between processes: what is found, at which lines, and what orders two of them so that nothing is said.

The lines that two sides have to each other are pipes: the simulator does not see what goes over them, so what they order
is taken from the real time of the calls.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.machine.virtual_memory import VirtualMemory
from ascend_sim.runtime.processes.neighbours import Neighbours
from tests.kit.calls import Calls, must
from tests.kit.pairs import Ended, Side, pair

pytestmark = pytest.mark.skipif(
    not (VirtualMemory.supported() and hasattr(os, "fork")), reason="this system cannot show pages of others"
)
both_threads = pytest.mark.parametrize("threads", ["deterministic", "free"])
SIZE, OPEN, OPEN_NOTIFY, IPC, PINNED = 4096, 1, 2, 0x40, 3


def fill(block: int, value: int, stream: int) -> None:
    must(C.aclrtMemsetAsync(block, SIZE, value, SIZE, stream))


def take(side: Side, block: int, stream: int) -> None:
    """Copy *block* on the device."""
    must(C.aclrtMemcpyAsync(side.malloc(SIZE), SIZE, block, SIZE, 3, stream))


def exported(side: Side, value: int | None = 0) -> int:
    block = side.malloc(SIZE, value)
    side.send(side.key("aclrtIpcMemGetExportKey", block, SIZE, OPEN))
    return block


def opened(side: Side) -> int:
    return int(must(C.aclrtIpcMemImportByKey(side.receive(), 0)))


def found(*ended: Ended) -> list[str]:
    """What both sides have found."""
    return [title for one in ended for title in one.titles]


def owner_writes(sync: bool, first: bool) -> tuple[Callable[[Side], Any], Callable[[Side], Any]]:
    """The owner fills the block on a stream and tells the user. *first*: before it exports it."""

    def owner(side: Side) -> None:
        stream = side.stream()
        block = side.malloc(SIZE, 0)
        if first:
            fill(block, 1, stream)
        if first and sync:
            must(C.aclrtSynchronizeStream(stream))
        side.send(side.key("aclrtIpcMemGetExportKey", block, SIZE, OPEN))
        if not first:
            fill(block, 1, stream)
        if not first and sync:
            must(C.aclrtSynchronizeStream(stream))
        side.send("written")
        side.receive()
        must(C.aclrtSynchronizeStream(stream))

    def user(side: Side) -> None:
        block, stream = opened(side), side.stream()
        side.receive()
        take(side, block, stream)
        must(C.aclrtSynchronizeStream(stream))
        side.send("read")

    return owner, user


@both_threads
@pytest.mark.parametrize("first", [False, True], ids=["written_after_the_export", "written_before_it"])
def test_a_write_that_nobody_waited_for(threads: str, first: bool) -> None:
    titles = found(*pair(*owner_writes(False, first), threads=threads))
    assert len(titles) == 1 and titles[0].startswith("race: ")
    assert "may still be" in titles[0] and "of process" in titles[0]
    assert found(*pair(*owner_writes(True, first), threads=threads)) == []


def places(side: Side) -> list[Any]:
    """The findings with the first functions of their sites."""

    def place(site: Any) -> tuple[str, list[str]]:
        return site.role, [frame.function.rpartition(".")[2] for frame in site.frames[:2]]

    return [(finding.kind, [place(site) for site in finding.sites]) for finding in side.sim.findings]


def test_the_report_has_both_lines() -> None:
    """The owner's device has not come to the fill when the user reads: the owner finds it, at its own next wait."""

    def owner(side: Side) -> Any:
        block, stream = exported(side), side.stream()
        fill(block, 1, stream)
        side.send("written")
        side.receive()
        must(C.aclrtSynchronizeStream(stream))
        return places(side)

    def user(side: Side) -> Any:
        block, stream = opened(side), side.stream()
        side.receive()
        take(side, block, stream)
        must(C.aclrtSynchronizeStream(stream))
        side.send("read")
        return places(side)

    first, second = pair(owner, user)
    assert second.value == []
    [(kind, sites)] = first.value
    assert kind == "race"
    assert sites[0] == ("access", ["fill", "owner"])
    assert sites[1] == ("other", ["take", "user"])
    assert sites[2][0] == "alloc"


@both_threads
@pytest.mark.parametrize("sync", [False, True])
def test_a_read_that_is_overtaken_by_the_owner(threads: str, sync: bool) -> None:
    def owner(side: Side) -> None:
        block = exported(side, 1)
        side.receive()
        must(C.aclrtMemset(block, SIZE, 2, SIZE))
        side.send("written")
        side.receive()

    def user(side: Side) -> None:
        block, stream = opened(side), side.stream()
        take(side, block, stream)
        if sync:
            must(C.aclrtSynchronizeStream(stream))
        side.send("read")
        side.receive()
        must(C.aclrtSynchronizeStream(stream))
        side.send("over")

    titles = found(*pair(owner, user, threads=threads))
    assert [title.partition(":")[0] for title in titles] == ([] if sync else ["race"]), titles


@both_threads
@pytest.mark.parametrize("open_still", [False, True], ids=["record_done", "record_open"])
@pytest.mark.parametrize("how", ["waits", "does_not", "waits_too_late", "recorded_too_early"])
def test_an_event_orders(threads: str, how: str, open_still: bool) -> None:
    """The record is done when the other one waits, and the wait is dropped; or it is not, and the wait is queued."""

    def owner(side: Side) -> None:
        block, stream, event = exported(side), side.stream(), must(C.aclrtCreateEventExWithFlag(IPC))
        start = must(C.aclrtCreateNotify(0))
        side.send(must(C.aclrtIpcGetEventHandle(event)).reserved)
        side.send(side.key("aclrtNotifyGetExportKey", start, OPEN_NOTIFY))
        if open_still:
            must(C.aclrtWaitAndResetNotify(start, stream, 0))
        if how == "recorded_too_early":
            must(C.aclrtRecordEvent(event, stream))
        fill(block, 1, stream)
        if how != "recorded_too_early":
            must(C.aclrtRecordEvent(event, stream))
        side.send("recorded")
        side.receive()
        must(C.aclrtSynchronizeDevice())
        side.send("over")
        side.receive()

    def user(side: Side) -> None:
        block, stream, other = opened(side), side.stream(), side.stream()
        event = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(side.receive())))
        start = must(C.aclrtNotifyImportByKey(side.receive(), 0))
        side.receive()
        if how == "waits_too_late":
            take(side, block, stream)
        if how != "does_not":
            must(C.aclrtStreamWaitEvent(stream, event))
        if how != "waits_too_late":
            take(side, block, stream)
        if open_still:
            must(C.aclrtRecordNotify(start, other))
        must(C.aclrtSynchronizeStream(stream))
        side.send("read")
        side.receive()
        must(C.aclrtDestroyEvent(event))
        must(C.aclrtDestroyNotify(start))
        side.send("closed")

    titles = found(*pair(owner, user, threads=threads))
    assert [title.partition(":")[0] for title in titles] == ([] if how == "waits" else ["race"]), titles


@both_threads
@pytest.mark.parametrize("waits", [True, False])
def test_a_notify_orders(threads: str, waits: bool) -> None:
    def owner(side: Side) -> None:
        block, stream, notify = exported(side), side.stream(), must(C.aclrtCreateNotify(0))
        side.send(side.key("aclrtNotifyGetExportKey", notify, OPEN_NOTIFY))
        side.receive()
        fill(block, 1, stream)
        must(C.aclrtRecordNotify(notify, stream))
        side.send("recorded")
        side.receive()
        must(C.aclrtSynchronizeStream(stream))
        side.receive()

    def user(side: Side) -> None:
        block, stream = opened(side), side.stream()
        notify = must(C.aclrtNotifyImportByKey(side.receive(), 0))
        side.send("ready")
        if waits:
            must(C.aclrtWaitAndResetNotify(notify, stream, 0))
        side.receive()
        take(side, block, stream)
        must(C.aclrtSynchronizeStream(stream))
        side.send("read")
        must(C.aclrtDestroyNotify(notify))
        side.send("closed")

    titles = found(*pair(owner, user, threads=threads))
    assert [title.partition(":")[0] for title in titles] == ([] if waits else ["race"]), titles


def test_a_host_that_waits_for_an_event_of_another_one_tells_what_it_knows() -> None:
    """The owner's host never waits; the user's does, for the event, and tells the owner, which writes again."""

    def owner(side: Side) -> None:
        block, one, two = exported(side), side.stream(), side.stream()
        event = must(C.aclrtCreateEventExWithFlag(IPC))
        side.send(must(C.aclrtIpcGetEventHandle(event)).reserved)
        fill(block, 1, one)
        must(C.aclrtRecordEvent(event, one))
        side.send("recorded")
        side.receive()
        side.receive()
        must(C.aclrtSynchronizeStream(two))

    def user(side: Side) -> None:
        block = opened(side)
        event = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(side.receive())))
        side.receive()
        must(C.aclrtSynchronizeEvent(event))
        must(C.aclrtMemset(block, SIZE, 2, SIZE))
        side.send("seen")
        side.send("over")

    assert found(*pair(owner, user)) == []


@both_threads
@pytest.mark.parametrize("begins_first", [False, True])
def test_a_callback_waits_for_the_other_process(threads: str, begins_first: bool) -> None:
    """What a host function waits for comes before the tasks behind it, also before those that were queued already."""

    def owner(side: Side) -> None:
        block, stream = exported(side), side.stream()
        begun = threading.Event()

        def wait(_: Any) -> None:
            begun.set()
            side.receive()

        must(C.aclrtLaunchHostFunc(stream, wait, None))
        if begins_first:
            begun.wait()
        fill(block, 1, stream)
        side.send("queued")
        must(C.aclrtSynchronizeDevice())
        side.send("over")

    def user(side: Side) -> None:
        block = opened(side)
        side.receive()
        must(C.aclrtMemset(block, SIZE, 2, SIZE))
        side.send("written")
        side.receive()

    titles = found(*pair(owner, user, threads=threads))
    assert not [title for title in titles if title.startswith("race")], titles


@pytest.mark.parametrize("sync", [True, False])
def test_physical_memory(sync: bool) -> None:
    prop = C.aclrtPhysicalMemProp(0, 0, C.ACL_HBM_MEM_HUGE, C.aclrtMemLocation(0, C.ACL_MEM_LOCATION_TYPE_DEVICE), 0)
    size = 2 << 20

    def mapped(handle: int) -> int:
        address = int(must(C.aclrtReserveMemAddress(size, 0, 0, 0)))
        must(C.aclrtMapMem(address, size, 0, handle, 0))
        return address

    def owner(side: Side) -> None:
        handle = must(C.aclrtMallocPhysical(size, prop, 0))
        block, stream = mapped(handle), side.stream()
        side.send(must(C.aclrtMemExportToShareableHandle(handle, 0, 1)))
        side.receive()
        fill(block, 1, stream)
        if sync:
            must(C.aclrtSynchronizeStream(stream))
        side.send("written")
        side.receive()
        must(C.aclrtSynchronizeStream(stream))

    def user(side: Side) -> None:
        block = mapped(must(C.aclrtMemImportFromShareableHandle(side.receive(), 0)))
        side.send("mapped")
        side.receive()
        side.bytes_at(block)
        side.send("read")

    titles = found(*pair(owner, user))
    assert [title.partition(":")[0] for title in titles] == ([] if sync else ["race"]), titles


def test_other_bytes_of_one_block_are_no_race() -> None:
    def owner(side: Side) -> None:
        block, stream = exported(side), side.stream()
        must(C.aclrtMemsetAsync(block, SIZE // 2, 1, SIZE // 2, stream))
        side.send("written")
        side.receive()
        must(C.aclrtSynchronizeStream(stream))

    def user(side: Side) -> None:
        block, stream = opened(side), side.stream()
        side.receive()
        must(C.aclrtMemsetAsync(block + SIZE // 2, SIZE // 2, 2, SIZE // 2, stream))
        must(C.aclrtSynchronizeStream(stream))
        side.send("written")

    assert found(*pair(owner, user)) == []


def test_a_record_without_a_stamp_orders_all() -> None:
    """A process that looks for no races does not say what its records stand for: then nothing is said about it."""

    def owner(side: Side) -> None:
        block, stream, event = exported(side), side.stream(), must(C.aclrtCreateEventExWithFlag(IPC))
        side.send(must(C.aclrtIpcGetEventHandle(event)).reserved)
        fill(block, 1, stream)
        assert side.sim.neighbours is not None
        side.sim.neighbours.order.stamp = lambda task: None  # type: ignore[method-assign]
        must(C.aclrtRecordEvent(event, stream))
        side.send("recorded")
        side.receive()

    def user(side: Side) -> None:
        block, stream = opened(side), side.stream()
        event = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(side.receive())))
        side.receive()
        must(C.aclrtStreamWaitEvent(stream, event))
        take(side, block, stream)
        must(C.aclrtSynchronizeStream(stream))
        side.send("read")

    assert found(*pair(owner, user)) == []


# -- waits for a value -------------------------------------------------------------------------------------------------


@kernel
def publish(b: Block, words: gm.Out[np.int64]) -> None:
    """Data, and in the same bytes' block the value that says that they are there."""
    words[8:16] = 0x0101010101010101
    words[0] = 1


@both_threads
@pytest.mark.parametrize("how", ["value_write", "copy", "memcpy", "kernel", "nothing"])
def test_a_value_wait_follows_what_was_written_before_the_value(threads: str, how: str) -> None:
    """The wait sees the write of the other process by itself; what was written before the value is ordered by it."""

    def owner(side: Side) -> bytes:
        block, stream = exported(side), side.stream()
        if how != "nothing":
            must(C.aclrtValueWait(block, 1, 0, stream))
        copy = side.malloc(64)
        must(C.aclrtMemcpyAsync(copy, 64, block + 64, 64, 3, stream))
        if how == "nothing":
            side.receive()
        must(C.aclrtSynchronizeStream(stream))
        side.send("read")
        side.receive()
        return side.bytes_at(copy)

    def user(side: Side) -> None:
        block, stream = opened(side), side.stream()
        if how == "kernel":
            publish[1, stream](block)
            must(C.aclrtSynchronizeStream(stream))
        else:
            must(C.aclrtMemsetAsync(block + 64, 64, 1, 64, stream))
            one = np.ones(1, np.int64)
            if how in ("value_write", "nothing"):
                must(C.aclrtValueWrite(block, 1, 0, stream))
            elif how == "copy":
                source = side.malloc(64)
                must(C.aclrtMemcpy(source, 8, one.ctypes.data, 8, 1))
                must(C.aclrtMemcpyAsync(block, 8, source, 8, 3, stream))
                must(C.aclrtSynchronizeStream(stream))
            else:
                must(C.aclrtSynchronizeStream(stream))
                must(C.aclrtMemcpy(block, 8, one.ctypes.data, 8, 1))
        if how == "nothing":
            side.send("written")
        side.receive()
        must(C.aclrtSynchronizeStream(stream))
        side.send("over")

    first, second = pair(owner, user, threads=threads)
    if how == "nothing":
        assert [title.partition(":")[0] for title in found(first, second)] == ["race"]
    else:
        assert first.value == b"\1" * 8
        assert found(first, second) == []


def test_a_kernel_tells_of_its_writes_only_when_the_wait_for_its_value_is_over() -> None:
    """The copy behind the wait finds the kernel's line, which was not there yet when the wait ended: it follows it all
    the same."""

    def owner(side: Side) -> None:
        block, stream = exported(side), side.stream()
        assert side.sim.neighbours is not None
        order = side.sim.neighbours.order
        passed = order.value_passed

        def hold(*arguments: Any) -> None:
            passed(*arguments)
            side.send("passed")
            side.receive()

        order.value_passed = hold  # type: ignore[method-assign]
        must(C.aclrtValueWait(block, 1, 0, stream))
        take(side, block, stream)
        must(C.aclrtSynchronizeStream(stream))
        side.send("read")

    def user(side: Side) -> None:
        block, stream = opened(side), side.stream()
        near = side.sim.neighbours
        assert near is not None
        accessed, held = near.order.accessed, []

        def hold(*arguments: Any) -> None:
            if not held:
                held.append(True)
                near.wake_watchers()
                side.receive()
            accessed(*arguments)

        near.order.accessed = hold  # type: ignore[method-assign]
        publish[1, stream](block)
        must(C.aclrtSynchronizeStream(stream))
        side.send("told")
        side.receive()

    assert found(*pair(owner, user)) == []


def test_two_simulators_of_one_process_have_chains_of_their_own() -> None:
    """The second one reads what the first one wrote, and shares bytes under the same name."""

    def twice(side: Side) -> Any:
        side.sim.close()
        shared = []
        for streams in (40, 1):
            with Simulator() as sim:
                must(C.aclrtSetDevice(0))
                block = must(C.aclrtMalloc(SIZE, 0))
                must(C.aclrtIpcMemGetExportKey(block, SIZE, np.zeros(65, np.uint8).ctypes.data, 65, OPEN))
                for stream in Calls(sim).streams(streams):
                    fill(block, 1, stream)
                    must(C.aclrtSynchronizeStream(stream))
                assert not list(sim.findings)
                shared.append(list(Neighbours.of(sim).shared_bytes.values()))
            del sim
            gc.collect()  # the file of the first one is closed, so that its number is used again
        side.send("over")
        return shared

    def other(side: Side) -> None:
        side.malloc(SIZE)
        side.receive()

    first, second = pair(other, twice)
    assert first.titles == [] and second.value[0] == second.value[1]
