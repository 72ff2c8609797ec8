"""Two streams, one piece of memory.

An arena hands the bytes of a finished buffer to the next one who asks. But the buffer is finished only on the host: its
copy still waits in a queue, and the new owner works on another stream. (MEM-03)

Corrected: the new owner waits for the stream of the old one.

    ascend-sim run answer/fixed.py
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
freed = must(acl.rt.create_event())
must(acl.rt.record_event(freed, copies))
# ... the first buffer is "freed", and the arena gives the same bytes away again:
second = arena
must(acl.rt.stream_wait_event(compute, freed))
must(acl.rt.memset_async(second, SIZE, 7, SIZE, compute))
must(acl.rt.synchronize_device())

must(acl.rt.destroy_event(freed))
must(acl.rt.free_host(host))
must(acl.rt.free(arena))
must(acl.rt.destroy_stream(compute))
must(acl.rt.destroy_stream(copies))
must(acl.rt.reset_device(0))
must(acl.finalize())
