"""Queues between processes: grants, attaches, entries and buffers that go over, waits, ends."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.runtime.processes.board import Board, usable
from tests.kit.calls import must
from tests.kit.pairs import Ended, Side, one_run, pair

pytestmark = pytest.mark.skipif(not (usable and hasattr(os, "fork")), reason="this system has no Unix sockets")
both_threads = pytest.mark.parametrize("threads", ["deterministic", "free"])

DEQUEUE, ENQUEUE, ALL = 2, 4, 7
EMPTY, REFUSED, FAILURE = 207013, 507899, 500001


@pytest.fixture(autouse=True)
def _group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHAREGROUP_PRECONFIG", "1")


def play(one: Any, two: Any, **options: Any) -> tuple[Ended, Ended]:
    return pair(one, two, switches={"run_mode": "device"}, **options)


def put(number: int, data: bytes, user: bytes = b"", limit: int = -1) -> int:
    held = np.frombuffer(data, np.uint8)
    private = np.frombuffer(user, np.uint8) if user else None
    return int(C.acltdtEnqueueData(number, held, held.nbytes, private, len(user), limit, 0))


def take(number: int, size: int = 64, limit: int = -1) -> tuple[bytes, bytes, int]:
    room, user = np.zeros(size, np.uint8), np.zeros(8, np.uint8)
    got, code = C.acltdtDequeueData(number, room, size, user, 8, limit)
    return room[: got or 0].tobytes(), user.tobytes().rstrip(b"\0"), code


def made(side: Side, bits: int = ALL, attr: Any = None) -> int:
    number = int(must(C.acltdtCreateQueue(attr)))
    must(C.acltdtGrantQueue(number, side.child, bits, 0))
    side.send(number)
    return number


@both_threads
def test_entries_go_over_in_order(threads: str) -> None:
    def owner(side: Side) -> int:
        number = int(must(C.acltdtCreateQueue(None)))
        assert put(number, b"before the grant", b"u") == 0
        must(C.acltdtGrantQueue(number, side.child, ALL, 0))
        side.send(number)
        codes = [put(number, bytes([n]) * 8) for n in range(40)]  # more than it holds: it waits for room
        side.receive()
        return sum(codes) + int(C.acltdtDestroyQueue(number))

    def user(side: Side) -> Any:
        number = side.receive()
        bits = C.acltdtAttachQueue(number, 0)
        seen = [take(number) for _ in range(41)]
        late = take(number, limit=0)
        side.send("all")
        return bits, seen, late

    first, second = play(owner, user, threads=threads)
    bits, seen, late = second.value
    assert first.value == 0 and bits == (ALL, 0)
    assert seen[0] == (b"before the grant", b"u", 0)
    assert [data for data, _, _ in seen[1:]] == [bytes([n]) * 8 for n in range(40)]
    assert late[2] == EMPTY
    assert first.titles == second.titles == []


@both_threads
def test_a_buffer_goes_over_with_its_chain(threads: str) -> None:
    def owner(side: Side) -> int:
        number = made(side)
        head, tail = (must(C.acltdtAllocBuf(size, 0)) for size in (16, 32))
        for buffer, text in ((head, b"head"), (tail, b"tail")):
            ctypes.memmove(must(C.acltdtGetBufData(buffer))[0], text, 4)
            must(C.acltdtSetBufDataLen(buffer, 4))
        must(C.acltdtSetBufUserData(head, np.frombuffer(b"user", np.uint8), 4, 0))
        must(C.acltdtAppendBufChain(head, tail))
        must(C.acltdtEnqueue(number, head, -1))
        gone = int(C.acltdtGetBufDataLen(head)[1])
        side.receive()
        return gone

    def user(side: Side) -> Any:
        number = side.receive()
        must(C.acltdtAttachQueue(number, 0))
        head = must(C.acltdtDequeue(number, -1))
        room = np.zeros(4, np.uint8)
        must(C.acltdtGetBufUserData(head, room, 4, 0))
        each = [must(C.acltdtGetBufFromChain(head, n)) for n in range(must(C.acltdtGetBufChainNum(head)))]
        texts = [ctypes.string_at(must(C.acltdtGetBufData(b))[0], must(C.acltdtGetBufDataLen(b))) for b in each]
        must(C.acltdtFreeBuf(head))
        late = C.acltdtDequeue(number, 0)[1]
        side.send("all")
        return room.tobytes(), texts, late

    first, second = play(owner, user, threads=threads)
    assert second.value == (b"user", [b"head", b"tail"], FAILURE)
    assert first.value == 107000, "who enqueues a buffer has it no more"
    assert second.titles == []


def test_only_what_was_granted() -> None:
    def owner(side: Side) -> list[int]:
        number = made(side, ENQUEUE)
        side.receive()
        codes = [int(C.acltdtDequeueData(number, np.zeros(8, np.uint8), 8, None, 0, 0)[1])]
        return [*codes, int(C.acltdtDestroyQueue(number))]

    def user(side: Side) -> list[int]:
        number = side.receive()
        codes = [put(number, b"x", limit=0)]  # not attached
        codes += [int(C.acltdtAttachQueue(number, 0)[0]), put(number, b"12345678", limit=0), take(number, limit=0)[2]]
        codes += [int(C.acltdtDestroyQueue(number)), int(C.acltdtGrantQueue(number, os.getppid(), 7, 0))]
        codes += [int(C.acltdtAttachQueue(number + 1, 20)[1])]
        side.send("all")
        return codes

    first, second = play(owner, user)
    assert second.value == [REFUSED, ENQUEUE, 0, REFUSED, REFUSED, REFUSED, REFUSED]
    assert first.value == [0, 0]


@both_threads
def test_two_threads_wait_for_one_grant(threads: str) -> None:
    def owner(side: Side) -> int:
        number = int(must(C.acltdtCreateQueue(None)))
        side.send(number)
        side.receive()
        must(C.acltdtGrantQueue(number, side.child, ENQUEUE, 0))
        side.receive()
        return int(C.acltdtDestroyQueue(number))

    def user(side: Side) -> Any:
        number, found, waiting = side.receive(), [], []

        def waits() -> None:
            must(C.aclrtSetDevice(0))
            waiting.append(1)
            if len(waiting) == 2:
                side.send("both")
            found.append(C.acltdtAttachQueue(number, -1))

        both = [threading.Thread(target=waits) for _ in range(2)]
        for each in both:
            each.start()
        for each in both:
            each.join()
        side.send("attached")
        return found

    first, second = play(owner, user, threads=threads)
    assert (first.value, second.value) == (0, [(ENQUEUE, 0)] * 2)


def test_who_dies_while_it_takes_an_entry_leaves_it_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(board: Board, name: str, entry: Any) -> None:
        raise KeyboardInterrupt

    with one_run(), Simulator(switches={"run_mode": "device"}):
        must(C.aclrtSetDevice(0))
        number = int(must(C.acltdtCreateQueue(None)))
        must(C.acltdtGrantQueue(number, os.getppid(), ALL, 0))
        assert put(number, b"data") == 0
        with monkeypatch.context() as dying, pytest.raises(KeyboardInterrupt):
            dying.setattr(Board, "_store", dies)
            take(number)
        assert take(number) == (b"data", b"", 0)


def test_ids_are_given_out_once_in_a_run() -> None:
    def owner(side: Side) -> list[int]:
        numbers = [int(must(C.acltdtCreateQueue(None))) for _ in range(3)]
        side.send(numbers)
        side.receive()
        return numbers

    def user(side: Side) -> list[int]:
        side.receive()
        numbers = [int(must(C.acltdtCreateQueue(None))) for _ in range(3)]
        side.send(numbers)
        return numbers

    first, second = play(owner, user)
    assert not {*first.value} & {*second.value}


@both_threads
def test_who_attaches_early_waits_for_the_grant(threads: str) -> None:
    def owner(side: Side) -> int:
        number = int(must(C.acltdtCreateQueue(None)))
        side.send(number)
        must(C.acltdtGrantQueue(number, side.child, DEQUEUE, 0))
        code = put(number, b"x")
        side.receive()
        return code

    def user(side: Side) -> Any:
        number = side.receive()
        bits = C.acltdtAttachQueue(number, -1)
        data = take(number)
        side.send("all")
        return bits, data

    first, second = play(owner, user, threads=threads)
    assert first.value == 0 and second.value == ((DEQUEUE, 0), (b"x", b"", 0))


@both_threads
def test_the_end_of_the_other_process_ends_a_wait(threads: str) -> None:
    def owner(side: Side) -> int:
        number = made(side)
        side.receive()
        return take(number)[2]

    def user(side: Side) -> None:
        must(C.acltdtAttachQueue(side.receive(), 0))
        side.send("attached")

    first, _ = play(owner, user, threads=threads, leave=True)
    assert first.value == REFUSED and first.kinds == ["dead-peer"]
    assert "a wait for an entry of queue 0 can never end: process" in first.titles[0]


def test_a_destroyed_queue_sends_away_who_waits_in_another_process() -> None:
    def owner(side: Side) -> int:
        number = made(side)
        side.receive()
        code = int(C.acltdtDestroyQueue(number))
        side.receive()
        return code

    def user(side: Side) -> int:
        number = side.receive()
        must(C.acltdtAttachQueue(number, 0))
        side.send("attached")
        code = take(number)[2]
        side.send("over")
        return code

    first, second = play(owner, user)
    assert first.value == 0 and second.value == REFUSED
    assert first.kinds == []


def test_a_limit_passes_while_nobody_puts() -> None:
    def owner(side: Side) -> int:
        number = made(side)
        code = take(number, limit=30)[2]
        side.send("over")
        return code

    def user(side: Side) -> None:
        must(C.acltdtAttachQueue(side.receive(), 0))
        side.receive()

    first, second = play(owner, user)
    assert first.value == EMPTY and first.titles == second.titles == []
