"""Ranges that a program makes with torch's ``record_function`` appear where somebody listens, such as in the timeline.

torch tells its own profilers of them in C++ and has no place where another could ask to be told, so the two methods of
the class do it. What they did before they do as before: compiled programs (TorchScript) have the text of the first ones.
"""

from __future__ import annotations

import functools
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ascend_sim.runtime.current import LOCAL, attach_thread, current
from ascend_sim.runtime.profiling.stamps import Marks
from ascend_sim.untrusted.escaping import escaped

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["tell_of_ranges", "with_ranges"]

_MODULE = "torch.autograd.profiler"


class OpenRanges:
    """The ranges of a simulator that have begun, by thread, innermost last: each with the virtual time of its begin (ns)."""

    def __init__(self, sim: Runtime) -> None:
        self.by_thread: dict[int, list[tuple[Any, int]]] = {}

    def begin(self, t: ThreadState, range_: Any) -> None:
        """*range_*, a ``record_function``, begins now; one that is used again while it is open (recursion) does so too."""
        self.by_thread.setdefault(t.number, []).append((range_, t.clock))

    def end(self, t: ThreadState, range_: Any) -> tuple[str, int] | None:
        """How it ended, and when it had begun: ``push`` for the innermost one of its thread, ``range`` where it crosses
        others, such as a step of a profiler inside a range; None for one of which nothing is known."""
        pile = self.by_thread.get(t.number, [])
        for at in reversed(range(len(pile))):
            if pile[at][0] is range_:
                crosses = at < len(pile) - 1
                return ("range" if crosses else "push"), pile.pop(at)[1]
        return None


def _listening() -> ThreadState | None:
    """The calling thread, when its simulator has somebody who listens to ranges."""
    state: ThreadState | None = getattr(LOCAL, "state", None)
    if state is not None and not state.sim.closed:
        return state if state.sim.hooks.marked is not None else None
    sim = current()
    return attach_thread() if sim is not None and sim.hooks.marked is not None else None


def _begin(range_: Any) -> None:
    t = _listening()
    if t is not None:
        with t.threads.quiet():
            t.sim.part(OpenRanges).begin(t, range_)


def _end(range_: Any) -> None:
    t = _listening()
    if t is None:
        return
    with t.threads.quiet():
        found = t.sim.part(OpenRanges).end(t, range_)
        if found is not None:
            kind, start = found
            t.sim.part(Marks).tell(t, kind, escaped(str(range_.name)), start)


def tell_of_ranges() -> None:
    """From now on whoever listens to marks hears of these ranges. Doing it twice changes nothing."""
    made = sys.modules[_MODULE].record_function
    enter, leave = made.__enter__, made.__exit__
    if enter.__module__ == __name__:
        return

    @functools.wraps(enter, assigned=("__name__", "__qualname__", "__doc__"))
    def entered(self: Any) -> Any:
        _begin(self)
        return enter(self)

    @functools.wraps(leave, assigned=("__name__", "__qualname__", "__doc__"))
    def left(self: Any, *raised: Any) -> Any:
        try:
            return leave(self, *raised)
        finally:
            _end(self)

    made.__enter__, made.__exit__ = entered, left


class _Loader(SourceFileLoader):
    """Loads torch_npu, and then torch is there as well."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        tell_of_ranges()


def with_ranges(spec: ModuleSpec | None) -> ModuleSpec | None:
    """*spec* of torch_npu, for an import after which ranges are told."""
    if spec is not None and type(spec.loader) is SourceFileLoader:
        spec.loader = _Loader(spec.loader.name, spec.loader.path)
    return spec
