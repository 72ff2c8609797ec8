"""The ``ASCEND_SIM_*`` variables: how a run tells its processes what simulator to make.

SOC, DEVICES, SCHEDULE, SEED, THREADS, LIMITS and SWITCHES (``name=value,...``), BLOCK_ORDER, CHECKS, FAULTS; and
ASCEND_RT_VISIBLE_DEVICES, as the real runtime reads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["VISIBLE", "options_of", "visible_devices"]

VISIBLE = "ASCEND_RT_VISIBLE_DEVICES"
LONGEST_LIST = 128
"""Characters of it that the real runtime reads."""

PLAIN = {
    "ASCEND_SIM_SOC": "soc",
    "ASCEND_SIM_SCHEDULE": "schedule",
    "ASCEND_SIM_THREADS": "threads",
    "ASCEND_SIM_BLOCK_ORDER": "block_order",
    "ASCEND_SIM_CHECKS": "checks",
    "ASCEND_SIM_FAULTS": "faults",
    VISIBLE: "visible",
}
NUMBERS = {"ASCEND_SIM_DEVICES": "devices", "ASCEND_SIM_SEED": "seed"}


def options_of(values: Mapping[str, str]) -> dict[str, Any]:
    """The options of Simulator that the variables set. Raises ValueError that names the variable."""
    options: dict[str, Any] = {option: values[name] for name, option in PLAIN.items() if name in values}
    for name, option in NUMBERS.items():
        if name in values:
            options[option] = _number(name, values[name])
    limits = _pairs("ASCEND_SIM_LIMITS", values)
    options["limits"] = {key: _number(f"ASCEND_SIM_LIMITS, {key}", value) for key, value in limits.items()}
    switches = _pairs("ASCEND_SIM_SWITCHES", values)
    options["switches"] = {key: int(value) if value.isdigit() else value for key, value in switches.items()}
    return options


def visible_devices(text: str | None, count: int) -> tuple[int, ...]:
    """The devices of a list such as ``1,3``, by user id; all *count* of them for None.

    That is how ASCEND_RT_VISIBLE_DEVICES counts (docs/semantics/process.md#visible-devices): up to the first that is not
    there, or anything but digits and commas; a list that does not ascend shows no device at all.

    >>> visible_devices("1,3", 4), visible_devices(None, 2), visible_devices("0,7", 4), visible_devices("2,0", 4)
    ((1, 3), (0, 1), (0,), ())
    """
    if text is None:
        return tuple(range(count))
    numbers: list[int] = []
    for item in text[:LONGEST_LIST].split(","):
        digits = re.match("[0-9]*", item)[0]  # type: ignore[index] # it always matches
        if not digits or int(digits) >= count:
            break
        if numbers and int(digits) <= numbers[-1]:
            return ()
        numbers.append(int(digits))
        if len(numbers) == count or digits != item:
            break
    return tuple(numbers)


def _number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name} is {text!r}: an integer is required") from None


def _pairs(name: str, values: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for item in values.get(name, "").split(","):
        if item:
            key, equals, value = item.partition("=")
            if not equals:
                raise ValueError(f"{name} has {item!r}: NAME=VALUE is required")
            found[key] = value
    return found
