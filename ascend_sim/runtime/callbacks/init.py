"""Callbacks of aclInit and aclFinalize: by type, one for each type but OTHER.

See docs/semantics/process.md#init-callbacks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_INTERNAL_ERROR, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["DVPP", "MODEL", "OP_COMPILER", "OP_EXECUTOR", "OTHER", "InitCallbacks"]

MODEL, OP_EXECUTOR, OP_COMPILER, DVPP, OTHER = 0, 1, 3, 6, 65535
"""The types that aclInit and aclFinalize call; functions of other types are kept and never called."""

Function = Callable[..., Any]


class InitCallbacks:
    """Functions with their argument, by type, in the order of registration."""

    __slots__ = ("by_type",)

    def __init__(self) -> None:
        self.by_type: dict[int, list[tuple[Function, Any]]] = {}

    def register(self, kind: int, function: Function | None, argument: Any) -> None:
        """Add *function*. Raises AclError 100000 for NULL, 500000 for a second one of a type other than OTHER."""
        if function is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, "cbFunc is NULL", "acl")
        if kind != OTHER and kind in self.by_type:
            raise AclError(
                ACL_ERROR_INTERNAL_ERROR,
                f"type is {kind}: it has a callback already, only type {OTHER} takes several",
                "acl",
            )
        self.by_type.setdefault(kind, []).append((function, argument))

    def unregister(self, kind: int, function: Function | None) -> None:
        """Remove the first entry of *function*. Raises AclError 100000 for NULL, 500000 when it is not registered."""
        if function is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, "cbFunc is NULL", "acl")
        functions = self.by_type.get(kind, [])
        for i, (known, _) in enumerate(functions):
            if known == function:
                del functions[i]
                if not functions:
                    del self.by_type[kind]
                return
        raise AclError(ACL_ERROR_INTERNAL_ERROR, f"cbFunc is not registered for type {kind}", "acl")

    def notify(self, t: ThreadState, kind: int, *arguments: Any) -> None:
        """Call the functions of a type as host code of *t*. Raises AclError with the first result other than 0."""
        for function, argument in list(self.by_type.get(kind, ())):
            with t.sim.threads.user_code(t):
                result = function(*arguments, argument)
            if result:
                name = getattr(function, "__name__", type(function).__name__)
                raise AclError(int(result), f"callback {name} of type {kind} answered {result}", "acl")
