"""Exercise 5. The copy comes too early

The memset runs on a stream, the copy on the default stream, as in a program that was taken over from another runtime.
Keep both where they are, and let the host wait for the default stream only. It should print `host has 33333333`.

    ascend-sim run 05_default_stream.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE = 16 << 20
DEVICE_TO_HOST = 2
DEFAULT = 0

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
big = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(8))
must(acl.rt.memset(big, SIZE, 0, SIZE))

must(acl.rt.memset_async(big, SIZE, 0x33, SIZE, stream))
must(acl.rt.memcpy_async(host, 8, big, 8, DEVICE_TO_HOST, DEFAULT))
must(acl.rt.synchronize_stream(DEFAULT))
print("host has", acl.util.ptr_to_bytes(host, 4).hex())

must(acl.rt.free_host(host))
must(acl.rt.free(big))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
