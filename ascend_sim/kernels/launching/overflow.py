"""Overflow of floating-point arithmetic in kernels: the status of the device, and the code of a stream that asks.

numpy tells of overflow and invalid results; it computes them as Inf and NaN in every mode, so the saturation of the
older chips' results is not modelled. Looked for only where the stream's switch is on, or the device is in saturation
mode (docs/semantics/kernels.md#overflow).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_AICORE_OVER_FLOW,
    ACL_ERROR_RT_AIVEC_OVER_FLOW,
    ACL_ERROR_RT_OVER_FLOW,
)
from ascend_sim.kernels.launching import faults
from ascend_sim.runtime.task import TaskFault

if TYPE_CHECKING:
    from types import TracebackType

    from ascend_sim.kernels.launching.plan import Plan
    from ascend_sim.runtime.task import Task

__all__ = ["Overflow"]

OVERFLOW = {"aic": ACL_ERROR_RT_AICORE_OVER_FLOW, "aiv": ACL_ERROR_RT_AIVEC_OVER_FLOW, "cpu": ACL_ERROR_RT_OVER_FLOW}
"""Informational codes: the results are there (docs/semantics/streams.md#codes-of-failed-tasks)."""


class Overflow:
    """Notes whether numpy computed beyond the range of a type while it is entered."""

    __slots__ = ("_state", "found", "plan", "task")

    def __init__(self, plan: Plan, task: Task) -> None:
        self.plan = plan
        self.task = task
        self.found = ""

    def _note(self, what: str, flag: int) -> None:
        self.found = what

    def __enter__(self) -> None:
        self._state = np.errstate(over="call", invalid="call", call=self._note)
        self._state.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._state.__exit__(kind, value, trace)

    def conclude(self) -> None:
        """The kernel has run: set the status. Raises TaskFault when the stream's switch is on."""
        if not self.found:
            return
        plan, stream = self.plan, self.task.stream
        plan.device.overflow = True
        if stream.overflow_check:
            code = OVERFLOW[plan.core]
            text = f"kernel `{plan.kernel.name}` computed a floating-point {self.found}, and overflow detection is on"
            plan.sim.report(
                "task-fault", "warning", text, [faults.launch_site(plan, self.task, True)],
                streams=(plan.sim.names.described(stream),), time_ns=plan.sim.scheduler.now,
                code=("the next synchronise", code),
            )  # fmt: skip
            raise TaskFault(code, text, reported=True)
