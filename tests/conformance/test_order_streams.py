"""Two faults in one call: the layer that looks first answers (docs/semantics/layers.md#order-of-the-tests).

Layers: the acl wrapper (NULL, enums, times below -1), the entry (dead handles), the argument checks (value ranges,
what an event or chip cannot do), the implementation (context, streams of other contexts), then the work itself.
"""

from __future__ import annotations

import pytest

from tests.conformance.orders import Orders
from tests.conformance.world import DEVICE_USE_ONLY, IPC, STALE, TIME_LINE, World

order = Orders()


# -- streams -----------------------------------------------------------------------------------------------------------


@order("a time below -1, then a dead handle, then a time of 0")
def _(w: World) -> None:
    w.refuse(107000, "aclrtSynchronizeStreamWithTimeout", STALE, -2)
    w.refuse(107017, "aclrtSynchronizeStreamWithTimeout", STALE, 0)
    w.refuse(107000, "aclrtSynchronizeEventWithTimeout", STALE, -2)
    w.refuse(107017, "aclrtSynchronizeEventWithTimeout", STALE, 0)
    w.refuse(107000, "aclrtSynchronizeEventWithTimeout", 0, -2)  # looked at before NULL
    w.refuse(100000, "aclrtSynchronizeEventWithTimeout", 0, 0)
    w.refuse(107000, "aclrtStreamWaitEventWithTimeout", STALE, STALE, -1)
    w.refuse(107017, "aclrtStreamWaitEventWithTimeout", STALE, STALE, 1)


@order("a bad time, then no context")
def _(w: World) -> None:
    stream = w.stream()

    def alone() -> None:
        w.refuse(107000, "aclrtSynchronizeDeviceWithTimeout", -2)
        w.refuse(107000, "aclrtSynchronizeDeviceWithTimeout", 0)
        w.refuse(107000, "aclrtSynchronizeStreamWithTimeout", 0, -2)
        w.refuse(107000, "aclrtSynchronizeStreamWithTimeout", 0, 0)
        w.refuse(107000, "aclrtSynchronizeStreamWithTimeout", stream, 0)
        w.refuse(107002, "aclrtSynchronizeStreamWithTimeout", stream, 10)

    w.in_thread(alone)


@order("a dead stream, then no context")
def _(w: World) -> None:
    event = w.level()

    def alone() -> None:
        w.refuse(107017, "aclrtDestroyStream", STALE)
        w.refuse(107017, "aclrtSynchronizeStream", STALE)
        w.refuse(107017, "aclrtStreamQuery", STALE)
        w.refuse(107017, "aclrtRecordEvent", event, STALE)
        w.refuse(107017, "aclrtStreamWaitEvent", STALE, event)
        w.refuse(107017, "aclrtSubscribeReport", 1, STALE)
        w.refuse(107002, "aclrtRecordEvent", event, 0)

    w.in_thread(alone)


@order("no context, then a stream of another context")
def _(w: World) -> None:
    stream, event = w.stream(), w.level()

    def alone() -> None:
        w.refuse(107002, "aclrtDestroyStream", stream)
        w.refuse(107002, "aclrtRecordEvent", event, stream)
        w.refuse(107002, "aclrtStreamWaitEvent", stream, event)
        w.refuse(107002, "aclrtLaunchHostFunc", stream, print, None)

    w.in_thread(alone)


@order("a failure mode that cannot be set, then a foreign stream")
def _(w: World) -> None:
    foreign = w.foreign_stream()
    mine = w.ok("aclrtGetCurrentContext")
    w.ok("aclrtCreateContext", 0)
    other = w.stream()
    w.ok("aclrtSetStreamFailureMode", other, 1)
    w.ok("aclrtSetCurrentContext", mine)
    w.refuse(207000, "aclrtSetStreamFailureMode", other, 0)
    w.ok("aclrtSetStreamFailureMode", other, 1)
    w.refuse(107003, "aclrtSetStreamFailureMode", foreign, 1)


@order("what the chip lacks of HUGE, then a bad combination with DEVICE_USE_ONLY", soc="Ascend310P3")
def _(w: World) -> None:
    w.refuse(207000, "aclrtCreateStreamWithConfig", 0, 0x28)
    w.refuse(107000, "aclrtCreateStreamWithConfig", 0, 0x24)
    w.in_thread(lambda: w.refuse(207000, "aclrtCreateStreamWithConfig", 0, 8))
    w.in_thread(lambda: w.refuse(107000, "aclrtCreateStreamWithConfig", 0, 0x24))


