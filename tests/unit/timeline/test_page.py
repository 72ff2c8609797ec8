"""The page: nothing of the program can break out of it, it loads nothing, and in a browser it draws and moves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.cli.bench.timeline import browser, in_browser, page_of
from ascend_sim.timeline import Timeline
from ascend_sim.timeline.page import frame

BAD = "</script><script>alert(1)</script><!--<script>\u2028&amp;'\""


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    value: dict[str, Any] = json.loads(found[1])
    return value


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[Timeline]:
    """A program whose file name, source lines, kernel name and finding try to break out of the page."""
    path = tmp_path / "a<img src=x onerror=alert(2)>.py"
    lines = [
        "C.aclrtSetDevice(0)", "stream, _ = C.aclrtCreateStream()  # " + BAD.replace("\u2028", " "),
        "event, _ = C.aclrtCreateEvent()", "C.aclrtRecordEvent(event, stream)  # </script><script>alert(1)</script>",
        "C.aclrtSynchronizeStream(stream)",
    ]  # fmt: skip
    path.write_text("\n".join(lines), encoding="utf-8")
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"C": C})
        sim.report("race", "error", f"title {BAD}", fix=f"fix {BAD}", time_ns=2000)
        yield timeline


def test_the_page_is_one_file_that_loads_nothing(recorded: Timeline) -> None:
    page = recorded.html()
    assert not re.search(r"(?:src|href)\s*=", page)
    assert "default-src 'none'" in page
    assert "http://" not in page and "https://" not in page
    assert not re.search(r"@[A-Z]+@", page), "every part of the frame is filled"


def test_texts_of_the_program_stay_texts(hostile: Timeline) -> None:
    page = hostile.html()
    assert page.count("<script") == 2 and page.count("</script>") == 2
    assert "<img" not in page and "<!--" not in page
    data = data_of(page)
    assert any("</script><script>alert(1)" in site[3] for site in data["sites"])
    assert data["marks"][0]["title"] == f"title {BAD}"


def test_the_notebook_form_is_a_frame_that_cannot_reach_out(hostile: Timeline) -> None:
    text = hostile._repr_html_()
    assert text.startswith('<iframe sandbox="allow-scripts" ') and text.endswith("></iframe>")
    assert text.count("<") == 2, "everything inside is escaped"
    assert frame('a"b<c>') == text[: text.index('srcdoc="')] + 'srcdoc="a&quot;b&lt;c&gt;"></iframe>'


def test_the_page_holds_every_task_and_edge(recorded: Timeline) -> None:
    trace, data = recorded.trace(), data_of(recorded.html())
    assert [len(track["slices"]) // 9 for track in data["tracks"]] == [len(track.slices) for track in trace.tracks]
    assert len(data["edges"]) == 8 * len(trace.edges)
    event = data["kinds"].index("event")
    kinds, effects = data["edges"][::8], data["edges"][7::8]
    assert all(effect >= 0 for kind, effect in zip(kinds, effects, strict=True) if kind == event)


needs_browser = pytest.mark.skipif(browser() is None, reason="no Chromium here: apt-get install chromium")


@needs_browser
def test_the_page_opens_from_disk_without_errors(recorded: Timeline) -> None:
    found, console = in_browser(recorded.html(), """
        const chart = document.getElementById("chart");
        const pixels = chart.getContext("2d").getImageData(0, 0, chart.width, chart.height).data;
        const colours = new Set();
        for (let i = 0; i < pixels.length; i += 4) colours.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
        result = {
          size: [chart.width, chart.height], copy: colours.has(0x56b4e9), kernel: colours.has(0xf0a92b),
          about: document.getElementById("about").textContent, lanes: timeline.lanes.map((lane) => lane.label),
          legend: document.getElementById("legend").textContent,
        };
    """)  # fmt: skip
    assert console == []
    assert "error" not in found, found
    assert found["copy"] and found["kernel"], "copies and kernels are drawn in their colours"
    assert found["size"][0] == 1280
    assert {"T0 (main)", "copies", "work", "vector cores", "memory"} <= set(found["lanes"])
    assert "26 tasks" in found["about"] and "host to device" in found["legend"]


@needs_browser
def test_a_program_cannot_run_code_in_the_page(hostile: Timeline) -> None:
    found, console = in_browser(hostile.html(), """
        window.alert = () => { throw new Error("it ran"); };
        document.querySelector("#findings button").click();
        const details = document.getElementById("details");
        for (const track of timeline.slices) for (const s of track) timeline.select(s, true);
        const text = document.getElementById("findings").textContent;
        result = { tags: document.querySelectorAll("img, iframe").length, text };
    """)  # fmt: skip
    assert console == [] and found["tags"] == 0
    assert "</script><script>alert(1)" in found["text"], "shown as text"


@needs_browser
def test_zooming_selecting_and_searching(recorded: Timeline) -> None:
    found, console = in_browser(recorded.html(), """
        const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
        const span = () => timeline.view.t1 - timeline.view.t0;
        result = { whole: span() };
        key("+"); result.closer = span();
        key("-"); key("-"); key("-"); result.farther = span();
        const chart = document.getElementById("chart");
        const box = chart.getBoundingClientRect();
        const where = { clientX: box.left + 700, clientY: box.top + 60 };
        chart.dispatchEvent(new WheelEvent("wheel", { deltaY: -500, cancelable: true, ...where }));
        result.wheel = span();
        key("0"); result.again = span();
        const wait = timeline.edges.find((edge) => edge.kind === "event").effect;
        timeline.select(wait, true);
        result.details = document.getElementById("details").textContent;
        [...document.querySelectorAll("#details button.link")][0].click();
        result.cause = document.getElementById("details").querySelector("b").textContent;
        const blocked = timeline.slices.flat().find((s) => s.category === "wait");
        timeline.select(blocked, true);
        result.blocked = document.querySelector("#details button.link").textContent;
        const search = document.getElementById("search");
        search.value = "scale"; search.dispatchEvent(new Event("input"));
        result.hits = document.getElementById("hits").textContent;
        key("e"); result.arrows = document.getElementById("edges").getAttribute("aria-pressed");
        key("t"); result.theme = document.documentElement.dataset.theme;
        key("t"); result.other = document.documentElement.dataset.theme;
    """)  # fmt: skip
    assert console == [] and "error" not in found, (found, console)
    assert found["closer"] < found["whole"] and found["wheel"] < found["whole"]
    assert found["farther"] == found["again"] == found["whole"], "no further out than everything"
    assert "conftest.py" in found["details"] and "wait arrived#1" in found["details"]
    assert found["cause"] == "record arrived#1"
    assert found["blocked"] == "waited for (arrived#1): record arrived#1 on stream copies"
    assert int(found["hits"].split()[0]) >= 6
    assert found["arrows"] == "false" and {found["theme"], found["other"]} == {"light", "dark"}


@needs_browser
def test_a_long_wait_does_not_hide_what_happened_before_it() -> None:
    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        stream, _ = C.aclrtCreateStream()
        event, _ = C.aclrtCreateEventWithFlag(1)
        tick, _ = C.aclrtCreateEvent()
        for _ in range(20):
            C.aclrtRecordEvent(tick, stream)
        C.aclrtSynchronizeStream(stream)
        C.aclrtStreamWaitEvent(stream, event)
        C.aclrtSynchronizeStreamWithTimeout(stream, 500)
        page, text = timeline.html(), timeline.text()
    found, console = in_browser(page, """
        const span = () => timeline.view.t1 - timeline.view.t0;
        const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
        result = [span()];
        for (const name of ["0", "b"]) { key(name); result.push(span()); }
    """)  # fmt: skip
    assert console == []
    first, whole, again = found
    assert first == again < 100_000 < 500_000_000 < whole
    assert "; shown is the busiest " in text.splitlines()[0]
    calls = next(line for line in text.splitlines() if line.startswith("  T0 (main)"))
    assert len(calls.split(maxsplit=2)[2]) > 60, "the calls take the width, not the wait"


@needs_browser
def test_it_draws_in_the_frame_of_a_notebook(recorded: Timeline) -> None:
    # The frame cannot be looked into, which is its purpose: what it writes to the console tells.
    told = recorded.html().replace("</body>", "<script>console.log('lanes', timeline.lanes.length)</script></body>")
    found, console = in_browser(f"<!doctype html><body>{frame(told)}</body>", """
        result = document.querySelector("iframe").getBoundingClientRect().height;
    """)  # fmt: skip
    assert found > 500
    assert [line.split(",")[0] for line in console] == ['"lanes 9"']


@needs_browser
def test_ten_thousand_tasks_are_all_there() -> None:
    found, console = in_browser(page_of(10_000), """
        const streams = timeline.lanes.filter((lane) => lane.kind === "stream");
        let tasks = 0;
        const ran = (s) => s.category !== "wait";
        for (const { rows } of streams) for (const row of rows) tasks += row.items.filter(ran).length;
        timeline.zoom(0.001, 700); timeline.draw();
        result = { tasks, streams: streams.length, span: timeline.view.t1 - timeline.view.t0 };
    """)  # fmt: skip
    assert console == []
    assert found["tasks"] == 10_000 and found["streams"] == 4 and found["span"] > 0
