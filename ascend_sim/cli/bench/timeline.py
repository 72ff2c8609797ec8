"""What the timeline costs while a program runs, and how its page does in a browser (when there is a Chromium)."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Collection
from typing import Any

from ascend_sim.cli.bench.calls import plan, plan_seconds
from ascend_sim.cli.bench.floors import Group, Row, Settings, Value, floor

__all__ = ["CONSOLE", "FLAGS", "GROUP", "browser", "in_browser", "page_of"]

ROWS = (
    Row("timeline", "floors", 12, "what recording the timeline adds to a task of the plan (its call included)"),
    Row("page_load", "ms", 2000, "the timeline's page of 10,000 tasks: from opening the file to the first picture"),
    Row("page_zoom", "ms", 100, "the slowest of 60 zoom steps in it"),
)
PAGE_TASKS = 10_000

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--window-size=1280,800",
)  # fmt: skip
CONSOLE = re.compile(r":CONSOLE[:(]\d+\)?\]\s*(.*)")

_MEASURE = """
const first = performance.now();
const seen = document.getElementById("chart").getContext("2d");
seen.getImageData(300, 60, 1, 1);
const loaded = performance.now();
const steps = [];
for (const factor of [0.8, 1.25]) for (let i = 0; i < 30; i++) {
  const begin = performance.now();
  timeline.zoom(factor, 700);
  timeline.draw();
  seen.getImageData(300, 60, 1, 1);  // waits until it is really painted
  steps.push(performance.now() - begin);
}
result = { load: loaded, zoom: Math.max(...steps) };
"""


def browser() -> str | None:
    """The Chromium of this machine, if there is one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def in_browser(page: str, script: str, timeout: float = 60) -> tuple[Any, list[str]]:
    """Open *page* from disk in a Chromium without a screen and run *script* in it, which sets `result`.

    Returns that, and what the page wrote to its console. Raises RuntimeError when the browser gives nothing back.
    """
    program = browser()
    if program is None:
        raise RuntimeError("there is no Chromium on this machine")
    wrapped = f"""<script>
    let result = null;
    try {{ {script} }} catch (error) {{ result = {{ error: String(error) }}; }}
    const out = document.createElement("pre");
    out.id = "result"; out.textContent = JSON.stringify(result);
    document.body.append(out);
    </script>"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        with open(path, "w", encoding="utf-8") as file:
            head, end, tail = page.rpartition("</body>")
            file.write(head + wrapped + end + tail)
        command = [program, *FLAGS, f"--user-data-dir={folder}/profile", "--enable-logging=stderr", "--dump-dom"]
        run = subprocess.run([*command, f"file://{path}"], capture_output=True, text=True, timeout=timeout, check=False)
    found = re.search(r'<pre id="result">(.*?)</pre>', run.stdout, re.DOTALL)
    if found is None:
        raise RuntimeError(f"the browser gave nothing back: {run.stderr[-2000:]}")
    lines = CONSOLE.findall(run.stderr)
    return json.loads(html.unescape(found[1])), [line for line in lines if "getImageData" not in line]  # our own doing


def page_of(tasks: int = PAGE_TASKS) -> str:
    """The page of a program that runs *tasks* tasks: copies, sets, records and waits on four streams."""
    from ascend_sim import ascendcl as C
    from ascend_sim.simulator import Simulator

    with Simulator(checks="none") as sim:
        timeline = sim.timeline()
        C.aclrtSetDevice(0)
        streams = [C.aclrtCreateStream()[0] for _ in range(4)]
        events = [C.aclrtCreateEvent()[0] for _ in range(64)]
        host, device = C.aclrtMallocHost(1 << 16)[0], C.aclrtMalloc(1 << 20, 0)[0]
        for i in range(tasks // 5):
            here, there = streams[i % 4], streams[(i + 1) % 4]
            C.aclrtMemcpyAsync(device + 4096 * (i % 4), 4096, host, 4096, 1, here)
            C.aclrtMemsetAsync(device + 4096 * (i % 4), 4096, 0, 4096, here)
            C.aclrtRecordEvent(events[i % 64], here)
            C.aclrtStreamWaitEvent(there, events[i % 64])
            C.aclrtMemsetAsync(device + 65536 + 4096 * (i % 4), 4096, 0, 4096, there)
            if i % 50 == 49:
                C.aclrtSynchronizeDevice()
        C.aclrtSynchronizeDevice()
        return timeline.html()


def _added(tasks: int, threads: str, rounds: int = 5) -> tuple[float, float]:
    """Floors and microseconds a task of the plan that the recorder adds."""
    import gc

    from ascend_sim import ascendcl as C
    from ascend_sim.simulator import Simulator

    operations, events = plan(tasks)
    ratios, absolute = [], []
    for _ in range(rounds):
        seconds = []
        unit = floor()
        for on in (False, True):
            with Simulator(threads=threads, checks="none") as sim:
                C.aclrtSetDevice(0)
                if on:
                    sim.timeline()
                gc.collect()
                gc.freeze()  # what is alive now is the benchmark's own
                seconds.append(plan_seconds(operations, events))
                gc.unfreeze()
        added = seconds[1] - seconds[0]
        ratios.append(added / ((unit + floor()) / 2))
        absolute.append(added * 1e6)
    return statistics.median(ratios), statistics.median(absolute)


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    figures: dict[str, Value] = {}
    if "timeline" in names:
        figures["timeline"] = _added(settings.tasks, settings.threads)
    if browser() is not None and ("page_load" in names or "page_zoom" in names):
        found, console = in_browser(page_of(), _MEASURE)
        if "error" in found or console:
            raise RuntimeError(f"the page does not work: {found} {console}")
        page: dict[str, Value] = {"page_load": (found["load"], None), "page_zoom": (found["zoom"], None)}
        figures |= {name: value for name, value in page.items() if name in names}
    return figures


GROUP = Group(ROWS, _measure)
