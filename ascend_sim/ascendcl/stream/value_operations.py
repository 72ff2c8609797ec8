"""Chapter 11-09: writing and awaiting 64 bits of device memory as tasks of a stream."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.machine.allocations import Allocation
from ascend_sim.runtime.memory.allocation import block_for_task
from ascend_sim.runtime.memory.copies import location
from ascend_sim.runtime.memory.told import behind
from ascend_sim.runtime.processes.neighbours import Neighbours, hand_over
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.runtime.value_wait import NOR, WIDTH, wait_op, write_op


@api("aclrtValueWrite")
def value_write(t: ThreadState, address: int, value: int, flag: int, stream: int) -> None:
    """Queue a write of the 64-bit *value* to device memory; the address should be a multiple of 8.

    Codes: 100000 NULL, 207000 the chip lacks it, 107017, 107000 a flag other than 0 or no device memory, 107002,
    107003.
    """
    require(address, "devAddr")
    _supported(t, stream)
    if flag:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flag is {flag}: 0 is required")
    target, block = _place(t, address, stream, True)
    task, near = target.submit(t, write_op(t.sim, block, address, value)), _sharing(t, block, address)
    if near is not None:
        hand_over(t, task)


@api("aclrtValueWait")
def value_wait(t: ThreadState, address: int, value: int, flag: int, stream: int) -> None:
    """Make later tasks of the stream wait for 64 bits of device memory.

    *flag*: 0 signed difference to *value* not negative, 1 equal, 2 a common bit, 3 a bit that is set in neither. There
    is no limit. Codes as aclrtValueWrite, with 107000 for flags from 4 on.
    """
    require(address, "devAddr")
    _supported(t, stream)
    if flag > NOR:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flag is {flag}: 0 (>=), 1 (==), 2 (and) or 3 (nor) is required")
    target, block = _place(t, address, stream, False)
    target.submit(t, wait_op(t.sim, block, address, flag, value))
    near = _sharing(t, block, address)
    if near is not None:
        near.keep_going()


def _sharing(t: ThreadState, block: Allocation, address: int) -> Neighbours | None:
    """The other processes, if they can have the bytes at *address* as well."""
    near = t.sim.neighbours
    if near is None or behind(block, address - block.address)[0] not in near.shared_bytes:
        return None
    return near


def _supported(t: ThreadState, stream: int) -> None:
    if "value_operations" not in t.sim.profile.supports:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} has no value operations")
    if stream:
        t.stream(stream)


def _place(t: ThreadState, address: int, handle: int, write: bool) -> tuple[Stream, Allocation]:
    """The stream and the block, in the order in which the runtime looks."""
    place = location(t, address, "devAddr")
    if place != "device":
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"devAddr is {t.sim.memory.describe(address)}: device memory is required"
        )
    target = t.submit_stream(handle)
    block = block_for_task(t, address, WIDTH, "devAddr", write)
    assert block is not None
    if address % WIDTH:
        text = (
            f"{t.call} at byte {address - block.address} of {t.sim.names.one_of(block)}: the address must be a multiple of "
            f"{WIDTH}, the hardware does not say so"
        )
        t.sim.report_call(t, "undefined-use", "warning", text)
    return target, block
