"""Happens-before by brute force, for programs whose events are bound when they are queued: the yardstick of the detector."""

from __future__ import annotations

from tests.property.race_programs import Step


class Oracle:
    """The graph of a program of `race_programs`; nodes are host steps and tasks, `after[n]` is a bit mask."""

    def __init__(self) -> None:
        self.after: list[int] = []
        self.accesses: list[tuple[int, int, int, int, bool]] = []
        """(node, buffer, first cell, cell behind the last, write)"""
        self._host: int | None = None
        self._last: dict[int, int] = {}
        self._records: dict[int, int] = {}

    def _node(self, *before: int | None) -> int:
        mask = 0
        for node in before:
            if node is not None:
                mask |= self.after[node] | 1 << node
        self.after.append(mask)
        return len(self.after) - 1

    def _host_step(self, *before: int | None) -> int:
        self._host = self._node(self._host, *before)
        return self._host

    def _task(self, stream: int, *before: int | None) -> int:
        call = self._host_step()
        node = self._node(call, self._last.get(stream), *before)
        self._last[stream] = node
        return node

    def step(self, step: Step) -> None:
        """Add a step."""
        kind, *args = step
        if kind == "write":
            s, b, lo, hi, _ = args
            self.accesses.append((self._task(s), b, lo, hi, True))
        elif kind == "copy":
            s, b, source, lo, hi = args
            node = self._task(s)
            self.accesses += [(node, source, lo, hi, False), (node, b, lo, hi, True)]
        elif kind == "record":
            self._records[args[1]] = self._task(args[0])
        elif kind == "wait":
            self._task(args[0], self._records[args[1]])
        elif kind == "sync":
            self._host_step(self._last.get(args[0]))
        elif kind == "renew":
            self._host_step(self._last.pop(args[0], None))
        elif kind == "esync":
            self._host_step(self._records[args[1]])
        elif kind == "hread":
            self.accesses.append((self._host_step(), *args, False))
        elif kind == "hwrite":
            self.accesses.append((self._host_step(), *args[:3], True))

    def conflict(self, node: int, b: int, lo: int, hi: int, write: bool) -> int | None:
        """A task whose access conflicts with this one of *node* and is not ordered with it."""
        for other, ob, olo, ohi, owrite in self.accesses:
            ordered = self.after[node] >> other & 1 or self.after[other] >> node & 1
            if other != node and ob == b and olo < hi and lo < ohi and (write or owrite) and not ordered:
                return other
        return None

    def races(self) -> int:
        """How many unordered conflicting pairs there are."""
        count = 0
        for i, (node, b, lo, hi, write) in enumerate(self.accesses):
            for other, ob, olo, ohi, owrite in self.accesses[:i]:
                if other != node and ob == b and olo < hi and lo < ohi and (write or owrite):
                    count += not (self.after[node] >> other & 1 or self.after[other] >> node & 1)
        return count


def races(program: list[Step]) -> int:
    """How many unordered conflicting pairs *program* has."""
    oracle = Oracle()
    for step in program:
        oracle.step(step)
    return oracle.races()


def repaired(program: list[Step], chance: float, rng: object) -> list[Step]:
    """*program* with edges in front of accesses that need them, each with probability *chance*.

    Uses events 0 and 1 of the player as they come: a record on the other stream just before, and a wait.
    """
    oracle, made = Oracle(), []
    streams: dict[int, int] = {}

    def add(step: Step) -> None:
        before = len(oracle.after)
        oracle.step(step)
        made.append(step)
        for node in range(before, len(oracle.after)):
            streams[node] = step[1] if step[0] in ("write", "copy", "record", "wait") else -1

    for step in program:
        for _ in range(4):
            trial = Oracle()
            for earlier in [*made, step]:
                trial.step(earlier)
            node = len(trial.after) - 1
            mine = [access for access in trial.accesses if access[0] == node]
            other = next((o for a in mine if (o := trial.conflict(*a)) is not None), None)
            if other is None or rng.random() > chance:  # type: ignore[attr-defined]
                break
            if streams.get(other, -1) < 0:
                break
            if step[0] in ("hread", "hwrite"):
                add(("sync", streams[other]))
            else:
                add(("record", streams[other], 0))
                add(("wait", step[1], 0))
        add(step)
    return made
