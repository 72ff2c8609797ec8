"""Which operator of a model failed, as an exception callback asks: its name, its tensors, and the codes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.om import Aipp, Body, Constant, ModelDescription, TensorDescription, write
from tests.unit.models.conftest import FLOAT, ND, Models, batches, neg

NODES = (
    {"op": "Mul", "name": "scale", "inputs": ["x", "factor"], "outputs": ["scaled"], "attributes": {}},
    {"op": "MatMul", "inputs": ["scaled", "w"], "outputs": ["product"], "attributes": {}},
    {"op": "Relu", "inputs": ["product"], "outputs": ["y"], "attributes": {}},
)
CHAIN = ModelDescription(
    "chain",
    (TensorDescription("x", FLOAT, (2, 3)), TensorDescription("w", FLOAT, (3, 5))),
    (TensorDescription("y", FLOAT, (2, 5)),),
    Body("graph", nodes=NODES),
    constants=(Constant("factor", FLOAT, (1,), 0),),
)
FACTOR = write(CHAIN, b"\0\0\x80\x3f")


class Told:
    """What the exception callback found out about the failure."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.answer: Any = None
        self.name = ctypes.create_string_buffer(64)

    def hear(self, info: int) -> None:
        """The callback."""
        self.ids = [
            C.aclrtGetDeviceIdFromExceptionInfo(info),
            C.aclrtGetStreamIdFromExceptionInfo(info),
            C.aclrtGetTaskIdFromExceptionInfo(info),
        ]
        self.answer = self.ask()

    def ask(self, room: int = 64) -> Any:
        """The operator of the task that failed."""
        return C.aclmdlCreateAndGetOpDesc(*self.ids, ctypes.addressof(self.name), room)

    def tensors(self) -> list[list[tuple[int, tuple[int, ...], int, int]]]:
        """(type, dims, format, address) of all inputs and outputs."""
        first_in, count_in, first_out, count_out, code = self.answer
        assert code == 0, C.aclGetRecentErrMsg()
        found = []
        for first, count in ((first_in, count_in), (first_out, count_out)):
            handles = [C.aclGetTensorDescByIndex(first, i) for i in range(count)]
            found.append([look(handle) for handle in handles])
            C.aclDestroyTensorDesc(first)
        return found


def look(handle: int) -> tuple[int, tuple[int, ...], int, int]:
    """What a descriptor says."""
    dims = tuple(C.aclGetTensorDescDimV2(handle, i)[0] for i in range(C.aclGetTensorDescNumDims(handle)))
    return C.aclGetTensorDescType(handle), dims, C.aclGetTensorDescFormat(handle), C.aclGetTensorDescAddress(handle)


@pytest.fixture
def told(models: Models) -> Told:
    made = Told()
    assert C.aclrtSetExceptionInfoCallback(made.hear) == 0
    return made


def run(models: Models, number: int, ins: list[tuple[int, int]], outs: list[tuple[int, int]]) -> int:
    """Execute it and return the code."""
    return int(C.aclmdlExecute(number, models.dataset(*ins), models.dataset(*outs)))


def test_the_node_that_reads_a_missing_input(models: Models, told: Told) -> None:
    number = models.load(FACTOR)
    x, y = models.memory([1] * 6), models.memory([0] * 10)
    assert run(models, number, [(x, 24), (0x1000, 60)], [(y, 40)]) == 507015
    inputs, outputs = told.tensors()
    assert told.name.value == b"MatMul_1"
    assert [dims for _, dims, *_ in inputs + outputs] == [(2, 3), (3, 5), (2, 5)]
    assert [address for *_, address in inputs + outputs] == [0, 0, 0]
    assert {kind for kind, *_ in inputs + outputs} == {FLOAT}


def test_the_node_that_writes_a_missing_output(models: Models, told: Told) -> None:
    number = models.load(FACTOR)
    x, w = models.memory([1] * 6), models.memory([1] * 15)
    assert run(models, number, [(x, 24), (w, 60)], [(0x1000, 40)]) == 507015
    told.tensors()
    assert told.name.value == b"Relu_2"
    assert run(models, number, [(0x1000, 24), (w, 60)], [(0x1000, 40)]) == 507015
    inputs, _ = told.tensors()
    assert told.name.value == b"scale"
    assert [dims for _, dims, *_ in inputs] == [(2, 3), (1,)]


