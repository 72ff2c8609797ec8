"""The strategy of a search: repeat the execution that leads to a branch, take the branch, go on by the default rule."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from ascend_sim.explore.search.default_rule import goes_on
from ascend_sim.explore.search.dependence import Item
from ascend_sim.explore.search.dpor import Branch, Search
from ascend_sim.explore.search.strategy import StepRecord, Strategy
from ascend_sim.explore.search.tree import Node, Step

__all__ = ["Trace"]


class Trace(Strategy):
    """One execution of a search: says which process goes on, and keeps what each step did.

    *branch* None: the first run. *path*: the steps of a run that is to be done again as it was.
    """

    def __init__(self, search: Search, branch: Branch | None, path: list[Step] | None = None) -> None:
        self.search = search
        self.steps: list[Step] = []
        self._path: list[Step] = branch.node.path() if branch is not None else path or []
        self._branch = branch
        self.fresh = len(self._path)
        """Where the part begins that was not run before."""
        self.cut = False
        """All that was enabled is in the sleep set: every continuation was explored before (sleep-set blocked)."""
        self.node: Node = search.root
        self._last = ""
        self.trouble = ""
        """Set when the program was found not to be deterministic."""

    def choose(self, enabled: tuple[str, ...]) -> str:
        """Which of *enabled* goes on; the first is what the default rule prefers, after who ran last."""
        if self.cut:
            chosen = goes_on(self._last, enabled) or enabled[0]
            self._last = chosen
            return chosen
        place = len(self.steps)
        if place < self.fresh:
            step = self._path[place]
            if enabled != step.node.enabled:
                self._differs(
                    f"step {place + 1} could be taken by {_words(step.node.enabled)}, now by {_words(enabled)}"
                )
                return enabled[0]
            self.node = step.node
            chosen = step.process
        else:
            node = self.node
            if place == self.fresh and self._branch is not None:
                node = self._branch.node
                chosen = self._branch.process
                if enabled != node.enabled:
                    self._differs(
                        f"step {place + 1} could be taken by {_words(node.enabled)}, now by {_words(enabled)}"
                    )
                    return enabled[0]
            else:
                if place:
                    last = self.steps[-1]
                    node = last.node.after(last)
                node.enabled = enabled
                sleep = node.sleep
                if not sleep:
                    chosen = self._last if self._last in enabled else goes_on(self._last, enabled) or enabled[0]
                else:
                    left = [p for p in enabled if p not in sleep]
                    awake = goes_on(self._last, left) or next(iter(left), None)
                    if awake is None:
                        self.cut = True
                        self.node = node
                        return self.choose(enabled)
                    chosen = awake
            self.node = node
            step = Step(node, chosen)
            node.backtrack.setdefault(chosen)
        self.steps.append(step)
        self._last = chosen
        return chosen

    def taken(self, step: StepRecord) -> None:
        """Keep what the step did; or compare it, where the execution is repeated."""
        if self.cut:
            return
        place = len(self.steps) - 1
        kept, items = self.steps[place], step.items
        if place < self.fresh:
            if step.call != kept.call or items != kept.items:
                self._differs(f"step {place + 1}, of {kept.process}: {_change(kept, step.call, items)}")
            return
        kept.causes = step.causes
        kept.items = kept.node.backtrack[kept.process] = items
        kept.call = step.call
        kept.values = step.values

    def same_end(self) -> bool:
        """Whether a run that was to be done again ended where it had ended before."""
        if len(self.steps) != self.fresh:
            self._differs(f"it ends after {len(self.steps)} steps, before after {self.fresh}")
        return not self.trouble

    def reached_branch(self) -> None:
        """The run is over: did it come as far as what was to be tried?"""
        if self._branch is not None and not self.trouble and len(self.steps) <= self.fresh:
            self._differs(f"it ends after {len(self.steps)} steps, before it had more than {self.fresh}")

    def _differs(self, text: str) -> None:
        self.trouble = self.trouble or text
        self.cut = True


def _words(processes: tuple[str, ...]) -> str:
    return ", ".join(processes) if processes else "nobody"


def _change(step: Step, call: Any, items: tuple[Item, ...]) -> str:
    """How *step* differs from what was done now."""
    before, now = _calls(step.call), _calls(call)
    if before == now:
        return f"{_what(now[-1])} touches {_bytes(step.items)} once and {_bytes(items)} the next time"
    one, two = next(pair for pair in zip_longest(before, now) if pair[0] != pair[1])
    return f"it does {_what(one)} once and {_what(two)} the next time"


def _calls(call: Any) -> tuple[Any, ...]:
    """The calls of a step: one, or several of which the others were merged into it."""
    return call if call and isinstance(call[0], tuple) else (call,)


def _what(call: Any) -> str:
    if not call:
        return "nothing"
    name, arguments = call
    return f"{name}({', '.join(map(repr, arguments))})" if arguments else str(name)


def _bytes(items: tuple[Item, ...]) -> str:
    """What is touched: the second part of a key is the name, and some have only one."""
    touched = [(item.key[:2][-1], item.lo, item.hi) for item in items if isinstance(item.key, tuple)]
    return ", ".join(f"{name} [{lo}, {hi})" for name, lo, hi in touched) or "nothing"
