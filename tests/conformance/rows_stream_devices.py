"""Chapter 04: devices (docs/semantics/process.md#devices)."""

from __future__ import annotations

from tests.conformance.registry import row, rows
from tests.conformance.world import MS, World

OUTSIDE = (-1, 2, 3, 64, 2**31 - 1, -(2**31))


@rows(
    ("stream-0149", "aclrtSetDevice"),
    ("stream-0152", "aclrtResetDevice"),
    ("stream-0160", "aclrtResetDeviceForce"),
    ("stream-0181", "aclrtGetPrimaryCtxState"),
    ("stream-0183", "aclrtCreateContext"),
    devices=2,
    bare=True,
)
def bad_device(w: World, name: str) -> None:
    for number in OUTSIDE:
        w.expect(name, number)


@row("stream-0151")
def set_device_again(w: World) -> None:
    primary = w.ok("aclrtGetCurrentContext")
    explicit = w.ok("aclrtCreateContext", 0)
    w.same(w.ok("aclrtGetCurrentContext"), explicit, "the current context")
    w.expect("aclrtSetDevice", 0)
    w.same(w.ok("aclrtGetCurrentContext"), primary, "the current context")
    w.in_thread(lambda: w.expect("aclrtSetDevice", 0))
    for _ in range(3):
        w.ok("aclrtResetDevice", 0)
    w.refuse(507007, "aclrtResetDevice", 0)


@row("stream-0153", devices=2)
def reset_of_a_device_that_is_not_set(w: World) -> None:
    w.expect("aclrtResetDevice", 1)
    w.ok("aclrtResetDevice", 0)
    w.expect("aclrtResetDevice", 0)
    w.ok("aclrtSetDevice", 0)


@row("stream-0154")
def reset_above_one(w: World) -> None:
    w.ok("aclrtSetDevice", 0)
    context, stream = w.ok("aclrtGetCurrentContext"), w.stream()
    w.expect("aclrtResetDevice", 0)
    w.same(w.ok("aclrtGetCurrentContext"), context, "the current context")
    w.ok("aclrtSynchronizeStream", stream)
    w.ok("aclrtSynchronizeStream", 0)


@row("stream-0155", devices=2)
def last_reset(w: World) -> None:
    stream, default, ran = w.stream(), w.default_stream(), []
    w.work(stream, MS, ran)
    w.ok("aclrtSetDevice", 1)  # the binding is to device 1 now
    w.expect("aclrtResetDevice", 0)
    w.same(len(ran), 1, "pending tasks that ran (the switch reset_device is waits)")
    w.refuse(107002, "aclrtGetCurrentContext")
    for handle in (stream, default):
        w.refuse(107017, "aclrtStreamQuery", handle)
    w.ok("aclrtSetDevice", 0)
    explicit = w.ok("aclrtCreateContext", 1)
    w.expect("aclrtResetDevice", 0)
    w.same(w.ok("aclrtGetCurrentContext"), explicit, "an explicit context stays current")


@row("stream-0156")
def reset_with_an_explicit_context(w: World) -> None:
    explicit, stream = w.ok("aclrtCreateContext", 0), w.stream()
    w.expect("aclrtResetDevice", 0)
    w.same(w.ok("aclrtGetCurrentContext"), explicit, "the current context")
    w.ok("aclrtSynchronizeStream", stream)
    w.ok("aclrtDestroyContext", explicit)


@row("stream-0157")
def reset_force_drains_the_count(w: World) -> None:
    for _ in range(3):
        w.ok("aclrtSetDevice", 0)
    stream = w.stream()
    w.expect("aclrtResetDeviceForce", 0)
    w.refuse(107017, "aclrtStreamQuery", stream)
    w.refuse(107002, "aclrtGetCurrentContext")
    w.refuse(507007, "aclrtResetDevice", 0)


@row("stream-0158", devices=2)
def reset_force_of_a_device_that_is_not_set(w: World) -> None:
    w.expect("aclrtResetDeviceForce", 1)
    w.ok("aclrtResetDevice", 0)
    w.expect("aclrtResetDeviceForce", 0)
    w.ok("aclrtSetDevice", 0)
    w.ok("aclrtResetDeviceForce", 0)
    w.expect("aclrtResetDeviceForce", 0)


@row("stream-0159", faces="c")
def reset_force_does_not_store_its_failure(w: World) -> None:
    w.ok("aclrtResetDevice", 0)
    w.ok("aclrtPeekAtLastError", 0)
    w.refuse(507007, "aclrtResetDeviceForce", 0)
    w.ok("aclrtPeekAtLastError", 0)
    w.refuse(107001, "aclrtResetDeviceForce", 5)
    w.ok("aclrtPeekAtLastError", 0)
    w.refuse(507007, "aclrtResetDevice", 0)
    w.refuse(507007, "aclrtPeekAtLastError", 0)


@row("stream-0161")
def reset_after_reset_force(w: World) -> None:
    w.ok("aclrtSetDevice", 0)
    w.ok("aclrtResetDeviceForce", 0)
    w.expect("aclrtResetDevice", 0)


@row("stream-0162", bare=True)
def get_device_without_a_context(w: World) -> None:
    w.ok("aclrtPeekAtLastError", 0)
    w.expect("aclrtGetDevice")
    w.ok("aclrtPeekAtLastError", 0)


