"""Every command of the pages in docs/ prints what the page shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.pages import ROOT, Page

PAGES = {name: Page.read(ROOT / "docs" / name) for name in ("exit_codes.md",)}
"""The pages whose commands are run here."""

ELSEWHERE: dict[str, list[str]] = {"exit_codes.md": []}
"""The languages of their other blocks, which other tests look at."""


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_of_a_page_print_what_is_shown(name: str, tmp_path: Path, ascend_sim: Any) -> None:
    page = PAGES[name]
    assert page.commands
    page.run(tmp_path, ascend_sim)


@pytest.mark.parametrize("name", PAGES)
def test_no_block_of_a_page_is_left_out(name: str) -> None:
    assert PAGES[name].others == ELSEWHERE[name]
