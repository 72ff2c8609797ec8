"""All blocks meet

Every block counts itself, and then waits until all have. With half as many blocks the kernel works. What do the blocks
need while they wait?

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


must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
binary = must(acl.rt.binary_load_from_file("kernels.o", []))
meet = must(acl.rt.binary_get_function(binary, "meet"))
cores = must(acl.get_device_capability(0, 1))
count = must(acl.rt.malloc(4, 0))
must(acl.rt.memset(count, 4, 0, 4))

blocks = 2 * cores
args = np.frombuffer(struct.pack("<Q", count), np.uint8)
must(acl.rt.launch_kernel_with_host_args(meet, blocks, stream, [], args.ctypes.data, args.size, [], 0))
print("synchronise:", acl.rt.synchronize_stream(stream))

must(acl.rt.free(count))
must(acl.rt.binary_unload(binary))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
