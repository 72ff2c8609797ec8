"""A hand-over

A producer, a consumer, and an event between them: one stream records it, the other one waits for it. All codes are 0.
Which record does the wait mean?

    ascend-sim run broken.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE = 1 << 20
DEVICE_TO_HOST, SYNC = 2, 1

must(acl.init())
must(acl.rt.set_device(0))
producer, consumer = (must(acl.rt.create_stream()) for _ in range(2))
ready = must(acl.rt.create_event_ex_with_flag(SYNC))
data = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(SIZE))
must(acl.rt.memset(data, SIZE, 0, SIZE))


def consume() -> None:
    must(acl.rt.stream_wait_event(consumer, ready))
    must(acl.rt.memcpy_async(host, SIZE, data, SIZE, DEVICE_TO_HOST, consumer))


def produce() -> None:
    must(acl.rt.memset_async(data, SIZE, 7, SIZE, producer))
    must(acl.rt.record_event(ready, producer))


consume()
produce()
must(acl.rt.synchronize_device())

must(acl.rt.destroy_event(ready))
must(acl.rt.destroy_stream(consumer))
must(acl.rt.destroy_stream(producer))
must(acl.rt.free_host(host))
must(acl.rt.free(data))
must(acl.rt.reset_device(0))
must(acl.finalize())
