"""The documentation site builds without a warning, has a page for each kind and entrance, and no link leads nowhere."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from ascend_sim.cli.explain import advice, render_kind
from ascend_sim.cli.teaching.folder import lessons
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.kinds import KINDS
from ascend_sim.findings.pages import SITE, page_of
from ascend_sim.findings.sarif import sarif
from tests.kit import forks

ROOT = Path(__file__).parents[2]
ENTRANCES = ("pyacl", "cpp", "pytorch", "kernels", "teaching", "ci")


def _builder() -> Any:
    spec = importlib.util.spec_from_file_location("site_builder", ROOT / "docs" / "site.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Page(HTMLParser):
    """The links, anchors and title of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def dead_links(site: Path) -> list[str]:
    """The links of all pages that lead to no file or no anchor of the site."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    dead = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            wrong = not target.exists()
            if not wrong and parts.fragment and target in pages:
                wrong = unquote(parts.fragment) not in pages[target].anchors
            if wrong:
                dead.append(f"{path.relative_to(site)}: {link}")
    return dead


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#x">1</a><a href="c.html">2</a><a href="#y">3</a>', encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="x"><a href="a.html">4</a><a href="https://a.b">5</a></p>', encoding="utf-8")
    assert dead_links(tmp_path) == ["a.html: c.html", "a.html: #y"]


BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


def _opens_in_a_browser(page: Path) -> None:
    """What a browser makes of *page* has its heading and navigation; without a browser the check of links is all."""
    if BROWSER is None:
        return
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=forks.HANG).stdout
    assert "<h1>ascend_sim" in shown and "docs/entrances/pyacl.html" in shown


@pytest.mark.slow
def test_the_site_builds_without_warnings_and_dead_links(tmp_path: Path) -> None:
    for name in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(name, reason="pip install 'ascend-sim[docs]' brings it")
    site = tmp_path / "site"
    command = [sys.executable, str(ROOT / "docs" / "site.py"), str(site), "--no-reference"]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert dead_links(site) == []
    for kind in KINDS:
        page = (site / page_of(kind).removeprefix(SITE)).read_text(encoding="utf-8")
        assert f"<h1>{kind}" in page
    for name in ENTRANCES:
        assert (site / "docs" / "entrances" / f"{name}.html").is_file()
    assert (site / "docs" / "which_tool.html").is_file()
    for lesson in lessons().values():
        page = (site / "examples" / "lessons" / f"{lesson.path.stem}.html").read_text(encoding="utf-8")
        assert "What it prints" in page
    _opens_in_a_browser(site / "index.html")
    text = (site / "index.html").read_text(encoding="utf-8")
    assert 'href="docs/entrances/pyacl.html"' in text and 'href="api/index.html"' in text


def test_a_page_of_a_kind_says_what_explain_says() -> None:
    builder = _builder()
    pages = builder.findings()
    assert set(pages) == {*KINDS, "index"}
    for kind in KINDS:
        known = advice()[kind]
        assert known.text and known.program and (known.cures or known.fixed), kind
        assert builder.escaped(known.text.split("\n")[0]) in pages[kind]
        assert known.program in pages[kind] and known.fixed in pages[kind]
        for cure in known.cures:
            sentence, *code = cure.split("\n")
            assert builder.escaped(sentence) in pages[kind]
            assert all(line in pages[kind] for line in code)


def test_explain_and_sarif_name_the_page() -> None:
    assert page_of("race") == f"{SITE}docs/findings/race.html"
    assert all(page_of(kind) in render_kind(kind).splitlines() for kind in KINDS)
    report = sarif([Finding("F1", "race", "error", "a race")], ".")
    (rule,) = report["runs"][0]["tool"]["driver"]["rules"]
    assert rule["helpUri"] == page_of("race")


def test_a_link_to_a_lesson_leads_to_its_page(tmp_path: Path) -> None:
    text = "[3](events.py) `[x](events.py)`\n\n```sh\n[3](events.py)\n```\n"
    known = {"examples/lessons/events.md"}
    made = _builder().linked(text, Path("examples/lessons/README.md"), tmp_path, known)
    assert made.startswith("[3](events.md)") and made.endswith("```sh\n[3](events.py)\n```\n")
