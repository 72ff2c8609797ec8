"""A graph whose second kernel is replaced while it waits: first the captured number is added, then the new one."""

import numpy as np
from calls import begin, device, end, host, must, put

from ascend_sim import Block, gm, kernel
from ascend_sim import ascendcl as C


@kernel
def add(b: Block, x: gm.In[np.int32], z: gm.Out[np.int32], n: np.int32):
    z[0:4] = x[0:4] + n


context = begin()
x, between, out = (device(np.zeros(4, np.int32)) for _ in range(3))
stream, updates = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
go = must(C.aclrtCreateEventWithFlag(C.ACL_EVENT_EXTERNAL))

must(C.aclmdlRICaptureBegin(stream, C.ACL_MODEL_RI_CAPTURE_MODE_RELAXED))
add[1, stream](x, between, np.int32(1))
must(C.aclrtStreamWaitEvent(stream, go))
must(C.aclrtResetEvent(go, stream))
must(C.aclmdlRICaptureTaskGrpBegin(stream))
add[1, stream](between, out, np.int32(10))
group = must(C.aclmdlRICaptureTaskGrpEnd(stream))
model = must(C.aclmdlRICaptureEnd(stream))

for number in (None, 20, 30):
    put(out, np.zeros(4, np.int32))
    must(C.aclmdlRIExecuteAsync(model, stream))
    if number is not None:
        must(C.aclmdlRICaptureTaskUpdateBegin(updates, group))
        add[1, updates](between, out, np.int32(number))
        must(C.aclmdlRICaptureTaskUpdateEnd(updates))
    must(C.aclrtRecordEvent(go, updates))
    must(C.aclrtSynchronizeStream(updates))
    must(C.aclrtSynchronizeStream(stream))
    print(number, host(out, np.int32, 1)[0])

must(C.aclmdlRIDestroy(model))
must(C.aclrtDestroyEvent(go))
for each in (stream, updates):
    must(C.aclrtDestroyStream(each))
for address in (x, between, out):
    must(C.aclrtFree(address))
end(context)
