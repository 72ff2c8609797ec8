"""The types of torch by aclDataType."""

from __future__ import annotations

from typing import Final

import torch

from ascend_sim import constants as C

__all__ = ["TORCH_TYPES", "torch_type"]

TORCH_TYPES: Final = {
    C.ACL_FLOAT: torch.float32,
    C.ACL_FLOAT16: torch.float16,
    C.ACL_INT8: torch.int8,
    C.ACL_INT32: torch.int32,
    C.ACL_UINT8: torch.uint8,
    C.ACL_INT16: torch.int16,
    C.ACL_UINT16: torch.uint16,
    C.ACL_UINT32: torch.uint32,
    C.ACL_INT64: torch.int64,
    C.ACL_UINT64: torch.uint64,
    C.ACL_DOUBLE: torch.float64,
    C.ACL_BOOL: torch.bool,
    C.ACL_COMPLEX64: torch.complex64,
    C.ACL_COMPLEX128: torch.complex128,
    C.ACL_BF16: torch.bfloat16,
    C.ACL_COMPLEX32: torch.complex32,
    C.ACL_FLOAT8_E5M2: torch.float8_e5m2,
    C.ACL_FLOAT8_E4M3FN: torch.float8_e4m3fn,
}
"""aclDataType -> type; the types of fewer than 8 bits are not among them."""


def torch_type(data_type: int) -> torch.dtype:
    """The type of torch. Raises KeyError for one that torch has not."""
    return TORCH_TYPES[data_type]
