"""A staging buffer

Batches are written into a page-locked buffer and copied to the device, one after the other. What does the device have
of each batch?

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
BATCHES = 4

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
batches = [must(acl.rt.malloc(SIZE, 0)) for _ in range(BATCHES)]
staging = must(acl.rt.malloc_host(SIZE))

for number, batch in enumerate(batches):
    must(acl.rt.memset(staging, SIZE, number, SIZE))
    must(acl.rt.memcpy_async(batch, SIZE, staging, SIZE, HOST_TO_DEVICE, stream))
must(acl.rt.synchronize_stream(stream))

must(acl.rt.free_host(staging))
for batch in batches:
    must(acl.rt.free(batch))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
