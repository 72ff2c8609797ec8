"""Chapter 14: kernel functions: attributes, parameters, addresses, symbols, and which one a failed launch was."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.device.identity import put_text
from ascend_sim.ascendcl.kernel.loading import binary_of, function_of
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_SYMBOL_NOT_FOUND
from ascend_sim.constants.execution import (
    ACL_FUNC_ATTR_KERNEL_RATIO,
    ACL_FUNC_ATTR_KERNEL_SCHED_MODE,
    ACL_FUNC_ATTR_KERNEL_TYPE,
    ACL_KERNEL_TYPE_AICORE,
    ACL_KERNEL_TYPE_AICPU,
    ACL_KERNEL_TYPE_CUBE,
    ACL_KERNEL_TYPE_MIX,
    ACL_KERNEL_TYPE_VECTOR,
)
from ascend_sim.errors import AclError
from ascend_sim.kernels.launching.launch import Launch
from ascend_sim.kernels.launching.variables import DeviceVariables, variables_of
from ascend_sim.machine.profiles import COUPLED
from ascend_sim.runtime.callbacks.exceptions import ExceptionInfo, listen
from ascend_sim.runtime.thread_state import ThreadState

KERNEL_TYPES = {
    "aic": ACL_KERNEL_TYPE_CUBE,
    "aiv": ACL_KERNEL_TYPE_VECTOR,
    "mix11": ACL_KERNEL_TYPE_MIX,
    "mix12": ACL_KERNEL_TYPE_MIX,
    "cpu": ACL_KERNEL_TYPE_AICPU,
}
"""aclrtKernelType; coupled chips have only AICORE and AICPU."""
RATIOS = {"aiv": 1, "aic": 1 << 16, "mix11": (1 << 16) | 1, "mix12": (1 << 16) | 2}
"""Cube cores in the upper 16 bits, vector cores in the lower ones."""
SYNC_UNIT = 0xACE5_0000_0000
"""What stands for the address of the sync unit of device 0: nothing is there."""


@api("aclrtGetFunctionName")
def get_function_name(t: ThreadState, handle: int, most: int, buffer: int) -> None:
    """Write the kernel's name and a zero to *buffer*, *most* bytes of host memory.

    Codes: 100000 NULL buffer; 107000 NULL function, or *maxLen* below the name's length + 1.
    """
    require(buffer, "name")
    if not handle:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "funcHandle is NULL")
    name = function_of(t, handle).kernel.name
    if most < len(name) + 1:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"maxLen is {most}: `{name}` needs {len(name) + 1}")
    put_text(buffer, name, "name")


@api("aclrtGetFunctionAddr")
def get_function_addr(t: ThreadState, handle: int) -> tuple[int, int]:
    """Addresses on cube and vector cores, 0 where it does not run. Codes: 100000 NULL, 107000 CPU."""
    require(handle, "funcHandle")
    function = function_of(t, handle)
    if function.cpu:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{function.describe()} is a CPU kernel: it has no address on the device"
        )
    address = function.handle
    kind = function.kernel.kind
    return (0 if kind == "aiv" else address), (0 if kind == "aic" else address)


@api("aclrtGetFunctionSize")
def get_function_size(t: ThreadState, handle: int) -> tuple[int, int]:
    """Code sizes on cube and vector cores, 0 where it does not run. Codes: 107000 NULL."""
    if not handle:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "funcHandle is NULL")
    kernel = function_of(t, handle).kernel
    kind, size = kernel.kind, len(kernel.function.__code__.co_code)
    return (0 if kind == "aiv" else size), (0 if kind == "aic" else size)


@api("aclrtGetFunctionAttribute")
def get_function_attribute(t: ThreadState, handle: int, attribute: int) -> int:
    """KERNEL_TYPE 1 (aclrtKernelType), KERNEL_RATIO 2 (cube cores << 16 | vector cores), KERNEL_SCHED_MODE 3.

    Codes: 100000 NULL, 107000 another attribute, or the ratio of a CPU kernel.
    """
    require(handle, "funcHandle")
    function = function_of(t, handle)
    kernel = function.kernel
    if attribute == ACL_FUNC_ATTR_KERNEL_TYPE:
        if function.cpu:
            return ACL_KERNEL_TYPE_AICPU
        return ACL_KERNEL_TYPE_AICORE if t.sim.profile.family in COUPLED else KERNEL_TYPES[kernel.kind]
    if attribute == ACL_FUNC_ATTR_KERNEL_RATIO and not function.cpu:
        return RATIOS[kernel.kind]
    if attribute == ACL_FUNC_ATTR_KERNEL_SCHED_MODE:
        return kernel.schedmode
    raise AclError(
        ACL_ERROR_RT_PARAM_INVALID,
        f"attribute {attribute} is not known"
        if attribute != ACL_FUNC_ATTR_KERNEL_RATIO
        else "a CPU kernel has no ratio",
    )


@api("aclrtFunctionGetBinary")
def function_get_binary(t: ThreadState, handle: int) -> int:
    """The binary that a function belongs to. Codes: 100000 NULL, 107017."""
    require(handle, "funcHandle")
    binary = function_of(t, handle).binary
    return binary.handle if binary is not None else 0


@api("aclrtFunctionGetParamCount")
def function_get_param_count(t: ThreadState, handle: int) -> int:
    """How many parameters a function has. Codes: 100000 NULL, 107017."""
    require(handle, "func")
    return len(function_of(t, handle).kernel.parameters)


@api("aclrtFunctionGetParamInfo")
def function_get_param_info(t: ThreadState, handle: int, index: int) -> tuple[int, int]:
    """Offset and size of a parameter in the argument block. Codes: 100000 NULL, 107000 bad index."""
    require(handle, "func")
    kernel = function_of(t, handle).kernel
    if index >= len(kernel.parameters):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"paramIndex is {index}: `{kernel.name}` has {len(kernel.parameters)} parameters",
        )
    dtype, offset = kernel.fields[kernel.parameters[index].name]
    return offset, dtype.itemsize


@api("aclrtFunctionGetAvailDynUbufPerBlock")
def function_get_avail_dyn_ubuf(t: ThreadState, handle: int, flags: int) -> int:
    """0: the kernels here are no SIMT kernels. Codes: 100000 NULL, 107017."""
    require(handle, "func")
    function_of(t, handle)
    return 0


@api("aclrtGetFuncBySymbol")
def get_func_by_symbol(t: ThreadState, symbol: int) -> int:
    """The function of a host symbol: only programs that were built with their kernels have any.

    Codes: 100000 NULL, 207000 products without it, 107000: here no symbol names a kernel.
    """
    require(symbol, "symbol")
    check_product(t, "aclrtGetFuncBySymbol")
    t.current_context()
    what = f"{symbol:#x} is the symbol of no kernel: load its Python file and look it up by name"
    raise AclError(ACL_ERROR_RT_PARAM_INVALID, what, outputs=(0,))


@api("aclrtBinaryGetGlobal")
def binary_get_global(t: ThreadState, handle: int, name: str | None) -> tuple[int, int]:
    """Address (on the current device) and size of a variable of a binary: a `gm.Variable` of the kernel file.

    Codes: 100000 NULL, 107017, 107002, 107042 no such variable.
    """
    require(handle, "binHandle")
    require(name, "name")
    binary = binary_of(t, handle)
    device = t.current_context().device.index
    known = variables_of(binary.kernels.values())
    if name not in known:
        has = f"it has {', '.join(known)}" if known else "it declares none (gm.Variable)"
        raise AclError(ACL_ERROR_RT_SYMBOL_NOT_FOUND, f"{binary.describe()} has no device variable {name!r}: {has}")
    block = t.sim.part(DeviceVariables).memory(known[name], device)
    return block.address, block.size


@api("aclrtGetHardwareSyncAddr")
def get_hardware_sync_addr(t: ThreadState) -> int:
    """A number for the hardware's sync unit, which only kernels pass on. Codes: 207000, 107002."""
    check_product(t, "aclrtGetHardwareSyncAddr")
    return SYNC_UNIT + t.current_context().device.index


