"""Chapter 04: floating-point overflow: the saturation mode of a device, and the status that tasks set."""

from __future__ import annotations

import numpy as np

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.constants.execution import ACL_RT_OVERFLOW_MODE_INFNAN, ACL_RT_OVERFLOW_MODE_SATURATION
from ascend_sim.errors import AclError
from ascend_sim.kernels.language.variables import Variable
from ascend_sim.kernels.launching.variables import DeviceVariables
from ascend_sim.machine.engines import memset_cost
from ascend_sim.machine.faults import AddressFault
from ascend_sim.machine.host_memory import view
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.core import Runtime
from ascend_sim.runtime.memory.allocation import fault_error
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Access, Op, Task
from ascend_sim.runtime.thread_state import ThreadState

MODES = ("saturation", "Inf/NaN")
STATUS_BYTES = 64
"""The one size that aclrtGetOverflowStatus takes."""


@api("aclrtSetDeviceSatMode")
def set_device_sat_mode(t: ThreadState, mode: int) -> None:
    """0 saturation, 1 Inf/NaN, for the process; streams keep the mode that they were made with. Needs no context.

    Codes: 107000 other modes, 207000 a mode that the chip lacks (950: only 1; 200I, INF, TRN: only 0).
    """
    if mode not in (ACL_RT_OVERFLOW_MODE_SATURATION, ACL_RT_OVERFLOW_MODE_INFNAN):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"mode is {mode}: 0 (saturation) or 1 (Inf/NaN) is required")
    profile = t.sim.profile
    if mode not in profile.sat_modes:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{profile.name} has no {MODES[mode]} mode")
    for device in t.sim.devices:
        device.sat_mode = mode


@api("aclrtGetDeviceSatMode")
def get_device_sat_mode(t: ThreadState) -> int:
    """The mode set last, else the chip's own: 1 on 950, A3 and A2, 0 elsewhere. Never fails."""
    return t.sim.devices[0].sat_mode


class _Status:
    """The action of a status query: 64 bytes, the first word 1 after an overflow."""

    __slots__ = ("place",)

    def __init__(self, place: Place) -> None:
        self.place = place

    def __call__(self, task: Task, time: int) -> None:
        """Write the status of the stream's device as it is now."""
        address = self.place.reach(task)
        self.place.tell(task)
        if address:
            status = view(address, STATUS_BYTES)
            status[:] = 0
            status[0] = int(task.stream.context.device.overflow)


def _query(t: ThreadState, address: int, size: int, stream: int) -> None:
    found = t.stream(stream) if stream else None
    if not address:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "outputAddr is NULL")
    if size != STATUS_BYTES:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"outputSize is {size}: {STATUS_BYTES} bytes are required")
    if found is not None:
        found.refuse_while_recording(t)
    target = _own(t, found)
    try:
        block = t.sim.memory.check(address, STATUS_BYTES, True)
    except AddressFault as fault:
        raise fault_error(t, fault, "outputAddr") from None
    if block is None or block.device < 0:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"outputAddr is {t.sim.memory.describe(address)}: device memory is required",
            "driver",
        )
    place = Place(t.sim, block, address, STATUS_BYTES, True)
    access = Access(address, address + STATUS_BYTES, True)
    cost = memset_cost(t.sim.profile, STATUS_BYTES)
    target.submit(t, Op("overflow-status", cost, _Status(place), accesses=(access,)))


def _own(t: ThreadState, found: Stream | None) -> Stream:
    context = t.current_context()
    if found is None:
        return context.default
    t.check_own(found)
    return found


@api("aclrtGetOverflowStatus")
def get_overflow_status(t: ThreadState, output: int, size: int, stream: int) -> None:
    """Queue a query: 64 bytes at device address *output* get the status of all streams of the device.

    The first 32-bit word is 1 after an overflow (the other words are 0). Codes: 100000 NULL, 107017 dead stream, 107000
    another size, 107002, 107003.
    """
    require(output, "outputAddr")
    _query(t, output, size, stream)


@api("aclrtGetFloatOverflowStatus")
def get_float_overflow_status(t: ThreadState, output: int, size: int, stream: int) -> None:
    """As aclrtGetOverflowStatus, under an older name without a page; NULL is 107000 there."""
    _query(t, output, size, stream)


@api("aclrtNpuGetFloatOverFlowStatus")
def npu_get_float_overflow_status(t: ThreadState, output: int, size: int, check_mode: int, stream: int) -> None:
    """As aclrtGetOverflowStatus, by a task of the AI cores; *checkMode* is handed on and not looked at. No page."""
    _query(t, output, size, stream)


def _clear(task: Task, time: int) -> None:
    task.stream.context.device.overflow = False


def _reset(t: ThreadState, stream: int) -> None:
    found = t.stream(stream) if stream else None
    if found is not None:
        found.refuse_while_recording(t)
    target = _own(t, found)
    target.submit(t, Op("overflow-reset", memset_cost(t.sim.profile, STATUS_BYTES), _clear))


@api("aclrtResetOverflowStatus")
def reset_overflow_status(t: ThreadState, stream: int) -> None:
    """Queue a reset of the status of all streams of the device. Codes: 107017, 107002, 107003."""
    _reset(t, stream)


@api("aclrtResetFloatOverflowStatus")
def reset_float_overflow_status(t: ThreadState, stream: int) -> None:
    """As aclrtResetOverflowStatus, under an older name without a page."""
    _reset(t, stream)


@api("aclrtNpuClearFloatOverFlowStatus")
def npu_clear_float_overflow_status(t: ThreadState, check_mode: int, stream: int) -> None:
    """As aclrtResetOverflowStatus, by a task of the AI cores; *checkMode* is not looked at. No page."""
    _reset(t, stream)


class _Flags:
    """`sim.part(_Flags)`: for each context the memory in which operators of the saturation mode leave their mark."""

    def __init__(self, sim: Runtime) -> None:
        self._known: dict[Context, Variable] = {}

    def of(self, context: Context) -> Variable:
        """The 64 bytes of *context*."""
        return self._known.setdefault(context, Variable(np.uint32, STATUS_BYTES // 4))


@api("aclrtCtxGetFloatOverflowAddr")
def ctx_get_float_overflow_addr(t: ThreadState) -> int:
    """64 bytes of device memory that programs pass on to operators as their workspace; kernels here leave no mark there.

    What tells of overflows is aclrtGetOverflowStatus. Code: 107002.
    """
    context = t.current_context()
    return t.sim.part(DeviceVariables).memory(t.sim.part(_Flags).of(context), context.device.index).address
