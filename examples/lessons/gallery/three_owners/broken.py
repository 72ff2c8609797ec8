"""Three owners of a block

A memory pool keeps an event for each stream. Stream b takes over a block of stream a and waits for a's event; stream c
takes it over from b and waits for b's. Everybody waits for the one before. Does c wait for a?

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

must(acl.init())
must(acl.rt.set_device(0))
a, b, c = (must(acl.rt.create_stream()) for _ in range(3))
of_a, of_b = (must(acl.rt.create_event()) for _ in range(2))
block = must(acl.rt.malloc(SIZE, 0))

must(acl.rt.memset_async(block, SIZE, 0xAA, SIZE, a))
must(acl.rt.record_event(of_a, a))
must(acl.rt.record_event(of_b, b))
must(acl.rt.stream_wait_event(b, of_a))
must(acl.rt.stream_wait_event(c, of_b))
must(acl.rt.memset_async(block, SIZE, 0xCC, SIZE, c))
must(acl.rt.synchronize_device())

must(acl.rt.free(block))
for event in (of_a, of_b):
    must(acl.rt.destroy_event(event))
for stream in (a, b, c):
    must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
