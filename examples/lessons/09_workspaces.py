"""Lesson 9. Workspaces

A kernel that needs memory while it runs gets it from the host: an address among its parameters, a *workspace*. Two
questions decide whether that is right. How long does it live? And who else uses it?

    ascend-sim run --kernels lesson_kernels.o=kernels/lesson_kernels.py,kernels/scale.o 09_workspaces.py
"""

import os
import struct
from typing import Any

import acl
import numpy as np

N, BLOCKS = 1000, 8
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
FLOAT, ND, AICORE = 0, 2, 1


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


must(acl.init())
must(acl.rt.set_device(0))
streams = [must(acl.rt.create_stream()) for _ in range(2)]
binary = must(acl.rt.binary_load_from_file("lesson_kernels.o", []))
total = must(acl.rt.binary_get_function(binary, "total"))
numbers = np.arange(N, dtype=np.int32)
x = must(acl.rt.malloc(numbers.nbytes, 0))
must(acl.rt.memcpy(x, numbers.nbytes, numbers.ctypes.data, numbers.nbytes, HOST_TO_DEVICE))
outs = [must(acl.rt.malloc(4, 0)) for _ in streams]


def launch(stream: int, out: int, space: int) -> None:
    """Queue one sum: kernel `total` leaves a part of each block in the workspace, then adds the parts up."""
    args = np.frombuffer(struct.pack("<QQQI4x", x, out, space, N), np.uint8)
    must(acl.rt.launch_kernel_with_host_args(total, BLOCKS, stream, [], args.ctypes.data, args.size, [], 0))


def value(pointer: int) -> int:
    """The number at *pointer*."""
    host = np.zeros(1, np.int32)
    must(acl.rt.memcpy(host.ctypes.data, 4, pointer, 4, DEVICE_TO_HOST))
    return int(host[0])


# Its size follows from the launch: one number for each block.
size = 4 * BLOCKS

# One stream, one workspace, many launches: the next kernel starts when the one before it is done. No wait in between.
space = must(acl.rt.malloc(size, 0))
for _ in range(3):
    launch(streams[0], outs[0], space)
must(acl.rt.synchronize_stream(streams[0]))
print("three sums, one workspace:", value(outs[0]))

# Two streams at once: a workspace each. With one for both, each kernel would overwrite the parts of the other.
spaces = [space, must(acl.rt.malloc(size, 0))]
for stream, out, own in zip(streams, outs, spaces, strict=True):
    launch(stream, out, own)
for stream in streams:
    must(acl.rt.synchronize_stream(stream))
print("two streams, two workspaces:", *map(value, outs))

# It lives until the kernel has *run*. A launch that returned has only put it into a queue, so the free comes behind the
# synchronise. (A free waits for nothing and says nothing: lesson 2 again.)
for own in spaces:
    must(acl.rt.free(own))


# Operators do this for you. For a custom kernel the *selector*, which chooses a kernel for the shapes, also says how many
# bytes of workspace it needs; saying it twice adds a second workspace. The executor keeps one block of memory for each
# stream, lends it to one operator after the other, and gives it back with the stream. (It does not ask the allocator of
# lesson 13 for it.)
ROWS, COLUMNS, FACTOR = 64, 8192, 3.0
KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels", "scale.o")


def select(num_inputs: int, inputs: int, num_outputs: int, outputs: int, attr: int, desc: int) -> None:
    for size in (4 * ROWS * COLUMNS, 4 * ROWS):
        sizes = struct.pack("<Q", size)
        must(acl.op.set_kernel_workspace_sizes(desc, 1, acl.util.bytes_to_ptr(sizes)))
    tiling = struct.pack("<IIf", ROWS, COLUMNS, FACTOR)
    must(acl.op.set_kernel_args(desc, "rows", BLOCKS, acl.util.bytes_to_ptr(tiling), len(tiling)))


def used() -> int:
    """MiB of device memory in use."""
    free, total, ret = acl.rt.get_mem_info(1)
    must(ret)
    return (total - free) >> 20


with open(KERNELS, "rb") as file:
    code = file.read()
must(acl.op.create_kernel("Scale", "rows", "scale_rows", acl.util.bytes_to_ptr(code), len(code), AICORE, 0))
must(acl.op.register_compile_func("Scale", select))
values = np.arange(ROWS * COLUMNS, dtype=np.float32)
tensors = [must(acl.rt.malloc(values.nbytes, 0)) for _ in range(2)]
must(acl.rt.memcpy(tensors[0], values.nbytes, values.ctypes.data, values.nbytes, HOST_TO_DEVICE))
desc = acl.create_tensor_desc(FLOAT, [ROWS, COLUMNS], ND)
buffers = [acl.create_data_buffer(pointer, values.nbytes) for pointer in tensors]
must(acl.op.update_params("Scale", [desc], [desc], 0))
before = used()
for which in ("first", "second"):
    must(acl.op.execute_v2("Scale", [desc], buffers[:1], [desc], buffers[1:], 0, streams[0]))
    print(f"{which} execution of operator Scale: {used() - before} MiB of workspace")
must(acl.rt.synchronize_stream(streams[0]))
back = np.zeros_like(values)
must(acl.rt.memcpy(back.ctypes.data, back.nbytes, tensors[1], back.nbytes, DEVICE_TO_HOST))
print("its result is", "right" if (back == FACTOR * values).all() else "WRONG")
must(acl.rt.destroy_stream(streams.pop(0)))
print(f"its stream is gone: {used() - before} MiB")

must(acl.op.unregister_compile_func("Scale"))
for pointer in (x, *outs, *tensors):
    must(acl.rt.free(pointer))
for buffer in buffers:
    must(acl.destroy_data_buffer(buffer))
acl.destroy_tensor_desc(desc)
must(acl.rt.binary_unload(binary))
must(acl.rt.destroy_stream(streams[0]))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - Give both streams the same workspace. The sums may still come out right here; look at the report.
# - Free `space` in the first part before the synchronise.
# - Allocate 4 * (BLOCKS - 1) bytes. The device memory behind it is larger (sizes are rounded), so what happens?
#   Then try 4 * BLOCKS // 16.
