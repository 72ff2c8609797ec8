"""``ascend-sim lesson``: the lessons, their exercises, a checker for these, pictures, notebooks."""

from __future__ import annotations

import argparse
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from ascend_sim.cli import run
from ascend_sim.cli.help import Parser
from ascend_sim.cli.teaching.exercises import Exercise, check, exercise
from ascend_sim.cli.teaching.folder import Lesson, MissingClass, absolute, folder, lessons, program
from ascend_sim.findings.languages import ENGLISH, LANGUAGES, chosen, translated
from ascend_sim.findings.output import tell

__all__ = ["main", "parser"]

DESCRIPTION = """\
The lessons about streams, events, memory and kernels. Without NUMBER: the list. With NUMBER alone: what the lesson is
about, how to run it, and its exercise.
"""
CLASS = 10
"""The lessons of the two hours; the others come after it."""


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(
        prog="ascend-sim lesson", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("number", nargs="?", type=int, metavar="NUMBER", help="of the lesson; without it: list them")
    made.add_argument("--lang", choices=LANGUAGES, help="the language of texts and comments (default: what LANG says)")
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
    language = options.lang or chosen()
    try:
        known = lessons(language)
        if options.copy is not None:
            return _copy(options.copy, language)
    except MissingClass as error:
        tell(error, language)
        return 2
    if options.number is None:
        if any((options.run, options.start, options.check, options.answer, options.picture, options.notebook)):
            line.error("give the number of the lesson; `ascend-sim lesson` lists them")
        print(_listed(language))
        return 0
    lesson = known.get(options.number)
    if lesson is None:
        tell(f"there is no lesson {options.number}: 1 to {max(known)}", language)
        return 2
    return _about(lesson, options, language)


def _about(lesson: Lesson, options: argparse.Namespace, language: str) -> int:
    """What is asked of one lesson."""
    if options.run:
        spoken = ["--lang", options.lang] if options.lang else []
        return run.main([*shlex.split(absolute(lesson.options, "kernels/")), *spoken, "--", str(lesson.path)])
    if options.picture is not None:
        from ascend_sim.cli.teaching.pictures import picture

        return _write(options.picture, picture(lesson, language), language)
    if options.notebook is not None:
        from ascend_sim.cli.teaching.notebooks import notebook

        return _write(options.notebook, notebook(lesson, language), language)
    asked = exercise(lesson.number)
    if options.start is None and options.check is None and not options.answer:
        print(_shown(lesson, asked, language))
        return 0
    if asked is None:
        tell(f"lesson {lesson.number} has no exercise", language)
        return 2
    if options.answer:
        print(program(asked.answer, language), end="")
        return 0
    if options.start is not None:
        if options.start.exists():
            tell(f"{str(options.start)!r} is there already", language)
            return 2
        return _write(options.start, program(asked.start, language), language)
    if not options.check.is_file():
        tell(f"there is no file {str(options.check)!r}", language)
        return 2
    verdict = check(asked, options.check, language)
    print(verdict)
    return 0 if verdict.right else 1


def _listed(language: str) -> str:
    lines = [translated("The class of two hours:", language), ""]
    for lesson in lessons(language).values():
        if lesson.number == CLASS + 1:
            lines += ["", translated("After it:", language), ""]
        lines.append(f"  {lesson.number:2}  {lesson.title}")
    more = "ascend-sim lesson NUMBER says more; ascend-sim lesson --copy FOLDER copies all."
    return "\n".join([*lines, "", translated(more, language)])


def _shown(lesson: Lesson, asked: Exercise | None, language: str) -> str:
    number = lesson.number
    lines = [translated(f"Lesson {number}. {lesson.title}", language), "", lesson.text, "", f"  {lesson.path}", ""]
    lines.append(f"  ascend-sim lesson {number} --run")
    if asked is not None:
        title, question = asked.question(language)
        lines += ["", translated(f"Exercise: {title}", language), "", question, ""]
        lines.append(f"  ascend-sim lesson {number} --start mine.py")
        lines.append(f"  ascend-sim lesson {number} --check mine.py")
    return "\n".join(lines)


def _write(path: Path, text: str, language: str) -> int:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        tell(f"{str(path)!r} cannot be written: {error.strerror}", language)
        return 2
    print(translated(f"written: {path}", language))
    return 0


def _copy(target: Path, language: str) -> int:
    """Copy the class, its programs with comments in *language*."""
    if target.exists():
        tell(f"{str(target)!r} is there already", language)
        return 2
    try:
        shutil.copytree(folder(), target, ignore=shutil.ignore_patterns("__pycache__"))
        if language != ENGLISH:
            for path in target.rglob("*.py"):
                path.write_text(program(path, language), encoding="utf-8")
    except OSError as error:
        tell(f"{str(target)!r} cannot be written: {error.strerror or error}", language)
        return 2
    print(translated(f"written: {target}", language))
    return 0
