"""A lesson as a notebook: its comments become text, its code cells, its picture and exercise come along."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ascend_sim.cli.teaching.exercises import exercise
from ascend_sim.cli.teaching.folder import Lesson, program
from ascend_sim.cli.teaching.translation import unbroken
from ascend_sim.findings.languages import ENGLISH, translated

__all__ = ["notebook", "parts"]

_TRY = re.compile(r"^(Try it|试一试)[:：]\n")
_START = """\
import ascend_sim

sim = ascend_sim.install(devices=2)
sim.kernels["lesson_kernels.o"] = "kernels/lesson_kernels.py"
sim.kernels["scale.o"] = "kernels/scale.o"
__file__ = "{name}"  # the folder of the class is the working directory"""

_START_TORCH = """\
import ascend_sim.torch

sim = ascend_sim.torch.install()  # before torch is imported"""


def notebook(lesson: Lesson, language: str = ENGLISH) -> str:
    """The text of an ``.ipynb`` file (format 4.5) that runs in the folder of the class.

    *lesson* and its program are in *language*.
    """
    title = translated(f"Lesson {lesson.number}. {lesson.title}", language)
    cells = [_text(f"# {title}\n\n{unbroken(lesson.text)}")]
    picture = lesson.path.parent / "pictures" / f"{lesson.path.stem}.svg"
    if picture.is_file():
        cells.append(_text(f"![{lesson.title}](pictures/{picture.name})"))
    source = program(lesson.path, language).partition('"""\n')[2]
    cells.append(_code(_START_TORCH if "\nimport torch\n" in source else _START.format(name=lesson.path.name)))
    for kind, text in parts(source):
        cells.append(_text(unbroken(text)) if kind == "text" else _code(text))
    cells.append(_text(translated("What did the simulator find?", language)))
    cells.append(_code("sim.findings"))
    asked = exercise(lesson.number)
    if asked is not None:
        title, question = asked.question(language)
        title = translated(f"Exercise: {title}", language)
        number = lesson.number
        do = translated("Change the cell, run it, and then the check below it.", language)
        cells.append(_text(f"## {title}\n\n{unbroken(question)}\n\n{do}"))
        cells.append(_code(f"%%writefile mine_{number}.py\n{program(asked.start, language).rstrip()}"))
        spoken = "" if language == ENGLISH else f" --lang {language}"
        cells.append(_code(f"!ascend-sim lesson {number} --check mine_{number}.py{spoken}"))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    value = {
        "cells": cells, "nbformat": 4, "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    }  # fmt: skip
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def parts(source: str) -> Iterator[tuple[str, str]]:
    """``text`` and ``code`` in turn: a block of comments at the left margin, after an empty line, is text."""
    for block in re.split(r"\n\n+(?=#)", "\n\n" + source.strip("\n")):
        lines = block.strip("\n").split("\n")
        comment = 0
        while comment < len(lines) and re.match(r"#( |$)", lines[comment]):
            comment += 1
        text = "\n".join(line[2:] for line in lines[:comment])
        if text:
            yield "text", _TRY.sub(r"## \1\n\n", text)
        code = "\n".join(lines[comment:]).strip("\n")
        if code:
            yield "code", code


def _text(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _code(text: str) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": _lines(text)}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
