"""Compiled operators: availability, matching, execution as tasks, formats, half precision, casts, CBLAS."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_sim import Observer
from ascend_sim import ascendcl as C
from ascend_sim.om import TensorDescription, write
from ascend_sim.ops.op_files import describe_op
from ascend_sim.ops.operator import op, same
from ascend_sim.simulator import Simulator
from tests.unit.ops.conftest import Device

A = np.arange(12, dtype=np.float32).reshape(3, 4)


def test_strict_operators_must_be_compiled(device: Device) -> None:
    arguments, (there,) = device.arguments("Neg", [A], [A])
    assert C.aclopExecuteV2(*arguments) == 100024
    assert "aclopSetModelDir" in C.aclGetRecentErrMsg()
    n, ins, m, outs = arguments[1], arguments[2], arguments[4], arguments[5]
    device.must(C.aclopCompile("Neg", n, ins, m, outs, 0, 0, 0, None))
    device.must(C.aclopExecuteV2(*arguments))
    device.must(C.aclrtSynchronizeDevice())
    assert np.array_equal(device.get(there, A), -A)


def test_open_mode_has_all_registered_operators(device: Device) -> None:
    device.sim.ops.open = True
    (total,) = device.run("Add", [A, A], [A])
    assert np.array_equal(total, 2 * A)
    arguments, _ = device.arguments("NoSuchOperator", [A], [A])
    assert C.aclopExecuteV2(*arguments) == 100024


def test_integers_are_divided_towards_zero(device: Device) -> None:
    device.sim.ops.open = True
    x, y = np.array([7, -7, 7, -7], np.int32), np.array([2, 2, -2, -2], np.int32)
    (quotient,) = device.run("RealDiv", [x, y], [x])
    assert quotient.tolist() == [3, -3, -3, 3]


def test_open_mode_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_SIM_OPS", "open")
    with Simulator() as sim:
        assert sim.ops.open


def test_attributes_are_part_of_the_match(device: Device) -> None:
    b = np.ones((3, 4), np.float32)
    like = np.zeros((3, 3), np.float32)
    arguments, _ = device.arguments("MatMul", [A, b], [like], device.attributes(transpose_x2=True))
    n, ins, m, outs, attr = arguments[1], arguments[2], arguments[4], arguments[5], arguments[7]
    device.must(C.aclopCompile("MatMul", n, ins, m, outs, attr, 0, 0, None))
    device.must(C.aclopExecuteV2(*arguments))
    assert C.aclopExecuteV2(*arguments[:7], 0, 0) == 100024
    assert C.aclopExecuteV2(*arguments[:7], device.attributes(transpose_x2=1), 0) == 100024  # an int is no bool


def test_names_do_not_count(device: Device) -> None:
    arguments, _ = device.arguments("Neg", [A], [A])
    device.must(C.aclopCompile("Neg", 1, arguments[2], 1, arguments[5], 0, 0, 0, None))
    C.aclSetTensorDescName(arguments[2][0], "x")
    device.must(C.aclopExecuteV2(*arguments))


def test_a_dynamic_operator_takes_what_its_ranges_allow(device: Device) -> None:
    unknown = [int(C.aclCreateTensorDesc(0, 2, [-1, 4], 2)) for _ in range(2)]
    for desc in unknown:
        device.must(C.aclSetTensorShapeRange(desc, 2, [[1, 5], [4, 4]]))
    device.must(C.aclopCompile("Neg", 1, unknown[:1], 1, unknown[1:], 0, 0, 0, None))
    (result,) = device.run("Neg", [A], [A])
    assert np.array_equal(result, -A)
    large = np.zeros((6, 4), np.float32)
    assert C.aclopExecuteV2(*device.arguments("Neg", [large], [large])[0]) == 100024


def test_compiled_operators_age_but_loaded_ones_stay(device: Device) -> None:
    device.must(C.aclopSetMaxOpQueueNum(2))
    for size in range(1, 5):
        values = np.zeros(size, np.float32)
        arguments, _ = device.arguments("Neg", [values], [values])
        device.must(C.aclopCompile("Neg", 1, arguments[2], 1, arguments[5], 0, 0, 0, None))
    models = device.sim.ops.single.models
    assert [model.inputs[0].dims for model in models.static] == [[3], [4]]


def test_a_task_reads_when_it_runs_and_writes_when_it_ends(device: Device) -> None:
    device.sim.ops.open = True
    stream = device.must(C.aclrtCreateStream())
    arguments, (there,) = device.arguments("Neg", [A], [np.zeros_like(A)], stream=stream)
    device.sim.hold(stream)
    device.must(C.aclopExecuteV2(*arguments))
    assert not device.get(there, A).any()
    changed = np.full_like(A, 7)
    device.must(C.aclrtMemcpy(C.aclGetDataBufferAddr(arguments[3][0]), A.nbytes, changed, A.nbytes, 1))
    device.sim.release(stream)
    device.must(C.aclrtSynchronizeStream(stream))
    assert np.array_equal(device.get(there, A), -changed)


def test_the_exact_bytes_are_told(device: Device) -> None:
    device.sim.ops.open = True
    seen: list[tuple[int, int, int, bool]] = []

    class Accesses(Observer):
        def accessed(self, who: Any, block: Any, lo: int, hi: int, write: bool) -> None:
            if hasattr(who, "op"):
                seen.append((block.address, lo, hi, write))

    large = device.put(np.zeros(1000, np.float32))
    x = C.aclCreateDataBuffer(large + 400, A.nbytes)
    arguments, (there,) = device.arguments("Neg", [A], [A])
    device.sim.attach(Accesses())
    device.must(C.aclopExecuteV2(*arguments[:3], [x], *arguments[4:]))
    device.must(C.aclrtSynchronizeDevice())
    assert seen == [(large, 400, 400 + A.nbytes, False), (there, 0, A.nbytes, True)]


def test_time_grows_with_the_bytes(device: Device) -> None:
    device.sim.ops.open = True
    took = []
    for size in (1 << 10, 1 << 24):
        values = np.zeros(size, np.uint8)
        arguments, _ = device.arguments("Neg", [values], [values])
        begin = device.sim.time_ns()
        device.must(C.aclopExecuteV2(*arguments))
        device.must(C.aclrtSynchronizeDevice())
        took.append(device.sim.time_ns() - begin)
    assert took[0] < took[1] - 30_000


def test_memory_that_is_freed_before_it_runs(device: Device) -> None:
    device.sim.ops.open = True
    arguments, _ = device.arguments("Neg", [A], [A])
    device.must(C.aclopExecuteV2(*arguments))
    device.must(C.aclrtFree(C.aclGetDataBufferAddr(arguments[3][0])))
    device.must(C.aclrtSynchronizeDevice())
    assert device.kinds() == ["use-after-free"]


def test_addresses_that_are_no_device_memory_fault_on_the_device(device: Device) -> None:
    device.sim.ops.open = True
    arguments, _ = device.arguments("Neg", [A], [A])
    host = np.zeros_like(A)
    buffer = C.aclCreateDataBuffer(host.ctypes.data, host.nbytes)
    device.must(C.aclopExecuteV2(*arguments[:3], [buffer], *arguments[4:]))
    assert C.aclrtSynchronizeDevice() == 507035
    assert device.kinds() == ["out-of-bounds"]


def test_a_placement_on_the_host_is_read_at_the_call(device: Device) -> None:
    device.sim.ops.open = True
    arguments, (there,) = device.arguments("Neg", [A], [A])
    host = A.copy()
    device.must(C.aclSetTensorPlaceMent(arguments[2][0], 1))
    buffer = C.aclCreateDataBuffer(host.ctypes.data, host.nbytes)
    device.must(C.aclopExecuteV2(*arguments[:3], [buffer], *arguments[4:]))
    host[:] = 0
    device.must(C.aclrtSynchronizeDevice())
    assert np.array_equal(device.get(there, A), -A)


def test_wrong_output_shapes_are_refused_by_the_compiler_and_at_run_time(device: Device) -> None:
    wrong = np.zeros((2, 2), np.float32)
    arguments, _ = device.arguments("Neg", [A], [wrong])
    assert C.aclopCompile("Neg", 1, arguments[2], 1, arguments[5], 0, 0, 0, None) == 500002
    device.sim.ops.open = True
    shape = np.array([2, 5], np.int64)  # the values are in device memory: only the task can see them
    arguments, _ = device.arguments("Reshape", [A, shape], [np.zeros((3, 4), np.float32)])
    device.must(C.aclopExecuteV2(*arguments))
    assert C.aclrtSynchronizeDevice() == 507035
    assert device.kinds() == ["task-fault"]


@pytest.mark.parametrize("format_", [3, 4, 29])
def test_internal_formats_are_refused(device: Device, format_: int) -> None:
    device.sim.ops.open = True
    arguments, _ = device.arguments("Neg", [A], [A])
    device.must(C.aclSetTensorOriginFormat(arguments[2][0], format_))
    assert C.aclopExecuteV2(*arguments) == 100024
    assert device.kinds() == ["not-modelled"]


def dims(desc: int, rank: int) -> list[int]:
    return [C.aclGetTensorDescDimV2(desc, i)[0] for i in range(rank)]


@pytest.mark.parametrize("compiled", [False, True])
def test_outputs_whose_length_the_values_decide(device: Device, compiled: bool) -> None:
    x = np.array([[0, 3, 0], [4, 0, 5]], np.int32)
    most = np.zeros((6, 2), np.int64)
    stream = device.must(C.aclrtCreateStream())
    device.sim.ops.open = not compiled

    def call(function: Any, plain: tuple[Any, ...]) -> int:
        more = (0, 0, None) if "Compile" in function.__name__ else ()
        return int(function(*plain[:8], *more, plain[8]))

    first, second = (
        (C.aclopCompileAndExecute, C.aclopCompileAndExecuteV2) if compiled else (C.aclopExecute, C.aclopExecuteV2)
    )  # fmt: skip
    for function in (first, second):
        arguments, (there,) = device.arguments("NonZero", [x], [most], stream=stream)
        device.must(call(function, arguments))
        waited = device.queued(stream) == 0
        assert waited == (function is second)
        assert dims(arguments[5][0], 2) == ([3, 2] if function is second else [6, 2])
        device.must(C.aclrtSynchronizeStream(stream))
        assert device.get(there, most).tolist() == [[0, 1], [1, 0], [1, 2], [0, 0], [0, 0], [0, 0]]
    exact, (there,) = device.arguments("NonZero", [x], [most[:3]], stream=stream)
    device.must(call(second, exact))
    assert device.get(there, most[:3]).tolist() == [[0, 1], [1, 0], [1, 2]]
    short, _ = device.arguments("NonZero", [x], [most[:2]], stream=stream)
    assert call(second, short) != 0
    assert dims(short[5][0], 2) == [2, 2]
    assert device.kinds() == ["task-fault"]


@pytest.mark.parametrize("format_", [3, 4, 29])
def test_storage_of_an_internal_format_has_values_in_plain_order(device: Device, format_: int) -> None:
    device.sim.ops.open = True
    arguments, outputs = device.arguments("Neg", [A], [A])
    device.must(C.aclSetTensorFormat(arguments[2][0], format_))
    device.must(C.aclopExecuteV2(*arguments))
    device.must(C.aclrtSynchronizeDevice())
    assert device.get(outputs[0], A).tolist() == (-A).tolist()
    assert device.kinds() == []


def test_half_precision_is_rounded_once(device: Device) -> None:
    device.sim.ops.open = True
    x = np.full((1, 4096), 0.1, np.float16)
    ones = np.ones((4096, 1), np.float16)
    (half,) = device.run("MatMul", [x, ones], [np.zeros((1, 1), np.float16)])
    exact = np.matmul(x.astype(np.float32), ones.astype(np.float32))
    assert half == exact.astype(np.float16)
    (wide,) = device.run("MatMul", [x, ones], [np.zeros((1, 1), np.float32)])
    assert wide == exact  # never rounded to half on the way


def test_bfloat16(device: Device) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    device.sim.ops.open = True
    x = np.array([1.0, 2.5, -3.0], np.float32).astype(ml_dtypes.bfloat16)
    (result,) = device.run("Add", [x, x], [x])
    assert np.array_equal(result.astype(np.float32), 2 * x.astype(np.float32))


def test_an_operator_of_the_program(device: Device) -> None:
    @op("AddCustom", inputs=2)
    def add_custom(attributes: Any, x: Any, y: Any) -> Any:
        return x + y * attributes.get("weight", 1)

    device.sim.ops.register(add_custom)
    device.sim.ops.open = True
    (result,) = device.run("AddCustom", [A, A], [A], weight=3)
    assert np.array_equal(result, 4 * A)
    assert Simulator().ops.get("AddCustom") is None


# -- casts, CBLAS, shapes ----------------------------------------------------------------------------------------------


def test_cast(device: Device) -> None:
    device.sim.ops.open = True
    x = np.array([1.9, -1.9, np.nan, 1e20], np.float32)
    arguments, (there,) = device.arguments("Cast", [x], [np.zeros(4, np.int32)])
    device.must(C.aclopCast(arguments[2][0], arguments[3][0], arguments[5][0], arguments[6][0], 0, 0))
    device.must(C.aclrtSynchronizeDevice())
    assert device.get(there, np.zeros(4, np.int32)).tolist() == [1, -1, 0, 2147483647]
    handle = device.must(C.aclopCreateHandleForCast(arguments[2][0], arguments[5][0], 0))
    device.must(C.aclopExecWithHandle(handle, 1, arguments[3], 1, arguments[6], 0))


@pytest.mark.parametrize("turn_a", [0, 1])
@pytest.mark.parametrize("turn_b", [0, 1])
def test_gemm_ex(device: Device, turn_a: int, turn_b: int) -> None:
    device.sim.ops.open = True
    random = np.random.default_rng(1)
    a, b, c = (random.integers(-4, 5, shape).astype(np.float32) for shape in ((2, 3), (3, 4), (2, 4)))
    there = device.put(c)
    scalars = [device.put(np.array([value], np.float32)) for value in (2, 3)]
    device.must(
        C.aclblasGemmEx(
            turn_a, turn_b, 0, 2, 4, 3, scalars[0], device.put(a.T if turn_a else a), -1, 0,
            device.put(b.T if turn_b else b), -1, 0, scalars[1], there, -1, 0, 0, 0,
        )
    )  # fmt: skip
    device.must(C.aclrtSynchronizeDevice())
    assert np.array_equal(device.get(there, c), 2 * a @ b + 3 * c)


def test_typed_products(device: Device) -> None:
    device.sim.ops.open = True
    a, x = np.array([[100, 100], [1, 2]], np.int8), np.array([100, 1], np.int8)
    y = np.array([5, 6], np.int32)
    one, there = device.put(np.array([1], np.int32)), device.put(y)
    device.must(C.aclblasS8gemv(0, 2, 2, one, device.put(a), -1, device.put(x), -1, one, there, -1, 0, 0))
    device.must(C.aclrtSynchronizeDevice())
    assert device.get(there, y).tolist() == [10105, 108]
    half = np.eye(2, dtype=np.float16)
    one, there = device.put(np.array([1], np.float16)), device.put(half)
    device.must(C.aclblasHgemm(0, 0, 0, 2, 2, 2, one, device.put(half), -1, device.put(half), -1, one, there, -1, 0, 0))
    device.must(C.aclrtSynchronizeDevice())
    assert np.array_equal(device.get(there, half), 2 * half)


def test_infer_shape(device: Device) -> None:
    a, b = (C.aclCreateTensorDesc(0, 2, list(dims), 2) for dims in ((2, 3), (3, 5)))
    out = C.aclCreateTensorDesc(-1, 0, None, 2)
    host = np.zeros(100, np.float32)
    buffers = [C.aclCreateDataBuffer(host.ctypes.data, size) for size in (24, 60)]
    device.must(C.aclopInferShape("MatMul", 2, [a, b], buffers, 1, [out], 0))
    assert (C.aclGetTensorDescType(out), C.aclGetTensorDescNumDims(out)) == (0, 2)
    assert [C.aclGetTensorDescDim(out, i) for i in range(2)] == [2, 5]


def test_infer_shape_reads_values(device: Device) -> None:
    x, dims = C.aclCreateTensorDesc(0, 2, [4, 6], 2), C.aclCreateTensorDesc(9, 1, [2], 2)
    out = C.aclCreateTensorDesc(-1, 0, None, 2)
    values, data = np.array([3, 8], np.int64), np.zeros(24, np.float32)
    buffers = [C.aclCreateDataBuffer(a.ctypes.data, a.nbytes) for a in (data, values)]
    device.must(C.aclopInferShape("Reshape", 2, [x, dims], buffers, 1, [out], 0))
    assert [C.aclGetTensorDescDim(out, i) for i in range(2)] == [3, 8]


# -- what an operator takes --------------------------------------------------------------------------------------------


def code(device: Device, op_type: str, inputs: list[Any], format_: int = 2) -> int:
    """What an execution with one output like the first input answers."""
    arguments, _ = device.arguments(op_type, inputs, inputs[:1], format_=format_)
    return int(C.aclopExecuteV2(*arguments))


def test_types_and_formats_of_a_registered_operator(device: Device) -> None:
    @op("Gate", inputs=2, infer=same, dtypes=[(0, 1), (3,)], formats=(0,))
    def gate(attributes: Any, x: Any, mask: Any) -> Any:
        return x * mask

    device.sim.ops.open = True
    device.sim.ops.register(gate)
    x, mask = np.ones((1, 2, 2, 2), np.float32), np.full((1, 2, 2, 2), 2, np.int32)
    assert code(device, "Gate", [x, mask], 0) == 0
    for inputs, format_, word in (
        ([x.astype(np.float64), mask], 0, "data type 11"),
        ([x, mask.astype(np.float32)], 0, "input 1"),
        ([x, mask], 1, "format 1"),
    ):
        assert code(device, "Gate", inputs, format_) == 100024
        assert word in C.aclGetRecentErrMsg()


def loaded(device: Device, op_type: str, data_type: int, *shapes: tuple[int, ...], format_: int = 2) -> None:
    """Load a compiled operator with one output like its first input."""
    inputs = [TensorDescription("", data_type, dims, format_) for dims in shapes]
    data = write(describe_op(op_type, inputs, inputs[:1]))
    device.must(C.aclopLoad(data, len(data)))


def test_a_loaded_operator_for_types_that_nobody_here_computes(device: Device) -> None:
    loaded(device, "Sqrt", 3, (4,))
    assert code(device, "Sqrt", [np.ones(4, np.int32)]) == 500002
    assert device.kinds() == ["not-modelled"]


def test_channels_are_never_taken_from_the_wrong_place(device: Device) -> None:
    loaded(device, "BNInfer", 0, (1, 2, 2, 3), (3,), (3,), format_=1)
    x, each = np.ones((1, 2, 2, 3), np.float32), np.ones(3, np.float32)
    assert code(device, "BNInfer", [x, each, each], 1) == 500002
    assert device.kinds() == ["not-modelled"]
