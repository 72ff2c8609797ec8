"""The lessons: each prints what is kept beside it, and what its "Try it" promises happens when one tries it.

    ASCEND_SIM_REWRITE=1 python -m pytest tests/programs/test_lessons.py

writes what the lessons print now; look at the difference before you commit it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.programs.lesson_tries import TRIES, Try

LESSONS = Path(__file__).parents[2] / "examples" / "lessons"
FILES = sorted(LESSONS.glob("[0-9][0-9]_*.py"))
CASES = sorted(path.parent for path in (LESSONS / "gallery").glob("*/broken.py"))
PAGE = (LESSONS / "README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| \[(\w+)\]\(gallery/(\w+)/\) \| ([^|]+?) \|", PAGE, re.MULTILINE)
KINDS = {folder: set(kinds.split(", ")) for _, folder, kinds in ROWS}
MARKS = "ascend-sim: order marks: "
TITLE = re.compile(r"(error|warning|note)\[([a-z-]+)\]: ")
CARETS = pytest.mark.skipif(sys.version_info < (3, 11), reason="what is marked under a source line differs before 3.11")


def command(path: Path) -> list[str]:
    """The words after `ascend-sim` in the first command of the docstring, which has to name the file itself."""
    found = re.search(r"^    ascend-sim (run .*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, path
    words = found[1].split()
    assert words[-1] == path.name
    return words


def printed(path: Path, ascend_sim: Any) -> tuple[int, str]:
    """The exit code, and what the command of *path* prints in its folder.

    Tracebacks are shortened to their last line, and what the run left to chance is not counted.
    """
    run = ascend_sim(*command(path), merge=True)
    text = re.sub(r"(Traceback \(most recent call last\):\n)(?:[ ].*\n)+", r"\1  ...\n", run.stdout)
    text = re.sub(f"^{MARKS}.*\n", "", text, flags=re.MULTILINE)
    return run.returncode, text.replace(str(path.parent) + os.sep, "")


def agrees(file: Path, text: str) -> None:
    """*text* is what *file* holds, or is written there when that is asked for."""
    if os.environ.get("ASCEND_SIM_REWRITE"):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text


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
    monkeypatch.chdir(LESSONS)
    code, text = printed(path, ascend_sim)
    assert code == ("error[" in text), text
    agrees(LESSONS / "printed" / f"{path.stem}.txt", text)


# -- what the lessons ask to try -------------------------------------------------------------------------------------


@pytest.mark.parametrize("tried", TRIES, ids=lambda tried: f"{tried.lesson}-{tried.what.replace(' ', '-')}")
def test_what_a_lesson_asks_to_try_happens(
    tried: Try, ascend_sim: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lesson,) = (path for path in FILES if path.name.startswith(f"{tried.lesson:02}_"))
    text = lesson.read_text(encoding="utf-8")
    for old, new in tried.edits:
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {lesson.name}"
        text = text.replace(old, new)
    folder = tmp_path / "lessons"
    shutil.copytree(LESSONS / "kernels", folder / "kernels", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("op_models", "op_kernels"):
        shutil.copytree(LESSONS.parent / name, tmp_path / name)
    (folder / lesson.name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    _, shown = printed(folder / lesson.name, ascend_sim)
    shown = re.sub(r"\n {6,}(?=[a-z`])", " ", shown)  # titles that are folded
    for pattern in tried.prints:
        assert re.search(pattern, shown, re.MULTILINE), f"{pattern}\n{shown}"


# -- the gallery -----------------------------------------------------------------------------------------------------


@CARETS
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_program_is_found_out(case: Path, ascend_sim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(case)
    code, text = printed(case / "broken.py", ascend_sim)
    assert code == ("error[" in text), text
    agrees(case / "says.txt", text)
    kinds = {match[2] for match in map(TITLE.match, text.splitlines()) if match is not None}
    assert kinds - {"leak"} == KINDS[case.name] - {"leak"}, kinds
    assert kinds >= KINDS[case.name], kinds
    marked = {
        (path.name, number)
        for path in case.glob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "# WRONG: " in line
    }
    places = {(name, int(line)) for name, line in re.findall(r"^ *(?:-->|:::) ([\w.]+):(\d+) ", text, re.MULTILINE)}
    assert marked and marked & places, f"the reports name {places}, marked are {marked}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_simulator_is_silent_about_the_corrected_program(
    case: Path, ascend_sim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(case)
    run = ascend_sim(*command(case / "fixed.py"))
    assert run.returncode == 0, run.stderr
    assert all(line.startswith(MARKS) for line in run.stderr.splitlines()[1:]), run.stderr


def test_the_page_lists_every_lesson_and_every_case() -> None:
    assert [folder for _, folder, _ in ROWS] == [case.name for case in CASES]
    assert all(title == folder for title, folder, _ in ROWS)
    assert re.findall(r"\]\((\d\d_\w+\.py)\)", PAGE) == [path.name for path in FILES]


def test_every_thing_to_try_is_tried() -> None:
    for path in FILES:
        asked = path.read_text(encoding="utf-8").partition("# Try it:\n")[2].count("\n# - ") + 1
        assert sum(tried.lesson == int(path.name[:2]) for tried in TRIES) >= min(asked, 2), path
