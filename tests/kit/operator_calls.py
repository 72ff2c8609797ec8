"""Operators called through the C names with tensors of torch: their storage goes to the device and comes back.

So a view of torch is the view that the operator gets, with its strides and its offset, in place forms and aliases included.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import torch

from ascend_sim import ascendcl as C
from ascend_sim.aclnn.operators import operator_of
from tests.kit.torch_bodies import Refused

__all__ = ["NUMBERS", "call"]

NUMBERS = {
    torch.float32: 0, torch.float16: 1, torch.int8: 2, torch.int32: 3, torch.uint8: 4, torch.int16: 6, torch.int64: 9,
    torch.float64: 11, torch.bool: 12, torch.complex64: 16, torch.complex128: 17, torch.bfloat16: 27, torch.uint64: 10,
    torch.float8_e5m2: 35, torch.float8_e4m3fn: 36, torch.float8_e8m0fnu: 37,
    torch.uint16: 7, torch.uint32: 8,
}  # fmt: skip
TO_DEVICE, TO_HOST = 1, 2


class Memory:
    """Storages of torch on the device."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[int, Any]] = {}

    def tensor(self, value: Any) -> int:
        storage = value.untyped_storage()
        known = self.known.get(storage.data_ptr()) if storage.nbytes() else None
        if known is None:
            address, _ = C.aclrtMalloc(max(storage.nbytes(), 32), 0)
            if storage.nbytes():
                assert C.aclrtMemcpy(address, storage.nbytes(), storage.data_ptr(), storage.nbytes(), TO_DEVICE) == 0
                self.known[storage.data_ptr()] = (address, storage)
        else:
            address = known[0]
        count = storage.nbytes() // value.element_size()
        return C.aclCreateTensor(
            tuple(value.shape), value.dim(), NUMBERS[value.dtype], tuple(value.stride()), value.storage_offset(), 2,
            (count,), 1, address,
        )  # fmt: skip

    def back(self) -> None:
        for address, storage in self.known.values():
            assert C.aclrtMemcpy(storage.data_ptr(), storage.nbytes(), address, storage.nbytes(), TO_HOST) == 0
            C.aclrtFree(address)


def _scalar(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return C.aclCreateScalar(np.int64(value), NUMBERS[torch.int64])
    return C.aclCreateScalar(value, NUMBERS[{bool: torch.bool, float: torch.float64}.get(type(value), torch.complex64)])


def _handle(label: str, value: Any, memory: Memory) -> Any:
    if isinstance(value, torch.dtype):
        return NUMBERS[value]
    if value is None or not label.startswith("acl"):
        return value
    if label == "aclTensor":
        return memory.tensor(value)
    if label == "aclScalar":
        return _scalar(value)
    if label == "aclTensorList":
        return C.aclCreateTensorList([None if one is None else memory.tensor(one) for one in value], len(value))
    if label == "aclScalarList":
        return C.aclCreateScalarList([_scalar(one) for one in value], len(value))
    if label.endswith("Array"):
        return getattr(C, label.replace("acl", "aclCreate"))(tuple(value), len(value))
    return value


def call(name: str, *operands: Any) -> dict[str, tuple[int, ...]]:
    """Run the operator *name*; outputs among the *operands* are filled. The shapes of outputs that have another one now.

    Raises Refused where a type is none that the operator takes.
    """
    operator, memory = operator_of(name), Memory()
    assert len(operands) == len(operator.places), f"{name} takes {[place.name for place in operator.places]}"
    handles = [_handle(place.label, value, memory) for place, value in zip(operator.places, operands, strict=True)]
    size, executor, code = getattr(C, f"{name}GetWorkspaceSize")(*handles)
    if code:
        text = C.aclGetRecentErrMsg()
        if re.search("its type is not one|is not stored in|is NULL", text):
            raise Refused(text)
        raise AssertionError(text)
    assert size == 0
    assert getattr(C, name)(None, 0, executor, None) == 0
    assert C.aclrtSynchronizeStream(None) == 0, C.aclGetRecentErrMsg()
    memory.back()
    return {
        place.name: C.aclGetViewShape(handle)[0]
        for place, handle, value in zip(operator.places, handles, operands, strict=True)
        if place.label == "aclTensor"
        and place.written
        and handle
        and C.aclGetViewShape(handle)[0] != tuple(value.shape)
    }
