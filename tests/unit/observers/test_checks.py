"""Which checks run, what they cost when they do not, policies, suppression, SARIF."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import Simulator, install, pyacl
from ascend_sim import ascendcl as C
from ascend_sim.findings.error import FindingError
from ascend_sim.findings.project_file import listed
from ascend_sim.findings.sarif import sarif
from ascend_sim.findings.suppressions import Suppressions
from ascend_sim.observers.checks import parse_checks
from ascend_sim.observers.observer import Observer
from ascend_sim.runtime.core import Runtime
from ascend_sim.runtime.current import current
from ascend_sim.runtime.hooks import HOOKS
from ascend_sim.runtime.task import Task
from tests.kit.calls import must


def race(fill: int = 1) -> None:
    """Two streams write one block."""
    must(C.aclrtSetDevice(0))
    a, b = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
    block = must(C.aclrtMalloc(64, 0))
    must(C.aclrtMemsetAsync(block, 64, fill, 64, a))
    must(C.aclrtMemsetAsync(block, 64, 2, 64, b))
    must(C.aclrtSynchronizeDevice())


def suppressed_race() -> None:
    """A race that is known to its author."""
    must(C.aclrtSetDevice(0))
    a, b = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
    block = must(C.aclrtMalloc(64, 0))
    must(C.aclrtMemsetAsync(block, 64, 1, 64, a))
    must(C.aclrtMemsetAsync(block, 64, 2, 64, b))  # ascend-sim: ignore[race]
    must(C.aclrtSynchronizeDevice())


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("all", {"memory": "report", "races": "report", "rules": "report", "codes": "report"}),
        ("none", {}),
        (None, {}),
        ("races=raise,memory", {"memory": "report", "races": "raise"}),
        (["rules"], {"rules": "report"}),
        ({"all": "report", "memory": "off", "codes": "off"}, {"races": "report", "rules": "report"}),
        ("codes", {"codes": "report"}),
    ],
)
def test_names_and_policies(value: Any, found: dict[str, str]) -> None:
    assert parse_checks(value) == found


@pytest.mark.parametrize("value", ["memroy", "races=stop", {"memory": "maybe"}])
def test_unknown_names_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="possible"):
        parse_checks(value)


def _one_in_this_process(monkeypatch: pytest.MonkeyPatch) -> Simulator:
    return Simulator().open()


def _an_installed_one(monkeypatch: pytest.MonkeyPatch) -> Simulator:
    for name, module in pyacl.modules().items():  # gone again afterwards
        monkeypatch.setitem(sys.modules, name, module)
    return install()


def _one_of_run(monkeypatch: pytest.MonkeyPatch) -> Simulator:
    return Simulator.from_environment({"ASCEND_SIM_THREADS": "deterministic"}).open()


@pytest.mark.parametrize("made", [_one_in_this_process, _an_installed_one, _one_of_run])
def test_who_says_nothing_gets_memory_races_and_rules(
    made: Callable[[pytest.MonkeyPatch], Simulator], monkeypatch: pytest.MonkeyPatch
) -> None:
    sim = made(monkeypatch)
    try:
        race()
        assert [f.kind for f in sim.findings] == ["race"]
        assert sim.checks is not None and list(sim.checks.policies) == ["memory", "races", "rules"]
    finally:
        sim.close()


def test_without_checks_nobody_listens() -> None:
    with Simulator(checks="none") as sim:
        assert all(getattr(sim.hooks, name) is None for name in HOOKS)
        assert not sim.watched and sim.plain_record.action is None
        race()
        assert not list(sim.findings)


def test_records_call_those_who_listen_and_nobody_else() -> None:
    class Ran(Observer):
        def __init__(self) -> None:
            self.kinds: list[str] = []

        def record_ran(self, task: Task, time: int) -> None:
            self.kinds.append(task.op.kind)

    with Simulator(checks="none") as sim:
        assert C.aclrtSetDevice(0) == 0
        event, _ = C.aclrtCreateEvent()
        one, two = Ran(), Ran()
        for listening in ((), (one,), (one, two), (two,), ()):
            for observer in (one, two):
                sim.detach(observer)
            for observer in listening:
                sim.attach(observer)
            assert (sim.plain_record.action is None) == (not listening)
            assert C.aclrtRecordEvent(event, None) == 0
            assert C.aclrtSynchronizeEvent(event) == 0
        assert one.kinds == two.kinds == ["record"] * 2


def test_a_race_is_raised_from_the_call_in_which_it_was_found() -> None:
    with Simulator(checks="races=raise") as sim, pytest.raises(FindingError, match="`block`") as raised:
        race()
    assert raised.value.finding.kind == "race"
    assert [f.kind for f in sim.findings] == ["race"]


def test_a_comment_suppresses() -> None:
    with Simulator(checks="races") as sim:
        suppressed_race()
        assert [f.suppressed for f in sim.findings] == ["inSource"]


def test_a_pattern_suppresses_by_kind_file_and_function() -> None:
    for pattern, hit in (
        ("race", True),
        ("race:test_checks.py", True),
        ("*:*:race", True),
        ("race:test_checks.py:other", False),
        ("leak", False),
    ):
        with Simulator(checks="races") as sim:
            sim.findings.suppressions = Suppressions([pattern])
            race()
            assert [f.suppressed for f in sim.findings] == ["external" if hit else None]
            assert sim.findings.suppressions.unused() == ([] if hit else [pattern])


def test_patterns_of_pyproject(tmp_path: Any) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.ascend_sim]\nsuppress = ["race:train.py:step", "leak"]\n')
    (tmp_path / "inside").mkdir()
    assert listed(str(tmp_path / "inside"), "suppress")[1] == []  # no repository: what lies above is about something else
    (tmp_path / ".git").mkdir()
    assert listed(str(tmp_path / "inside"), "suppress")[1] == ["race:train.py:step", "leak"]


def test_sarif() -> None:
    with Simulator(checks="races") as sim:
        race()
        suppressed_race()
        report = sarif(list(sim.findings), ".")
    run = report["runs"][0]
    assert report["version"] == "2.1.0" and [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["race"]
    plain, known = run["results"]
    assert plain["ruleId"] == "race" and plain["level"] == "error" and "suppressions" not in plain
    assert known["suppressions"] == [{"kind": "inSource"}]
    place = plain["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("test_checks.py") and place["region"]["startLine"] > 20
    assert place["artifactLocation"]["uriBaseId"] == "SRCROOT"
    assert len(plain["partialFingerprints"]["ascendSim/v1"]) == 16
    assert {location["id"] for location in plain["relatedLocations"]} == {1, 2}


def test_the_same_pair_of_lines_is_one_finding_with_a_count() -> None:
    with Simulator(checks="races") as sim:
        for i in range(5):
            race(i)
    assert len(list(sim.findings)) == 1 and sim.findings[0].count == 5


def test_calls_keep_the_frames_of_wrappers() -> None:
    with Simulator(checks="races") as sim:
        race()
        frames = sim.findings[0].primary.frames  # type: ignore[union-attr]
    assert [frame.function for frame in frames[:2]] == ["race", "test_calls_keep_the_frames_of_wrappers"]


@pytest.mark.parametrize("threads", ["deterministic", "free"])
def test_a_simulator_ends_whatever_an_observer_raises_at_its_end(threads: str) -> None:
    """The others hear the end, the simulator around it is the current one again, and handlers of signals the program's."""
    heard = []

    class Last(Observer):
        def __init__(self, error: BaseException | None = None) -> None:
            self.error = error

        def closed(self, sim: Runtime) -> None:
            heard.append(sim)
            if self.error is not None:
                raise self.error

    with Simulator() as outer:
        must(C.aclrtSetDevice(0))
        inner = Simulator(threads=threads)
        for error in (ValueError("made for a test"), None, KeyboardInterrupt(), None):
            inner.attach(Last(error))
        inner.open()
        must(C.aclrtSetDevice(0))
        with pytest.raises(KeyboardInterrupt) as raised:
            inner.close()
        assert isinstance(raised.value.__context__, ValueError)
        assert heard == [inner] * 4 and inner.closed
        assert current() is outer
        inner.close()
        assert len(heard) == 4
        must(C.aclrtResetDevice(0))
    assert current() is None
