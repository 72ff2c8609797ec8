"""The Chinese pages have the programs, commands and sections of the English ones; what they say of them is prose."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {"README.md": "README.zh-CN.md"}
FENCE = re.compile(r"^(?:<!-- [^\n]* -->\n)?^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")
EACH = pytest.mark.parametrize("english, chinese", PAGES.items(), ids=PAGES.values())


def _text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def _prose(page: str) -> str:
    return FENCE.sub("", _text(page))


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
    """But for the table of functions, which one page has, and the other one links to."""
    for mark in (r"^\| `", r"^- "):
        counts = [len(re.findall(mark, _prose(page), re.MULTILINE)) for page in (english, chinese)]
        assert counts[0] == counts[1]


NAMED = {
    "code": re.compile(r"`([^`]+)`"),
    "number": re.compile(r"(?<![\w.])\d{2,}[\d,]*\b"),
    "link": LINK,
}


@EACH
@pytest.mark.parametrize("what", NAMED)
def test_code_numbers_and_links_are_those_of_the_english_page(english: str, chinese: str, what: str) -> None:
    """But for links inside of a page, whose anchors are its own, and those from one language to the other."""
    one, other = (
        {" ".join(found.split()) for found in NAMED[what].findall(re.sub("(?s)<details>.*?</details>", "", _prose(page)))}
        for page in (english, chinese)
    )
    assert {name for name in one ^ other if not name.startswith(("#", english, chinese))} == set()
