"""Eight batches

Each batch is queued, marked by an event, and waited for. It works: for eight batches, and for eight thousand. What
happens in a server that runs for a week?

    ascend-sim run broken.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE = 4096

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
buffer = must(acl.rt.malloc(SIZE, 0))

for batch in range(8):
    done = must(acl.rt.create_event())
    must(acl.rt.memset_async(buffer, SIZE, batch, SIZE, stream))
    must(acl.rt.record_event(done, stream))
    must(acl.rt.synchronize_event(done))

must(acl.rt.free(buffer))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