@order("no context, then a firmware without DEVICE_USE_ONLY", soc="Ascend310B1")
def _(w: World) -> None:
    def alone() -> None:
        w.refuse(107002, "aclrtCreateStreamWithConfig", 0, 0x20)
        w.refuse(107002, "aclrtCreateEventWithFlag", DEVICE_USE_ONLY)

    w.in_thread(alone)
    w.refuse(207000, "aclrtCreateStreamWithConfig", 0, 0x20)


@order("a foreign stream, then a firmware without abort", soc="Ascend310P3")
def _(w: World) -> None:
    w.refuse(107003, "aclrtStreamAbort", w.foreign_stream())
    w.refuse(207000, "aclrtStreamAbort", w.stream())


@order("the default stream's handle: no context first")
def _(w: World) -> None:
    default = w.default_stream()
    w.in_thread(lambda: w.refuse(107002, "aclrtDestroyStream", default))
    foreign = w.foreign_stream()
    w.refuse(107003, "aclrtDestroyStream", foreign)


# -- events ------------------------------------------------------------------------------------------------------------


@order("a bad use flag, then a dead event")
def _(w: World) -> None:
    stream = w.stream()
    w.refuse(100000, "aclrtRecordEventWithFlag", STALE, stream, 2)
    w.refuse(100000, "aclrtStreamWaitEventWithFlag", STALE, STALE, 0, 2)
    w.refuse(100000, "aclrtStreamWaitEventWithFlag", STALE, STALE, 1, 1)
    w.refuse(107017, "aclrtRecordEventWithFlag", STALE, stream, 1)
    w.refuse(100000, "aclrtRecordEventWithFlag", 0, STALE, 0)


@order("flags of an event, then no context", soc="Ascend310P3")
def _(w: World) -> None:
    def alone() -> None:
        w.refuse(107000, "aclrtCreateEventWithFlag", 0)
        w.refuse(107000, "aclrtCreateEventWithFlag", 0x11)
        w.refuse(107000, "aclrtCreateEventExWithFlag", 0)
        w.refuse(207000, "aclrtCreateEventExWithFlag", IPC)
        w.refuse(107002, "aclrtCreateEventExWithFlag", 1)

    w.in_thread(alone)


@order("what an event cannot do, then no context")
def _(w: World) -> None:
    stream, only, stamp = w.stream(), w.level(DEVICE_USE_ONLY), w.level(TIME_LINE)

    def alone() -> None:
        w.refuse(107000, "aclrtRecordEvent", only, stream)
        w.refuse(107000, "aclrtStreamWaitEvent", stream, only)
        w.refuse(207000, "aclrtStreamWaitEvent", stream, stamp)
        w.refuse(107000, "aclrtResetEvent", only, stream)
        w.refuse(207000, "aclrtResetEvent", stamp, stream)

    w.in_thread(alone)


@order("what an event cannot do, then a foreign stream")
def _(w: World) -> None:
    foreign = w.foreign_stream()
    w.refuse(107000, "aclrtRecordEvent", w.level(DEVICE_USE_ONLY), foreign)
    w.refuse(107000, "aclrtStreamWaitEvent", foreign, w.level(DEVICE_USE_ONLY))
    w.refuse(207000, "aclrtStreamWaitEvent", foreign, w.level(TIME_LINE))
    w.refuse(107000, "aclrtResetEvent", w.level(DEVICE_USE_ONLY), foreign)
    w.refuse(207000, "aclrtResetEvent", w.level(TIME_LINE), foreign)
    w.refuse(207000, "aclrtResetEvent", w.ex(), foreign)
    w.refuse(207000, "aclrtResetEvent", w.ex(IPC), foreign)


@order("a foreign stream, then an event never recorded")
def _(w: World) -> None:
    foreign = w.foreign_stream()
    w.refuse(107003, "aclrtStreamWaitEvent", foreign, w.auto())
    w.refuse(107003, "aclrtStreamWaitEvent", foreign, w.ex())  # not a no-op there
    w.refuse(107000, "aclrtStreamWaitEvent", w.stream(), w.auto())


