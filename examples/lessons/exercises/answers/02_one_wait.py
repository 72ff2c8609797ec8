"""Exercise 2. One wait

Three tasks are queued, and the host looks at the result. Let it print `host has 2a2a2a2a`. Add one call, and only one:
the three tasks stay as they are, in this stream.

    ascend-sim run 02_one_wait.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE = 4096
DEVICE_TO_HOST, DEVICE_TO_DEVICE = 2, 3

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
first, second = (must(acl.rt.malloc(SIZE, 0)) for _ in range(2))
host = must(acl.rt.malloc_host(SIZE))
must(acl.rt.memset(host, SIZE, 0, SIZE))

must(acl.rt.memset_async(first, SIZE, 0x2A, SIZE, stream))
must(acl.rt.memcpy_async(second, SIZE, first, SIZE, DEVICE_TO_DEVICE, stream))
must(acl.rt.memcpy_async(host, SIZE, second, SIZE, DEVICE_TO_HOST, stream))
must(acl.rt.synchronize_stream(stream))
print("host has", acl.util.ptr_to_bytes(host, 4).hex())

must(acl.rt.destroy_stream(stream))
must(acl.rt.free_host(host))
for pointer in (first, second):
    must(acl.rt.free(pointer))
must(acl.rt.reset_device(0))
must(acl.finalize())
