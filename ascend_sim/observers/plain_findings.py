"""The fence around what makes a finding: when its words cannot be made, a plain finding of that kind stands there.

A checker has seen a fault, and asks for names, lines and advice. An error in that must not leave the call of the program,
which comes from a hook of the runtime, and the fault must be told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ascend_sim.findings.finding import Finding, Site
from ascend_sim.source.fence import fenced

__all__ = ["tells"]

F = TypeVar("F", bound=Callable[..., Any])


def tells(
    kind: str, severity: str = "error", answer: Callable[[Finding], Any] = lambda finding: None
) -> Callable[[F], F]:
    """A decorator for a method of an observer, or a function of a simulator, that reports a finding of *kind*.

    *answer*: what it returns for the plain finding, which cites what it was given: tasks, threads and blocks.
    """

    def plainly(owner: Any, *given: Any, **named: Any) -> Any:
        sim = getattr(owner, "sim", None) or getattr(owner, "_sim", owner)
        places = [thing.site for thing in (*given, *named.values()) if getattr(thing, "site", None) is not None]
        sites = [Site("other" if i else "access", "here", place, primary=not i) for i, place in enumerate(places)]
        return answer(sim.report(kind, severity, "what is wrong here cannot be put into words", sites))

    return fenced(plainly)