@order("the wrong event for an EXTERNAL use, then a fixed flag, then no capture")
def _(w: World) -> None:
    stream, auto, ex = w.stream(), w.auto(), w.ex()
    w.ok("aclrtRecordEventWithFlag", auto, stream, 0)
    w.refuse(207000, "aclrtRecordEventWithFlag", auto, stream, 1)
    w.ok("aclrtRecordEventWithFlag", ex, stream, 0)
    w.refuse(107000, "aclrtRecordEventWithFlag", ex, stream, 1)
    w.refuse(107029, "aclrtRecordEventWithFlag", w.ex(), stream, 1)


@order("a foreign stream, then no capture")
def _(w: World) -> None:
    """For waits the capture is looked at behind the context of the stream."""
    w.refuse(107003, "aclrtStreamWaitEventWithFlag", w.foreign_stream(), w.ex(), 0, 1)


@order("the kind of an event, then whether it was recorded")
def _(w: World) -> None:
    ipc, external, auto = w.ex(IPC), w.level(0x20), w.auto()
    for first, second in ((ipc, auto), (auto, ipc), (external, auto), (auto, external)):
        w.refuse(207000, "aclrtEventElapsedTime", first, second)


@order("never recorded, then not complete")
def _(w: World) -> None:
    stream, pending, never = w.stream(), w.auto(), w.auto()
    w.work(stream)
    w.ok("aclrtRecordEvent", pending, stream)
    w.refuse(507000, "aclrtEventElapsedTime", pending, never)
    w.refuse(507000, "aclrtEventElapsedTime", never, pending)
    w.refuse(107006, "aclrtEventElapsedTime", pending, pending)


@order("the kind of an event, then a failure in stop mode")
def _(w: World) -> None:
    stream, ex, auto = w.stream(), w.ex(), w.auto()
    for event in (ex, auto):
        w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtSetStreamFailureMode", stream, 1)
    w.fault(stream, 507015)
    w.refuse(507015, "aclrtSynchronizeStream", stream)
    w.refuse(207000, "aclrtQueryEvent", ex)
    w.refuse(507015, "aclrtQueryEvent", auto)


# -- callbacks ---------------------------------------------------------------------------------------------------------


@order("a bad block type, a dead stream, no function")
def _(w: World) -> None:
    w.refuse(100000, "aclrtLaunchCallback", None, None, 5, STALE)
    w.refuse(107017, "aclrtLaunchCallback", None, None, 1, STALE)
    w.refuse(107017, "aclrtLaunchHostFunc", STALE, None, None)
    w.refuse(107000, "aclrtLaunchCallback", None, None, 1, w.stream())


@order("no function, then no context")
def _(w: World) -> None:
    def alone() -> None:
        w.refuse(107000, "aclrtLaunchCallback", None, None, 1, 0)
        w.refuse(107000, "aclrtLaunchHostFunc", 0, None, None)

    w.in_thread(alone)


@order("mixed families of callbacks, then the context")
def _(w: World) -> None:
    foreign = w.foreign_stream()
    mine = w.ok("aclrtGetCurrentContext")
    w.ok("aclrtCreateContext", 0)
    hosted = w.stream()
    w.ok("aclrtLaunchHostFunc", hosted, lambda _: None, None)
    w.ok("aclrtSynchronizeStream", hosted)
    w.ok("aclrtSetCurrentContext", mine)
    w.ok("aclrtSubscribeReport", 1, foreign)
    w.refuse(107011, "aclrtLaunchCallback", print, None, 1, hosted)
    w.refuse(107011, "aclrtLaunchHostFunc", foreign, print, None)

    def alone() -> None:
        w.refuse(107011, "aclrtSubscribeReport", 1, hosted)
        w.refuse(107011, "aclrtLaunchCallback", print, None, 1, hosted)
        w.refuse(107011, "aclrtLaunchHostFunc", foreign, print, None)
        w.refuse(107002, "aclrtSubscribeReport", 2, foreign)  # that it is subscribed already comes later

    w.in_thread(alone)


@order("a foreign stream, then nobody subscribed")
def _(w: World) -> None:
    w.refuse(107003, "aclrtLaunchCallback", print, None, 1, w.foreign_stream())
    w.refuse(107015, "aclrtLaunchCallback", print, None, 1, w.stream())


@order("a bad time, then serving nothing")
def _(w: World) -> None:
    w.refuse(100000, "aclrtProcessReport", 0)
    w.refuse(107012, "aclrtProcessReport", 1)


@pytest.mark.parametrize("text", list(order.cases))
def test_order(text: str) -> None:
    order.run(text)
