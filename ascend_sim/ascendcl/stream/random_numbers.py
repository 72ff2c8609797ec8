"""Chapter 12: random numbers in device memory (aclrtRandomNumAsync)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.execution import (
    ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS,
)
from ascend_sim.constants.types import (
    ACL_BF16,
    ACL_FLOAT,
    ACL_FLOAT16,
    ACL_INT4,
    ACL_INT8,
    ACL_INT16,
    ACL_INT32,
    ACL_INT64,
    ACL_UINT8,
    ACL_UINT32,
    ACL_UINT64,
)
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime import random_numbers
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.task import Op, Task, TaskFault
from ascend_sim.runtime.thread_state import ThreadState

Info = structs.aclrtRandomNumTaskInfo
Number = structs.aclrtRandomParaInfo

_KNOWN = (
    ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT4, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8, ACL_UINT32,
    ACL_UINT64,
)  # fmt: skip
"""What the acl layer lets through."""
_TYPES: dict[int, np.dtype[Any]] = {
    ACL_FLOAT: np.dtype(np.float32), ACL_FLOAT16: np.dtype(np.float16), ACL_BF16: np.dtype(np.float32),
    ACL_INT32: np.dtype(np.int32), ACL_INT64: np.dtype(np.int64), ACL_UINT32: np.dtype(np.uint32),
    ACL_UINT64: np.dtype(np.uint64),
}  # fmt: skip
"""What is made, by its numpy type: bf16 is computed as float32 and cut."""
_COUNTER_BYTES = 16
STRUCT_BYTES = 104
"""Of aclrtRandomNumTaskInfo."""


def _narrow(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """float32 as bf16, rounded to even."""
    bits = values.view(np.uint32)
    found: NDArray[np.uint16] = (
        (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) >> np.uint32(16)
    ).astype(np.uint16)
    return found


def _number(raw: bytes) -> structs.aclrtRandomParaInfo:
    return Number(raw[0], list(raw[1:9]), raw[9], list(raw[10:16]))


def _read(given: Any) -> structs.aclrtRandomNumTaskInfo:
    """An aclrtRandomNumTaskInfo, or what is at its address. Raises AclError 100000."""
    if isinstance(given, Info):
        return given
    raw = peek(given, STRUCT_BYTES)
    if raw is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"taskInfo is {given:#x}: no struct can be read there", "acl")
    return read_struct(raw)


def read_struct(raw: bytes) -> structs.aclrtRandomNumTaskInfo:
    """The aclrtRandomNumTaskInfo with these bytes."""
    first, second = _number(raw[8:24]), _number(raw[24:40])
    parameters = structs.aclrtRandomNumParamInfo(
        structs.aclrtDropoutBitmaskInfo(first),
        structs.aclrtUniformDisInfo(first, second),
        structs.aclrtNormalDisInfo(first, second),
    )
    function = structs.aclrtRandomNumFuncParaInfo(int.from_bytes(raw[4:8], "little"), parameters)
    places = [int.from_bytes(raw[at : at + 8], "little") for at in (40, 48, 56)]
    kind = int.from_bytes(raw[:4], "little", signed=True)
    return Info(kind, function, places[0], places[1], places[2], _number(raw[64:80]), _number(raw[80:96]))


class RandomNumbers:
    """The action: parameters that are addresses, and the counter, are read when the task runs."""

    __slots__ = ("given", "sim")

    def __init__(self, t: ThreadState, given: structs.aclrtRandomNumTaskInfo) -> None:
        self.sim = t.sim
        self.given = given

    def _place(self, task: Task, address: int, nbytes: int, write: bool) -> Any:
        """The bytes at a device address, observers told. Raises TaskFault."""
        try:
            block = self.sim.memory.check(address, nbytes, write)
        except AddressFault as fault:
            raise TaskFault(ACL_ERROR_RT_DRV_INTERNAL_ERROR, fault.text) from None
        if block is None or block.device < 0:
            text = f"{self.sim.memory.describe(address)}: device memory is required"
            raise TaskFault(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text)
        place = Place(self.sim, block, address, nbytes, write)
        true = place.reach(task)
        place.tell(task)
        return host_memory.view(true, nbytes)

    def _value(self, task: Task, number: structs.aclrtRandomParaInfo, kind: int) -> Any:
        """A parameter as a number of *kind*."""
        raw = bytes(byte & 0xFF for byte in number.valueOrAddr)
        width = _TYPES[kind].itemsize if kind != ACL_BF16 else 2
        if number.isAddr:
            raw = self._place(task, int.from_bytes(raw, "little"), width, False).tobytes()
        if kind == ACL_BF16:
            return np.frombuffer(b"\0\0" + raw[:2], np.float32)[0]
        return np.frombuffer(raw[:width], _TYPES[kind])[0]

    def __call__(self, task: Task, time: int) -> None:
        """Make the numbers and write them. Raises TaskFault: memory that is none of the device."""
        given = self.given
        kind, function = given.dataType, given.randomNumFuncParaInfo
        seed = int(self._value(task, given.randomSeed, ACL_UINT64))
        count = int(self._value(task, given.randomNum, ACL_UINT64))
        counter = int.from_bytes(self._place(task, given.randomCounterAddr, _COUNTER_BYTES, False).tobytes(), "little")
        made: NDArray[Any]
        if function.funcType == ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK:
            ratio = float(self._value(task, function.paramInfo.dropoutBitmaskInfo.dropoutRation, kind))
            made = random_numbers.bitmask(seed, counter, count, ratio)
        elif function.funcType == ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS:
            ends = function.paramInfo.uniformDisInfo
            low, high = self._value(task, ends.min, kind), self._value(task, ends.max, kind)
            made = random_numbers.uniform(seed, counter, count, low, high, _TYPES[kind])
        else:
            shape = function.paramInfo.normalDisInfo
            mean, deviation = (float(self._value(task, one, kind)) for one in (shape.mean, shape.stddev))
            cut = function.funcType == ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS
            made = random_numbers.normal(seed, counter, count, mean, deviation, cut).astype(_TYPES[kind])
        if kind == ACL_BF16 and made.dtype == np.float32:
            made = _narrow(np.asarray(made, np.float32))
        raw = made.view(np.uint8).reshape(-1)
        if raw.size:
            self._place(task, given.randomResultAddr, raw.size, True)[:] = raw


@api("aclrtRandomNumAsync")
def random_num_async(t: ThreadState, given: Any, stream: int, reserve: int) -> None:
    """Queue random numbers: uniform in [min, max), normal, truncated normal (within two deviations), or bits for dropout.

    They follow from the seed and the 16-byte counter in device memory. Codes: 100000 NULL or a type without numbers;
    107017, 107000 *reserve*, a function or a type for it that does not exist; 207000 not on this product, 107002,
    107003. Addresses that lead nowhere fail the task.
    """
    require(given, "taskInfo")
    found = _read(given)
    if found.dataType not in _KNOWN:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"taskInfo->dataType is {found.dataType}: no type of numbers", "acl")
    check_product(t, "aclrtRandomNumAsync")
    target = t.stream(stream) if stream else None
    if reserve:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "reserve is not NULL")
    context = t.current_context()
    if target is not None:
        t.check_own(target)
    kind, function = found.dataType, found.randomNumFuncParaInfo.funcType
    if not 0 <= function <= ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"funcType is {function}: 0 to 3 are known")
    floats = (ACL_FLOAT, ACL_FLOAT16, ACL_BF16)
    if kind not in _TYPES or (function != ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS and kind not in floats):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"dataType is {kind}: function {function} has no such numbers")
    (target or context.default).submit(t, Op("random", t.sim.profile.costs.task_ns, RandomNumbers(t, found)))
