"""Chapter 13: the last error of a thread, and texts about recent failures."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.runtime.thread_state import ThreadState

THREAD_LEVEL = 0


@api("aclGetRecentErrMsg")
def get_recent_err_msg(t: ThreadState) -> str | None:
    """The error texts of this thread (of the process with err_msg_mode "1"), newest first; reading clears them.

    None when there are none.
    """
    texts = t.sim.process.texts if t.sim.process.process_texts else t.texts
    if not texts:
        return None
    names = t.sim.names
    lines = [f"[{code}] {name}: {names.text(reason)}" for name, code, reason in reversed(texts)]
    texts.clear()
    return "\n".join(lines)


@api("aclrtPeekAtLastError")
def peek_at_last_error(t: ThreadState, level: int) -> None:
    """Returns the thread's stored code and keeps it. Codes: 100000 level other than 0."""
    _level(level)
    _answer(t.last_error)


@api("aclrtGetLastError")
def get_last_error(t: ThreadState, level: int) -> None:
    """Returns the thread's stored code and clears it. Codes: 100000 level other than 0."""
    _level(level)
    code, t.last_error = t.last_error, 0
    _answer(code)


def _level(level: int) -> None:
    if level != THREAD_LEVEL:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"level is {level}: 0 (thread) is required", "acl")


def _answer(code: int) -> None:
    """A return code that is an answer, not a failure of this call."""
    if code:
        raise AclError(code, "", "answer")
