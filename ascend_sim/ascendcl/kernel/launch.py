"""Chapter 14: launches of kernels, each with its checks in the order of the real ones.

Of SIMT launches only the arguments are checked: kernels of that kind are not modelled.
"""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers, peek
from ascend_sim.ascendcl.kernel.arguments import args_of
from ascend_sim.ascendcl.kernel.loading import function_of
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INVALID_HANDLE,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.execution import (
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH,
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET,
    ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP,
    ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING,
    ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE,
    ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US,
)
from ascend_sim.errors import AclError
from ascend_sim.kernels.launching.binaries import Function
from ascend_sim.kernels.launching.submit import DEFAULT, Attributes, device_block, handle_bytes, launch
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.thread_state import ThreadState

SWITCH_LIKE = {
    ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE: ("SCHEM_MODE", "schemMode"),
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH: ("BLOCK_TASK_PREFETCH", "isBlockTaskPrefetch"),
    ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP: ("DATA_DUMP", "isDataDump"),
    ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING: ("ENABLE_PROFILING", "enableProfiling"),
}
"""Attributes that are 0 or 1; the others are not range checked on these chips."""
LOW_32 = (1 << 32) - 1


def attributes_of(cfg: Any) -> Attributes:
    """The attributes of a launch configuration; the last one of an id wins.

    Raises AclError 107000: attrs NULL, unknown id, a value out of its range, both time-outs.
    """
    if cfg is None:
        return DEFAULT
    listed = getattr(cfg, "attrs", None)
    if listed is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "cfg is given, but its attrs are NULL")
    found: dict[int, Any] = {}
    for attribute in list(listed)[: cfg.numAttrs]:
        number = attribute.id
        if not ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE <= number <= ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                f"launch attribute {number} is not known: 1 to {ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING} are",
            )
        if number in SWITCH_LIKE:
            title, field = SWITCH_LIKE[number]
            value = getattr(attribute.value, field)
            if value not in (0, 1):
                raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"launch attribute {title} is {value}: 0 or 1 is required")
        found[number] = attribute.value
    if ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT in found and ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US in found:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "launch attributes TIMEOUT and TIMEOUT_US exclude each other")
    timeout_ns = None
    if ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT in found:
        timeout_ns = found[ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT].timeout * 1_000_000_000
    elif ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US in found:
        halves = found[ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US].timeoutUs
        timeout_ns = ((halves.timeoutHigh << 32) | halves.timeoutLow) * 1000
    return Attributes(
        found[ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE].schemMode == 1
        if ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE in found
        else None,
        timeout_ns,
    )


def _target(t: ThreadState, function: int, stream: int) -> tuple[Function, Stream | None]:
    """Function and stream of a launch: dead handles answer before anything else of the runtime."""
    found = function_of(t, function)
    return found, t.stream(stream) if stream else None


def _own(t: ThreadState, function: Function, stream: Stream | None) -> Stream:
    """The stream to launch on. Raises AclError 107002, 107003, 107017 for a function of another device."""
    if stream is None:
        stream = t.current_context().default
    else:
        t.check_own(stream)
    binary, device = function.binary, stream.context.device.index
    if binary is not None and device not in binary.devices:
        known = ", ".join(str(number) for number in sorted(binary.devices)) or "none"
        text = f"{function.describe()} is not known to device {device} (but to {known}): load it or look it up there"
        raise AclError(ACL_ERROR_RT_INVALID_HANDLE, text, "state")
    return stream


def _check_mixed(t: ThreadState, function: Function, cfg: Any) -> None:
    """A mixed kernel on a chip with vector cores beside its AI cores has to say which of them it takes.

    Raises AclError 107000 without both ENGINE_TYPE and BLOCKDIM_OFFSET.
    """
    if t.sim.profile.product != "INF" or not t.sim.profile.vector_cores or not function.kernel.kind.startswith("mix"):
        return
    given = {attribute.id for attribute in list(cfg.attrs)[: cfg.numAttrs]} if cfg is not None else set()
    if not {ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE, ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET} <= given:
        text = f"{function.describe()} is mixed: {t.sim.profile.name} needs ENGINE_TYPE and BLOCKDIM_OFFSET for it"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)


