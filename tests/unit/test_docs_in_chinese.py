"""The Chinese pages have the programs, commands and sections of the English ones; what they say of them is prose."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {
    "README.md": "README.zh-CN.md",
    "examples/lessons/README.md": "examples/lessons/zh/README.md",
    "examples/lessons/words.md": "examples/lessons/zh/words.md",
    "examples/lessons/gallery/README.md": "examples/lessons/zh/gallery/README.md",
}
FENCE = re.compile(r"^(?:<!-- [^\n]* -->\n)?^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")
EACH = pytest.mark.parametrize("english, chinese", PAGES.items(), ids=PAGES.values())


def _text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def _prose(page: str) -> str:
    """Without blocks, and without the table of functions, which one README has and the other one links to."""
    return re.sub("(?s)<details>.*?</details>", "", FENCE.sub("", _text(page)))


@EACH
def test_the_blocks_are_those_of_the_english_page(english: str, chinese: str) -> None:
    """Word for word and in the same order: what the tests run of one page holds for both."""
    assert FENCE.findall(_text(chinese)) == FENCE.findall(_text(english))


@EACH
def test_the_sections_are_those_of_the_english_page(english: str, chinese: str) -> None:
    levels = [[len(mark) for mark in re.findall(r"^(#+) ", _prose(page), re.MULTILINE)] for page in (english, chinese)]
    assert levels[0] == levels[1]


@EACH
def test_tables_and_lists_are_as_long(english: str, chinese: str) -> None:
    for mark in (r"^\|", r"^- ", r"^!"):
        counts = [len(re.findall(mark, _prose(page), re.MULTILINE)) for page in (english, chinese)]
        assert counts[0] == counts[1]


CHINESE = {str(ROOT / english): str(ROOT / chinese) for english, chinese in PAGES.items()}
NAMED = {
    "code": re.compile(r"`([^`]+)`"),
    "number": re.compile(r"(?<![\w.])\d{2,}[\d,]*\b"),
    "link": LINK,
}


@EACH
@pytest.mark.parametrize("what", NAMED)
def test_code_numbers_and_links_are_those_of_the_english_page(english: str, chinese: str, what: str) -> None:
    """But for links inside of a page, whose anchors are its own, and those from one language to the other.

    Pictures have a folder for each language.
    """
    one, other = (
        {" ".join(found.split()) for found in NAMED[what].findall(_prose(page))} for page in (english, chinese)
    )
    if what == "link":
        one, other = (
            {
                str((ROOT / page).parent.joinpath(link).resolve()).replace("/zh/pictures/", "/pictures/")
                for link in links if not link.startswith(("#", "http"))
            }
            for page, links in ((english, one), (chinese, other))
        )
        one, other = ({CHINESE.get(link.partition("#")[0], link) for link in links} for links in (one, other))
    assert one == other
