"""Chapter 02: initialization and finalization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.runtime import configuration
from ascend_sim.runtime.thread_state import ThreadState


@api("aclInit")
def acl_init(t: ThreadState, config_path: str | None) -> None:
    """Initialise. NULL or an empty path: defaults.

    Codes: 100002 called before (it counts all the same), 100003 the file cannot be opened, 100000 a later first
    initialisation with other contents or a bad ``err_msg_mode``, 500001 a bad section (02_initialization...md:15).
    """
    process = t.sim.process
    process.init(t, lambda: configuration.configure(t.sim, config_path))
    text = configuration.text_of(config_path)
    for function, argument in list(process.init_callbacks.items()):
        with t.sim.threads.outside(t):
            function(text, len(text), argument)


@api("aclFinalize")
def acl_finalize(t: ThreadState) -> None:
    """Finalise, whatever the count. Codes: 100037 finalised before and no aclInit since (02_...md:562)."""
    t.sim.process.finalize(t.sim)
    _finalized(t)


@api("aclFinalizeReference")
def acl_finalize_reference(t: ThreadState) -> int:
    """Count down; really finalise at zero. Returns the count after the call. Codes: 100037 below one (02_...md:621)."""
    count = t.sim.process.finalize_reference(t.sim)
    if count == 0:
        _finalized(t)
    return count


def _finalized(t: ThreadState) -> None:
    for function, argument in list(t.sim.process.finalize_callbacks.items()):
        with t.sim.threads.outside(t):
            function(argument)


@api("aclInitCallbackRegister", raw=("userData",))
def acl_init_callback_register(t: ThreadState, kind: int, function: Callable[..., Any] | None, user_data: Any) -> None:
    """Call *function(text, length, user_data)* inside aclInit; at once when that was before (02_...md:680)."""
    require(function, "callbackFunc")
    assert function is not None
    process = t.sim.process
    process.init_callbacks[function] = user_data
    if process.init_count:
        with t.sim.threads.outside(t):
            function("", 0, user_data)


@api("aclInitCallbackUnRegister")
def acl_init_callback_unregister(t: ThreadState, kind: int, function: Callable[..., Any] | None) -> None:
    """Undo aclInitCallbackRegister."""
    require(function, "callbackFunc")
    assert function is not None
    t.sim.process.init_callbacks.pop(function, None)


@api("aclFinalizeCallbackRegister", raw=("userData",))
def acl_finalize_callback_register(t: ThreadState, kind: int, function: Callable[..., Any] | None, user_data: Any) -> None:
    """Call *function(user_data)* when the process really finalises."""
    require(function, "callbackFunc")
    assert function is not None
    t.sim.process.finalize_callbacks[function] = user_data


@api("aclFinalizeCallbackUnRegister")
def acl_finalize_callback_unregister(t: ThreadState, kind: int, function: Callable[..., Any] | None) -> None:
    """Undo aclFinalizeCallbackRegister."""
    require(function, "callbackFunc")
    assert function is not None
    t.sim.process.finalize_callbacks.pop(function, None)
