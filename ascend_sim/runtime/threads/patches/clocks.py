"""Clocks and sleep in virtual time, for attached threads.

The date is the real one of when the patches were installed, plus the thread's virtual time. Reading a clock costs a
little virtual time. A loop that does nothing but read it gets larger and larger steps, and when it goes on for a real
second it sees real time: ``while time.time() < end`` ends in any case, and at the same point of every run when it is
short.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from ascend_sim.runtime.threads.os_thread import STARTING
from ascend_sim.runtime.threads.patches.locks import nanoseconds
from ascend_sim.source.callsite import points_of

if TYPE_CHECKING:
    from ascend_sim.runtime.threads.deterministic import DeterministicThreads
    from ascend_sim.runtime.threads.os_thread import OSThread

__all__ = ["clock_functions", "sleep_function"]

_real_ns = time.monotonic_ns

READ_NS: Final = 100
READS_IN_A_ROW: Final = 1_000
"""So many reads of the clock with no other step of the thread between them are a loop that waits for time to pass."""
LARGEST_READ_NS: Final = 1_000_000
LEAST_SLEEP_NS: Final = 1_000
SECOND_NS: Final = 1_000_000_000
MONOTONIC_BASE_NS: Final = 10_000 * SECOND_NS
"""What the clocks without a date say at virtual time 0. Fixed, and whole seconds for the others: the time-outs of the
library are differences of floats, and must round in the same way in each run."""


def _read(group: DeterministicThreads, r: OSThread) -> int:
    """Virtual ns of *r*, moved on by the cost of looking."""
    host = r.host
    clock = host.clock
    after, count, real, virtual = r.reads
    if clock != after:
        clock += READ_NS
        host.clock = clock
        r.reads = clock, 1, 0, 0
        return clock
    count += 1
    step = READ_NS
    if count == 2:
        real, virtual = _real_ns(), clock
    elif count > READS_IN_A_ROW:
        step = min(READ_NS << min(count - READS_IN_A_ROW, 30), LARGEST_READ_NS)
    if count > 16 and count % 16 == 0:
        step = max(step, _real_step(group, r, real, clock - virtual))
    if group.multi and count > READS_IN_A_ROW and not group.driving and r.state != STARTING:
        group.take_token(r)
        group.wait(r, None, clock + step, None)
    else:
        host.clock = clock + step
    r.reads = host.clock, count, real, virtual
    return host.clock


def _real_step(group: DeterministicThreads, r: OSThread, real: int, virtual: int) -> int:
    """How far real time is ahead (ns) when the loop has gone on for a real second."""
    gone = _real_ns() - real
    if gone < SECOND_NS or gone <= virtual or (group.controller is not None and group.controller.decides):
        return 0
    reader = sys._getframe(3)  # above _read and the clock function
    if any(getattr(callback, "__code__", None) is reader.f_code for callback in gc.callbacks):
        return 0  # the collector's callbacks may take the time (hypothesis does): nobody waits for it
    here = points_of(sys._getframe(2))
    group.note(
        "order-depends-on-clock", f"{r.host.name} works until a real clock says stop", ("asks for the time", here)
    )
    return gone - virtual


def clock_functions(group: DeterministicThreads) -> dict[str, Callable[[], Any]]:
    """Replacements for the functions of module `time` by name."""

    def make(name: str, in_ns: Callable[[], int], real: Callable[[], Any]) -> Callable[[], Any]:
        date = in_ns() if group.date_ns is None else group.date_ns
        base = date // SECOND_NS * SECOND_NS if name.startswith("time") else MONOTONIC_BASE_NS

        def virtual_ns() -> int:
            r = group.here.os_thread
            if r is None or not group.active:
                return in_ns()
            return base + group.epoch + _read(group, r)

        def virtual() -> float:
            r = group.here.os_thread
            if r is None or not group.active:
                return float(real())
            return (base + group.epoch + _read(group, r)) / 1e9

        made: Callable[[], Any] = virtual_ns if name.endswith("_ns") else virtual
        made.__name__ = made.__qualname__ = name
        made.__module__ = "time"
        made.__doc__ = real.__doc__
        return made

    names = ("monotonic", "time", "perf_counter")
    made = {}
    for name in names:
        for full in (name, f"{name}_ns"):
            made[full] = make(full, getattr(time, f"{name}_ns"), getattr(time, full))
    return made


def sleep_function(group: DeterministicThreads) -> Callable[[float], None]:
    """A replacement for ``time.sleep``."""
    real = time.sleep

    def sleep(seconds: float) -> None:
        r = group.here.os_thread
        if r is None or not group.active or r.state == STARTING:
            real(seconds)
            return
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        if sys._getframe(1).f_globals.get("__name__") == "subprocess":
            # Popen.wait(timeout) sleeps between two looks at the child, and that lives in real time: thirty virtual
            # seconds would be over before it has ended.
            real(seconds)
            group.take_token(r)
            r.host.clock += nanoseconds(seconds)
            return
        group.sleep_os_thread(r, max(nanoseconds(seconds), LEAST_SLEEP_NS))

    sleep.__module__ = "time"
    sleep.__qualname__ = "sleep"
    sleep.__doc__ = real.__doc__
    return sleep
