"""Every link of the pages leads somewhere, and so does every page that the code cites."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from ascend_sim.aclnn.codes import CODES
from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.operator_functions import operator_names
from ascend_sim.constants import errors
from ascend_sim.findings import KINDS
from ascend_sim.machine.switches import SWITCHES

ROOT = Path(__file__).parents[2]
PAGES = sorted([
    *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md"), *ROOT.glob("tests/**/*.md"),
])  # fmt: skip
SOURCES = sorted(
    path
    for folder in ("ascend_sim", "examples", "tests")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".tsv", ".txt", ".js", ".html", ".css", ".json", ".yml")
)
CITED = re.compile(r"docs/[\w./-]*\.md(?:#[\w-]+)?")
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"`[^`\n]*`")
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)


def _slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def _text(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


@cache
def _anchors(page: Path) -> list[str]:
    return [_slug(heading) for heading in re.findall(r"^#{1,6} (.*)$", _text(page), re.MULTILINE)]


def _broken(links: list[str], page: Path) -> list[str]:
    """The *links* of *page* that lead nowhere."""
    found = []
    for link in links:
        if re.match(r"\w+:", link):
            continue  # to the net
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            found.append(link)
    return found


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One thing: `two`\n\n```sh\n# no heading\n```\n", encoding="utf-8")
    links = ["#one-thing-two", "page.md#one-thing-two", "#no-heading", "other.md", "page.md#two", "https://a.example"]
    assert _broken(links, page) == ["#no-heading", "other.md", "page.md#two"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert not _broken(LINK.findall(CODE.sub("", _text(page))), page)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=lambda page: str(page.relative_to(ROOT))
)
def test_no_anchor_names_two_headings(page: Path) -> None:
    assert [anchor for anchor, times in Counter(_anchors(page)).items() if times > 1] == []


def test_what_the_code_cites_is_there() -> None:
    wrong = [
        f"{source.relative_to(ROOT)}: {link}"
        for source in SOURCES
        if source != Path(__file__)
        for link in CITED.findall(source.read_text(encoding="utf-8"))
        if _broken([link], ROOT / "README.md")
    ]
    assert not wrong


GONE = re.compile(
    r"\bspec/|\bdesign\.md|\bNN_\.\.\.|\d\d_\w*(?:\.\.\.)?\w*\.md|\.cc:\d|(?<![/\w])(?:reports|usage|semantics|aclmdl|aclop)\.md"
)
"""Pages that a reader does not have, and lines of files of others."""


def test_the_code_cites_no_page_that_a_reader_does_not_have() -> None:
    wrong = [
        f"{source.relative_to(ROOT)}: {found[0]}"
        for source in SOURCES
        if source != Path(__file__)
        for found in GONE.finditer(source.read_text(encoding="utf-8"))
    ]
    assert not wrong


def test_each_page_of_the_semantics_is_in_the_table() -> None:
    folder = ROOT / "docs" / "semantics"
    listed = re.findall(
        r"^\| \[[\w -]+\]\((\w+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(listed) == sorted(page.name for page in folder.glob("*.md") if page.name != "README.md")


def test_each_switch_has_its_section() -> None:
    page = ROOT / "docs" / "semantics" / "profiles.md"
    sections = re.findall(r"^### (\w+)\n\n(.*?)\. ", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert [name for name, _ in sections] == list(SWITCHES)
    for name, values in sections:
        switch = SWITCHES[name]
        shown = " · ".join(f"**{value}**" if value == switch.default else str(value) for value in switch.values)
        assert values == shown, name


# -- CONTRIBUTING's map ----------------------------------------------------------------------------------------------

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^\| `(\w+)` \| ", CONTRIBUTING.partition("## The rooms")[2].partition("\n## ")[0], re.MULTILINE)


def _rooms() -> set[str]:
    package = ROOT / "ascend_sim"
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    return modules | {path.parent.name for path in package.glob("*/*.py")}


def test_the_map_names_each_room_and_no_other() -> None:
    assert len(LISTED) == len(set(LISTED))
    assert set(LISTED) == _rooms()


def test_the_map_has_the_order_in_which_rooms_may_import_each_other() -> None:
    house = pytest.importorskip("tests.house", reason="the order of the rooms is not written down yet")
    assert list(reversed(LISTED)) == list(house.ROOMS)


def test_the_picture_has_the_rooms_of_the_table() -> None:
    picture = re.search(r"```\n(.*?)```", CONTRIBUTING, re.DOTALL)
    assert picture is not None
    words = [re.split(r" {8,}", line.strip())[0].split() for line in picture[1].splitlines()[1:]]
    shown = [room for room in LISTED if room != "shims" and not room.startswith("_")]
    assert sorted(word for line in words for word in line) == sorted(shown)


def test_the_table_of_examples_has_each_of_them() -> None:
    text = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[(\w+)\]\((\w+)\.py\)", text, re.MULTILINE)
    assert all(name == file for name, file in listed)
    assert sorted(name for name, _ in listed) == sorted(path.stem for path in (ROOT / "examples").glob("*.py"))


# -- what the pages of the semantics say is there --------------------------------------------------------------------

SEMANTICS = sorted((ROOT / "docs" / "semantics").glob("*.md"))


@pytest.mark.parametrize("page", SEMANTICS, ids=lambda page: page.name)
def test_codes_and_functions_of_the_pages_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    known = {value for value in vars(errors).values() if isinstance(value, int)} | set(CODES.values())
    numbers = {int(number) for number in re.findall(r"(?<![\d,.])\d{6}(?![\d,.]\d|\d)", text)}
    assert sorted(numbers - known) == []
    names = set(re.findall(r"\bacl[a-z0-9]*[A-Z]\w*", text))
    assert sorted(names - set(functions()) - set(operator_names())) == []


def test_kinds_of_findings_in_the_pages_exist() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in SEMANTICS)
    shaped = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", text)) - {"virtual-time", "by-chip"}
    assert shaped <= set(KINDS)
    assert len(shaped) > 15
