"""A graph that is executed after its buffer was freed.

A capture keeps addresses. What is there when the graph runs is another matter: the execution answers 0, and the copy
writes where the buffer was, into memory that somebody else may own by then. pyACL has no captures: these are the C
names.

Corrected: the buffer lives until the graph is destroyed.

    ascend-sim run answer/fixed.py
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

must(C.aclmdlRIExecuteAsync(graph, stream))
must(C.aclrtSynchronizeStream(stream))
must(C.aclmdlRIDestroy(graph))
must(C.aclrtFree(cache))

must(C.aclrtFreeHost(host))
must(C.aclrtDestroyStream(stream))
must(C.aclrtResetDevice(0))
must(C.aclFinalize())
