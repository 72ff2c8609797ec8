"""Executions are tasks: when they run, what they read and write, what they leave in the datasets."""

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.om import Body
from tests.unit.models.conftest import Models, batches, neg

MS = 1_000_000
TIME_LINE = 8


def test_execute_waits_and_computes(models: Models) -> None:
    x, y = models.memory([1, 2, 3, 4]), models.memory([0] * 4)
    number = models.load(neg())
    begin = models.sim.time_ns()
    assert C.aclmdlExecute(number, models.dataset((x, 16)), models.dataset((y, 16))) == 0
    assert models.floats(y, 4) == [-1, -2, -3, -4]
    assert models.sim.time_ns() - begin >= MS
    assert models.kinds() == []


def test_async_reads_when_it_runs_and_writes_at_its_end(models: Models) -> None:
    x, y, other = models.memory([1] * 4), models.memory([0] * 4), models.memory([7] * 4)
    number = models.load(neg())
    stream = models.must(C.aclrtCreateStream())
    models.sim.hold(stream)
    assert C.aclmdlExecuteAsync(number, models.dataset((x, 16)), models.dataset((y, 16)), stream) == 0
    models.must(C.aclrtMemcpyAsync(x, 16, other, 16, 3, stream))  # behind it: too late for the execution
    assert models.floats(y, 4) == [0] * 4
    models.sim.release(stream)
    models.must(C.aclrtSynchronizeStream(stream))
    assert models.floats(y, 4) == [-1] * 4
    assert models.floats(x, 4) == [7] * 4


def test_the_time_of_an_execution_is_the_stand_ins(models: Models) -> None:
    x, y = models.memory([1] * 4), models.memory([0] * 4)
    stream = models.must(C.aclrtCreateStream())
    begin, end = (models.must(C.aclrtCreateEventWithFlag(TIME_LINE)) for _ in range(2))
    number = models.load(neg(cost_ns=5 * MS))
    models.must(C.aclrtRecordEvent(begin, stream))
    models.must(C.aclmdlExecuteAsync(number, models.dataset((x, 16)), models.dataset((y, 16)), stream))
    models.must(C.aclrtRecordEvent(end, stream))
    models.must(C.aclrtSynchronizeStream(stream))
    assert models.must(C.aclrtEventElapsedTime(begin, end)) == pytest.approx(5, abs=0.1)


def test_an_unordered_copy_into_the_input_is_a_race(open_models: Callable[..., Models]) -> None:
    def run(ordered: bool) -> list[str]:
        models = open_models(threads="deterministic", checks="all")
        x, y, other = models.memory([1] * 4), models.memory([0] * 4), models.memory([7] * 4)
        number = models.load(neg())
        copying, running = (models.must(C.aclrtCreateStream()) for _ in range(2))
        models.must(C.aclrtMemcpyAsync(x, 16, other, 16, 3, copying))
        if ordered:
            event = models.must(C.aclrtCreateEvent())
            models.must(C.aclrtRecordEvent(event, copying))
            models.must(C.aclrtStreamWaitEvent(running, event))
        models.must(C.aclmdlExecuteAsync(number, models.dataset((x, 16)), models.dataset((y, 16)), running))
        models.must(C.aclrtSynchronizeDevice())
        return models.kinds()

    assert run(ordered=True) == []
    assert run(ordered=False) == ["race"]


def test_only_the_bytes_of_the_gear_are_touched(open_models: Callable[..., Models]) -> None:
    models = open_models(threads="deterministic", checks="all")
    x, y, other = models.memory([1] * 32), models.memory([0] * 32), models.memory([7] * 32)
    value = models.memory([0])
    number = models.load(batches(1, 2, 8))
    ins, outs = models.dataset((x, 128), (value, 4)), models.dataset((y, 128))
    models.must(C.aclmdlSetDynamicBatchSize(number, ins, 1, 2))
    copying, running = (models.must(C.aclrtCreateStream()) for _ in range(2))
    models.must(C.aclrtMemcpyAsync(x + 32, 96, other, 96, 3, copying))  # behind the two images
    models.must(C.aclmdlExecuteAsync(number, ins, outs, running))
    models.must(C.aclrtSynchronizeDevice())
    assert models.kinds() == []
    assert models.floats(y, 9) == [-1] * 8 + [0]


