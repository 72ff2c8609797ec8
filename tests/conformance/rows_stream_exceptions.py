"""Chapter 13: exception callbacks (docs/semantics/callbacks.md#exception-callbacks)."""

from __future__ import annotations

from tests.conformance.registry import row, rows
from tests.conformance.world import World


def fail(w: World, code: int) -> None:
    stream = w.stream()
    w.fault(stream, code)
    w.refuse(code, "aclrtSynchronizeStream", stream)


@row("stream-0395")
def one_callback(w: World) -> None:
    first: list[int] = []
    second: list[int] = []
    w.expect("aclrtSetExceptionInfoCallback", first.append)
    fail(w, 507015)
    w.expect("aclrtSetExceptionInfoCallback", second.append)
    fail(w, 507015)
    w.expect("aclrtSetExceptionInfoCallback", None)
    fail(w, 507015)
    w.same((len(first), len(second)), (1, 1), "calls of the first and of the second function")


@rows(("stream-0396",), ("stream-case-040",), faces="c")
def register_null(w: World) -> None:
    w.refuse(107000, "aclrtExceptionInfoCallbackRegister", None)
    if w.row.name == "stream-0396":
        w.refuse(107000, "aclrtExceptionInfoCallbackUnregister", None)
    w.ok("aclrtPeekAtLastError", 0)


@rows(("stream-0397",), ("stream-case-041",))
def several_callbacks(w: World) -> None:
    first: list[int] = []
    second: list[int] = []
    one, two = first.append, second.append
    for function in (one, two, one):
        w.ok("aclrtExceptionInfoCallbackRegister", function)
    w.in_thread(lambda: _fail_on_a_device(w))
    w.same((len(first), len(second)), (1, 1), "calls of both functions")
    w.ok("aclrtExceptionInfoCallbackUnregister", one)
    fail(w, 507015)
    w.same((len(first), len(second)), (1, 2), "calls after the first was taken away")


def _fail_on_a_device(w: World) -> None:
    w.ok("aclrtSetDevice", 0)
    fail(w, 507015)


GETTERS = ("TaskId", "StreamId", "ThreadId", "DeviceId", "ErrorCode")


@row("stream-0398")
def getters_of_null(w: World) -> None:
    for what in GETTERS:
        w.same(w.value(f"aclrtGet{what}FromExceptionInfo", 0), 0xFFFF_FFFF, what)


@row("stream-0399")
def getters(w: World) -> None:
    codes: list[int] = []
    w.ok(
        "aclrtSetExceptionInfoCallback", lambda info: codes.append(w.value("aclrtGetErrorCodeFromExceptionInfo", info))
    )
    for code in (507015, 507014, 507018, 107020):
        fail(w, code)
    w.same(codes, [507015, 507014, 507018, 107020], "the codes that the callback saw")


@row("stream-0400")
def not_every_failure_is_told(w: World) -> None:
    heard: list[int] = []
    w.ok("aclrtSetExceptionInfoCallback", heard.append)
    fail(w, 507005)  # end of sequence
    w.same(len(heard), 0, "calls")
    fail(w, 507015)
    w.same(len(heard), 1, "calls")