def test_the_node_that_cannot_compute(models: Models, told: Told) -> None:
    first = NODES[2] | {"inputs": ["x"], "outputs": ["z"]}
    spoilt = ModelDescription(
        "spoilt",
        (TensorDescription("x", FLOAT, (2, 3)),),
        (TensorDescription("y", FLOAT, (2, 3)),),
        Body("graph", nodes=(first, NODES[1] | {"inputs": ["z", "x"], "outputs": ["y"]})),
    )
    x, y = models.memory([1] * 6), models.memory([0] * 6)
    assert run(models, models.load(spoilt), [(x, 24)], [(y, 24)]) == 507011
    inputs, outputs = told.tensors()
    assert told.name.value == b"MatMul_1"
    assert inputs == [(FLOAT, (2, 3), ND, 0), (FLOAT, (2, 3), ND, x)]
    assert outputs == [(FLOAT, (2, 3), ND, y)]


def test_one_operator_and_its_addresses(models: Models, told: Told) -> None:
    x = models.memory([1] * 4)
    assert run(models, models.load(neg()), [(x, 16)], [(0x1000, 16)]) == 507015
    assert told.tensors() == [[(FLOAT, (4,), ND, x)], [(FLOAT, (4,), ND, 0)]]
    assert told.name.value == b"Neg_0"
    single = neg(body=Body("op", "Neg"))
    assert run(models, models.load(single), [(x, 16)], [(0x1000, 16)]) == 507015
    assert told.tensors()[0][0][3] == x
    assert told.name.value == b"Neg"


def test_a_python_function_is_named_as_a_whole(models: Models, told: Told) -> None:
    models.sim.models.allow("math")
    number = models.load(neg(name="opaque", body=Body("python", "math:sqrt")))
    x, y = models.memory([1] * 4), models.memory([0] * 4)
    assert run(models, number, [(x, 16)], [(y, 16)]) == 507011
    assert told.tensors() == [[(FLOAT, (4,), ND, x)], [(FLOAT, (4,), ND, y)]]
    assert told.name.value == b"opaque"


def test_a_run_that_did_not_fail_can_be_asked_about(models: Models, told: Told) -> None:
    number = models.load(FACTOR)
    x, w, y = models.memory([1] * 6), models.memory([1] * 15), models.memory([0] * 10)
    stream = models.must(C.aclrtCreateStream())
    ins, outs = models.dataset((x, 24), (w, 60)), models.dataset((y, 40))
    models.must(C.aclmdlExecuteAsync(number, ins, outs, stream))
    told.ids = [0, models.must(C.aclrtStreamGetId(stream)), models.must(C.aclrtGetThreadLastTaskId())]
    told.answer = told.ask()
    inputs, outputs = told.tensors()
    assert (told.name.value, inputs[0][3], inputs[1][3], outputs[0][3]) == (b"chain", x, w, y)
    models.must(C.aclrtSynchronizeStream(stream))


def test_images_are_read_by_the_preprocessing(models: Models, told: Told) -> None:
    dims = (1, 3, 2, 4)
    described = (TensorDescription("x", FLOAT, dims, 0, aipp=Aipp("static", 3)),)
    number = models.load(neg(inputs=described, outputs=(TensorDescription("y", FLOAT, dims, 0),)))
    assert run(models, number, [(0x1000, 24)], [(models.memory([0] * 24), 96)]) == 507015
    assert told.tensors() == [[(4, (1, 2, 4, 3), 1, 0)], [(FLOAT, dims, 0, 0)]]
    assert told.name.value == b"x_0_aipp"


def fail(models: Models, told: Told, description: ModelDescription) -> int:
    """A failed run of it; its id."""
    number = models.load(description)
    x = models.memory([1] * 16)
    run(models, number, [(x, 64)] * (2 if description.gears else 1), [(0x1000, 64)])
    return number


