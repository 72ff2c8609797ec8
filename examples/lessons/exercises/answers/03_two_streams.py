"""Exercise 3. Two streams in order

One stream writes, the other one copies what was written. Order the two: the host goes on waiting once, at the end, for
the consumer, and both streams keep their task. It should print `host has 07070707`.

    ascend-sim run 03_two_streams.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE = 1 << 20
DEVICE_TO_HOST = 2

must(acl.init())
must(acl.rt.set_device(0))
producer, consumer = (must(acl.rt.create_stream()) for _ in range(2))
data = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(SIZE))
must(acl.rt.memset(data, SIZE, 0, SIZE))

must(acl.rt.memset_async(data, SIZE, 7, SIZE, producer))
ready = must(acl.rt.create_event())
must(acl.rt.record_event(ready, producer))
must(acl.rt.stream_wait_event(consumer, ready))
must(acl.rt.memcpy_async(host, SIZE, data, SIZE, DEVICE_TO_HOST, consumer))
must(acl.rt.synchronize_stream(consumer))
print("host has", acl.util.ptr_to_bytes(host, 4).hex())

must(acl.rt.destroy_event(ready))
must(acl.rt.free_host(host))
must(acl.rt.free(data))
for stream in (producer, consumer):
    must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