@row("stream-0163", devices=3)
def get_device_of_an_explicit_context(w: World) -> None:
    w.ok("aclrtCreateContext", 2)
    w.same(w.expect("aclrtGetDevice"), (2,), "the device")
    w.ok("aclrtSetDevice", 1)
    w.same(w.expect("aclrtGetDevice"), (1,), "the device")


@rows(
    ("stream-0164", ""),
    devices=4,
    visible="9,0",
    bare=True,
)
def no_visible_device(w: World, _: str) -> None:
    w.expect("aclrtGetDeviceCount")
    w.refuse(107001, "aclrtSetDevice", 0)


@row("stream-0165", bare=True)
def synchronize_without_a_context(w: World) -> None:
    w.expect("aclrtSynchronizeDevice")


@row("stream-0166")
def synchronize_covers_the_context_only(w: World) -> None:
    stream, foreign = w.stream(), w.foreign_stream()
    mine: list[int] = []
    theirs: list[int] = []
    w.work(stream, MS, mine)
    w.work(w.default_stream(), 2 * MS, mine)
    w.work(foreign, 50 * MS, theirs)
    w.expect("aclrtSynchronizeDevice")
    w.same((len(mine), len(theirs)), (2, 0), "tasks done here and in the other context")


@row("stream-0168")
def synchronize_answers_the_first_failure(w: World) -> None:
    first, second, third, ran = w.stream(), w.stream(), w.stream(), []
    w.fault(third, 507014, 10)
    w.fault(second, 507018, 3 * MS)
    w.work(first, 5 * MS, ran)
    w.refuse(507018, "aclrtSynchronizeDevice")
    w.same(len(ran), 1, "all streams were waited for")
    w.ok("aclrtSynchronizeDevice")


@rows(("stream-0169", (-2, -100, -(2**31))), ("stream-0170", (0,)))
def bad_timeout(w: World, timeouts: tuple[int, ...]) -> None:
    for timeout in timeouts:
        w.expect("aclrtSynchronizeDeviceWithTimeout", timeout)
    w.ok("aclrtSynchronizeDeviceWithTimeout", -1)


@row("stream-0171")
def synchronize_in_time(w: World) -> None:
    stream, ran = w.stream(), []
    w.work(stream, 30 * MS, ran)
    w.expect("aclrtSynchronizeDeviceWithTimeout", 10)
    w.same(len(ran), 0, "tasks done")
    w.ok("aclrtSynchronizeDeviceWithTimeout", 100)
    w.same(len(ran), 1, "tasks done")


@row("stream-0175")
def bad_ts_device(w: World) -> None:
    for number in (2, 3, 100):
        w.expect("aclrtSetTsDevice", number)
    for number in (0, 1):
        w.ok("aclrtSetTsDevice", number)


@row("stream-0176", "stream-0177")
def priority_range(w: World) -> None:
    w.same(w.expect("aclrtDeviceGetStreamPriorityRange"), (7, 0), "least and greatest priority")


@row("stream-0179")
def bad_limits(w: World) -> None:
    for limit in (5, 100):
        w.expect("aclrtDeviceSetLimit", limit, 4096)
        w.expect("aclrtDeviceGetLimit", limit)
    w.expect("aclrtDeviceSetLimit", 0, 1 << 32)


@row("stream-0182", bare=True)
def primary_context_state(w: World) -> None:
    w.same(w.expect("aclrtGetPrimaryCtxState", 0)[1], 0, "active")
    w.ok("aclrtSetDevice", 0)
    w.in_thread(lambda: w.same(w.expect("aclrtGetPrimaryCtxState", 0)[1], 1, "active"))
    w.ok("aclrtResetDevice", 0)
    w.same(w.expect("aclrtGetPrimaryCtxState", 0)[1], 0, "active")


@row("stream-0172")
def abort_with_too_large_a_timeout(w: World) -> None:
    for timeout in (36 * 60 * 1000 + 1, 2**32 - 1):
        w.expect("aclrtDeviceTaskAbort", 0, timeout)
    w.ok("aclrtDeviceTaskAbort", 0, 36 * 60 * 1000)
    w.ok("aclrtDeviceTaskAbort", 0, 100)


@row("stream-0173", faces="c")
def abort_that_takes_too_long(w: World) -> None:
    def slow(*_: object) -> None:
        for _ in range(2000):  # each call takes a microsecond
            w.ok("aclrtGetDeviceCount")

    w.ok("aclrtSetDeviceTaskAbortCallback", "slow", slow, 0)
    w.expect("aclrtDeviceTaskAbort", 0, 1)


@row("stream-0174")
def abort_all_tasks_of_a_device(w: World) -> None:
    stream, foreign, ran = w.stream(), w.foreign_stream(), []
    w.fault(stream, 507015, 10)
    w.ok("aclrtSynchronizeStreamWithTimeout", w.default_stream(), 1)
    for handle in (stream, foreign):
        w.work(handle, 5 * MS, ran)
    w.expect("aclrtDeviceTaskAbort", 0, 1000)
    w.ok("aclrtSynchronizeStream", stream)
    w.ok("aclrtSynchronizeStream", foreign)
    w.same(len(ran), 0, "killed tasks that ran")
    w.work(stream, MS, ran)
    w.ok("aclrtSynchronizeStream", stream)
    w.same(len(ran), 1, "tasks after the abort")
