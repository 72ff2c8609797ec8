"""Failing tests leave their schedule in a file, which runs them again; files are not believed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_sim.explore.counterexamples import files
from ascend_sim.testing.recorded_tests import BadReplayFile, Recorded, load, parse

Pytest = Callable[..., Any]
FLAKY = """
    import numpy as np
    import pytest
    from ascend_sim import ascendcl as C

    CODE = 0


    def lost(value):
        C.aclrtSetDevice(0)
        one, two = (C.aclrtCreateStream()[0] for _ in range(2))
        block = C.aclrtMalloc(16, 0)[0]
        C.aclrtMemsetAsync(block, 16, 1, 16, one)
        C.aclrtMemsetAsync(block, 16, 2, 16, two)
        C.aclrtSynchronizeDevice()
        out = np.zeros(16, np.uint8)
        C.aclrtMemcpy(out.ctypes.data, 16, block, 16, 2)
        if CODE:
            C.aclrtMalloc(64, 0)
        assert out[0] == value


    @pytest.mark.ascend(schedules=20, check="none", limits={"stream_depth": 9})
    @pytest.mark.parametrize("value", [2])
    def test_lost(value):
        lost(value)


    def test_other():
        assert True


    def test_passes(ascend):
        C.aclrtSetDevice(0)


    @pytest.mark.xfail
    def test_expected(ascend):
        assert False
"""


def said(text: str) -> str:
    """The file that a report names."""
    (path,) = re.findall(r'^or: pytest "\S+" --ascend-replay "(.+)"$', text, re.MULTILINE)
    return str(path)


def test_a_failure_is_written_and_comes_again(run_pytest: Pytest, tmp_path: Path) -> None:
    outcome = run_pytest(FLAKY)
    assert outcome.ended("failed") == {"test_lost[2]"}, outcome.text
    path = said(outcome.section("test_lost[2]"))
    recording = load(path)
    assert recording.test == "test_it.py::test_lost[2]" and recording.schedule.startswith("random(")
    assert recording.options["limits"] == {"stream_depth": 9} and recording.options["checks"] == "none"
    assert recording.kind == "exception" and "assert" in recording.title and recording.clock > 0
    again = run_pytest(FLAKY, "--ascend-replay", path)
    assert again.ended("failed") == {"test_lost[2]"} and "3 deselected" in again.text, again.text
    assert "\nas recorded\n" in again.section("test_lost[2]")
    assert f"schedule {recording.schedule}\n" in again.section("test_lost[2]")
    assert "or: pytest" not in again.text
    other = run_pytest(FLAKY.replace("CODE = 0", "CODE = 1"), "--ascend-replay", path)
    assert "not as recorded: it ends at" in other.section("test_lost[2]")
    mended = run_pytest(FLAKY.replace("out[0] == value", "out[0]"), "--ascend-replay", path)
    assert mended.ended("passed") == {"test_lost[2]"}
    assert (
        "test_it.py::test_lost[2] passes under the recorded schedule (exception: AssertionError: assert" in mended.text
    )


def test_it_lies_in_the_cache_of_pytest(run_pytest: Pytest, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    outcome = run_pytest(FLAKY, "-o", f"cache_dir={folder}", "-k", "lost", cache=True)
    (file,) = folder.glob("d/ascend-sim/*.json")
    assert said(outcome.text) == "cache/d/ascend-sim/" + file.name
    assert json.loads(file.read_text("ascii"))["format"] == "ascend-sim test"
    assert re.fullmatch(r"test_it.py-test_lost-2-[0-9a-f]{8}\.json", file.name)
    run_pytest(FLAKY, "-o", f"cache_dir={folder}", "-k", "lost", cache=True)
    assert [file] == list(folder.glob("d/ascend-sim/*"))


def test_what_is_no_file_of_a_test_is_refused(run_pytest: Pytest, tmp_path: Path) -> None:
    for name, text, says in (
        ("none.json", "", "is no JSON"),
        ("schedule.json", '{"format": "ascend-sim schedule"}', "ascend-sim replay FILE program.py runs it"),
        ("away.json", json.dumps(GOOD), "is of test_x.py::test, which was not collected"),
        ("", "", "ascend-replay: "),
    ):
        if name:
            (tmp_path / name).write_text(text)
        outcome = run_pytest(FLAKY, "--ascend-replay", name or "missing.json")
        assert outcome.code == 4 and says in outcome.text and "Traceback" not in outcome.text, outcome.text


GOOD: dict[str, Any] = Recorded(
    "test_x.py::test", "late", {"soc": "Ascend910B3", "seed": 3}, "race", "r", "f", 5
).to_json()
BAD = [
    {"version": 2}, {"format": "x"}, {"schedule": "replay(/etc/passwd)"}, {"schedule": "random"}, {"schedule": 5},
    {"schedule": "late\n"}, {"test": ""}, {"test": None}, {"clock": -1}, {"clock": True}, {"clock": 1 << 63},
    {"simulator": {"schedule": "late"}}, {"simulator": {"threads": "free"}}, {"simulator": {"limits": {"a": []}}},
    {"simulator": []}, {"failure": []}, {"failure": {"kind": 1}}, {"hash_seed": "-1"}, {"hash_seed": "x"},
]  # fmt: skip


@pytest.mark.parametrize("change", BAD, ids=str)
def test_what_a_file_must_not_say(change: dict[str, Any]) -> None:
    assert parse(GOOD).to_json() == GOOD
    with pytest.raises(BadReplayFile):
        parse({**GOOD, **change})


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=9), lambda x: st.lists(x, max_size=2))


@given(st.dictionaries(st.sampled_from(sorted(GOOD)), JSON, max_size=2))
def test_any_value_is_read_or_refused(change: dict[str, Any]) -> None:
    try:
        parse({**GOOD, **change})
    except BadReplayFile:
        pass


def test_a_schedule_of_explore_is_another_kind_of_file() -> None:
    with pytest.raises(BadReplayFile, match="pytest --ascend-replay FILE"):
        files.parse(GOOD)


def test_how_failures_differ() -> None:
    one = parse(GOOD)
    assert one.difference(one) == ""
    other = parse({**GOOD, "clock": 6, "hash_seed": "7"})
    assert "ends at 6 ns of virtual time, before at 5 ns" in one.difference(other)
    assert one.difference(other).endswith("(PYTHONHASHSEED was random, is 7)")
    other = parse({**GOOD, "failure": {"kind": "deadlock", "title": "d", "fingerprint": "g"}})
    assert one.difference(other) == "race (r) was, deadlock (d) is found"
