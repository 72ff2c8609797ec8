"""Allocators on top of stream-ordered pools, driven by the kit: correct ones are silent, planted mistakes are found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from ascend_sim import ascendcl as C
from ascend_sim.testing import AllocatorStateMachine
from tests.kit.calls import must

EVENTS, OPPORTUNISTIC, INTERNAL, THRESHOLD = 1, 2, 3, 4


class PoolAllocator:
    """Blocks of one pool; a block is given back on the stream for which it was allocated."""

    units = 64
    attributes: dict[int, int] = {}
    waits_for_users = True
    at_home = True

    def __init__(self) -> None:
        props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=self.units << 21)
        self.pool = must(C.aclrtMemPoolCreate(props))
        for which, value in self.attributes.items():
            must(C.aclrtMemPoolSetAttr(self.pool, which, np.array([value], np.uint64)))
        self.owner: dict[int, int] = {}
        self.users: dict[int, list[int]] = {}
        self.first = 0

    def allocate(self, size: int, stream: int) -> int:
        address, code = C.aclrtMemPoolMallocAsync(size, self.pool, stream)
        if code:
            return 0
        self.first = self.first or stream
        self.owner[address] = stream
        return int(address)

    def record_stream(self, address: int, stream: int) -> None:
        self.users.setdefault(address, []).append(stream)

    def free(self, address: int) -> None:
        owner = self.owner.pop(address)
        home = owner if self.at_home else self.first
        for user in dict.fromkeys(self.users.pop(address, ())):
            if self.waits_for_users and user != home:
                event = must(C.aclrtCreateEventExWithFlag(1))
                must(C.aclrtRecordEvent(event, user))
                must(C.aclrtStreamWaitEvent(home, event))
                must(C.aclrtDestroyEvent(event))
        must(C.aclrtMemPoolFreeAsync(address, home))

    def size_of(self, address: int) -> int:
        return 1 << 21

    def close(self) -> None:
        must(C.aclrtSynchronizeDevice())
        must(C.aclrtMemPoolDestroy(self.pool))


def machine(**changes: Any) -> type[AllocatorStateMachine]:
    """A machine that drives a PoolAllocator with *changes*."""
    kind = type("Changed", (PoolAllocator,), changes)

    class Machine(AllocatorStateMachine):
        def make_allocator(self, sim: Any) -> Any:
            return kind()

    return Machine


def run(kind: Any, examples: int = 15) -> str:
    """What a run finds; nothing when all is well."""
    chosen = settings(
        kind.TestCase.settings, max_examples=examples, phases=[Phase.generate], database=None, derandomize=True,
        deadline=None, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    try:
        run_state_machine_as_test(kind, settings=chosen)
    except AssertionError as error:
        return "\n".join([str(error), *getattr(error, "__notes__", ())])
    return ""


@pytest.mark.parametrize(
    "changes",
    [
        {}, {"units": 4}, {"attributes": {INTERNAL: 1}}, {"attributes": {EVENTS: 1, THRESHOLD: 1 << 23}},
        {"units": 4, "attributes": {INTERNAL: 1, THRESHOLD: 1 << 22}},
    ],
    ids=str,
)  # fmt: skip
def test_a_correct_allocator_is_silent(changes: dict[str, Any]) -> None:
    assert run(machine(**changes)) == ""


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"waits_for_users": False}, "use-after-free"),
        ({"at_home": False}, "before it is allocated|while"),
        ({"attributes": {OPPORTUNISTIC: 1}}, "507018"),
    ],
    ids=str,
)
def test_a_mistake_is_found(changes: dict[str, Any], words: str) -> None:
    found = run(machine(**changes))
    assert any(word in found for word in words.split("|")), found
