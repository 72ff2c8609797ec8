"""Chapter 11-03: copies whose addresses lie in device memory (aclrtMemcpyAsyncWithOffset)."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_RT_DRV_INTERNAL_ERROR, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.constants.memory import ACL_MEMCPY_INNER_DEVICE_TO_DEVICE
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.machine.engines import copy_cost
from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.memory.allocation import block_for_task
from ascend_sim.runtime.memory.told import Shape
from ascend_sim.runtime.memory.transfers import Place, Transfer
from ascend_sim.runtime.task import Access, Op, Task, TaskFault
from ascend_sim.runtime.thread_state import ThreadState

_POINTER = 8


class _End:
    """One end of such a copy: where its address is, and how far behind that address the bytes begin."""

    __slots__ = ("offset", "place")

    def __init__(self, place: Place, offset: int) -> None:
        self.place = place
        self.offset = offset

    def find(self, task: Task, nbytes: int, write: bool) -> Place:
        """The bytes, by the address as it is now. Raises TaskFault: it is no device memory."""
        sim, place = self.place.sim, self.place
        true = place.reach(task)
        place.tell(task)
        base = int.from_bytes(host_memory.view(true, _POINTER).tobytes(), "little") if true else 0
        address = base + self.offset
        try:
            block = sim.memory.check(address, nbytes, write)
        except AddressFault as fault:
            raise TaskFault(ACL_ERROR_RT_DRV_INTERNAL_ERROR, fault.text) from None
        if block is None or block.device < 0:
            raise TaskFault(
                ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"the address there plus {self.offset} is no device memory"
            )
        return Place(sim, block, address, nbytes, write)


class _OffsetCopy:
    """The action: both addresses are read when the task runs, then it is a copy like others."""

    __slots__ = ("nbytes", "source", "to")

    def __init__(self, to: _End, source: _End, nbytes: int) -> None:
        self.to = to
        self.source = source
        self.nbytes = nbytes

    def __call__(self, task: Task, time: int) -> None:
        """Find both ends and copy. Raises TaskFault."""
        source = self.source.find(task, self.nbytes, False)
        to = self.to.find(task, self.nbytes, True)
        Transfer(to, source, Shape(self.nbytes))(task, time)


@api("aclrtMemcpyAsyncWithOffset")
def memcpy_async_with_offset(
    t: ThreadState, dst: int, dest_max: int, dst_offset: int, src: int, count: int, src_offset: int, kind: int,
    stream: int,
) -> None:  # fmt: skip
    """Queue a copy from ``*src + srcDataOffset`` to ``*dst + dstDataOffset``; the task reads both addresses.

    *dst* and *src* are where the addresses lie, in device memory. Codes: count 0 is 0; 107000 another kind than
    INNER_DEVICE_TO_DEVICE (6), NULL, count above destMax, no memory at *dst* or *src*; 207000 not on this product,
    107017, 107002, 107003. An address that leads nowhere fails the task.
    """
    if not count:
        return
    if kind != ACL_MEMCPY_INNER_DEVICE_TO_DEVICE:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"kind is {kind}: INNER_DEVICE_TO_DEVICE (6) is required")
    check_product(t, "aclrtMemcpyAsyncWithOffset")
    target = t.stream(stream) if stream else None
    for value, what in ((dst, "dst"), (src, "src")):
        if not value:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{what} is NULL")
    if count > dest_max:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"count is {count}, destMax is {dest_max}")
    context = t.current_context()
    if target is not None:
        t.check_own(target)
    queue = target or context.default
    ends: list[_End] = []
    for address, offset, what in ((dst, dst_offset, "dst"), (src, src_offset, "src")):
        block = block_for_task(t, address, _POINTER, what, False)
        ends.append(_End(Place(t.sim, block, address, _POINTER, False), offset))
    accesses = tuple(Access(address, address + _POINTER, False) for address in (dst, src))
    cost = copy_cost(t.sim.profile, "d2d", count)
    queue.submit(t, Op("copy by address", cost, _OffsetCopy(ends[0], ends[1], count), engine="d2d", accesses=accesses))