@api("aclrtBinarySetExceptionCallback", raw=("userData",))
def binary_set_exception_callback(t: ThreadState, handle: int, callback: Any, user_data: Any) -> None:
    """Call ``callback(info, userData)`` when a kernel of this binary fails; the last registration counts.

    Codes: 100000 NULL, 107017.
    """
    require(handle, "binHandle")
    require(callback, "callback")
    binary = binary_of(t, handle)
    if binary.exception_callback is None:
        t.sim.process.binary_callbacks += 1
    binary.exception_callback = (callback, user_data)
    listen(t.sim)


def _launch(t: ThreadState, handle: int) -> Launch:
    """The failed launch of an exception. Raises AclError 107000: no exception now, or not one of a kernel."""
    info = t.sim.handles.get(handle)
    if not isinstance(info, ExceptionInfo):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{handle:#x} is no exception now: it only lives while the callback runs"
        )
    op = info.task.op if info.task is not None else None
    op = getattr(op, "original", op)  # of a fault on purpose
    if not isinstance(op, Launch):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{info.describe()} is not that of a kernel")
    return op


@api("aclrtGetArgsFromExceptionInfo")
def get_args_from_exception_info(t: ThreadState, info: int) -> tuple[int, int]:
    """Device address and bytes of the failed kernel's arguments.

    Arguments that the launch copied from the host are put into device memory of their own here. Codes: 107000 NULL, or
    not the exception of a kernel.
    """
    return _launch(t, info).device_arguments()


@api("aclrtGetFuncHandleFromExceptionInfo")
def get_func_handle_from_exception_info(t: ThreadState, info: int) -> int:
    """The function of the failed kernel. Codes: 107000 NULL, or not the exception of a kernel."""
    return _launch(t, info).plan.function.handle
