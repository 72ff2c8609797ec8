"""From one device to the other

A buffer of device 1 is copied into one of device 0. On one machine it worked. What does the runtime want to know before
a device may look into another's memory?

    ascend-sim run --devices 2 broken.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE = 4096
DEVICE_TO_DEVICE = 3

must(acl.init())
must(acl.rt.set_device(1))
there = must(acl.rt.malloc(SIZE, 0))
must(acl.rt.memset(there, SIZE, 7, SIZE))
must(acl.rt.set_device(0))
here = must(acl.rt.malloc(SIZE, 0))
stream = must(acl.rt.create_stream())
must(acl.rt.memcpy_async(here, SIZE, there, SIZE, DEVICE_TO_DEVICE, stream))
must(acl.rt.synchronize_stream(stream))

must(acl.rt.destroy_stream(stream))
must(acl.rt.free(here))
must(acl.rt.free(there))
must(acl.rt.reset_device(1))
must(acl.rt.reset_device(0))
must(acl.finalize())
