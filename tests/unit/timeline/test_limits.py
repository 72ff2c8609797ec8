"""A timeline of a long run: a bounded size, said in every form of output, and no cost that grows with the square."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.findings.wording import Names
from ascend_sim.timeline import Timeline
from ascend_sim.timeline.costs import duration
from ascend_sim.timeline.labels import Labels

MOST = 20


def fill(count: int, stream: int, address: int) -> None:
    """*count* short tasks, never more than ten in the queue."""
    for i in range(count):
        assert C.aclrtMemsetAsync(address, 4096, 0, 64, stream) == 0
        if i % 10 == 9:
            assert C.aclrtSynchronizeStream(stream) == 0


def long_run(sim: Simulator, count: int) -> Timeline:
    timeline = sim.timeline(most=MOST)
    assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
    stream, ret = C.aclrtCreateStream()
    assert ret == 0
    address, ret = C.aclrtMalloc(4096, 0)
    assert ret == 0
    fill(count, stream, address)
    for _ in range(count):
        more, ret = C.aclrtMalloc(1 << 20, 0)
        assert ret == C.aclrtFree(more) == 0
    fill(count, stream, address)
    return timeline


@pytest.fixture
def timeline() -> Timeline:
    with Simulator(checks="none") as sim:
        made = long_run(sim, 200)
        free, total, ret = C.aclrtGetMemInfo(1)
        assert ret == 0
        assert made.trace().counters[0].points[-1][1] == total - free > 0
    return made


def test_the_first_and_the_latest_tasks_stay_and_the_rest_is_counted(timeline: Timeline) -> None:
    trace = timeline.trace()
    (stream,) = [track for track in trace.tracks if track.kind == "stream"]
    assert trace.tasks == 400
    assert trace.calls == 5 + 400 + 40 + 400
    shown = [s for s in stream.slices if s.category == "copy"]
    assert timeline.left_out.tasks == 400 - len(shown)
    assert MOST <= len(shown) <= MOST + MOST // 4
    assert shown[MOST // 2 - 1].end < timeline.left_out.end <= shown[-1].start
    (gap,) = [s for track in trace.tracks if track.name == "left out" for s in track.slices]
    assert (gap.start, gap.end) == (timeline.left_out.start, timeline.left_out.end)
    after = [s for s in stream.slices if s.category == "wait" and s.start >= shown[MOST // 2].start]
    assert all(s.end - s.start <= shown[0].end - shown[0].start for s in after), "nothing waits through the gap"


def test_what_the_recorder_keeps_is_bounded(timeline: Timeline) -> None:
    rows = (
        list(timeline.tasks), list(timeline.calls), timeline.memory, timeline.learned, timeline.notes, timeline.served
    )  # fmt: skip
    assert max(map(len, rows)) <= 2 * MOST


def test_every_form_says_what_is_missing(
    timeline: Timeline, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = timeline.trace().left_out
    assert said.startswith(f"{timeline.left_out.tasks} tasks, {timeline.left_out.calls} calls left out, from ")
    assert f" to {duration(timeline.left_out.end)}: the first 10 and the latest 10 tasks and calls are kept" in said
    assert said in timeline.text()
    for name in ("run.html", "run.json", "run.txt"):
        timeline.save(tmp_path / name)
        assert said in (tmp_path / name).read_text()
        assert (
            "are left out, in the middle of the run: --timeline-tasks N keeps more than 20" in capsys.readouterr().err
        )
    assert json.loads((tmp_path / "run.json").read_text())["otherData"]["left_out"] == said


def test_a_run_that_fits_says_nothing_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
    timeline.save(tmp_path / "run.txt")
    assert timeline.trace().left_out == "" == capsys.readouterr().err
    assert "left out" not in (tmp_path / "run.txt").read_text()


def test_fewer_than_two_are_no_timeline() -> None:
    with Simulator() as sim, pytest.raises(ValueError, match="most is 1"):
        sim.timeline(most=1)


class Counted(int):
    """A time that counts how often it is compared."""

    comparisons = 0

    def __lt__(self, other: int) -> bool:
        Counted.comparisons += 1
        return int(self) < int(other)

    def __gt__(self, other: int) -> bool:
        Counted.comparisons += 1
        return int(self) > int(other)

    def __le__(self, other: int) -> bool:
        return not self > other

    def __ge__(self, other: int) -> bool:
        return not self < other


def test_notes_of_many_calls_are_found_without_reading_all_of_them() -> None:
    """20,000 tasks queued without a wait, each with a note that it waited for room, took six times as long to draw."""
    with Simulator(checks="none", limits={"stream_depth": 16}) as sim:
        timeline = sim.timeline()
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        stream, ret = C.aclrtCreateStream()
        address, ret = C.aclrtMalloc(4096, 0)
        for _ in range(1000):
            ret |= C.aclrtMemsetAsync(address, 4096, 0, 64, stream)
        assert ret == C.aclrtSynchronizeStream(stream) == 0
        noted = len(timeline.notes)
        assert noted > 900
        timeline.notes = [(t, Counted(time), text) for t, time, text in timeline.notes]
        Counted.comparisons = 0
        trace = timeline.trace()
    assert Counted.comparisons < noted * 60
    assert sum(line[0] == "note" for track in trace.tracks for s in track.slices for line in s.lines) >= noted


def test_names_of_many_made_in_a_loop_are_not_looked_for_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        for _ in range(12):
            stream, _ = C.aclrtCreateStream()
            event, _ = C.aclrtCreateEvent()
            assert C.aclrtRecordEvent(event, stream) == 0
        first, second = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
        assert C.aclrtRecordEvent(event, first) == C.aclrtRecordEvent(event, second) == 0
        assert C.aclrtSynchronizeDevice() == 0
        plain = names_of(timeline)
        fast = Labels._made_there
        monkeypatch.setattr(Labels, "_made_there", Names._made_there)
        assert names_of(timeline) == plain
        monkeypatch.setattr(Labels, "_made_there", fast)
        monkeypatch.delattr(Names, "_made_there")
        assert names_of(timeline) == plain
    assert {"stream#1", "stream#12", "first", "second", "record `event#12`"} <= plain


def names_of(timeline: Timeline) -> set[str]:
    """What the picture calls streams and tasks."""
    tracks = [track for track in timeline.trace().tracks if track.kind == "stream"]
    return {track.name.strip("`") for track in tracks} | {s.name for track in tracks for s in track.slices}
