"""What the report shows: failures that differ only in numbers once, results where they differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim import explore
from ascend_sim.explore.outcome import differing_parts
from ascend_sim.explore.report import _without_numbers
from tests.kit.forks import ascend_sim


@pytest.mark.parametrize("raises", [True, False])
def test_what_differs_in_numbers_or_addresses_only_is_one_failure(words: Any, raises: bool) -> None:
    kept = []

    def program() -> str:
        one, two = words.start(2)
        block = words.buffer()
        words.must(C.aclrtMemsetAsync(block, 16, 1, 16, one))
        words.must(C.aclrtMemsetAsync(block, 16, 2, 16, two))
        words.must(C.aclrtSynchronizeDevice())
        kept.append(object())  # another address each time
        if raises:
            raise ValueError(f"{words.read(block)} of 7 in {kept[-1]}")
        return f"done by {kept[-1]}"

    report = explore(program, checks="none", differing="table")
    assert report.trouble == "" and report.classes == 2
    assert [(f.kind, f.count) for f in report.failures] == [("exception", 2)] * raises


def test_texts_without_numbers() -> None:
    assert _without_numbers("2 of 16 at 0x7f3a are 1.5 off") == "# of # at # are #.# off"


def test_long_results_are_cut_to_where_they_differ() -> None:
    one, two = "returns " + "x" * 200 + "end 1", "returns " + "x" * 200 + "end 2, and more"
    assert differing_parts([one, two]) == ["..." + "x" * 16 + "end 1", "..." + "x" * 16 + "end 2, and more"]
    assert differing_parts(["a", "b"]) == ["a", "b"]
    late = differing_parts(["a" * 150, "b" * 150])
    assert late == ["a" * 97 + "...", "b" * 97 + "..."]


def test_names_of_files_are_one_line(tmp_path: Path) -> None:
    """A program's name, and where its replay file lies, cannot pose as a command of a CI system."""
    name = "e\n::error::\x1b[31m.py"
    text = (
        "import acl\nacl.init(), acl.rt.set_device(0)\ns, _ = acl.rt.create_stream()\np, _ = acl.rt.malloc(64, 0)\n"
        "acl.rt.memset_async(p, 64, 1, 64, s)\nacl.rt.free(p)\nacl.rt.synchronize_stream(s)\n"
    )
    (tmp_path / name).write_text(text)
    done = ascend_sim("explore", name, folder=tmp_path)
    assert done.returncode == 1 and "use-after-free in 2 of 2" in done.stdout, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert not [line for line in done.stdout.splitlines() if line.lstrip().startswith("::error")]


def test_an_order_calls_streams_as_the_findings_do() -> None:
    """Those of a list are its elements in both; so are tasks that no finding speaks of."""

    def program() -> int:
        assert C.aclrtSetDevice(0) == 0
        streams = [C.aclrtCreateStream()[0] for _ in range(3)]
        events = [C.aclrtCreateEvent()[0] for _ in range(2)]
        block, ret = C.aclrtMalloc(16, 0)
        out = np.zeros(16, np.uint8)
        assert ret == C.aclrtMemsetAsync(block, 16, 1, 16, streams[2]) == 0
        assert C.aclrtMemsetAsync(block, 16, 2, 16, streams[1]) == 0
        assert C.aclrtRecordEvent(events[1], streams[1]) == C.aclrtSynchronizeDevice() == 0
        assert C.aclrtMemcpy(out.ctypes.data, 16, block, 16, 2) == 0
        return int(out[0])

    report = explore(program)
    (race,) = [failure for failure in report.failures if failure.kind == "race"]
    assert "`streams[1]`" in race.title and "`streams[2]`" in race.title
    text = str(report)
    assert "a memset on `streams[2]`" in text and "before a memset on `streams[1]`" in text
    assert "#" not in text
