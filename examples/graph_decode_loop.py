"""A decode loop, captured once and executed for every token: two streams, and one kernel that is updated each time."""

import ctypes
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ascend_sim import Block, gm, kernel
from ascend_sim import ascendcl as C

HUGE_FIRST, RELAXED = 0, 2
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
SYNC, EXTERNAL = 1, 1
WIDTH, STEPS = 64, 12


@kernel
def embed(b: Block, token: gm.In[np.int32], hidden: gm.Out[np.int32]) -> None:
    """The vector of a token."""
    hidden[0:WIDTH] = np.arange(WIDTH, dtype=np.int32) * token[0]


@kernel
def rotate(b: Block, table: gm.Out[np.int32], step: np.int32) -> None:
    """Positions, which depend on the step: its argument is another one for every token."""
    table[0:WIDTH] = np.arange(WIDTH, dtype=np.int32) + step


@kernel
def attend(b: Block, hidden: gm.In[np.int32], table: gm.In[np.int32], answer: gm.Out[np.int32]) -> None:
    """The next token."""
    answer[0:1] = np.array([(hidden[0:WIDTH].sum() + table[0:WIDTH].sum()) % 97], np.int32)


def must(result: Any) -> Any:
    """What a call gives; it has to succeed."""
    *values, code = result if isinstance(result, tuple) else (result,)
    assert code == 0, code
    return values[0] if values else None


class Decoder:
    """Buffers, two streams, and the events between them."""

    def __init__(self) -> None:
        must(C.aclrtSetDevice(0))
        self.main, self.side, self.updates = (must(C.aclrtCreateStream()) for _ in range(3))
        self.fork, self.join, self.ready = (must(C.aclrtCreateEventExWithFlag(SYNC)) for _ in range(3))
        self.token, self.answer = (must(C.aclrtMalloc(4, HUGE_FIRST)) for _ in range(2))
        self.hidden, self.table = (must(C.aclrtMalloc(4 * WIDTH, HUGE_FIRST)) for _ in range(2))
        self.given = must(C.aclrtMallocHost(4))  # page-locked: a graph copies no other host memory

    def positions(self, stream: int, step: int) -> None:
        """What differs from token to token."""
        rotate[1, stream](self.table, step)

    def step(self, step: int, capturing: bool = False) -> int:
        """All work for one token; captured, the positions are a group that can be updated, behind an event."""
        must(C.aclrtRecordEvent(self.fork, self.main))
        must(C.aclrtStreamWaitEvent(self.side, self.fork))  # the side stream joins
        if capturing:
            must(C.aclrtStreamWaitEventWithFlag(self.side, self.ready, 0, EXTERNAL))  # until the update is there
            must(C.aclmdlRICaptureTaskGrpBegin(self.side))
        self.positions(self.side, step)
        group = must(C.aclmdlRICaptureTaskGrpEnd(self.side)) if capturing else 0
        must(C.aclrtRecordEvent(self.join, self.side))
        must(C.aclrtMemcpyAsync(self.token, 4, self.given, 4, HOST_TO_DEVICE, self.main))
        embed[1, self.main](self.token, self.hidden)
        must(C.aclrtStreamWaitEvent(self.main, self.join))  # and leads back
        attend[1, self.main](self.hidden, self.table, self.answer)
        must(C.aclrtMemcpyAsync(self.given, 4, self.answer, 4, DEVICE_TO_HOST, self.main))
        return group

    def plain(self) -> Iterator[int]:
        """The tokens, call by call."""
        ctypes.memset(self.given, 0, 4)
        for step in range(STEPS):
            self.step(step)
            must(C.aclrtSynchronizeStream(self.main))
            yield ctypes.c_int32.from_address(self.given).value

    def captured(self) -> Iterator[int]:
        """The tokens by a graph: an update, an execution, a wait for each."""
        must(C.aclmdlRICaptureBegin(self.main, RELAXED))
        group = self.step(0, capturing=True)
        graph = must(C.aclmdlRICaptureEnd(self.main))
        ctypes.memset(self.given, 0, 4)
        for step in range(STEPS):
            must(C.aclmdlRICaptureTaskUpdateBegin(self.updates, group))
            self.positions(self.updates, step)
            must(C.aclmdlRICaptureTaskUpdateEnd(self.updates))
            must(C.aclrtRecordEvent(self.ready, self.updates))
            must(C.aclmdlRIExecuteAsync(graph, self.main))
            must(C.aclrtSynchronizeStream(self.main))
            yield ctypes.c_int32.from_address(self.given).value
        must(C.aclmdlRIDestroy(graph))

    def close(self) -> None:
        """Give everything back."""
        for event in (self.fork, self.join, self.ready):
            must(C.aclrtDestroyEvent(event))
        for stream in (self.main, self.side, self.updates):
            must(C.aclrtDestroyStream(stream))
        for memory in (self.token, self.answer, self.hidden, self.table):
            must(C.aclrtFree(memory))
        must(C.aclrtFreeHost(self.given))
        must(C.aclrtResetDevice(0))


def main() -> int:
    must(C.aclInit(None))
    decoder = Decoder()
    plain, captured = list(decoder.plain()), list(decoder.captured())
    print("call by call:", *plain)
    print("by a graph:  ", *captured)
    decoder.close()
    must(C.aclFinalize())
    return int(plain != captured)


if __name__ == "__main__":
    sys.exit(main())
