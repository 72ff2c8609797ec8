"""Closing down

The program has done its work and gives everything back. Two of its last calls answer with a code. Does the order
matter at the end?

    ascend-sim run broken.py
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

must(acl.rt.reset_device_force(0))
print("free:", acl.rt.free(buffer))
print("destroy:", acl.rt.destroy_stream(stream))
must(acl.finalize())
