"""Exercise 12. The second launch

Kernel `add` is launched twice by the same handle. The first launch computes x + y; let the second one compute x + x, with
the handle that is there, in which one parameter changes. It should print `sum: 0 2 4 6 8 10 as expected` at the end.

    ascend-sim run --kernels lesson_kernels.o=../kernels/lesson_kernels.py 12_second_launch.py
"""

from typing import Any

import numpy as np

from ascend_sim import ascendcl as C


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {C.aclGetRecentErrMsg()}"
    return values[0] if len(values) == 1 else values


N, BLOCKS = 6, 2

must(C.aclInit(None))
must(C.aclrtSetDevice(0))
stream = must(C.aclrtCreateStream())
binary = must(C.aclrtBinaryLoadFromFile("lesson_kernels.o", None))
add = must(C.aclrtBinaryGetFunction(binary, "add"))
x, y, z = np.arange(N, dtype=np.int32), np.full(N, 100, np.int32), np.zeros(N, np.int32)
dev_x, dev_y, dev_z = (must(C.aclrtMalloc(x.nbytes, C.ACL_MEM_MALLOC_HUGE_FIRST)) for _ in range(3))
for pointer, array in ((dev_x, x), (dev_y, y)):
    must(C.aclrtMemcpy(pointer, array.nbytes, array.ctypes.data, array.nbytes, C.ACL_MEMCPY_HOST_TO_DEVICE))

handle = must(C.aclrtKernelArgsInit(add))
parameters = []
for value in (np.uint64(dev_x), np.uint64(dev_y), np.uint64(dev_z), np.uint32(N)):
    held = np.array([value])
    parameters.append(must(C.aclrtKernelArgsAppend(handle, held.ctypes.data, held.nbytes)))
must(C.aclrtKernelArgsFinalize(handle))

for expected in (x + y, x + x):
    must(C.aclrtLaunchKernelWithConfig(add, BLOCKS, stream, None, handle, None))
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtMemcpy(z.ctypes.data, z.nbytes, dev_z, z.nbytes, C.ACL_MEMCPY_DEVICE_TO_HOST))
    print("sum:", *z, "as expected" if (z == expected).all() else "- another one")
    held = np.array([dev_x], np.uint64)
    must(C.aclrtKernelArgsParaUpdate(handle, parameters[1], held.ctypes.data, held.nbytes))
    must(C.aclrtKernelArgsFinalize(handle))

for pointer in (dev_x, dev_y, dev_z):
    must(C.aclrtFree(pointer))
must(C.aclrtBinaryUnLoad(binary))
must(C.aclrtDestroyStream(stream))
must(C.aclrtResetDevice(0))
must(C.aclFinalize())
