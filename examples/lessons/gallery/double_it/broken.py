"""Twice as much

A kernel doubles the numbers of an array. The launch answers 0; the synchronise does not. Which of the kernel's
parameters cannot be right?

    ascend-sim run --kernels kernels.o=kernels.py broken.py
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


N = 64
HOST_TO_DEVICE = 1

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
binary = must(acl.rt.binary_load_from_file("kernels.o", []))
double = must(acl.rt.binary_get_function(binary, "double"))
host = np.arange(N, dtype=np.float32)
x, z = (must(acl.rt.malloc(host.nbytes, 0)) for _ in range(2))
must(acl.rt.memcpy(x, host.nbytes, host.ctypes.data, host.nbytes, HOST_TO_DEVICE))

args = np.frombuffer(struct.pack("<QQI4x", host.ctypes.data, z, N), np.uint8)
must(acl.rt.launch_kernel_with_host_args(double, 4, stream, [], args.ctypes.data, args.size, [], 0))
print("synchronise:", acl.rt.synchronize_stream(stream))

must(acl.rt.free(z))
must(acl.rt.free(x))
must(acl.rt.binary_unload(binary))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
