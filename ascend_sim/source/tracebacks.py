"""Tracebacks as the program would have them: without the simulator's frames."""

from __future__ import annotations

from types import TracebackType

from ascend_sim.source.callsite import own_code
from ascend_sim.source.fence import fenced

__all__ = ["strip"]


@fenced(lambda error: None)
def strip(error: BaseException) -> None:
    """Take the simulator's frames out of the traceback of *error* and of the exceptions behind it."""
    seen: set[int] = set()
    while id(error) not in seen:
        seen.add(id(error))
        error.__traceback__ = _outside(error.__traceback__)
        cause = error.__cause__ or error.__context__
        if cause is None:
            return
        if error.__cause__ is None and _outside(cause.__traceback__) is None:
            error.__suppress_context__ = True  # raised and handled inside the simulator
            return
        error = cause


def _outside(trace: TracebackType | None) -> TracebackType | None:
    frames: list[TracebackType] = []
    head = True
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        own = own_code(file)
        head = head and (own or file == "<frozen runpy>")
        if not head and not own:
            frames.append(trace)
        trace = trace.tb_next
    chain: TracebackType | None = None
    for old in reversed(frames):
        chain = TracebackType(chain, old.tb_frame, old.tb_lasti, old.tb_lineno)
    return chain
