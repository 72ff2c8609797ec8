"""Kernels that go wrong, and what the program sees: launches that succeed, and a code at the synchronise.

    ascend-sim run --kernels examples/kernels/faulty.py examples/kernels_fault.py

The simulator reports each mistake with the line of the kernel; the codes are what a device gives.
"""

import os
import struct
import sys
from typing import Any

import acl
import numpy as np

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2

BINARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels", "faulty.py")
N = 1000
VECTOR_CORE_EXCEPTION, VECTOR_CORE_TIMEOUT = 507035, 507034


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


def main() -> int:
    must(acl.init())
    must(acl.rt.set_device(0))
    stream = must(acl.rt.create_stream())
    binary = must(acl.rt.binary_load_from_file(BINARY, []))
    x = np.full(N, -1, np.float32)
    pointers = [must(acl.rt.malloc(x.nbytes, 0)) for _ in range(2)]
    for pointer in pointers:
        must(acl.rt.memcpy(pointer, x.nbytes, x.ctypes.data, x.nbytes, HOST_TO_DEVICE))

    def launch(name: str, blocks: int, raw: bytes) -> int:
        function = must(acl.rt.binary_get_function(binary, name))
        block = np.frombuffer(raw, np.uint8)
        return acl.rt.launch_kernel_with_host_args(
            function, blocks, stream, [], block.ctypes.data, block.nbytes, [], 0
        )  # fmt: skip

    failures = []
    failed = []
    must(acl.rt.set_exception_info_callback(
        lambda info: failures.append(acl.rt.get_error_code_from_exception_info(info))
    ))  # fmt: skip
    arguments = struct.pack("<QQI", *pointers, N)
    for name, blocks, raw, code in (
        ("shift", 8, arguments, VECTOR_CORE_EXCEPTION),
        ("checked", 8, arguments, VECTOR_CORE_EXCEPTION),
        ("crowded", 100, struct.pack("<Q", pointers[1]), VECTOR_CORE_TIMEOUT),
    ):
        launched = launch(name, blocks, raw)
        found = acl.rt.synchronize_stream(stream)
        text = (acl.get_recent_err_msg() or "").split("; ")[0]
        again = acl.rt.synchronize_stream(stream)
        print(f"{name}: launch {launched}, synchronise {found}, then {again}\n    {text.partition('failed: ')[2]}")
        failed.append((launched, found, again) == (0, code, 0))
    print(f"the exception callback heard {failures}")

    must(acl.rt.set_exception_info_callback(None))
    for pointer in pointers:
        must(acl.rt.free(pointer))
    must(acl.rt.binary_unload(binary))
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.reset_device(0))
    must(acl.finalize())
    return 0 if all(failed) and len(failures) == 3 else 2


if __name__ == "__main__":
    sys.exit(main())
