"""What people open in a browser: the site, with its links and its search, and what notebooks show. Needs Chromium."""

from __future__ import annotations

import functools
import html
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.cli.bench.timeline import CONSOLE, FLAGS, browser, in_browser
from tests.kit import forks

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(browser() is None, reason="no Chromium here: apt-get install chromium"),
]


def opened(address: str) -> tuple[str, list[str]]:
    """The page as it is when its scripts have run, and what it wrote to the console."""
    program = browser()
    assert program is not None
    with tempfile.TemporaryDirectory() as folder:
        command = [program, *FLAGS, f"--user-data-dir={folder}/profile", "--enable-logging=stderr"]
        command += ["--virtual-time-budget=10000", "--dump-dom", address]
        run = subprocess.run(command, capture_output=True, text=True, timeout=forks.HANG, check=False)
    return run.stdout, CONSOLE.findall(run.stderr)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a request is no output of a test."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built."""
    for name in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(name, reason="pip install 'ascend-sim[docs]' brings it")
    made = tmp_path_factory.mktemp("site")
    command = [sys.executable, str(ROOT / "docs" / "site.py"), str(made), "--no-reference"]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=made, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert (run.returncode, run.stderr) == (0, "")
    return made


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """The address of the site on a server of this machine."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


PAGES = {
    "index.html": "ascend_sim", "README.zh-CN.html": "ascend_sim", "docs/findings/race.html": "race",
    "docs/entrances/pytorch.html": "PyTorch", "docs/semantics/events.html": "Events",
    "examples/lessons/03_events.html": "Lesson 3", "examples/lessons/zh/README.html": "",
}  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_and_complains_of_nothing(site: str, page: str) -> None:
    shown, console = opened(f"{site}/{page}")
    assert console == []
    heading = re.search(r"<h1[^>]*>(.*?)<a class=\"headerlink\"", shown, re.DOTALL)
    assert heading is not None and heading[1].strip() and PAGES[page].lower() in heading[1].lower()


def test_what_the_console_says_is_seen(folder: Path, site: str) -> None:
    (folder / "wrong.html").write_text("<script>nowhere()</script>", encoding="utf-8")
    assert any("nowhere is not defined" in line for line in opened(f"{site}/wrong.html")[1])


WALK = """<!doctype html><body><iframe id="frame" style="width: 1200px; height: 800px"></iframe><script>
const frame = document.getElementById("frame");
const loaded = () => new Promise(done => frame.addEventListener("load", done, { once: true }));
const page = () => frame.contentDocument;
const heading = () => page().querySelector("h1").textContent;
const link = words => [...page().querySelectorAll("a")].find(a => a.textContent.includes(words) && a.offsetParent);
async function follow(act) { const next = loaded(); act(); await next; }
async function walk() {
  const seen = [];
  await follow(() => { frame.src = "index.html"; });
  seen.push(heading());
  await follow(() => link("pyACL programs").click());
  seen.push(heading());
  await follow(() => {
    const field = page().querySelector("input[name=q]");
    field.value = "deadlock";
    field.form.requestSubmit();
  });
  const finished = () => /finished/.test(page().querySelector(".search-summary")?.textContent);
  for (let i = 0; i < 100 && !finished(); i++) await new Promise(r => setTimeout(r, 50));
  const results = [...page().querySelectorAll("ul.search li a")].map(a => a.textContent);
  seen.push(results.length, results.includes("deadlock"));
  await follow(() => [...page().querySelectorAll("ul.search li a")].find(a => a.textContent == "deadlock").click());
  seen.push(heading());
  return seen;
}
walk().catch(error => String(error.stack)).then(seen => {
  const out = document.createElement("pre");
  out.id = "result";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
</script></body>"""


def test_links_are_followed_and_the_search_finds(folder: Path, site: str) -> None:
    (folder / "walk.html").write_text(WALK, encoding="utf-8")
    shown, console = opened(f"{site}/walk.html")
    found = re.search(r'<pre id="result">(.*?)</pre>', shown, re.DOTALL)
    assert found is not None, shown
    first, second, count, there, last = json.loads(html.unescape(found[1]))
    assert first.startswith("ascend_sim") and "pyACL" in second and last.startswith("deadlock")
    assert count > 3 and there
    assert console == []


def test_what_a_notebook_shows_is_drawn_without_a_complaint() -> None:
    """A page as notebooks make it, of what cells end with: each in an element of its own."""

    def program() -> None:
        C.aclrtSetDevice(0)
        a, b = (C.aclrtCreateStream()[0] for _ in range(2))
        data, host = C.aclrtMalloc(4096, 0)[0], C.aclrtMallocHost(4096)[0]
        C.aclrtMemsetAsync(data, 4096, 7, 4096, a)
        C.aclrtMemcpyAsync(host, 4096, data, 4096, 2, b)
        C.aclrtSynchronizeDevice()

    with Simulator() as sim:
        timeline = sim.timeline()
        program()
        shown = {"findings": sim.findings, "finding": sim.findings[0], "timeline": timeline, "state": sim.show()}
        pieces = {name: value._repr_html_() for name, value in shown.items()}
    pieces["explored"] = explore(program, budget="2s")._repr_html_()
    body = "".join(f'<div id="{name}">{piece}</div>' for name, piece in pieces.items())
    script = """
    const frame = document.querySelector("#timeline iframe");
    const sizes = {};
    for (const cell of document.querySelectorAll("body > div")) sizes[cell.id] = cell.getBoundingClientRect().height;
    result = { sizes, race: document.getElementById("finding").textContent.includes("race"), frame: frame !== null };
    """
    found, console = in_browser(f'<!doctype html><meta charset="utf-8"><body>{body}</body>', script)
    assert console == []
    assert found["race"] and found["frame"]
    assert set(found["sizes"]) == set(pieces) and min(found["sizes"].values()) > 15
