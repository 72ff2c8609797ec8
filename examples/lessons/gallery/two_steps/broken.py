"""Two steps, two streams

The first step runs on one stream, the second one on another, and an event orders them. All codes are 0. Between whom
does it make an order?

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
compute, copies = (must(acl.rt.create_stream()) for _ in range(2))
ready = must(acl.rt.create_event_ex_with_flag(SYNC))
result = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(SIZE))
must(acl.rt.memset(result, SIZE, 0, SIZE))

must(acl.rt.memset_async(result, SIZE, 7, SIZE, compute))
must(acl.rt.record_event(ready, copies))
must(acl.rt.stream_wait_event(copies, ready))
must(acl.rt.memcpy_async(host, SIZE, result, SIZE, DEVICE_TO_HOST, copies))
must(acl.rt.synchronize_stream(copies))

must(acl.rt.destroy_event(ready))
must(acl.rt.destroy_stream(copies))
must(acl.rt.destroy_stream(compute))
must(acl.rt.free_host(host))
must(acl.rt.free(result))
must(acl.rt.reset_device(0))
must(acl.finalize())
