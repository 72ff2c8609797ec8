"""Chapter 06: streams (docs/semantics/streams.md)."""

from __future__ import annotations

import threading

from tests.conformance.registry import row, rows
from tests.conformance.world import MS, STALE, World

FAST_LAUNCH, FAST_SYNC, PERSISTENT, HUGE, CPU_SCHEDULE, DEVICE_ONLY = 1, 2, 4, 8, 0x10, 0x20


@row("stream-0203", bare=True)
def create_without_a_context(w: World) -> None:
    w.expect("aclrtCreateStream")


@row("stream-0204", limits={"streams": 4})
def streams_exhausted(w: World) -> None:
    streams = [w.stream() for _ in range(w.ok("aclrtGetStreamAvailableNum"))]
    w.same(len(streams), 3, "streams beside the default stream")
    w.expect("aclrtCreateStream")
    w.refuse(207008, "aclrtCreateStreamWithConfig", 0, 0)
    w.ok("aclrtDestroyStream", streams[0])
    w.ok("aclrtCreateStream")


@row("stream-0205")
def priority_is_clamped(w: World) -> None:
    for given, kept in ((0, 0), (7, 7), (8, 7), (1000, 7), (2**31 - 1, 7), (2**32 - 1, 0), (2**31, 0)):
        (stream,) = w.expect("aclrtCreateStreamWithConfig", given, 0)
        w.same(w.ok("aclrtStreamGetPriority", stream), kept, f"the priority for {given}")


@row("stream-0206")
def unknown_flags_are_ignored(w: World) -> None:
    (stream,) = w.expect("aclrtCreateStreamWithConfig", 0, 0x40)
    w.ok("aclrtSynchronizeStream", stream)
    (stream,) = w.expect("aclrtCreateStreamWithConfig", 0, 0x7FFF_FFC0 | FAST_SYNC)
    w.same(w.ok("aclrtStreamGetFlags", stream), FAST_SYNC, "the flags")


@row("stream-0207", soc="Ascend310P3")
def huge_without_deep_queues(w: World) -> None:
    w.expect("aclrtCreateStreamWithConfig", 0, HUGE)


@row("stream-0208")
def device_only_with_others(w: World) -> None:
    for flag in (FAST_LAUNCH, FAST_SYNC, PERSISTENT, HUGE, CPU_SCHEDULE, 0x1F):
        w.expect("aclrtCreateStreamWithConfig", 0, DEVICE_ONLY | flag)
    w.ok("aclrtCreateStreamWithConfig", 0, DEVICE_ONLY)


@row("stream-0209", soc=("Ascend310B1", "Ascend910A"))
def device_only_on_old_firmware(w: World) -> None:
    w.expect("aclrtCreateStreamWithConfig", 0, DEVICE_ONLY)


@row("stream-0210")
def destroy_null(w: World) -> None:
    w.expect("aclrtDestroyStream", 0)
    w.ok("aclrtSynchronizeStream", 0)


@row("stream-0211")
def destroy_the_default_stream(w: World) -> None:
    """Nothing is settled: the switch destroy_default_stream chooses.

    See docs/semantics/profiles.md#destroy_default_stream.
    """
    w.refuse(107000, "aclrtDestroyStream", w.default_stream())
    w.ok("aclrtSynchronizeStream", 0)
    w.same([f.kind for f in w.sim.findings], ["undefined-use"], "the findings")


@rows(("stream-0212", "aclrtDestroyStream"), ("stream-0221", "aclrtSynchronizeStream"))
def without_a_context(w: World, name: str) -> None:
    stream = w.stream()
    w.in_thread(lambda: w.expect(name, stream))
    w.ok(name, stream)


@row("stream-0213")
def destroy_a_foreign_stream(w: World) -> None:
    foreign = w.foreign_stream()
    w.expect("aclrtDestroyStream", foreign)
    w.ok("aclrtSynchronizeStream", foreign)


