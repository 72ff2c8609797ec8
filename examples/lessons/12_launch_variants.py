"""Lesson 12. Five ways to launch a kernel

They differ in one thing that matters: where the arguments lie, and who may change them when. This lesson speaks the C
names, since two of the calls have no pyACL name: inputs in the order of C, outputs returned first, the code last.

    ascend-sim run --kernels lesson_kernels.o=kernels/lesson_kernels.py 12_launch_variants.py
"""

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ascend_sim import ascendcl as C

N = 6
BLOCKS = 2


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {C.aclGetRecentErrMsg()}"
    return values[0] if len(values) == 1 else values


must(C.aclInit(None))
must(C.aclrtSetDevice(0))
stream = must(C.aclrtCreateStream())
binary = must(C.aclrtBinaryLoadFromFile("lesson_kernels.o", None))
add = must(C.aclrtBinaryGetFunction(binary, "add"))

x, y, z = (np.arange(N, dtype=np.int32), np.full(N, 100, np.int32), np.zeros(N, np.int32))
dev_x, dev_y, dev_z = (must(C.aclrtMalloc(x.nbytes, C.ACL_MEM_MALLOC_HUGE_FIRST)) for _ in range(3))
for pointer, array in ((dev_x, x), (dev_y, y)):
    must(C.aclrtMemcpy(pointer, array.nbytes, array.ctypes.data, array.nbytes, C.ACL_MEMCPY_HOST_TO_DEVICE))

# What C calls struct { int *x, *y, *z; uint32_t n; }: once for x + y, once for x + x.
plus_y = bytearray(struct.pack("<QQQI4x", dev_x, dev_y, dev_z, N))
plus_x = bytearray(struct.pack("<QQQI4x", dev_x, dev_x, dev_z, N))


def result(name: str) -> None:
    """Wait, and say what z holds."""
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtMemcpy(z.ctypes.data, z.nbytes, dev_z, z.nbytes, C.ACL_MEMCPY_DEVICE_TO_HOST))
    print(f"{name:34}", "x + y" if (z == x + y).all() else "x + x" if (z == 2 * x).all() else z)


# 1 and 2. The block of arguments lies in device memory, and the task reads it when it runs. What a task before it puts
# there counts, and it must not be freed before the stream has passed.
block = must(C.aclrtMalloc(len(plus_y), C.ACL_MEM_MALLOC_HUGE_FIRST))
later = must(C.aclrtMallocHost(len(plus_x)))
must(C.aclrtMemcpy(later, len(plus_x), plus_x, len(plus_x), C.ACL_MEMCPY_HOST_TO_HOST))
LAUNCHES: dict[str, Callable[[], int]] = {
    "aclrtLaunchKernel": lambda: C.aclrtLaunchKernel(add, BLOCKS, block, len(plus_y), stream),
    "aclrtLaunchKernelV2": lambda: C.aclrtLaunchKernelV2(add, BLOCKS, block, len(plus_y), None, stream),
}
for name, launch in LAUNCHES.items():
    must(C.aclrtMemcpy(block, len(plus_y), plus_y, len(plus_y), C.ACL_MEMCPY_HOST_TO_DEVICE))
    must(C.aclrtMemcpyAsync(block, len(plus_x), later, len(plus_x), C.ACL_MEMCPY_HOST_TO_DEVICE, stream))
    must(launch())
    result(name)

# 3. The block lies in host memory and is copied during the call: change it afterwards, or throw it away.
args = bytearray(plus_y)
must(C.aclrtLaunchKernelWithHostArgs(add, BLOCKS, stream, None, args, len(args), None, 0))
args[:] = plus_x
result("aclrtLaunchKernelWithHostArgs")

# 4. A handle that knows the parameters one by one; they are copied at each launch, and one can be exchanged in between.
handle = must(C.aclrtKernelArgsInit(add))
parameters = []
for value in (np.uint64(dev_x), np.uint64(dev_y), np.uint64(dev_z), np.uint32(N)):
    held = np.array([value])
    parameters.append(must(C.aclrtKernelArgsAppend(handle, held.ctypes.data, held.nbytes)))
must(C.aclrtKernelArgsFinalize(handle))
must(C.aclrtLaunchKernelWithConfig(add, BLOCKS, stream, None, handle, None))
held = np.array([dev_x], np.uint64)
must(C.aclrtKernelArgsParaUpdate(handle, parameters[1], held.ctypes.data, held.nbytes))
result("aclrtLaunchKernelWithConfig")
must(C.aclrtKernelArgsFinalize(handle))  # an update opens the handle: close it before the next launch
must(C.aclrtLaunchKernelWithConfig(add, BLOCKS, stream, None, handle, None))
result("  updated and launched again")

# 5. An array of addresses, one for each parameter; the values are copied during the call.
values = [np.array([v], t) for v, t in ((dev_x, "u8"), (dev_y, "u8"), (dev_z, "u8"), (N, "u4"))]
must(C.aclrtLaunchKernelWithArgsArray(add, BLOCKS, stream, None, [value.ctypes.data for value in values]))
values[1][0] = dev_x
result("aclrtLaunchKernelWithArgsArray")

# One mistake, two codes: which layer of the library looks first is not the same in each call.
print("no blocks:", {
    "LaunchKernel": C.aclrtLaunchKernel(add, 0, block, len(plus_y), stream),
    "V2": C.aclrtLaunchKernelV2(add, 0, block, len(plus_y), None, stream),
    "HostArgs": C.aclrtLaunchKernelWithHostArgs(add, 0, stream, None, plus_y, len(plus_y), None, 0),
    "Config": C.aclrtLaunchKernelWithConfig(add, 0, stream, None, handle, None),
})  # fmt: skip

must(C.aclrtFreeHost(later))
for pointer in (block, dev_x, dev_y, dev_z):
    must(C.aclrtFree(pointer))
must(C.aclrtBinaryUnLoad(binary))
must(C.aclrtDestroyStream(stream))
must(C.aclrtResetDevice(0))
must(C.aclFinalize())

# Try it:
# - Free `block` right after the launch in variant 2, before `result`.
# - Hand `plus_y` itself, a host buffer, to aclrtLaunchKernelV2. The launch succeeds; when does the program hear of it?
# - Leave out the second aclrtKernelArgsFinalize. What is the code, and what does C.aclGetRecentErrMsg() say?
# - help(C.aclrtLaunchKernelWithConfig) has the prototype and the codes.
