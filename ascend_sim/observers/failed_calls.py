"""Calls that failed for good and that no finding explains: the last lines of a run say why.

A program that prints ``107002`` and ends has told its author nothing; the reason is in aclGetRecentErrMsg, for which few
ask. A program that tries again, asks for the text, or looks at the code and goes on with its work knows what it does; but
one that goes on and comes to an error finding may not: a wait that was refused has ordered nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import (
    ACL_ERROR_REPEAT_FINALIZE,
    ACL_ERROR_REPEAT_INITIALIZE,
    ACL_ERROR_RT_THREAD_SUBSCRIBE,
)
from ascend_sim.findings.wording import called, in_pyacl, line_of, pyacl_face
from ascend_sim.observers.observer import Observer, listen, unlisten
from ascend_sim.source.callsite import points
from ascend_sim.untrusted.long_names import shortened

if TYPE_CHECKING:
    from ascend_sim.errors import AclError
    from ascend_sim.findings.finding import Finding
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["FailedCalls"]

HARMLESS = (ACL_ERROR_REPEAT_INITIALIZE, ACL_ERROR_REPEAT_FINALIZE, ACL_ERROR_RT_THREAD_SUBSCRIBE)
FIRST_OF_TASKS = 500_000
"""Codes from here on come from tasks and time-outs: the fault itself has a finding, or the program waits again."""
MOST = 3


_CLEANS_UP = r"Destroy|Free|Reset|Finalize|Release|Unload|UnSubscribe"
"""Calls that a program makes after a failure, too, before it ends."""
_ASKS = "aclGetRecentErrMsg"
_ONLY_ASKS = r"aclrt(Get|Query)"
"""Calls that do nothing: a program that goes on after one that failed has its answer, and no error comes of it."""


class FailedCalls(Observer):
    """The first failure of each function that has not succeeded since."""

    hears_operands = False
    guarded = True
    title = "the list of failed calls"

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self._failed: dict[str, tuple[str, int]] = {}
        """By the name of the function: the line that says it, and the code."""
        self._asked: set[str] = set()
        """Those whose text the program has asked for."""
        self._unseen: set[str] = set()
        """Those whose code the program drops: that it went on says nothing."""
        self._got_over: set[str] = set()
        """Those after which the program went on."""
        self._before_error: set[str] = set()
        """Those that were left so when an error was found: it may come of them."""
        self._reported: tuple[Any, ...] = ()
        """The place of the latest finding: the code of the same call needs no line."""
        self._explained = False
        """The check of codes has found one that is ignored: what comes of it is told there."""

    def found(self, finding: Finding) -> None:
        """A finding of the call that fails next, perhaps."""
        self._reported = finding.primary.points[:1] if finding.primary is not None else ()
        self._explained = self._explained or finding.kind == "ignored-code"
        if finding.severity == "error":
            self._before_error.update(
                name for name in self._failed if name not in self._asked and not re.match(_ONLY_ASKS, name)
            )

    def call_failed(self, t: HostThread, name: str, error: AclError) -> None:
        """Keep it, unless something else says it."""
        code = error.code
        if error.layer == "answer" or code in HARMLESS or code >= FIRST_OF_TASKS or name in self._failed:
            return
        if self._explained or (self._reported and self._reported == points(t.site)[:1]):
            return
        if not self._failed:  # only from now on is there something to forget
            listen(self._sim, self, "api_returned", self._returned)
        from ascend_sim.observers.rules.ignored_codes import ignored_by_caller  # only a call that fails is looked at

        if not re.search(_CLEANS_UP, name) and ignored_by_caller(t.site):
            self._unseen.add(name)
        reason = in_pyacl(error.reason) if pyacl_face(t.site) else error.reason
        reason = shortened(self._sim.names.text(reason))
        line = f"{called(name, t.site)} returned {code} at {line_of(t.site, ())}: {reason}"
        self._failed[name] = line, code

    def _returned(self, t: HostThread, name: str, result: Any) -> None:
        if name == _ASKS:
            self._asked.update(self._failed)
        elif (result[-1] if type(result) is tuple and result else result) != 0:
            return
        elif name in self._failed:
            del self._failed[name]
            for names in (self._asked, self._got_over, self._before_error, self._unseen):
                names.discard(name)
            if not self._failed:
                unlisten(self._sim, self, "api_returned", self._returned)
        elif not re.search(_CLEANS_UP, name):
            self._got_over.update(self._failed)

    def lines(self, ended_badly: bool) -> list[str]:
        """What to say at the end of the run, nothing when all went well.

        *ended_badly*: the program was ended by an exception, which may be about any of them.
        """
        left = self._left(ended_badly)
        lines = [line for line, _ in left[:MOST]]
        if len(left) > MOST:
            lines.append(f"{len(left) - MOST} more functions failed")
        return lines

    def codes(self, ended_badly: bool) -> list[int]:
        """The codes in `lines`, each once."""
        return list(dict.fromkeys(code for _, code in self._left(ended_badly)[:MOST]))

    def _left(self, ended_badly: bool) -> list[tuple[str, int]]:
        known = self._asked | (self._got_over - self._before_error - self._unseen)
        return [kept for name, kept in self._failed.items() if ended_badly or name not in known]
