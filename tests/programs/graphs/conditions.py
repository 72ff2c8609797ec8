"""Captured graphs with a conditional task: one of two branches, and a loop that counts down by itself."""

import numpy as np
from calls import begin, device, end, host, must, put

from ascend_sim import Block, gm, kernel
from ascend_sim import ascendcl as C

LOCAL = C.ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL
IF, WHILE = 0, 1


@kernel
def add(b: Block, x: gm.InOut[np.int32], n: np.int32):
    x[0:4] = x[0:4] + n


@kernel
def count_down(b: Block, number: gm.InOut[np.uint64]):
    number[0:1] = number[0:1] - 1


def graph(kind, *bodies):
    """A graph with one conditional task; each of *bodies* fills a branch."""
    origin, inner = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
    must(C.aclmdlRICaptureBegin(origin, LOCAL))
    _, parent = must(C.aclmdlRICaptureGetInfo(origin))
    handle = must(C.aclmdlRICondHandleCreate(parent, 0, 0))
    number = must(C.aclmdlRICondHandleGetCondPtr(handle))
    params = C.aclmdlRICondTaskParams(handle, kind, len(bodies), [0] * len(bodies))
    must(C.aclmdlRIAddCondTask(params, origin, 0))
    for body, branch in zip(bodies, params.modelRIArray, strict=True):
        must(C.aclmdlRICaptureToModelRIBegin(inner, branch, LOCAL))
        body(inner, number)
        must(C.aclmdlRICaptureEnd(inner))
    model = must(C.aclmdlRICaptureEnd(origin))
    for stream in (origin, inner):
        must(C.aclrtDestroyStream(stream))
    return model, number


context = begin()
x = device(np.zeros(4, np.int32))
stream = must(C.aclrtCreateStream())


def loop(inner, number):
    add[1, inner](x, np.int32(5))
    count_down[1, inner](number)


branches = graph(IF, lambda s, _: add[1, s](x, np.int32(1)), lambda s, _: add[1, s](x, np.int32(100)))
counted = graph(WHILE, loop)
for name, (model, number), value in (("if", branches, 1), ("else", branches, 0), ("while", counted, 3)):
    put(x, np.zeros(4, np.int32))
    put(number, np.array([value], np.uint64))
    must(C.aclmdlRIExecuteAsync(model, stream))
    must(C.aclrtSynchronizeStream(stream))
    print(name, host(x, np.int32, 1)[0])

for model, _ in (branches, counted):
    must(C.aclmdlRIDestroy(model))
must(C.aclrtFree(x))
must(C.aclrtDestroyStream(stream))
end(context)
