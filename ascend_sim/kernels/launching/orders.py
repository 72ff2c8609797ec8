"""The order in which the blocks of a launch run: nothing promises one, so it is a choice of the schedule."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["make_order"]


def _backwards(count: int) -> Sequence[int]:
    return range(count - 1, -1, -1)


class _Shuffled:
    """A different order each time; the same seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        import random  # it takes a millisecond to load, and few runs shuffle

        self._random = random.Random(seed)

    def __call__(self, count: int) -> Sequence[int]:
        numbers = list(range(count))
        self._random.shuffle(numbers)
        return numbers


def make_order(spec: str, seed: int) -> Callable[[int], Sequence[int]]:
    """The order named *spec*: ``ascending``, ``reversed``, ``random`` (seeded by *seed*) or ``random(SEED)``.

    `range` itself stands for ascending. Raises ValueError for any other name.
    """
    if spec == "ascending":
        return range
    if spec == "reversed":
        return _backwards
    name, _, rest = spec.partition("(")
    number = rest.removesuffix(")")
    if name == "random" and (not rest or number.lstrip("-").isdecimal()):
        return _Shuffled(int(number) if rest else seed)
    raise ValueError(f"unknown block order {spec!r}: choose ascending, reversed, random or random(SEED)")
