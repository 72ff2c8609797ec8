"""A thousand elements, in tiles

A kernel fills an array in tiles of 64 elements. The launch answers 0; the synchronise does not. How much did the kernel
write?

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


N = 1000

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
binary = must(acl.rt.binary_load_from_file("kernels.o", []))
fill = must(acl.rt.binary_get_function(binary, "fill"))
data = must(acl.rt.malloc(4 * N, 0))

args = np.frombuffer(struct.pack("<QI4x", data, -(-N // 64) * 64), np.uint8)
must(acl.rt.launch_kernel_with_host_args(fill, 16, stream, [], args.ctypes.data, args.size, [], 0))
print("synchronise:", acl.rt.synchronize_stream(stream))

must(acl.rt.free(data))
must(acl.rt.binary_unload(binary))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
