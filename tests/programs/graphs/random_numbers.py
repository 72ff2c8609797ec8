"""Numbers of each kind, queued on a stream and inside of a graph: the seed and the counter in memory decide them."""

import numpy as np
from calls import begin, device, end, must, put

from ascend_sim import ascendcl as C

FLOAT = 0
DROPOUT, UNIFORM, NORMAL, TRUNCATED = range(4)
COUNT = 64


def number(value, dtype):
    raw = np.array([value], dtype).tobytes()
    return C.aclrtRandomParaInfo(0, list(raw) + [0] * (8 - len(raw)), 0, [0] * 6)


def request(function, first, second, out, counter):
    a, b = number(first, np.float32), number(second, np.float32)
    parameters = C.aclrtRandomNumParamInfo(
        C.aclrtDropoutBitmaskInfo(a), C.aclrtUniformDisInfo(a, b), C.aclrtNormalDisInfo(a, b)
    )
    return C.aclrtRandomNumTaskInfo(
        FLOAT, C.aclrtRandomNumFuncParaInfo(function, parameters), 0, out, counter,
        number(7, np.uint64), number(COUNT, np.uint64),
    )  # fmt: skip


context = begin()
out, counter = device(np.zeros(COUNT, np.float32)), device(np.zeros(2, np.uint64))
stream = must(C.aclrtCreateStream())


def drawn():
    found = np.zeros(COUNT, np.float32)
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtMemcpy(found, found.nbytes, out, found.nbytes, 2))
    return found


must(C.aclrtRandomNumAsync(request(UNIFORM, -1, 1, out, counter), stream, None))
uniform = drawn()
print("uniform in [-1, 1):", bool((uniform >= -1).all() and (uniform < 1).all()), len(set(uniform.tolist())) > 60)
must(C.aclrtRandomNumAsync(request(NORMAL, 5, 0.5, out, counter), stream, None))
print("normal about 5:", abs(float(drawn().mean()) - 5) < 0.3)
must(C.aclrtRandomNumAsync(request(TRUNCATED, 0, 1, out, counter), stream, None))
print("within two deviations:", float(np.abs(drawn()).max()) <= 2)

must(C.aclmdlRICaptureBegin(stream, C.ACL_MODEL_RI_CAPTURE_MODE_RELAXED))
must(C.aclrtRandomNumAsync(request(UNIFORM, -1, 1, out, counter), stream, None))
model = must(C.aclmdlRICaptureEnd(stream))
must(C.aclmdlRIExecuteAsync(model, stream))
print("in a graph, the counter as before:", bool((drawn() == uniform).all()))
put(counter, np.array([1, 0], np.uint64))
must(C.aclmdlRIExecuteAsync(model, stream))
print("with another counter:", bool((drawn() != uniform).any()))

must(C.aclmdlRIDestroy(model))
for address in (out, counter):
    must(C.aclrtFree(address))
must(C.aclrtDestroyStream(stream))
end(context)
