"""Shared buffers on the CPU of the chip: areas, chains, references, and queues that take them away."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import must, simulator
from tests.kit.pairs import one_run

sim = simulator(device=None, switches={"run_mode": "device"})


def buffer(size: int = 64) -> int:
    """A new buffer."""
    made: int = must(C.acltdtAllocBuf(size, C.ACL_TDT_NORMAL_MEM))
    return made


def user(handle: int, size: int = 4, offset: int = 0) -> bytes:
    """What the private area holds."""
    room = np.zeros(size, np.uint8)
    must(C.acltdtGetBufUserData(handle, room, size, offset))
    return room.tobytes()


def test_a_buffer_has_data_a_length_and_a_private_area(sim: Simulator) -> None:
    made = buffer(100)
    address, size = must(C.acltdtGetBufData(made))
    assert size == 100
    ctypes.memmove(address, b"hello", 5)
    assert must(C.acltdtGetBufDataLen(made)) == 0
    must(C.acltdtSetBufDataLen(made, 5))
    assert must(C.acltdtGetBufDataLen(made)) == 5
    must(C.acltdtSetBufUserData(made, b"abcd", 4, 92))
    assert user(made, 4, 92) == b"abcd"
    assert C.acltdtFreeBuf(made) == 0
    assert not sim.findings


def test_references_share_the_data_and_not_the_rest(sim: Simulator) -> None:
    made = buffer()
    must(C.acltdtSetBufUserData(made, b"abcd", 4, 0))
    other = must(C.acltdtCopyBufRef(made))
    must(C.acltdtSetBufUserData(made, b"wxyz", 4, 0))
    assert user(other) == b"abcd"
    assert must(C.acltdtGetBufData(made)) == must(C.acltdtGetBufData(other))
    must(C.acltdtFreeBuf(made))
    address, _ = must(C.acltdtGetBufData(other))
    ctypes.memmove(address, b"x", 1)
    assert sim.memory.find(address) is not None, "the data is there until the last reference goes"
    must(C.acltdtFreeBuf(other))
    block = sim.memory.find(address)
    assert block is None or block.freed


def test_chains(sim: Simulator) -> None:
    head, second, third = buffer(1), buffer(2), buffer(3)
    must(C.acltdtAppendBufChain(second, third))
    must(C.acltdtAppendBufChain(head, second))
    assert must(C.acltdtGetBufChainNum(head)) == 3
    assert [must(C.acltdtGetBufFromChain(head, index)) for index in range(3)] == [head, second, third]
    codes = [
        C.acltdtGetBufFromChain(head, 3)[1], C.acltdtGetBufChainNum(second)[1], C.acltdtFreeBuf(second),
        C.acltdtAppendBufChain(head, third), C.acltdtAppendBufChain(third, buffer()),
    ]  # fmt: skip
    assert codes == [107000] * 5
    assert C.acltdtAppendBufChain(head, head) == 507899
    copy = must(C.acltdtCopyBufRef(head))
    assert must(C.acltdtGetBufChainNum(copy)) == 3
    assert [C.acltdtFreeBuf(head), C.acltdtFreeBuf(copy)] == [0, 0]
    assert C.acltdtFreeBuf(third) == 107000
    assert [f.kind for f in sim.findings] == ["undefined-use"]


def test_a_chain_has_128_buffers_at_most(sim: Simulator) -> None:
    head = buffer()
    assert [C.acltdtAppendBufChain(head, buffer()) for _ in range(127)] == [0] * 127
    assert C.acltdtAppendBufChain(head, buffer()) == 207012


def test_a_queue_takes_the_buffer_away_and_gives_it_to_who_dequeues(sim: Simulator) -> None:
    number, made = must(C.acltdtCreateQueue(None)), buffer(8)
    must(C.acltdtSetBufUserData(made, b"abcd", 4, 0))
    address, _ = must(C.acltdtGetBufData(made))
    must(C.acltdtEnqueue(number, made, 0))
    assert C.acltdtSetBufDataLen(made, 1) == 107000
    assert sim.findings[-1].kind == "undefined-use"
    got = must(C.acltdtDequeue(number, 0))
    assert got != made
    assert (must(C.acltdtGetBufData(got))[0], user(got)) == (address, b"abcd")
    assert C.acltdtDequeue(number, 0)[1] == 500001
    assert C.acltdtFreeBuf(got) == 0


def test_a_full_queue_leaves_the_buffer_to_the_caller(sim: Simulator) -> None:
    attr = C.acltdtCreateQueueAttr()
    must(C.acltdtSetQueueAttr(attr, 1, 4, (2).to_bytes(4, "little")))
    number = must(C.acltdtCreateQueue(attr))
    must(C.acltdtEnqueue(number, buffer(), 0))
    made = buffer()
    assert C.acltdtEnqueue(number, made, 3) == 500001
    assert C.acltdtFreeBuf(made) == 0


def test_bytes_and_buffers_meet_in_one_queue(sim: Simulator) -> None:
    number = must(C.acltdtCreateQueue(None))
    must(C.acltdtEnqueueData(number, b"bytes", 5, b"abcd", 4, 0, 0))
    got = must(C.acltdtDequeue(number, 0))
    address, _ = must(C.acltdtGetBufData(got))
    assert (ctypes.string_at(address, must(C.acltdtGetBufDataLen(got))), user(got)) == (b"bytes", b"abcd")
    must(C.acltdtEnqueue(number, got, 0))
    into = np.zeros(8, np.uint8)
    assert must(C.acltdtDequeueData(number, into, 8, None, 0, 0)) == 5
    assert into[:5].tobytes() == b"bytes"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda b: C.acltdtAllocBuf(0, 0)[1], 107000), (lambda b: C.acltdtAllocBuf((4 << 30) + 1, 0)[1], 107000),
        (lambda b: C.acltdtAllocBuf(64, 2)[1], 100000), (lambda b: C.aclrtAllocBuf(0)[1], 100000),
        (lambda b: C.acltdtFreeBuf(0), 100000), (lambda b: C.acltdtSetBufDataLen(b, 0), 107000),
        (lambda b: C.acltdtSetBufDataLen(b, 65), 107000), (lambda b: C.acltdtSetBufUserData(b, b"x", 1, 96), 100000),
        (lambda b: C.acltdtSetBufUserData(b, None, 1, 0), 100000), (lambda b: C.acltdtEnqueue(99, b, 0), 507899),
        (lambda b: C.acltdtGetBufUserData(b, np.zeros(1, np.uint8), 1, (1 << 64) - 1), 0),
        (lambda b: C.acltdtGetBufUserData(0, np.zeros(1, np.uint8), 1, 0), 100000),
    ],
)  # fmt: skip
def test_codes(sim: Simulator, call: Callable[[int], int], code: int) -> None:
    """The sum of size and offset wraps round in the real library: size 1 at offset 2**64 - 1 passes its test."""
    must(C.acltdtCreateQueue(None))
    assert call(buffer()) == code


def test_grants_need_a_shared_group(sim: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    number = must(C.acltdtCreateQueue(None))
    assert C.acltdtGrantQueue(number, os.getpid(), 7, 0) == 200006
    monkeypatch.setenv("SHAREGROUP_PRECONFIG", "1")
    assert C.acltdtGrantQueue(number, os.getpid(), 7, 0) == 0
    assert C.acltdtAttachQueue(number, 0) == (7, 0)
    assert C.acltdtGrantQueue(number, 0, 7, 0) == 107000
    with one_run():
        other = must(C.acltdtCreateQueue(None))
        assert C.acltdtGrantQueue(other, os.getpid() + 1, 7, 0) == 0
        assert C.acltdtAttachQueue(other + 1, 0)[1] == 507899
    assert C.acltdtAttachQueue(128, 0)[1] == 107000
    assert not list(sim.findings)


def test_reserved_functions_work_on_the_host_too() -> None:
    with Simulator() as sim:
        made = must(C.aclrtAllocBuf(32))
        must(C.aclrtSetBufUserData(made, b"ab", 2, 0))
        other = must(C.aclrtCopyBufRef(made))
        must(C.aclrtAppendBufChain(made, other))
        assert must(C.aclrtGetBufChainNum(made)) == 2
        assert must(C.aclrtGetBufFromChain(made, 1)) == other
        must(C.aclrtSetBufDataLen(made, 32))
        assert must(C.aclrtGetBufDataLen(made)) == 32
        assert must(C.aclrtGetBufData(made))[1] == 32
        room = np.zeros(2, np.uint8)
        must(C.aclrtGetBufUserData(other, room, 2, 0))
        assert room.tobytes() == b"ab"
        assert C.aclrtFreeBuf(made) == 0
        assert not sim.findings
