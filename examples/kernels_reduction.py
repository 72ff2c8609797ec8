"""The sum of a vector over many blocks: with an atomic, and with a barrier between two steps.

ascend-sim run --kernels examples/kernels/reduction.py examples/kernels_reduction.py
ascend-sim run --kernels examples/kernels/reduction.py --block-order reversed examples/kernels_reduction.py

The sums are the same in each order of the blocks, since none is promised.
"""

import os
import struct
import sys
from typing import Any

import acl
import numpy as np
from numpy.typing import NDArray

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2

BINARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels", "reduction.py")
N = 100_000


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


class Device:
    """A stream, the kernels, and device memory that is freed at the end."""

    def __init__(self) -> None:
        must(acl.rt.set_device(0))
        self.stream = must(acl.rt.create_stream())
        self.binary = must(acl.rt.binary_load_from_file(BINARY, []))
        self.pointers: list[int] = []

    def upload(self, array: NDArray[Any]) -> Any:
        pointer = must(acl.rt.malloc(array.nbytes, 0))
        must(acl.rt.memcpy(pointer, array.nbytes, array.ctypes.data, array.nbytes, HOST_TO_DEVICE))
        self.pointers.append(pointer)
        return pointer

    def launch(self, name: str, blocks: int, layout: str, *arguments: Any) -> None:
        """Arguments as `struct` packs them."""
        function = must(acl.rt.binary_get_function(self.binary, name))
        block = np.frombuffer(struct.pack(layout, *arguments), np.uint8)
        must(acl.rt.launch_kernel_with_host_args(
            function, blocks, self.stream, [], block.ctypes.data, block.nbytes, [], 0
        ))  # fmt: skip

    def download(self, pointer: int) -> float:
        out = np.zeros(1, np.float32)
        must(acl.rt.synchronize_stream(self.stream))
        must(acl.rt.memcpy(out.ctypes.data, 4, pointer, 4, DEVICE_TO_HOST))
        return float(out[0])

    def close(self) -> None:
        for pointer in self.pointers:
            must(acl.rt.free(pointer))
        must(acl.rt.binary_unload(self.binary))
        must(acl.rt.destroy_stream(self.stream))
        must(acl.rt.reset_device(0))


def main() -> int:
    must(acl.init())
    device = Device()
    numbers = np.random.default_rng(0).random(N, np.float32)
    x = device.upload(numbers)
    wanted = float(numbers.sum(dtype=np.float64))
    good = True
    for blocks in (1, 8, 40):
        out = device.upload(np.zeros(1, np.float32))
        device.launch("sum_atomic", blocks, "<QQI", x, out, N)
        atomic = device.download(out)
        workspace = device.upload(np.zeros(blocks, np.float32))
        device.launch("sum_sync", blocks, "<QQQI", x, out, workspace, N)
        synced = device.download(out)
        right = bool(np.isclose([atomic, synced], wanted, rtol=1e-5).all())
        good = good and right
        print(f"{blocks:2} blocks: {atomic:.1f} with atomics, {synced:.1f} with sync_all{'' if right else ': WRONG'}")
    print(f"numpy:     {wanted:.1f}")
    device.close()
    must(acl.finalize())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
