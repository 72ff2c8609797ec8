"""Blocks that add to the same place.

Each block reads the sum, adds its part and writes it back. Run one after the other, as here, the result is right; on
cores that run at the same time, updates get lost.

Corrected: the addition is atomic.

    ascend-sim run --kernels kernels.o=answer/kernels.py answer/fixed.py
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


N = 1000
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
binary = must(acl.rt.binary_load_from_file("kernels.o", []))
total = must(acl.rt.binary_get_function(binary, "total"))
numbers = np.arange(N, dtype=np.int32)
x = must(acl.rt.malloc(numbers.nbytes, 0))
out = must(acl.rt.malloc(4, 0))
must(acl.rt.memcpy(x, numbers.nbytes, numbers.ctypes.data, numbers.nbytes, HOST_TO_DEVICE))
must(acl.rt.memset(out, 4, 0, 4))

args = np.frombuffer(struct.pack("<QQI4x", x, out, N), np.uint8)
must(acl.rt.launch_kernel_with_host_args(total, 8, stream, [], args.ctypes.data, args.size, [], 0))
must(acl.rt.synchronize_stream(stream))
result = np.zeros(1, np.int32)
must(acl.rt.memcpy(result.ctypes.data, 4, out, 4, DEVICE_TO_HOST))
print("sum:", result[0])

must(acl.rt.free(out))
must(acl.rt.free(x))
must(acl.rt.binary_unload(binary))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
