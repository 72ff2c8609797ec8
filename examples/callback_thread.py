"""Host callbacks: a stream stops until a function on another thread has looked at each batch."""

import sys
from typing import Any

import acl

HUGE_FIRST = 0
DEVICE_TO_HOST = 2
CALLBACK_BLOCK = 1

DEVICE = 0
SIZE = 4096
BATCHES = 4
INVALID_ARGUMENT = 100000

running = True
log: list[Any] = []


def must(ret: int) -> None:
    if ret != 0:
        raise RuntimeError(f"the call returned {ret}: {acl.get_recent_err_msg()}")


def made(result: Any) -> Any:
    value, ret = result
    must(ret)
    return value


def serve(args: Any) -> None:
    """The callback thread: it has no context until it sets one, and it looks for its flag between reports."""
    context, timeout = args
    must(acl.rt.set_context(context))
    while running:
        ret = acl.rt.process_report(timeout)
        if ret == INVALID_ARGUMENT:
            raise RuntimeError("process_report takes -1 or a positive number of milliseconds")


def inspect(args: Any) -> None:
    """Runs in the callback thread while the stream waits."""
    batch, host = args
    data = acl.util.ptr_to_bytes(host, SIZE)
    log.append((batch, data[0], len(set(data))))


def main() -> int:
    global running
    must(acl.init())
    must(acl.rt.set_device(DEVICE))
    context = made(acl.rt.create_context(DEVICE))
    stream = made(acl.rt.create_stream())
    device = made(acl.rt.malloc(SIZE, HUGE_FIRST))
    host = made(acl.rt.malloc_host(SIZE))

    thread = made(acl.util.start_thread(serve, [context, 100]))
    must(acl.rt.subscribe_report(thread, stream))

    for batch in range(BATCHES):
        must(acl.rt.memset_async(device, SIZE, 10 + batch, SIZE, stream))
        must(acl.rt.memcpy_async(host, SIZE, device, SIZE, DEVICE_TO_HOST, stream))
        must(acl.rt.launch_callback(inspect, [batch, host], CALLBACK_BLOCK, stream))
    must(acl.rt.synchronize_stream(stream))

    must(acl.rt.unsubscribe_report(thread, stream))
    running = False
    must(acl.util.stop_thread(thread))

    for batch, first, kinds in log:
        print(f"batch {batch}: all bytes are {first}" if kinds == 1 else f"batch {batch}: MIXED bytes")
    good = log == [(batch, 10 + batch, 1) for batch in range(BATCHES)]

    must(acl.rt.free_host(host))
    must(acl.rt.free(device))
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.destroy_context(context))
    must(acl.rt.reset_device(DEVICE))
    must(acl.finalize())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
