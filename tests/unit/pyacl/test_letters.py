"""The format letters accept and refuse what PyArg_ParseTuple does (docs/semantics/pyacl.md#arguments)."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_sim.pyacl.letters import CONVERT, missing

BIG = 1 << 70
REFUSED = TypeError


class Index:
    """Something with ``__index__`` and nothing else."""

    def __index__(self) -> int:
        return 7


def take(letter: str, value: Any) -> Any:
    try:
        return CONVERT[letter](value, "acl.some.thing args parse failed")
    except TypeError as error:
        assert str(error) == "acl.some.thing args parse failed"
        return REFUSED


# letter: int, bool, numpy.int64, __index__, negative, too big, float, None, str
TABLE = {
    "k": (5, 1, REFUSED, REFUSED, (1 << 64) - 1, BIG % (1 << 64), REFUSED, REFUSED, REFUSED),
    "K": (5, 1, REFUSED, REFUSED, (1 << 64) - 1, BIG % (1 << 64), REFUSED, REFUSED, REFUSED),
    "i": (5, 1, 6, 7, -1, REFUSED, REFUSED, REFUSED, REFUSED),
    "I": (5, 1, 6, 7, (1 << 32) - 1, 0, REFUSED, REFUSED, REFUSED),
    "H": (5, 1, 6, 7, (1 << 16) - 1, 0, REFUSED, REFUSED, REFUSED),
    "B": (5, 1, 6, 7, 255, 0, REFUSED, REFUSED, REFUSED),
    "b": (5, 1, 6, 7, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED),
    "h": (5, 1, 6, 7, -1, REFUSED, REFUSED, REFUSED, REFUSED),
    "l": (5, 1, 6, 7, -1, REFUSED, REFUSED, REFUSED, REFUSED),
    "L": (5, 1, 6, 7, -1, REFUSED, REFUSED, REFUSED, REFUSED),
    "f": (5.0, 1.0, 6.0, 7.0, -1.0, float(BIG), 2.5, REFUSED, REFUSED),
}
VALUES = (5, True, np.int64(6), Index(), -1, BIG, 2.5, None, "5")


@pytest.mark.parametrize("letter", TABLE)
def test_the_table_of_usage_md(letter: str) -> None:
    assert tuple(take(letter, value) for value in VALUES) == TABLE[letter]


@pytest.mark.parametrize(
    ("letter", "low", "high"),
    [
        ("b", 0, 255),
        ("h", -(1 << 15), (1 << 15) - 1),
        ("i", -(1 << 31), (1 << 31) - 1),
        ("L", -(1 << 63), (1 << 63) - 1),
    ],
)
def test_the_limits_of_checked_letters(letter: str, low: int, high: int) -> None:
    assert take(letter, low) == low
    assert take(letter, high) == high
    assert take(letter, low - 1) is REFUSED
    assert take(letter, high + 1) is REFUSED


def test_a_numpy_bool_is_no_integer_but_a_float() -> None:
    assert take("f", np.bool_(True)) == 1.0
    try:
        operator.index(np.bool_(True))
    except DeprecationWarning:
        pytest.skip("this numpy still lets a bool be an index, with a warning")
    except TypeError:
        pass
    for letter in "kKiIHBbhlL":
        assert take(letter, np.bool_(True)) is REFUSED


def test_floats_are_single_precision() -> None:
    assert take("f", 0.1) == float(np.float32(0.1))
    assert take("f", np.float32(1.5)) == 1.5
    assert take("f", 1e300) == math.inf
    assert take("f", 10**400) is REFUSED


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("", ""),
        ("/a/b.om", "/a/b.om"),
        ("模型", "模型"),
        ("a\0b", REFUSED),
        ("\ud800", REFUSED),
        (b"a", REFUSED),
        (None, REFUSED),
        (3, REFUSED),
    ],
)
def test_text(value: Any, result: Any) -> None:
    assert take("s", value) == result


def test_an_object_may_be_anything_but_missing() -> None:
    assert take("O", None) is None
    assert take("O", missing()) is REFUSED


@given(st.integers())
def test_wrapping_letters_wrap_to_their_width(value: int) -> None:
    for letter, bits in {"k": 64, "K": 64, "I": 32, "H": 16, "B": 8}.items():
        assert take(letter, value) == value % (1 << bits)
