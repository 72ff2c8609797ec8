"""The hypothesis kit: machines find planted faults, stay silent on correct code, and reach the states that matter."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.testing import (
    AllocatorStateMachine,
    Program,
    RuntimeStateMachine,
    StreamStateMachine,
    programs,
    strategies,
)
from tests.kit.forks import HANG
from tests.kit.scale import SCALE

ROOT = Path(__file__).parents[3]
EXACT: Any = {
    "database": None, "derandomize": True, "deadline": None, "suppress_health_check": list(HealthCheck),
}  # fmt: skip
SEEDED: Any = {**EXACT, "derandomize": False}
"""With a seed: what `derandomize` draws for a machine changes with every word of it, its docstrings included."""


def run(machine: Any, examples: int = 60) -> str:
    """What a run of *machine* finds, as it is found: the text of the failure and its notes, or nothing."""
    chosen = settings(machine.TestCase.settings, max_examples=examples, phases=[Phase.generate], **SEEDED)
    try:
        run_state_machine_as_test(seed(0)(machine), settings=chosen)
    except AssertionError as error:
        return "\n".join([str(error), *getattr(error, "__notes__", ())])
    return ""


class Pool:
    """A correct caching allocator, with places to go wrong."""

    per_stream = orders_users = frees_on_close = True
    skew = 0

    def __init__(self) -> None:
        self.cache: dict[Any, list[int]] = {}
        self.blocks: dict[int, tuple[int, int]] = {}
        self.users: dict[int, list[int]] = {}

    def key(self, size: int, stream: int) -> Any:
        return (size, stream) if self.per_stream else size

    def allocate(self, size: int, stream: int) -> int:
        size = max(512, 1 << (size - 1).bit_length())
        waiting = self.cache.get(self.key(size, stream))
        pointer = waiting.pop() if waiting else C.aclrtMalloc(size, 0)[0]
        if pointer:
            self.blocks[pointer + self.skew] = size, stream
        return pointer + self.skew if pointer else 0

    def record_stream(self, pointer: int, stream: int) -> None:
        self.users.setdefault(pointer, []).append(stream)

    def free(self, pointer: int) -> None:
        size, stream = self.blocks.pop(pointer)
        for other in self.users.pop(pointer, ()):
            if self.orders_users:
                event, _ = C.aclrtCreateEventExWithFlag(1)
                C.aclrtRecordEvent(event, other)
                C.aclrtStreamWaitEvent(stream, event)
                C.aclrtDestroyEvent(event)
        self.cache.setdefault(self.key(size, stream), []).append(pointer - self.skew)

    def size_of(self, pointer: int) -> int:
        return self.blocks[pointer][0]

    def close(self) -> None:
        C.aclrtSynchronizeDevice()
        for waiting in self.cache.values() if self.frees_on_close else ():
            for pointer in waiting:
                C.aclrtFree(pointer)


def machine_of(kind: type[Pool]) -> Any:
    class PoolRules(AllocatorStateMachine):
        def make_allocator(self, sim: Any) -> Any:
            assert isinstance(sim, Simulator)
            return kind()

    return PoolRules


def test_a_correct_allocator_passes_and_the_states_are_reached() -> None:
    machine = machine_of(Pool)
    assert run(machine, 30) == ""
    counts = machine.reached.counts
    assert counts["a freed block was handed out again on another stream"] == 0
    for state in AllocatorStateMachine.states:
        if "another stream" not in state and "no room" not in state:
            assert counts[state] >= 3, machine.reached.table("it")
    assert "   never  there was no room" in machine.reached.table("it")


def test_waits_that_the_allocator_queued_count_before_a_block_is_used_again() -> None:
    class Life(machine_of(Pool)):  # type: ignore[misc]
        most_streams = 3
        order = st.just("random(0)")

    @settings(max_examples=1, **EXACT)
    @given(data=st.data())
    def shared_and_used_again(data: st.DataObject) -> None:
        machine = Life()
        machine.begin(data)
        first, second, home = *machine.alive, machine.create_stream()
        block = machine._ask(512, home)
        machine._write(block, first)
        machine._write(block, second)
        machine._free(block)  # the pool lets the home stream wait for both
        machine.use_at_home(machine._ask(512, second))
        again = machine._ask(512, home)
        assert machine.lent[again].name == "b3"
        machine._write(again, first)  # has to wait for the home stream, that nothing else was queued on
        machine.check()
        machine.teardown()

    shared_and_used_again()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(SCALE))
def test_the_pool_of_the_example_is_right_in_ever_other_programs(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    from property_test_allocator import CarefulPool

    class Careful(CarefulPool):  # type: ignore[misc, valid-type]
        pass

    chosen = settings(Careful.TestCase.settings, max_examples=50, phases=[Phase.generate], **SEEDED)
    run_state_machine_as_test(seed(number)(Careful), settings=chosen)


def twice(pool: Pool, pointer: int) -> None:
    """Free a block into the cache, two times."""
    pool.cache.setdefault(pool.key(*pool.blocks[pointer]), []).extend([pointer] * 2)


def waits_for_the_first(pool: Pool, pointer: int) -> None:
    """Free a block after the first of the streams that used it besides its own."""
    pool.users[pointer] = list(dict.fromkeys(pool.users.get(pointer, ())))[:1]
    Pool.free(pool, pointer)


RACE = r"error\[race\]|assert \(out == "  # or the bytes that came of it, where nobody waits for both
FAULTS = {
    "first_of_two": (RACE, {"free": waits_for_the_first}),
    "careless": (RACE, {"per_stream": False}),
    "deaf": (RACE, {"orders_users": False}),
    "leaking": ("after close the allocator keeps", {"frees_on_close": False}),
    "skewed": ("not aligned to 32 bytes", {"skew": 4}),
    "too_small": (r"assert allocator.size_of\(b1\) >= ", {"size_of": lambda self, pointer: 1}),
    "twice": ("This program does", {"free": twice}),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str) -> None:
    said, changes = FAULTS[name]
    found = run(machine_of(type("Faulty", (Pool,), changes)))
    assert found
    assert re.search(said, found), found


@pytest.mark.slow
def test_the_printed_program_runs_and_shows_the_finding(tmp_path: Path) -> None:
    source = (ROOT / "examples" / "property_test_allocator.py").read_text(encoding="utf-8")
    (tmp_path / "pool.py").write_text(source)
    (tmp_path / "test_pool.py").write_text(
        "from hypothesis import settings\nfrom pool import CarefulPool, CarelessPool\n"
        "TestCareless = CarelessPool.TestCase\nTestCareful = CarefulPool.TestCase\n"
        "TestCareful.settings = settings(TestCareful.settings, max_examples=10)\n"
    )
    command = [
        sys.executable, "-m", "pytest", "-p", "ascend_sim_pytest", "-q", "-c", "/dev/null", "-p", "no:cacheprovider",
        "--hypothesis-seed=1",
        "test_pool.py",
    ]  # fmt: skip
    variables = {"PYTHONPATH": f"{ROOT}:{tmp_path}", "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    test = subprocess.run(
        command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False, timeout=HANG
    )
    assert "1 failed, 1 passed" in test.stdout, test.stdout
    assert "ascend_sim: what the state machines reached" in test.stdout
    assert "CarefulPool ran" in test.stdout
    ((where, text),) = re.findall(r"This program does the same \(python (\S+)\):(.*)", test.stdout, re.DOTALL)
    line = r"from .*|sim = .*|ret = .*|allocator.*|[sbe]\d+(?:, ret)? = .*"
    program = re.findall(rf"^(?:E\s*)?(?:\| )?\s*({line})$", text, re.MULTILINE)
    assert 10 <= len(program) <= 40, text
    kept = Path(where).read_text()
    assert [line for line in kept.splitlines() if line in program] == [line for line in program if line in kept]
    assert "E   " not in kept
    del variables["PYTHONPATH"]  # it runs as it is, wherever it stands
    again = subprocess.run(
        [sys.executable, where], cwd="/", env=variables, capture_output=True, text=True, check=False, timeout=HANG
    )
    assert "error[race]" in again.stderr, again.stderr


@pytest.mark.parametrize("number", range(3 * SCALE))
def test_a_block_freed_after_the_first_of_two_streams_is_found_in_the_default_examples(number: int) -> None:
    machine = machine_of(type("Faulty", (Pool,), {"free": waits_for_the_first}))
    assert machine.TestCase.settings.max_examples == 100
    chosen = settings(machine.TestCase.settings, phases=[Phase.generate], **SEEDED)
    with pytest.raises(AssertionError, match=r"race|assert"):
        run_state_machine_as_test(seed(number)(machine), settings=chosen)
    assert machine.reached.counts["a block was freed while two other streams used it"]
    assert machine.reached.counts["a block that two other streams had used was handed out again"]


class Polling(Pool):
    """Asks its events whether a freed block may go out again. Planted: only the owner and the first user are asked."""

    asks = 2

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[int, int, list[int]]] = []

    def free(self, pointer: int) -> None:
        size, stream = self.blocks.pop(pointer)
        events = []
        for user in list(dict.fromkeys([stream, *self.users.pop(pointer, ())]))[: self.asks]:
            events.append(C.aclrtCreateEventExWithFlag(1)[0])
            C.aclrtRecordEvent(events[-1], user)
        self.waiting.append((pointer, size, events))

    def allocate(self, size: int, stream: int) -> int:
        for one in list(self.waiting):
            pointer, length, events = one
            if length == size and all(C.aclrtQueryEventStatus(event)[0] == 1 for event in events):
                self.waiting.remove(one)
                self.blocks[pointer] = size, stream
                return pointer
        pointer = C.aclrtMalloc(size, 0)[0]
        self.blocks[pointer] = size, stream
        return pointer


@pytest.mark.parametrize(("asks", "explores", "found"), [(2, False, False), (2, True, True), (9, True, False)])
def test_exploring_an_example_finds_what_one_order_passes_by(asks: int, explores: bool, found: bool) -> None:
    class Machine(AllocatorStateMachine):
        explore = explores
        order = st.just("late")
        first_streams = 3
        calls = {**AllocatorStateMachine.calls, "close": ""}

        def make_allocator(self, sim: Any) -> Any:
            return type("Asking", (Polling,), {"asks": asks})()

    @settings(max_examples=1, phases=[Phase.generate], **EXACT)
    @given(st.data())
    def example(data: st.DataObject) -> None:
        machine = Machine()
        machine.begin(data)
        home, first, second = machine.alive
        block = machine._ask(512, home)
        machine._write(block, first)
        machine._write(block, second)
        machine._free(block)
        machine._write(machine._ask(512, home), home)  # events are not complete yet: another block, in this order
        machine.teardown()

    if found:
        with pytest.raises(AssertionError, match="in another order of its tasks: race"):
            example()
    else:
        example()


class SmallQueues(StreamStateMachine):
    options = {"limits": {"stream_depth": 8}}


@pytest.mark.slow
@pytest.mark.parametrize("machine", [RuntimeStateMachine, SmallQueues])
def test_the_runtime_itself_passes(machine: Any) -> None:
    class Mine(machine):  # counts of its own
        pass

    assert run(Mine, 60 if machine is SmallQueues else 25) == ""
    counts = Mine.reached.counts
    assert counts["two streams have work at once"] >= 10, Mine.reached.table("it")
    assert counts["a buffer is used by two streams"] >= 10
    if machine is SmallQueues:
        for state in StreamStateMachine.states:
            assert counts[state] >= 1, Mine.reached.table("it")


class Deaf:
    """A library whose waits do nothing."""

    @staticmethod
    def wait(stream: int, event: int) -> int:
        return 0


class DeafRules(StreamStateMachine):
    calls = {**StreamStateMachine.calls, "wait": "ret = deaf.wait({stream}, {event})"}

    def script_names(self) -> dict[str, Any]:
        return {"deaf": Deaf}


def test_a_library_between_that_forgets_a_wait_is_found() -> None:
    found = run(DeafRules, 200)
    assert "error[race]" in found


# -- strategies and programs ------------------------------------------------------------------------------------------


@settings(max_examples=40, **EXACT)
@given(program=programs.programs(), schedule=strategies.schedules())
def test_programs_with_all_their_waits_have_no_race_and_one_result(program: Program, schedule: str) -> None:
    assert program.missing == 0
    plain, found = program.run()
    assert not found
    assert program.run(schedule=schedule) == (plain, [])


@settings(max_examples=60, **EXACT)
@given(program=programs.programs(synchronised=0.5))
def test_programs_that_lack_waits_have_races(program: Program) -> None:
    found = program.run()[1]
    assert bool(found) == bool(program.missing), str(program)


@settings(max_examples=60, **EXACT)
@given(data=st.data(), size=strategies.sizes(), soc=strategies.profiles(), limits=strategies.limits())
def test_values_are_what_they_say(data: st.DataObject, size: int, soc: str, limits: dict[str, int]) -> None:
    with Simulator(soc=soc, limits=limits) as sim:
        assert C.aclrtSetDevice(0) == 0
        stream, _ = C.aclrtCreateStreamWithConfig(0, data.draw(strategies.stream_flags()))
        dead, _ = C.aclrtCreateStream()
        C.aclrtDestroyStream(dead)
        assert C.aclrtSynchronizeStream(data.draw(strategies.handles([stream], valid=True))) == 0
        invalid = data.draw(strategies.handles([stream], [dead], valid=False))
        assert (C.aclrtSynchronizeStream(invalid) == 0) == (invalid == 0)  # NULL is the default stream
        assert C.aclrtCreateEventWithFlag(data.draw(strategies.event_flags()))[1] == 0
        assert C.aclrtCreateEventWithFlag(data.draw(strategies.event_flags(valid=False)))[1] == 107000
        assert C.aclrtMalloc(size, 0)[1] == 0
        sim.inject(data.draw(strategies.faults()))
