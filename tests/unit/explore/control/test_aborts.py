"""Calls that drop what is queued, by one thread: what had run by then, and what had not."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.explore.counterexamples.files import load, replay

CUT: dict[str, Any] = {
    "abort": lambda stream: C.aclrtStreamAbort(stream),
    "stop": lambda stream: C.aclrtStreamStop(stream),
    "destroy": lambda stream: C.aclrtDestroyStreamForce(stream),
    "abort all": lambda stream: C.aclrtDeviceTaskAbort(0, 0),
}
LEFT = {"abort": {0, 1, 2}, "stop": {1, 2}, "destroy": {0, 1, 2}, "abort all": {0, 1, 2}}


@pytest.mark.parametrize("how", CUT)
def test_one_thread_drops_what_has_or_has_not_run(how: str, words: Any) -> None:
    def program() -> int:
        (stream,) = words.start(1)
        buffer = words.buffer()
        for value in (1, 2):
            words.must(C.aclrtMemsetAsync(buffer, 16, value, 16, stream))
        words.must(CUT[how](stream))
        words.must(C.aclrtSynchronizeDevice())
        return int(words.read(buffer))

    report = explore(program, checks="none")
    assert report.exhausted and not report.trouble and report.classes == 3
    assert {result.outcome.value for result in report.outcomes} == LEFT[how]


def test_what_a_program_that_drops_leads_to_is_replayed(words: Any, tmp_path: Any) -> None:
    def program() -> int:
        (stream,) = words.start(1)
        buffer = words.buffer()
        words.must(C.aclrtMemsetAsync(buffer, 16, 1, 16, stream))
        words.must(C.aclrtStreamAbort(stream))
        value = int(words.read(buffer))
        assert value == 0
        return value

    path = tmp_path / "dropped.json"
    report = explore(program, checks="none", save=path)
    assert [failure.kind for failure in report.failures] == ["exception"]
    schedule = replay(path)
    with Simulator(schedule=schedule, **load(path).options), pytest.raises(AssertionError):
        program()
    assert not schedule.difference
