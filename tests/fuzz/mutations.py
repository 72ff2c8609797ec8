"""Files that are nearly right: JSON with a value changed, bytes with a few changed, from one source of randomness."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

__all__ = ["mutated_bytes", "mutated_json"]

JUNK: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63), 10**30, 1.5, float("nan"), float("inf"), "", "a", "\0",
    "\ud800", "../x", "/", "\u00e9", "x" * 5000, [], {}, [[]], [None], [1, [2]], {"a": 1}, "float16", [1] * 40, [2**40] * 3,
    ["int", "a"], ["list_int", 5], ["data_type", "x"], "ascend_mbatch_shape_data",
]  # fmt: skip
PIECES = (b"\0", b"{", b"]", b"\xff", b"9" * 30, b'"', b"-", b"\x7f\xff\xff\xff", b"1e999", b"nan")


def _places(value: Any) -> list[tuple[Any, Any]]:
    found, open_ = [], [value]
    while open_:
        one = open_.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
        found += [(one, key) for key in keys]
        open_ += [one[key] for key in keys]
    return found


def mutated_json(random: Random, value: Any) -> Any:
    """A copy of plain values with one to three of them replaced, taken out, doubled or given another name."""
    value = copy.deepcopy(value)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        places = _places(value)
        if not places:
            return random.choice(JUNK)
        where, key = random.choice(places)
        how = random.random()
        if how < 0.6:
            where[key] = copy.deepcopy(random.choice(JUNK))
        elif how < 0.8:
            del where[key]
        elif isinstance(where, list):
            where.append(copy.deepcopy(where[key]))
        else:
            where[random.choice(("x", "", "op", "\ud800"))] = copy.deepcopy(where[key])
    return value


def mutated_bytes(random: Random, data: bytes) -> bytes:
    """*data* with a few bytes changed, taken out, put in or doubled, or cut off."""
    made = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        made = made or bytearray(b"x")
        at, how = random.randrange(len(made)), random.random()
        if how < 0.5:
            made[at] = random.randrange(256)
        elif how < 0.65:
            del made[at : at + random.choice((1, 4, 50))]
        elif how < 0.8:
            made[at:at] = random.choice(PIECES)
        elif how < 0.9:
            made[at:at] = made[at : at + random.randrange(60)]
        else:
            del made[at:]
    return bytes(made)
