"""A stream of the library

A library computes a tensor, the caller copies it. Every code is 0, and the copy is often right. Which stream did the
library take, and who knows of it?

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

must(acl.init())
must(acl.rt.set_device(0))
pool = [must(acl.rt.create_stream()) for _ in range(2)]
current = must(acl.rt.create_stream())
tensor, copy = (must(acl.rt.malloc(SIZE, 0)) for _ in range(2))


def produce(value: int) -> None:
    stream = pool[value % 2]
    must(acl.rt.memset_async(tensor, SIZE, value, SIZE, stream))


produce(7)
must(acl.rt.memcpy_async(copy, SIZE, tensor, SIZE, 3, current))
must(acl.rt.synchronize_device())

must(acl.rt.free(copy))
must(acl.rt.free(tensor))
for stream in (*pool, current):
    must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
