"""Timelines in Chinese: lanes, page, details; names of the program stay, and lanes keep their width."""

from __future__ import annotations

import json
import re

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.catalogue import tables
from ascend_sim.findings.languages import missing, width_of
from ascend_sim.timeline import Timeline, speech
from ascend_sim.timeline.lanes import lanes
from ascend_sim.timeline.page import SCRIPTS, page, spoken_words
from ascend_sim.timeline.speech import spoken
from ascend_sim.timeline.styles import STYLES

NAMES = {"copies", "work", "scale <8>", "Enter", "Esc", "Shift", "Tab"}


def test_every_text_of_a_recorded_run_has_chinese(recorded: Timeline, monkeypatch: pytest.MonkeyPatch) -> None:
    left = set[str]()
    real = speech.translated

    def translated(text: str, language: str) -> str:
        left.update(missing(text, language))
        return real(text, language)

    monkeypatch.setattr(speech, "translated", translated)
    trace = spoken(recorded.trace(), "zh")
    assert left - NAMES == set()
    assert {track.name for track in trace.tracks if track.kind in ("engine", "cores")} >= {"拷贝引擎 H2D", "vector 核"}


def test_every_word_of_the_page_has_chinese() -> None:
    said = [re.sub(r"\{(\d)\}", r"90\1", text) for text in spoken_words("\n".join(map(tables.text, SCRIPTS)))]
    said += [look.meaning for look in STYLES.values()]
    assert len(said) > 40
    assert [text for text in said if missing(text, "zh")] == []


def test_a_chinese_page_says_nothing_of_its_own_in_english(recorded: Timeline) -> None:
    text = page(spoken(recorded.trace(), "zh"))
    assert '<html lang="zh">' in text
    static = text.partition("<body>")[2].partition('<script type="application/json"')[0]
    words = set(re.findall(r">([^<>]*[a-zA-Z]{2}[^<>]*)<", static))
    words |= set(re.findall(r'(?:title|aria-label|placeholder)="([^"]*)"', static))
    assert {word for word in words if not re.search(r"[\u4e00-\u9fff]", word) and "&" not in word} <= NAMES
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    assert data["words"]["{0} arrows: zoom in to see them"] == "{0} 个箭头：放大才能看到"
    assert '"words":' not in page(spoken(recorded.trace(), "en"))


@pytest.mark.parametrize("width", [60, 100, 160])
def test_chinese_lanes_keep_their_width(recorded: Timeline, width: int) -> None:
    text = lanes(spoken(recorded.trace(), "zh"), width)
    rows = [line for line in text.splitlines()[2:-1] if not line.startswith(("!", "-"))]
    assert all(width_of(line) <= width for line in rows)
    assert "> 主机到设备" in text and (width < 160 or ("拷贝 H2D" in text and "scale <8>" in text))
    assert text.startswith("Ascend910B3，种子 0，virtual-time：26 个任务，42 次调用，")


def test_numbers_stay_and_names_are_nobody_else_s_words() -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        copy, record = C.aclrtCreateStream()[0], C.aclrtCreateEvent()[0]
        block, _ = C.aclrtMalloc(9000, 0)
        C.aclrtMemsetAsync(block, 9000, 1, 9000, copy)
        C.aclrtRecordEvent(record, copy)
        C.aclrtSynchronizeDevice()
        trace = spoken(timeline.trace(), "zh")
    stream = next(track for track in trace.tracks if track.kind == "stream" and track.slices)
    assert stream.name == "`copy`"
    assert [part.name for part in stream.slices] == ["memset 8.79 KiB", "记录 `record`"]
    assert dict(stream.slices[0].lines)["任务"] == "T0 (main) 的第 1 个，提交于 5 us"
