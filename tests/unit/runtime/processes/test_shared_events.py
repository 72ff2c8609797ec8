"""Events and notifies that processes share: order, waits in the system, dead peers, deadlocks."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest

from ascend_sim import SimulatedHang, Simulator
from ascend_sim import ascendcl as C
from ascend_sim.runtime.processes import neighbours as neighbours_module
from ascend_sim.runtime.processes.board import usable
from tests.kit.calls import must
from tests.kit.pairs import Side, one_run, pair

pytestmark = pytest.mark.skipif(not usable, reason="this system has no Unix sockets")
both_threads = pytest.mark.parametrize("threads", ["deterministic", "free"])

IPC, COMPLETE, NOT_READY = 0x40, 1, 0
OPEN, LISTED = 2, 0
TASK_TIMEOUT, SYNC_TIMEOUT, REFUSED = 107020, 507047, 507899
MS = 1_000_000


def busy(side: Side, stream: int, ms: int = 5) -> None:
    """Keep *stream* busy for so many virtual ms."""
    from ascend_sim.runtime.task import Op

    thing: Any = side.sim.handles[stream]
    thing.submit(side.sim.threads.attach(side.sim), Op("work", ms * MS))


def ipc_event(side: Side) -> int:
    return int(must(C.aclrtCreateEventExWithFlag(IPC)))


# -- events ------------------------------------------------------------------------------------------------------------


@both_threads
def test_a_wait_for_a_record_of_another_process(threads: str) -> None:
    def recorder(side: Side) -> int:
        event, stream = ipc_event(side), side.stream()
        busy(side, stream, 50)
        must(C.aclrtRecordEvent(event, stream))  # nobody else can see it yet
        side.send(must(C.aclrtIpcGetEventHandle(event)).reserved)
        side.receive()  # the other one waits, or is about to
        must(C.aclrtSynchronizeStream(stream))
        must(C.aclrtDestroyEvent(event))
        return side.sim.time_ns()

    def waiter(side: Side) -> tuple[int, int, int]:
        event, stream = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(side.receive()))), side.stream()
        before = must(C.aclrtQueryEventStatus(event))
        must(C.aclrtStreamWaitEvent(stream, event))
        side.send("queued")
        must(C.aclrtSynchronizeStream(stream))
        after = must(C.aclrtQueryEventStatus(event))
        must(C.aclrtDestroyEvent(event))
        return before, after, side.sim.time_ns()

    first, second = pair(recorder, waiter, threads=threads)
    assert second.value[:2] == (NOT_READY, COMPLETE)
    assert second.value[2] >= 50 * MS, "not earlier than the record, in virtual time"
    assert first.kinds == second.kinds == []


@pytest.mark.parametrize("is_recorded", [True, False])
def test_a_record_that_was_done_before_the_event_was_shared(is_recorded: bool) -> None:
    def recorder(side: Side) -> int:
        event, stream = ipc_event(side), side.stream()
        busy(side, stream, 50)
        if is_recorded:
            must(C.aclrtRecordEvent(event, stream))
            must(C.aclrtSynchronizeEvent(event))
        side.send(must(C.aclrtIpcGetEventHandle(event)).reserved)
        side.receive()
        must(C.aclrtDestroyEvent(event))
        return side.sim.time_ns()

    def waiter(side: Side) -> tuple[int, int]:
        event, stream = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(side.receive()))), side.stream()
        status = must(C.aclrtQueryEventStatus(event))
        must(C.aclrtStreamWaitEvent(stream, event))
        must(C.aclrtSynchronizeStream(stream))
        must(C.aclrtDestroyEvent(event))
        side.send("done")
        return status, side.sim.time_ns()

    first, second = pair(recorder, waiter)
    assert second.value[0] == COMPLETE
    assert (second.value[1] >= 50 * MS) == is_recorded, "who sees the record is not earlier than it"
    assert (first.kinds, second.kinds) == ([], [] if is_recorded else ["unrecorded-wait"])


@both_threads
def test_the_host_waits_for_a_record_of_another_process(threads: str) -> None:
    def recorder(side: Side) -> None:
        event, stream = ipc_event(side), side.stream()
        must(C.aclrtRecordEvent(event, stream))
        side.send(must(C.aclrtIpcGetEventHandle(event)).reserved)
        side.receive()
        must(C.aclrtSynchronizeEvent(event))

    def waiter(side: Side) -> int:
        event = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(side.receive())))
        side.send("opened")
        return int(C.aclrtSynchronizeEvent(event))

    first, second = pair(recorder, waiter, threads=threads)
    assert second.value == 0 and first.kinds == second.kinds == []


@both_threads
def test_a_loop_of_queries_sees_a_record_of_another_process(threads: str) -> None:
    def recorder(side: Side) -> None:
        event, stream = ipc_event(side), side.stream()
        must(C.aclrtRecordEvent(event, stream))
        side.send(must(C.aclrtIpcGetEventHandle(event)).reserved)
        side.receive()
        must(C.aclrtSynchronizeStream(stream))

    def poller(side: Side) -> int:
        event = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(side.receive())))
        count = 0
        while must(C.aclrtQueryEventStatus(event)) != COMPLETE:
            count += 1
            if count == 40:
                side.send("asks")
        return count

    first, second = pair(recorder, poller, threads=threads)
    assert 40 <= second.value < 100_000, "it does not spin"
    assert first.kinds == second.kinds == []


def test_events_go_both_ways_and_a_wait_is_bound_to_the_newest_record() -> None:
    def one(side: Side) -> list[int]:
        event, stream = ipc_event(side), side.stream()
        handle = must(C.aclrtIpcGetEventHandle(event)).reserved
        must(C.aclrtStreamWaitEvent(stream, event))  # before any record: nothing
        codes = [C.aclrtSynchronizeStream(stream), must(C.aclrtQueryEventStatus(event))]
        side.send(handle)
        for _ in range(5):
            side.receive()  # the other one has recorded
            must(C.aclrtStreamWaitEvent(stream, event))
            side.send("waits")
            codes.append(C.aclrtSynchronizeStream(stream))
            must(C.aclrtRecordEvent(event, stream))
            side.send("recorded")
            codes.append(C.aclrtSynchronizeEvent(event))
        return codes

    def two(side: Side) -> list[int]:
        event, stream = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(side.receive()))), side.stream()
        codes = []
        for _ in range(5):
            must(C.aclrtRecordEvent(event, stream))
            side.send("recorded")
            side.receive()
            codes.append(C.aclrtSynchronizeStream(stream))
            side.receive()
            codes.append(C.aclrtSynchronizeEvent(event))
        return codes

    first, second = pair(one, two)
    assert first.value == [0, COMPLETE] + [0] * 10 and second.value == [0] * 10
    assert first.kinds == ["unrecorded-wait"] and second.kinds == []


def test_an_event_lives_on_when_its_owner_has_destroyed_it() -> None:
    def owner(side: Side) -> None:
        event, stream = ipc_event(side), side.stream()
        side.send(must(C.aclrtIpcGetEventHandle(event)).reserved)
        side.receive()
        must(C.aclrtRecordEvent(event, stream))
        must(C.aclrtDestroyEvent(event))
        side.send("destroyed")
        must(C.aclrtSynchronizeStream(stream))

    def user(side: Side) -> list[int]:
        name = C.aclrtIpcEventHandle(side.receive())
        event, stream = must(C.aclrtIpcOpenEventHandle(name)), side.stream()
        side.send("opened")
        side.receive()
        codes = [C.aclrtSynchronizeEvent(event), C.aclrtRecordEvent(event, stream), C.aclrtSynchronizeStream(stream)]
        further = must(C.aclrtIpcOpenEventHandle(name))
        codes += [C.aclrtDestroyEvent(event), C.aclrtDestroyEvent(further), C.aclrtIpcOpenEventHandle(name)[1]]
        return codes

    first, second = pair(owner, user)
    assert second.value[:5] == [0] * 5 and first.kinds == second.kinds == []
    assert second.value[5] == 0 or second.value[5] == 107000


def test_bytes_of_no_event() -> None:
    with one_run(), Simulator() as sim:
        must(C.aclrtSetDevice(0))
        name = must(C.aclrtIpcGetEventHandle(ipc_event(Side(sim, None))))
        for data in (b"", b"e-1.1-1", b"../../etc/passwd", b"n-1.1-1", bytes(range(1, 65)), b"\xff" * 64):
            assert C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(list(data.ljust(64, b"\0"))))[1] == 107000
        assert C.aclrtIpcOpenEventHandle(name)[1] == 0


# -- notifies ----------------------------------------------------------------------------------------------------------


@both_threads
def test_one_record_releases_one_wait(threads: str) -> None:
    def waiter(side: Side) -> list[int]:
        done, stream = must(C.aclrtCreateNotify(0)), side.stream()
        side.send(side.key("aclrtNotifyGetExportKey", done, OPEN))
        codes = []
        for _ in range(3):
            must(C.aclrtWaitAndResetNotify(done, stream, 0))
            codes.append(C.aclrtSynchronizeStream(stream))
            side.send("passed")
        side.receive()
        codes.append(C.aclrtDestroyNotify(done))
        return codes

    def recorder(side: Side) -> None:
        done, stream = must(C.aclrtNotifyImportByKey(side.receive(), 0)), side.stream()
        for _ in range(3):
            must(C.aclrtRecordNotify(done, stream))
            must(C.aclrtSynchronizeStream(stream))
            side.receive()
        must(C.aclrtDestroyNotify(done))
        side.send("destroyed")

    first, second = pair(waiter, recorder, threads=threads)
    assert first.value == [0] * 4 and first.kinds == second.kinds == []


@both_threads
def test_the_device_goes_on_while_the_program_reads_a_pipe(threads: str) -> None:
    """What is queued behind a wait for another process needs no call of this one."""

    def middle(side: Side) -> int:
        first, second, stream = must(C.aclrtCreateNotify(0)), must(C.aclrtCreateNotify(0)), side.stream()
        side.send(*(side.key("aclrtNotifyGetExportKey", notify, OPEN) for notify in (first, second)))
        must(C.aclrtWaitAndResetNotify(first, stream, 0))
        must(C.aclrtRecordNotify(second, stream))
        return int(side.receive())  # which comes after the record

    def ends(side: Side) -> None:
        first, second = (must(C.aclrtNotifyImportByKey(key, 0)) for key in side.receive())
        stream = side.stream()
        must(C.aclrtRecordNotify(first, stream))
        must(C.aclrtWaitAndResetNotify(second, stream, 0))
        side.send(C.aclrtSynchronizeStream(stream))

    first, second = pair(middle, ends, threads=threads)
    assert first.value == 0 and first.kinds == second.kinds == []


def test_a_limit_takes_real_time_while_another_process_may_end_the_wait() -> None:
    def waiter(side: Side) -> list[int]:
        done, stream = must(C.aclrtCreateNotify(0)), side.stream()
        side.send(side.key("aclrtNotifyGetExportKey", done, OPEN))
        must(C.aclrtWaitAndResetNotify(done, stream, 0))
        codes = [C.aclrtSynchronizeStreamWithTimeout(stream, 20)]
        side.send("waited in vain")
        codes.append(C.aclrtSynchronizeStream(stream))
        return codes

    def recorder(side: Side) -> None:
        done, stream = must(C.aclrtNotifyImportByKey(side.receive(), 0)), side.stream()
        side.receive()
        must(C.aclrtRecordNotify(done, stream))
        must(C.aclrtSynchronizeStream(stream))

    first, second = pair(waiter, recorder)
    assert first.value[0] != 0 and first.value[1] == 0
    assert "deadlock" not in first.kinds and second.kinds == []


def test_lists_and_codes_of_notifies() -> None:
    def owner(side: Side) -> list[int]:
        notify = must(C.aclrtCreateNotify(0))
        codes = [C.aclrtNotifySetImportPid(notify, [1], 1)]
        key = side.key("aclrtNotifyGetExportKey", notify, LISTED)
        codes += [C.aclrtNotifySetImportPid(notify, [os.getpid()], 1)]
        side.send(key)
        side.receive()
        codes += [C.aclrtNotifySetImportPid(notify, [side.child], 1)]
        side.send("listed")
        side.receive()
        codes += [C.aclrtDestroyNotify(notify)]
        side.send("destroyed")
        return codes

    def user(side: Side) -> list[int]:
        key, stream = side.receive(), side.stream()
        codes = [C.aclrtNotifyImportByKey(text, 0)[1] for text in (key, "n-1.1-1", "../lock", "", "0" * 65)]
        side.send("refused")
        side.receive()
        notify = must(C.aclrtNotifyImportByKey(key, 0))
        codes += [C.aclrtNotifySetImportPid(notify, [1], 1)]
        side.send("imported")
        side.receive()
        codes += [C.aclrtRecordNotify(notify, stream), C.aclrtNotifyImportByKey(key, 0)[1]]
        return codes

    first, second = pair(owner, user)
    assert first.value == [REFUSED, REFUSED, 0, 0]
    assert second.value == [REFUSED] * 3 + [107000] * 2 + [REFUSED] + [0, 0]
    assert first.kinds == ["shared-object"] and "which process" in first.titles[0] and "still has" in first.titles[0]
    assert second.kinds[0] == second.kinds[-1] == "shared-object"
    assert re.search("is not on the white list of .*`notify` of process", second.titles[0])
    assert re.search(
        "aclrtRecordNotify uses .*`notify` of process.*, which it destroyed at tests/unit", second.titles[-1]
    )


# -- waits that never end ----------------------------------------------------------------------------------------------


@both_threads
@pytest.mark.parametrize("by", ["stream", "host"])
def test_a_dead_peer_ends_the_wait_for_its_record(threads: str, by: str) -> None:
    def waiter(side: Side) -> int:
        event, stream = must(C.aclrtIpcOpenEventHandle(C.aclrtIpcEventHandle(side.receive()))), side.stream()
        side.send("opened")
        if by == "host":
            return int(C.aclrtSynchronizeEvent(event))
        must(C.aclrtStreamWaitEvent(stream, event))
        return int(C.aclrtSynchronizeStream(stream))

    def recorder(side: Side) -> None:
        done, stream = ipc_event(side), side.stream()
        must(C.aclrtRecordEvent(done, stream))  # and nobody lets the device go on
        side.send(must(C.aclrtIpcGetEventHandle(done)).reserved)
        side.receive()

    first, _ = pair(waiter, recorder, leave=True, threads=threads)
    assert first.value == (TASK_TIMEOUT if by == "stream" else SYNC_TIMEOUT)
    assert first.kinds == ["dead-peer"]
    assert "a wait for event `done` of process" in first.titles[0] and "ended before the record" in first.titles[0]


@both_threads
def test_a_dead_peer_ends_the_wait_for_a_notify(threads: str) -> None:
    def waiter(side: Side) -> int:
        ready, stream = must(C.aclrtCreateNotify(0)), side.stream()
        side.send(side.key("aclrtNotifyGetExportKey", ready, OPEN))
        must(C.aclrtWaitAndResetNotify(ready, stream, 0))
        return int(C.aclrtSynchronizeStream(stream))

    def recorder(side: Side) -> None:
        must(C.aclrtNotifyImportByKey(side.receive(), 0))

    first, _ = pair(waiter, recorder, leave=True, threads=threads)
    assert first.value == TASK_TIMEOUT
    assert first.kinds == ["dead-peer"] and "a wait for notify `ready` can never end" in first.titles[0]


@both_threads
def test_two_processes_that_wait_for_each_other(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours_module, "HANG_NS", 50 * MS)

    def one(side: Side) -> str:
        mine, stream = must(C.aclrtCreateNotify(0)), side.stream()
        side.send(side.key("aclrtNotifyGetExportKey", mine, OPEN))
        theirs = must(C.aclrtNotifyImportByKey(side.receive(), 0))
        must(C.aclrtWaitAndResetNotify(mine, stream, 0))
        must(C.aclrtRecordNotify(theirs, stream))
        try:
            return str(C.aclrtSynchronizeStream(stream))
        except SimulatedHang as hang:
            return str(hang)

    def two(side: Side) -> str:
        theirs, stream = must(C.aclrtNotifyImportByKey(side.receive(), 0)), side.stream()
        mine = must(C.aclrtCreateNotify(0))
        side.send(side.key("aclrtNotifyGetExportKey", mine, OPEN))
        must(C.aclrtWaitAndResetNotify(mine, stream, 0))
        must(C.aclrtRecordNotify(theirs, stream))
        return str(C.aclrtSynchronizeStream(stream))

    first, second = pair(one, two, threads=threads)
    kinds = {*first.kinds, *second.kinds}
    assert "deadlock" in kinds and kinds <= {"deadlock", "dead-peer"}, (first, second)


def test_a_process_alone_has_the_deadlock_of_one_process() -> None:
    with one_run(), Simulator(threads="deterministic") as sim:
        must(C.aclrtSetDevice(0))
        side = Side(sim, None)
        ready, stream = must(C.aclrtCreateNotify(0)), side.stream()
        side.key("aclrtNotifyGetExportKey", ready, OPEN)
        must(C.aclrtWaitAndResetNotify(ready, stream, 0))
        with pytest.raises(SimulatedHang):
            C.aclrtSynchronizeStream(stream)
        assert side.kinds() == ["deadlock"]