def test_setting_a_gear_while_the_model_runs_is_a_race(open_models: Callable[..., Models]) -> None:
    models = open_models(threads="deterministic", checks="all")
    x, y, value = models.memory([1] * 32), models.memory([0] * 32), models.memory([0])
    number = models.load(batches(1, 2, 8))
    ins, outs = models.dataset((x, 128), (value, 4)), models.dataset((y, 128))
    stream = models.must(C.aclrtCreateStream())
    models.must(C.aclmdlSetDynamicBatchSize(number, ins, 1, 2))
    models.must(C.aclmdlExecuteAsync(number, ins, outs, stream))
    models.must(C.aclmdlSetDynamicBatchSize(number, ins, 1, 8))
    models.must(C.aclrtSynchronizeStream(stream))
    assert "race" in models.kinds()


def test_memory_freed_before_the_model_runs_is_a_finding(models: Models) -> None:
    x, y = models.memory([1] * 4), models.memory([0] * 4)
    stream = models.must(C.aclrtCreateStream())
    number = models.load(neg())
    models.must(C.aclmdlExecuteAsync(number, models.dataset((x, 16)), models.dataset((y, 16)), stream))
    models.must(C.aclrtFree(x))
    C.aclrtSynchronizeStream(stream)
    assert "use-after-free" in models.kinds()


def test_work_memory_of_the_caller_is_used_by_every_execution(models: Models) -> None:
    x, y, work = models.memory([1] * 4), models.memory([0] * 4), models.memory([0] * 64)
    models.sim.models["m.om"] = neg(work_size=256)
    number = models.must(C.aclmdlLoadFromFileWithMem("m.om", work, 256, 0, 0))
    stream = models.must(C.aclrtCreateStream())
    models.must(C.aclmdlExecuteAsync(number, models.dataset((x, 16)), models.dataset((y, 16)), stream))
    models.must(C.aclrtFree(work))
    C.aclrtSynchronizeStream(stream)
    assert models.kinds() == ["use-after-free"]


def test_one_model_on_two_streams_at_once_is_a_race_for_its_work_memory(open_models: Callable[..., Models]) -> None:
    def run(ordered: bool) -> list[str]:
        models = open_models(threads="deterministic", checks="all")
        number = models.load(neg(work_size=4096, weight_size=4096))
        streams = [models.must(C.aclrtCreateStream()) for _ in range(2)]
        for stream in streams:
            x, y = models.memory([1] * 4), models.memory([0] * 4)
            if ordered and stream == streams[1]:
                event = models.must(C.aclrtCreateEvent())
                models.must(C.aclrtRecordEvent(event, streams[0]))
                models.must(C.aclrtStreamWaitEvent(stream, event))
            models.must(C.aclmdlExecuteAsync(number, models.dataset((x, 16)), models.dataset((y, 16)), stream))
        models.must(C.aclrtSynchronizeDevice())
        return models.kinds()

    assert run(ordered=True) == []
    assert run(ordered=False) == ["race"]


def test_weights_lie_in_the_memory_of_the_caller(open_models: Callable[..., Models]) -> None:
    models = open_models(checks="all")
    models.sim.models["m.om"] = neg(weight_size=256)
    weights = models.must(C.aclrtMalloc(256, 0))  # nobody but the load writes there
    number = models.must(C.aclmdlLoadFromFileWithMem("m.om", 0, 0, weights, 256))
    x, y = models.memory([1] * 4), models.memory([0] * 4)
    models.must(C.aclmdlExecute(number, models.dataset((x, 16)), models.dataset((y, 16))))
    assert models.kinds() == []
    models.must(C.aclrtFree(weights))
    C.aclmdlExecute(number, models.dataset((x, 16)), models.dataset((y, 16)))
    assert models.kinds() == ["out-of-bounds"]


def test_host_memory_is_no_input(models: Models) -> None:
    number = models.load(neg())
    host = ctypes.create_string_buffer(16)
    y = models.memory([0] * 4)
    code = C.aclmdlExecute(number, models.dataset((ctypes.addressof(host), 16)), models.dataset((y, 16)))
    assert code == 507015
    assert "out-of-bounds" in models.kinds()


