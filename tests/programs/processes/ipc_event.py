"""One event for two processes, with the C names: the handle's 64 bytes go through a file."""

import sys

from files import must, read, write

from ascend_sim import ascendcl as C


def owner():
    """Record, ask, hand the handle over, wait for the other one's record."""
    must(C.aclInit(None))
    must(C.aclrtSetDevice(0))
    stream = must(C.aclrtCreateStream())
    event = must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_IPC))
    must(C.aclrtRecordEvent(event, stream))
    must(C.aclrtSynchronizeEvent(event))
    print("owner: status", must(C.aclrtQueryEventStatus(event)))
    write("handle", must(C.aclrtIpcGetEventHandle(event)).reserved)
    read("done")
    must(C.aclrtStreamWaitEvent(stream, event))
    must(C.aclrtSynchronizeStream(stream))
    print("owner: status", must(C.aclrtQueryEventStatus(event)))
    end(event, stream)


def user():
    """Open, wait, record."""
    must(C.aclInit(None))
    must(C.aclrtSetDevice(0))
    stream = must(C.aclrtCreateStream())
    event = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(read("handle"))))
    must(C.aclrtStreamWaitEvent(stream, event))
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtRecordEvent(event, stream))
    must(C.aclrtSynchronizeEvent(event))
    print("user: status", must(C.aclrtQueryEventStatus(event)))
    write("done", True)
    end(event, stream)


def end(event, stream):
    """Give all back."""
    must(C.aclrtDestroyEvent(event))
    must(C.aclrtDestroyStream(stream))
    must(C.aclrtResetDevice(0))
    must(C.aclFinalize())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
