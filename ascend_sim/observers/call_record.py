"""A record of a run for another program to judge: the calls, what was queued where, and what memory held at its end."""

from __future__ import annotations

import ctypes
import json
import os
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ascend_sim.findings.files import write_whole
from ascend_sim.observers.observer import Observer
from ascend_sim.source.frames import frames_of

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["CallRecord"]

MOST_CALLS = 20_000
_FREES = ("aclrtFree", "aclrtFreeHost")
_ORDER_ONLY = ("record", "wait", "reset", "notify-record", "notify-wait", "callback", "host-func")


class CallRecord(Observer):
    """Writes *path* when the simulator closes, as JSON:

    - ``calls``: for each outermost call its thread, name, arguments (integers and texts, else null), code (null: none)
      and the line of *program* that made it; at most the first 20,000, ``more`` counts the others.
    - ``work``: for each stream, in the order of their first task, the kinds of tasks that it got; events and callbacks
      are no work.
    - ``memory``: for each block, in the order of allocation, its kind, size, and a digest of what it held when it was
      freed by the host, or at the end (null: nobody wrote it).
    - ``end``: the virtual time at the end, in nanoseconds.
    """

    guarded = True
    title = "the record of calls"

    def __init__(self, path: str, program: str) -> None:
        self.path = path
        self.program = os.path.abspath(program)
        self._calls: list[list[Any]] = []
        self._sites: list[Any] = []
        self._more = 0
        self._open: dict[int, list[int]] = {}
        self._work: dict[Stream, list[str]] = {}
        self._blocks: dict[int, Allocation] = {}
        self._memory: dict[int, list[Any]] = {}

    def api_entered(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """A call begins."""
        if name in _FREES and arguments and type(arguments[0]) is int:
            self._look(self._blocks.get(arguments[0]))
        opened = self._open.setdefault(t.number, [])
        if len(self._calls) >= MOST_CALLS:
            self._more += 1
            opened.append(-1)
            return
        opened.append(len(self._calls))
        kept = [value if isinstance(value, (int, str)) else None for value in arguments]
        self._calls.append([t.number, name, kept, None])
        self._sites.append(t.site)

    def api_returned(self, t: HostThread, name: str, result: Any) -> None:
        """It ends, with its code as the last value."""
        opened = self._open.get(t.number)
        if not opened:
            return
        number = opened.pop()
        code = result[-1] if isinstance(result, tuple) and result else result
        if number >= 0 and type(code) is int:
            self._calls[number][3] = code

    def submitted(self, task: Task) -> None:
        """Something was queued."""
        if task.op.kind not in _ORDER_ONLY:
            self._work.setdefault(task.stream, []).append(task.op.kind)

    def allocated(self, t: HostThread | None, block: Allocation) -> None:
        """A block to look at when it ends."""
        self._blocks[block.address] = block
        self._memory[block.number] = [block.kind, block.size, None]

    def freed(self, t: HostThread | None, block: Allocation) -> None:
        """Its address may belong to another one from now on."""
        if self._blocks.get(block.address) is block:
            del self._blocks[block.address]

    def _look(self, block: Allocation | None) -> None:
        """Note a digest of what *block* holds; memory that was never touched has none."""
        if block is None or block.kind not in ("device", "host") or not block.host:
            return
        block.touch(0, block.size, False)
        self._memory[block.number][2] = zlib.crc32((ctypes.c_char * block.size).from_address(block.host))

    def closed(self, sim: Runtime) -> None:
        """Write the record."""
        for block in self._blocks.values():
            self._look(block)
        calls = [[*call, self._line(site)] for call, site in zip(self._calls, self._sites, strict=True)]
        value = {
            "calls": calls, "more": self._more, "work": list(self._work.values()),
            "memory": [self._memory[number] for number in sorted(self._memory)], "end": sim.time_ns(),
        }  # fmt: skip
        with suppress(OSError):  # who wanted it says that it is missing
            write_whole(self.path, json.dumps(value))

    def _line(self, site: Any) -> int | None:
        """The line of the program that a call stood in."""
        if not site:
            return None
        points = (site,) if hasattr(site[0], "co_code") else site
        for frame in frames_of(points):
            if os.path.abspath(frame.file) == self.program:
                return frame.line
        return None
