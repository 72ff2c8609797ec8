"""Exercise 9. Two sums at once

Two streams compute a sum each, with the same workspace. Let both run at the same time, correctly, and give every byte of
device memory back. It should print `sum: 499500` twice.

    ascend-sim run --kernels lesson_kernels.o=../kernels/lesson_kernels.py 09_workspaces.py
"""

import struct
from typing import Any

import acl
import numpy as np


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


N, BLOCKS = 1000, 8
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2

must(acl.init())
must(acl.rt.set_device(0))
streams = [must(acl.rt.create_stream()) for _ in range(2)]
binary = must(acl.rt.binary_load_from_file("lesson_kernels.o", []))
total = must(acl.rt.binary_get_function(binary, "total"))
numbers = np.arange(N, dtype=np.int32)
x = must(acl.rt.malloc(numbers.nbytes, 0))
must(acl.rt.memcpy(x, numbers.nbytes, numbers.ctypes.data, numbers.nbytes, HOST_TO_DEVICE))
outs = [must(acl.rt.malloc(4, 0)) for _ in streams]


def launch(stream: int, out: int) -> None:
    """Queue one sum, with a workspace for it."""
    args = np.frombuffer(struct.pack("<QQQI4x", x, out, space, N), np.uint8)
    must(acl.rt.launch_kernel_with_host_args(total, BLOCKS, stream, [], args.ctypes.data, args.size, [], 0))


space = must(acl.rt.malloc(4 * BLOCKS, 0))
for stream, out in zip(streams, outs, strict=True):
    launch(stream, out)
for stream in streams:
    must(acl.rt.synchronize_stream(stream))
must(acl.rt.free(space))

result = np.zeros(1, np.int32)
for out in outs:
    must(acl.rt.memcpy(result.ctypes.data, 4, out, 4, DEVICE_TO_HOST))
    print("sum:", result[0])

for pointer in (x, *outs):
    must(acl.rt.free(pointer))
must(acl.rt.binary_unload(binary))
for stream in streams:
    must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
