"""A graph that is kept

A copy is captured once, and the graph is executed whenever it is needed. All three executions answer 0. Where does
each of them write? (Captures have no names in pyACL: these are the C names.)

    ascend-sim run broken.py
"""

import ctypes
from typing import Any

from ascend_sim import ascendcl as C

RELAXED, HOST_TO_DEVICE = 2, 1
SIZE = 4096


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {C.aclGetRecentErrMsg()}"
    return values[0] if values else None


must(C.aclInit(None))
must(C.aclrtSetDevice(0))
stream = must(C.aclrtCreateStream())
host = must(C.aclrtMallocHost(SIZE))
cache = must(C.aclrtMalloc(SIZE, 0))

must(C.aclmdlRICaptureBegin(stream, RELAXED))
must(C.aclrtMemcpyAsync(cache, SIZE, host, SIZE, HOST_TO_DEVICE, stream))
graph = must(C.aclmdlRICaptureEnd(stream))

for value in (1, 2):
    ctypes.memset(host, value, SIZE)
    must(C.aclmdlRIExecuteAsync(graph, stream))
    must(C.aclrtSynchronizeStream(stream))

must(C.aclrtFree(cache))
must(C.aclmdlRIExecuteAsync(graph, stream))
must(C.aclrtSynchronizeStream(stream))
must(C.aclmdlRIDestroy(graph))

must(C.aclrtFreeHost(host))
must(C.aclrtDestroyStream(stream))
must(C.aclrtResetDevice(0))
must(C.aclFinalize())
