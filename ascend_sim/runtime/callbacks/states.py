"""Callbacks by name: what a program wants to hear of devices, streams and task aborts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = [
    "ABORT_POST", "ABORT_PRE", "CREATE_POST", "DESTROY_PRE", "RESET_POST", "RESET_PRE", "SET_POST", "SET_PRE",
    "notify", "register",
]  # fmt: skip

SET_PRE, SET_POST, RESET_PRE, RESET_POST = range(4)
"""aclrtDeviceState."""
CREATE_POST, DESTROY_PRE = 1, 2
"""aclrtStreamState."""
ABORT_PRE, ABORT_POST = 0, 1
"""aclrtDeviceTaskAbortStage."""


def register(t: ThreadState, kind: str, name: str, function: Callable[..., Any] | None, argument: Any) -> None:
    """Register *function* under *name*, or, without one, forget the name (also an unknown one).

    Raises AclError 107000 for a name that is taken.
    """
    callbacks = t.sim.process.callbacks[kind]
    if function is None:
        callbacks.pop(name, None)
        return
    if name in callbacks:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"regName is {name!r}: a {kind} callback of that name is registered already"
        )
    callbacks[name] = (function, argument)


def notify(t: ThreadState, kind: str, *arguments: int) -> int:
    """Call the registered functions as host code of *t*, by name; the first result other than 0 ends it.

    Only task aborts look at results. The list is taken before the first call: functions may register and unregister.
    """
    for _, (function, argument) in sorted(t.sim.process.callbacks[kind].items(), key=lambda item: item[0]):
        with t.sim.threads.user_code(t):
            result = function(*arguments, argument)
        if kind == "abort" and isinstance(result, int) and result:
            return int(result)
    return 0
