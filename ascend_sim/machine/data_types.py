"""The data types of tensors (aclDataType): how many bytes an element has, as the library counts."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

__all__ = ["UNDEFINED", "element_bytes", "numpy_type"]

UNDEFINED: Final = -1

_BYTES: Final = {
    UNDEFINED: 0,
    0: 4,  # float
    1: 2,  # float16
    2: 1,  # int8
    3: 4,  # int32
    4: 1,  # uint8
    6: 2,  # int16
    7: 2,  # uint16
    8: 4,  # uint32
    12: 1,  # bool
    13: 0,  # string
    17: 16,  # complex128
    27: 2,  # bfloat16
    29: 1,  # int4: two of them share a byte, but the library says 1
    30: 1,  # uint1
    33: 4,  # complex32
    34: 1,  # hifloat8
    35: 1,  # float8_e5m2
    36: 1,  # float8_e4m3fn
    37: 1,  # float8_e8m0
}
_OTHERS: Final = 8
"""int64, uint64, double, complex64; and numbers that the library does not know, float6 and float4 among them."""


def element_bytes(data_type: int) -> int:
    """Bytes of one element, as aclDataTypeSize answers; 0 for strings and ACL_DT_UNDEFINED, 8 for unknown numbers."""
    return _BYTES.get(data_type, _OTHERS)


_NUMPY: Final = {
    0: "float32", 1: "float16", 2: "int8", 3: "int32", 4: "uint8", 6: "int16", 7: "uint16", 8: "uint32", 9: "int64",
    10: "uint64", 11: "float64", 12: "bool", 16: "complex64", 17: "complex128",
}  # fmt: skip
BFLOAT16: Final = 27


@cache
def numpy_type(data_type: int) -> np.dtype[Any]:
    """The numpy type of an aclDataType. Raises ValueError for one that numpy has no type for.

    bfloat16 needs the optional package ml_dtypes.
    """
    name = _NUMPY.get(data_type)
    if name is not None:
        return np.dtype(name)
    if data_type == BFLOAT16:
        try:
            import ml_dtypes  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            raise ValueError("bfloat16 needs the package ml_dtypes: pip install ml_dtypes") from None
        half: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return half
    raise ValueError(f"data type {data_type} has no numpy type")