def _blocks(blocks: int) -> None:
    if not blocks:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "numBlocks is 0")


@api("aclrtLaunchKernel")
def launch_kernel(t: ThreadState, function: int, blocks: int, args: int, size: int, stream: int) -> None:
    """Launch with an argument block in device memory, read when the task runs.

    Codes: 100000 NULL function or args, 107017, 107000 no blocks, then no bytes; 107002, 107003.
    """
    require(function, "funcHandle")
    require(args, "argsData")
    found, target = _target(t, function, stream)
    _blocks(blocks)
    _launch_device(t, found, blocks, args, size, target, DEFAULT)


@api("aclrtLaunchKernelV2")
def launch_kernel_v2(t: ThreadState, function: int, blocks: int, args: int, size: int, cfg: Any, stream: int) -> None:
    """Launch with attributes.

    Codes: 100000 NULL function or args, 107017, 107000 no bytes, then no blocks, then the attributes; 107002, 107003.
    """
    if cfg is None:  # the usual launch, which has to be quick; everything else takes the long way
        handles = t.sim.handles
        found, target = handles.get(function), handles.get(stream)
        if type(found) is Function and type(target) is Stream and t.limit_stream is None:
            context = t.context
            if context is None and t.binding is not None and t.binding.count:
                context = t.binding.primary
            plan = found.plans.get((blocks, target.context.device))
            if (
                plan is not None
                and target.context is context
                and plan.setting == t.sim.process.op_execute_timeout_us
                and args
                and 0 < size <= LOW_32
                and not plan.device.res_limits
            ):
                target.submit(t, plan.launch_at(args, size))
                return
    require(function, "funcHandle")
    require(args, "argsData")
    found, target = _target(t, function, stream)
    if not size & LOW_32:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"argsSize is {size}" + (": its lower 32 bits are 0" if size else "")
        )
    _blocks(blocks)
    attributes = attributes_of(cfg)
    _check_mixed(t, found, cfg)
    _launch_device(t, found, blocks, args, size, target, attributes)


def _launch_device(
    t: ThreadState, function: Function, blocks: int, args: int, size: int, target: Stream | None, attributes: Attributes
) -> None:
    size &= LOW_32
    if not size:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "argsSize is 0")
    stream = _own(t, function, target)
    launch(t, function, blocks, stream, attributes, None, args, size)


@api("aclrtLaunchKernelWithConfig")
def launch_kernel_with_config(
    t: ThreadState, function: int, blocks: int, stream: int, cfg: Any, args: int, reserve: int
) -> None:
    """Launch with an args handle; its bytes are copied now.

    Codes: 100000 NULL function, no blocks, NULL args or reserve given; 107017, 107000 attributes, handle not finalised;
    107002, 107003.
    """
    require(function, "funcHandle")
    require(blocks, "numBlocks")
    require(args, "argsHandle")
    if reserve:
        raise AclError(ACL_ERROR_INVALID_PARAM, "reserve must be NULL", "acl")
    found, target = _target(t, function, stream)
    handle = args_of(t, args)
    attributes = attributes_of(cfg)
    handle.check_launchable()
    own = _own(t, found, target)
    raw, holders = handle_bytes(t, handle, found.kernel)
    _launch_host(t, found, blocks, raw, holders, own, attributes)


@api("aclrtLaunchKernelWithHostArgs")
def launch_kernel_with_host_args(
    t: ThreadState, function: int, blocks: int, stream: int, cfg: Any, args: int, size: int, holders: Any, count: int
) -> None:
    """Launch with an argument block in host memory, copied now; place holders get device addresses.

    Codes: 100000 NULL function or args, 107017, 107000 no bytes, no blocks, place holders NULL or outside, attributes;
    107002, 107003.
    """
    require(function, "funcHandle")
    require(args, "hostArgs")
    found, target = _target(t, function, stream)
    size &= LOW_32
    if not size:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "argsSize is 0")
    _blocks(blocks)
    slots = _place_holders(holders, count, size)
    attributes = attributes_of(cfg)
    own = _own(t, found, target)
    raw = peek(args, size, "hostArgs")
    if raw is None:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"hostArgs: {size} bytes of host memory cannot be read at {args:#x}", "driver"
        )
    _launch_host(t, found, blocks, raw, slots, own, attributes)


