"""Dynamic partial-order reduction with source sets and sleep sets: which schedules are worth a run.

Two schedules are of one class when they differ only by steps that change places and touch nothing in common. Every
class is run once: after each run, for each pair of steps that conflict and that nothing forces into this order, the
other order is asked for at the node before the first of them, unless a step that begins it is there already
(``spec/prototypes/races_and_explorer.md`` 9). Pending branches may be taken in any order; those with few preemptions
go first.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from ascend_sim.explore.search.dependence import CONFLICTS, SUBMIT, Item, dependent, parts_meet
from ascend_sim.explore.search.tree import Node, Step

__all__ = ["Blocked", "Branch", "Search"]


class Branch(NamedTuple):
    """A step to be tried: *process* from *node*."""

    preemptions: int
    depth: int
    number: int
    node: Node
    process: str


class Blocked(NamedTuple):
    """A process that could not go on before the step at *place*, what had led it there, and what it waited for.

    *last*: the place of the step after which it would have gone on, where that is not its last one; -1: it had none.
    """

    place: int
    process: str
    causes: tuple[int, ...]
    items: tuple[Item, ...]
    last: int | None = None


class History:
    """What the steps of a run did to each thing, oldest first; *modes*: in which ways, as a bit mask."""

    __slots__ = ("items", "modes")

    def __init__(self) -> None:
        self.items: dict[Hashable, list[tuple[int, Item]]] = {}
        self.modes: dict[Hashable, int] = {}


class Search:
    """The pending branches, and what a run adds to them. *order*: replaces the priority of a branch (tests)."""

    def __init__(self) -> None:
        self.root = Node(None, 0, 0)
        self.pending: list[Branch] = []
        self._numbers = 0

    def next(self) -> Branch | None:
        """The branch to be run now; None when every class has been run."""
        if not self.pending:
            return None
        branch = heapq.heappop(self.pending)
        for p, items in branch.node.children.items():  # older siblings first: their footprints are needed
            if p == branch.process:
                return branch
            if items is None:
                return self._swap(branch, p)
        raise AssertionError("a branch that its node does not know")

    def several(self, most: int) -> list[Branch]:
        """Up to *most* branches that can be run at once: no older sibling of them is still to be run."""
        chosen: list[Branch] = []
        later: list[Branch] = []
        while self.pending and len(chosen) < most:
            branch = heapq.heappop(self.pending)
            older = next(p for p, items in branch.node.children.items() if p == branch.process or items is None)
            (chosen if older == branch.process else later).append(branch)
        for branch in later:
            heapq.heappush(self.pending, branch)
        return chosen

    def _swap(self, branch: Branch, process: str) -> Branch:
        place = next(i for i, b in enumerate(self.pending) if b.node is branch.node and b.process == process)
        first = self.pending[place]
        self.pending[place] = branch
        heapq.heapify(self.pending)
        return first

    def priority(self, node: Node, process: str) -> int:
        """The smaller the sooner."""
        return node.preemptions + node.switches(process)

    def least_preemptions(self) -> int | None:
        """How many preemptions the cheapest pending branch has; None: nothing is pending."""
        return self.pending[0].preemptions if self.pending else None

    def again(self, branch: Branch) -> None:
        """*branch*, which was taken out, is still to be run."""
        heapq.heappush(self.pending, branch)

    def ask(self, node: Node, process: str) -> None:
        """Let *process* be tried at *node*."""
        node.children[process] = None
        self._numbers += 1
        branch = Branch(self.priority(node, process), -node.depth, self._numbers, node, process)
        heapq.heappush(self.pending, branch)

    # -- after a run -------------------------------------------------------------------------------------------------

    def learn(self, steps: list[Step], fresh: int, blocked: Iterable[Blocked]) -> None:
        """Take in a run: *steps*, of which those from *fresh* on were not seen before, and who was *blocked* where.

        That is asked where nothing could go on, and where the run was left since all else was asleep.
        """
        stops: dict[int, list[Blocked]] = {}
        for one in blocked:
            stops.setdefault(one.place, []).append(one)
        history = History()
        done, modes = history.items, history.modes
        last: dict[str, int] = {}
        for i, step in enumerate(steps):
            if i in stops and i >= fresh:
                self._look_back_of(steps, i, stops[i], last, history)
            items = step.items
            if i >= fresh:
                step.known = step.mask = _follows(steps, step.causes, last.get(step.process))
                if items:
                    self._look_back(steps, i, step.process, step.known, items, history, step)
            last[step.process] = i
            for item in items:
                key = item[0]
                entries = done.get(key)
                if entries is None:
                    done[key] = [(i, item)]
                    modes[key] = 1 << item[1]
                else:
                    entries.append((i, item))
                    modes[key] |= 1 << item[1]
        if len(steps) in stops:
            self._look_back_of(steps, len(steps), stops[len(steps)], last, history)

    def _look_back_of(
        self,
        steps: list[Step],
        i: int,
        blocked: Iterable[Blocked],
        last: dict[str, int],
        history: History,
    ) -> None:
        for _, process, causes, items, own in blocked:
            before = last.get(process) if own is None else own if own >= 0 else None
            known = _follows(steps, causes, before)
            self._look_back(steps, i, process, known, items, history, None)

    def _look_back(
        self,
        steps: list[Step],
        i: int,
        process: str,
        known: int,
        items: tuple[Item, ...],
        history: History,
        step: Step | None,
    ) -> None:
        """Find what step *i* conflicts with, set its mask, and ask for the other orders."""
        mask = known
        found: dict[int, bool] = {}
        """Place of a step that may change places with this one -> whether through what this one had to wait for."""
        before: list[int] = []
        enabler = room = -1
        through: set[int] = set()
        """Submissions to the same stream: this one, before them, needs no more room than they did."""
        for item in items:
            submits = item[1] == SUBMIT
            if submits and item[4] is not None:
                room = item[4]
            conflicts, lo, hi = CONFLICTS[item[1]], item[2], item[3]
            key = item[0]
            if not history.modes.get(key, 0) & conflicts:
                continue
            waits = item.test is not None
            for x, other in reversed(history.items[key]):
                if not conflicts >> other[1] & 1 or other[2] >= hi or lo >= other[3] or not parts_meet(item, other):
                    continue
                mask |= steps[x].mask | 1 << x
                if known >> x & 1:
                    continue
                before.append(x)
                if waits and not item.test(steps[x], other):
                    enabler = max(enabler, x)
                    continue
                found[x] = waits or found.get(x, False)
                if submits:
                    through.add(x)
        made_room = 0 if room < 0 else steps[room].mask | 1 << room
        follows = mask | made_room
        if step is not None:
            step.mask = follows
        for x in sorted(found):
            waits = found[x]
            if x == enabler and not waits:  # it gave what this one waited for
                continue
            earlier = 0  # where there was no room for this one: nothing changes places with it there
            if x in through:
                earlier = made_room
            elif made_room >> x & 1 and not known >> room & 1:
                continue
            for y in before:
                if steps[y].mask >> x & 1 and (not waits or y > enabler) and not earlier >> y & 1:
                    break
            else:
                self._reverse(steps, x, i, process, mask if x in through else follows)

    def _reverse(self, steps: list[Step], x: int, i: int, process: str, mask: int) -> None:
        """Ask for a run in which step *i* comes before step *x*."""
        node = steps[x].node
        rest = [j for j in range(x + 1, i) if not steps[j].mask >> x & 1]
        first: dict[str, int] = {}
        initials: list[str] = []
        passed = 0
        for j in rest:
            p = steps[j].process
            if p not in first:
                first[p] = j
                if not steps[j].mask & passed:
                    initials.append(p)
            passed |= 1 << j
        if process not in first and not mask & passed:
            first[process] = i
            initials.append(process)
        candidates = []
        for p in initials:
            items = node.asleep.get(p)
            if items is None:
                items = node.children.get(p)
            if items is not None:
                end = first[p]  # it may touch other things when it runs before x
                if any(dependent(items, steps[j].items) for j in rest if j < end):
                    continue
                return
            if p in node.children:
                return
            candidates.append(p)
        chosen = process if process in candidates else next((p for p in candidates if p in node.enabled), None)
        if chosen is not None and chosen in node.enabled:
            self.ask(node, chosen)
            return
        for p in candidates:
            if "/" in p:
                self._add_siblings(node, p)

    def _add_siblings(self, node: Node, process: str) -> None:
        """The block *process* cannot start at *node* for want of a core: any block of its launch could make room."""
        launch = process[: process.rindex("/") + 1]
        for p in node.enabled:
            if p.startswith(launch) and p not in node.children and p not in node.asleep:
                self.ask(node, p)


def _follows(steps: list[Step], causes: tuple[int, ...], last: int | None) -> int:
    """What follows from steps at places *causes* and *last*, as a bit mask."""
    known = 0 if last is None else steps[last].mask | 1 << last
    for place in causes:
        known |= steps[place].mask | 1 << place
    return known
