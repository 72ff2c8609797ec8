"""What a test asks for: the marker, the command line and the environment put together."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import attrs
import pytest

from ascend_sim.options import options_of
from ascend_sim.testing.recorded_tests import REPLAYED

__all__ = ["RequestedOptions", "schedule_names", "requested_options"]

PLAIN = (
    "devices", "soc", "threads", "limits", "switches", "visible", "reuse", "reuse_handles", "block_order", "seed", "faults",
)  # fmt: skip
"""Parameters of the marker that are those of Simulator."""
OTHERS = ("schedules", "check", "allow")
SYSTEMATIC = ("virtual-time", "late", "early")
"""What `schedules=N` begins with; random ones follow."""
MOST_SCHEDULES = 10_000
MOST_DIGITS = 9


@attrs.frozen
class RequestedOptions:
    """*options* are those of Simulator, *schedules* the names of those to run under, *allow* kinds of findings."""

    options: dict[str, Any]
    schedules: tuple[str, ...]
    allow: frozenset[str]

    @property
    def seed(self) -> int:
        """The seed of the simulator."""
        return int(self.options.get("seed", 0))


def schedule_names(wanted: int | str | Iterable[str], seed: int) -> tuple[str, ...]:
    """The schedules that ``schedules=`` names: so many, or these. Raises ValueError for fewer than one, and too many.

    >>> schedule_names(5, 7)
    ('virtual-time', 'late', 'early', 'random(7)', 'random(8)')
    >>> schedule_names("late,random(3)", 7)
    ('late', 'random(3)')
    """
    if isinstance(wanted, str):
        if not wanted.isdecimal():
            return tuple(name.strip() for name in wanted.split(",") if name.strip())
        wanted = int(wanted) if len(wanted) <= MOST_DIGITS else MOST_SCHEDULES + 1
    if isinstance(wanted, int):
        if wanted > MOST_SCHEDULES:
            raise ValueError(
                f"schedules is more than {MOST_SCHEDULES:,}: `ascend-sim explore` tries only those that differ"
            )
        if wanted < 1:
            raise ValueError(f"schedules is {wanted}: at least 1 is required")
        return (*SYSTEMATIC[:wanted], *(f"random({seed + i})" for i in range(wanted - len(SYSTEMATIC))))
    return tuple(wanted)


def requested_options(item: pytest.Item) -> RequestedOptions:
    """What *item* is to run on. Raises ValueError that says what is wrong with its marker or with an option."""
    said: dict[str, Any] = {}
    for mark in reversed(list(item.iter_markers("ascend"))):  # the nearest one has the last word
        if mark.args:
            raise ValueError(f"the marker ascend takes names only: ascend(devices=2), not {mark.args!r}")
        said |= mark.kwargs
    unknown = sorted(set(said) - {*PLAIN, *OTHERS})
    if unknown:
        raise ValueError(
            f"the marker ascend has no parameter {unknown[0]!r}: {', '.join((*PLAIN, *OTHERS))} are possible"
        )
    line = item.config.option
    options: dict[str, Any] = {"threads": "deterministic", **options_of(os.environ)}
    schedule = options.pop("schedule", None)
    if line.ascend_soc is not None:
        options["soc"] = line.ascend_soc
    if line.ascend_check is not None:
        options["checks"] = line.ascend_check
    options |= {name: said[name] for name in PLAIN if name in said}
    if "check" in said:
        options["checks"] = said["check"]
    if line.ascend_seed is not None:
        try:
            options["seed"] = int(line.ascend_seed)
        except ValueError:
            raise ValueError(f"--ascend-seed is {line.ascend_seed!r}: a whole number or `random` is required") from None
    replayed = item.config.stash.get(REPLAYED, None)
    if replayed is not None:
        options |= replayed.options
    wanted: Any = line.ascend_schedules if line.ascend_schedules is not None else said.get("schedules", schedule or 1)
    allow = said.get("allow", ())
    return RequestedOptions(
        options,
        (replayed.schedule,) if replayed is not None else schedule_names(wanted, int(options.get("seed", 0))),
        frozenset([allow] if isinstance(allow, str) else allow),
    )
