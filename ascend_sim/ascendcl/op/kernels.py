"""Single operators: selectors and custom kernels (docs/semantics/operators.md#selectors-and-kernels).

*binData* of aclopCreateKernel points to a kernel file of the simulator: its source, which begins with the line
``# ascend_sim kernels``, or its path, or a name that was registered in ``sim.kernels``. *kernelName* is a kernel in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers, peek, read_text
from ascend_sim.ascendcl.op.arguments import check_counts, read_descs
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.kernels.launching.binaries import Binary, Function
from ascend_sim.kernels.launching.registry import IN_MEMORY, KernelRegistry
from ascend_sim.ops.custom_kernels import KernelDesc
from ascend_sim.ops.op_attributes import attributes_of
from ascend_sim.ops.registry import OperatorRegistry
from ascend_sim.runtime.thread_state import ThreadState

LONGEST_PATH = 4096


def _text(value: str | None, what: str) -> str:
    if value is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} is NULL", "acl")
    return value


@api("aclopRegisterCompileFunc")
def register_compile_func(t: ThreadState, op_type: str | None, function: Callable[..., Any] | None) -> None:
    """The selector of an operator type: ``f(nIn, inDescs, nOut, outDescs, attr, kernelDesc) -> code``.

    Codes: 100000 NULL, 100030 the type has one.
    """
    title = _text(op_type, "opType")
    if function is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "func is NULL", "acl")
    t.sim.part(OperatorRegistry).single.custom.register(title, function)


@api("aclopUnregisterCompileFunc")
def unregister_compile_func(t: ThreadState, op_type: str | None) -> None:
    """Forget the selector; what it chose stays, for handles. Codes: 100000 NULL; none is no error."""
    t.sim.part(OperatorRegistry).single.custom.unregister(_text(op_type, "opType"))


@api("aclopCreateKernel")
def create_kernel(
    t: ThreadState, op_type: str | None, kernel_id: str | None, kernel_name: str | None, data: int, size: int,
    engine: int, deallocator: Callable[..., Any] | None,
) -> None:  # fmt: skip
    """A kernel of an operator type. The deallocator runs when the process ends, and after no failure.

    Codes: 100000 NULL, 100031 the type has this id, 100000 engine not AICORE or VECTOR, 107000 no kernel file.
    """
    title, name, kernel = _text(op_type, "opType"), _text(kernel_id, "kernelId"), _text(kernel_name, "kernelName")
    require(data, "binData")

    def load() -> Function:
        binary = _binary(t, data, size)
        return Function(_kernel(binary, kernel), binary)

    t.sim.part(OperatorRegistry).single.custom.create(t, title, name, engine, load, data, size, deallocator)


def _kernel(binary: Binary, name: str) -> Any:
    """The kernel; compilers put ``__kernel0`` and the like behind the name of the function."""
    plain = name.partition("__kernel")[0]
    return binary.kernels[plain] if name not in binary.kernels and plain in binary.kernels else binary.find(name)


def _binary(t: ThreadState, data: int, size: int) -> Binary:
    """What lies at *data*. Its size is not looked at by this layer: without one the text ends at a zero byte."""
    raw = peek(data, size, "binData") if size > 0 else (read_text(data) or "").encode()
    if not raw:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"binData: {size} bytes cannot be read at {data:#x}", "driver")
    path = raw.split(b"\0", 1)[0]
    if len(path) < LONGEST_PATH and path.isascii() and path.decode().isprintable():
        return t.sim.part(KernelRegistry).load_file(path.decode(), False)
    return t.sim.part(KernelRegistry).load_bytes(raw, IN_MEMORY, False)


# -- inside the selector -----------------------------------------------------------------------------------------------


def _desc(t: ThreadState, handle: int) -> KernelDesc:
    """The kernel descriptor. Raises AclError 100000 for NULL, and, with a finding, for one that is gone."""
    require(handle, "kernelDesc")
    found = t.sim.handles.get(handle)
    if not isinstance(found, KernelDesc):
        why = t.sim.tombstone(handle) or "no such handle was ever given out"
        title = f"{t.call} got a kernel descriptor that is gone: {why}; the real library writes into freed memory"
        t.sim.report_call(t, "undefined-use", "error", title)
        raise AclError(ACL_ERROR_INVALID_PARAM, f"kernelDesc is {handle:#x}: {why}", "acl")
    return found


@api("aclopSetKernelArgs")
def set_kernel_args(t: ThreadState, handle: int, kernel_id: str | None, blocks: int, args: int, size: int) -> None:
    """Which kernel, how many blocks, and the tiling bytes, which are copied now. The last call wins.

    Codes: 100000 NULL (*args* too, even for no bytes). Ids and numbers of blocks are not checked.
    """
    require(handle, "kernelDesc")
    require(args, "args")
    name = _text(kernel_id, "kernelId")
    desc = _desc(t, handle)
    tiling = peek(args, size, "args") if size else b""
    if tiling is None:
        title = f"aclopSetKernelArgs copies {size} bytes from {t.sim.memory.describe(args)}, which cannot be read"
        t.sim.report_call(t, "undefined-use", "error", title)
        raise AclError(ACL_ERROR_INVALID_PARAM, f"args: {size} bytes of host memory cannot be read at {args:#x}", "acl")
    desc.set_args(t, name, blocks, tiling)


@api("aclopSetKernelWorkspaceSizes")
def set_kernel_workspace_sizes(t: ThreadState, handle: int, count: int, sizes: Any) -> None:
    """Append workspace sizes in bytes. Any number is taken here, more than 16 in all fail at the launch.

    Codes: 100000 NULL descriptor, a negative count, no sizes for a count above 0.
    """
    require(handle, "kernelDesc")
    if count < 0:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"numWorkspaces is {count}: 0 or more is required", "acl")
    if count:
        require(sizes, "workspaceSizes")
    desc = _desc(t, handle)
    desc.add_workspaces(t, integers(sizes, count, "workspaceSizes") if count else [])


@api("aclopUpdateParams")
def update_params(
    t: ThreadState, op_type: str | None, inputs: int, input_descs: Any, outputs: int, output_descs: Any, attr: int
) -> None:
    """Let the selector choose for these descriptors and attributes; it runs now, in this thread.

    Codes: 100000 NULL or negative; 100028 no selector, what it returns, 100029 a kernel that the type does not have.
    """
    title = _text(op_type, "opType")
    check_counts(inputs, outputs)
    ins = read_descs(t, input_descs, inputs, "inputDesc")
    outs = read_descs(t, output_descs, outputs, "outputDesc")
    t.sim.part(OperatorRegistry).single.custom.update(t, title, ins, outs, attributes_of(t, attr))


@api("aclopSetMaxOpQueueNum")
def set_max_op_queue_num(t: ThreadState, most: int) -> None:
    """How many kernel descriptors and compiled operators are kept; older ones go. Codes: 100000 for 0."""
    require(most, "maxOpNum")
    t.sim.part(OperatorRegistry).single.set_bound(most)
