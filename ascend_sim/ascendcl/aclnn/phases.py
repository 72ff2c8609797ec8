"""Both phases of every operator: one function each, which know their operator by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.aclnn.codes import CODES, NULL_PARAMETER, RUNTIME
from ascend_sim.aclnn.operators import operator_of
from ascend_sim.aclnn.phases import prepare, queue
from ascend_sim.ascendcl.aclnn.objects import executor_of
from ascend_sim.ascendcl.arguments import read_text
from ascend_sim.errors import AclError
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["first_phase", "second_phase"]


def first_phase(name: str) -> Callable[..., Any]:
    """What ``NAMEGetWorkspaceSize`` does."""
    operator = operator_of(name)
    texts = any(place.text for place in operator.places)

    def first(t: ThreadState, *handles: Any) -> tuple[int, int]:
        """Check the operands and make an executor; no workspace is needed. Codes: 161001 for an operand that is NULL and
        must not be, 161002 for types and shapes that do not fit, 561003 where nothing computes the operator."""
        executor = prepare(t, operator, _read_texts(operator, handles) if texts else handles)
        executor.handle = handle = t.sim.handles.new(executor)
        return 0, handle

    return first


def _read_texts(operator: Any, handles: tuple[Any, ...]) -> list[Any]:
    """Texts that native programs hand over as addresses, in Python."""
    return [
        (read_text(handle) if handle else None) if place.text and type(handle) is int else handle
        for place, handle in zip(operator.places, handles, strict=True)
    ]


def second_phase(name: str) -> Callable[..., Any]:
    """What ``NAME`` does."""

    def second(t: ThreadState, workspace: int, size: int, handle: int, stream: int) -> None:
        """Queue the operator's task. Codes: 161001 for an executor that is NULL, and for a workspace that is NULL and has
        a size; 361001 where the runtime refuses the task: the stream is not alive, or of another context."""
        executor = executor_of(t, handle, NULL_PARAMETER, NULL_PARAMETER)
        if not executor.repeatable:
            t.sim.handles.drop_as(handle, executor.operator.executor, t.site, executor.site)
        if size and not workspace:
            raise AclError(NULL_PARAMETER, f"{name}: workspace is NULL, its size {size}", "acl")
        try:
            queue(t, executor, stream)
        except AclError as error:
            if error.code in CODES.values():
                raise
            t.sim.note_error(t, name, error)  # aclGetRecentErrMsg has both
            raise AclError(RUNTIME, f"{name} cannot be launched: {error.code}, {error.reason}", "acl") from None

    return second
