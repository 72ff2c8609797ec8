"""Custom kernels of operators: selectors, kernels, and what selectors chose.

See docs/semantics/operators.md#selectors-and-kernels.

All three stores belong to the process: nothing empties them but ageing. The odd behaviours are the real ones; where one
of them hides something from the program, a ``hidden-error`` finding says it and the code stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import (
    ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED,
    ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED,
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_KERNEL_ALREADY_REGISTERED,
    ACL_ERROR_KERNEL_NOT_FOUND,
)
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.kernels.launching.binaries import Function
from ascend_sim.ops.op_attributes import OpAttributes
from ascend_sim.ops.op_signatures import OpKey, key_of
from ascend_sim.ops.stores import Store
from ascend_sim.ops.workspaces import MOST
from ascend_sim.runtime.tensors.descriptors import TensorDesc

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["CustomKernel", "CustomKernels", "KernelDesc"]

AICORE, VECTOR = 1, 2
Selector = Callable[..., Any]


class CustomKernel:
    """A kernel that aclopCreateKernel made for an operator type."""

    __slots__ = ("data", "deallocator", "function", "kernel_id", "size")

    def __init__(
        self, kernel_id: str, function: Function, data: int, size: int, deallocator: Callable[[int, int], Any] | None
    ) -> None:
        self.kernel_id = kernel_id
        self.function = function
        self.data = data
        self.size = size
        self.deallocator = deallocator


class KernelDesc:
    """What a selector chose for one set of descriptors and attributes: kernel, blocks, tiling bytes, workspaces."""

    __slots__ = (
        "attributes",
        "blocks",
        "handle",
        "inputs",
        "kernel",
        "kernel_id",
        "op_type",
        "outputs",
        "reported",
        "selecting",
        "site",
        "tiling",
        "workspaces",
    )  # fmt: skip

    def __init__(
        self, op_type: str, inputs: Sequence[TensorDesc], outputs: Sequence[TensorDesc], attributes: OpAttributes,
        site: CallSite,
    ) -> None:  # fmt: skip
        self.op_type = op_type
        self.inputs = [desc.copy() for desc in inputs]
        self.outputs = [desc.copy() for desc in outputs]
        self.attributes = attributes.copy()
        self.site = site
        self.handle = 0
        self.kernel_id = ""
        self.blocks = 0
        self.tiling = b""
        self.workspaces: list[int] = []
        self.kernel: CustomKernel | None = None
        """Looked up when the selector has returned."""
        self.selecting = True
        """The selector still runs."""
        self.reported: set[str] = set()
        """Diagnostics that were made already."""

    def choice(self) -> tuple[Any, ...]:
        """What the selector chose, to compare."""
        return self.kernel_id, self.blocks, self.tiling, tuple(self.workspaces)

    def describe(self) -> str:
        """The descriptor in words."""
        shapes = ", ".join(str(desc.dims) for desc in self.inputs)
        return f"the kernel descriptor of {self.op_type}({shapes})"

    def set_args(self, t: ThreadState, kernel_id: str, blocks: int, tiling: bytes) -> None:
        """aclopSetKernelArgs: the last call wins; nothing is checked."""
        self.kernel_id, self.blocks, self.tiling = kernel_id, blocks, tiling
        self._late(t)

    def add_workspaces(self, t: ThreadState, sizes: Sequence[int]) -> None:
        """aclopSetKernelWorkspaceSizes: appends."""
        self.workspaces.extend(sizes)
        self._late(t)
        if len(self.workspaces) > MOST and "workspaces" not in self.reported:
            self.reported.add("workspaces")
            text = f"{self.describe()} has {len(self.workspaces)} workspaces now: {t.call} takes them, no launch does"
            t.sim.report_call(t, "hidden-error", "warning", text, notes=("the sizes of several calls add up",))

    def _late(self, t: ThreadState) -> None:
        """Nothing stops a program from keeping the handle: what it sets then changes later launches."""
        if not self.selecting and "late" not in self.reported:
            self.reported.add("late")
            text = f"{self.describe()} is changed after its selector returned: later launches change with it"
            t.sim.report_call(t, "hidden-error", "note", text)


class CustomKernels:
    """The selectors, kernels and kernel descriptors of the process."""

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self.selectors: dict[str, Selector] = {}
        self.kernels: dict[str, dict[str, CustomKernel]] = {}
        self.descs: Store[KernelDesc] = Store(dropped=self._aged)

    def _aged(self, desc: KernelDesc) -> None:
        self._sim.drop_handle(desc.handle)

    def end(self) -> None:
        """The process ends: now, and only now, deallocators run."""
        kernels = [kernel for known in self.kernels.values() for kernel in known.values()]
        self.kernels.clear()
        for kernel in kernels:
            if kernel.deallocator is not None:
                kernel.deallocator(kernel.data, kernel.size)

    # -- selectors -----------------------------------------------------------------------------------------------------

    def register(self, op_type: str, selector: Selector) -> None:
        """The first registration of a type wins. Raises AclError 100030 for every later one."""
        if op_type in self.selectors:
            raise AclError(
                ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED, f"{op_type} has a selector: unregister it first", "acl"
            )
        self.selectors[op_type] = selector

    def unregister(self, op_type: str) -> None:
        """Forget the selector; kernels and descriptors stay."""
        self.selectors.pop(op_type, None)

    # -- kernels ---------------------------------------------------------------------------------------------------

    def create(
        self, t: ThreadState, op_type: str, kernel_id: str, engine: int, load: Callable[[], Function], data: int,
        size: int, deallocator: Callable[[int, int], Any] | None,
    ) -> None:  # fmt: skip
        """aclopCreateKernel. *load* registers the binary. A failure never runs the deallocator.

        Raises AclError 100031 (this id exists for the type), 100000 (engine), and what *load* raises.
        """
        known = self.kernels.setdefault(op_type, {})
        try:
            if kernel_id in known:
                raise AclError(
                    ACL_ERROR_KERNEL_ALREADY_REGISTERED, f"{op_type} has a kernel {kernel_id!r} already", "acl"
                )
            if engine not in (AICORE, VECTOR):
                raise AclError(
                    ACL_ERROR_INVALID_PARAM, f"enginetype is {engine}: AICORE (1) or VECTOR (2) is required", "acl"
                )
            function = load()
        except AclError as error:
            if deallocator is not None:
                text = f"aclopCreateKernel of {op_type} failed ({error.code}): its deallocator is never called"
                t.sim.report_call(t, "hidden-error", "note", text, fix="free the binary yourself when the call fails")
            raise
        known[kernel_id] = CustomKernel(kernel_id, function, data, size, deallocator)

    def find(self, op_type: str, kernel_id: str) -> CustomKernel | None:
        """The kernel of a type with this id."""
        return self.kernels.get(op_type, {}).get(kernel_id)

    # -- descriptors ---------------------------------------------------------------------------------------------------

    def update(
        self, t: ThreadState, op_type: str, inputs: Sequence[TensorDesc], outputs: Sequence[TensorDesc],
        attributes: OpAttributes,
    ) -> None:  # fmt: skip
        """aclopUpdateParams: let the selector choose, keep the choice. An equal key keeps its first choice.

        The selector runs in the calling thread, without any lock. Raises AclError 100028 (no selector), the selector's
        own code, 100029 (it chose a kernel that the type does not have, or none).
        """
        selector = self.selectors.get(op_type)
        if selector is None:
            raise AclError(
                ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED,
                f"{op_type} has no selector: call aclopRegisterCompileFunc first",
                "acl",
            )
        desc = KernelDesc(op_type, inputs, outputs, attributes, t.site)
        desc.handle = t.sim.new_handle(desc)
        kept = None
        try:
            with t.sim.threads.user_code(t):
                code = selector(
                    len(inputs), [d.handle for d in inputs], len(outputs), [d.handle for d in outputs],
                    attributes.handle, desc.handle,
                )  # fmt: skip
            if isinstance(code, int) and code:
                raise AclError(code, f"the selector of {op_type} returned {code}", "acl")
            desc.kernel = self.find(op_type, desc.kernel_id)
            if desc.kernel is None:
                known = ", ".join(repr(name) for name in self.kernels.get(op_type, {})) or "none"
                chose = repr(desc.kernel_id) if desc.kernel_id else "no kernel (aclopSetKernelArgs was not called)"
                raise AclError(
                    ACL_ERROR_KERNEL_NOT_FOUND, f"the selector of {op_type} chose {chose}; there is {known}", "acl"
                )
            kept = self.descs.add(key_of(op_type, desc.inputs, desc.outputs, desc.attributes), desc)
        finally:
            desc.selecting = False
            if kept is not desc:
                t.sim.drop_handle(desc.handle)
        if kept is not desc and kept.choice() != desc.choice():
            self._dropped(t, kept, desc)

    def _dropped(self, t: ThreadState, kept: KernelDesc, dropped: KernelDesc) -> None:
        t.sim.report(
            "hidden-error",
            "warning",
            f"aclopUpdateParams throws away what the selector of {kept.op_type} chose: the first choice stays",
            [
                Site("access", "answered 0, without effect", t.site, primary=True),
                Site("other", "the choice of this call stays", kept.site),
            ],
            notes=(
                f"kept {kept.kernel_id!r} with {kept.blocks} blocks, {len(kept.tiling)} tiling bytes and workspaces "
                f"{kept.workspaces}",
                f"dropped {dropped.kernel_id!r} with {dropped.blocks} blocks, {len(dropped.tiling)} tiling bytes and "
                f"workspaces {dropped.workspaces}",
            ),
            fix="let the choice depend on shapes and attributes alone",
            time_ns=t.clock,
        )

    def get(self, key: OpKey) -> KernelDesc | None:
        """The descriptor with this key, which counts as used now."""
        return self.descs.get(key)