def test_a_model_that_fails_gives_its_code_once(models: Models) -> None:
    models.sim.models.allow("math")
    number = models.load(neg(body=Body("python", "math:sin")))
    x, y = models.memory([1] * 4), models.memory([0] * 4)
    ins, outs = models.dataset((x, 16)), models.dataset((y, 16))
    assert C.aclmdlExecute(number, ins, outs) == 507011
    assert "math:sin raised TypeError" in C.aclGetRecentErrMsg()
    assert models.kinds() == ["task-fault"]


def test_a_wait_for_a_model_ends_by_the_limit(models: Models) -> None:
    number = models.load(neg(cost_ns=50 * MS))
    x, y = models.memory([1] * 4), models.memory([0] * 4)
    ins, outs = models.dataset((x, 16)), models.dataset((y, 16))
    config = C.aclmdlCreateExecConfigHandle()
    limit = ctypes.c_int32(10)
    models.must(C.aclmdlSetExecConfigOpt(config, C.ACL_MDL_STREAM_SYNC_TIMEOUT, ctypes.addressof(limit), 4))
    stream = models.must(C.aclrtCreateStream())
    assert C.aclmdlExecuteV2(number, ins, outs, stream, config) == 507046
    models.must(C.aclrtSynchronizeStream(stream))
    assert models.floats(y, 4) == [-1] * 4


def test_a_static_model_keeps_the_stream_of_execute_v2(models: Models) -> None:
    number = models.load(neg())
    x, y = models.memory([1] * 4), models.memory([0] * 4)
    ins, outs = models.dataset((x, 16)), models.dataset((y, 16))
    stream, config = models.must(C.aclrtCreateStream()), C.aclmdlCreateExecConfigHandle()
    models.must(C.aclmdlExecuteV2(number, ins, outs, stream, config))
    models.must(C.aclrtMemset(y, 16, 0, 16))
    models.must(C.aclmdlExecute(number, ins, outs))
    assert models.floats(y, 4) == [0] * 4  # queued only
    models.must(C.aclrtSynchronizeStream(stream))
    assert models.floats(y, 4) == [-1] * 4
    assert models.kinds()[0] == "hidden-error"


def test_unloading_awaits_nothing(models: Models) -> None:
    number = models.load(neg())
    x, y = models.memory([1] * 4), models.memory([0] * 4)
    stream = models.must(C.aclrtCreateStream())
    models.must(C.aclmdlExecuteAsync(number, models.dataset((x, 16)), models.dataset((y, 16)), stream))
    models.must(C.aclmdlUnload(number))
    assert models.kinds() == ["undefined-use"]
    models.must(C.aclrtSynchronizeStream(stream))
    assert C.aclmdlUnload(number) == 145003


def test_models_take_device_memory_until_they_are_unloaded(models: Models) -> None:
    free = models.sim.memory.memory_of(0)[0]
    number = models.load(neg(work_size=1 << 20, weight_size=1 << 20))
    assert free - models.sim.memory.memory_of(0)[0] >= 2 << 20
    models.must(C.aclmdlUnload(number))
    assert models.sim.memory.memory_of(0)[0] == free
    assert C.aclmdlLoadFromFile("no.om") == (None, 145002)
    models.sim.models["huge.om"] = neg(weight_size=1 << 47)
    assert C.aclmdlLoadFromFile("huge.om") == (None, 245000)


# -- dynamic models ----------------------------------------------------------------------------------------------------


def dynamic(**changes: Any) -> Any:
    return neg((-1,), ((1, 8),), **changes)


def test_dynamic_models_have_large_ids_and_replace_output_descriptors(models: Models) -> None:
    number = models.load(dynamic())
    assert number >= 1 << 31
    x, y = models.memory([1] * 8), models.memory([0] * 8)
    ins, outs = models.dataset((x, 32)), models.dataset((y, 32))
    models.shape(ins, 3)
    models.must(C.aclmdlExecute(number, ins, outs))
    assert models.floats(y, 4) == [-1, -1, -1, 0]
    first = C.aclmdlGetDatasetTensorDesc(outs, 0)
    assert C.aclGetTensorDescDim(first, 0) == 3
    models.shape(ins, 5)
    models.must(C.aclmdlExecute(number, ins, outs))
    second = C.aclmdlGetDatasetTensorDesc(outs, 0)
    assert second != first
    assert C.aclGetTensorDescDim(second, 0) == 5
    assert models.kinds() == []
    C.aclGetTensorDescDim(first, 0)  # it dangles
    assert models.kinds() == ["undefined-use"]


