"""How long a task of the cores may run: the limit of aclrtSetOpExecuteTimeOut in steps of the hardware.

A limit is a whole number of ticks. The tick belongs to the chip (profile), or to newer firmware on A2, A3 and 950
(profile switch ``op_timeout_interval``).
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime

__all__ = ["actual_us", "execute_limit_ns", "interval_us", "limit_ms", "never"]

FINE_US = 100_000
"""Below this step, a limit of 0 means none; otherwise the longest."""
LARGEST_TICKS = 254
"""What the call that sets a limit in microseconds counts with, whatever the chip."""
NEVER_MS = 0xFFFF_FFFF
NEVER_US = (1 << 64) - 1


def tick_us(sim: Runtime) -> float:
    """The step of limits in microseconds."""
    chosen = sim.profile.switches["op_timeout_interval"]
    if chosen != "chip" and "default_stream_control" in sim.profile.supports:
        return float(chosen)
    return sim.profile.op_timeout_tick_ns / 1000


def interval_us(sim: Runtime) -> int:
    """The step as aclrtGetOpTimeOutInterval answers it."""
    return int(tick_us(sim))


def never(sim: Runtime) -> bool:
    """The program asked for no limit: it set 0 where the steps are fine."""
    return sim.process.op_execute_timeout_us == 0 and tick_us(sim) < FINE_US


def actual_us(sim: Runtime) -> int:
    """What becomes of the limit that is set, as aclrtSetOpExecuteTimeOutV2 answers it."""
    wanted = sim.process.op_execute_timeout_us
    if never(sim):
        return NEVER_US
    step = tick_us(sim)
    ticks = min(ceil(wanted / step), LARGEST_TICKS) if wanted else LARGEST_TICKS
    return int(ticks * step)


def _limit_us(sim: Runtime) -> float:
    """The limit in force, without regard to `never`."""
    profile, wanted, step = sim.profile, sim.process.op_execute_timeout_us, tick_us(sim)
    if wanted is None:
        return step * profile.op_timeout_default
    if wanted == 0 or wanted > step * profile.op_timeout_most:
        return step * profile.op_timeout_most
    return step * ceil(wanted / step)


def limit_ms(sim: Runtime) -> int:
    """The limit in force in milliseconds, rounded up; UINT32_MAX when there is none."""
    return NEVER_MS if never(sim) else ceil(_limit_us(sim) / 1000)


def execute_limit_ns(sim: Runtime) -> int:
    """The limit in force for a task of the cores in virtual ns; 0: none."""
    return 0 if never(sim) else round(_limit_us(sim) * 1000)
