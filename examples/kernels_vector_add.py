"""One kernel, launched in every way: where its arguments lie, and when they are copied.

    ascend-sim run --kernels examples/kernels/vector_add.py examples/kernels_vector_add.py

A program for a device would load build/add_custom.o here. `--kernels add_custom.o=examples/kernels/vector_add.py` lets it
stay as it is.
"""

import os
import struct
import sys
from typing import Any

import acl
import numpy as np
from numpy.typing import NDArray

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
SCHEM_MODE = 1  # launch attribute: 1 starts the kernel only when all its cores are free

BINARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels", "vector_add.py")
N = 1000
BLOCKS = 8


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


class Vectors:
    """x, y and a result on the device; two argument blocks: z = x + y, and z = x + x."""

    def __init__(self) -> None:
        self.x = np.arange(N, dtype=np.float32)
        self.y = np.full(N, 0.5, dtype=np.float32)
        self.pointers = [upload(array) for array in (self.x, self.y, np.zeros(N, np.float32))]
        x, y, z = self.pointers
        # As C lays out struct { float *x, *y, *z; uint32_t n; }
        self.plus_y = np.frombuffer(struct.pack("<QQQI", x, y, z, N), np.uint8)
        self.plus_x = np.frombuffer(struct.pack("<QQQI", x, x, z, N), np.uint8)

    def computed(self) -> str:
        """Which sum lies in z."""
        z = np.zeros(N, np.float32)
        must(acl.rt.memcpy(z.ctypes.data, z.nbytes, self.pointers[2], z.nbytes, DEVICE_TO_HOST))
        return "x + y" if (z == self.x + self.y).all() else "x + x" if (z == self.x + self.x).all() else "nonsense"


def device_arguments(function: int, stream: int, v: Vectors) -> None:
    """launch_kernel: the block lies in device memory, is not copied, and is read when the task runs."""
    size = v.plus_y.nbytes
    block = upload(v.plus_y)
    pinned = must(acl.rt.malloc_host(size))
    must(acl.rt.memcpy(pinned, size, v.plus_x.ctypes.data, size, HOST_TO_DEVICE - 1))
    must(acl.rt.memcpy_async(block, size, pinned, size, HOST_TO_DEVICE, stream))  # runs before the kernel
    must(acl.rt.launch_kernel(function, BLOCKS, block, size, stream))
    must(acl.rt.synchronize_stream(stream))
    must(acl.rt.free(block))  # not earlier: the task needs it
    must(acl.rt.free_host(pinned))


def host_arguments(function: int, stream: int, v: Vectors, cfg: list[dict[str, int]]) -> None:
    """launch_kernel_with_host_args: the block lies in host memory and is copied during the call."""
    block = v.plus_y.copy()
    must(acl.rt.launch_kernel_with_host_args(function, BLOCKS, stream, cfg, block.ctypes.data, block.nbytes, [], 0))
    block[:] = v.plus_x  # too late to change anything
    must(acl.rt.synchronize_stream(stream))


def handle(function: int, stream: int, v: Vectors, cfg: list[dict[str, int]]) -> str:
    """launch_kernel_with_config: an args handle knows its parameters; each launch copies what they are by then."""
    args = must(acl.rt.kernel_args_init(function))
    parameters = []
    for value in (*(np.uint64(pointer) for pointer in v.pointers), np.uint32(N)):
        held = np.array([value])
        parameters.append(must(acl.rt.kernel_args_append(args, held.ctypes.data, held.nbytes)))
    must(acl.rt.kernel_args_finalize(args))
    must(acl.rt.launch_kernel_with_config(function, BLOCKS, stream, cfg, args, 0))
    x = np.array([v.pointers[0]], np.uint64)
    must(acl.rt.kernel_args_para_update(args, parameters[1], x.ctypes.data, x.nbytes))
    must(acl.rt.synchronize_stream(stream))
    first = v.computed()
    must(acl.rt.kernel_args_finalize(args))  # an updated handle has to be finalised again
    must(acl.rt.launch_kernel_with_config(function, BLOCKS, stream, cfg, args, 0))
    must(acl.rt.synchronize_stream(stream))
    return first


def main() -> int:
    must(acl.init())
    must(acl.rt.set_device(0))
    stream = must(acl.rt.create_stream())
    binary = must(acl.rt.binary_load_from_file(BINARY, []))
    function = must(acl.rt.binary_get_function(binary, "add"))
    v = Vectors()
    batch = [{"id": SCHEM_MODE, "value": 1}]

    device_arguments(function, stream, v)
    results = [("device block, rewritten by the stream before the launch", v.computed(), "x + x")]
    host_arguments(function, stream, v, [])
    results.append(("host block, rewritten after the launch", v.computed(), "x + y"))
    host_arguments(function, stream, v, batch)
    results.append(("the same with a launch configuration", v.computed(), "x + y"))
    first = handle(function, stream, v, batch)
    results.append(("args handle, updated after the launch", first, "x + y"))
    results.append(("args handle, finalised and launched again", v.computed(), "x + x"))
    for how, computed, wanted in results:
        print(f"{how}: z = {computed}{'' if computed == wanted else ', WRONG'}")

    for pointer in v.pointers:
        must(acl.rt.free(pointer))
    must(acl.rt.binary_unload(binary))
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.reset_device(0))
    must(acl.finalize())
    return 0 if all(computed == wanted for _, computed, wanted in results) else 1


if __name__ == "__main__":
    sys.exit(main())
