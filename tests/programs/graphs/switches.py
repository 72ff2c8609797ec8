"""A model of five streams: the first one compares a number twice and gives way to one of three branches."""

import numpy as np
from calls import ACTIVATED, HEAD, begin, device, end, host, must, put

from ascend_sim import Block, gm, kernel
from ascend_sim import ascendcl as C

EQUAL, INT32 = 0, 0


@kernel
def add(b: Block, x: gm.In[np.int32], y: gm.In[np.int32], z: gm.Out[np.int32]):
    z[0:4] = x[0:4] + y[0:4]


context = begin()
x, y = device(np.arange(4, dtype=np.int32)), device(np.full(4, 10, np.int32))
outs = [device(np.zeros(4, np.int32)) for _ in range(3)]
number, one, two = (device(np.array([value], np.int32)) for value in (1, 1, 2))
flags = (HEAD, ACTIVATED, ACTIVATED, ACTIVATED, ACTIVATED)
first, branch1, branch2, otherwise, last = bound = [
    must(C.aclrtCreateStreamWithConfig(0, C.ACL_STREAM_PERSISTENT)) for _ in flags
]

model = must(C.aclmdlRIBuildBegin(0))
for stream, flag in zip(bound, flags, strict=True):
    must(C.aclmdlRIBindStream(model, stream, flag))
must(C.aclrtSwitchStream(number, EQUAL, one, INT32, branch1, None, first))
must(C.aclrtSwitchStream(number, EQUAL, two, INT32, branch2, None, first))
must(C.aclrtActiveStream(otherwise, first))
for stream, (left, right), out in zip((branch1, branch2, otherwise), ((x, y), (y, y), (x, x)), outs, strict=True):
    add[1, stream](left, right, out)
    must(C.aclrtActiveStream(last, stream))
must(C.aclmdlRIEndTask(model, last))
must(C.aclmdlRIBuildEnd(model, None))

stream = must(C.aclrtCreateStream())
for value in (1, 2, 3):
    for out in outs:
        put(out, np.zeros(4, np.int32))
    put(number, np.array([value], np.int32))
    must(C.aclmdlRIExecuteAsync(model, stream))
    must(C.aclrtSynchronizeStream(stream))
    print(value, [host(out, np.int32, 4)[1] for out in outs])

for each in bound:
    must(C.aclmdlRIUnbindStream(model, each))
must(C.aclmdlRIDestroy(model))
for each in (*bound, stream):
    must(C.aclrtDestroyStream(each))
for address in (x, y, *outs, number, one, two):
    must(C.aclrtFree(address))
end(context)
