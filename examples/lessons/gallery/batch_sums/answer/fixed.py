"""A callback that does not hold the stream.

With NO_BLOCK the stream runs on while the callback reads, and the next copy lands in the buffer under its eyes. (CB-04)

Corrected: the callback blocks the stream while it reads.

    ascend-sim run answer/fixed.py
"""

import threading
from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE = 4096
DEVICE_TO_HOST = 2
NO_BLOCK, BLOCK = 0, 1

must(acl.init())
must(acl.rt.set_device(0))
context = must(acl.rt.get_context())
stream = must(acl.rt.create_stream())
device = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(SIZE))
done = threading.Event()
sums: list[int] = []


def serve() -> None:
    must(acl.rt.set_context(context))
    while not done.is_set():
        acl.rt.process_report(10)


def add_up(args: Any) -> None:
    sums.append(sum(acl.util.ptr_to_bytes(host, SIZE)))


thread = threading.Thread(target=serve, name="callbacks")
thread.start()
must(acl.rt.subscribe_report(thread.ident or 0, stream))
for batch in range(3):
    must(acl.rt.memset_async(device, SIZE, batch, SIZE, stream))
    must(acl.rt.memcpy_async(host, SIZE, device, SIZE, DEVICE_TO_HOST, stream))
    must(acl.rt.launch_callback(add_up, [], BLOCK, stream))
must(acl.rt.synchronize_stream(stream))
must(acl.rt.unsubscribe_report(thread.ident or 0, stream))
done.set()
thread.join()
print("sums:", sums)

must(acl.rt.free_host(host))
must(acl.rt.free(device))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
