"""Reductions of the copy engine: dst = dst op src, element by element, when the task ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_sim.machine import host_memory
from ascend_sim.machine.engines import copy_cost
from ascend_sim.runtime.task import Access, Op, Task

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.transfers import Place

__all__ = ["EQUAL", "KINDS", "MAX", "MIN", "SUM", "WIDTHS", "combine", "reduce_op"]

SUM, MAX, MIN, EQUAL = range(10, 14)
KINDS = range(SUM, EQUAL + 1)
FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, BF16, INT4 = 0, 1, 2, 3, 4, 6, 7, 8, 27, 29

WIDTHS = {FLOAT: 4, FLOAT16: 2, INT8: 1, INT32: 4, UINT8: 1, INT16: 2, UINT16: 2, UINT32: 4, BF16: 2, INT4: 1}
"""Bytes of an element by aclDataType (INT4: two in a byte)."""

_TYPES: dict[int, Any] = {
    FLOAT: np.float32, FLOAT16: np.float16, INT8: np.int8, INT32: np.int32, UINT8: np.uint8, INT16: np.int16,
    UINT16: np.uint16, UINT32: np.uint32,
}  # fmt: skip
_FUNCTIONS: dict[int, Callable[[Any, Any], Any]] = {
    SUM: np.add, MAX: np.maximum, MIN: np.minimum, EQUAL: np.equal,
}  # fmt: skip

Bytes = NDArray[np.uint8]


def combine(kind: int, data_type: int, dst: Bytes, src: Bytes) -> Bytes:
    """The bytes of ``dst op src``. Integers wrap around; bf16 is computed in float32 and rounded to nearest even."""
    width = WIDTHS[data_type]
    whole = len(dst) // width * width
    function = _FUNCTIONS[kind]
    with np.errstate(all="ignore"):
        if data_type == BF16:
            result = _narrow(function(_widen(dst[:whole]), _widen(src[:whole])).astype(np.float32))
        else:
            dtype = _TYPES[data_type]
            result = function(dst[:whole].view(dtype), src[:whole].view(dtype)).astype(dtype)
    out: Bytes = dst.copy()
    out[:whole] = result.view(np.uint8)
    return out


def _widen(raw: Bytes) -> NDArray[np.float32]:
    bits = raw.view(np.uint16).astype(np.uint32) << np.uint32(16)
    values: NDArray[np.float32] = bits.view(np.float32)
    return values


def _narrow(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    bits = values.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)
    halves: NDArray[np.uint16] = np.where(np.isnan(values), quiet, rounded).astype(np.uint16)
    return halves


class _Reduce:
    """The action of a queued reduction."""

    __slots__ = ("data_type", "kind", "source", "to")

    def __init__(self, to: Place, source: Place, kind: int, data_type: int) -> None:
        self.to = to
        self.source = source
        self.kind = kind
        self.data_type = data_type

    def __call__(self, task: Task, time: int) -> None:
        """Read both as they are now and write the destination."""
        from_address = self.source.reach(task)
        self.source.tell(task)
        to_address = self.to.reach(task, whole=False)
        self.to.tell(task)
        if from_address and to_address:
            dst = host_memory.view(to_address, self.to.nbytes)
            dst[:] = combine(self.kind, self.data_type, dst, host_memory.view(from_address, self.source.nbytes))


def reduce_op(sim: Runtime, to: Place, source: Place, kind: int, data_type: int) -> Op:
    """The operation of a queued reduction of as many bytes as *source* has."""
    reads = tuple(Access(place.address, place.address + place.nbytes, False) for place in (source, to))
    writes = Access(to.address, to.address + to.nbytes, True)
    cost = copy_cost(sim.profile, "d2d", source.nbytes)
    return Op("reduce", cost, _Reduce(to, source, kind, data_type), engine="d2d", accesses=(*reads, writes))
