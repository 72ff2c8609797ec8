"""Handles with options: how a model is loaded, and how it is executed (docs/semantics/models.md#load-options)."""

from __future__ import annotations

from typing import Any, Final

from ascend_sim.constants import models as C
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError

__all__ = ["EXECUTION_OPTIONS", "OPTIONS", "ConfigHandle", "ExecConfigHandle"]

INT, SIZE, POINTER = "int32", "size_t", "pointer"

OPTIONS: Final = {
    C.ACL_MDL_PRIORITY_INT32: INT,
    C.ACL_MDL_LOAD_TYPE_SIZET: SIZE,
    C.ACL_MDL_PATH_PTR: POINTER,
    C.ACL_MDL_MEM_ADDR_PTR: POINTER,
    C.ACL_MDL_MEM_SIZET: SIZE,
    C.ACL_MDL_WEIGHT_ADDR_PTR: POINTER,
    C.ACL_MDL_WEIGHT_SIZET: SIZE,
    C.ACL_MDL_WORKSPACE_ADDR_PTR: POINTER,
    C.ACL_MDL_WORKSPACE_SIZET: SIZE,
    C.ACL_MDL_INPUTQ_NUM_SIZET: SIZE,
    C.ACL_MDL_INPUTQ_ADDR_PTR: POINTER,
    C.ACL_MDL_OUTPUTQ_NUM_SIZET: SIZE,
    C.ACL_MDL_OUTPUTQ_ADDR_PTR: POINTER,
    C.ACL_MDL_WORKSPACE_MEM_OPTIMIZE: SIZE,
    C.ACL_MDL_WEIGHT_PATH_PTR: POINTER,
    C.ACL_MDL_WITHOUT_GRAPH_INT32: INT,
}
"""The attributes of aclmdlSetConfigOpt; others belong to the IPV350."""
EXECUTION_OPTIONS: Final = (C.ACL_MDL_STREAM_SYNC_TIMEOUT, C.ACL_MDL_EVENT_SYNC_TIMEOUT)
WIDTH: Final = {INT: 4, SIZE: 8, POINTER: 8}
MAY_BE_NULL: Final = (C.ACL_MDL_WEIGHT_ADDR_PTR, C.ACL_MDL_WORKSPACE_ADDR_PTR)
LAST_PRIORITY: Final = 7
FROM_FILE: Final = (C.ACL_MDL_LOAD_FROM_FILE, C.ACL_MDL_LOAD_FROM_FILE_WITH_MEM, C.ACL_MDL_LOAD_FROM_FILE_WITH_Q)
WITH_Q: Final = (C.ACL_MDL_LOAD_FROM_FILE_WITH_Q, C.ACL_MDL_LOAD_FROM_MEM_WITH_Q)
WITH_MEM: Final = (C.ACL_MDL_LOAD_FROM_FILE_WITH_MEM, C.ACL_MDL_LOAD_FROM_MEM_WITH_MEM)
QUEUES: Final = (
    C.ACL_MDL_INPUTQ_NUM_SIZET, C.ACL_MDL_INPUTQ_ADDR_PTR, C.ACL_MDL_OUTPUTQ_NUM_SIZET, C.ACL_MDL_OUTPUTQ_ADDR_PTR,
)  # fmt: skip


class ConfigHandle:
    """Options of aclmdlLoadWithConfig. Values survive a change of the load type: a stale one can spoil a later load."""

    __slots__ = ("external", "handle", "values")

    def __init__(self) -> None:
        self.handle = 0
        self.values: dict[int, Any] = {}
        self.external: dict[str, tuple[int, int]] = {}
        """Device memory of weight files: (address, bytes) by name."""

    def describe(self) -> str:
        """The handle in words."""
        return f"model config {self.handle:#x}"

    def set(self, attribute: int, value: int | str) -> None:
        """Store an option of the right width. Raises AclError 100000 for one outside its range."""
        if attribute == C.ACL_MDL_LOAD_TYPE_SIZET and not 1 <= int(value) <= C.ACL_MDL_LOAD_FROM_MEM_WITH_Q:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"the load type is {value}: 1 to 6 is required", "acl")
        if attribute == C.ACL_MDL_PRIORITY_INT32 and not 0 <= int(value) <= LAST_PRIORITY:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"the priority is {value}: 0 to {LAST_PRIORITY} is required", "acl")
        flags = (C.ACL_MDL_WORKSPACE_MEM_OPTIMIZE, C.ACL_MDL_WITHOUT_GRAPH_INT32)
        if attribute in flags and value not in (0, 1):
            raise AclError(ACL_ERROR_INVALID_PARAM, f"attribute {attribute} is {value}: 0 or 1 is required", "acl")
        if OPTIONS[attribute] == POINTER and not value and attribute not in MAY_BE_NULL:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"attribute {attribute} is NULL", "acl")
        self.values[attribute] = value

    def has_model(self) -> bool:
        """A path, or memory of a size: else nothing can be loaded, whatever the type."""
        values = self.values
        if values.get(C.ACL_MDL_PATH_PTR):
            return True
        return bool(values.get(C.ACL_MDL_MEM_ADDR_PTR) and values.get(C.ACL_MDL_MEM_SIZET))

    def check(self) -> int:
        """The load type. Raises AclError 100000: never set, a mandatory option missing, a weight path with a file."""
        values = self.values
        kind = values.get(C.ACL_MDL_LOAD_TYPE_SIZET)
        if kind is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, "the load type (ACL_MDL_LOAD_TYPE_SIZET) was not set", "acl")
        needed = [C.ACL_MDL_PATH_PTR] if kind in FROM_FILE else [C.ACL_MDL_MEM_ADDR_PTR, C.ACL_MDL_MEM_SIZET]
        needed += QUEUES if kind in WITH_Q else ()
        missing = [attribute for attribute in needed if not values.get(attribute)]
        if missing:
            raise AclError(
                ACL_ERROR_INVALID_PARAM, f"load type {kind} needs attribute {missing[0]}, which was not set", "acl"
            )
        if kind in FROM_FILE and values.get(C.ACL_MDL_WEIGHT_PATH_PTR):
            raise AclError(
                ACL_ERROR_INVALID_PARAM,
                f"load type {kind} with a weight path: that belongs to loads from memory",
                "acl",
            )
        return int(kind)


class ExecConfigHandle:
    """Options of aclmdlExecuteV2: time limits in ms, -1 none."""

    __slots__ = ("handle", "values")

    def __init__(self) -> None:
        self.handle = 0
        self.values = dict.fromkeys(EXECUTION_OPTIONS, -1)

    def describe(self) -> str:
        """The handle in words."""
        return f"execution config {self.handle:#x}"
