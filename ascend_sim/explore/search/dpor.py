"""Dynamic partial-order reduction: which schedules are worth a run. Source sets and sleep sets.

The terms are those of Flanagan and Godefroid (2005) and of Abdulla, Aronis, Jonsson and Sagonas (2014).

- Two steps of different processes are *dependent* when they touch the same thing in ways whose order counts
  (`dependence.py`).
- A step *happens before* a later one when both are of one process, when it is a cause of the other, or when the two are
  dependent, and transitively (`Step.before`). Executions with the same happens-before relation are one class.
- Two steps are in a *race* when the one happens before the other, no third lies between them in that relation, and the
  other could have been taken without the first: it is none of its enablers, and not what a wait needed (`races_of`).
- To *reverse* the race of e and e' means to go, from the state before e, through v: the steps behind e that do not happen
  after e, and then e'. The *initials* of v are the processes whose first step in v has no step of v before it.

What holds after every run:

1. Source sets: for each race of the run, the backtrack set or the sleep set of the state before e has an initial of v, or
   none of them is enabled there. An initial of either set counts only when its step, as it was run from that state, is
   independent of what v does before it; else v is not covered by it.
2. Sleep sets: a process sleeps in a state when its next step was explored from an earlier state on the way, or from the
   same state before, and no step since then is dependent on it (`Node.after`). Who sleeps is not run; when all that are
   enabled sleep, the rest of the execution is equivalent to one that was run, and is cut.
3. A branch of a state is run after its older siblings only, since they sleep below it: `next` and `several` see to that.

By 1 every class is run, by 2 none is run twice. Branches may be taken in any order that keeps 3: those with few
preemptions go first.

Beyond the papers: a process that was disabled (`Blocked`) races with what disabled it, as if it had taken its step there;
a wait races only with steps before which it could have passed; and a submission to a full stream names the step that
made room, which is an obstacle to this submission but to none that takes its place.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from ascend_sim.explore.search.dependence import CONFLICTS, SUBMIT, Item, dependent, parts_meet
from ascend_sim.explore.search.tree import Node, Step

__all__ = ["Blocked", "Branch", "Search", "races_of"]


class Branch(NamedTuple):
    """A step to be tried: *process* from *node*."""

    preemptions: int
    depth: int
    number: int
    node: Node
    process: str


class Blocked(NamedTuple):
    """A process that was disabled before the step at *place*, what had led it there, and what it waited for.

    *last*: the place of the step after which it would have gone on, where that is not its last one; -1: it had none.
    """

    place: int
    process: str
    causes: tuple[int, ...]
    items: tuple[Item, ...]
    last: int | None = None


class Race(NamedTuple):
    """The earlier step of a race. *before*: what happens before the later one when that comes first."""

    place: int
    before: int


class Touches(list[tuple[int, Item]]):
    """What steps did to one thing, oldest first, each with its place; *modes*: in which ways, as a bit mask."""

    __slots__ = ("modes",)

    def __init__(self, place: int, item: Item) -> None:
        self.append((place, item))
        self.modes = 1 << item[1]


class History(dict[Hashable, Touches]):
    """What the steps of an execution did to each thing."""

    def add(self, place: int, items: Iterable[Item]) -> None:
        """The step at *place* has touched *items*."""
        for item in items:
            touches = self.get(item[0])
            if touches is None:
                self[item[0]] = Touches(place, item)
            else:
                touches.append((place, item))
                touches.modes |= 1 << item[1]


class Search:
    """The pending branches, and what a run adds to them."""

    def __init__(self) -> None:
        self.root = Node(None, 0, 0)
        self.pending: list[Branch] = []
        self._numbers = 0

    def next(self) -> Branch | None:
        """The branch to be run now; None when every class has been run."""
        if not self.pending:
            return None
        branch = heapq.heappop(self.pending)
        for p, items in branch.node.backtrack.items():  # older siblings first: they sleep below this one
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
            older = next(p for p, items in branch.node.backtrack.items() if p == branch.process or items is None)
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

    def add_backtrack(self, node: Node, process: str) -> None:
        """Put *process* into the backtrack set of *node*: a pending branch."""
        node.backtrack[process] = None
        self._numbers += 1
        branch = Branch(self.priority(node, process), -node.depth, self._numbers, node, process)
        heapq.heappush(self.pending, branch)

    # -- after a run -------------------------------------------------------------------------------------------------

    def learn(self, steps: list[Step], fresh: int, blocked: Iterable[Blocked]) -> None:
        """Take in a run: *steps*, of which those from *fresh* on were not seen before, and who was *blocked* where.

        That is told where nothing was enabled, and where the run was cut since all else slept.
        """
        stops: dict[int, list[Blocked]] = {}
        for one in blocked:
            stops.setdefault(one.place, []).append(one)
        history = History()
        last: dict[str, int] = {}
        for i, step in enumerate(steps):
            if i >= fresh:
                if i in stops:
                    self._reverse_races_of_blocked(steps, stops[i], last, history)
                step.enablers = step.before = _closure(steps, step.causes, last.get(step.process))
                if step.items:
                    step.before, races = races_of(step.items, step.enablers, steps, history)
                    for race in races:
                        self._reverse(steps, race, i, step.process)
            last[step.process] = i
            if step.items:
                history.add(i, step.items)
        if len(steps) in stops:
            self._reverse_races_of_blocked(steps, stops[len(steps)], last, history)

    def _reverse_races_of_blocked(
        self, steps: list[Step], blocked: Iterable[Blocked], last: dict[str, int], history: History
    ) -> None:
        for place, process, causes, items, own in blocked:
            before = last.get(process) if own is None else own if own >= 0 else None
            for race in races_of(items, _closure(steps, causes, before), steps, history)[1]:
                self._reverse(steps, race, place, process)

    def _reverse(self, steps: list[Step], race: Race, place: int, process: str) -> None:
        """See that the state before the race has an initial of the steps that reverse it (invariant 1).

        *process* takes the later step of the race at *place*, or could not take it there.
        """
        x = race.place
        node = steps[x].node
        rest = [j for j in range(x + 1, place) if not steps[j].before >> x & 1]  # v, but for its last step
        first: dict[str, int] = {}
        initials: list[str] = []
        passed = 0
        for j in rest:
            p = steps[j].process
            if p not in first:
                first[p] = j
                if not steps[j].before & passed:
                    initials.append(p)
            passed |= 1 << j
        if process not in first and not race.before & passed:
            first[process] = place
            initials.append(process)
        candidates = []
        for p in initials:
            items = node.sleep.get(p)
            if items is None:
                items = node.backtrack.get(p)
            if items is not None:
                end = first[p]  # from this state its step may touch other things than it does in v
                if any(dependent(items, steps[j].items) for j in rest if j < end):
                    continue
                return
            if p in node.backtrack:
                return
            candidates.append(p)
        chosen = process if process in candidates else next((p for p in candidates if p in node.enabled), None)
        if chosen is not None and chosen in node.enabled:
            self.add_backtrack(node, chosen)
            return
        for p in candidates:
            if "/" in p:
                self._add_siblings(node, p)

    def _add_siblings(self, node: Node, process: str) -> None:
        """The block *process* cannot start at *node* for want of a core: any block of its launch could make room."""
        launch = process[: process.rindex("/") + 1]
        for p in node.enabled:
            if p.startswith(launch) and p not in node.backtrack and p not in node.sleep:
                self.add_backtrack(node, p)


def races_of(items: tuple[Item, ...], enablers: int, steps: list[Step], history: History) -> tuple[int, list[Race]]:
    """The set of steps that happen before a step that touches *items* and has *enablers*, and its races, oldest first.

    *history*: what the *steps* before it did.
    """
    before = enablers
    dependents: list[int] = []
    """Steps that it is dependent on, and that are not among its enablers."""
    found: dict[int, bool] = {}
    """Those of them without which it could have been taken -> whether it waits for what they change."""
    needed = room = -1
    """The latest step without which a wait of it could not have passed; the step that made room for it."""
    same_stream: set[int] = set()
    """Submissions to the stream of this one: in their place it needs no more room than they did."""
    for item in items:
        submits = item[1] == SUBMIT
        if submits and item[4] is not None:
            room = item[4]
        conflicts, lo, hi = CONFLICTS[item[1]], item[2], item[3]
        touches = history.get(item[0])
        if touches is None or not touches.modes & conflicts:
            continue
        waits, parts = item[5] is not None, item[6]
        plain = not waits and not submits
        for x, other in reversed(touches):
            if not conflicts >> other[1] & 1 or other[2] >= hi or lo >= other[3]:
                continue
            if other[6] is not parts and not parts_meet(item, other):
                continue
            before |= steps[x].before | 1 << x
            if not enablers >> x & 1:
                dependents.append(x)
                if waits and not item.test(x, other, steps, touches):
                    needed = max(needed, x)
                    continue
                found[x] = waits or found.get(x, False)
                if submits:
                    same_stream.add(x)
            if plain and other[2] <= lo and hi <= other[3] and other[6] is None and not conflicts & ~CONFLICTS[other[1]]:
                break  # all before it that this conflicts with happens before it, and so it lies between the two
    made_room = 0 if room < 0 else steps[room].before | 1 << room
    all_before = before | made_room
    races = []
    for x in sorted(found):
        waits = found[x]
        if x == needed and not waits:  # it gave what the step waited for
            continue
        absent = 0  # steps of no account when this one comes in the place of x: it needs no room there
        if x in same_stream:
            absent = made_room
        elif made_room >> x & 1 and not enablers >> room & 1:
            continue
        for y in dependents:
            if steps[y].before >> x & 1 and (not waits or y > needed) and not absent >> y & 1:
                break  # y lies between the two
        else:
            races.append(Race(x, before if x in same_stream else all_before))
    return all_before, races


def _closure(steps: list[Step], causes: tuple[int, ...], last: int | None) -> int:
    """The steps at places *causes* and *last*, with all that happen before them, as a bit mask."""
    found = 0 if last is None else steps[last].before | 1 << last
    for place in causes:
        found |= steps[place].before | 1 << place
    return found
