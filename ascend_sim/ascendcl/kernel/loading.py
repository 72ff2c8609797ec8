"""Chapter 14: loading kernel binaries, and looking functions up in them."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.constants.execution import (
    ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE,
    ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD,
    ACL_RT_BINARY_LOAD_OPT_MAGIC,
)
from ascend_sim.errors import AclError
from ascend_sim.kernels.language.kernel import Kernel
from ascend_sim.kernels.launching.binaries import Binary, Function, RawBinary
from ascend_sim.kernels.launching.registry import IN_MEMORY, KernelRegistry
from ascend_sim.runtime.thread_state import ThreadState


def _options(options: Any, modes: tuple[int, ...], magic: bool) -> int | None:
    """The CPU kernel mode among the options. Raises AclError 107000 for what they may not hold."""
    if options is None:
        return None
    listed = getattr(options, "options", None)
    if isinstance(options, int) or listed is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "options is given, but its options are NULL")
    mode = None
    for option in list(listed)[: options.numOpt]:
        if option.type == ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD:
            if option.value.isLazyLoad not in (0, 1):
                raise AclError(
                    ACL_ERROR_RT_PARAM_INVALID, f"LAZY_LOAD is {option.value.isLazyLoad}: 0 or 1 is required"
                )
        elif option.type == ACL_RT_BINARY_LOAD_OPT_MAGIC and magic:
            continue
        elif option.type == ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE:
            mode = option.value.cpuKernelMode
            if mode not in modes:
                raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"CPU_KERNEL_MODE is {mode}: one of {modes} is required")
        else:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"option {option.type} is not possible here")
    return mode


def _known_here(t: ThreadState, binary: Binary) -> None:
    """The current device has the code from now on; without one, the first look-up decides."""
    context = t.bound_context()
    if context is not None:
        binary.devices.add(context.device.index)


def _loaded(t: ThreadState, binary: Binary) -> int:
    _known_here(t, binary)
    binary.handle = t.sim.new_handle(binary)
    binary.site, binary.number = t.site, t.sim.next_number("binary")
    return binary.handle


@api("aclrtBinaryLoadFromFile")
def binary_load_from_file(t: ThreadState, path: str | None, options: Any) -> int:
    """Load the kernels of a file: one that is registered for this path, a Python file, or a stub.

    Codes: 100000 NULL, 107000 missing, no kernels in it, bad options.
    """
    require(path, "binPath")
    assert path is not None
    mode = _options(options, (0, 1), False)
    return _loaded(t, t.sim.part(KernelRegistry).load_file(path, mode is not None or path.endswith(".json")))


@api("aclrtBinaryLoadFromData")
def binary_load_from_data(t: ThreadState, data: int, length: int, options: Any) -> int:
    """Load kernels from the bytes of a kernel file. Codes: 100000 NULL, 107000 length 0, bad options."""
    require(data, "data")
    if not length:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "length is 0")
    mode = _options(options, (2,), True)
    t.current_context()
    return _loaded(t, t.sim.part(KernelRegistry).load_bytes(_bytes(data, length), IN_MEMORY, mode is not None))


def _bytes(data: int, length: int) -> bytes:
    raw = peek(data, length, "data")
    if raw is None:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{length} bytes of host memory cannot be read at {data:#x}", "driver"
        )
    return raw


@api("aclrtCreateBinary")
def create_binary(t: ThreadState, data: int, length: int) -> int:
    """A binary of the caller's bytes, not looked at yet; NULL for NULL."""
    if not data:
        return 0
    return t.sim.new_handle(RawBinary(data, length))


@api("aclrtDestroyBinary")
def destroy_binary(t: ThreadState, handle: int) -> None:
    """Forget it; the bytes stay the caller's. Codes: 100000 NULL, 107017."""
    require(handle, "binary")
    _find(t, handle, RawBinary, "binary")
    t.sim.drop_handle(handle)


