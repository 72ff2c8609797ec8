"""Bytes that nobody wrote.

malloc does not clear memory, and the memset covers half of it. On a device the rest is what the last owner left there:
often zeros, sometimes not.

Corrected: the memset covers the whole buffer.

    ascend-sim run answer/fixed.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


N = 1024
DEVICE_TO_HOST = 2

must(acl.init())
must(acl.rt.set_device(0))
sums = must(acl.rt.malloc(4 * N, 0))
host = must(acl.rt.malloc_host(4 * N))

must(acl.rt.memset(sums, 4 * N, 0, 4 * N))
must(acl.rt.memcpy(host, 4 * N, sums, 4 * N, DEVICE_TO_HOST))
print("sum of the bytes:", sum(acl.util.ptr_to_bytes(host, 2 * N)))

must(acl.rt.free_host(host))
must(acl.rt.free(sums))
must(acl.rt.reset_device(0))
must(acl.finalize())
