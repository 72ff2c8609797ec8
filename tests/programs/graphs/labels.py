"""A model of one stream whose tasks an index in device memory chooses: each branch begins at a label."""

import numpy as np
from calls import HEAD, begin, device, end, host, must, put

from ascend_sim import ascendcl as C

context = begin()
bound = must(C.aclrtCreateStreamWithConfig(0, C.ACL_STREAM_PERSISTENT))
stream = must(C.aclrtCreateStream())
index, marks = device(np.array([0], np.uint32)), device(np.zeros(3, np.int32))

model = must(C.aclmdlRIBuildBegin(0))
must(C.aclmdlRIBindStream(model, bound, HEAD))
labels = [must(C.aclrtCreateLabel()) for _ in range(3)]
chosen = must(C.aclrtCreateLabelList(labels, 3))
must(C.aclrtSwitchLabelByIndex(index, 3, chosen, bound))
for place, label in enumerate(labels):
    must(C.aclrtSetLabel(label, bound))
    must(C.aclrtMemsetAsync(marks + 4 * place, 4, place + 1, 4, bound))
must(C.aclmdlRIEndTask(model, bound))
must(C.aclmdlRIBuildEnd(model, None))

for number in (0, 2, 1, 7):
    put(marks, np.zeros(3, np.int32))
    put(index, np.array([number], np.uint32))
    must(C.aclmdlRIExecuteAsync(model, stream))
    must(C.aclrtSynchronizeStream(stream))
    print(number, [value & 0xFF for value in host(marks, np.int32, 3)])

must(C.aclmdlRIUnbindStream(model, bound))
must(C.aclmdlRIDestroy(model))
must(C.aclrtDestroyLabelList(chosen))
for label in labels:
    must(C.aclrtDestroyLabel(label))
for address in (index, marks):
    must(C.aclrtFree(address))
for each in (bound, stream):
    must(C.aclrtDestroyStream(each))
end(context)
