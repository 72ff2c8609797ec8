"""Shapes in other formats: what aclTransTensorDescFormat computes.

Names of dimensions as in the formats: N images, C channels, H rows, W columns; C is cut into C1 parts of C0 channels.
The pairs are those that the real graph engine has (docs/semantics/operators.md#descriptors).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ascend_sim.constants.errors import (
    ACL_ERROR_GE_DATATYPE_INVALID,
    ACL_ERROR_GE_FORMAT_INVALID,
    ACL_ERROR_GE_SHAPE_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.data_types import element_bytes

__all__ = ["FORMAT_NAMES", "transformed_shape"]

NCHW, NHWC, ND, NC1HWC0, FRACTAL_Z, HWCN, FRACTAL_NZ, CHWN = 0, 1, 2, 3, 4, 16, 29, 14
CUBE: Final = 16
"""Rows of the small matrices that the cube unit multiplies."""

FORMAT_NAMES: Final = {
    -1: "UNDEFINED",
    NCHW: "NCHW",
    NHWC: "NHWC",
    ND: "ND",
    NC1HWC0: "NC1HWC0",
    FRACTAL_Z: "FRACTAL_Z",
    HWCN: "HWCN",
    CHWN: "CHWN",
    FRACTAL_NZ: "FRACTAL_NZ",
}
_ORDERS: Final = {NCHW: "NCHW", NHWC: "NHWC", HWCN: "HWCN", CHWN: "CHWN"}


def _parts(value: int, size: int) -> int:
    return -(-value // size)


def _nc1hwc0(by: dict[str, int], c0: int) -> list[int]:
    return [by["N"], _parts(by["C"], c0), by["H"], by["W"], c0]


def _fractal_z(by: dict[str, int], c0: int) -> list[int]:
    return [_parts(by["C"], c0) * by["H"] * by["W"], _parts(by["N"], CUBE), CUBE, c0]


def _fractal_nz(shape: Sequence[int], c0: int) -> list[int]:
    if len(shape) == 1:
        return [_parts(shape[0], c0), 1, CUBE, c0]
    return [*shape[:-2], _parts(shape[-1], c0), _parts(shape[-2], CUBE), CUBE, c0]


_CUT: Final[dict[tuple[int, int], Callable[[dict[str, int], int], list[int]]]] = {
    (NCHW, NC1HWC0): _nc1hwc0,
    (NHWC, NC1HWC0): _nc1hwc0,
    (NCHW, FRACTAL_Z): _fractal_z,
    (NHWC, FRACTAL_Z): _fractal_z,
    (HWCN, FRACTAL_Z): _fractal_z,
}


def transformed_shape(shape: Sequence[int], source: int, target: int, data_type: int) -> list[int]:
    """*shape* of a tensor in format *source* as format *target* has it.

    Raises AclError: 145020 no such way (the way back from a cut format, too), 145022 a type without a size, 145021 a
    shape with another number of dimensions, or an unknown one.
    """
    names = FORMAT_NAMES.get(source, str(source)), FORMAT_NAMES.get(target, str(target))
    cut = _CUT.get((source, target))
    to_nz = target == FRACTAL_NZ and source in (ND, NCHW, NHWC)
    transposed = source != target and source in _ORDERS and target in _ORDERS
    if cut is None and not to_nz and not transposed:
        raise AclError(ACL_ERROR_GE_FORMAT_INVALID, f"there is no conversion of {names[0]} to {names[1]}", "acl")
    size = element_bytes(data_type)
    if size <= 0:
        raise AclError(ACL_ERROR_GE_DATATYPE_INVALID, f"data type {data_type} has no size", "acl")
    wanted = len(shape) == 4 if source != ND else len(shape) > 0
    if not wanted or min(shape) < 0:
        needed = "4 dimensions" if source != ND else "one dimension or more"
        raise AclError(
            ACL_ERROR_GE_SHAPE_INVALID, f"the shape is {list(shape)}: {needed}, none negative, are required", "acl"
        )
    c0 = 32 if size == 1 else 16
    if to_nz:
        return _fractal_nz(shape, c0)
    by = dict(zip(_ORDERS[source], shape, strict=True))
    if cut is not None:
        return cut(by, c0)
    return [by[letter] for letter in _ORDERS[target]]
