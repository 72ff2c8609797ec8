"""Fetching the result

A result is computed on a stream and fetched with a plain copy, the one that returns when it is done. What does it
fetch?

    ascend-sim run broken.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE = 1 << 20
DEVICE_TO_HOST = 2

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
result = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(SIZE))
must(acl.rt.memset(result, SIZE, 0, SIZE))

must(acl.rt.memset_async(result, SIZE, 7, SIZE, stream))
must(acl.rt.memcpy(host, SIZE, result, SIZE, DEVICE_TO_HOST))
print("fetched:", acl.util.ptr_to_bytes(host, 4).hex())

must(acl.rt.destroy_stream(stream))
must(acl.rt.free_host(host))
must(acl.rt.free(result))
must(acl.rt.reset_device(0))
must(acl.finalize())
