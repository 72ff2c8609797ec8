"""Levels and baselines: what fails, what a file keeps, and files that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.findings.baseline import BadBaseline, Baseline, Entry, entry_of, read_baseline, worth_keeping
from ascend_sim.findings.finding import Finding, Site
from ascend_sim.findings.levels import parse_levels
from ascend_sim.findings.sarif import sarif
from ascend_sim.findings.suppressions import Suppressions

ERROR = Finding("F1", "race", "error", "t")
FOLLOWER = Finding("F2", "race", "error", "t", cause="F1")
LEAK = Finding("F3", "leak", "warning", "t")
NOTE = Finding("F4", "injected-fault", "note", "t")
HIDDEN = Finding("F5", "race", "error", "t", suppressed="external")


@pytest.mark.parametrize(
    ("words", "failing"),
    [
        (None, "F1"), ("error", "F1"), ("warning", "F1 F3"), ("note", "F1 F3 F4"), ("leak", "F1 F3"),
        (["injected-fault", "leak"], "F1 F3 F4"), ("leak, race", "F1 F3"), ([], "F1"),
    ],
)  # fmt: skip
def test_what_fails(words: Any, failing: str) -> None:
    levels = parse_levels(words)
    assert " ".join(f.id for f in (ERROR, FOLLOWER, LEAK, NOTE, HIDDEN) if levels.fails(f)) == failing


@pytest.mark.parametrize(
    ("word", "hint"), [("leek", "did you mean leak?"), ("warnings", "did you mean warning?"), ("?", "explain")]
)
def test_a_level_that_is_none_names_the_nearest(word: str, hint: str) -> None:
    with pytest.raises(ValueError, match="neither error, warning, note nor a kind") as error:
        parse_levels(word)
    assert hint in str(error.value)


def test_what_a_baseline_keeps() -> None:
    assert [f.id for f in (ERROR, FOLLOWER, LEAK, NOTE, HIDDEN) if worth_keeping(f, parse_levels(None))] == ["F1", "F3"]
    assert worth_keeping(NOTE, parse_levels("injected-fault"))


def test_an_update_replaces_what_the_same_command_found(tmp_path: Path) -> None:
    path = str(tmp_path / "b.json")
    old, other, new = (
        Entry(by, "leak", "p.py in f", digit * 16) for by, digit in (("run p", "a"), ("run q", "b"), ("run p", "c"))
    )
    Baseline(frozenset([old, other])).updated(["run p"], [new]).write(path)
    found = read_baseline(path)
    assert found.entries == {other, new}
    assert found.gone("run p", ["a" * 16]) == [new]
    assert found.gone("run p", ["c" * 16]) == []


def test_texts_are_kept_whatever_is_in_them(tmp_path: Path) -> None:
    path = str(tmp_path / "b.json")
    wild = Finding("F1", "race", "error", '"\n\x1b[31m\ud800' + "x " * 4500, [Site("access", "t", primary=True)])
    Baseline(frozenset([entry_of(wild, "run p\n")])).write(path)
    (entry,) = read_baseline(path).entries
    assert (entry.found_by, entry.fingerprint, len(entry.title)) == ("run p\n", wild.fingerprint, 2000)


GOOD = {"found_by": "run p", "kind": "race", "at": "", "fingerprint": "0" * 16, "title": ""}
BAD = {
    "no JSON": b"{",
    "a list": b"[]",
    "no format": b"{}",
    "another version": json.dumps({"format": "ascend-sim baseline", "version": 2, "findings": []}).encode(),
    "no findings": json.dumps({"format": "ascend-sim baseline", "version": 1}).encode(),
    "depth": b'{"format":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "digits": b'{"format": 1' + b"0" * 5000 + b"}",
    "not UTF-8": b'{"format": "\xff"}',
    "too many": b"[" + b"{}," * 400_001 + b"{}]",
    **{
        f"finding {value!r}": json.dumps({"format": "ascend-sim baseline", "version": 1, "findings": [value]}).encode()
        for value in (
            7, {}, {**GOOD, "fingerprint": "0" * 15}, {**GOOD, "fingerprint": "0" * 16 + "\n"}, {**GOOD, "title": ["x"]},
            {**GOOD, "kind": "x" * 2001},
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("data", BAD.values(), ids=[name[:40] for name in BAD])
def test_a_file_that_is_no_baseline_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(data)
    with pytest.raises(BadBaseline, match="is no baseline file"):
        read_baseline(str(path))


def test_a_device_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in ("/dev/zero", str(tmp_path)):
        with pytest.raises(OSError):
            read_baseline(path)


def test_what_the_baseline_has_is_suppressed_and_new_findings_are_not() -> None:
    known = Finding("F1", "leak", "warning", "t", [Site("alloc", "a")])
    fits = Suppressions((), frozenset([known.fingerprint]))
    assert fits.why("leak", known.sites) == "baseline"
    assert fits.why("race", known.sites) is None
    assert fits.unused() == []


def test_sarif_says_that_it_was_there_before() -> None:
    known = Finding("F1", "leak", "warning", "t", suppressed="baseline")
    ((result, plain),) = [run["results"] for run in sarif([known, LEAK], "/")["runs"]]
    assert result["suppressions"] == [{"kind": "external", "justification": "in the baseline"}]
    assert result["baselineState"] == "unchanged"
    assert "suppressions" not in plain


def test_a_simulator_reads_the_baseline_of_the_environment(tmp_path: Path) -> None:
    path = str(tmp_path / "b.json")
    with pytest.raises(BadBaseline, match="cannot be read"):
        Simulator.from_environment({"ASCEND_SIM_BASELINE": path})
    Baseline(frozenset([entry_of(LEAK, "run p")])).write(path)
    sim = Simulator.from_environment({"ASCEND_SIM_BASELINE": path})
    assert sim.findings.report("leak", "warning", "t").suppressed == "baseline"
    assert sim.findings.report("race", "error", "t").suppressed is None


# -- explorations ----------------------------------------------------------------------------------------------------


def _two_memsets() -> None:
    C.aclrtSetDevice(0)
    (a, _), (b, _), (x, _) = C.aclrtCreateStream(), C.aclrtCreateStream(), C.aclrtMalloc(64, 0)
    C.aclrtMemsetAsync(x, 64, 1, 64, a)
    C.aclrtMemsetAsync(x, 64, 2, 64, b)
    C.aclrtSynchronizeDevice()
    C.aclInit(None)
    C.aclFinalize()


def test_known_failures_of_an_exploration_are_told_and_do_not_count() -> None:
    plain = explore(_two_memsets, progress=False)
    assert [f.kind for f in plain.failures] == ["race"] and plain
    both = explore(_two_memsets, progress=False, error_on="warning")
    assert sorted(f.kind for f in both.failures) == ["leak", "race"]
    known = explore(_two_memsets, progress=False, stop="finding", baseline=[f.fingerprint for f in plain.failures])
    assert not known and known.exhausted and known.classes == 2  # it did not stop at what is known
    assert "(in the baseline)" in known.text()
    left = explore(_two_memsets, progress=False, error_on="leak", baseline=[f.fingerprint for f in plain.failures])
    assert [f.kind for f in left.new] == ["leak"]


def test_failures_without_a_finding_have_fingerprints_without_numbers() -> None:
    def raising(number: int) -> Callable[[], None]:
        def raises() -> None:
            raise RuntimeError(f"at {number}")

        return raises

    one, two = (explore(raising(number), progress=False) for number in (1, 22))
    assert [f.kind for f in one.failures] == ["exception"]
    assert one.failures[0].fingerprint == two.failures[0].fingerprint
    assert not explore(raising(3), progress=False, baseline=[one.failures[0].fingerprint])
