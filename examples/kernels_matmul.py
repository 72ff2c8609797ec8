"""leaky_relu(a @ w + bias) on cube cores, and on groups of cube and vector cores that hand work over by flags.

ascend-sim run --kernels examples/kernels/matmul.py examples/kernels_matmul.py
"""

import os
import struct
import sys
from typing import Any

import acl
import numpy as np
from numpy.typing import NDArray

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2

BINARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels", "matmul.py")
M, K, N = 200, 96, 160
TILE, SLOPE = 64, 0.1


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


def upload(array: NDArray[Any]) -> Any:
    """Device memory with the bytes of *array*."""
    pointer = must(acl.rt.malloc(array.nbytes, 0))
    must(acl.rt.memcpy(pointer, array.nbytes, array.ctypes.data, array.nbytes, HOST_TO_DEVICE))
    return pointer


def launch(binary: int, name: str, blocks: int, pointers: list[int], stream: int) -> None:
    """Pointers, then the tiling struct by value, at the next multiple of its alignment (4)."""
    function = must(acl.rt.binary_get_function(binary, name))
    tiling = struct.pack("<IIIIf", M, K, N, TILE, SLOPE)
    block = np.frombuffer(struct.pack(f"<{len(pointers)}Q", *pointers) + tiling, np.uint8)
    must(acl.rt.launch_kernel_with_host_args(function, blocks, stream, [], block.ctypes.data, block.nbytes, [], 0))


def main() -> int:
    must(acl.init())
    must(acl.rt.set_device(0))
    stream = must(acl.rt.create_stream())
    binary = must(acl.rt.binary_load_from_file(BINARY, []))
    rng = np.random.default_rng(0)
    a = rng.standard_normal((M, K), np.float32)
    w = rng.standard_normal((K, N), np.float32)
    bias = rng.standard_normal(N, np.float32)
    acc = a @ w + bias
    wanted = np.where(acc >= 0, acc, np.float32(SLOPE) * acc)
    inputs = [upload(array) for array in (a, w, bias)]
    c, work = (must(acl.rt.malloc(4 * M * N, 0)) for _ in range(2))

    good = True
    for name, blocks, pointers in (
        ("matmul_leaky", 12, [*inputs, c]),
        ("matmul_leaky_mix", 20, [*inputs, c, work]),
    ):
        must(acl.rt.memset(c, 4 * M * N, 0, 4 * M * N))
        launch(binary, name, blocks, pointers, stream)
        must(acl.rt.synchronize_stream(stream))
        found = np.zeros((M, N), np.float32)
        must(acl.rt.memcpy(found.ctypes.data, found.nbytes, c, found.nbytes, DEVICE_TO_HOST))
        right = np.allclose(found, wanted, rtol=1e-4, atol=1e-4)
        good = good and right
        print(f"{name} with {blocks} blocks: {'as numpy' if right else 'WRONG'}")

    for pointer in (*inputs, c, work):
        must(acl.rt.free(pointer))
    must(acl.rt.binary_unload(binary))
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.reset_device(0))
    must(acl.finalize())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
