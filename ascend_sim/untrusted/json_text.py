"""JSON that somebody else wrote, parsed only when its size and depth are within bounds: no text of it takes long."""

from __future__ import annotations

import json
from typing import Any, Final

__all__ = ["depth", "parse_json"]

_MOST_DIGITS: Final = 400
"""Of an integer: more take a time that grows with the square, where the interpreter's own limit is switched off."""

_PIECE: Final = 1 << 18
"""So many brackets are counted at once."""


def depth(raw: bytes, brackets: bytes = b"[]{}") -> int:
    """How deep pairs of *brackets* nest, those in strings included; a closing one too many is ignored.

    >>> depth(b'{"a": [1]}'), depth(b"]][[")
    (2, 2)
    """
    import numpy as np  # few programs read JSON of others

    found = np.frombuffer(raw.translate(None, bytes(set(range(256)) - set(brackets))), np.uint8)
    steps = np.full(256, -1, np.int8)
    steps[list(brackets[::2])] = 1
    level = deepest = 0
    for start in range(0, len(found), _PIECE):
        sums = level + np.cumsum(steps[found[start : start + _PIECE]], dtype=np.int64)
        levels = sums - np.minimum(np.minimum.accumulate(sums), 0)
        level, deepest = int(levels[-1]), max(deepest, int(levels.max()))
    return deepest


def parse_json(raw: bytes, most_values: int, deepest: int) -> Any:
    """The value in *raw*. Raises ValueError for more values or deeper ones than that, and for what is no JSON."""
    # Counted before anything is made of them. Those in strings count too, so it is an upper bound.
    values = sum(map(raw.count, (b",", b"[", b"{")))
    if values > most_values:
        raise ValueError(f"{values} values: {most_values} at most can be read")
    if depth(raw) > deepest:
        raise ValueError(f"it nests more than {deepest} deep")
    try:
        return json.loads(raw.decode("utf-8"), parse_int=_integer)
    except RecursionError:
        raise ValueError("it nests too deep for this interpreter") from None


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"an integer of {len(digits)} digits")
    return int(digits)