@row("stream-0214")
def destroy_twice(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtDestroyStream", stream)
    w.expect("aclrtDestroyStream", stream)


@row("stream-0215")
def destroy_waits(w: World) -> None:
    stream, ran = w.stream(), []
    w.work(stream, 5 * MS, ran)
    w.fault(stream, 507015)
    w.expect("aclrtDestroyStream", stream)
    w.same(len(ran), 1, "tasks that ran")
    w.refuse(107017, "aclrtStreamQuery", stream)


@row("stream-0218", faces="c")
def destroy_removes_the_subscription(w: World) -> None:
    stream, me = w.stream(), threading.get_ident()
    w.ok("aclrtSubscribeReport", me, stream)
    w.expect("aclrtDestroyStream", stream)
    w.refuse(107012, "aclrtProcessReport", 1)
    w.ok("aclrtSubscribeReport", me, w.stream())


@row("stream-0219")
def destroy_force_discards(w: World) -> None:
    stream, ran = w.stream(), []
    w.work(stream, 5 * MS, ran)
    w.work(stream, 5 * MS, ran)
    w.expect("aclrtDestroyStreamForce", stream)
    w.ok("aclrtSynchronizeDevice")
    w.same(len(ran), 0, "tasks that ran")
    w.refuse(107017, "aclrtStreamQuery", stream)


@row("stream-0220")
def destroy_force_refusals(w: World) -> None:
    stream, foreign = w.stream(), w.foreign_stream()
    w.refuse(100000, "aclrtDestroyStreamForce", 0)
    w.refuse(107003, "aclrtDestroyStreamForce", foreign)
    w.in_thread(lambda: w.refuse(107002, "aclrtDestroyStreamForce", stream))
    w.ok("aclrtDestroyStreamForce", stream)
    w.refuse(107017, "aclrtDestroyStreamForce", stream)


@row("stream-0223")
def synchronize_does_not_wait_for_some_flags(w: World) -> None:
    for flag in (PERSISTENT, CPU_SCHEDULE, DEVICE_ONLY):
        stream = w.stream(flag)
        if flag != DEVICE_ONLY:
            w.ok("aclrtRecordEvent", w.level(), stream)
        before = w.sim.time_ns()
        w.expect("aclrtSynchronizeStream", stream)
        w.same(w.sim.time_ns() - before < 10_000, True, "returns at once")


@rows(("stream-0234", (-2, -7, -(2**31))), ("stream-0235", (0,)), ("stream-case-022", (-2,)))
def bad_timeout(w: World, timeouts: tuple[int, ...]) -> None:
    stream = w.stream()
    for timeout in timeouts:
        w.refuse(107000, "aclrtSynchronizeStreamWithTimeout", stream, timeout)


@row("stream-0236")
def synchronize_in_time(w: World) -> None:
    stream, ran = w.stream(), []
    w.work(stream, 25 * MS, ran)
    w.expect("aclrtSynchronizeStreamWithTimeout", stream, 10)
    w.expect("aclrtSynchronizeStreamWithTimeout", stream, 10)
    w.same(len(ran), 0, "tasks done")
    w.ok("aclrtSynchronizeStreamWithTimeout", stream, 10)
    w.same(len(ran), 1, "tasks done")


@row("stream-0237", "stream-case-034")
def query(w: World) -> None:
    stream = w.stream()
    w.same(w.ok("aclrtStreamQuery", stream), 0, "the status")
    w.work(stream, 5 * MS)
    w.same(w.ok("aclrtStreamQuery", stream), 1, "the status")
    w.ok("aclrtSynchronizeStream", stream)
    w.same(w.ok("aclrtStreamQuery", stream), 0, "the status")


@row("stream-0248")
def unknown_attribute(w: World) -> None:
    from ascend_sim.ascendcl import structs

    stream = w.stream()
    for number in (0, 6, 100):
        w.expect("aclrtSetStreamAttribute", stream, number, structs.aclrtStreamAttrValue())
        w.expect("aclrtGetStreamAttribute", stream, number)


@row("stream-0249")
def bad_overflow_switch(w: World) -> None:
    stream = w.stream()
    for flag in (2, 3, 2**32 - 1):
        w.expect("aclrtSetStreamOverflowSwitch", stream, flag)


@row("stream-0250")
def overflow_switch_of_a_foreign_stream(w: World) -> None:
    w.expect("aclrtSetStreamOverflowSwitch", w.foreign_stream(), 1)


@row("stream-0251", soc=("Ascend910B3", "Ascend310P3"))
def overflow_switch_of_the_default_stream(w: World) -> None:
    w.expect("aclrtSetStreamOverflowSwitch", 0, 1)
    if w.sim.profile.family == "910b":
        w.same(w.ok("aclrtGetStreamOverflowSwitch", w.default_stream()), 1, "the switch")


@row("stream-0258")
def stop_of_null(w: World) -> None:
    w.expect("aclrtStreamStop", 0)


@row("stream-0259")
def activating_an_unbound_stream(w: World) -> None:
    w.expect("aclrtActiveStream", w.stream(), w.stream())


@row("stream-0260")
def switching_with_a_false_stream(w: World) -> None:
    left, right = w.device(8), w.device(8)
    w.expect("aclrtSwitchStream", left, 0, right, 0, w.stream(), w.stream(), w.stream())


@row("stream-0261", "stream-case-119")
def switching_an_unbound_stream(w: World) -> None:
    left, right = w.device(8), w.device(8)
    w.refuse(107005, "aclrtSwitchStream", left, 0, right, 0, w.stream(), 0, w.stream())


@row("stream-0262", bare=True)
def counting_without_a_context(w: World) -> None:
    w.expect("aclrtGetStreamAvailableNum")
    w.expect("aclrtGetEventAvailNum")


@row("stream-0263")
def id_of_a_stream(w: World) -> None:
    stream = w.stream()

    def other() -> None:
        w.expect("aclrtStreamGetId", stream)
        w.refuse(107002, "aclrtStreamGetId", 0)

    w.in_thread(other)
    w.refuse(107017, "aclrtStreamGetId", STALE)


@row("stream-0264")
def state_callback_without_a_name(w: World) -> None:
    w.expect("aclrtRegStreamStateCallback", None, print, 0)
