"""Schedules in files: written, shortened, read back with suspicion, run again, and noticed to be different."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.explore.counterexamples.files import BadReplayFile, Recording, load, parse, replay
from ascend_sim.explore.counterexamples.preemptions import PreemptionStrategy, choices_of
from ascend_sim.explore.search.tree import Node, Step


def lost_write(words: Any, more: bool = False) -> Any:
    """The program fails when the task that was queued first runs last."""

    def program() -> int:
        one, two, three = words.start(3)
        block, other = words.buffer(), words.buffer()
        words.fill(other, 3, three)
        words.fill(block, 1, one)
        if more:
            words.must(C.aclrtCreateStream())
        words.fill(block, 2, two)
        words.must(C.aclrtSynchronizeDevice())
        value = words.read(block)
        if value == 1:
            raise RuntimeError("lost")
        return int(value)

    return program


@pytest.fixture
def saved(words: Any, tmp_path: Path) -> Path:
    path = tmp_path / "lost.json"
    report = explore(lost_write(words), checks="none", save=path)
    (failure,) = report.failures
    assert failure.path == str(path) and str(path) in str(report)
    return path


def test_a_failure_is_shortened_to_what_it_needs(saved: Path) -> None:
    recording = load(saved)
    assert len(recording.choices) == 1
    assert (recording.kind, recording.title) == ("exception", "RuntimeError: lost")
    assert recording.options["soc"] == "Ascend910B3"
    assert recording.steps[0][0] == "main"
    assert recording.steps[0][1].startswith("start, aclrtSetDevice, ")
    (said,) = recording.words  # the calls stand in Words
    assert re.fullmatch(r"a memset on `two` \(conftest.py:\d+\) before a memset on `one` \(conftest.py:\d+\)", said)


def test_choices_are_told_by_calls_and_lines() -> None:
    def program() -> int:
        C.aclrtSetDevice(0)
        block, _ = C.aclrtMalloc(16, 0)
        copies, _ = C.aclrtCreateStream()
        event, _ = C.aclrtCreateEventExWithFlag(1)
        C.aclrtMemsetAsync(block, 16, 7, 16, copies)  # one
        C.aclrtRecordEvent(event, copies)
        return C.aclrtQueryEventStatus(event)[0]  # two

    report = explore(program, differing="error")
    (failure,) = report.failures
    source = Path(__file__).read_text(encoding="utf-8").splitlines()
    one, two = (next(n for n, line in enumerate(source, 1) if line.endswith(f"  # {word}")) for word in ("one", "two"))
    here = Path(__file__).name
    assert failure.recording.words == (
        f"a memset on `copies` ({here}:{one}) before aclrtQueryEventStatus of main ({here}:{two})",
    )
    assert failure.recording.words[0] in str(report)


def test_it_runs_again_in_a_simulator_of_ones_own(words: Any, saved: Path) -> None:
    schedule = replay(saved)
    with Simulator(schedule=schedule), pytest.raises(RuntimeError, match="lost"):
        lost_write(words)()
    assert schedule.difference == ""


def test_a_line_more_changes_the_steps_and_not_the_failure(words: Any, saved: Path) -> None:
    schedule = replay(saved)
    with Simulator(schedule=schedule), pytest.raises(RuntimeError, match="lost"):
        lost_write(words, more=True)()
    assert "aclrtCreateStream, was main: nothing more" in schedule.difference


def test_other_arguments_are_noticed(words: Any, saved: Path) -> None:
    schedule = replay(saved)
    with Simulator(schedule=schedule):
        streams = words.start(3)
        block, other = words.buffer(), words.buffer()
        words.fill(other, 4, streams[2])
        words.fill(block, 1, streams[0])
        words.fill(block, 9, streams[1])
        words.must(C.aclrtSynchronizeDevice())
    assert "other arguments" in schedule.difference


def test_choices_that_do_not_come_up_are_said(words: Any) -> None:
    schedule = Recording(choices=(("main", 99, "stream 1"),)).schedule()
    with Simulator(schedule=schedule):
        words.start(1)
    assert schedule.difference == "the choice 'stream 1' in place of step 99 of 'main' did not come up"


def test_files_are_written_whole_and_read_back(tmp_path: Path) -> None:
    recording = Recording(
        choices=(("main", 3, "stream 2"), ("main", 3, "stream 1")), default="device", options={"soc": "Ascend310P3"},
        kind="race", title='a "title"\n with lines', hash_seed="7", steps=(("main", "start", "0123abcd"),),
        sites=("a.py:3 f",), words=("one before other", "x"), program="a.py",
    )  # fmt: skip
    path = tmp_path / "x.json"
    recording.save(path)
    assert load(path) == recording
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.json"]
    assert len(path.read_text("ascii")) < 700


GOOD = Recording(choices=(("main", 1, "stream 1"),), steps=(("main", "start", "00000000"),)).to_json()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"format": "x"}, "does not say"),
        ({"version": 1}, "version 1"),
        ({"default": "both"}, "host or device"),
        ({"choices": [["main", 0, "s"]]}, "from 1"),
        ({"choices": [["main", True, "s"]]}, "choices has"),
        ({"choices": [["main", 1]]}, "choices has"),
        ({"choices": {}}, "must be a list"),
        ({"steps": [["a", "b", 3]]}, "steps has"),
        ({"simulator": {"schedule": "late"}}, "'schedule'"),
        ({"simulator": {"devices": "2"}}, "'devices'"),
        ({"simulator": {"limits": {"x": []}}}, "limits must be"),
        ({"hash_seed": "$(reboot)"}, "hash_seed"),
        ({"hash_seed": "1" * 5000}, "hash_seed"),
        ({"hash_seed": "1\0"}, "hash_seed"),
        ({"simulator": {"soc": "a\0b"}}, "soc is"),
        ({"simulator": {"soc": "\ud800"}}, "soc is"),
        ({"simulator": {"visible": "9" * 5000}}, "visible is"),
        ({"simulator": {"block_order": f"random({'9' * 5000})"}}, "block_order is"),
        ({"simulator": {"switches": {"a\0": "b"}}}, "switches is"),
        ({"simulator": {"limits": {"stream_depth": 10**400}}}, "limits is"),
        ({"finding": []}, "finding"),
        ({"program": 3}, "program must be text"),
        ({"words": ["x", 3]}, "words must hold text"),
    ],
)
def test_hostile_files_are_refused(change: dict[str, Any], text: str) -> None:
    with pytest.raises(BadReplayFile, match=text):
        parse({**GOOD, **change})


def test_what_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for content in (b"", b"{", b"[" * 100_000, b"\xff\xfe"):
        path.write_bytes(content)
        with pytest.raises(BadReplayFile):
            load(path)
    with pytest.raises(OSError):
        load(tmp_path / "none.json")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(list(GOOD)), inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(list(GOOD)), JSON, max_size=3))
def test_any_value_is_read_or_refused(change: dict[str, Any]) -> None:
    try:
        recording = parse({**GOOD, **change})
    except BadReplayFile:
        return
    assert parse(json.loads(json.dumps(recording.to_json()))) == recording


@given(st.lists(st.integers(0, 2), min_size=1, max_size=20), st.sampled_from(["host", "device"]))
def test_choices_lead_to_the_steps_that_they_came_from(picks: list[int], default: str) -> None:
    enabled = ("main", "stream 1", "stream 2")
    steps = []
    for pick in picks:
        node = Node(None, 0, 0)
        node.enabled = enabled
        steps.append(Step(node, enabled[pick]))
    strategy = PreemptionStrategy(choices_of(steps, default), default)
    assert [strategy.choose(enabled) for _ in steps] == [step.process for step in steps]
    assert not strategy.left_over()
