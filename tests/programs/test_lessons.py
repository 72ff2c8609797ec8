"""The lessons: each prints what is kept beside it, and what its "Try it" promises happens when one tries it.

    ASCEND_SIM_REWRITE=1 python -m pytest tests/programs/test_lessons.py

writes what the lessons print now; look at the difference before you commit it.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.programs.lesson_runs import CARETS, agrees, needs_torch, printed
from tests.programs.lesson_tries import TRIES, Try

LESSONS = Path(__file__).parents[2] / "examples" / "lessons"
FILES = sorted(LESSONS.glob("[0-9][0-9]_*.py"))
PAGE = (LESSONS / "README.md").read_text(encoding="utf-8")
# -- the lessons -----------------------------------------------------------------------------------------------------


def test_the_lessons_are_numbered_and_explained() -> None:
    assert [int(path.name[:2]) for path in FILES] == list(range(1, len(FILES) + 1))
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert text.startswith(f'"""Lesson {int(path.name[:2])}. '), path
        assert "\n# Try it:\n# - " in text, path


@CARETS
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_lesson_prints_what_it_says(path: Path, ascend_sim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_torch(int(path.name[:2]))
    monkeypatch.chdir(LESSONS)
    code, text = printed(path, ascend_sim)
    assert code == ("error[" in text), text
    agrees(LESSONS / "printed" / f"{path.stem}.txt", text)


# -- what the lessons ask to try -------------------------------------------------------------------------------------


@pytest.mark.parametrize("tried", TRIES, ids=lambda tried: f"{tried.lesson}-{tried.what.replace(' ', '-')}")
def test_what_a_lesson_asks_to_try_happens(
    tried: Try, ascend_sim: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_torch(tried.lesson)
    (lesson,) = (path for path in FILES if path.name.startswith(f"{tried.lesson:02}_"))
    text = lesson.read_text(encoding="utf-8")
    for old, new in tried.edits:
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {lesson.name}"
        text = text.replace(old, new)
    folder = tmp_path / "lessons"
    shutil.copytree(LESSONS / "kernels", folder / "kernels", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(LESSONS / "models", folder / "models")
    (folder / lesson.name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    _, shown = printed(folder / lesson.name, ascend_sim)
    shown = re.sub(r"\n {6,}(?=[a-z`])", " ", shown)  # titles that are folded
    for pattern in tried.prints:
        assert re.search(pattern, shown, re.MULTILINE), f"{pattern}\n{shown}"


def test_the_page_lists_every_lesson() -> None:
    assert re.findall(r"\]\((\d\d_\w+\.py)\)", PAGE) == [path.name for path in FILES]


def test_every_thing_to_try_is_tried() -> None:
    for path in FILES:
        asked = path.read_text(encoding="utf-8").partition("# Try it:\n")[2].count("\n# - ") + 1
        assert sum(tried.lesson == int(path.name[:2]) for tried in TRIES) >= min(asked, 2), path
