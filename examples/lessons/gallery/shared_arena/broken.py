"""An arena that hands out again

An arena gives the bytes of a finished buffer to the next one who asks, and nobody waits for a free. Two streams work
with what they got. When is a buffer finished?

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
HOST_TO_DEVICE = 1

must(acl.init())
must(acl.rt.set_device(0))
copies, compute = (must(acl.rt.create_stream()) for _ in range(2))
arena = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(SIZE))
must(acl.rt.memset(host, SIZE, 1, SIZE))

first = arena
must(acl.rt.memcpy_async(first, SIZE, host, SIZE, HOST_TO_DEVICE, copies))
# ... the first buffer is "freed", and the arena gives the same bytes away again:
second = arena
must(acl.rt.memset_async(second, SIZE, 7, SIZE, compute))
must(acl.rt.synchronize_device())

must(acl.rt.free_host(host))
must(acl.rt.free(arena))
must(acl.rt.destroy_stream(compute))
must(acl.rt.destroy_stream(copies))
must(acl.rt.reset_device(0))
must(acl.finalize())
