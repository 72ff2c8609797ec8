"""The documentation site builds without a warning, has a page for each kind and entrance, and no link leads nowhere."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from ascend_sim.cli.explain import advice, render_kind
from ascend_sim.cli.teaching.folder import lessons
from ascend_sim.findings import pages as places
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.kinds import KINDS
from ascend_sim.findings.pages import page_of, place_of
from ascend_sim.findings.sarif import sarif

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
        page = (site / place_of(kind)).read_text(encoding="utf-8")
        assert f"<h1>{kind}" in page
    for name in ENTRANCES:
        assert (site / "docs" / "entrances" / f"{name}.html").is_file()
    assert (site / "docs" / "which_tool.html").is_file()
    for lesson in lessons().values():
        page = (site / "examples" / "lessons" / f"{lesson.path.stem}.html").read_text(encoding="utf-8")
        assert "What it prints" in page
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


def _help_address(kind: str) -> str:
    report = sarif([Finding("F1", kind, "error", "something")], ".")
    (rule,) = report["runs"][0]["tool"]["driver"]["rules"]
    return str(rule["helpUri"])


@pytest.fixture
def no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(places.VARIABLE, raising=False)
    monkeypatch.setattr(places, "_project_urls", dict)


def test_explain_and_sarif_name_the_page_of_a_site(
    no_address: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for given, address in (
        ("https://docs.example/ascend", "https://docs.example/ascend/"), (str(tmp_path), f"{tmp_path.as_uri()}/")
    ):  # fmt: skip
        monkeypatch.setenv(places.VARIABLE, given)
        assert page_of("race") == _help_address("race") == f"{address}docs/findings/race.html"
        assert all(page_of(kind) in render_kind(kind).splitlines() for kind in KINDS)
    monkeypatch.delenv(places.VARIABLE)
    monkeypatch.setattr(places, "_project_urls", lambda: {"documentation": "https://a.b", "homepage": "https://a.c"})
    assert page_of("leak") == "https://a.b/docs/findings/leak.html"
    assert sarif([], ".")["runs"][0]["tool"]["driver"]["informationUri"] == "https://a.c"


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_site_the_address_is_that_of_the_explanation_in_the_package(no_address: None, kind: str) -> None:
    parts = urlsplit(_help_address(kind))
    lines = Path(unquote(parts.path)).read_text(encoding="utf-8").split("\n")
    assert lines[int(parts.fragment.removeprefix("L")) - 1] == f"== {kind}"
    assert "://" not in render_kind(kind)
    assert "informationUri" not in sarif([], ".")["runs"][0]["tool"]["driver"]


def test_a_link_to_a_lesson_leads_to_its_page(tmp_path: Path) -> None:
    text = "[3](events.py) `[x](events.py)`\n\n```sh\n[3](events.py)\n```\n"
    known = {"examples/lessons/events.md"}
    made = _builder().linked(text, Path("examples/lessons/README.md"), tmp_path, known)
    assert made.startswith("[3](events.md)") and made.endswith("```sh\n[3](events.py)\n```\n")
