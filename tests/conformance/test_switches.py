"""Where two sources disagree a switch decides: both of its values do what they say (``ascend-sim info --switches``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim.machine.switches import SWITCHES
from ascend_sim.simulator import Simulator
from tests.conformance.faces import Face
from tests.conformance.registry import Row
from tests.conformance.rows_memory_pools import RESERVED, UNIT, attribute, pool, props
from tests.conformance.world import MS, World

LATER = {
    "capture_sync": "captures",
    "pyacl_allocator": "single operators call the allocators",
}
"""Switches of what is not modelled yet."""

CASES: list[tuple[str, str | int, Callable[[World], None], dict[str, Any]]] = []


def switch(name: str, value: str | int, **options: Any) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
    """The decorated function shows what the *value* of a switch does. *options*: those of Simulator."""

    def note(body: Callable[[World], None]) -> Callable[[World], None]:
        CASES.append((name, value, body, options))
        return body

    return note


@switch("stream_exhaustion", 207008, limits={"streams": 1})
def _(w: World) -> None:
    w.refuse(207008, "aclrtCreateStream")


@switch("stream_exhaustion", 207005, limits={"streams": 1})
def _(w: World) -> None:
    w.refuse(207005, "aclrtCreateStream")


@switch("stream_limit", "page")
def _(w: World) -> None:
    w.same(w.ok("aclrtGetStreamAvailableNum"), 1983, "streams beside the default one")


@switch("stream_limit", "physical")
def _(w: World) -> None:
    w.same(w.ok("aclrtGetStreamAvailableNum"), 2037, "streams beside the default one")


@switch("stream_limit", "allocatable")
def _(w: World) -> None:
    w.same(w.ok("aclrtGetStreamAvailableNum"), 32767, "streams beside the default one")


def records_without_ids(w: World) -> tuple[int, list[int]]:
    """The code of a third record when two hardware events are in use until a work of 20 s ends."""
    stream, ran = w.stream(), []
    w.work(stream, 20_000 * MS, ran)
    for _ in range(2):
        w.ok("aclrtRecordEvent", w.ex(), stream)
    return w.call("aclrtRecordEvent", w.ex(), stream)[1], ran


@switch("event_exhaustion", "error", limits={"events": 2})
def _(w: World) -> None:
    code, ran = records_without_ids(w)
    w.same((code, len(ran)), (207007, 0), "the code, and works that had ended")


@switch("event_exhaustion", "wait", limits={"events": 2})
def _(w: World) -> None:
    stream, ran = w.stream(), []
    w.work(stream, 5 * MS, ran)
    event = w.ex()
    for _ in range(4):
        w.ok("aclrtRecordEvent", event, stream)
    w.same(len(ran), 1, "works that the record waited for")


@switch("zero_timeout", "refused")
def _(w: World) -> None:
    w.refuse(107000, "aclrtSynchronizeDeviceWithTimeout", 0)
    w.refuse(107000, "aclrtSynchronizeStreamWithTimeout", w.stream(), 0)


@switch("zero_timeout", "accepted")
def _(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtSynchronizeDeviceWithTimeout", 0)
    w.ok("aclrtSynchronizeStreamWithTimeout", stream, 0)
    w.work(stream)
    w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", stream, 0)


def works_waited_for(w: World) -> tuple[int, int]:
    """Works of this and of another context that a synchronise of the device waits for."""
    mine: list[int] = []
    theirs: list[int] = []
    w.work(w.stream(), MS, mine)
    w.work(w.foreign_stream(), 5 * MS, theirs)
    w.ok("aclrtSynchronizeDevice")
    return len(mine), len(theirs)


@switch("device_sync_scope", "context")
def _(w: World) -> None:
    w.same(works_waited_for(w), (1, 0), "works waited for")


@switch("device_sync_scope", "device")
def _(w: World) -> None:
    w.same(works_waited_for(w), (1, 1), "works waited for")


@switch("default_stream_failure_mode", "accepted")
def _(w: World) -> None:
    w.ok("aclrtSetStreamFailureMode", 0, 1)


@switch("default_stream_failure_mode", "refused")
def _(w: World) -> None:
    w.refuse(207000, "aclrtSetStreamFailureMode", 0, 1)
    w.ok("aclrtSetStreamFailureMode", w.stream(), 1)


def synchronise_after_a_failure(w: World) -> int:
    """The code of a DEVICE_USE_ONLY stream when its context has failed in stop mode."""
    only, stream = w.stream(0x20), w.stream()
    w.ok("aclrtSetStreamFailureMode", stream, 1)
    w.fault(stream, 507015)
    w.refuse(507015, "aclrtSynchronizeStream", stream)
    return w.call("aclrtSynchronizeStream", only)[1]


@switch("device_use_only_sync", 0)
def _(w: World) -> None:
    w.same(synchronise_after_a_failure(w), 0, "the code")


@switch("device_use_only_sync", 507000)
def _(w: World) -> None:
    w.same(synchronise_after_a_failure(w), 507000, "the code")


@switch("destroy_default_stream", "refused")
def _(w: World) -> None:
    w.refuse(107000, "aclrtDestroyStream", w.default_stream())


@switch("destroy_default_stream", "accepted")
def _(w: World) -> None:
    default = w.default_stream()
    w.ok("aclrtDestroyStream", default)
    w.refuse(107017, "aclrtStreamQuery", default)


def works_of_a_reset(w: World) -> int:
    """Works that the last reset of the device lets end."""
    ran: list[int] = []
    w.work(w.stream(), MS, ran)
    w.ok("aclrtResetDevice", 0)
    return len(ran)


@switch("reset_device", "waits")
def _(w: World) -> None:
    w.same(works_of_a_reset(w), 1, "works that ended")


@switch("reset_device", "discards")
def _(w: World) -> None:
    w.same(works_of_a_reset(w), 0, "works that ended")


def wait_across(w: World) -> int:
    """The code of a wait on device 1 for an event that device 0 records."""
    event, stream = w.ex(), w.stream()
    w.work(stream)
    w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtSetDevice", 1)
    return w.call("aclrtStreamWaitEvent", w.stream(), event)[1]


@switch("event_across_devices", "ordered", devices=2)
def _(w: World) -> None:
    w.same(wait_across(w), 0, "the code")
    w.ok("aclrtSynchronizeDevice")


@switch("event_across_devices", "refused", devices=2)
def _(w: World) -> None:
    w.same(wait_across(w) != 0, True, "refused")


@switch("memory_pools", "page")
@switch("memory_pools", "everywhere")
def _(w: World) -> None:
    pool(w)


@switch("memory_pools", "everywhere", soc="Ascend310P3")
@switch("memory_pools", "driver", soc="Ascend950PR_9599")
def _(w: World) -> None:
    pool(w)


@switch("memory_pools", "page", soc="Ascend310P3")
@switch("memory_pools", "page", soc="Ascend950PR_9599")
@switch("memory_pools", "driver")
def _(w: World) -> None:
    w.refuse(207000, "aclrtMemPoolCreate", props())


def twice_in_a_pool(w: World) -> bool:
    """Whether a block that was given back is handed out again on its stream."""
    handle, stream = pool(w), w.stream()
    first = w.ok("aclrtMemPoolMallocAsync", 64, handle, stream)
    w.ok("aclrtMemPoolFreeAsync", first, stream)
    return bool(w.ok("aclrtMemPoolMallocAsync", 64, handle, stream) == first)


@switch("memory_pool_reuse", "page")
def _(w: World) -> None:
    w.same(twice_in_a_pool(w), True, "the block is used again")


@switch("memory_pool_reuse", "never")
def _(w: World) -> None:
    w.same(twice_in_a_pool(w), False, "the block is used again")


def left_in_a_pool(w: World) -> int:
    """The bytes that a pool keeps of a block that was given back, after a synchronisation."""
    handle, stream = pool(w), w.stream()
    w.ok("aclrtMemPoolFreeAsync", w.ok("aclrtMemPoolMallocAsync", 64, handle, stream), stream)
    w.ok("aclrtSynchronizeStream", stream)
    return attribute(w, handle, RESERVED)


@switch("memory_pool_trim", "page")
def _(w: World) -> None:
    w.same(left_in_a_pool(w), 0, "the bytes that are left")


@switch("memory_pool_trim", "never")
def _(w: World) -> None:
    w.same(left_in_a_pool(w), UNIT, "the bytes that are left")


def puts_that_fit(w: World) -> int:
    """How many entries go into a queue of depth 8."""
    number = w.ok("acltdtCreateQueue", None)
    return next(n for n in range(10) if w.call("acltdtEnqueueData", number, b"x", 1, None, 0, 0, 0)[1])


@switch("queue_depth", "ring")
def _(w: World) -> None:
    w.same(puts_that_fit(w), 7, "entries")


@switch("queue_depth", "page")
def _(w: World) -> None:
    w.same(puts_that_fit(w), 8, "entries")


@switch("run_mode", "host")
def _(w: World) -> None:
    w.same(w.ok("aclrtGetRunMode"), 1, "ACL_HOST")
    w.refuse(200006, "acltdtAllocBuf", 64, 0)


@switch("run_mode", "device")
def _(w: World) -> None:
    w.same(w.ok("aclrtGetRunMode"), 0, "ACL_DEVICE")
    w.ok("acltdtFreeBuf", w.ok("acltdtAllocBuf", 64, 0))


@pytest.mark.parametrize(("name", "value", "body", "options"), CASES, ids=[f"{c[0]}={c[1]}" for c in CASES])
def test_switch(name: str, value: str | int, body: Callable[[World], None], options: dict[str, Any]) -> None:
    with Simulator(switches={name: value}, **options) as sim:
        w = World(sim, Face(), Row("", "", "", ""))
        w.ok("aclrtSetDevice", 0)
        body(w)


def test_switches_that_wait_for_something_exist() -> None:
    assert set(LATER) <= set(SWITCHES)
