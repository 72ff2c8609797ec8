"""One event more for every batch.

The program works and would work for hours; then the events of the device are used up, and the error names a call that
has nothing to do with it. (MEM-10)

Corrected: each event is destroyed when it has been waited for.

    ascend-sim run answer/fixed.py
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
    must(acl.rt.destroy_event(done))

must(acl.rt.free(buffer))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