def test_static_models_refresh_output_descriptors_only_beside_input_descriptors(models: Models) -> None:
    number = models.load(neg())
    x, y = models.memory([1] * 4), models.memory([0] * 4)
    ins, outs = models.dataset((x, 16)), models.dataset((y, 16))
    models.must(C.aclmdlExecute(number, ins, outs))
    assert C.aclmdlGetDatasetTensorDesc(outs, 0) == 0
    models.shape(ins, 4)
    models.must(C.aclmdlExecute(number, ins, outs))
    made = C.aclmdlGetDatasetTensorDesc(outs, 0)
    models.must(C.aclmdlExecute(number, ins, outs))
    assert made == C.aclmdlGetDatasetTensorDesc(outs, 0) != 0


def test_a_dynamic_model_without_a_shape_says_what_to_do(models: Models) -> None:
    number = models.load(dynamic())
    x, y = models.memory([1] * 8), models.memory([0] * 8)
    assert C.aclmdlExecute(number, models.dataset((x, 32)), models.dataset((y, 32))) == 100000
    assert "aclmdlSetDatasetTensorDesc" in C.aclGetRecentErrMsg()


def test_null_outputs_of_dynamic_models_get_memory_of_the_real_size(models: Models) -> None:
    number = models.load(dynamic())
    ins, outs = models.dataset((models.memory([1] * 8), 32)), models.dataset((0, 0))
    models.shape(ins, 3)
    models.must(C.aclmdlExecute(number, ins, outs))
    buffer = C.aclmdlGetDatasetBuffer(outs, 0)
    assert C.aclGetDataBufferSizeV2(buffer) == 12
    assert models.floats(C.aclGetDataBufferAddr(buffer), 3) == [-1] * 3
    models.must(C.aclrtFree(C.aclGetDataBufferAddr(buffer)))


class Allocator:
    """An allocator of the program's, which counts."""

    def __init__(self, models: Models, stream: int) -> None:
        self.models = models
        self.log: list[str] = []
        desc = C.aclrtAllocatorCreateDesc()
        models.must(C.aclrtAllocatorSetObjToDesc(desc, self))
        models.must(C.aclrtAllocatorSetAllocFuncToDesc(desc, self.alloc))
        models.must(C.aclrtAllocatorSetFreeFuncToDesc(desc, self.free))
        models.must(C.aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, self.address))
        models.must(C.aclrtAllocatorRegister(stream, desc))

    def alloc(self, obj: Any, size: int) -> int:
        self.log.append(f"alloc {size}")
        return int(self.models.must(C.aclrtMalloc(size, 0)))

    def free(self, obj: Any, block: int) -> None:
        self.log.append("free")

    def address(self, block: int) -> int:
        return block


def test_only_async_executions_of_dynamic_models_ask_the_allocator(models: Models) -> None:
    x, y = models.memory([1] * 8), models.memory([0] * 8)
    ins, outs = models.dataset((x, 32)), models.dataset((y, 32))
    models.shape(ins, 4)
    stream = models.must(C.aclrtCreateStream())
    allocator = Allocator(models, stream)
    free, fixed = models.load(dynamic(work_size=256)), models.load(neg((8,), work_size=256))
    config = C.aclmdlCreateExecConfigHandle()
    models.must(C.aclmdlExecute(free, ins, outs))
    models.must(C.aclmdlExecuteV2(free, ins, outs, stream, config))
    models.must(C.aclmdlExecuteAsync(fixed, ins, outs, stream))
    models.must(C.aclmdlExecuteAsync(free, ins, outs, 0))
    models.must(C.aclrtSynchronizeDevice())
    assert allocator.log == []
    models.must(C.aclmdlExecuteAsync(free, ins, outs, stream))
    assert allocator.log == ["alloc 256", "free"]  # given back before it has run
    models.must(C.aclrtSynchronizeStream(stream))
    models.must(C.aclrtAllocatorUnregister(stream))
    models.must(C.aclmdlExecuteAsync(free, ins, outs, stream))
    assert len(allocator.log) == 2
