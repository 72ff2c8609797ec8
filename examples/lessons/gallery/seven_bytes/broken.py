"""Bytes to the device

The address of some bytes is taken and copied from. It often works. What lies at the address when the copy reads it?

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
HOST_TO_DEVICE = 1

must(acl.init())
must(acl.rt.set_device(0))
device = must(acl.rt.malloc(SIZE, 0))

pointer = acl.util.bytes_to_ptr(bytes([7]) * SIZE)
must(acl.rt.memcpy(device, SIZE, pointer, SIZE, HOST_TO_DEVICE))

must(acl.rt.free(device))
must(acl.rt.reset_device(0))
must(acl.finalize())
