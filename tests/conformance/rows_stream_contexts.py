"""Chapters 05, 03 and 13: contexts, options, the last error (docs/semantics/process.md#contexts-and-threads)."""

from __future__ import annotations

import threading

from tests.conformance.registry import row
from tests.conformance.world import MS, STALE, World


@row("stream-0184", devices=2, bare=True)
def new_context_is_current(w: World) -> None:
    (context,) = w.expect("aclrtCreateContext", 1)
    w.same(w.ok("aclrtGetCurrentContext"), context, "the current context")
    w.same(w.ok("aclrtGetDevice"), 1, "the device")
    w.ok("aclrtSynchronizeStream", w.stream())


@row("stream-0185")
def destroying_a_primary_context(w: World) -> None:
    primary = w.ok("aclrtGetCurrentContext")
    w.expect("aclrtDestroyContext", primary)
    w.ok("aclrtSynchronizeStream", 0)


@row("stream-0186")
def destroying_a_context_twice(w: World) -> None:
    context = w.ok("aclrtCreateContext", 0)
    w.ok("aclrtDestroyContext", context)
    w.expect("aclrtDestroyContext", context)
    w.expect("aclrtDestroyContext", STALE)


@row("stream-0187")
def destroying_what_another_thread_still_uses(w: World) -> None:
    context = w.ok("aclrtCreateContext", 0)
    w.ok("aclrtSetDevice", 0)
    ready, done = threading.Event(), threading.Event()

    def user() -> None:
        w.ok("aclrtSetCurrentContext", context)
        ready.set()
        done.wait()
        w.refuse(107002, "aclrtStreamQuery", 0)  # lets go of it

    thread = threading.Thread(target=user)
    thread.start()
    ready.wait()
    try:
        w.ok("aclrtDestroyContext", context)
        w.expect("aclrtDestroyContext", context)
        w.refuse(107000, "aclrtSetCurrentContext", context)
    finally:
        done.set()
        thread.join()
    w.refuse(107002, "aclrtDestroyContext", context)


@row("stream-0188")
def destroying_the_current_context(w: World) -> None:
    context = w.ok("aclrtCreateContext", 0)
    w.expect("aclrtDestroyContext", context)
    w.refuse(107002, "aclrtGetCurrentContext")
    w.refuse(107002, "aclrtCreateStream")


@row("stream-0189")
def destroying_a_context_with_streams(w: World) -> None:
    context, stream, default, ran = w.ok("aclrtCreateContext", 0), w.stream(), w.default_stream(), []
    w.work(stream, MS, ran)
    w.work(default, MS, ran)
    w.expect("aclrtDestroyContext", context)
    w.ok("aclrtSetDevice", 0)
    for handle in (stream, default):
        w.refuse(107017, "aclrtStreamQuery", handle)
    w.ok("aclrtSynchronizeDevice")
    w.same(len(ran), 0, "dropped tasks that ran")


@row("stream-0190")
def selecting_a_dead_context(w: World) -> None:
    context, stream = w.ok("aclrtCreateContext", 0), w.stream()
    w.ok("aclrtDestroyContext", context)
    for handle in (context, stream, STALE, 1):
        w.expect("aclrtSetCurrentContext", handle)


@row("stream-0191")
def one_context_in_two_threads(w: World) -> None:
    context, stream, ran = w.ok("aclrtGetCurrentContext"), w.stream(), []

    def other() -> None:
        w.expect("aclrtSetCurrentContext", context)
        w.work(stream, MS, ran)
        w.ok("aclrtRecordEvent", w.level(), stream)

    w.in_thread(other)
    w.work(stream, MS, ran)
    w.ok("aclrtSynchronizeStream", stream)
    w.same(len(ran), 2, "tasks of both threads")


@row("stream-0192", bare=True)
def no_current_context(w: World) -> None:
    w.expect("aclrtGetCurrentContext")
    w.ok("aclrtPeekAtLastError", 0)


@row("stream-0193", bare=True)
def no_default_stream(w: World) -> None:
    w.expect("aclrtCtxGetCurrentDefaultStream")


@row("stream-0194")
def real_handle_of_the_default_stream(w: World) -> None:
    (stream,) = w.expect("aclrtCtxGetCurrentDefaultStream")
    event = w.ex()
    w.ok("aclrtRecordEvent", event, stream)
    w.ok("aclrtStreamWaitEvent", stream, event)
    w.ok("aclrtSynchronizeStream", stream)
    w.same(w.ok("aclrtStreamQuery", stream), 0, "the status")
    w.same(w.expect("aclrtCtxGetCurrentDefaultStream"), (stream,), "the handle")


