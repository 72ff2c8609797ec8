"""Chapter 24: aclAppLog: lines of the program in the log (`ascend_sim.runtime.app_log` says where they go)."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.runtime.app_log import LEVELS, LogLine, log_text
from ascend_sim.runtime.thread_state import ThreadState


@api("aclAppLog")
def app_log(t: ThreadState, level: int, function: str | None, file: str | None, line: int, text: str | None) -> None:
    """Write a line: *level* 0 debug to 3 error, at most 1024 bytes with the place, cut with a mark.

    *text* is what C makes of the format and its arguments: Python programs format it themselves. NULL for *function*,
    *file* or *text*, or another level: nothing is written.
    """
    if function is None or file is None or text is None or level >= len(LEVELS):
        return
    t.sim.process.log.write(LogLine(t.clock, level, log_text(t.number, function, file, line, text)))
