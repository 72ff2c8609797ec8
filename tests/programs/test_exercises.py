"""The exercises: the answer is right, and each way to miss one gets its sentence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import cli
from ascend_sim.catalogue.functions import functions
from ascend_sim.cli.teaching.exercises import EXERCISES, Exercise
from ascend_sim.cli.teaching.folder import folder, lessons
from tests.programs.exercise_tries import MISSES, Miss
from tests.programs.lesson_runs import TORCH, needs_torch

EACH = pytest.mark.parametrize("asked", EXERCISES.values(), ids=lambda asked: asked.start.stem)


def test_each_lesson_of_the_class_has_an_exercise() -> None:
    assert sorted(EXERCISES) == [*range(1, 14), TORCH]
    files = sorted(path.name for path in (folder() / "exercises").glob("*.py"))
    assert files == [EXERCISES[number].start.name for number in sorted(EXERCISES)]


@EACH
def test_the_answer_is_right(asked: Exercise, ascend_sim: Any, tmp_path: Path) -> None:
    needs_torch(asked.number)
    (tmp_path / "mine.py").write_text(asked.answer.read_text(encoding="utf-8"), encoding="utf-8")
    run = ascend_sim("lesson", str(asked.number), "--check", "mine.py", folder=tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (0, "Right.\n", "")


@pytest.mark.parametrize("miss", MISSES, ids=lambda miss: f"{miss.number}-{miss.way.replace(' ', '-')}")
def test_a_miss_gets_its_sentence(miss: Miss, ascend_sim: Any, tmp_path: Path) -> None:
    needs_torch(miss.number)
    asked = EXERCISES[miss.number]
    text = getattr(asked, miss.base).read_text(encoding="utf-8")
    for old, new in miss.edits.items():
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    run = ascend_sim("lesson", str(miss.number), "--check", "mine.py", folder=tmp_path)
    assert (run.returncode, run.stderr) == (1, ""), run.stdout + run.stderr
    (way,) = (way for way in asked.ways if way.name == miss.way)
    assert way.sentence[1:] in run.stdout, run.stdout


def test_every_way_is_tried() -> None:
    ways = {(asked.number, way.name) for asked in EXERCISES.values() for way in asked.ways}
    assert {(miss.number, miss.way) for miss in MISSES} == ways


@EACH
def test_nothing_gives_the_answer_before_the_question(asked: Exercise, capsys: pytest.CaptureFixture[str]) -> None:
    """What the answer has and the start has not is neither in the question nor in the start's comments."""
    start, answer = (path.read_text(encoding="utf-8").splitlines() for path in (asked.start, asked.answer))
    added = [line.strip() for line in answer if line not in start and len(line.strip()) > 12]
    assert start != answer
    assert cli.main(["lesson", str(asked.number)]) == 0
    shown = capsys.readouterr().out
    assert asked.question()[0] in shown and asked.question()[1] in shown
    comments = " ".join(re.findall(r"#.*", "\n".join(start)))
    for line in added:
        assert line not in shown and line not in comments
        for call in re.findall(r"\.(\w+)\(", line):
            assert f"{call}(" not in shown, f"the question names {call}"


BEGIN = "import acl\nfrom ascend_sim import ascendcl as C\nacl.init()\nacl.rt.set_device(0)\n"


@pytest.mark.parametrize("number", [1, 3, 5, 8, 9, 10, 11, 12, 13])
def test_a_result_that_is_only_printed_is_none(number: int, ascend_sim: Any, tmp_path: Path) -> None:
    prints = "".join(f"print({line!r})\n" for line in EXERCISES[number].prints)
    (tmp_path / "mine.py").write_text(BEGIN + prints, encoding="utf-8")
    run = ascend_sim("lesson", str(number), "--check", "mine.py", folder=tmp_path)
    assert run.returncode == 1, run.stdout
    assert "work is gone" in run.stdout or any(way.sentence[1:] in run.stdout for way in EXERCISES[number].ways)


@pytest.mark.parametrize("number", [2, 7])
def test_nobody_waits_and_the_result_is_printed(number: int, ascend_sim: Any, tmp_path: Path) -> None:
    text = re.sub(r"(?m)^must\(acl\.rt\.synchronize_stream\(\w+\)\)\n", "", EXERCISES[number].answer.read_text("utf-8"))
    text, count = re.subn(r"(?m)^print\(.*\)$", f"print({EXERCISES[number].prints[0]!r})", text)
    assert count == 1
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    run = ascend_sim("lesson", str(number), "--check", "mine.py", folder=tmp_path)
    assert run.returncode == 1 and run.stdout != "Right.\n"


def test_each_exercise_says_what_its_work_is() -> None:
    for asked in EXERCISES.values():
        assert asked.work or asked.number == TORCH
        for name in asked.work:
            assert any(each.startswith(name) for each in functions())


@pytest.mark.parametrize(("text", "said"), [
    ("import acl\nacl.init(\n", r"^Line \d: Python cannot read the program: "),
    ("import acl\nacl.init()\nacl.rt.set_device(0)\n1 / 0\n", r"^Line 4: the program ended with ZeroDivisionError"),
    ("print('host has 2a2a2a2a')\n", "makes no call of AscendCL"),
    ("import acl, os\nacl.init()\nos._exit(0)\n", "did not come to its end"),
], ids=["syntax", "exception", "no-call", "exit"])  # fmt: skip
def test_programs_that_do_something_else(text: str, said: str, ascend_sim: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    run = ascend_sim("lesson", "2", "--check", "mine.py", folder=tmp_path)
    assert run.returncode == 1 and re.search(said, run.stdout), run.stdout


def test_the_result_is_looked_at(ascend_sim: Any, tmp_path: Path) -> None:
    text = EXERCISES[3].answer.read_text(encoding="utf-8").replace("SIZE, 7, SIZE", "SIZE, 8, SIZE")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    run = ascend_sim("lesson", "3", "--check", "mine.py", folder=tmp_path)
    assert "the result is not there: `host has 07070707` was asked for, it prints `host has 08080808`" in run.stdout


def test_the_commands_around_an_exercise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.py"
    assert cli.main(["lesson", "3", "--start", str(mine)]) == 0
    assert mine.read_text(encoding="utf-8") == EXERCISES[3].start.read_text(encoding="utf-8")
    assert cli.main(["lesson", "3", "--start", str(mine)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert cli.main(["lesson", "3", "--answer"]) == 0
    assert capsys.readouterr().out == EXERCISES[3].answer.read_text(encoding="utf-8")
    assert cli.main(["lesson"]) == 0
    listed = capsys.readouterr().out
    assert all(lesson.title in listed for lesson in lessons().values())
    for words, said in ((["99"], "there is no lesson 99"), (["14", "--check", "x"], "has no exercise"),
                        (["3", "--check", "missing.py"], "there is no file")):  # fmt: skip
        assert cli.main(["lesson", *words]) == 2
        assert said in capsys.readouterr().err
