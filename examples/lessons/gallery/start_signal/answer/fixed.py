"""A queue that can only be emptied by the one who fills it.

A stream holds about two thousand tasks; a call that finds it full waits until there is room. Here the stream waits for a
flag that the same thread would raise after the loop. (STR-01)

Corrected: the flag is raised before the queue is filled.

    ascend-sim run answer/fixed.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE, SYNC = 64, 1

must(acl.init())
must(acl.rt.set_device(0))
gate, worker = (must(acl.rt.create_stream()) for _ in range(2))
start = must(acl.rt.create_event_with_flag(SYNC))
buffer = must(acl.rt.malloc(SIZE, 0))

must(acl.rt.record_event(start, gate))
must(acl.rt.stream_wait_event(worker, start))
for i in range(3000):
    must(acl.rt.memset_async(buffer, SIZE, i % 256, SIZE, worker))
must(acl.rt.synchronize_stream(worker))

must(acl.rt.free(buffer))
must(acl.rt.destroy_event(start))
must(acl.rt.destroy_stream(worker))
must(acl.rt.destroy_stream(gate))
must(acl.rt.reset_device(0))
must(acl.finalize())
