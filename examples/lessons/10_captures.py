"""Lesson 10. Captured once, executed often

A loop that queues the same work again and again pays for each call. A *capture* takes the calls down instead of queueing
them, and makes a graph of them, which one call puts into a stream as often as you like. What is taken down are addresses:
what lies there counts when the graph runs. pyACL has no names for captures, so this lesson speaks C.

    ascend-sim run 10_captures.py
"""

import ctypes
from typing import Any

from ascend_sim import ascendcl as C

SIZE = 1 << 20
ROUNDS = 3
RELAXED = 2  # other threads may do what they like meanwhile


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {C.aclGetRecentErrMsg()}"
    return values[0] if len(values) == 1 else values


must(C.aclInit(None))
must(C.aclrtSetDevice(0))
main, side = (must(C.aclrtCreateStream()) for _ in range(2))
fork, join = (must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC)) for _ in range(2))
batch = must(C.aclrtMallocHost(SIZE))  # page-locked: a graph copies no other memory of the host
given, table, answer = (must(C.aclrtMalloc(SIZE, C.ACL_MEM_MALLOC_HUGE_FIRST)) for _ in range(3))
ctypes.memset(batch, 1, SIZE)

# Between begin and end the calls return 0 as ever, and nothing runs. A second stream takes part by an event: it waits for
# what the captured one has recorded (a fork), and has to lead back before the end (a join).
must(C.aclmdlRICaptureBegin(main, RELAXED))
must(C.aclrtRecordEvent(fork, main))
must(C.aclrtStreamWaitEvent(side, fork))
must(C.aclrtMemsetAsync(table, SIZE, 5, SIZE, side))
must(C.aclrtMemcpyAsync(given, SIZE, batch, SIZE, C.ACL_MEMCPY_HOST_TO_DEVICE, main))
must(C.aclrtRecordEvent(join, side))
must(C.aclrtStreamWaitEvent(main, join))
must(C.aclrtMemcpyAsync(answer, SIZE, given, SIZE, C.ACL_MEMCPY_DEVICE_TO_DEVICE, main))
graph = must(C.aclmdlRICaptureEnd(main))
print("captured; the stream has nothing to do:", must(C.aclrtStreamQuery(main)) == C.ACL_STREAM_STATUS_COMPLETE)

# One call for all of it, as often as you like. The graph has the address of `batch`: each execution copies what lies there
# when it runs. So the host waits before it writes the next batch.
host = must(C.aclrtMallocHost(SIZE))
for number in range(1, ROUNDS + 1):
    ctypes.memset(batch, number, SIZE)
    must(C.aclmdlRIExecuteAsync(graph, main))
    must(C.aclrtSynchronizeStream(main))
    must(C.aclrtMemcpy(host, SIZE, answer, SIZE, C.ACL_MEMCPY_DEVICE_TO_HOST))
    print(f"execution {number}: {ctypes.string_at(host, 4).hex()}")

# What would have to happen now cannot be taken down: such a call is refused, at once and with a code, and the simulator
# names the line where the capture began. Do it before the begin, or after an execution.
must(C.aclmdlRICaptureBegin(main, RELAXED))
print("a synchronise inside a capture:", C.aclrtSynchronizeStream(main))
must(C.aclmdlRIDestroy(must(C.aclmdlRICaptureEnd(main))))

# The graph goes first, and then what it uses.
must(C.aclmdlRIDestroy(graph))
for pointer in (given, table, answer):
    must(C.aclrtFree(pointer))
for pointer in (batch, host):
    must(C.aclrtFreeHost(pointer))
for event in (fork, join):
    must(C.aclrtDestroyEvent(event))
for stream in (main, side):
    must(C.aclrtDestroyStream(stream))
must(C.aclrtResetDevice(0))
must(C.aclFinalize())

# Try it:
# - Write the next batch without waiting: take the synchronise out of the loop. Which line reads what which line writes?
# - Leave out the join (the record on `side` and the wait on `main`). Which call refuses now?
# - examples/graph_decode_loop.py of the repository updates one kernel of a graph for each execution.
