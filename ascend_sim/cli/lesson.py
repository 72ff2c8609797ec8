"""``ascend-sim lesson``: the lessons, their exercises, a checker for these, pictures, notebooks."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from ascend_sim.cli import run
from ascend_sim.cli.teaching.exercises import Exercise, check, exercise
from ascend_sim.cli.teaching.folder import Lesson, MissingClass, absolute, folder, lessons

__all__ = ["main", "parser"]

DESCRIPTION = """\
The lessons about streams, events, memory and kernels. Without NUMBER: the list. With NUMBER alone: what the lesson is
about, how to run it, and its exercise.
"""
CLASS = 10
"""The lessons of the two hours; the others come after it."""


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = argparse.ArgumentParser(
        prog="ascend-sim lesson", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("number", nargs="?", type=int, metavar="NUMBER", help="of the lesson; without it: list them")
    what = made.add_mutually_exclusive_group()
    what.add_argument("--run", action="store_true", help="run the lesson's program")
    what.add_argument("--start", metavar="FILE", type=Path, help="write the program that its exercise begins with")
    what.add_argument("--check", metavar="FILE", type=Path, help="say whether FILE does what the exercise asks for")
    what.add_argument("--answer", action="store_true", help="one right program, for those who have tried")
    what.add_argument("--picture", metavar="FILE.svg", type=Path, help="draw what the lesson is about")
    what.add_argument("--notebook", metavar="FILE.ipynb", type=Path, help="write the lesson as a notebook")
    what.add_argument("--copy", metavar="FOLDER", type=Path, help="copy the whole class, to be worked in")
    return made


def main(arguments: Sequence[str]) -> int:
    """Show a lesson, check an exercise, write a file; 1 when a check says that it is not right yet."""
    line = parser()
    options = line.parse_args(arguments)
    try:
        known = lessons()
        if options.copy is not None:
            return _copy(options.copy)
    except MissingClass as error:
        print(f"ascend-sim: {error}", file=sys.stderr)
        return 2
    if options.number is None:
        if any((options.run, options.start, options.check, options.answer, options.picture, options.notebook)):
            line.error("give the number of the lesson; `ascend-sim lesson` lists them")
        print(_listed())
        return 0
    lesson = known.get(options.number)
    if lesson is None:
        print(f"ascend-sim: there is no lesson {options.number}: 1 to {max(known)}", file=sys.stderr)
        return 2
    return _about(lesson, options)


def _about(lesson: Lesson, options: argparse.Namespace) -> int:
    """What is asked of one lesson."""
    if options.run:
        return run.main([*shlex.split(absolute(lesson.options, "kernels/")), "--", str(lesson.path)])
    if options.picture is not None:
        from ascend_sim.cli.teaching.pictures import picture

        return _write(options.picture, picture(lesson))
    if options.notebook is not None:
        from ascend_sim.cli.teaching.notebooks import notebook

        return _write(options.notebook, notebook(lesson))
    asked = exercise(lesson.number)
    if options.start is None and options.check is None and not options.answer:
        print(_shown(lesson, asked))
        return 0
    if asked is None:
        print(f"ascend-sim: lesson {lesson.number} has no exercise", file=sys.stderr)
        return 2
    if options.answer:
        print(asked.answer.read_text(encoding="utf-8"), end="")
        return 0
    if options.start is not None:
        if options.start.exists():
            print(f"ascend-sim: {str(options.start)!r} is there already", file=sys.stderr)
            return 2
        return _write(options.start, asked.start.read_text(encoding="utf-8"))
    if not options.check.is_file():
        print(f"ascend-sim: there is no file {str(options.check)!r}", file=sys.stderr)
        return 2
    verdict = check(asked, options.check)
    print(verdict)
    return 0 if verdict.right else 1


def _listed() -> str:
    lines = ["The class of two hours:", ""]
    for lesson in lessons().values():
        if lesson.number == CLASS + 1:
            lines += ["", "After it:", ""]
        lines.append(f"  {lesson.number:2}  {lesson.title}")
    return "\n".join([*lines, "", "ascend-sim lesson NUMBER says more; ascend-sim lesson --copy FOLDER copies all."])


def _shown(lesson: Lesson, asked: Exercise | None) -> str:
    number = lesson.number
    lines = [f"Lesson {number}. {lesson.title}", "", lesson.text, "", f"  {lesson.path}", ""]
    lines.append(f"  ascend-sim lesson {number} --run")
    if asked is not None:
        title, question = asked.question()
        lines += ["", f"Exercise: {title}", "", question, "", f"  ascend-sim lesson {number} --start mine.py"]
        lines.append(f"  ascend-sim lesson {number} --check mine.py")
    return "\n".join(lines)


def _write(path: Path, text: str) -> int:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        print(f"ascend-sim: {str(path)!r} cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    print(f"written: {path}")
    return 0


def _copy(target: Path) -> int:
    if target.exists():
        print(f"ascend-sim: {str(target)!r} is there already", file=sys.stderr)
        return 2
    try:
        shutil.copytree(folder(), target, ignore=shutil.ignore_patterns("__pycache__"))
    except OSError as error:
        print(f"ascend-sim: {str(target)!r} cannot be written: {error.strerror or error}", file=sys.stderr)
        return 2
    print(f"written: {target}")
    return 0
