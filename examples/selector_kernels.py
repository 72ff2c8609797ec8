"""Three kernels for one operator type: a selector looks at the shape and chooses kernel, blocks, tiling, workspaces.

    ascend-sim run --kernels examples/op_kernels/scale.o examples/selector_kernels.py
"""

import os
import struct
import sys
from typing import Any

import acl
import numpy as np

FLOAT, ND = 0, 2
HUGE_FIRST, HOST_TO_DEVICE, DEVICE_TO_HOST = 0, 1, 2
AICORE = 1
OP_TYPE, FACTOR = "Scale", 3.0
KERNEL_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "op_kernels", "scale.o")

chosen: list[Any] = []


def must(what: str, ret: int) -> None:
    if ret != 0:
        raise RuntimeError(f"acl.{what} returned {ret}: {acl.get_recent_err_msg()}")


def made(what: str, result: Any) -> Any:
    value, ret = result
    must(what, ret)
    return value


def select(num_inputs: int, inputs: list[int], num_outputs: int, outputs: list[int], attr: int, desc: int) -> None:
    """Called by update_params, once for each shape. What it points to is copied at once."""
    dims = [acl.get_tensor_desc_dim_v2(inputs[0], i)[0] for i in range(acl.get_tensor_desc_num_dims(inputs[0]))]
    count = int(np.prod(dims))
    if count <= 64:
        kernel, blocks, tiling = "tiny", 1, struct.pack("<If", count, FACTOR)
    elif len(dims) == 1:
        kernel, blocks, tiling = "flat", 8, struct.pack("<If", count, FACTOR)
    else:
        rows, columns = dims
        kernel, blocks, tiling = "rows", min(rows, 8), struct.pack("<IIf", rows, columns, FACTOR)
        for size in (4 * count, 4 * rows):  # a second call appends to the first
            sizes = struct.pack("<Q", size)
            pointer = acl.util.bytes_to_ptr(sizes)
            must("op.set_kernel_workspace_sizes", acl.op.set_kernel_workspace_sizes(desc, 1, pointer))
    must("op.set_kernel_args", acl.op.set_kernel_args(desc, kernel, blocks, acl.util.bytes_to_ptr(tiling), len(tiling)))
    chosen.append((tuple(dims), kernel, blocks))


def load_kernels() -> bytes:
    """The three kernels come from one file; their ids are what the selector names."""
    with open(KERNEL_FILE, "rb") as file:
        binary = file.read()
    for kernel in ("tiny", "flat", "rows"):
        pointer = acl.util.bytes_to_ptr(binary)
        must("op.create_kernel", acl.op.create_kernel(
            OP_TYPE, kernel, f"scale_{kernel}", pointer, len(binary), AICORE, 0))
    must("op.register_compile_func", acl.op.register_compile_func(OP_TYPE, select))
    return binary  # kept by pointer: it must live as long as the kernels


def scale(values: Any, stream: int) -> Any:
    """factor * values on the device."""
    size = values.nbytes
    raw = values.tobytes()
    source = made("rt.malloc", acl.rt.malloc(size, HUGE_FIRST))
    target = made("rt.malloc", acl.rt.malloc(size, HUGE_FIRST))
    must("rt.memcpy", acl.rt.memcpy(source, size, acl.util.bytes_to_ptr(raw), size, HOST_TO_DEVICE))
    descs = [acl.create_tensor_desc(FLOAT, list(values.shape), ND) for _ in range(2)]
    buffers = [acl.create_data_buffer(pointer, size) for pointer in (source, target)]
    must("op.update_params", acl.op.update_params(OP_TYPE, descs[:1], descs[1:], 0))
    must("op.execute_v2", acl.op.execute_v2(OP_TYPE, descs[:1], buffers[:1], descs[1:], buffers[1:], 0, stream))
    must("rt.synchronize_stream", acl.rt.synchronize_stream(stream))
    back = made("rt.malloc_host", acl.rt.malloc_host(size))
    must("rt.memcpy", acl.rt.memcpy(back, size, target, size, DEVICE_TO_HOST))
    result = np.frombuffer(acl.util.ptr_to_bytes(back, size), np.float32).reshape(values.shape)
    for buffer in buffers:
        must("destroy_data_buffer", acl.destroy_data_buffer(buffer))
    for desc in descs:
        acl.destroy_tensor_desc(desc)
    for pointer in (source, target):
        must("rt.free", acl.rt.free(pointer))
    must("rt.free_host", acl.rt.free_host(back))
    return result


def main() -> int:
    must("init", acl.init())
    must("rt.set_device", acl.rt.set_device(0))
    stream = made("rt.create_stream", acl.rt.create_stream())
    binary = load_kernels()
    good = True
    for shape in ((7,), (1000,), (12, 50), (7,)):
        values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        right = np.array_equal(scale(values, stream), FACTOR * values)
        good = good and right
        dims, kernel, blocks = chosen[-1]
        print(f"{list(dims)!s:10} kernel {kernel}, blocks {blocks}: {'right' if right else 'WRONG'}")
    must("op.unregister_compile_func", acl.op.unregister_compile_func(OP_TYPE))
    must("rt.destroy_stream", acl.rt.destroy_stream(stream))
    must("rt.reset_device", acl.rt.reset_device(0))
    must("finalize", acl.finalize())
    del binary
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
