"""Random programs of two threads, run many times with other schedules and other speeds of the threads. A script of its own.

Usage: python race_threads.py PROGRAMS LENGTH SEED. Prints one JSON line: how many runs were silent and complete, how many
programs had more than one outcome, and the programs that are wrong: silent in one run, and with another outcome in another.
"""

from __future__ import annotations

import json
import queue
import random
import sys
import threading
import time
from typing import Any

from ascend_sim import SimulatedHang, Simulator
from ascend_sim import ascendcl as C
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches
from tests.property.race_programs import EX, RACES, Player, Run, Step, make_program, outcomes_of

ASKING = (
    "turn", "set", "clear", "is_set", "wait", "try", "taken", "put", "get", "empty", "nowait", "alive", "func",
)  # fmt: skip
SCHEDULES = ("virtual-time", "late", "early", "random(1)", "random(2)")


def make_threads_program(rng: random.Random, length: int) -> list[list[Step]]:
    """Steps of two threads; some of them under one of two locks, some that ask each other."""
    kinds = rng.choice(("statics", "statics", "flags", "all", "times"))
    asking = rng.random() < 0.5
    made = []
    for _ in range(2):
        steps: list[Step] = []
        for step in make_program(rng, length, streams=2, kinds=kinds):
            if step[0] == "renew":
                continue  # both threads use the streams
            if asking and rng.random() < 0.3:
                steps.append((rng.choice(ASKING), rng.randrange(2)))
            if rng.random() < 0.4:
                steps.append(("locked", rng.randrange(2), step))
            else:
                steps.append(step)
        made.append(steps)
    return made


class Between(Player):
    """The player of one of two threads, with what they share."""

    number: int
    locks: list[threading.Lock]
    turns: list[int]
    events_between: list[threading.Event]
    queues: list[Any]
    workers: list[threading.Thread]

    def _locked(self, k: int, step: Step) -> None:
        with self.locks[k]:
            self.step(step)

    def _turn(self, k: int) -> None:
        with self.locks[k]:
            self.seen.append(self.turns[k])
            self.turns[k] += 1

    def _set(self, k: int) -> None:
        self.events_between[k].set()

    def _clear(self, k: int) -> None:
        self.events_between[k].clear()

    def _taken(self, k: int) -> None:
        self.seen.append(self.locks[k].locked())

    def _empty(self, k: int) -> None:
        self.seen.append(self.queues[k].qsize() if self.number else self.queues[k].empty())

    def _nowait(self, k: int) -> None:
        try:
            self.seen.append(self.queues[k].get_nowait())
        except queue.Empty:
            self.seen.append("empty")

    def _alive(self, k: int) -> None:
        other = self.workers[1 - self.number]
        if other.ident is not None:  # it is started
            self.seen.append(other.is_alive())

    def _is_set(self, k: int) -> None:
        self.seen.append(self.events_between[k].is_set())

    def _wait(self, k: int, e: int = -1) -> None:
        if e >= 0:
            super()._wait(k, e)
        else:
            self.seen.append(self.events_between[k].wait(1e-3))

    def _try(self, k: int) -> None:
        taken = self.locks[k].acquire(False)
        self.seen.append(taken)
        if taken:
            self.locks[k].release()

    def _put(self, k: int) -> None:
        self.queues[k].put(self.number)

    def _get(self, k: int) -> None:
        try:
            self.seen.append(self.queues[k].get(timeout=1e-3))
        except queue.Empty:
            self.seen.append("empty")

    def _func(self, k: int) -> None:
        """A host function that writes memory."""
        b, value = k, self.number + 50
        self.must(C.aclrtLaunchHostFunc(self.streams[k], lambda _: self._hwrite(b, 0, 1, value), 0))


def play(sim: Simulator, program: list[list[Step]], speeds: random.Random) -> Any:
    """Run both threads at random speeds; the outcome."""
    main = Player(2)
    for event in main.events:  # so that every wait has something to refer to
        main.must(C.aclrtRecordEvent(event, main.streams[0]))
    main.must(C.aclrtSynchronizeDevice())
    shared = {
        "locks": [threading.Lock(), threading.Lock()], "turns": [0, 0],
        "events_between": [threading.Event(), threading.Event()], "queues": [queue.Queue(), queue.SimpleQueue()],
        "workers": [],
    }  # fmt: skip
    hung: list[bool] = []
    seen: list[Any] = [None, None]
    pauses = [[speeds.choice((0, 0, 1e-6, 1e-4, 1e-2)) for _ in steps] for steps in program]

    def work(number: int) -> None:
        try:
            player = object.__new__(Between)
            player.__dict__.update({**main.__dict__, **shared, "number": number})
            player.seen = seen[number] = []
            main.must(C.aclrtSetDevice(0))
            for step, pause in zip(program[number], pauses[number], strict=True):
                if pause:
                    time.sleep(pause)
                player.step(step)
        except SimulatedHang:
            hung.append(True)

    threads = shared["workers"] = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if hung:
        raise SimulatedHang("a thread hung")
    return (main.result(), repr(seen))


def run(program: list[list[Step]], schedule: str, speed: int, depth: int | None = None) -> Run:
    """One run."""
    limits = {"stream_depth": depth} if depth else None
    with Simulator(
        schedule=schedule, threads="deterministic", checks="races", limits=limits, soc="Ascend950PR_9599"
    ) as sim:
        try:
            outcome, ended = play(sim, program, random.Random(speed)), True
        except SimulatedHang:
            outcome, ended = "hang", False
        found = [(f.kind, f.title) for f in sim.findings if f.kind in RACES]
        return Run(ended, outcome, found, tuple(sim.checks.races.nondeterminism.counts))  # type: ignore[union-attr]


def main() -> None:
    """Run the programs."""
    count, length, seed = (int(word) for word in sys.argv[1:4])
    keeper = Simulator(threads="deterministic", checks="none")
    assert isinstance(keeper.threads, DeterministicThreads)
    install_patches(keeper.threads)
    keeper.open()
    silent = several = 0
    wrong = []
    for number in range(seed, seed + count):
        rng = random.Random(number)
        program = make_threads_program(rng, length)
        depth = rng.choice((None, None, 1, 2))
        runs = [run(program, schedule, speed, depth) for schedule in SCHEDULES for speed in range(3)]
        clean = [r for r in runs if r.clean]
        silent += len(clean)
        outcomes = outcomes_of(runs)
        several += len(outcomes) > 1
        if clean and len(outcomes) > 1:
            wrong.append({"seed": number, "program": program, "outcomes": sorted(outcomes)})
    keeper.close()
    print(json.dumps({"silent": silent, "several": several, "wrong": wrong[:3], "event": EX}))


if __name__ == "__main__":
    main()
