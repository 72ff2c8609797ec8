"""The device goes first, its memory later.

A forced reset takes memory and streams along. A free that comes afterwards is refused at best; if the device was set
again, the address may be somebody else's. (CTX-06)

Corrected: free and destroy first, reset the device last.

    ascend-sim run answer/fixed.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
buffer = must(acl.rt.malloc(1024, 0))
must(acl.rt.memset_async(buffer, 1024, 0, 1024, stream))
must(acl.rt.synchronize_stream(stream))

print("free:", acl.rt.free(buffer))
print("destroy:", acl.rt.destroy_stream(stream))
must(acl.rt.reset_device_force(0))
must(acl.finalize())
