"""Exercise 10. The loop as a graph

Every round queues the same two copies. Capture them once, before the loop, and execute the graph in each round; the copies
are not called again after that. It should print `answer: 0101`, `answer: 0202` and `answer: 0303`.

    ascend-sim run 10_graph.py
"""

import ctypes
from typing import Any

from ascend_sim import ascendcl as C


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {C.aclGetRecentErrMsg()}"
    return values[0] if len(values) == 1 else values


SIZE, ROUNDS = 4096, 3
RELAXED = 2

must(C.aclInit(None))
must(C.aclrtSetDevice(0))
stream = must(C.aclrtCreateStream())
batch = must(C.aclrtMallocHost(SIZE))
device = must(C.aclrtMalloc(SIZE, C.ACL_MEM_MALLOC_HUGE_FIRST))
answer = must(C.aclrtMallocHost(SIZE))


def step() -> None:
    """The work of a round."""
    must(C.aclrtMemcpyAsync(device, SIZE, batch, SIZE, C.ACL_MEMCPY_HOST_TO_DEVICE, stream))
    must(C.aclrtMemcpyAsync(answer, SIZE, device, SIZE, C.ACL_MEMCPY_DEVICE_TO_HOST, stream))
    must(C.aclrtSynchronizeStream(stream))


for number in range(1, ROUNDS + 1):
    ctypes.memset(batch, number, SIZE)
    step()
    print("answer:", ctypes.string_at(answer, 2).hex())

must(C.aclrtFree(device))
for pointer in (batch, answer):
    must(C.aclrtFreeHost(pointer))
must(C.aclrtDestroyStream(stream))
must(C.aclrtResetDevice(0))
must(C.aclFinalize())
