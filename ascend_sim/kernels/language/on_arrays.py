"""Running a kernel on numpy arrays, without a device: for tests of the kernel itself, and for lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_sim.kernels.language.gm import CopyingIn
from ascend_sim.kernels.language.printing import HostPrinter
from ascend_sim.kernels.launching.grid import Grid, Order, Waiting
from ascend_sim.kernels.launching.orders import make_order

if TYPE_CHECKING:
    from ascend_sim.kernels.language.kernel import Kernel
    from ascend_sim.kernels.language.signature import Parameter

__all__ = ["run_on_arrays"]


def run_on_arrays(kernel: Kernel, blocks: int, arguments: tuple[Any, ...], order: str) -> None:
    """Run *kernel* over numpy arrays; raises what the kernel raises, and RuntimeError when its blocks wait for ever."""
    if blocks < 1:
        raise ValueError(f"{blocks} blocks: at least one is required")
    chosen = make_order(order, 0)
    grid = Grid(kernel, blocks, blocks, HostPrinter())
    pairs = list(zip(kernel.parameters, arguments, strict=True))
    written = [v for p, v in pairs if p.form == "memory" and p.memory.writes]
    values = [_from_array(p, v, written) for p, v in pairs]
    if kernel.waits:
        _run_waiting(grid, values, chosen)
        return
    for i in grid.arranged(chosen):
        kernel.function(grid.blocks[i], *values)


def _run_waiting(grid: Grid, values: list[Any], order: Order) -> None:
    run = Waiting(grid, values, order, grid.num)
    try:
        run.run()
        if not run.done:
            raise RuntimeError(f"kernel `{grid.kernel.name}` hangs: {run.why()}")
    finally:
        run.close()


def _from_array(parameter: Parameter, value: Any, written: list[Any]) -> Any:
    if parameter.form == "struct":
        return value
    if parameter.form == "number":
        return parameter.dtype.type(value)
    array = np.ascontiguousarray(value)
    if array is not value and parameter.memory.writes:
        raise TypeError(f"`{parameter.name}` is written: a C-contiguous numpy array is required")
    if array.dtype != parameter.dtype:
        name, wanted = parameter.name, parameter.dtype
        raise TypeError(f"`{name}` holds {wanted}, the array {array.dtype}: pass {name}.astype(np.{wanted})")
    kind = parameter.memory
    if not kind.writes and any(np.may_share_memory(array, other) for other in written):
        kind = CopyingIn  # loads are copies: the kernel changes what it reads through another parameter
    made = kind(parameter.name, parameter.dtype, None, 0, None, None, 0, parameter.struct)
    made.show(array.reshape(-1))
    return made
