"""A process whose virtual clock is hours ahead of that of the process that it starts: they share one event."""

import subprocess
import sys
import threading
import time

import acl  # noqa: F401 - as a program finds the simulator
from files import must, read, write

from ascend_sim import ascendcl as C


def older():
    """Be alone for long, record, start the other one, wait for its record."""
    must(C.aclrtSetDevice(0))
    stream = must(C.aclrtCreateStream())
    event = must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_IPC))
    write("handle", must(C.aclrtIpcGetEventHandle(event)).reserved)
    time.sleep(100_000)
    must(C.aclrtRecordEvent(event, stream))
    must(C.aclrtSynchronizeEvent(event))
    child = subprocess.Popen([sys.executable, __file__, "younger"])
    child.wait()
    must(C.aclrtSynchronizeEvent(event))
    print("older: status", must(C.aclrtQueryEventStatus(event)))


def younger():
    """Queue behind the record, record and sleep: with a second thread, which waits for the first."""
    over = threading.Event()
    must(C.aclrtSetDevice(0))
    second = threading.Thread(target=over.wait)
    second.start()
    stream = must(C.aclrtCreateStream())
    time.sleep(0.01)
    event = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(read("handle"))))
    must(C.aclrtStreamWaitEvent(stream, event))
    must(C.aclrtRecordEvent(event, stream))
    must(C.aclrtSynchronizeStream(stream))
    time.sleep(0.01)
    print("younger: slept", flush=True)
    over.set()
    second.join()


if __name__ == "__main__":
    {"older": older, "younger": younger}[sys.argv[1]]()
