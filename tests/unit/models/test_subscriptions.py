"""Subscriptions: the operators that ran, through a pipe, as the program reads them."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.constants.tools import ACL_AICORE_NONE
from tests.kit.calls import must
from tests.unit.models.conftest import Models, neg

OPERATORS = (
    {"op": "Neg", "name": "first", "inputs": ["x"], "outputs": ["m"], "attributes": {}},
    {"op": "Neg", "name": "second", "inputs": ["m"], "outputs": ["y"], "attributes": {}},
)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Both ends; the writing one may be closed by the library."""
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue


def subscribe(model: int, write: int) -> tuple[int, Any]:
    """The code, and the variable with the descriptor, which has to live."""
    held = ctypes.c_int32(write)
    config = C.aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, ctypes.addressof(held))
    return C.aclprofModelSubscribe(model, config), held


def run(models: Models, model: int) -> None:
    """One execution."""
    places = [(models.memory([1, 2, 3, 4]), 16), (models.memory([0] * 4), 16)]
    must(C.aclmdlExecute(model, models.dataset(places[0]), models.dataset(places[1])))


def texts(raw: bytes, index: int) -> tuple[str, str]:
    """The name and the type of a record."""
    found = []
    for length, text in ((C.aclprofGetOpNameLen, C.aclprofGetOpName), (C.aclprofGetOpTypeLen, C.aclprofGetOpType)):
        size = must(length(raw, len(raw), index))
        room = ctypes.create_string_buffer(size)
        must(text(raw, len(raw), index, room, size))
        found.append(room.value.decode())
    return found[0], found[1]


def two_operators(models: Models) -> int:
    """A model of two operators, which take 1 ms together."""
    from ascend_sim.om import Body

    return models.load(neg(body=Body("graph", nodes=OPERATORS)))


def test_operators_come_through_the_pipe(models: Models, pipe: tuple[int, int]) -> None:
    model = two_operators(models)
    code, _held = subscribe(model, pipe[1])
    assert code == 0
    run(models, model)
    size = must(C.aclprofGetOpDescSize())
    raw = os.read(pipe[0], 10 * size)
    assert must(C.aclprofGetOpNum(raw, len(raw))) == 2
    assert [texts(raw, 0), texts(raw, 1)] == [("first", "Neg"), ("second", "Neg")]
    ask = (C.aclprofGetOpStart, C.aclprofGetOpEnd, C.aclprofGetOpDuration, C.aclprofGetModelId, C.aclprofGetOpFlag)
    first, second = ([get(raw, len(raw), i) for get in ask] for i in range(2))
    assert first[1] == second[0]
    assert first[2] + second[2] == second[1] - first[0] == 1000
    assert (first[3:], second[3:]) == ([model, 0], [model, 0])
    assert C.aclprofGetOpNameLen(raw, len(raw), 0)[1] == 100000, "texts are given once"
    assert C.aclprofGetOpAttriValue(raw, len(raw), 0, 0) is None
    must(C.aclprofModelUnSubscribe(model))
    assert os.read(pipe[0], 1) == b"", "the writing end was closed"


def test_a_full_pipe_is_written_when_the_subscription_ends(models: Models, pipe: tuple[int, int]) -> None:
    model = two_operators(models)
    code, _held = subscribe(model, pipe[1])
    assert code == 0
    size, runs = must(C.aclprofGetOpDescSize()), 420
    places = [(models.memory([1, 2, 3, 4]), 16), (models.memory([0] * 4), 16)]
    ins, outs = models.dataset(places[0]), models.dataset(places[1])
    for _ in range(runs):
        must(C.aclmdlExecute(model, ins, outs))
    got = bytearray()

    def read() -> None:
        while part := os.read(pipe[0], 8000):
            got.extend(part)

    reader = threading.Thread(target=read)
    reader.start()
    must(C.aclprofModelUnSubscribe(model))
    reader.join()
    assert len(got) == 2 * runs * size
    raw = bytes(got)
    assert must(C.aclprofGetOpNum(raw, len(raw))) == 2 * runs


def test_codes(models: Models, pipe: tuple[int, int], tmp_path: Any) -> None:
    model, path = two_operators(models), str(tmp_path)
    held = ctypes.c_int32(pipe[1])
    none = C.aclprofCreateSubscribeConfig(0, ACL_AICORE_NONE, ctypes.addressof(held))
    codes = [
        subscribe(99, pipe[1])[0], C.aclprofModelSubscribe(model, 0), C.aclprofModelSubscribe(model, none),
        C.aclprofCreateSubscribeConfig(1, 0, 0), C.aclprofModelUnSubscribe(model), C.aclprofModelUnSubscribe(99),
        subscribe(model, pipe[1])[0], subscribe(model, pipe[1])[0], C.aclprofInit(path, len(path)),
        C.aclprofModelUnSubscribe(model), C.aclprofInit(path, len(path)), subscribe(model, pipe[1])[0],
        C.aclprofFinalize(), C.aclprofDestroySubscribeConfig(none), C.aclprofDestroySubscribeConfig(0),
    ]  # fmt: skip
    assert codes == [100011, 100000, 100000, 0, 100011, 100011, 0, 148046, 148047, 0, 0, 148047, 0, 0, 100000]


@pytest.mark.parametrize("raw", [b"", b"x" * 79, b"x" * 80])
def test_what_is_no_record(models: Models, raw: bytes) -> None:
    size = len(raw)
    values = [
        C.aclprofGetOpStart(raw, size, 0), C.aclprofGetOpEnd(raw, size, 0), C.aclprofGetOpDuration(raw, size, 0),
        C.aclprofGetModelId(raw, size, 0), C.aclprofGetOpFlag(raw, size, 0), C.aclprofGetOpTypeLen(raw, size, 0)[1],
    ]  # fmt: skip
    assert values == [0, 0, 0, 100000, 255, 100000]
    assert C.aclprofGetOpNum(None, 80)[1] == 100000


def test_pyacl(acl: Any, models: Models, pipe: tuple[int, int]) -> None:
    model = two_operators(models)
    config = acl.prof.create_subscribe_config(True, ACL_AICORE_NONE, pipe[1])
    assert acl.prof.model_subscribe(model, config) == 0
    run(models, model)
    raw = os.read(pipe[0], 4096)
    address = acl.util.bytes_to_ptr(raw)
    assert acl.prof.get_op_num(address, len(raw)) == (2, 0)
    assert acl.prof.get_op_name_v2(address, len(raw), 0) == ("first", 0)
    assert acl.prof.get_op_type_v2(address, len(raw), 1) == ("Neg", 0)
    assert acl.prof.get_op_duration(address, len(raw), 0) == 500
    assert acl.prof.get_model_id(address, len(raw), 0) == model
    assert acl.prof.model_un_subscribe(model) == 0
