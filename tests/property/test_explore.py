"""The explorer against brute force: no class of schedules missed, none repeated, whatever the order of the branches."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.explore.runs import quiet_group
from ascend_sim.explore.search.dpor import Search
from tests.kit.scale import SCALE
from tests.property import thread_programs
from tests.property.brute_force import InRandomOrder, TooMany, brute_force, explored
from tests.property.race_programs import Player, Step, make_program

OPTIONS = {"soc": "Ascend950PR_9599", "checks": "none"}


def played(steps: list[Step]) -> Callable[[], Any]:
    """The program that performs *steps*."""

    def program() -> Any:
        player = Player(3)
        for step in steps:
            player.step(step)
        return player.result()

    return program


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_every_class_once(depth: int) -> None:
    options: dict[str, Any] = {**OPTIONS, "limits": {"stream_depth": depth}} if depth else OPTIONS
    rng = random.Random(depth + SCALE)
    programs = runs = cut = 0
    with quiet_group():
        while programs < 8 * SCALE:
            kinds, length = rng.choice([("statics", 6), ("flags", 6), ("all", 5)])
            steps = make_program(rng, length, streams=rng.choice([2, 2, 3]), kinds=kinds)
            try:
                classes, _ = brute_force(played(steps), options, 300 if SCALE == 1 else 2000, apart=programs % 3 == 0)
            except TooMany:
                continue
            programs += 1
            for search in (Search(), InRandomOrder()):
                found, short = explored(played(steps), options, search)
                keys = [key for key, _ in found]
                assert set(keys) == set(classes), steps
                assert len(keys) == len(classes), steps
                assert dict(found) == classes, steps
                runs += len(keys) + short
                cut += short
    print(f"depth {depth}: {programs} programs, {runs} runs, {cut} cut short")
    assert runs > 2 * programs  # some have more than one class
    assert cut <= max(0.02 * runs, 2)  # a few runs say little


KINDS = [(kinds, depth) for kinds in ("shared", "device", "polls") for depth in (0, 1, 2)] + [("python", 1), ("loops", 0)]


@pytest.mark.parametrize(("kinds", "depth"), KINDS)
@pytest.mark.parametrize("all_hosts", [False, True])
def test_every_class_of_two_host_threads_once(kinds: str, depth: int, all_hosts: bool) -> None:
    """With ASCEND_SIM_TEST_SCALE=170: 510 programs or more of each kind and depth, in about an hour."""
    options: dict[str, Any] = {**OPTIONS, "limits": {"stream_depth": depth}} if depth else OPTIONS
    rng = random.Random(depth + SCALE)
    programs = runs = cut = several = 0
    most = 150 if SCALE == 1 else 400
    with quiet_group():
        while programs < ((5 if all_hosts else 3) * SCALE if kinds != "loops" else 1 + SCALE // 10):
            length = 1 if all_hosts or kinds == "loops" else 2 if kinds == "polls" else rng.choice([1, 2])
            steps = thread_programs.make_program(rng, length, kinds=kinds)
            program = thread_programs.played(steps)
            try:
                classes, _ = brute_force(program, options, most, all_hosts, quick=True)
            except TooMany:
                continue
            programs += 1
            several += len(classes) > 1
            for search in (Search(), InRandomOrder()):
                found, short = explored(program, options, search, all_hosts)
                keys = [key for key, _ in found]
                assert set(keys) == set(classes), steps
                assert len(keys) == len(classes), steps
                assert dict(found) == classes, steps
                runs += len(keys) + short
                cut += short
    counted = f"{programs} programs, {several} with several classes, {runs} runs, {cut} cut short"
    print(f"{kinds}, depth {depth}, all host steps {all_hosts}: {counted}")
    assert not all_hosts or several
    assert cut <= max((0.1 if all_hosts else 0.02) * runs, 4)


HARD = [
    # made room for by what follows the other submission; a hang that two threads hear of; a clear that frees nobody
    (1, False, 4, [[("fwait", 0, 0, 0), ("frecord", 1, 0, 0)], [("write", 1, 1, 1), ("frecord", 0, 0, 0)]]),
    (1, False, 6, [
        [("lock", 0, 1, 47), ("fwait", 1, 1, 0), ("sync", 1, 1, 0)],
        [("read", 0, 1, 0), ("sync", 1, 1, 0), ("record", 1, 0, 0)],
    ]),
    (1, False, 1, [[("nreset", 0, 0, 0)], [("nwait", 1, 0, 0)]]),
    (0, False, 2, [[("cwait", 0, 0, 0)], [("notify", 0, 0, 0)]]),
    (0, False, 3, [[("spin", 0, 1, 98)], [("lock", 0, 0, 19)]]),  # for ever: a hang after as many steps in each order
    # polls that are repeated: what they ask about is made after the first was asked, before it was answered
    (2, False, 5, [[("write", 1, 1, 1)], [("squery", 1, 1, 0), ("squery", 1, 1, 0)]]),
    (0, False, 5, [[("record", 1, 1, 0)], [("query", 1, 1, 0), ("query", 1, 1, 0)]]),
    (0, False, 4, [[("frecord", 1, 1, 0)], [("fquery", 1, 1, 0), ("fquery", 1, 1, 0)]]),
    # idle between the end of one task and the submission of the next, which follow each other in no order
    (2, False, 14, [[("vwrite", 1, 1, 0), ("nrecord", 1, 0, 0)], [("squery", 1, 1, 0), ("squery", 1, 1, 0)]]),
    # asked again on another line: both may be answered in vain
    (0, False, 6, [[("write", 1, 1, 1)], [("twice", 1, 1, 0)]]),
    (0, False, 3, [[("set", 0, 0, 0)], [("istwice", 0, 0, 0)]]),
    (0, False, 3, [[("lock", 0, 0, 2)], [("trytwice", 0, 0, 0)]]),
    # the answer is of the waits for an event
    (0, False, 2, [[("wquery", 1, 1, 0)], [("fwait", 1, 1, 0)]]),
    (0, False, 5, [[("wquery", 1, 1, 0), ("wquery", 1, 1, 0)], [("fwait", 1, 1, 0), ("frecord", 0, 1, 0)]]),
]  # fmt: skip


@pytest.mark.parametrize(("depth", "all_hosts", "classes", "steps"), HARD)
def test_programs_of_threads_that_were_hard(depth: int, all_hosts: bool, classes: int, steps: Any) -> None:
    options: dict[str, Any] = {**OPTIONS, "limits": {"stream_depth": depth}} if depth else OPTIONS
    program = thread_programs.played(steps)
    with quiet_group():
        for search in (Search(), InRandomOrder()):
            found, short = explored(program, options, search, all_hosts)
            assert (len(found), len({key for key, _ in found}), short) == (classes, classes, 0)


def callbacks(threads: int) -> Callable[[], Any]:
    """Threads tell an event loop of something, while it is at work."""

    def program() -> Any:
        C.aclrtSetDevice(0)
        order: list[int] = []

        async def main() -> None:
            loop = asyncio.get_running_loop()
            told = [asyncio.Event() for _ in range(threads)]

            def tell(i: int) -> None:
                order.append(i)
                told[i].set()

            runners = [threading.Thread(target=loop.call_soon_threadsafe, args=(tell, i)) for i in range(threads)]
            for runner in runners:
                runner.start()
            await asyncio.sleep(0)
            for event in told:
                await event.wait()
            for runner in runners:
                runner.join()

        asyncio.run(main())
        return order

    return program


def in_threads() -> None:
    """Coroutines that wait for two threads of a pool."""
    C.aclrtSetDevice(0)

    async def main() -> None:
        await asyncio.gather(*(asyncio.to_thread(C.aclrtSetDevice, 0) for _ in range(2)))

    asyncio.run(main())


@pytest.mark.parametrize("threads", [1, 2])
def test_every_class_of_an_event_loop_and_its_threads_once(threads: int) -> None:
    program = callbacks(threads)
    with quiet_group():
        classes, _ = brute_force(program, OPTIONS, 5000)
        for search in (Search(), InRandomOrder()):
            found, short = explored(program, OPTIONS, search)
            assert dict(found) == classes and len(found) == len(classes) > threads and not short
    assert {outcome.value for outcome in classes.values()} == ({(0,)} if threads == 1 else {(0, 1), (1, 0)})


def test_few_runs_with_coroutines_are_cut_short() -> None:
    with quiet_group():
        found, short = explored(in_threads, OPTIONS, Search())
    assert len({key for key, _ in found}) == len(found)
    assert short <= 0.02 * (len(found) + short)
