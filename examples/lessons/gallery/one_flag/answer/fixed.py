"""One flag, two waiters, and a reset between them.

An event of create_event_with_flag is one flag that stays up until it is reset. Stream b resets it after its own wait; it
does not know whether stream c has looked already. In another order of the device, c waits for ever. (EVT-05)

Corrected: everybody waits first; then the flag is taken down.

    ascend-sim run answer/fixed.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SYNC = 1

must(acl.init())
must(acl.rt.set_device(0))
a, b, c = (must(acl.rt.create_stream()) for _ in range(3))
flag = must(acl.rt.create_event_with_flag(SYNC))

must(acl.rt.record_event(flag, a))
must(acl.rt.stream_wait_event(b, flag))
must(acl.rt.stream_wait_event(c, flag))
must(acl.rt.synchronize_device())
must(acl.rt.reset_event(flag, b))
must(acl.rt.synchronize_stream(b))

must(acl.rt.destroy_event(flag))
for stream in (a, b, c):
    must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
