"""Chapter 12: callbacks and host functions (docs/semantics/callbacks.md)."""

from __future__ import annotations

import threading

from tests.conformance.registry import row, rows
from tests.conformance.world import MS, World

NO_BLOCK, BLOCK = 0, 1


def me() -> int:
    return threading.get_ident()


@row("stream-0372")
def subscribe_twice(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtSubscribeReport", me(), stream)
    for thread in (me(), me() + 1):
        w.expect("aclrtSubscribeReport", thread, stream)


@row("stream-0373", devices=2)
def subscribe_on_two_devices(w: World) -> None:
    w.ok("aclrtSubscribeReport", me(), w.stream())
    w.ok("aclrtSetDevice", 1)
    w.expect("aclrtSubscribeReport", me(), w.stream())
    w.ok("aclrtSubscribeReport", me() + 1, w.stream())


@row("stream-0374")
def subscribe_where_host_functions_run(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtLaunchHostFunc", stream, lambda _: None, None)
    w.ok("aclrtSynchronizeStream", stream)
    w.expect("aclrtSubscribeReport", me(), stream)


@row("stream-0375")
def too_many_serving_threads(w: World) -> None:
    for number in range(1024):
        w.ok("aclrtSubscribeReport", 1 + number, w.stream())
    stream = w.stream()
    w.expect("aclrtSubscribeReport", 5000, stream)
    w.ok("aclrtSubscribeReport", 1, stream)


@row("stream-0376")
def subscribe_without_a_context(w: World) -> None:
    stream = w.stream()

    def other() -> None:
        w.expect("aclrtSubscribeReport", me(), stream)
        w.expect("aclrtSubscribeReport", me(), 0)

    w.in_thread(other)


@row("stream-0377")
def one_thread_serves_many_streams(w: World) -> None:
    heard: list[int] = []
    streams = [w.stream() for _ in range(3)]
    for stream in streams:
        w.expect("aclrtSubscribeReport", me(), stream)
        w.ok("aclrtLaunchCallback", heard.append, stream, NO_BLOCK, stream)
    w.ok("aclrtSynchronizeDevice")
    w.ok("aclrtProcessReport", 100)
    w.same(sorted(heard), sorted(streams), "the callbacks")


@row("stream-0378")
def unsubscribe_what_is_not_subscribed(w: World) -> None:
    stream = w.stream()
    w.expect("aclrtUnSubscribeReport", me(), stream)
    w.ok("aclrtSubscribeReport", me(), stream)
    w.ok("aclrtUnSubscribeReport", me(), stream)
    w.expect("aclrtUnSubscribeReport", me(), stream)


@row("stream-0379")
def unsubscribe_another_thread(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtSubscribeReport", me() + 1, stream)
    w.expect("aclrtUnSubscribeReport", me(), stream)
    w.ok("aclrtUnSubscribeReport", me() + 1, stream)


@row("stream-0380")
def bad_block_type(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtSubscribeReport", me(), stream)
    for kind in (2, 3, 100):
        w.expect("aclrtLaunchCallback", print, None, kind, stream)


@rows(("stream-0381", "callback"), ("stream-0391", "host function"), ("stream-case-109", "host function"), faces="c")
def null_function(w: World, kind: str) -> None:
    stream = w.stream()
    if kind == "callback":
        w.refuse(107000, "aclrtLaunchCallback", None, None, BLOCK, stream)
    else:
        w.refuse(107000, "aclrtLaunchHostFunc", stream, None, None)


@row("stream-0382")
def nobody_subscribed(w: World) -> None:
    w.expect("aclrtLaunchCallback", print, None, BLOCK, w.stream())
    w.expect("aclrtLaunchCallback", print, None, NO_BLOCK, 0)


@row("stream-0383")
def callback_where_host_functions_run(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtLaunchHostFunc", stream, lambda _: None, None)
    w.expect("aclrtLaunchCallback", print, None, BLOCK, stream)
    w.ok("aclrtSynchronizeStream", stream)


@row("stream-0384")
def callback_on_a_foreign_stream(w: World) -> None:
    foreign = w.foreign_stream()
    w.ok("aclrtSubscribeReport", me(), foreign)
    w.expect("aclrtLaunchCallback", print, None, BLOCK, foreign)


@row("stream-0385")
def blocking_and_not(w: World) -> None:
    blocked, free, order = w.stream(), w.stream(), []
    for stream, kind in ((blocked, BLOCK), (free, NO_BLOCK)):
        w.ok("aclrtSubscribeReport", me(), stream)
        w.expect("aclrtLaunchCallback", order.append, f"callback {kind}", kind, stream)
        w.work(stream, MS)
    w.ok("aclrtSynchronizeStreamWithTimeout", free, 50)
    w.refuse(507046, "aclrtSynchronizeStreamWithTimeout", blocked, 50)
    w.ok("aclrtProcessReport", 50)
    w.ok("aclrtSynchronizeStreamWithTimeout", blocked, 50)
    w.same(sorted(order), ["callback 0", "callback 1"], "the callbacks")


@rows(("stream-0386",), ("stream-case-025",))
def bad_timeout(w: World) -> None:
    w.ok("aclrtSubscribeReport", me(), w.stream())
    for timeout in (0, -2, -(2**31)):
        w.refuse(100000, "aclrtProcessReport", timeout)


@row("stream-0387")
def serving_nothing(w: World) -> None:
    w.expect("aclrtProcessReport", 10)
    stream = w.stream()
    w.ok("aclrtSubscribeReport", me(), stream)
    w.in_thread(lambda: w.expect("aclrtProcessReport", 10))
    w.ok("aclrtUnSubscribeReport", me(), stream)
    w.expect("aclrtProcessReport", 10)


@row("stream-0388")
def nothing_reported_in_time(w: World) -> None:
    stream, heard = w.stream(), []
    w.ok("aclrtSubscribeReport", me(), stream)
    w.expect("aclrtProcessReport", 10)
    w.work(stream, 30 * MS)
    w.ok("aclrtLaunchCallback", heard.append, 1, BLOCK, stream)
    w.expect("aclrtProcessReport", 10)
    w.ok("aclrtProcessReport", 30)
    w.same(heard, [1], "the callbacks")


@row("stream-0389")
def everything_reported_so_far(w: World) -> None:
    first, second, heard = w.stream(), w.stream(), []
    for stream in (first, second):
        w.ok("aclrtSubscribeReport", me(), stream)
        for number in range(3):
            w.ok("aclrtLaunchCallback", heard.append, number, NO_BLOCK, stream)
    w.ok("aclrtSynchronizeDevice")
    w.expect("aclrtProcessReport", 10)
    w.same(len(heard), 6, "callbacks of one call")
    w.refuse(507012, "aclrtProcessReport", 10)


@row("stream-0390")
def serving_without_a_context(w: World) -> None:
    stream, heard = w.stream(), []
    started, subscribed = threading.Event(), threading.Event()
    ident: list[int] = []

    def serve() -> None:
        ident.append(me())
        started.set()
        subscribed.wait()
        w.expect("aclrtProcessReport", 1000)
        w.refuse(107002, "aclrtGetCurrentContext")

    thread = threading.Thread(target=serve)
    thread.start()
    started.wait()
    w.ok("aclrtSubscribeReport", ident[0], stream)
    w.ok("aclrtLaunchCallback", heard.append, 1, BLOCK, stream)
    subscribed.set()
    thread.join()
    w.ok("aclrtSynchronizeStream", stream)
    w.same(heard, [1], "the callbacks")


@row("stream-0392")
def host_function_where_a_thread_serves(w: World) -> None:
    stream = w.stream()
    w.ok("aclrtSubscribeReport", me(), stream)
    w.expect("aclrtLaunchHostFunc", stream, print, None)


@row("stream-0393")
def host_function_on_a_foreign_stream(w: World) -> None:
    w.expect("aclrtLaunchHostFunc", w.foreign_stream(), print, None)


@row("stream-0394")
def host_functions_have_one_thread(w: World) -> None:
    first, second, heard, ran = w.stream(), w.stream(), [], []
    for stream in (first, second):
        for number in range(2):
            w.expect("aclrtLaunchHostFunc", stream, lambda x: heard.append((me(), x)), number)
        w.work(stream, MS, ran)
    w.ok("aclrtSynchronizeDevice")
    w.same((len(heard), len(ran)), (4, 2), "functions and tasks behind them")
    w.same(len({thread for thread, _ in heard}), 1, "threads")
    w.same(heard[0][0] == me(), False, "the caller's own thread")
