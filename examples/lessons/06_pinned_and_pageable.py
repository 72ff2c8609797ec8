"""Lesson 6. Pinned and pageable memory

The copy engine can read and write host memory on its own only where the memory is *pinned*: from malloc_host, or
registered. Everything else (bytes, numpy, malloc) is pageable, and an "asynchronous" copy of pageable memory waits for
the whole stream, copies, and then returns. It is right, and it is slow; nothing overlaps.

    ascend-sim run 06_pinned_and_pageable.py
"""

import mmap
from typing import Any

import acl
import numpy as np

SIZE = 16 << 20
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
HOST_TO_HOST = 0


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
device = must(acl.rt.malloc(SIZE, 0))

# Pageable: when the call returns, the copy has happened, and so has everything before it.
pageable = np.full(SIZE, 1, np.uint8)
must(acl.rt.memset_async(device, SIZE, 0, SIZE, stream))
must(acl.rt.memcpy_async(device, SIZE, pageable.ctypes.data, SIZE, HOST_TO_DEVICE, stream))
print("after a copy of pageable memory:", state(stream))

# Pinned: the call returns at once, and the source is read when the task runs. It belongs to the stream until then.
pinned = must(acl.rt.malloc_host(SIZE))
must(acl.rt.memset(pinned, SIZE, 2, SIZE))
must(acl.rt.memcpy_async(device, SIZE, pinned, SIZE, HOST_TO_DEVICE, stream))
print("after a copy of pinned memory:  ", state(stream))
must(acl.rt.synchronize_stream(stream))

# Memory that exists can be pinned as well, in whole pages; mmap gives memory that begins at one. It has to stay where it
# is until it is unregistered.
array = np.frombuffer(mmap.mmap(-1, SIZE), np.uint8)
array[:] = 3
must(acl.rt.host_register(array.ctypes.data, SIZE, 0))
must(acl.rt.memcpy_async(device, SIZE, array.ctypes.data, SIZE, HOST_TO_DEVICE, stream))
print("after a copy of registered memory:", state(stream))
must(acl.rt.synchronize_stream(stream))
must(acl.rt.host_unregister(array.ctypes.data))

# From host to host is no task for a stream.
print("host to host:", acl.rt.memcpy_async(pinned, 64, pageable.ctypes.data, 64, HOST_TO_HOST, stream))


# What it costs: two streams, four copies each way. With pinned memory both directions run at the same time.
def both_ways(up: int, down: int) -> Any:
    """Milliseconds from the first copy to the last."""
    streams = [must(acl.rt.create_stream()) for _ in range(2)]
    begin, middle, end = (must(acl.rt.create_event()) for _ in range(3))
    must(acl.rt.record_event(begin, streams[0]))
    for _ in range(4):
        must(acl.rt.memcpy_async(device, SIZE, up, SIZE, HOST_TO_DEVICE, streams[0]))
        must(acl.rt.memcpy_async(down, SIZE, other, SIZE, DEVICE_TO_HOST, streams[1]))
    must(acl.rt.record_event(middle, streams[1]))
    must(acl.rt.stream_wait_event(streams[0], middle))
    must(acl.rt.record_event(end, streams[0]))
    must(acl.rt.synchronize_stream(streams[0]))
    elapsed = must(acl.rt.event_elapsed_time(begin, end))
    for event in (begin, middle, end):
        must(acl.rt.destroy_event(event))
    for used in streams:
        must(acl.rt.destroy_stream(used))
    return elapsed


other = must(acl.rt.malloc(SIZE, 0))
must(acl.rt.memset(other, SIZE, 4, SIZE))
target = must(acl.rt.malloc_host(SIZE))
back = np.zeros(SIZE, np.uint8)
print(f"4 copies each way, pinned:   {both_ways(pinned, target):6.2f} ms")
print(f"4 copies each way, pageable: {both_ways(pageable.ctypes.data, back.ctypes.data):6.2f} ms")

for pointer in (pinned, target):
    must(acl.rt.free_host(pointer))
for pointer in (device, other):
    must(acl.rt.free(pointer))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - After the copy of pinned memory, before the synchronise, write to the source: acl.rt.memset(pinned, SIZE, 9, SIZE).
# - Pass acl.util.bytes_to_ptr(bytes(SIZE)) as a source. Who holds the bytes when the copy runs?
# - Give both streams one buffer for both directions (`device` instead of `other`), and read the report.
# - `ascend-sim run --timeline - 06_pinned_and_pageable.py` draws what overlaps; `--timeline overlap.html` as a page.
