"""The device variables of one simulator: where each is on which device, and whose symbol a number is.

See docs/semantics/kernels.md#device-variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_INVALID_SYMBOL, ACL_ERROR_RT_MEMORY_ALLOCATION
from ascend_sim.errors import AclError
from ascend_sim.kernels.language.kernel import Kernel
from ascend_sim.kernels.language.variables import Variable
from ascend_sim.kernels.launching.binaries import Binary
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.runtime.memory.allocation import round_up
from ascend_sim.source.fence import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime

__all__ = ["DeviceVariables", "variables_of"]


def variables_of(kernels: Iterable[Kernel]) -> dict[str, Variable]:
    """The variables of the files of *kernels*, by name."""
    found: dict[str, Variable] = {}
    for kernel in kernels:
        names = getattr(kernel.function, "__globals__", {})
        found.update({name: value for name, value in names.items() if isinstance(value, Variable)})
    return found


class DeviceVariables:
    """`sim.part(DeviceVariables)`."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self._memory: dict[tuple[Variable, int], Allocation] = {}

    def memory(self, variable: Variable, device: int) -> Allocation:
        """What *variable* is on *device*, made at its first use. Raises AclError 207001."""
        known = self._memory.get((variable, device))
        if known is not None and not known.freed:
            return known
        memory = self.sim.memory
        try:
            made = memory.allocate(device, variable.nbytes, round_up(variable.nbytes))
        except OutOfMemory as full:
            raise AclError(ACL_ERROR_RT_MEMORY_ALLOCATION, full.text, "driver") from None
        memory.view(made.address, variable.nbytes, True)[:] = bytearray(variable.initial.tobytes())
        self._memory[variable, device] = made
        return made

    def find(self, symbol: object) -> Variable:
        """The variable that *symbol*, the object or its number, stands for. Raises AclError 107043."""
        if isinstance(symbol, Variable):
            return symbol
        for variable in self._known():
            if variable.__index__() == symbol:
                return variable
        raise AclError(
            ACL_ERROR_RT_INVALID_SYMBOL,
            f"symbol is {shown(symbol)}: no device variable of a kernel file that was loaded or launched",
        )

    def _known(self) -> Iterator[Variable]:
        for thing in list(self.sim.handles.values()):
            if isinstance(thing, Binary):
                yield from variables_of(thing.kernels.values()).values()
        for variable, _ in self._memory:
            yield variable
