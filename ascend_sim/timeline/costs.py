"""Where the length of a task comes from: the formula with the profile's numbers in it.

A formula is shown only when it gives what the task took; what cannot be derived is called by its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.machine.engines import copy_cost, copy_terms, memset_cost
from ascend_sim.timeline.records import Bytes, Launched, Ran

if TYPE_CHECKING:
    from ascend_sim.machine.profiles import Profile

__all__ = ["amount", "duration", "formula"]

_FIXED = {
    "record": "record_ns", "reset": "record_ns", "notify-record": "record_ns", "value-write": "record_ns",
    "wait": "wait_ns", "notify-wait": "wait_ns", "value-wait": "wait_ns",
    "callback": "callback_ns", "host-func": "callback_ns", "pool-malloc": "task_ns", "pool-free": "task_ns",
}  # fmt: skip
"""Kinds of tasks -> the field of `Costs` that is all they take."""


def duration(ns: int) -> str:
    """A length of virtual time: ``850 ns``, ``1.2 us``, ``3.456 ms``, ``2 s``."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if abs(ns) >= size:
            return f"{f'{ns / size:.3f}'.rstrip('0').rstrip('.')} {unit}"
    return f"{ns} ns"


def amount(nbytes: int) -> str:
    """A number of bytes: ``1000 B``, ``4 MiB``, ``1.5 GiB``."""
    for unit, shift in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if abs(nbytes) >= 1 << shift:
            return f"{f'{nbytes / (1 << shift):.2f}'.rstrip('0').rstrip('.')} {unit}"
    return f"{nbytes} B"


def formula(profile: Profile, task: Ran) -> str:
    """Why *task* took what it took: ``4 us + 65536 B / 25 B/ns = 6.621 us``."""
    took = task.end - task.start
    detail = task.detail
    if isinstance(detail, Launched):
        return _kernel(profile, task, detail)
    if isinstance(detail, Bytes):
        return _moved(profile, task, detail)
    if task.kind in ("callback", "host-func") and took != task.cost:
        return f"{duration(took)} until the host code returned"
    field = _FIXED.get(task.kind)
    if took == task.cost:
        known = field is not None and getattr(profile.costs, field) == took
        return f"{duration(took)}, the profile's {field}" if known else f"{duration(took)} on the device"
    return f"{duration(took)} in all, {duration(task.cost)} of it on the device"


def _moved(profile: Profile, task: Ran, detail: Bytes) -> str:
    costs, nbytes, took = profile.costs, detail.nbytes, task.end - task.start
    if detail.way == "set":
        base, rate, whole = costs.memset_base_ns, costs.memset_rate, memset_cost(profile, nbytes)
    elif detail.way == "pass":
        base, rate = costs.kernel_ns, costs.d2d_rate
        whole = base + nbytes * 1000 // rate
    else:
        base, rate = copy_terms(profile, detail.way)
        whole = copy_cost(profile, detail.way, nbytes)
    if whole != task.cost:
        return f"{duration(task.cost)}, as it was declared"
    text = f"{duration(base)} + {nbytes} B / {rate / 1000:g} B/ns = {duration(whole)}"
    return text if whole == took else f"{text}, {duration(took)} in all"


def _kernel(profile: Profile, task: Ran, detail: Launched) -> str:
    took = task.end - task.start
    held = max(task.slots, 1)
    waves = -(-detail.blocks // held)
    spread = f"{waves} waves ({detail.blocks} blocks on {held} cores)"
    text = duration(detail.wave_ns) if waves == 1 else f"{duration(detail.wave_ns)} x {spread}"
    left = took - detail.wave_ns * waves
    if detail.cycles and profile.cube_mhz:
        text += f" + {detail.cycles} cycles / {profile.cube_mhz} MHz" + ("" if waves == 1 else f" x {waves}")
        left -= detail.cycles * 1000 // profile.cube_mhz * waves
    if 0 < detail.limit_ns <= took:
        return f"{text}, ended by the time limit of {duration(detail.limit_ns)}"
    if left > 0:
        text += f" + {duration(left)} in its blocks"
    elif left < 0:
        return f"{duration(took)}, more cores came while it ran (at first {text})"
    return text if text == duration(took) else f"{text} = {duration(took)}"
