"""Exercise 8. Five elements each

Kernel `sign` lets each block write its number into its share of `z`, which has 20 elements. Launch it so that each block
has exactly five of them, and print what `z` holds: `blocks: 0 0 0 0 0 1 1 1 1 1 2 2 2 2 2 3 3 3 3 3`.

    ascend-sim run --kernels lesson_kernels.o=../kernels/lesson_kernels.py 08_shares.py
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


N, BLOCKS = 20, 4
DEVICE_TO_HOST = 2

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
binary = must(acl.rt.binary_load_from_file("lesson_kernels.o", []))
sign = must(acl.rt.binary_get_function(binary, "sign"))
host = np.zeros(N, np.int32)
z = must(acl.rt.malloc(host.nbytes, 0))

args = np.frombuffer(struct.pack("<QI4x", z, N), np.uint8)
must(acl.rt.launch_kernel_with_host_args(sign, BLOCKS, stream, [], args.ctypes.data, args.size, [], 0))
must(acl.rt.synchronize_stream(stream))
must(acl.rt.memcpy(host.ctypes.data, host.nbytes, z, host.nbytes, DEVICE_TO_HOST))
print("blocks:", *host)

must(acl.rt.free(z))
must(acl.rt.binary_unload(binary))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
