"""Two host threads that call whatever changes something for the other: the explorer against brute force."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ascend_sim.explore.runs import quiet_group
from ascend_sim.explore.search.dpor import Search
from tests.kit.scale import SCALE
from tests.property.brute_force import InRandomOrder, TooMany, compared
from tests.property.call_programs import ACTS, Step, make_program, played

OPTIONS: dict[str, Any] = {"soc": "Ascend910B3", "devices": 2, "checks": "none", "limits": {"streams": 9, "events": 8}}
LENGTHS = [[1, 1], [1, 2], [2, 1], [1, 1], [2, 2]]


@pytest.mark.slow
def test_random_calls_of_two_threads() -> None:
    """With ASCEND_SIM_TEST_SCALE=100: 6,000 programs in some three minutes."""
    rng = random.Random(SCALE)
    programs = several = 0
    with quiet_group():
        while programs < 60 * SCALE:
            steps = make_program(rng, rng.choice(LENGTHS))
            search = Search() if programs % 2 else InRandomOrder()
            try:
                several += compared(played(steps), OPTIONS, 400, search, shown=steps) > 1
            except TooMany:
                continue
            programs += 1
    print(f"{programs} programs of {len(ACTS)} kinds of steps, {several} with several classes")
    assert several > programs // 8


HARD: dict[str, tuple[list[list[Step]], int]] = {
    "who aborts drops what has not run": ([[("set", 0)], [("abort stream", 0)]], 3),
    "what is dropped twice is dropped once": ([[("abort stream", 0), ("reset", 0)], [("clear flag", 0)]], 5),
    "a reset drops": ([[("clear flag", 0), ("reset", 0)], [("abort tasks", 1)]], 7),
    "a destroyed stream drops": ([[("destroy stream force", 1)], [("set", 1), ("streams left", 0)]], 5),
    "a context that stops refuses work": ([[("stop on failure", 0), ("launch a broken one", 1)], [("launch", 0)]], 8),
    "functions of the host run to their end": ([[("host function", 1)], [("ask event", 0)]], 1),
    "an aborted function of the host has no effect": ([[("host function", 1)], [("abort tasks", 0)]], 4),
    "failures are told to callbacks": ([[("launch a broken one", 1), ("on exception too", 0)], [("launch", 1)]], 8),
    "a time stamp is of one record": ([[("record by default", 1)], [("stream limit?", 1), ("timestamp", 1)]], 3),
    "records hold hardware events": ([[("events left", 1)], [("record by default", 0)]], 3),
    "what is unloaded has functions": ([[("unload kernels", 1)], [("launch", 0)]], 2),
    "a set has buffers": ([[("destroy buffer", 0)], [("execute", 1)]], 3),
    "contexts of two threads have names of their own": ([[("create context", 1)], [("create context", 1)]], 1),
    "one synchronisation waits for all streams": ([[("create stream", 0)], [("synchronize device", 0)]], 2),
    "page-locked memory has addresses of the host": ([[("copy to pinned", 0)], [("free pinned", 0)]], 3),
    "a device that comes up again has other threads": (
        [[("reset force", 0), ("use device", 0)], [("unregister", 1), ("unregister", 0)]], 7,
    ),
    "who stops a context may find no stream": (
        [[("record by default", 0), ("stop on failure", 1)], [("timestamp", 1), ("destroy stream force", 1)]], 4,
    ),
    "who waits for a device looks at all its tasks": ([[("copy", 0), ("synchronize device", 1)], [("abort stream", 0)]], 5),
    "who has ended served callbacks": ([[("callback", 1), ("callback", 0)], [("subscribe", 1), ("unsubscribe", 0)]], 6),
    "memory is of the device that it is on": ([[("create context", 1), ("free with sync", 1)], [("memory left", 1)]], 2),
    "a call that failed after a wait has an end of its own": (
        [[("load", 1), ("execute", 1)], [("unload", 1), ("describe", 1)]], 7,
    ),
    "a call takes from its device": ([[("destroy context", 0)], [("use device", 1), ("create context", 0)]], 1),
}  # fmt: skip
"""What was once wrong -> a program, and its classes."""


@pytest.mark.parametrize("what", HARD)
def test_programs_that_were_hard(what: str) -> None:
    steps, many = HARD[what]
    with quiet_group():
        assert compared(played(steps), OPTIONS, 400, Search(), InRandomOrder(), shown=steps) == many
