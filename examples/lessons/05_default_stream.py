"""Lesson 5. The default stream synchronises with nobody

Where a call takes a stream, 0 stands for the default stream of the current context. In CUDA the one of old waits for all
other streams, and programs rely on it. Here it is a stream like the others, and only an event, or the host, can order
two streams. This lesson does it wrong first. All codes are 0 both times; the simulator tells the difference.

    ascend-sim run 05_default_stream.py
"""

from typing import Any

import acl

SIZE = 64 << 20
DEVICE_TO_HOST = 2
DEFAULT = 0


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
big = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(8))
must(acl.rt.memset(big, SIZE, 0x11, SIZE))

# A long task on our stream, and a short one on the default stream that wants its result.
must(acl.rt.memset_async(big, SIZE, 0x22, SIZE, stream))
must(acl.rt.memcpy_async(host, 8, big, 8, DEVICE_TO_HOST, DEFAULT))
must(acl.rt.synchronize_device())  # waits for all streams of the context: too late, the copy has run
print("without an event:", acl.util.ptr_to_bytes(host, 8).hex())

# The same with an event: recorded behind the long task, waited for before the short one.
done = must(acl.rt.create_event())
must(acl.rt.memset_async(big, SIZE, 0x33, SIZE, stream))
must(acl.rt.record_event(done, stream))
must(acl.rt.stream_wait_event(DEFAULT, done))
must(acl.rt.memcpy_async(host, 8, big, 8, DEVICE_TO_HOST, DEFAULT))
must(acl.rt.synchronize_stream(DEFAULT))
print("with an event:   ", acl.util.ptr_to_bytes(host, 8).hex())

must(acl.rt.destroy_event(done))
must(acl.rt.free_host(host))
must(acl.rt.free(big))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - Read the report from the top: two places in the program, the memory they share, and what to type to cure it.
# - Cure the first half without an event: acl.rt.synchronize_stream(stream) before the copy. Also right; the host waits
#   instead of the device.
# - Run with `--schedule early`, or `--schedule random --seed 3`. Bytes may differ; the report stays.
