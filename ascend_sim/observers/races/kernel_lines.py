"""Where a kernel writes a parameter: read from its instructions, since the log of accesses keeps bytes, not lines."""

from __future__ import annotations

import dis
from types import CodeType

from ascend_sim.source.callsite import Point, resolve, source_line

__all__ = ["write_of"]


def write_of(code: CodeType, name: str) -> Point:
    """The one ``name[...] = ...`` of a kernel; its beginning when there are several, or none (a view, Python 3.10)."""
    found: dict[int, int] = {}
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("STORE_SUBSCR", "STORE_SLICE"):
            frame = resolve(code, instruction.offset)
            text = source_line(frame.file, frame.line)
            if frame.col is not None and text[frame.col :].startswith(f"{name}["):
                found.setdefault(frame.line, instruction.offset)
    return code, next(iter(found.values())) if len(found) == 1 else 0