def test_codes(models: Models, told: Told) -> None:
    number = fail(models, told, neg())
    assert told.ask(5)[-1] == 100000  # Neg_0 and its end need 6
    assert told.ask(6)[-1] == 0
    assert told.ask(1 << 31)[-1] == 500000
    assert told.ask(0)[-1] == 100000
    assert C.aclmdlCreateAndGetOpDesc(*told.ids, 0, 64) == (0, None, 0, None, 100000)
    device, stream, task = told.ids
    for ids in ((device + 1, stream, task), (device, stream + 1, task), (device, stream, task + 1)):
        assert C.aclmdlCreateAndGetOpDesc(*ids, ctypes.addressof(told.name), 64)[-1] == 500002
    models.must(C.aclmdlUnload(number))
    assert told.ask()[-1] == 500002


def test_dynamic_models_are_not_known(models: Models, told: Told) -> None:
    number = models.load(neg((-1,), ((1, 8),)))
    ins = models.dataset((models.memory([1] * 4), 16))
    models.shape(ins, 4)
    assert C.aclmdlExecute(number, ins, models.dataset((0x1000, 16))) == 507015
    assert told.answer[-1] == 500002


def test_gears_are_described_as_they_ran(models: Models, told: Told) -> None:
    fail(models, told, batches(1, 2, 4))
    assert told.tensors()[0][0][1] == (4, 4)


def test_a_model_loaded_without_its_graph_is_not_known(models: Models, told: Told) -> None:
    models.sim.models["bare.om"] = neg()
    config = C.aclmdlCreateConfigHandle()
    for attribute, value in (
        (C.ACL_MDL_LOAD_TYPE_SIZET, ctypes.c_uint64(1)),
        (C.ACL_MDL_PATH_PTR, ctypes.c_char_p(b"bare.om")),
        (C.ACL_MDL_WITHOUT_GRAPH_INT32, ctypes.c_int32(1)),
    ):
        models.must(C.aclmdlSetConfigOpt(config, attribute, ctypes.addressof(value), ctypes.sizeof(value)))
    number = models.must(C.aclmdlLoadWithConfig(config))
    assert run(models, number, [(models.memory([1] * 4), 16)], [(0x1000, 16)]) == 507015
    assert told.answer[-1] == 500002


def test_behind_the_end_of_an_array(models: Models, told: Told, open_models: Callable[..., Models]) -> None:
    fail(models, told, neg())
    first = told.answer[0]
    assert C.aclGetTensorDescByIndex(first, 0) == first
    assert C.aclGetTensorDescByIndex(first, 1) == 0
    assert models.kinds()[-1] == "undefined-use"
    C.aclDestroyTensorDesc(first)
    assert C.aclGetTensorDescByIndex(first, 0) == 0


def test_from_pyacl(acl: Any, models: Models, told: Told) -> None:
    fail(models, told, neg())
    name, inputs, count_in, outputs, count_out, ret = acl.mdl.create_and_get_op_desc(*told.ids, 64)
    assert (name, count_in, count_out, ret) == ("Neg_0", 1, 1, 0)
    assert acl.get_tensor_desc_address(acl.get_tensor_desc_by_index(inputs, 0)) > 0
    assert acl.get_tensor_desc_address(outputs) == 0
    assert acl.mdl.create_and_get_op_desc(0, 99, 99, 64) == ("", 0, 0, 0, 0, 500002)


def test_an_onnx_file_tells_its_nodes(models: Models, told: Told) -> None:
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper

    from ascend_sim.om.from_onnx import from_onnx

    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in (("x", [2, 3]), ("y", [2, 5]))
    ]
    weight = helper.make_tensor("w", TensorProto.FLOAT, [3, 5], [0.0] * 15)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["m"], "dense"), helper.make_node("Relu", ["m"], ["y"])]
    made = helper.make_model(helper.make_graph(nodes, "g", ends[:1], ends[1:], [weight]))
    made.ir_version = 8
    description, blob = from_onnx(onnx.ModelProto.SerializeToString(made), "net")
    number = models.load(write(description, blob))
    x = models.memory([1] * 6)
    assert run(models, number, [(0x1000, 24)], [(x, 40)]) == 507015
    inputs, outputs = told.tensors()
    assert (told.name.value, inputs[1][1], outputs[0][1]) == (b"dense", (3, 5), (2, 5))
    assert run(models, number, [(x, 24)], [(0x1000, 40)]) == 507015
    told.tensors()
    assert told.name.value == b"Relu_1"
