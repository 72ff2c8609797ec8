"""Chapter 14: argument handles of kernel launches."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.kernel.loading import function_of
from ascend_sim.constants.errors import ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.kernels.launching.arguments import BUFFER, DETAIL, HEADER, MOST, ArgsHandle, ArgsParameter, HostBuffer
from ascend_sim.kernels.launching.binaries import Function
from ascend_sim.kernels.launching.registry import KernelRegistry
from ascend_sim.runtime.thread_state import ThreadState


def args_of(t: ThreadState, handle: int) -> ArgsHandle:
    """The args handle. Raises AclError 107017."""
    found = t.sim.handles.get(handle)
    if not isinstance(found, ArgsHandle):
        raise t.stale(handle, "args handle")
    return found


def _parameter(t: ThreadState, args: ArgsHandle, handle: int) -> ArgsParameter:
    found = t.sim.handles.get(handle)
    if not isinstance(found, ArgsParameter):
        raise t.stale(handle, "kernel parameter")
    if found.owner is not args or found.generation != args.generation:
        raise AclError(
            ACL_ERROR_RT_INVALID_HANDLE,
            f"{handle:#x} is a parameter of an args handle that was reset since, or of another one",
        )
    return found


def _value(address: int, size: int, what: str) -> bytes:
    if size > BUFFER:
        return bytes(BUFFER + 1)  # too long for every handle, whatever it holds
    data = peek(address, size, what)
    if data is None:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{what}: {size} bytes of host memory cannot be read at {address:#x}", "driver"
        )
    return data


@api("aclrtKernelArgsInit")
def kernel_args_init(t: ThreadState, function: int) -> int:
    """This thread's args handle, reset for *function*. Codes: 100000 NULL, 107017."""
    require(function, "funcHandle")
    found = function_of(t, function)
    handles = t.sim.part(KernelRegistry).handles
    args = handles.get(t.number)
    if args is None:
        args = handles[t.number] = ArgsHandle(found, HostBuffer(BUFFER), MOST)
        args.handle = t.sim.new_handle(args)
    else:
        for parameter in args.parameters:
            t.sim.drop_handle(parameter.handle)
        args.reset(found, HostBuffer(BUFFER), MOST)
    return int(args.handle)


@api("aclrtKernelArgsInitByUserMem")
def kernel_args_init_by_user_mem(t: ThreadState, function: int, handle: int, memory: int, size: int) -> None:
    """An args handle in the caller's memory. Codes: 100000 NULL or size 0, 107017.

    The bytes at *argsHandle* are the caller's; the simulator keeps the state of the handle beside them.
    """
    require(function, "funcHandle")
    require(handle, "argsHandle")
    require(memory, "userHostMem")
    require(size, "actualArgsSize")
    found = function_of(t, function)
    args = ArgsHandle(found, HostBuffer(size, memory), max(len(found.kernel.parameters), 1))
    args.handle = handle
    t.sim.handles[handle] = args


@api("aclrtKernelArgsGetMemSize")
def kernel_args_get_mem_size(t: ThreadState, function: int, size: int) -> int:
    """Host bytes for *size* bytes of arguments. Codes: 100000 NULL, 107017."""
    require(function, "funcHandle")
    found: Function = function_of(t, function)
    return size if found.cpu else size + 64 + 8 * len(found.kernel.parameters)


@api("aclrtKernelArgsGetHandleMemSize")
def kernel_args_get_handle_mem_size(t: ThreadState, function: int) -> int:
    """Host bytes for the handle itself. Codes: 100000 NULL, 107017."""
    require(function, "funcHandle")
    found: Function = function_of(t, function)
    return HEADER + (MOST if found.cpu else len(found.kernel.parameters)) * DETAIL


def _added(t: ThreadState, parameter: ArgsParameter) -> int:
    parameter.handle = t.sim.new_handle(parameter)
    return parameter.handle


@api("aclrtKernelArgsAppend")
def kernel_args_append(t: ThreadState, handle: int, value: int, size: int) -> int:
    """Copy a parameter's value in. Codes: 100000 NULL or 0, 107017, 207000 too late, 107000 full."""
    require(handle, "argsHandle")
    require(value, "param")
    require(size, "paramSize")
    args = args_of(t, handle)
    return _added(t, args.append(_value(value, size, "param")))


@api("aclrtKernelArgsAppendPlaceHolder")
def kernel_args_append_place_holder(t: ThreadState, handle: int) -> int:
    """Add a slot for a device address. Codes: 100000, 107017, 207000 too late, 107000 full."""
    require(handle, "argsHandle")
    return _added(t, args_of(t, handle).append_place_holder())


@api("aclrtKernelArgsGetPlaceHolderBuffer")
def kernel_args_get_place_holder_buffer(t: ThreadState, handle: int, parameter: int, size: int) -> int:
    """Where to write the data of a place holder (host). Codes: 100000, 107017, 107000, 207000."""
    require(handle, "argsHandle")
    require(parameter, "paramHandle")
    require(size, "dataSize")
    args = args_of(t, handle)
    return args.place_holder_buffer(_parameter(t, args, parameter), size)


@api("aclrtKernelArgsParaUpdate")
def kernel_args_para_update(t: ThreadState, handle: int, parameter: int, value: int, size: int) -> None:
    """Replace a parameter's value; finalise again before the next launch. Codes: 100000, 107017, 107000."""
    require(handle, "argsHandle")
    require(parameter, "paramHandle")
    require(value, "param")
    require(size, "paramSize")
    args = args_of(t, handle)
    args.update(_parameter(t, args, parameter), _value(value, size, "param"))


@api("aclrtKernelArgsFinalize")
def kernel_args_finalize(t: ThreadState, handle: int) -> None:
    """Make it ready to launch. Codes: 100000 NULL, 107017, 107002 no context."""
    require(handle, "argsHandle")
    args = args_of(t, handle)
    t.current_context()
    args.finalize()
