"""Chapter 12: the time limit of operators."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.runtime.settings.op_timeouts import actual_us, interval_us, limit_ms
from ascend_sim.runtime.thread_state import ThreadState

LARGEST_MS = 1_000_000


@api("aclrtSetOpExecuteTimeOut")
def set_op_execute_time_out(t: ThreadState, timeout: int) -> None:
    """Limit tasks of the cores that are queued later to *timeout* seconds, 0: the longest limit; for the process.

    The hardware rounds up to its steps and caps. A launch with a limit of its own is not touched. Never fails.
    """
    t.sim.process.op_execute_timeout_us = timeout * 1_000_000


@api("aclrtSetOpExecuteTimeOutWithMs")
def set_op_execute_time_out_with_ms(t: ThreadState, timeout: int) -> None:
    """As aclrtSetOpExecuteTimeOut, in milliseconds, at most 1000 s. Never fails, though no product has it by the page."""
    t.sim.process.op_execute_timeout_us = min(timeout, LARGEST_MS) * 1000


@api("aclrtSetOpExecuteTimeOutV2")
def set_op_execute_time_out_v2(t: ThreadState, timeout: int) -> int:
    """Set the limit in microseconds; returns what becomes of it, UINT64_MAX: no limit.

    0 means no limit where the step is finer than 100 ms. Codes: 107002 no context.
    """
    t.current_context()
    t.sim.process.op_execute_timeout_us = timeout
    return actual_us(t.sim)


@api("aclrtGetOpTimeOutInterval")
def get_op_time_out_interval(t: ThreadState) -> int:
    """The step of such limits in microseconds. Codes: 107002 no context."""
    t.current_context()
    return interval_us(t.sim)


@api("aclrtGetOpExecuteTimeout")
def get_op_execute_timeout(t: ThreadState) -> int:
    """The limit in force in milliseconds, rounded up; UINT32_MAX: none. Never fails."""
    return limit_ms(t.sim)
