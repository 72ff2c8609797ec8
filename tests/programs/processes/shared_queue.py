"""A producer and a consumer on the CPU of the chip: the one makes a queue and grants it, the other attaches it."""

import ctypes
import os
import sys

import numpy as np
from files import must, read, write

import ascend_sim.ascendcl as C

FRAMES, SIZE = 12, 4096


def producer():
    """Fill buffers and enqueue them; the handles are gone with that."""
    number = must(C.acltdtCreateQueue(None))
    must(C.acltdtGrantQueue(number, read("pid"), C.ACL_TDT_QUEUE_PERMISSION_DEQUEUE, 0))
    write("queue", number)
    for frame in range(FRAMES):
        buffer = must(C.acltdtAllocBuf(SIZE, C.ACL_TDT_NORMAL_MEM))
        address = must(C.acltdtGetBufData(buffer))
        ctypes.memset(address, frame, SIZE)
        must(C.acltdtSetBufDataLen(buffer, SIZE))
        must(C.acltdtEnqueue(number, buffer, -1))
    print("producer: told", read("sum"))
    must(C.acltdtDestroyQueue(number))


def consumer():
    """Dequeue until all frames came."""
    write("pid", os.getpid())
    number = read("queue")
    assert must(C.acltdtAttachQueue(number, -1)) == C.ACL_TDT_QUEUE_PERMISSION_DEQUEUE
    seen = 0
    for _ in range(FRAMES):
        buffer = must(C.acltdtDequeue(number, -1))
        address = must(C.acltdtGetBufData(buffer))
        seen += int(np.frombuffer(ctypes.string_at(address, must(C.acltdtGetBufDataLen(buffer))), np.uint8)[-1])
        must(C.acltdtFreeBuf(buffer))
    write("sum", seen)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