def _place_holders(holders: Any, count: int, size: int) -> list[tuple[int, int]]:
    if not count:
        return []
    if holders is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"placeHolderArray is NULL, placeHolderNum is {count}")
    if isinstance(holders, (list, tuple)):
        slots = [(item.addrOffset, item.dataOffset) for item in holders[:count]]
    else:
        numbers = integers(holders, 2 * count, "placeHolderArray", 4)
        slots = list(zip(numbers[::2], numbers[1::2], strict=True))
    for slot, data in slots:
        if slot >= size or data >= size:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                f"a place holder has addrOffset {slot} and dataOffset {data}: argsSize is {size}",
            )
    return slots


@api("aclrtLaunchKernelWithArgsArray")
def launch_kernel_with_args_array(t: ThreadState, function: int, blocks: int, stream: int, cfg: Any, args: Any) -> None:
    """Launch with pointers to the values of the parameters, copied now.

    Codes: 100000 NULL function or no blocks, 107017, 207000 a CPU kernel, 107000 args NULL; 107002, 107003.
    """
    require(function, "func")
    require(blocks, "numBlocks")
    found, target = _target(t, function, stream)
    if found.cpu:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{found.describe()} is a CPU kernel")
    parameters = found.kernel.parameters
    if args is None and parameters:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"args is NULL, {found.describe()} has {len(parameters)} parameters")
    attributes = attributes_of(cfg)
    own = _own(t, found, target)
    raw = bytearray(max(found.kernel.needed, 1))
    for parameter, address in zip(
        parameters, integers(args, len(parameters), "args") if parameters else [], strict=True
    ):
        dtype, offset = found.kernel.fields[parameter.name]
        value = peek(address, dtype.itemsize)
        if value is None:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                f"args: `{parameter.name}`: {dtype.itemsize} bytes cannot be read at {address:#x}",
                "driver",
            )
        raw[offset : offset + dtype.itemsize] = value
    _launch_host(t, found, blocks, bytes(raw), [], own, attributes)


def _launch_host(
    t: ThreadState,
    function: Function,
    blocks: int,
    raw: bytes,
    holders: list[tuple[int, int]],
    stream: Stream,
    attributes: Attributes,
) -> None:
    patched, after = device_block(t, stream, raw, holders)
    launch(t, function, blocks, stream, attributes, patched, after=after)


def _refuse_simt(t: ThreadState, name: str, function: int, grid: Any, block: Any) -> None:
    """Raises AclError: 207000 products without SIMT, 107017, 107000 a dimension of 0, 107000 no SIMT kernel."""
    check_product(t, name)
    found = function_of(t, function)
    for what, dim in (("gridDim", grid), ("blockDim", block)):
        sizes = [getattr(dim, axis, 0) for axis in "xyz"]
        if 0 in sizes:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"{what} is ({', '.join(map(str, sizes))}): every dimension has at least 1"
            )
    raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{found.describe()} is no SIMT kernel: the simulator has none")


@api("aclrtLaunchSIMTKernelWithArgsArray")
def launch_simt_kernel_with_args_array(
    t: ThreadState, function: int, grid: Any, block: Any, buffer: int, stream: int, cfg: Any, args: Any
) -> None:
    """Always refused. Codes: 100000 NULL function, 207000 products without it, 107017, 107000."""
    require(function, "func")
    _refuse_simt(t, "aclrtLaunchSIMTKernelWithArgsArray", function, grid, block)


@api("aclrtLaunchSIMTKernelWithHostArgs")
def launch_simt_kernel_with_host_args(
    t: ThreadState, function: int, grid: Any, block: Any, buffer: int, stream: int, cfg: Any, args: int, size: int,
    holders: Any, count: int,
) -> None:  # fmt: skip
    """Always refused. Codes: 100000 NULL function or args, no bytes; 207000, 107017, 107000."""
    require(function, "func")
    require(args, "hostArgs")
    require(size, "argsSize")
    _refuse_simt(t, "aclrtLaunchSIMTKernelWithHostArgs", function, grid, block)
