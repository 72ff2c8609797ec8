"""What these programs share: a device in use, calls that succeed, numbers in device memory."""

import sys

import numpy as np

from ascend_sim import ascendcl as C

HEAD, ACTIVATED = 0, 0x7FFF_FFFF
H2D, D2H = 1, 2


def must(result):
    """The output of a call that succeeds."""
    *outputs, code = result if isinstance(result, tuple) else (result,)
    if code:
        sys.exit(f"{code}: {C.aclGetRecentErrMsg()}")
    return outputs[0] if len(outputs) == 1 else outputs


def begin():
    must(C.aclInit(None))
    must(C.aclrtSetDevice(0))
    return must(C.aclrtCreateContext(0))


def end(context):
    must(C.aclrtDestroyContext(context))
    must(C.aclrtResetDeviceForce(0))
    must(C.aclFinalize())


def put(address, values):
    must(C.aclrtMemcpy(address, values.nbytes, values, values.nbytes, H2D))


def device(values):
    """A copy of an array in device memory."""
    address = must(C.aclrtMalloc(max(values.nbytes, 64), 0))
    put(address, values)
    return address


def host(address, dtype, count):
    found = np.zeros(count, dtype)
    must(C.aclrtMemcpy(found, found.nbytes, address, found.nbytes, D2H))
    return found.tolist()
