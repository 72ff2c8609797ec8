"""Lesson 2. A stream is a queue

Calls that end in `_async` do nothing yet: they put a task into a stream and come back at once. Tasks of one stream run
one after the other, in the order in which they were put there. To see a result, the host has to wait.

    ascend-sim run 02_first_stream.py
"""

from typing import Any

import acl

SIZE = 4096
DEVICE_TO_HOST, DEVICE_TO_DEVICE = 2, 3


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


def state(stream: int) -> Any:
    """What the stream is up to: asking does not wait."""
    return ["complete", "not ready"][must(acl.rt.stream_query(stream))]


must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
first = must(acl.rt.malloc(SIZE, 0))
second = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(SIZE))  # lesson 6 tells why not a bytearray
must(acl.rt.memset(host, SIZE, 0, SIZE))
print("a fresh stream:", state(stream))

# Three tasks. Each reads what the one before it wrote, and no wait is needed between them: the queue is the order.
must(acl.rt.memset_async(first, SIZE, 7, SIZE, stream))
must(acl.rt.memcpy_async(second, SIZE, first, SIZE, DEVICE_TO_DEVICE, stream))
must(acl.rt.memcpy_async(host, SIZE, second, SIZE, DEVICE_TO_HOST, stream))
print("three tasks queued:", state(stream))

# Waiting. Everything that was in the queue has happened when this returns; so have its failures, which no earlier call
# could have told about.
must(acl.rt.synchronize_stream(stream))
print("synchronised:", state(stream) + ", host has", acl.util.ptr_to_bytes(host, 4).hex())

# Destroying waits as well, and takes the handle away.
must(acl.rt.memset_async(first, SIZE, 9, SIZE, stream))
must(acl.rt.destroy_stream(stream))
must(acl.rt.memcpy(host, SIZE, first, SIZE, DEVICE_TO_HOST))
print("destroyed with work in it, host has", acl.util.ptr_to_bytes(host, 4).hex())
print("used once more:", acl.rt.synchronize_stream(stream))
print(acl.get_recent_err_msg())

must(acl.rt.free_host(host))
must(acl.rt.free(second))
must(acl.rt.free(first))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - Print the bytes of `host` before the synchronise, too. The simulator shows the old ones every time, and reports the
#   look as a race: on a device it may be the old ones, the new ones, or half of each.
# - `ascend-sim run --log calls 02_first_stream.py` shows every call with what it returned.
