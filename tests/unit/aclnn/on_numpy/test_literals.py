"""Each body on numpy, called through the C names, against literals that were compared with torch: torch is not needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.aclnn import loading
from ascend_sim.aclnn.operators import operator_of

LITERALS: dict[str, list[dict[str, Any]]] = json.loads(
    Path(__file__).with_name("literals.json").read_text(encoding="utf-8")
)
NUMBERS = {
    "float32": 0, "float16": 1, "int8": 2, "int32": 3, "uint8": 4, "int16": 6, "int64": 9, "uint64": 10, "float64": 11,
    "bool": 12, "complex64": 16, "complex128": 17,
}  # fmt: skip
RANDOM = {
    "aclnnInplaceNormal": (1.5, 0.5, 7, 10),
    "aclnnInplaceUniform": (-2.0, 6.0, 7, 10),
    "aclnnInplaceRandom": (-3, 60, 7, 10),
    "aclnnInplaceRandomWithoutFromTo": (7, 10),
}
"""Operators that fill a tensor with random numbers: their parameters behind it. Those with Tensor in the name get seed and
offset from tensors, and a number more for the offset."""
EXPECTED = {
    "aclnnInplaceNormal": (1.5, 0.5), "aclnnInplaceUniform": (2.0, 8 / 12**0.5),
    "aclnnInplaceRandom": (28, 63 / 12**0.5), "aclnnInplaceRandomWithoutFromTo": (2.0**23, 2.0**24 / 12**0.5),
}  # fmt: skip
"""Mean and deviation."""


@pytest.fixture(autouse=True)
def device(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(loading, "body_of", lambda name: (loading.numpy_bodies()[name], False))
    monkeypatch.setattr(loading, "torch_wanted", lambda name: False)
    with Simulator() as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        yield sim


def _array(entry: dict[str, Any]) -> np.ndarray[Any, Any]:
    return np.array(entry["values"], entry["type"]).reshape(entry["shape"])


class Operands:
    """The operands of a call on the device, by what an entry says of them."""

    def __init__(self) -> None:
        self.tensors: list[tuple[int, np.ndarray[Any, Any], int]] = []

    def tensor(self, array: np.ndarray[Any, Any]) -> int:
        address, _ = C.aclrtMalloc(max(array.nbytes, 32), 0)
        if array.nbytes:
            assert C.aclrtMemcpy(address, array.nbytes, array.ctypes.data, array.nbytes, 1) == 0
        number = NUMBERS[array.dtype.name]
        handle = int(C.aclCreateTensor(array.shape, array.ndim, number, None, 0, 2, (array.size,), 1, address))
        self.tensors.append((handle, array, address))
        return handle

    def make(self, label: str, value: Any) -> Any:
        if value is None or not label.startswith("acl"):
            return value
        if label == "aclDataType":
            return NUMBERS[value.removeprefix("torch.")] if isinstance(value, str) else value
        if label == "aclTensor":
            return self.tensor(_array(value))
        if label == "aclScalar":
            kind = {bool: "bool", int: "int64"}.get(type(value), "float64")
            return C.aclCreateScalar(np.array(value, kind), NUMBERS[kind])
        if label == "aclTensorList":
            handles = [self.make("aclTensor", one) for one in value]
            return C.aclCreateTensorList(handles, len(handles))
        if label == "aclScalarList":
            handles = [self.make("aclScalar", one) for one in value]
            return C.aclCreateScalarList(handles, len(handles))
        return getattr(C, label.replace("acl", "aclCreate"))(tuple(value), len(value)) if "Array" in label else value

    def back(self) -> list[np.ndarray[Any, Any]]:
        for _, array, address in self.tensors:
            if array.nbytes:
                assert C.aclrtMemcpy(array.ctypes.data, array.nbytes, address, array.nbytes, 2) == 0
        return [array for _, array, _ in self.tensors]


def run(name: str, operands: list[Any]) -> tuple[list[np.ndarray[Any, Any]], dict[str, list[int]]]:
    """Run the operator: all of its tensors afterwards, in order, and the shapes of outputs that have another one now."""
    places, held = operator_of(name).places, Operands()
    handles = [held.make(place.label, value) for place, value in zip(places, operands, strict=True)]
    _, executor, code = getattr(C, f"{name}GetWorkspaceSize")(*handles)
    assert code == 0, C.aclGetRecentErrMsg()
    assert getattr(C, name)(None, 0, executor, None) == 0
    assert C.aclrtSynchronizeDevice() == 0, C.aclGetRecentErrMsg()
    shapes = {
        place.name: list(C.aclGetViewShape(handle)[0])
        for place, handle, value in zip(places, handles, operands, strict=True)
        if place.label == "aclTensor" and place.written and handle
        if list(C.aclGetViewShape(handle)[0]) != value["shape"]
    }
    return held.back(), shapes


def _tensors(values: list[Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for value in values:
        if isinstance(value, dict):
            found.append(value)
        elif isinstance(value, list):
            found += _tensors(value)
    return found


@pytest.mark.parametrize("name", sorted(LITERALS))
def test_literals(name: str) -> None:
    for entry in LITERALS[name]:
        found, shapes = run(name, entry["before"])
        assert shapes == entry["shapes"]
        for array, wanted in zip(found, _tensors(entry["after"]), strict=True):
            np.testing.assert_allclose(array, _array(wanted), 2e-5, 2e-5, err_msg=name)


def test_every_body_has_literals_or_random_numbers() -> None:
    random = [name for name in loading.numpy_bodies() if name.removesuffix("Tensor") in RANDOM]
    assert set(loading.numpy_bodies()) == {*LITERALS, *random, "aclnnDropoutGenMaskV2"}


def _filled(name: str, parameters: tuple[Any, ...]) -> np.ndarray[Any, Any]:
    tensor = {"type": "float32", "shape": [40, 50], "values": [0] * 2000}
    if name.endswith("Tensor"):
        kind = "uint64" if "Uniform" in name else "int64"
        seed, offset = ({"type": kind, "shape": [1], "values": [n]} for n in parameters[-2:])
        parameters = (*parameters[:-2], seed, offset, 4)
    return run(name, [tensor, *parameters])[0][0]


@pytest.mark.parametrize("name", [*RANDOM, *(name + "Tensor" for name in RANDOM)])
def test_random_numbers(name: str) -> None:
    plain = name.removesuffix("Tensor")
    parameters, (mean, deviation) = RANDOM[plain], EXPECTED[plain]
    found = _filled(name, parameters)
    assert abs(found.mean() - mean) < 4 * deviation / 2000**0.5
    assert 0.9 < found.std() / deviation < 1.1
    assert np.array_equal(_filled(name, parameters), found)
    assert not np.array_equal(_filled(name, (*parameters[:-2], 8, 10)), found)
    assert not np.array_equal(_filled(name, (*parameters[:-2], 7, 11)), found)


def test_masks_of_dropout() -> None:
    room = {"type": "uint8", "shape": [256], "values": [0] * 256}
    masks = [run("aclnnDropoutGenMaskV2", [[40, 50], 0.3, seed, 3, 0, room])[0][0] for seed in (7, 7, 8)]
    assert np.array_equal(masks[0], masks[1]) and not np.array_equal(masks[0], masks[2])
    assert 0.65 < np.unpackbits(masks[0], bitorder="little")[:2000].mean() < 0.75
