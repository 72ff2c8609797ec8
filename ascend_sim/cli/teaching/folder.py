"""Where the class is: ``examples/lessons`` of a checkout, or the copy that an installed package has of it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import attrs

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.cli.teaching.translation import in_language
from ascend_sim.findings.languages import ENGLISH

__all__ = [
    "Lesson",
    "MissingClass",
    "Piece",
    "absolute",
    "folder",
    "head",
    "lessons",
    "pieces",
    "program",
    "texts",
    "untitled",
]


class MissingClass(Exception):
    """The folder of the class is not where it should be."""


@attrs.frozen
class Lesson:
    """One lesson: a program whose docstring says what it is about."""

    number: int
    path: Path
    title: str
    text: str
    options: str
    """Of ``ascend-sim run``, for this program."""


@attrs.frozen
class Piece:
    """One broken program of the gallery. What is wrong with it is read only when it is asked for."""

    name: str
    path: Path
    title: str
    question: str
    options: str
    kinds: tuple[str, ...]
    alone: bool
    """Its streams are to go on without the host: a repair by synchronising is none."""
    place: str
    """``broken.py:29``: where it is wrong."""
    wrong: str

    @property
    def program(self) -> Path:
        """The broken program."""
        return self.path / "broken.py"

    @property
    def fixed(self) -> Path:
        """The corrected one."""
        return self.path / "answer" / "fixed.py"


@cache
def folder() -> Path:
    """The folder of the class."""
    package = Path(PACKAGE)
    for found in (package / "lessons", package.parent / "examples" / "lessons"):
        if (found / "gallery" / "answers.tsv").is_file():
            return found
    raise MissingClass("the lessons are not installed here: they are in examples/lessons of the source distribution")


_NUMBERED = re.compile(r"^\w+ \d+ ?\w*(?:\. |：)")
_DOCSTRING = re.compile(r'"""(.*?)\n\n(.*?)\n\n    ascend-sim run (.*?)[\w/]+\.py\n"""\n', re.DOTALL)


@cache
def texts(language: str) -> Mapping[str, str]:
    """The paragraphs of the class in *language*, by their English text."""
    if language == ENGLISH:
        return {}
    header, *lines = (folder() / language / "texts.tsv").read_text(encoding="utf-8").splitlines()
    if header != "english\ttranslation":
        raise MissingClass(f"the texts of the class in {language!r} have the columns {header.split()}")
    return {cells[0]: cells[1] for cells in (line.split("\t") for line in lines)}


def program(path: Path, language: str = ENGLISH) -> str:
    """The text of a program of the class, its comments in *language*."""
    source = path.read_text(encoding="utf-8")
    return source if language == ENGLISH else in_language(source, texts(language))


def head(path: Path, language: str = ENGLISH) -> tuple[str, str, str]:
    """Title, text, and the options of the command in the docstring of *path*."""
    found = _DOCSTRING.match(program(path, language))
    if found is None:
        raise MissingClass(f"{path} does not begin with a title, a text, and the command that runs it")
    return found[1], found[2], found[3].strip()


def absolute(options: str, kernels: str) -> str:
    """*options* with the files in the folder *kernels* named so that they are found from everywhere."""
    place = str((folder() / "kernels").resolve()) + os.sep
    return " ".join(shlex.quote(word.replace(kernels, place)) for word in options.split())


@cache
def lessons(language: str = ENGLISH) -> dict[int, Lesson]:
    """All lessons by their number."""
    found = {}
    for path in sorted(folder().glob("[0-9][0-9]_*.py")):
        title, text, options = head(path, language)
        found[int(path.name[:2])] = Lesson(int(path.name[:2]), path, untitled(title), text, options)
    return found


def untitled(title: str) -> str:
    """*title* without the "Lesson 3. " at its beginning, in any language."""
    return _NUMBERED.sub("", title)


@cache
def pieces(language: str = ENGLISH) -> dict[str, Piece]:
    """All broken programs by their name."""
    gallery = folder() / "gallery"
    found = {}
    for line in (gallery / "answers.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith(("#", "name\t")):
            continue
        name, kinds, alone, place, wrong = line.split("\t")
        title, question, options = head(gallery / name / "broken.py", language)
        found[name] = Piece(
            name, gallery / name, title, question, options, tuple(kinds.split()), alone == "yes", place,
            texts(language).get(wrong, wrong),
        )  # fmt: skip
    return found
