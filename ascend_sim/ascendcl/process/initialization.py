"""Chapter 02: initialization and finalization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.api import api
from ascend_sim.runtime.settings import configuration
from ascend_sim.runtime.thread_state import ThreadState


@api("aclInit")
def acl_init(t: ThreadState, config_path: str | None) -> None:
    """Initialise. NULL, an empty path, an empty file or ``{}``: defaults.

    Codes: 100002 called before (it counts all the same); 100003 no regular file that can be read, or above 10 MiB;
    100006 no JSON, or nested deeper than 10; 100000 other contents than at the first time, bad ``err_msg_mode``,
    ``max_opqueue_num`` or ``event_mode``; 100009 bad ``dump``; 500001 bad ``StackSize``, ``defaultDevice`` or print
    buffer; 107001 no such default device; what an init callback answers.
    """
    t.sim.process.init(t, lambda: configuration.configure(t, config_path))


@api("aclFinalize")
def acl_finalize(t: ThreadState) -> None:
    """Finalise, whatever the count. Codes: 100037 finalised before and no aclInit since."""
    t.sim.process.finalize(t)


@api("aclFinalizeReference")
def acl_finalize_reference(t: ThreadState) -> int:
    """Count down; really finalise at zero. Returns the count after the call. Codes: 100037 below one."""
    return t.sim.process.finalize_reference(t)


Function = Callable[..., Any]


@api("aclInitCallbackRegister", raw=("userData",))
def acl_init_callback_register(t: ThreadState, kind: int, function: Function | None, user_data: Any) -> None:
    """Call ``function(text, length, user_data)`` inside aclInit; at once, whatever it answers, when that was before.

    A result other than 0 makes aclInit fail with it. Called: types 0 (models) and 1 (operators, only with a file), 6
    and 65535 (others), in this order. Codes: 100000 NULL, 500000 a second function for a type other than 65535.
    """
    process = t.sim.process
    process.init_callbacks.register(kind, function, user_data)
    if process.init_count and function is not None:
        text = process.config_text
        with t.sim.threads.user_code(t):
            function(text, len(text.encode()), user_data)


@api("aclInitCallbackUnRegister")
def acl_init_callback_unregister(t: ThreadState, kind: int, function: Function | None) -> None:
    """Undo aclInitCallbackRegister. Codes: 100000 NULL, 500000 not registered for the type."""
    t.sim.process.init_callbacks.unregister(kind, function)


@api("aclFinalizeCallbackRegister", raw=("userData",))
def acl_finalize_callback_register(t: ThreadState, kind: int, function: Function | None, user_data: Any) -> None:
    """Call ``function(user_data)`` when the process really finalises; a result other than 0 makes that fail.

    Called: types 3 (operator compiler), 0, 6 and 65535, in this order. Codes: 100000 NULL, 500000 a second function
    for a type other than 65535.
    """
    t.sim.process.finalize_callbacks.register(kind, function, user_data)


@api("aclFinalizeCallbackUnRegister")
def acl_finalize_callback_unregister(t: ThreadState, kind: int, function: Function | None) -> None:
    """Undo aclFinalizeCallbackRegister. Codes: 100000 NULL, 500000 not registered for the type."""
    t.sim.process.finalize_callbacks.unregister(kind, function)