@row("stream-0195")
def option_never_set(w: World) -> None:
    for option in range(3):
        w.expect("aclrtCtxGetSysParamOpt", option)
    w.ok("aclrtCtxSetSysParamOpt", 1, 1)
    w.same(w.ok("aclrtCtxGetSysParamOpt", 1), 1, "the option")
    w.ok("aclrtCreateContext", 0)
    w.expect("aclrtCtxGetSysParamOpt", 1)


@row("stream-0196")
def unknown_context_option(w: World) -> None:
    for option in (3, 4, 100):
        w.expect("aclrtCtxSetSysParamOpt", option, 1)
        w.expect("aclrtCtxGetSysParamOpt", option)


@row("stream-0197", bare=True)
def unknown_process_option(w: World) -> None:
    w.ok("aclrtSetSysParamOpt", 3, 1)
    for option in (4, 100):
        w.expect("aclrtSetSysParamOpt", option, 1)
        w.expect("aclrtGetSysParamOpt", option)


@row("stream-0199")
def bad_level(w: World) -> None:
    for level in (1, 2, 100):
        w.expect("aclrtPeekAtLastError", level)
        w.expect("aclrtGetLastError", level)


@row("stream-0200", bare=True)
def peek_keeps(w: World) -> None:
    w.ok("aclrtPeekAtLastError", 0)
    w.refuse(107002, "aclrtCreateStream")
    for _ in range(3):
        w.refuse(107002, "aclrtPeekAtLastError", 0)
    w.in_thread(lambda: w.ok("aclrtPeekAtLastError", 0))


@row("stream-0201", bare=True)
def get_clears(w: World) -> None:
    w.refuse(107001, "aclrtSetDevice", 9)
    w.refuse(107001, "aclrtGetLastError", 0)
    w.ok("aclrtGetLastError", 0)
    w.ok("aclrtPeekAtLastError", 0)


@row("stream-0202")
def which_failures_are_stored(w: World) -> None:
    stream, ex, stamp = w.stream(), w.ex(), w.level(8)

    def stored(code: int, name: str, *inputs: object) -> None:
        w.refuse(code, name, *inputs)
        w.refuse(code, "aclrtGetLastError", 0)

    def not_stored(code: int, name: str, *inputs: object) -> None:
        w.refuse(code, name, *inputs)
        w.ok("aclrtGetLastError", 0)

    def fails(code: int, storing: bool) -> None:
        w.fault(stream, code)
        (stored if storing else not_stored)(code, "aclrtSynchronizeStream", stream)

    stored(107017, "aclrtStreamQuery", STALE)
    stored(107000, "aclrtSynchronizeStreamWithTimeout", stream, 0)
    stored(107000, "aclrtSetCurrentContext", STALE)
    stored(507000, "aclrtEventElapsedTime", w.level(9), w.level(9))
    fails(507015, True)
    not_stored(100000, "aclrtDestroyStream", 0)
    not_stored(107000, "aclrtSynchronizeStreamWithTimeout", stream, -2)
    not_stored(107000, "aclrtSynchronizeDeviceWithTimeout", -2)
    not_stored(107000, "aclrtSynchronizeEventWithTimeout", ex, -2)
    not_stored(107000, "aclrtStreamWaitEventWithTimeout", stream, ex, -1)
    not_stored(107000, "aclrtExceptionInfoCallbackRegister", None)
    for code in (507005, 207003, 207016, 207017):
        fails(code, False)
    not_stored(207000, "aclrtStreamWaitEvent", stream, stamp)
    not_stored(207000, "aclrtResetEvent", ex, stream)
    not_stored(207000, "aclrtQueryEvent", ex)
    w.refuse(107017, "aclrtStreamQuery", STALE)
    w.ok("aclrtStreamQuery", stream)
    w.refuse(107017, "aclrtGetLastError", 0)  # a success in between does not clear it

    def without_context() -> None:
        not_stored(107002, "aclrtGetDevice")
        not_stored(107002, "aclrtGetCurrentContext")
        stored(107002, "aclrtCreateStream")

    w.in_thread(without_context)
