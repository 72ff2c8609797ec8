"""One flag, two waiters

Streams b and c wait for the flag of stream a; then b takes the flag down for the next round. It ends well here. Does
it in every order that the device may choose? (`ascend-sim explore` tries them.)

    ascend-sim run broken.py
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
must(acl.rt.reset_event(flag, b))
must(acl.rt.synchronize_device())

must(acl.rt.destroy_event(flag))
for stream in (a, b, c):
    must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
