"""Failing codes that the program ignores.

What is ignored is read from the program's instructions behind the call: the result is dropped, or the code goes to a
variable that is overwritten, or never read. A code that may be read somewhere is not reported.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import (
    ACL_ERROR_REPEAT_INITIALIZE,
    ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
    ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
    ACL_ERROR_RT_THREAD_SUBSCRIBE,
)
from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import called, line_of
from ascend_sim.observers.observer import Observer
from ascend_sim.source.callsite import BY_TORCH, CallSite, face_of, native_place, own_code, points

if TYPE_CHECKING:
    import dis

    from ascend_sim.errors import AclError
    from ascend_sim.findings.finding import Finding
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["IgnoredCodes", "ignored", "ignored_by_caller"]

HARMLESS = {ACL_ERROR_REPEAT_INITIALIZE, ACL_ERROR_RT_THREAD_SUBSCRIBE}
"""A second aclInit counts and changes nothing; a callback thread that is early asks again."""
TIMED_OUT = {ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, ACL_ERROR_RT_EVENT_SYNC_TIMEOUT}
"""Of the codes of the device only these are nobody's finding yet: the others come from faults that are reported."""
NOTHING = "is NULL or zero"
"""How the reason of a call ends that was handed the 0 of another one."""
MOST = 20
_MAKES = r"Create|[Mm]alloc|Get|Load|Alloc"
_MOVES = r"(LOAD|STORE|DELETE)_(?:FAST|NAME|GLOBAL|DEREF|CLASSDEREF|CLOSURE)"


class IgnoredCodes(Observer):
    """Reports a failing call whose code nobody looks at: ``acl.rt.free(p)``, or ``stream, ret = ...`` without more."""

    guarded = True
    title = "the check of codes"

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self._first: dict[int, tuple[Finding, str]] = {}
        """For each thread the latest code that was ignored, with its reason."""
        self._made_nothing: dict[int, Finding] = {}
        """For each thread the latest ignored code of a call that was to make something: later calls are handed its 0."""
        self._consequences = 0
        self._reported_points: tuple[Any, ...] = ()
        """The place of the latest finding: the code of the same call needs no second one."""

    def found(self, finding: Finding) -> None:
        """A finding of the call whose code is looked at next, perhaps."""
        primary = finding.primary
        self._reported_points = primary.points[:1] if primary is not None else ()

    def call_failed(self, t: HostThread, name: str, error: AclError) -> None:
        """Look at what the caller does with the result."""
        code = error.code
        if error.layer == "answer" or code in HARMLESS or (code >= 500_000 and code not in TIMED_OUT):
            return
        reported = self._reported_points
        if not ignored_by_caller(t.site) or (reported and reported == points(t.site)[:1]):
            return
        cause, reason = self._first.get(t.number, (None, ""))
        if error.reason.endswith(NOTHING) and error.reason != reason:
            cause, reason = self._made_nothing.get(t.number), error.reason
        if cause is not None and error.reason == reason:
            # The same trouble again, or what a call that failed did not make is handed on.
            self._consequences += 1
            if self._consequences <= MOST:
                self.sim.findings.follow(cause.id, f"{code} from {called(name, t.site)} at {line_of(t.site, ())}")
            return
        finding = self.sim.report(
            "ignored-code", "warning", f"{name} returned {code}, and the program does not look at it",
            [Site("access", f"returned {code}", t.site, primary=True)],
            notes=(error.reason,), code=(name, code), time_ns=t.clock,
        )  # fmt: skip
        self._first[t.number] = finding, error.reason
        if re.search(_MAKES, name) is not None:
            self._made_nothing[t.number] = finding


def ignored_by_caller(site: CallSite) -> bool:
    """Whether the program ignores the result of the call that is running now, at *site*.

    False for calls from C and from torch: what these do with the code is not in Python's instructions.
    """
    at = points(site)
    if face_of(at) is BY_TORCH or any(native_place(code) is not None for code, _ in at[:1]):
        return False
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and own_code(frame.f_code.co_filename):
        frame = frame.f_back
    return frame is not None and ignored(frame.f_code, frame.f_lasti)


@lru_cache(maxsize=1024)
def ignored(code: CodeType, lasti: int) -> bool:
    """Whether the result of the call at *lasti* is dropped, or its last value stored where nobody reads it."""
    import dis  # only a call that fails is looked at

    behind = [i for i in dis.get_instructions(code) if i.offset > lasti]
    behind = [i for i in behind if i.opname not in ("CACHE", "NOP", "EXTENDED_ARG", "PRECALL")]
    if not behind:
        return False
    first = behind.pop(0)
    if first.opname == "POP_TOP":
        return True
    stores = 1
    if first.opname == "UNPACK_SEQUENCE":
        stores = int(first.arg or 0)
        first = behind.pop(0) if behind else first
    name = ""
    moves = _moves(first)
    while stores and moves:
        what, name = moves.pop(0)
        if what != "STORE":
            return False
        stores -= 1
        if not moves and stores:
            if not behind:
                return False
            moves = _moves(behind.pop(0))
    return bool(name) and not stores and not _read(code, name, moves, behind)


def _read(code: CodeType, name: str, moves: list[tuple[str, str]], behind: list[dis.Instruction]) -> bool:
    """Whether variable *name*, just stored, may be read: on the straight way from here, else anywhere."""
    import dis

    for instruction in (None, *behind):
        if instruction is not None:
            if instruction.is_jump_target or instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs:
                break
            moves = _moves(instruction)
        for what, other in moves:
            if other == name:
                return what == "LOAD"
    return any(what == "LOAD" and other == name for part in _nested(code) for i in dis.get_instructions(part)
               for what, other in _moves(i))  # fmt: skip


def _moves(instruction: dis.Instruction) -> list[tuple[str, str]]:
    """(LOAD, STORE or DELETE, variable) of an instruction, in order; one instruction may hold two."""
    names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
    return list(zip(re.findall(_MOVES, instruction.opname), names, strict=False))


def _nested(code: CodeType) -> Iterator[CodeType]:
    """*code* and the functions in it; of a module that is all that can read its variables by name."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)
