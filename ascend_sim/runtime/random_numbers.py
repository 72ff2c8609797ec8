"""Random numbers of a device: a counter-based generator, and the distributions made of its words.

Philox 4x32 with ten rounds: the seed is the key, the counter (128 bits, in device memory) says where in the stream of
numbers the task begins. Equal seed and counter give equal numbers; which numbers hardware gives is not documented.
See docs/semantics/streams.md#random-numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["bitmask", "normal", "uniform", "words"]

Words = NDArray[np.uint32]

_MULTIPLIERS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEPS = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)
_LOW, _WIDTH = np.uint64(0xFFFF_FFFF), np.uint64(32)
_WORD = (1 << 64) - 1
_ROUNDS = 10
_TRUNCATED_AT = 2.0
"""Truncated normal numbers lie within so many standard deviations."""


def words(seed: int, counter: int, count: int) -> Words:
    """*count* random 32-bit words, from *counter* (in blocks of four words) on.

    >>> [hex(word) for word in words(0, 0, 4)]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    blocks = -(-count // 4)
    first, second = counter & _WORD, counter >> 64 & _WORD
    with np.errstate(over="ignore"):
        low = np.arange(blocks, dtype=np.uint64) + np.uint64(first)
        high = (low < np.uint64(first)).astype(np.uint64) + np.uint64(second)  # what the low word carries over
    state = [low & _LOW, low >> _WIDTH, high & _LOW, high >> _WIDTH]
    key = [np.uint32(seed & 0xFFFF_FFFF), np.uint32(seed >> 32 & 0xFFFF_FFFF)]
    with np.errstate(over="ignore"):
        for _ in range(_ROUNDS):
            one, two = state[0] * _MULTIPLIERS[0], state[2] * _MULTIPLIERS[1]
            state = [
                (two >> _WIDTH) ^ state[1] ^ np.uint64(key[0]), two & _LOW,
                (one >> _WIDTH) ^ state[3] ^ np.uint64(key[1]), one & _LOW,
            ]  # fmt: skip
            key = [key[0] + _STEPS[0], key[1] + _STEPS[1]]
    return np.stack(state, axis=1).astype(np.uint32).reshape(-1)[:count]


def _fractions(seed: int, counter: int, count: int) -> NDArray[np.float64]:
    """Numbers in [0, 1), with 24 bits as a float has."""
    found: NDArray[np.float64] = (words(seed, counter, count) >> np.uint32(8)) * 2.0**-24
    return found


def uniform(seed: int, counter: int, count: int, low: Any, high: Any, kind: np.dtype[Any]) -> NDArray[Any]:
    """*count* numbers in [low, high), floats of *kind*, or integers of it; all are *low* when *high* is no more."""
    if kind.kind == "f":
        found = float(low) + _fractions(seed, counter, count) * (float(high) - float(low))
        return found.astype(kind)
    span = int(high) - int(low)
    if span <= 0:
        return np.full(count, low, kind)
    pairs = words(seed, counter, 2 * count).astype(np.uint64).reshape(-1, 2)
    whole = pairs[:, 0] | pairs[:, 1] << _WIDTH
    drawn = whole if span >= 1 << 64 else whole % np.uint64(span)
    with np.errstate(over="ignore"):
        shifted: NDArray[Any] = (drawn + np.uint64(int(low) & (1 << 64) - 1)).view(np.int64).astype(kind)
    return shifted


def normal(seed: int, counter: int, count: int, mean: float, deviation: float, truncated: bool) -> NDArray[np.float64]:
    """*count* numbers around *mean*, two of each pair of words; *truncated*: what lies too far out is drawn again."""
    found = np.empty(0)
    at = counter
    while len(found) < count:
        pairs = -(-(count - len(found)) // 2)
        drawn = _fractions(seed, at, 2 * pairs)
        at += -(-2 * pairs // 4)
        radius = np.sqrt(-2.0 * np.log(1.0 - drawn[0::2]))
        angle = 2.0 * np.pi * drawn[1::2]
        fresh = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)
        if truncated:
            fresh = fresh[np.abs(fresh) <= _TRUNCATED_AT]
        found = np.concatenate([found, fresh])
    return mean + found[:count] * deviation


def bitmask(seed: int, counter: int, count: int, ratio: float) -> NDArray[np.uint8]:
    """*count* bits, lowest first, each 0 with the probability *ratio*."""
    kept = _fractions(seed, counter, count) >= ratio
    return np.packbits(kept, bitorder="little")
