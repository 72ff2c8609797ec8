"""Who held which copy engine and which cores: tracks of what the streams of a device share.

The machine counts slots and does not name them. For the picture each task gets the free ones with the lowest numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.timeline.records import Launched, Ran
from ascend_sim.timeline.trace import Slice, Track

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream

__all__ = ["occupancy"]

POOLS = (
    ("h2d", "engine", "copy engine H2D"), ("d2h", "engine", "copy engine D2H"), ("d2d", "engine", "copy engine D2D"),
    ("aic", "cores", "cube cores"), ("aiv", "cores", "vector cores"),
)  # fmt: skip
MOST_WAVES = 64
"""A kernel with more waves than that is one slice."""


def occupancy(
    sim: Runtime, device: int, tasks: Sequence[Ran], title: Callable[[Ran], str], name: Callable[[Stream], str]
) -> list[Track]:
    """The tracks of *device*'s engines and cores that were used; *title* and *name* call tasks and streams something."""
    engines = sim.devices[device].engines
    mine = sorted(
        (
            task
            for task in tasks
            if task.engine is not None and task.slots and task.stream.context.device.index == device
        ),
        key=lambda task: task.start,
    )
    found = []
    for number, (pool, kind, label) in enumerate(POOLS):
        if pool not in engines.capacity:
            continue
        wanted = [(task, engines.demand(task.engine or "").get(pool, 0) * task.slots) for task in mine]
        wanted = [(task, count) for task, count in wanted if count]
        if wanted:
            track = Track(kind, device, number, label, rows=engines.capacity[pool])
            _place(track, wanted, title, name)
            found.append(track)
    return found


def _place(
    track: Track, wanted: list[tuple[Ran, int]], title: Callable[[Ran], str], name: Callable[[Stream], str]
) -> None:
    free = list(range(track.rows))
    held: list[tuple[int, list[int]]] = []
    for task, count in wanted:
        ended = [entry for entry in held if entry[0] <= task.start]
        if ended:
            held = [entry for entry in held if entry[0] > task.start]
            free = sorted([*free, *(slot for _, slots in ended for slot in slots)])
        slots, free = free[:count], free[count:]
        held.append((task.end, slots))
        for first, rows in _ranges(slots):
            _draw(track, task, first, rows, title(task), name(task.stream).strip("`"))


def _ranges(slots: list[int]) -> list[tuple[int, int]]:
    """Neighbours together: (first, how many)."""
    found: list[tuple[int, int]] = []
    for slot in slots:
        if found and found[-1][0] + found[-1][1] == slot:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((slot, 1))
    return found


def _draw(track: Track, task: Ran, first: int, rows: int, name: str, stream: str) -> None:
    detail: Any = task.detail
    category = "kernel" if isinstance(detail, Launched) else "operator" if track.kind == "cores" else {
        "h2d": "copy in", "d2h": "copy out"}.get(task.engine or "", "copy")  # fmt: skip
    waves = -(-detail.blocks // max(task.slots, 1)) if isinstance(detail, Launched) else 1
    lines: tuple[tuple[str, str], ...] = (("stream", stream),)
    if waves > MOST_WAVES or task.fault is not None or (isinstance(detail, Launched) and detail.waits):
        waves = 1
    took = task.end - task.start
    for wave in range(waves):
        start, end = task.start + took * wave // waves, task.start + took * (wave + 1) // waves
        more = lines
        if isinstance(detail, Launched):
            low = wave * task.slots
            high = detail.blocks if waves == 1 else min(low + task.slots, detail.blocks)
            more = (*lines, ("blocks", f"from {low} to {high - 1}" if high - low > 1 else str(low)))
        track.slices.append(Slice(start, end, name, category, task.site, more, first, rows))
