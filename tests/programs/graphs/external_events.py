"""Graphs and the world around them: a graph waits for the program, the program for a graph, a graph for another one."""

import numpy as np
from calls import begin, device, end, host, must, put

from ascend_sim import ascendcl as C

RELAXED = C.ACL_MODEL_RI_CAPTURE_MODE_RELAXED
D2D = 3

context = begin()
a, b, c = (device(np.zeros(16, np.uint8)) for _ in range(3))
s, t = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())


def copy(to, source, stream):
    must(C.aclrtMemcpyAsync(to, 16, source, 16, D2D, stream))


def captured(stream, work):
    must(C.aclmdlRICaptureBegin(stream, RELAXED))
    work()
    return must(C.aclmdlRICaptureEnd(stream))


def event():
    return must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC))


def wait(stream, thing):
    must(C.aclrtStreamWaitEventWithFlag(stream, thing, 0, C.ACL_EVENT_WAIT_EXTERNAL))


def record(thing, stream):
    must(C.aclrtRecordEventWithFlag(thing, stream, C.ACL_EVENT_RECORD_EXTERNAL))


ready, copied, handed = event(), event(), event()
waits = captured(s, lambda: (wait(s, ready), copy(b, a, s)))
tells = captured(s, lambda: (copy(b, a, s), record(copied, s)))
first = captured(s, lambda: (copy(b, a, s), record(handed, s)))
second = captured(t, lambda: (wait(t, handed), copy(c, b, t)))

must(C.aclrtMemsetAsync(a, 16, 1, 16, t))
must(C.aclrtRecordEvent(ready, t))
must(C.aclmdlRIExecuteAsync(waits, s))
must(C.aclrtSynchronizeStream(s))
print("waits for the program:", host(b, np.uint8, 1)[0])

put(a, np.full(16, 2, np.uint8))
must(C.aclmdlRIExecuteAsync(tells, s))
must(C.aclrtStreamWaitEvent(t, copied))
copy(c, b, t)
must(C.aclrtSynchronizeStream(t))
print("the program waits for it:", host(c, np.uint8, 1)[0])

put(a, np.full(16, 3, np.uint8))
must(C.aclmdlRIExecuteAsync(first, s))
must(C.aclmdlRIExecuteAsync(second, t))
must(C.aclrtSynchronizeStream(t))
print("one waits for the other:", host(c, np.uint8, 1)[0])

for model in (waits, tells, first, second):
    must(C.aclmdlRIDestroy(model))
for thing in (ready, copied, handed):
    must(C.aclrtDestroyEvent(thing))
for address in (a, b, c):
    must(C.aclrtFree(address))
for stream in (s, t):
    must(C.aclrtDestroyStream(stream))
end(context)
