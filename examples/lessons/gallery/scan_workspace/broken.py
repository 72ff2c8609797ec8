"""A function with a workspace

The function takes a workspace, launches a kernel that needs it, and tidies up behind itself. It passes its tests. Until
when does the kernel need the workspace?

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
scan = must(acl.rt.binary_get_function(binary, "scan"))


def run_scan() -> None:
    workspace = must(acl.rt.malloc(4 * N, 0))
    args = np.frombuffer(struct.pack("<QI4x", workspace, N), np.uint8)
    must(acl.rt.launch_kernel_with_host_args(scan, 8, stream, [], args.ctypes.data, args.size, [], 0))
    must(acl.rt.free(workspace))


run_scan()
must(acl.rt.synchronize_stream(stream))

must(acl.rt.binary_unload(binary))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
