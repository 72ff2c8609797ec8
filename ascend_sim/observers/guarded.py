"""The fence around what the tool's own observers keep: one that raises hears nothing more, and a finding says so.

Hooks come from the middle of calls. What an observer raises there, MemoryError at its thousandth access, must neither
leave the call of the program nor change what it does. But who has missed one event may be wrong about all that come
later: a race that is none, bytes that nobody wrote. So an observer that raised ends, and with it those that rest on it.
That is told as an error: a run whose checks ended proves nothing (docs/semantics/reports.md#checks-that-end).

Observers of others raise what they like: a test may want that. In a search a run that an error leaves is told as a whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import wraps
from types import BuiltinMethodType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ascend_sim.findings.finding import Site
from ascend_sim.runtime.current import LOCAL
from ascend_sim.source.fence import DEBUG_TEXTS, fenced, passes_by

if TYPE_CHECKING:
    from ascend_sim.observers.observer import Observer
    from ascend_sim.runtime.core import Runtime

__all__ = ["ended_by", "guarded", "guards_itself"]

F = TypeVar("F", bound=Callable[..., Any])


def guards_itself(listener: F) -> F:
    """Mark a listener that hands what is raised in it to `ended_by`: of the hooks that nearly every call tells.

    There a frame between hook and listener would make a checked call 8 % slower, a ``try`` costs nothing.
    """
    listener.guards_itself = True  # type: ignore[attr-defined]
    return listener


def guarded(sim: Runtime, observer: Observer, listen: F) -> F:
    """*listen*, a listener of *observer*, of which nothing raised comes out: it ends the observer."""
    if hasattr(listen, "guards_itself") or isinstance(listen, BuiltinMethodType):  # such as ``append``
        return listen

    @wraps(listen)
    def guarding(*given: Any) -> Any:
        try:
            return listen(*given)
        except BaseException as error:  # noqa: BLE001 - whatever was raised: the module says why
            ended_by(sim, observer, error, listen)

    guarding.__self__ = observer  # type: ignore[attr-defined] # as methods have it: some look at who listens
    return cast(F, guarding)


def ended_by(sim: Runtime, observer: Observer, error: BaseException, listen: Callable[..., Any]) -> None:
    """*listen*, of *observer*, has raised *error*: it hears nothing more, nor do those that rest on it.

    A hook that is under way may call it once more. What only comes by goes on: an interrupt, the end of a thread.
    """
    if passes_by(error) or os.environ.get(DEBUG_TEXTS, "0") not in ("", "0"):
        raise error
    if observer.ended:
        return
    ending = [observer]
    for one in ending:
        one.ended = True
        _silence(sim, one.registered or {})
        one.end()
        ending += [other for other in one.resting if not other.ended]
    _tell(sim, error, listen, [one.title for one in ending if one.title])


def _silence(sim: Runtime, listeners: Mapping[tuple[str, Callable[..., Any]], Callable[..., Any]]) -> None:
    for (name, _), listen in listeners.items():
        sim.hooks.remove(name, listen)


@fenced(lambda sim, error, listen, titles: None)
def _tell(sim: Runtime, error: BaseException, listen: Callable[..., Any], titles: list[str]) -> None:
    t = getattr(LOCAL, "state", None)
    site = t.site if t is not None and t.sim is sim else None
    where = getattr(listen, "__qualname__", type(listen).__name__)
    sim.report(
        "check-ended", "error", f"{titles[0]} ended here",
        [Site("access", "called here", site, primary=True)] if site is not None else [],
        notes=(
            f"{type(error).__name__} in {where}: an error of the simulator, not of the program, whose call went on",
            *[f"{title} ended with it" for title in titles[1:]],
            "what comes after this was not looked at",
        ),
    )  # fmt: skip
