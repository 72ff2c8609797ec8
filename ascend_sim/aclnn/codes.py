"""The codes of aclnn functions (aclnnStatus), which stand in no table of AscendCL."""

from __future__ import annotations

from typing import Final

__all__ = [
    "CODES", "INFER_SHAPE", "INNER", "INNER_NULL", "NO_KERNEL", "NULL_PARAMETER", "RUNTIME", "TILING", "WRONG_PARAMETER",
]  # fmt: skip

NULL_PARAMETER: Final = 161001
"""ACLNN_ERR_PARAM_NULLPTR: an operand, the executor or a workspace with a size is NULL."""
WRONG_PARAMETER: Final = 161002
"""ACLNN_ERR_PARAM_INVALID: types, formats or shapes do not fit."""
RUNTIME: Final = 361001
"""ACLNN_ERR_RUNTIME_ERROR: a call of the runtime inside has failed."""
INNER: Final = 561000
"""ACLNN_ERR_INNER: what should be an executor is none."""
INFER_SHAPE: Final = 561001
"""ACLNN_ERR_INNER_INFERSHAPE_ERROR: inside, an operator of the first phase gives no shape. Only planned failures have it:
what the documents say of shapes is tested before, with 161002."""
TILING: Final = 561002
"""ACLNN_ERR_INNER_TILING_ERROR: the operator cannot be cut for the cores. Only planned failures have it: nothing is cut
here."""
NO_KERNEL: Final = 561003
"""ACLNN_ERR_INNER_FIND_KERNEL_ERROR: nothing computes the operator for these types."""
INNER_NULL: Final = 561103
"""ACLNN_ERR_INNER_NULLPTR: of the functions for objects."""

CODES: Final = {
    "ACLNN_ERR_PARAM_NULLPTR": NULL_PARAMETER,
    "ACLNN_ERR_PARAM_INVALID": WRONG_PARAMETER,
    "ACLNN_ERR_RUNTIME_ERROR": RUNTIME,
    "ACLNN_ERR_INNER": INNER,
    "ACLNN_ERR_INNER_INFERSHAPE_ERROR": INFER_SHAPE,
    "ACLNN_ERR_INNER_TILING_ERROR": TILING,
    "ACLNN_ERR_INNER_FIND_KERNEL_ERROR": NO_KERNEL,
    "ACLNN_ERR_INNER_NULLPTR": INNER_NULL,
}
"""By their names in aclnn_base.h."""
