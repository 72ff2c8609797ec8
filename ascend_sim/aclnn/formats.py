"""The storage that a tensor of an internal format takes: how large it is. Its values lie there as ND has them.

docs/semantics/fused_operators.md#internal-formats
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from ascend_sim.aclnn.element_types import element_type
from ascend_sim.constants.types import (
    ACL_FORMAT_FRACTAL_NZ,
    ACL_FORMAT_NCDHW,
    ACL_FORMAT_NCHW,
    ACL_FORMAT_NCL,
    ACL_FORMAT_ND,
    ACL_FORMAT_NDC1HWC0,
    ACL_FRACTAL_Z_3D,
)  # fmt: skip

__all__ = ["converts", "storage_dims"]

CUBE: Final = 16
"""Rows of a tile of the cube unit."""
TILE: Final = 32
"""Bytes of a row of a tile."""


def _tiles(size: int, width: int) -> int:
    return -(-size // width)


def _plain(dims: Sequence[int], width: int) -> list[int]:
    return list(dims)


def _fractal_nz(dims: Sequence[int], width: int) -> list[int]:
    *batch, rows, columns = (1, *dims) if len(dims) == 1 else dims
    return [*batch, _tiles(columns, width), _tiles(rows, CUBE), CUBE, width]


def _ndc1hwc0(dims: Sequence[int], width: int) -> list[int]:
    n, c, d, h, w = dims
    return [n, d, _tiles(c, width), h, w, width]


def _fractal_z_3d(dims: Sequence[int], width: int) -> list[int]:
    n, c, d, h, w = dims
    return [d * _tiles(c, width) * h * w, _tiles(n, CUBE), CUBE, width]


_FORMATS: Mapping[int, tuple[Callable[[Sequence[int], int], list[int]], int]] = MappingProxyType({
    ACL_FORMAT_ND: (_plain, 0),
    ACL_FORMAT_FRACTAL_NZ: (_fractal_nz, 0),
    ACL_FORMAT_NCDHW: (_plain, 5),
    ACL_FORMAT_NDC1HWC0: (_ndc1hwc0, 5),
    ACL_FRACTAL_Z_3D: (_fractal_z_3d, 5),
})  # fmt: skip
"""By aclFormat: the sizes, and how many dimensions the tensor must have (0: any)."""


_CASTS: Mapping[int, tuple[int, ...]] = MappingProxyType({
    ACL_FORMAT_ND: (ACL_FORMAT_FRACTAL_NZ,),
    ACL_FORMAT_FRACTAL_NZ: (ACL_FORMAT_ND, ACL_FORMAT_NCL),
    ACL_FORMAT_NCDHW: (ACL_FORMAT_NDC1HWC0, ACL_FRACTAL_Z_3D),
    ACL_FORMAT_NDC1HWC0: (ACL_FORMAT_NCDHW,),
    ACL_FRACTAL_Z_3D: (ACL_FORMAT_NCDHW,),
})  # fmt: skip
"""By the format that a cast makes: those that it starts from."""
_OF_ONE_TYPE: Final = (ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW)
"""Formats that become FRACTAL_NZ where the tiles are of the tensor's own type."""


def converts(source: int, target: int, same_type: bool) -> bool:
    """Whether aclnnNpuFormatCast makes *target* of *source*; *same_type*: the tiles are of the tensor's own type."""
    if source in _CASTS.get(target, ()):
        return True
    return target == ACL_FORMAT_FRACTAL_NZ and same_type and source in _OF_ONE_TYPE


def storage_dims(dims: Sequence[int], format_: int, data_type: int) -> list[int] | None:
    """The sizes that a tensor of *dims* has in a format whose tiles are of *data_type*; None where it has none."""
    found, element = _FORMATS.get(format_), element_type(data_type)
    if found is None or element is None or (found[1] and len(dims) != found[1]) or not dims:
        return None
    return found[0](dims, TILE // element.carrier.itemsize)
