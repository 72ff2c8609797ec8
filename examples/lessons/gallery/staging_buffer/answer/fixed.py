"""A pinned buffer belongs to the copy until the copy has run.

One staging buffer for all batches: the second batch overwrites it while the copy of the first one is still queued.
(CPY-05)

Corrected: two staging buffers, and a wait before one is used again.

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
BATCHES = 4

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
batches = [must(acl.rt.malloc(SIZE, 0)) for _ in range(BATCHES)]
stagings = [must(acl.rt.malloc_host(SIZE)) for _ in range(2)]
read = [must(acl.rt.create_event()) for _ in stagings]

for number, batch in enumerate(batches):
    staging, done = stagings[number % 2], read[number % 2]
    if number >= len(stagings):  # before that nothing was recorded, and there is nothing to wait for
        must(acl.rt.synchronize_event(done))
    must(acl.rt.memset(staging, SIZE, number, SIZE))
    must(acl.rt.memcpy_async(batch, SIZE, staging, SIZE, HOST_TO_DEVICE, stream))
    must(acl.rt.record_event(done, stream))
must(acl.rt.synchronize_stream(stream))

for staging, done in zip(stagings, read, strict=True):
    must(acl.rt.free_host(staging))
    must(acl.rt.destroy_event(done))
for batch in batches:
    must(acl.rt.free(batch))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
