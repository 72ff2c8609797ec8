"""Exercise 7. A callback for each round

In each round the callback `look` is to see what the copy has brought into `host`, which all rounds share. A thread that
serves callbacks is there already, and nobody has told the runtime of it. It should print `seen: [10, 11, 12]`.

    ascend-sim run 07_callbacks.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE, ROUNDS = 1024, 3
DEVICE_TO_HOST = 2
NO_BLOCK, BLOCK = 0, 1

seen: list[int] = []
running = True


def serve(args: Any) -> None:
    (context,) = args
    must(acl.rt.set_context(context))
    while running:
        acl.rt.process_report(100)


def look(args: Any) -> None:
    (host,) = args
    seen.append(acl.util.ptr_to_bytes(host, SIZE)[0])


must(acl.init())
must(acl.rt.set_device(0))
context = must(acl.rt.get_context())
stream = must(acl.rt.create_stream())
device = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(SIZE))
thread = must(acl.util.start_thread(serve, [context]))
must(acl.rt.subscribe_report(thread, stream))

for number in range(ROUNDS):
    must(acl.rt.memset_async(device, SIZE, 10 + number, SIZE, stream))
    must(acl.rt.memcpy_async(host, SIZE, device, SIZE, DEVICE_TO_HOST, stream))
    must(acl.rt.launch_callback(look, [host], BLOCK, stream))
must(acl.rt.synchronize_stream(stream))
print("seen:", seen)

must(acl.rt.unsubscribe_report(thread, stream))
running = False
must(acl.util.stop_thread(thread))
must(acl.rt.free_host(host))
must(acl.rt.free(device))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
