"""Random numbers by seed and offset, as operators pass them: the same two give the same numbers, on any machine.

Philox with the seed as its key; the offset is a word of the counter, so that two offsets never share numbers. The device's
generator gives others: what holds is the distribution, and that a run can be repeated.
"""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = ["PART", "generator"]

WORD: Final = (1 << 64) - 1
PART: Final = 1 << 20
"""So many numbers are drawn at a time."""


def generator(seed: int, offset: int) -> np.random.Generator:
    """The numbers of *seed* at *offset*; negative ones count as 64 bits without a sign."""
    return np.random.Generator(np.random.Philox(key=int(seed) & WORD, counter=[0, int(offset) & WORD, 0, 0]))
