"""Every command on the pages for learners and users runs, in a copy of the examples, and does what the page is about.

The README has a test of its own, and so have the pages about builds that need a compiler. Chinese pages have the blocks of
the English ones (tests/unit/test_docs_in_chinese.py).
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [page for page in sorted((ROOT / "examples" / "lessons").glob("**/*.md")) if "zh" not in page.parts]
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def _blocks(page: Path) -> list[tuple[str, str]]:
    return FENCE.findall(page.read_text(encoding="utf-8"))


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """A folder that looks like a checkout to who reads the pages."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_run(page: Path, ascend_sim: Any, examples: Path) -> None:
    """One after the other, as a reader types them; `cd` holds until the next one."""
    folder = examples
    for line in "".join(text for language, text in _blocks(page) if language == "sh").splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        if words[0] == "cd":
            folder = (examples if words[1].startswith("examples") else folder) / words[1]
            assert folder.is_dir(), line
            continue
        assert words[0] == "ascend-sim", f"{line}: not a command of ours"
        run = ascend_sim(*words[1:], folder=folder)
        if "--check" in words and words[1] in ("gallery", "lesson"):
            assert run.returncode in (0, 1) and run.stdout and not run.stderr, line
        else:
            assert run.returncode == ("error[" in run.stdout + run.stderr), f"{line}\n{run.stdout}{run.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_no_other_blocks_than_those_that_are_run(page: Path) -> None:
    assert {language for language, _ in _blocks(page)} <= {"sh", "text"}
