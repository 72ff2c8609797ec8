"""Operators in two phases through the C names: views of memory, types, codes, and the task that the second phase queues."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.aclnn import loading, rules, running
from ascend_sim.aclnn.codes import NO_KERNEL, NULL_PARAMETER, RUNTIME, WRONG_PARAMETER
from ascend_sim.aclnn.costs import cost_of
from ascend_sim.aclnn.element_types import element_type_of, from_bfloat16, to_bfloat16
from ascend_sim.aclnn.objects import TensorView, contiguous, layout_of
from ascend_sim.aclnn.operators import operator_of
from ascend_sim.catalogue.aclnn import operators
from ascend_sim.catalogue.operator_functions import operator_function, operator_names
from ascend_sim.errors import AclError
from ascend_sim.runtime import entry

FLOAT, HALF, INT32, BOOL = 0, 1, 3, 12


@pytest.fixture
def sim() -> Iterator[Simulator]:
    with Simulator() as simulator:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        yield simulator


def _tensor(values: np.ndarray, data_type: int, dims=None, strides=None, offset: int = 0) -> int:
    address, _ = C.aclrtMalloc(max(values.nbytes, 1), 0)
    C.aclrtMemcpy(address, values.nbytes, values, values.nbytes, 1)
    dims = values.shape if dims is None else dims
    return C.aclCreateTensor(dims, len(dims), data_type, strides, offset, 2, values.shape, values.ndim, address)


def _scalar(value: float, data_type: int = FLOAT) -> int:
    return C.aclCreateScalar(float(value), data_type)


def _bytes(tensor: int, values: np.ndarray) -> np.ndarray:
    got = np.empty_like(values)
    address, _ = C.aclGetRawTensorAddr(tensor)
    assert C.aclrtMemcpy(got, got.nbytes, address, got.nbytes, 2) == 0
    return got


def _first(name: str, *operands) -> tuple[int | None, int, int]:
    return getattr(C, f"{name}GetWorkspaceSize")(*operands)


def _run(name: str, *operands) -> None:
    stream, _ = C.aclrtCreateStream()
    size, executor, code = _first(name, *operands)
    assert (size, code) == (0, 0), C.aclGetRecentErrMsg()
    assert getattr(C, name)(None, 0, executor, stream) == 0
    assert C.aclrtSynchronizeStream(stream) == 0
    C.aclrtDestroyStream(stream)


@pytest.mark.parametrize(
    ("name", "given", "grid", "out", "code"),
    [
        ("aclnnGridSampler2D", (2, 3, 4, 5), (2, 6, 7, 2), (2, 3, 6, 7), 0),
        ("aclnnGridSampler2D", (2, 3, 4, 5), (1, 6, 7, 2), (2, 3, 6, 7), WRONG_PARAMETER),
        ("aclnnGridSampler2D", (2, 3, 4, 5), (2, 6, 7, 3), (2, 3, 6, 7), WRONG_PARAMETER),
        ("aclnnGridSampler2D", (2, 3, 4, 5), (2, 6, 7, 2), (2, 3, 7, 6), WRONG_PARAMETER),
        ("aclnnGridSampler2D", (2, 3, 4, 5, 6), (2, 1, 6, 7, 2), (2, 3, 1, 6, 7), WRONG_PARAMETER),
        ("aclnnGridSampler3D", (2, 3, 4, 5, 6), (2, 1, 6, 7, 3), (2, 3, 1, 6, 7), 0),
        ("aclnnGridSampler3D", (2, 3, 4, 5), (2, 6, 7, 2), (2, 3, 6, 7), WRONG_PARAMETER),
        ("aclnnGridSampler3D", (2, 3, 4, 5, 6), (2, 1, 6, 7, 2), (2, 3, 1, 6, 7), WRONG_PARAMETER),
    ],
)
def test_a_grid_of_points_fits_its_pictures(
    name: str, given: tuple[int, ...], grid: tuple[int, ...], out: tuple[int, ...], code: int
) -> None:
    operator = operator_of(name)
    held = [TensorView(layout_of(shape, FLOAT), 0) for shape in (given, grid, out)]
    things = [*held[:2], 0, 0, True, held[2]]
    if code:
        with pytest.raises(AclError) as error:
            rules.check(operator, things)
        assert error.value.code == code
    else:
        rules.check(operator, things)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("aclnnAdd", lambda x, y: x + 3 * y), ("aclnnSub", lambda x, y: x - 3 * y), ("aclnnMul", lambda x, y: x * y)],
)
def test_two_tensors_that_broadcast(name, expected, sim):
    x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([2, 4, 8], np.float32)
    out = _tensor(np.zeros((2, 3), np.float32), FLOAT)
    factor = [] if name == "aclnnMul" else [_scalar(3)]
    _run(name, _tensor(x, FLOAT), _tensor(y, FLOAT), *factor, out)
    np.testing.assert_array_equal(_bytes(out, x), expected(x, y))
    assert len(sim.findings) == 0


def test_a_scalar_and_half_precision(sim):
    x = np.array([1, 2, 3], np.float16)
    out = _tensor(np.zeros(3, np.float16), HALF)
    _run("aclnnMuls", _tensor(x, HALF), _scalar(0.5), out)
    np.testing.assert_array_equal(_bytes(out, x), x / 2)


def test_strided_views_read_and_write_their_elements_alone(sim):
    x = np.arange(12, dtype=np.int32).reshape(3, 4)
    transposed = _tensor(x, INT32, (4, 3), (1, 4))
    storage = np.full(16, -1, np.int32)
    out = _tensor(storage, INT32, (4, 3), (4, 1), 1)
    _run("aclnnMaximum", transposed, _tensor(np.array([5], np.int32), INT32), out)
    wanted = storage.copy().reshape(4, 4)
    wanted[:, 1:] = np.maximum(x.T, 5)
    np.testing.assert_array_equal(_bytes(out, storage).reshape(4, 4), wanted)


def test_an_empty_tensor_queues_nothing(sim):
    empty = np.zeros((0, 3), np.float32)
    x = _tensor(empty, FLOAT)
    _run("aclnnMul", x, x, x)


def test_codes_of_the_first_phase(sim):
    x = _tensor(np.zeros(3, np.float32), FLOAT)
    wrong = _tensor(np.zeros(4, np.float32), FLOAT)
    flags = _tensor(np.zeros(3, np.bool_), BOOL)
    deep = _tensor(np.zeros((1,) * 9, np.float32), FLOAT)
    for operands, code in (
        ((x, None, x), NULL_PARAMETER), ((x, x, wrong), WRONG_PARAMETER), ((x, wrong, x), WRONG_PARAMETER),
        ((x, x, flags), WRONG_PARAMETER), ((deep, deep, deep), WRONG_PARAMETER),
    ):  # fmt: skip
        assert _first("aclnnMul", *operands) == (None, 0, code)
    assert "aclnnMul: other is NULL" in C.aclGetRecentErrMsg()


OPERANDS = {"other", "max", "clipValueMin", "exponent", "end", "mask"}
IN_PLACE = [
    name
    for name in operators()
    if name.startswith("aclnnInplace") and name in operator_names()
    and [place.name in OPERANDS for place in operator_of(name).places if place.label == "aclTensor"][:2] == [False, True]
]  # fmt: skip


@pytest.mark.parametrize("name", IN_PLACE)
def test_what_is_changed_in_place_keeps_its_shape(name, sim, monkeypatch):
    """An operand that is larger than it fails at once: the task would fail, and everything behind it."""
    monkeypatch.setattr(loading, "body_of", lambda name: print)
    shapes, operands = iter(((1,), (2, 3), (2, 3), (2, 3))), []
    for place in operator_of(name).places:
        type_, kind = next((n, k) for n, k in TYPES.items() if not place.types or n in place.types)
        if place.label == "aclTensor":
            operands.append(_tensor(np.zeros(next(shapes), kind), type_))
        else:
            operands.append(_scalar(1) if place.label == "aclScalar" else 1)
    assert _first(name, *operands) == (None, 0, WRONG_PARAMETER)
    assert "selfRef has [1]" in C.aclGetRecentErrMsg().replace("self has", "selfRef has")


TYPES = {INT32: np.int32, FLOAT: np.float32, BOOL: np.bool_}


def test_an_operator_without_a_body_says_so(sim, monkeypatch):
    monkeypatch.setattr(loading, "body_of", lambda name: None)
    x = _tensor(np.zeros(3, np.float32), FLOAT)
    assert _first("aclnnMul", x, x, x) == (None, 0, NO_KERNEL)
    assert [finding.title for finding in sim.findings] == ["aclnnMul is not modelled: no body"]


def test_codes_of_the_second_phase(sim):
    x = _tensor(np.zeros(3, np.float32), FLOAT)
    assert C.aclnnMul(None, 0, None, None) == NULL_PARAMETER
    _, executor, _ = _first("aclnnMul", x, x, x)
    assert C.aclnnMul(None, 8, executor, None) == NULL_PARAMETER
    assert not sim.findings
    assert C.aclnnMul(None, 0, executor, None) == NULL_PARAMETER  # the call before has freed it
    assert {finding.kind for finding in sim.findings} == {"undefined-use"}


def test_a_repeatable_executor_and_its_addresses(sim):
    x, y, out = (np.full(4, n, np.float32) for n in (1, 2, 0))
    a, b, result = _tensor(x, FLOAT), _tensor(y, FLOAT), _tensor(out, FLOAT)
    _, executor, _ = _first("aclnnMul", a, b, result)
    assert C.aclSetAclOpExecutorRepeatable(executor) == 0
    for factor in (2, 3):
        other, _ = C.aclrtMalloc(16, 0)
        C.aclrtMemcpy(other, 16, np.full(4, factor, np.float32), 16, 1)
        assert C.aclSetInputTensorAddr(executor, 1, b, other) == 0
        assert C.aclnnMul(None, 0, executor, None) == 0
        assert C.aclrtSynchronizeStream(None) == 0
        assert _bytes(result, out).tolist() == [factor] * 4
    assert C.aclSetTensorAddr(executor, 3, b, other) == WRONG_PARAMETER
    assert C.aclSetOutputTensorAddr(executor, 0, None, other) == 561103
    assert C.aclDestroyAclOpExecutor(executor) == 0
    assert C.aclDestroyAclOpExecutor(None) == 561103
    assert not sim.findings
    assert C.aclSetAclOpExecutorRepeatable(a) == 561000
    assert [finding.kind for finding in sim.findings] == ["undefined-use"]


def test_a_tensor_that_is_destroyed_between_the_phases(sim):
    x = _tensor(np.zeros(3, np.float32), FLOAT)
    y = _tensor(np.zeros(3, np.float32), FLOAT)
    _, executor, _ = _first("aclnnMul", x, x, y)
    assert C.aclDestroyTensor(y) == 0
    assert C.aclnnMul(None, 0, executor, None) == 0
    assert "out was destroyed between the two phases" in next(iter(sim.findings)).title


def test_a_task_that_nobody_waits_for_is_a_race(sim):
    x = np.zeros(1024, np.float32)
    a, out = _tensor(x, FLOAT), _tensor(x, FLOAT)
    first, second = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
    C.aclnnMul(None, 0, _first("aclnnMul", a, a, out)[1], first)
    C.aclnnMul(None, 0, _first("aclnnMul", out, out, a)[1], second)
    C.aclrtSynchronizeDevice()
    assert "race" in {finding.kind for finding in sim.findings}


@pytest.mark.parametrize(
    ("dims", "strides", "offset"),
    [((8, 4), (8, 1), 4), ((2, 4, 4), (32, 8, 1), 4), ((4, 8), (1, 8), 4), ((2, 2, 2, 2), (32, 16, 4, 2), 1)],
    ids=["columns", "a box", "transposed columns", "many bands"],
)
def test_bytes_between_those_of_a_view_are_not_touched(dims, strides, offset, sim):
    """One stream writes some columns, another the rest: nothing overlaps, though each reaches across the other."""
    x = np.zeros(64, np.float32)
    storage = _tensor(x, FLOAT)
    address, _ = C.aclGetRawTensorAddr(storage)
    mine = C.aclCreateTensor(dims, len(dims), FLOAT, strides, offset, 2, (64,), 1, address)
    theirs = C.aclCreateTensor(dims, len(dims), FLOAT, strides, 0, 2, (64,), 1, address)
    one = _tensor(np.ones(1, np.float32), FLOAT)
    streams = [C.aclrtCreateStream()[0] for _ in range(2)]
    for view, stream in zip((mine, theirs), streams, strict=True):
        assert C.aclnnMul(None, 0, _first("aclnnMul", one, view, view)[1], stream) == 0
    assert C.aclrtSynchronizeDevice() == 0
    assert not list(sim.findings)
    other = C.aclCreateTensor(dims, len(dims), FLOAT, strides, offset, 2, (64,), 1, address)
    for view, stream in zip((mine, other), streams, strict=True):
        C.aclnnMul(None, 0, _first("aclnnMul", one, view, view)[1], stream)
    assert C.aclrtSynchronizeDevice() == 0
    assert [finding.kind for finding in sim.findings] == ["race"]


def test_a_captured_operator_runs_at_each_replay(sim):
    x = np.full(4, 2, np.float32)
    a = _tensor(x, FLOAT)
    stream, _ = C.aclrtCreateStream()
    assert C.aclmdlRICaptureBegin(stream, 0) == 0
    assert C.aclnnMul(None, 0, _first("aclnnMul", a, a, a)[1], stream) == 0
    graph, code = C.aclmdlRICaptureEnd(stream)
    assert code == 0
    assert _bytes(a, x).tolist() == [2] * 4
    for expected in (4, 16):
        assert C.aclmdlRIExecuteAsync(graph, stream) == 0
        assert C.aclrtSynchronizeStream(stream) == 0
        assert _bytes(a, x).tolist() == [expected] * 4


def test_memory_that_is_gone_fails_the_task(sim):
    a = _tensor(np.zeros(8, np.float32), FLOAT)
    address, _ = C.aclGetRawTensorAddr(a)
    C.aclrtFree(address)
    stream, _ = C.aclrtCreateStream()
    assert C.aclnnMul(None, 0, _first("aclnnMul", a, a, a)[1], stream) == 0
    assert C.aclrtSynchronizeStream(stream) == 507035
    assert "aclnnMul" in C.aclGetRecentErrMsg()


def test_memory_that_is_freed_while_the_operator_is_queued(sim):
    a = _tensor(np.zeros(8, np.float32), FLOAT)
    address, _ = C.aclGetRawTensorAddr(a)
    stream, _ = C.aclrtCreateStream()
    for _ in range(2):
        C.aclnnMul(None, 0, _first("aclnnMul", a, a, a)[1], stream)
        C.aclrtSynchronizeStream(stream)
    C.aclnnMul(None, 0, _first("aclnnMul", a, a, a)[1], stream)
    C.aclrtFree(address)
    C.aclrtSynchronizeStream(stream)
    assert "use-after-free" in {finding.kind for finding in sim.findings}


@pytest.mark.parametrize(
    ("name", "operands", "expected"),
    [
        ("aclnnReduceSum", ([[1, 2], [3, 4]], (0,), True, FLOAT), [[4, 6]]),
        ("aclnnSoftmax", ([[0, 0], [0, np.log(3)]], -1), [[0.5, 0.5], [0.25, 0.75]]),
        ("aclnnMatmul", ([[1, 2], [3, 4]], [[1], [10]]), [[21], [43]]),
        ("aclnnTanh", ([0, 1, -1],), [0, 0.76159416, -0.76159416]),
        ("aclnnGelu", ([0, 1, -1],), [0, 0.84134475, -0.15865525]),
        ("aclnnCumsum", ([1, 2, 3], 0, FLOAT), [1, 3, 6]),
        ("aclnnConstantPadNd", ([[1, 2]], (1, 0, 0, 1), 9.0), [[9, 1, 2], [9, 9, 9]]),
    ],
)
@pytest.mark.parametrize("half", [False, True], ids=["float", "bfloat16"])
def test_values_that_are_known(name, operands, expected, half, sim, monkeypatch):
    """Without torch; bfloat16 is rounded to nearest, ties to even."""
    monkeypatch.setattr(loading, "body_of", lambda name: (loading.numpy_bodies()[name], False))
    kind = 27 if half else FLOAT

    def made(value):
        array = np.array(value, np.float32)
        return _tensor(to_bfloat16(array) if half else array, kind)

    handles = []
    for value in operands:
        if isinstance(value, tuple):
            handles.append(C.aclCreateIntArray(value, len(value)))
        elif isinstance(value, float):
            handles.append(_scalar(value))
        else:
            handles.append(made(value) if isinstance(value, list) else value)
    expected = np.array(expected, np.float32)
    out = made(np.zeros_like(expected))
    _run(name, *handles, *([out, 0] if name == "aclnnMatmul" else [out]))
    got = _bytes(out, to_bfloat16(expected) if half else expected)
    found = from_bfloat16(got) if half else got
    np.testing.assert_allclose(found, expected, rtol=8e-3 if half else 2e-6, atol=1e-6)


def test_rounding_of_small_types():
    ties = np.array([1 + 2**-8, 1 + 3 * 2**-8, np.inf, np.nan, -0.0], np.float32)
    assert [hex(n) for n in to_bfloat16(ties)] == ["0x3f80", "0x3f82", "0x7f80", "0x7fc0", "0x8000"]
    for name in ("float8_e5m2", "float8_e4m3fn"):
        element = element_type_of(name)
        patterns = np.arange(256, dtype=np.uint8)
        values = element.widen(patterns)
        numbers = ~np.isnan(values)
        assert (element.narrow(values)[numbers] == patterns[numbers]).all()
        assert np.isnan(element.widen(element.narrow(np.array([np.nan], np.float32)))).all()
    half = element_type_of("complex32")
    pair = np.array([1.5 - 2j], np.complex64)
    assert half.widen(half.narrow(pair)).tolist() == pair.tolist()


def test_parameters_are_named_as_nothing_in_the_text_of_calls():
    text = entry._TEXT + entry._CALLER + entry._GIVEN
    words = {*re.findall(r"\b[A-Za-z_]\w*\b", re.sub(r"#.*|![a-z]", "", text)), "body", "fail", "too_late", "FUNCTION"}
    names = {p.name for name in operator_names() for p in operator_function(name).inputs}
    assert names & words == set()


def test_layouts():
    assert contiguous((2, 3, 4)) == (12, 4, 1)
    view = layout_of((2, 3), FLOAT, (-4, 2), 4, 2, (16,))
    assert (view.low, view.nbytes, view.shift) == (0, 36, 16)
    assert view.bands == ((0, 4, 8, 3), (16, 4, 8, 3))
    empty = layout_of((2, 0), FLOAT)
    assert (empty.low, empty.nbytes, empty.bands) == (0, 0, ())
    assert layout_of((4, 3), FLOAT, (1, 4)).bands == ()  # a transposed matrix is one range
    assert layout_of((3, 2), FLOAT, (4, 1), 1).bands == ((0, 8, 16, 3),)
    assert layout_of((2, 3, 2), FLOAT, (12, 4, 1)).bands == ((0, 8, 16, 6),)  # rows of rows are rows
    assert layout_of((5, 3), FLOAT, (1, 1)).bands == ()  # windows that overlap
    many = layout_of((32, 2, 2), FLOAT, (100, 10, 2))
    assert many.parts is not None
    assert len(many.parts) == 128


def test_a_planned_fault_of_an_operator():
    with Simulator(faults="operator(aclnnMul):2"):
        C.aclrtSetDevice(0)
        x = _tensor(np.ones(4, np.float32), FLOAT)
        stream, _ = C.aclrtCreateStream()
        assert C.aclnnMul(None, 0, _first("aclnnMul", x, x, x)[1], stream) == 0
        assert C.aclrtSynchronizeStream(stream) == 0
        assert C.aclnnMul(None, 0, _first("aclnnMul", x, x, x)[1], stream) == 0
        assert C.aclrtSynchronizeStream(stream) == 507015
        assert "aclnnMul" in C.aclGetRecentErrMsg()


def test_an_index_out_of_range_fails_the_task_by_name(sim, monkeypatch):
    monkeypatch.setattr(loading, "body_of", lambda name: (loading.numpy_bodies()[name], False))
    rows, places = _tensor(np.zeros((4, 2), np.float32), FLOAT), _tensor(np.array([7], np.int32), INT32)
    out = _tensor(np.zeros((1, 2), np.float32), FLOAT)
    assert C.aclnnIndexSelect(None, 0, _first("aclnnIndexSelect", rows, 0, places, out)[1], None) == 0
    assert C.aclrtSynchronizeStream(None) == 507035
    assert "aclnnIndexSelect" in C.aclGetRecentErrMsg()


@pytest.mark.parametrize("seed", [1, -1])
def test_random_numbers_are_those_of_seed_and_offset(seed, sim, monkeypatch):
    monkeypatch.setattr(loading, "body_of", lambda name: (loading.numpy_bodies()[name], False))
    zeros = np.zeros(64, np.float32)

    def drawn(offset):
        x = _tensor(zeros, FLOAT)
        _run("aclnnInplaceUniform", x, 0.0, 1.0, seed % (1 << 64), offset)
        return _bytes(x, zeros).tolist()

    assert drawn(10) == drawn(10)
    assert not set(drawn(10)) & set(drawn(11))


def test_costs_go_by_products_on_cube_cores_and_by_bytes_on_the_others(sim):
    def cost(name, *shapes):
        layouts = [layout_of(shape, HALF) for shape in shapes]
        *read, written = layouts
        found = [(layout, True, False) for layout in read] + [(written, False, True)]
        things = [TensorView(layout, 0) for layout in layouts]
        things += [None] * (len(operator_of(name).places) - len(things))
        return cost_of(sim.profile, operator_of(name), things, found)

    n = 4096
    base = sim.profile.costs.kernel_ns
    assert cost("aclnnMul", (n, n), (n, n), (n, n)) == base + 3 * n * n * 2 * 1000 // sim.profile.costs.d2d_rate
    assert cost("aclnnMm", (n, n), (n, n), (n, n)) == base + n**3 // sim.profile.costs.cube_products_per_ns
    assert cost("aclnnMm", (8, n), (n, n), (8, n)) < cost("aclnnMm", (n, n), (n, n), (n, n)) / 10
    assert cost("aclnnMul", (8,), (8,), (8,)) == base


@pytest.mark.parametrize(("flag", "fits"), [(False, True), (True, False)])
def test_an_output_that_nobody_asks_for_has_any_type(flag, fits, sim):
    operator = operator_of("aclnnFusedInferAttentionScoreV3")
    half = TensorView(layout_of((1,), HALF), 0)
    things = [{"softmaxLse": half, "softmaxLseFlag": flag}.get(place.name) for place in operator.places]
    if fits:
        rules._check_types(operator, things)
    else:
        with pytest.raises(rules.Misfit, match="softmaxLse"):
            rules._check_types(operator, things)


def test_what_the_runtime_refuses_is_361001_and_the_last_error_says_why(sim: Simulator) -> None:
    a = _tensor(np.ones(4, np.float32), FLOAT)
    executor = _first("aclnnMul", a, a, a)[1]
    stream, _ = C.aclrtCreateStream()
    C.aclrtDestroyStream(stream)
    assert C.aclnnMul(None, 0, executor, stream) == RUNTIME
    assert C.aclrtGetLastError(0) == 107017
    assert "107017" in C.aclGetRecentErrMsg()


@pytest.mark.parametrize(
    ("code", "text"), [(561001, "561001"), (561002, "ACLNN_ERR_INNER_TILING_ERROR"), (361001, "361001")]
)
def test_codes_of_the_inside_come_by_plan(sim: Simulator, code: int, text: str) -> None:
    a = _tensor(np.ones(4, np.float32), FLOAT)
    sim.inject(f"aclnnMulGetWorkspaceSize:2={text}")
    assert [_first("aclnnMul", a, a, a)[2] for _ in range(3)] == [0, code, 0]
    assert f"[{code}]" in C.aclGetRecentErrMsg()


def test_a_plan_names_a_function_or_a_glob_of_operators(sim: Simulator) -> None:
    sim.inject("aclnnMul*:1=161002")
    with pytest.raises(ValueError, match="did you mean aclnnMul"):
        sim.inject("aclnnMull:1=161002")
    with pytest.raises(ValueError, match="no code of a failure"):
        sim.inject("aclnnMul:1=561999")


@pytest.mark.parametrize(
    ("dump", "kept"),
    [
        ({"dump_scene": "lite_exception"}, 0),
        ({"dump_path": ".", "dump_list": [{"model_name": "m"}], "dump_op_switch": "off"}, 0),
        ({"dump_path": ".", "dump_list": [{"model_name": "m"}], "dump_op_switch": "on", "dump_mode": "all"}, 3),
    ],
)
def test_operands_are_copied_where_operators_are_dumped(
    sim: Simulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dump: dict[str, Any], kept: int
) -> None:
    """torch_npu's own settings ask for a scene of failures: each operator copied all its operands for it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dump.json").write_text(json.dumps({"dump": dump}))
    assert C.aclmdlInitDump() == 0
    assert C.aclmdlSetDump(str(tmp_path / "dump.json")) == 0
    copied: list[int] = []

    class Numpy:
        def __getattr__(self, name: str) -> Any:
            return getattr(np, name)

        def array(self, values: Any) -> Any:
            copied.append(values.nbytes)
            return np.array(values)

    monkeypatch.setattr(running, "np", Numpy())
    x = np.arange(6, dtype=np.float32)
    out = _tensor(np.zeros_like(x), FLOAT)
    _run("aclnnAdd", _tensor(x, FLOAT), _tensor(x, FLOAT), _scalar(1), out)
    assert _bytes(out, x).tolist() == (2 * x).tolist()
    assert len(copied) == kept
    assert len(list(tmp_path.rglob("*.npy"))) == kept
