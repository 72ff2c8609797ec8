"""Faults on purpose: which call or task is hit, with which code, what is left alone, and that it is logged."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.observers.fault_plans import SYNTAX, FaultPlan, parse_faults
from ascend_sim.pyacl import modules
from tests.kit.forks import HANG

D2H, D2D = 2, 3


@kernel
def ones(b: Block, z: gm.Out[np.uint8], n: np.uint32) -> None:
    """z = 1."""
    s = b.slice(n)
    z[s] = np.ones(s.stop - s.start, np.uint8)


@kernel
def twos(b: Block, z: gm.Out[np.uint8], n: np.uint32) -> None:
    """z = 2."""
    s = b.slice(n)
    z[s] = np.full(s.stop - s.start, 2, np.uint8)


def stream_of(sim: Simulator) -> int:
    assert C.aclrtSetDevice(0) == 0
    stream, code = C.aclrtCreateStream()
    assert code == 0
    return int(stream)


def buffer(value: int = 0, size: int = 64) -> int:
    address, code = C.aclrtMalloc(size, 0)
    assert code == 0
    C.aclrtMemset(address, size, value, size)
    return int(address)


def content(address: int, size: int = 64) -> list[int]:
    out = np.zeros(size, np.uint8)
    assert C.aclrtMemcpy(out.ctypes.data, size, address, size, D2H) == 0
    return sorted(set(out.tolist()))


CALLS = [
    ("aclrtCreateStream:2=207008", [0, 207008, 0, 0, 0, 0]),
    ("aclrtCreateStream:2-3=ACL_ERROR_RT_STREAM_NO_CB_REG", [0, 107015, 107015, 0, 0, 0]),
    ("aclrtCreateStream:5+", [0, 0, 0, 0, 507899, 507899]),
    ("aclrtCreateS*", [507899] * 6),
    ("acl.rt.create_stream:1=207001", [207001, 0, 0, 0, 0, 0]),
    ("aclrtCreateStream:1=207001,aclrt*Stream:3=507899", [207001, 0, 507899, 0, 0, 0]),
]


@pytest.mark.parametrize(("plan", "codes"), CALLS)
def test_the_nth_call_fails(plan: str, codes: list[int]) -> None:
    with Simulator(faults=plan) as sim:
        C.aclrtSetDevice(0)
        results = [C.aclrtCreateStream() for _ in range(6)]
        assert [code for _, code in results] == codes
        assert [bool(handle) for handle, _ in results] == [code == 0 for code in codes]
        assert sim.injected is not None
        assert len(sim.injected.log) == sum(map(bool, codes))


def test_a_failed_call_did_nothing_and_says_why() -> None:
    with Simulator(faults="aclrtMalloc:2=207001") as sim:
        stream_of(sim)
        C.aclrtMalloc(64, 0)
        free, _, _ = C.aclrtGetMemInfo(1)
        assert C.aclrtMalloc(1 << 20, 0) == (0, 207001)
        assert C.aclrtPeekAtLastError(0) == 207001
        assert "injected by the plan aclrtMalloc:2=207001" in C.aclGetRecentErrMsg()
        assert C.aclrtGetMemInfo(1)[0] == free
        (finding,) = sim.findings
        assert (finding.kind, finding.severity, finding.code) == ("injected-fault", "note", ("aclrtMalloc", 207001))
        assert finding.sites[0].frames[0].function == "test_a_failed_call_did_nothing_and_says_why"


def test_without_a_code_allocations_are_out_of_memory() -> None:
    with Simulator(faults="aclrtMalloc*:1,aclrtCreateEvent:1") as sim:
        stream_of(sim)
        assert C.aclrtMallocHost(64) == (0, 207001)
        assert C.aclrtCreateEvent() == (0, 507899)


def test_without_a_code_pools_fail_with_the_only_one_they_have() -> None:
    with Simulator(faults="aclrtMemPoolMallocAsync:2") as sim:
        stream = stream_of(sim)
        pool = C.aclrtMemPoolCreate(C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1)))[0]
        assert [C.aclrtMemPoolMallocAsync(64, pool, stream)[1] for _ in range(3)] == [0, 507000, 0]


def test_both_faces_count_as_one() -> None:
    with Simulator(faults="aclrtCreateStream:3") as sim:
        C.aclrtSetDevice(0)
        rt = modules()["acl.rt"]
        codes = [rt.create_stream()[1], C.aclrtCreateStream()[1], rt.create_stream()[1]]
        assert codes == [0, 0, 507899]
        assert sim.injected is not None


def test_chances_come_from_the_seed() -> None:
    def run(seed: int) -> list[int]:
        with Simulator(seed=seed, faults="aclrtCreateEvent:25%") as sim:
            stream_of(sim)
            return [C.aclrtCreateEvent()[1] for _ in range(200)]

    first = run(1)
    assert run(1) == first
    assert run(2) != first
    assert 25 <= sum(map(bool, first)) <= 75


def test_memory_is_short_from_so_many_bytes_on() -> None:
    with Simulator(devices=2, faults="memory:1MiB") as sim:
        stream_of(sim)
        assert C.aclrtMalloc(2 << 20, 0) == (0, 207001)
        half, code = C.aclrtMalloc(600 << 10, 0)
        assert code == 0
        assert C.aclrtMalloc(600 << 10, 0)[1] == 207001
        C.aclrtSetDevice(1)
        assert C.aclrtMalloc(600 << 10, 0)[1] == 0  # counted by device
        C.aclrtSetDevice(0)
        C.aclrtFree(half)
        assert C.aclrtMalloc(600 << 10, 0)[1] == 0
        assert sim.injected is not None
        assert len(sim.injected.log) == 2


def test_a_kernel_faults() -> None:
    with Simulator(faults="kernel(ones):2,kernel:4=507014", checks="all") as sim:
        stream = stream_of(sim)
        z = buffer()
        codes = []
        for made in (twos, ones, ones, ones, twos):
            made[2, stream](z, 64)
            codes.append(C.aclrtSynchronizeStream(stream))
        assert codes == [0, 0, 507035, 507014, 0]
        assert content(z) == [2]
        assert {f.severity for f in sim.findings} == {"note"}


def test_a_failed_kernel_has_no_effects_and_its_launch_ends() -> None:
    with Simulator(faults="kernel") as sim:
        stream = stream_of(sim)
        z = buffer(7)
        ones[2, stream](z, 64)
        second, _ = C.aclrtCreateStream()
        event, _ = C.aclrtCreateEvent()
        C.aclrtRecordEvent(event, stream)
        C.aclrtStreamWaitEvent(second, event)
        assert C.aclrtSynchronizeStream(second) == 0
        assert C.aclrtSynchronizeStream(stream) == 507035
        assert content(z) == [7]
        assert sim.injected is not None


def test_exception_callbacks_hear_of_it() -> None:
    heard: list[Any] = []
    with Simulator(faults="kernel:1=507015") as sim:
        stream = stream_of(sim)
        z = buffer()
        C.aclrtSetExceptionInfoCallback(
            lambda info: heard.append(
                (C.aclrtGetErrorCodeFromExceptionInfo(info), C.aclrtGetArgsFromExceptionInfo(info)[2])
            )
        )
        ones[2, stream](z, 64)
        assert C.aclrtSynchronizeStream(stream) == 507015
        C.aclrtSetExceptionInfoCallback(None)
        assert heard == [(507015, 0)]
        assert sim.injected is not None


def test_copies_fail_or_take_longer() -> None:
    with Simulator(faults="copy:2=5ms,copy:3=x10,copy:4,copy:5=507013") as sim:
        stream = stream_of(sim)
        source, target = buffer(3), buffer()
        spent, codes = [], []
        for _ in range(5):
            begin = sim.time_ns()
            C.aclrtMemcpyAsync(target, 64, source, 64, D2D, stream)
            codes.append(C.aclrtSynchronizeStream(stream))
            spent.append(sim.time_ns() - begin)
        assert codes == [0, 0, 0, 507052, 507013]
        usual = spent[0]
        assert spent[1] == usual + 5_000_000
        assert usual < spent[2] <= 10 * usual
        assert spent[3:] == [usual, usual]


def test_copies_at_once_count_as_well() -> None:
    with Simulator(faults="copy:2=507052,copy:3=1s") as sim:
        stream = stream_of(sim)
        source, target = buffer(3), buffer(1)
        C.aclrtMemcpyAsync(target, 64, source, 64, D2D, stream)
        C.aclrtSynchronizeStream(stream)
        C.aclrtMemset(target, 64, 1, 64)
        assert C.aclrtMemcpy(target, 64, source, 64, D2D) == 507052
        begin = sim.time_ns()
        assert content(target) == [1]
        assert sim.time_ns() - begin > 1_000_000_000


@pytest.mark.parametrize("schedule", ["virtual-time", "late", "early", "random(3)"])
def test_the_same_calls_and_tasks_are_hit_under_each_schedule(schedule: str) -> None:
    with Simulator(schedule=schedule, faults="copy:2,set:1=507001,aclrtRecordEvent:2") as sim:
        first, second = stream_of(sim), C.aclrtCreateStream()[0]
        source, target = buffer(3), buffer()
        event, _ = C.aclrtCreateEvent()
        C.aclrtMemcpyAsync(target, 64, source, 64, D2D, first)
        C.aclrtMemcpyAsync(target, 64, source, 64, D2D, second)
        codes = [C.aclrtRecordEvent(event, first), C.aclrtRecordEvent(event, second)]
        third, _ = C.aclrtCreateStream()
        C.aclrtMemsetAsync(target, 64, 0, 64, third)
        codes += [C.aclrtSynchronizeStream(stream) for stream in (first, second, third)]
        assert codes == [0, 507899, 0, 507052, 507001]


def test_a_device_is_lost_at_a_call() -> None:
    with Simulator(devices=2, faults="device(0):6") as sim:
        stream = stream_of(sim)  # 1: creating the stream; setting a device needs none
        address = buffer()  # 2, 3
        for _ in range(2):  # 4, 5
            C.aclrtMemsetAsync(address, 64, 1, 64, stream)
        assert C.aclrtSynchronizeStream(stream) == 507010
        assert C.aclrtMemset(address, 64, 0, 64) == 507010
        assert C.aclrtCreateStream() == (0, 507010)
        assert C.aclrtFree(address) == 0
        assert C.aclrtDestroyStream(stream) == 0
        C.aclrtSetDevice(1)
        assert C.aclrtCreateStream()[1] == 0
        assert sim.injected is not None
        assert sim.injected.lost == {0: 507010}


@pytest.mark.parametrize("threads", ["free", "deterministic"])
def test_a_device_is_lost_at_a_time_while_threads_wait(threads: str) -> None:
    with Simulator(devices=2, threads=threads, faults="device(0):2ms=507901") as sim:
        first = stream_of(sim)
        flag, _ = C.aclrtCreateEventWithFlag(1)
        C.aclrtStreamWaitEvent(first, flag)
        codes: list[int] = []

        def wait() -> None:
            C.aclrtSetDevice(0)
            codes.append(C.aclrtSynchronizeStream(first))

        thread = threading.Thread(target=wait, daemon=True)
        if threads == "free":
            thread.start()
            thread.join(HANG)
        else:
            wait()
        assert codes == [507901]
        assert sim.time_ns() >= 0
        assert sim.injected is not None
        assert sim.injected.log == ["[2000.000 us] device 0 is lost as planned (device(0):2ms=507901)"]
        assert not [f for f in sim.findings if f.kind == "deadlock"]


def test_plans_can_be_added_and_count_from_then_on() -> None:
    with Simulator(checks="none") as sim:
        stream_of(sim)
        assert not sim.watched
        C.aclrtCreateEvent()
        faults = sim.inject("aclrtCreateEvent:1")
        assert C.aclrtCreateEvent()[1] == 507899
        assert sim.inject([FaultPlan("mine", "call", "aclrtCreateEvent", 2, 2, code=207007)]) is faults
        assert [C.aclrtCreateEvent()[1] for _ in range(3)] == [0, 207007, 0]
        assert "mine" in faults.log[-1]


WRONG = [
    ("aclrtMaloc:1", "did you mean aclrtMalloc"),
    ("acl.rt.maloc", "pyACL has no function acl.rt.maloc"),
    ("kernel:0", "WHEN is '0'"),
    ("aclrtMalloc:often", "3, 3\\+, 3-5 or 10% is required"),
    ("aclrtMalloc=12345", "is no code of a failure"),
    ("aclrtMalloc=0", "is no code of a failure"),
    ("memory:lots", "memory:64MiB is required"),
    ("device:1", "device\\(0\\) is required"),
    ("device(4)", "there are 1 devices"),
    ("aclrtMalloc(x)", "takes no name in brackets"),
    ("kernel:1=5ms", "only copies can be made slower"),
    ("a b", "is no fault plan"),
]


@pytest.mark.parametrize(("plan", "said"), WRONG)
def test_a_wrong_plan_is_told(plan: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Simulator(faults=plan)


def test_every_example_of_the_help_is_a_plan() -> None:
    shown = [line.split()[0] for line in SYNTAX.split("\n")[1:-1] if line.startswith("  ") and line[2] != " "]
    assert len(shown) == 7
    assert len(parse_faults(shown)) == 7
    assert [p.name for p in parse_faults("kernel(a,b):1, copy")] == ["kernel a,b", "copy"]


# -- executions of graphs -------------------------------------------------------------------------------------------


def graph_of(stream: int, address: int, other: int) -> int:
    """Two kernels and a copy, captured."""
    assert C.aclmdlRICaptureBegin(stream, 2) == 0
    ones[1, stream](address, 64)
    twos[1, stream](address, 64)
    assert C.aclrtMemcpyAsync(other, 64, address, 64, D2D, stream) == 0
    model, code = C.aclmdlRICaptureEnd(stream)
    assert code == 0
    return int(model)


@pytest.mark.parametrize(
    ("plan", "codes", "held"),
    [
        ("kernel:2=507015", [507015, 0, 0], [1]),  # the second kernel of the first execution
        ("kernel:4=507015", [0, 507015, 0], [2]),
        ("kernel(twos):2", [0, 507035, 0], [2]),
        ("copy:3=507052", [0, 0, 507052], [2]),
        ("kernel(nobody)", [0, 0, 0], [2]),
    ],
)
def test_tasks_of_a_graph_fail_with_the_execution_that_is_meant(plan: str, codes: list[int], held: list[int]) -> None:
    with Simulator(faults=plan, checks="none") as sim:
        stream = stream_of(sim)
        a, b = buffer(), buffer()
        model = graph_of(stream, a, b)
        assert sim.injected.log == []  # a capture runs nothing
        found = []
        for code in codes:
            assert C.aclmdlRIExecuteAsync(model, stream) == 0
            found.append(C.aclrtSynchronizeStream(stream))
            if code:
                break
        assert found == codes[: len(found)]
        assert len(sim.injected.log) == (1 if any(codes) else 0)
        for finding in sim.findings:
            if finding.kind == "injected-fault":
                assert [site.role for site in finding.sites] == ["access", "submit"]


def test_a_slow_copy_in_a_graph_makes_its_execution_longer() -> None:
    spans = []
    for plan in (None, "copy:2=5ms"):
        with Simulator(faults=plan, checks="none") as sim:
            stream = stream_of(sim)
            model = graph_of(stream, buffer(), buffer())
            for _ in range(2):
                began = sim.time_ns()
                assert C.aclmdlRIExecuteAsync(model, stream) == 0
                assert C.aclrtSynchronizeStream(stream) == 0
                spans.append(sim.time_ns() - began)
    assert spans[3] - spans[1] == 5_000_000 and spans[2] == spans[0]


def test_what_a_failed_execution_holds_comes_after_it_again() -> None:
    with Simulator(faults="kernel(twos):1=507015", checks="none") as sim:
        stream = stream_of(sim)
        a, b = buffer(), buffer()
        model = graph_of(stream, a, b)
        assert C.aclmdlRIExecuteAsync(model, stream) == 0
        assert C.aclrtSynchronizeStream(stream) == 507015
        assert content(a) == [1] and content(b) == [0]
        assert C.aclmdlRIExecuteAsync(model, stream) == 0
        assert C.aclrtSynchronizeStream(stream) == 0
        assert content(a) == [2] and content(b) == [2]


def test_tasks_of_hand_built_models_count_as_they_are_reached() -> None:
    with Simulator(faults="set:2=507015", checks="none") as sim:
        stream = stream_of(sim)
        bound, code = C.aclrtCreateStreamWithConfig(0, C.ACL_STREAM_PERSISTENT)
        assert code == 0
        a = buffer()
        model, code = C.aclmdlRIBuildBegin(0)
        assert code == 0
        assert C.aclmdlRIBindStream(model, bound, 0) == 0
        assert C.aclrtMemsetAsync(a, 64, 5, 64, bound) == 0
        assert C.aclmdlRIEndTask(model, bound) == 0
        assert C.aclmdlRIBuildEnd(model, None) == 0
        assert C.aclmdlRIExecuteAsync(model, stream) == 0
        assert C.aclrtSynchronizeStream(stream) == 0
        assert C.aclmdlRIExecuteAsync(model, stream) == 0
        assert C.aclrtSynchronizeStream(stream) == 507015