@api("aclrtBinaryLoad")
def binary_load(t: ThreadState, handle: int) -> int:
    """Load what aclrtCreateBinary described. Codes: 100000 NULL, 107000 length 0 or no kernels."""
    require(handle, "binary")
    raw = _find(t, handle, RawBinary, "binary")
    if not raw.size:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "the binary has no bytes")
    t.current_context()
    return _loaded(t, t.sim.part(KernelRegistry).load_bytes(_bytes(raw.address, raw.size), IN_MEMORY, False))


@api("aclrtBinaryUnLoad")
def binary_unload(t: ThreadState, handle: int) -> None:
    """Unload; its functions are dead. Codes: 100000 NULL, 107017 twice or another kind."""
    require(handle, "binHandle")
    binary = binary_of(t, handle)
    t.current_context()
    for function in binary.functions.values():
        t.sim.drop_handle(function.handle)
    t.sim.drop_handle(handle)


def _find(t: ThreadState, handle: int, kind: Any, what: str) -> Any:
    found = t.sim.handles.get(handle)
    if not isinstance(found, kind):
        raise t.stale(handle, what)
    return found


def binary_of(t: ThreadState, handle: int) -> Binary:
    """The loaded binary of *handle*. Raises AclError 107017."""
    found: Binary = _find(t, handle, Binary, "loaded binary")
    return found


def function_of(t: ThreadState, handle: int) -> Function:
    """The function of *handle*. Raises AclError 107017."""
    found: Function = _find(t, handle, Function, "kernel function")
    return found


def _function(t: ThreadState, binary: Binary, kernel: Kernel, name: str) -> int:
    _known_here(t, binary)
    return function_in_binary(t, binary, kernel, name).handle


def function_in_binary(t: ThreadState, binary: Binary, kernel: Kernel, name: str) -> Function:
    """The function *name* of a loaded binary, which is *kernel*."""
    function = binary.functions.get(name)
    if function is None:
        function = binary.functions[name] = Function(kernel, binary, binary.cpu)
        function.handle = t.sim.new_handle(function)
    return function


@api("aclrtBinaryGetFunction")
def binary_get_function(t: ThreadState, handle: int, name: str | None) -> int:
    """The function of this name. Codes: 100000 NULL, 107017, 107000 unknown: the handle is NULL."""
    require(handle, "binHandle")
    require(name, "kernelName")
    assert name is not None
    binary = binary_of(t, handle)
    t.current_context()
    kernel = binary.find(name)
    return _function(t, binary, kernel, kernel.name)


@api("aclrtBinaryGetFunctionByEntry")
def binary_get_function_by_entry(t: ThreadState, handle: int, entry: int) -> int:
    """The function with this entry. Codes: 100000 NULL, 107000 unknown or a CPU binary."""
    require(handle, "binHandle")
    binary = binary_of(t, handle)
    t.current_context()
    kernel = binary.entries.get(entry)
    if binary.cpu or kernel is None:
        known = ", ".join(str(number) for number in binary.entries) or "none"
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"entry {entry} is not in {binary.name} (entries: {known})", outputs=(0,)
        )
    return _function(t, binary, kernel, kernel.name)


@api("aclrtRegisterCpuFunc")
def register_cpu_func(t: ThreadState, handle: int, function_name: str | None, kernel_name: str | None) -> int:
    """A function of a CPU kernel binary. Codes: 100000 NULL, 107000 no CPU binary or unknown."""
    require(handle, "handle")
    require(function_name, "funcName")
    require(kernel_name, "kernelName")
    assert function_name is not None and kernel_name is not None
    binary = binary_of(t, handle)
    if not binary.cpu:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{binary.describe()} was not loaded as CPU kernels")
    kernel = binary.kernels.get(kernel_name) or binary.find(function_name)
    return _function(t, binary, kernel, kernel_name)


@api("aclrtBinaryGetDevAddress")
def binary_get_dev_address(t: ThreadState, handle: int) -> tuple[int, int]:
    """Where the binary lies on the device: here no code does, so NULL and its size in kernels.

    Codes: 100000 NULL, 107017.
    """
    require(handle, "binHandle")
    return 0, len(binary_of(t, handle).kernels)
