"""The codes of aclnn functions (aclnnStatus), which stand in no table of AscendCL."""

from __future__ import annotations

from typing import Final

__all__ = ["CODES", "INNER", "INNER_NULL", "NO_KERNEL", "NULL_PARAMETER", "RUNTIME", "WRONG_PARAMETER"]

NULL_PARAMETER: Final = 161001
"""ACLNN_ERR_PARAM_NULLPTR: an operand, the executor or a workspace with a size is NULL."""
WRONG_PARAMETER: Final = 161002
"""ACLNN_ERR_PARAM_INVALID: types, formats or shapes do not fit."""
RUNTIME: Final = 361001
"""ACLNN_ERR_RUNTIME_ERROR: a call of the runtime inside has failed."""
INNER: Final = 561000
"""ACLNN_ERR_INNER: what should be an executor is none."""
NO_KERNEL: Final = 561003
"""ACLNN_ERR_INNER_FIND_KERNEL_ERROR: nothing computes the operator for these types."""
INNER_NULL: Final = 561103
"""ACLNN_ERR_INNER_NULLPTR: of the functions for objects."""

CODES: Final = frozenset({NULL_PARAMETER, WRONG_PARAMETER, RUNTIME, INNER, NO_KERNEL, INNER_NULL})
