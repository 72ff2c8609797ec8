"""Which type two operands are computed in, and which types a result converts to: one table for all operators.

docs/semantics/aclnn.md#promotion has the rules. Types are aclDataTypes; None stands for two that do not go together.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from ascend_sim.aclnn.element_types import element_type_of

__all__ = ["common_type", "converts", "promoted", "promoted_with_scalar", "scalar_type"]

FLOAT, HALF, DOUBLE, BOOL, BFLOAT16 = 0, 1, 11, 12, 27
INT8, INT32, UINT8, INT16, INT64 = 2, 3, 4, 6, 9
COMPLEX32, COMPLEX64, COMPLEX128 = 33, 16, 17
ALONE: Final = frozenset({7, 8, 10})
"""Unsigned types that go together with themselves alone."""
INTEGERS: Final = {INT8: 1, UINT8: 1, INT16: 2, INT32: 4, INT64: 8}
FLOATS: Final = {HALF: 1, BFLOAT16: 1, FLOAT: 2, DOUBLE: 3}
COMPLEX: Final = {COMPLEX32: 1, COMPLEX64: 2, COMPLEX128: 3}
_CONVERTS: Final = {"bool": "bool int float complex", "int": "int float complex", "float": "int float complex",
                    "complex": "float complex"}  # fmt: skip


def kind_of(data_type: int) -> str:
    """``bool``, ``int``, ``float``, ``complex``; empty for types of other uses (floats of 8 bits)."""
    if data_type == BOOL:
        return "bool"
    if data_type in INTEGERS or data_type in ALONE:
        return "int"
    return "float" if data_type in FLOATS else "complex" if data_type in COMPLEX else ""


@cache
def promoted(a: int, b: int) -> int | None:
    """The type in which tensors of the types *a* and *b* are computed.

    >>> promoted(FLOAT, INT64), promoted(HALF, BFLOAT16), promoted(INT8, UINT8), promoted(7, INT32)
    (0, 0, 6, None)
    """
    if a == b:
        return a
    if a in ALONE or b in ALONE or not kind_of(a) or not kind_of(b):
        return None
    if BOOL in (a, b):
        return b if a == BOOL else a
    if a in COMPLEX or b in COMPLEX:
        sizes = [COMPLEX.get(x) or FLOATS.get(x, 1) for x in (a, b)]
        return {1: COMPLEX32, 2: COMPLEX64, 3: COMPLEX128}[max(sizes)]
    if a in FLOATS and b in FLOATS:
        return FLOAT if {a, b} == {HALF, BFLOAT16} else a if FLOATS[a] > FLOATS[b] else b
    if a in FLOATS or b in FLOATS:
        return a if a in FLOATS else b
    if {a, b} == {INT8, UINT8}:
        return INT16
    return a if INTEGERS[a] > INTEGERS[b] else b


def scalar_type(value: complex) -> int:
    """The type of a scalar by its kind alone: its width does not count.

    >>> scalar_type(True), scalar_type(2), scalar_type(2.0), scalar_type(2j)
    (12, 9, 0, 16)
    """
    kinds: dict[type, int] = {bool: BOOL, int: INT64, float: FLOAT}
    return kinds.get(type(value), COMPLEX64)


@cache
def promoted_with_scalar(tensor: int, scalar: int) -> int | None:
    """The type in which a tensor and a scalar are computed: the tensor's, unless the scalar is of a wider kind.

    >>> promoted_with_scalar(HALF, DOUBLE), promoted_with_scalar(INT32, DOUBLE), promoted_with_scalar(BOOL, INT64)
    (1, 0, 9)
    """
    if tensor in ALONE and kind_of(scalar) in ("float", "complex"):
        return None
    of, by = kind_of(tensor), kind_of(scalar)
    if of == "complex":
        return COMPLEX128 if scalar == DOUBLE else tensor
    if by == "complex":
        return {HALF: COMPLEX32, DOUBLE: COMPLEX128}.get(tensor, COMPLEX64)
    if by == "float":
        return tensor if of == "float" else FLOAT
    if of == "bool" and by == "int":
        return None if scalar in ALONE else scalar
    return tensor


def converts(made: int, wanted: int) -> bool:
    """Whether a result of one type may be stored in an output of the other.

    >>> converts(FLOAT, INT32), converts(FLOAT, BOOL), converts(COMPLEX64, FLOAT), converts(COMPLEX64, INT32)
    (True, False, True, False)
    """
    return made == wanted or kind_of(wanted) in _CONVERTS.get(kind_of(made), "").split()


_NUMBERS: Final = {np.dtype(letter).num: element_type_of(np.dtype(letter).name).number for letter in "fbiBhHIlqLQd?FD"}
"""The aclDataType of numpy's own number of a type: its name takes longer to find than a small sum."""
_WIDE: Final = {_NUMBERS[np.dtype(letter).num]: np.dtype(letter) for letter in "fbiBhHIlLd?FD"}
_FLOAT32: Final = np.dtype(np.float32)


def common_type(*values: Any) -> np.dtype[Any]:
    """The numpy type in which bodies compute arrays (as they get them: halves in float32) and scalars.

    >>> common_type(np.zeros(2, np.int32), 1.5), common_type(np.zeros(2, np.int8), np.zeros(2, np.uint8))
    (dtype('float32'), dtype('int16'))
    """
    found: int | None = None
    scalars = []
    for value in values:
        if isinstance(value, np.ndarray):
            number = _NUMBERS[value.dtype.num]
            if found != number:
                found = number if found is None else promoted(found, number)
                if found is None:
                    return _FLOAT32
        else:
            scalars.append(value)
    for value in scalars:
        number = scalar_type(value)
        found = number if found is None else promoted_with_scalar(found, number)
        if found is None:
            return _FLOAT32
    return _WIDE[found] if found is not None else _FLOAT32
