"""Text lanes: every lane has its line, tasks stand where they ran, and nothing but ASCII comes out."""

from __future__ import annotations

import io
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.timeline import Timeline


def lane(text: str, name: str) -> str:
    return next(line for line in text.splitlines() if line.strip().startswith(name))


@pytest.mark.parametrize("width", [60, 100, 160])
def test_lanes_keep_their_width_and_are_ascii(recorded: Timeline, width: int) -> None:
    text = recorded.text(width)
    lines = text.splitlines()
    assert text.isascii()
    assert all(len(line) <= width for line in lines[2:-1] if not line.startswith(("!", "-")))
    assert lines[0].startswith("Ascend910B3, seed 0, virtual-time: 26 tasks, 42 calls, ")


def test_copies_and_kernels_overlap_in_the_picture(recorded: Timeline) -> None:
    text = recorded.text(120)
    copies, kernels = lane(text, "copies"), lane(text, "work")
    both = sum(a != " " and b not in " .[]" for a, b in zip(copies, kernels, strict=False))
    assert both > 30, "letters of a kernel below letters of a copy"
    assert "copy H2D" in copies and "scale <8>" in kernels
    assert "# kernel" in text and "> host to device" in text


def test_cores_are_shares_and_memory_is_tenths(recorded: Timeline) -> None:
    text = recorded.text(100)
    assert set(lane(text, "vector cores").split(maxsplit=2)[2]) <= set("12 "), "8 of 40 cores are two tenths"
    assert lane(text, "memory").rstrip().endswith("*")


def test_findings_stand_below_with_time_and_place() -> None:
    with Simulator(checks="races") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        left, right = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
        block, _ = C.aclrtMalloc(4096, 0)
        C.aclrtMemsetAsync(block, 4096, 1, 4096, left)
        C.aclrtMemsetAsync(block, 4096, 2, 4096, right)
        C.aclrtSynchronizeDevice()
        last = timeline.text().splitlines()[-1]
    assert last.startswith("! ") and "error[race]" in last and "(test_lanes.py:" in last


def test_of_many_streams_the_busiest_are_shown() -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        event, _ = C.aclrtCreateEvent()
        made = [C.aclrtCreateStream()[0] for _ in range(60)]
        for n, stream in enumerate(made):
            for _ in range(1 + (n == 59)):
                C.aclrtRecordEvent(event, stream)
        C.aclrtSynchronizeDevice()
        text = timeline.text()
    assert "  and 20 more that do less" in text.splitlines()
    assert "made#60" in text and "made#45" not in text


def test_names_that_a_file_or_a_log_cannot_take_are_written_all_the_same(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "C.aclrtSetDevice(0)\nström, _ = C.aclrtCreateStream()\nC.aclrtMemsetAsync(1, 2, 3, 4, ström)\n"
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        exec(compile(source, "a\udcff.py", "exec"), {"C": C})
        for name in ("run.txt", "run.html", "run.json"):
            timeline.save(tmp_path / name)
        log = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        monkeypatch.setattr("sys.stdout", log)
        timeline.save("-")
        monkeypatch.undo()
    log.seek(0)
    assert log.read().startswith("Ascend910B3, ")


def test_saving_says_which_forms_there_are(
    recorded: Timeline, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    with pytest.raises(ValueError, match=r"the end of the name says the form: \.html"):
        recorded.save(tmp_path / "run.pdf")
    with pytest.raises(ValueError, match="there is no folder"):
        recorded.save(tmp_path / "nowhere" / "run.html")
    recorded.save("-")
    assert capsys.readouterr().out == recorded.text() + "\n"
