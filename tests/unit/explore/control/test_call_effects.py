"""What calls do to what threads share: the table is complete, and says what the catalogue can mean."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.catalogue.effects import NOTHING, effects
from ascend_sim.catalogue.functions import functions
from ascend_sim.explore.control.shared_objects import LIMITS
from ascend_sim.explore.counterexamples.files import load, replay


def modelled() -> frozenset[str]:
    return C.implemented()


def test_what_is_not_modelled_has_no_effects() -> None:
    assert {name for name, f in functions().items() if f.effects == "-"} == set(functions()) - modelled()


def test_every_line_can_be_read() -> None:
    settings = set()
    for name in functions():
        does = effects(name)
        inputs = functions()[name].inputs
        assert all(inputs[place].kind in ("handle", "pointer", "array") for place in does.changed), name
        assert all(limit in LIMITS for _, limit, _ in does.limits), name
        assert all(use.place is None or -1 <= use.place < len(inputs) for use in does.uses), name
        settings |= {(use.setting, use.mode) for use in does.uses}
    named = {setting for setting, _ in settings}
    assert all({mode for s, mode in settings if s == setting} - {"read"} for setting in named - {"dump"}), "never set"
    assert effects("aclrtMallocNoSuchThing") == effects("aclmdlRIAbort") == NOTHING


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("aclrtDestroyStream", ["stream"]), ("aclrtSetDevice", []), ("aclGetTensorDescAddress", []),
        ("aclrtAllocatorSetGetAddrFromBlockFuncToDesc", ["allocatorDesc"]), ("aclrtMemPoolFreeAsync", []),
        ("aclmdlAddDatasetBuffer", ["dataset"]), ("aclrtReleaseMemAddress", []), ("aclUpdateDataBuffer", ["dataBuffer"]),
        ("aclrtSetCurrentContext", []), ("aclGetDataBufferAddr", []), ("aclrtBinaryUnLoad", ["binHandle"]),
    ],
)  # fmt: skip
def test_what_is_changed(name: str, changed: list[str]) -> None:
    assert [functions()[name].inputs[place].name for place in sorted(effects(name).changed)] == changed


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
