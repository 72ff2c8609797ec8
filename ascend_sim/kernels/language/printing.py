"""Where b.printf and failed assertions of kernels print: lines with the block's prefix, as many as the buffer holds."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from ascend_sim.kernels.language.block import Block
from ascend_sim.runtime.settings.device_limits import SIMD_FIFO

if TYPE_CHECKING:
    from ascend_sim.kernels.language.kernel import Kernel
    from ascend_sim.runtime.core import Runtime

__all__ = ["DevicePrinter", "HostPrinter"]

SILENT = ("910", "310p", "310b", "310")
"""Families without printing from kernels (docs/semantics/kernels.md#printing)."""


class HostPrinter:
    """Prints all of it to stdout."""

    def __call__(self, kernel: Kernel, block: Any, line: str, size: int) -> None:
        """Print *line*."""
        print(prefix(block) + line, file=sys.stdout)


class DevicePrinter(HostPrinter):
    """Prints as much as the print buffer of a core holds (aclrtDeviceSetLimit, SIMD_PRINTF_FIFO_SIZE_PER_CORE)."""

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim

    def __call__(self, kernel: Kernel, block: Any, line: str, size: int) -> None:
        """Print *line* if there is room for its *size* bytes."""
        if os.environ.get("ASCENDC_DUMP") == "0":
            return
        family = self._sim.profile.family
        if family in SILENT:
            self._note(kernel, f"prints, which {self._sim.profile.name} cannot do: nothing of it is shown")
            return
        room = self._sim.process.limits.values[SIMD_FIFO]
        if isinstance(block, Block):
            block.printed += size
            if block.printed > room:
                self._note(kernel, f"prints more than its buffer of {room} bytes for each core: the rest is lost")
                return
        super().__call__(kernel, block, line, size)

    def _note(self, kernel: Kernel, what: str) -> None:
        fix = "simd_printf_fifo_size_per_core in aclInit's file makes the buffer larger" if "buffer" in what else ""
        self._sim.report("undefined-use", "note", f"kernel `{kernel.name}` {what}", fix=fix)


def prefix(block: Any) -> str:
    """``[AIV Block 3/8] ``: the kind of core, the block among those of its kind."""
    if not isinstance(block, Block):
        return f"[Block 0-{block.num - 1}/{block.num}] "
    kind = "AIC" if block.is_aic else "AIV" if block.is_aiv else "AICPU"
    return f"[{kind} Block {block.idx}/{block.units}] "
