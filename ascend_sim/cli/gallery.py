"""``ascend-sim gallery``: broken programs with a question, a run, an answer, and a check of what you made of them."""

from __future__ import annotations

import argparse
import difflib
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from ascend_sim.cli import run
from ascend_sim.cli.help import Parser
from ascend_sim.cli.teaching.folder import MissingClass, Piece, head, pieces, program
from ascend_sim.cli.teaching.gallery import check, options_of
from ascend_sim.findings.languages import LANGUAGES, chosen, translated
from ascend_sim.findings.output import tell

__all__ = ["main", "parser"]

DESCRIPTION = """\
Broken programs, as they were found in the wild. Without NAME: the list. With NAME alone: the program and its question.
Guess first; then let it run, then look at the answer, or repair a copy of it and have that checked.
"""


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(
        prog="ascend-sim gallery", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("name", nargs="?", metavar="NAME", help="one of the programs; without it: list them")
    made.add_argument("--lang", choices=LANGUAGES, help="the language of texts and comments (default: what LANG says)")
    what = made.add_mutually_exclusive_group()
    what.add_argument("--run", action="store_true", help="run it on the simulator: what it prints, what is found")
    what.add_argument("--reveal", action="store_true", help="the answer: what is wrong, where, and a repair")
    what.add_argument("--start", metavar="FILE", type=Path, help="write a copy of it to FILE, to be repaired")
    what.add_argument("--check", metavar="FILE", type=Path, help="say whether FILE is the program repaired")
    return made


def main(arguments: Sequence[str]) -> int:
    """Show, run, reveal or check one program; 1 when a check says that it is not right yet."""
    line = parser()
    options = line.parse_args(arguments)
    language = options.lang or chosen()
    try:
        known = pieces(language)
    except MissingClass as error:
        tell(error, language)
        return 2
    if options.name is None:
        if options.run or options.reveal or options.start or options.check:
            line.error("name the program; `ascend-sim gallery` lists them")
        print(_listed(language))
        return 0
    if options.name not in known:
        near = get_close_matches(options.name, known, 1, 0.4)
        hint = f"; did you mean {near[0]}?" if near else "; `ascend-sim gallery` lists them"
        tell(f"the gallery has no {options.name!r}{hint}", language)
        return 2
    piece = known[options.name]
    if options.run:
        spoken = ["--lang", options.lang] if options.lang else []
        return run.main([*shlex.split(options_of(piece, piece.program)), *spoken, "--", str(piece.program)])
    if options.reveal:
        print(_revealed(piece, language))
        return 0
    if options.start is not None:
        return _start(piece, options.start, language)
    if options.check is not None:
        if not options.check.is_file():
            tell(f"there is no file {str(options.check)!r}", language)
            return 2
        verdict = check(piece, options.check, language)
        print(verdict)
        return 0 if verdict.right else 1
    print(_question(piece, language))
    return 0


STEPS = {
    "--run": "what the simulator says",
    "--start mine.py": "a copy of it to repair",
    "--check mine.py": "is it repaired?",
    "--reveal": "the answer",
}
"""What one can do with a program, in order."""


def _listed(language: str) -> str:
    names = pieces(language)
    width = max(map(len, names)) + 2
    lines = [f"  {name:<{width}}{piece.title}" for name, piece in names.items()]
    title, more = "Broken programs. What is wrong with each?", "ascend-sim gallery NAME asks."
    return "\n".join([translated(title, language), "", *lines, "", translated(more, language)])


def _question(piece: Piece, language: str) -> str:
    """The program as it is; its docstring asks."""
    parts = [program(piece.program, language).rstrip()]
    parts += [f"# {path.name}\n{program(path, language).rstrip()}" for path in sorted(piece.path.glob("kernels.py"))]
    steps = [translated("Guess. Then:", language)]
    steps += [
        f"  ascend-sim gallery {piece.name} {step:<17} {translated(text, language)}" for step, text in STEPS.items()
    ]
    return "\n\n".join([*parts, "\n".join(steps)])


def _revealed(piece: Piece, language: str) -> str:
    """What is wrong, where, and the difference to the corrected program."""
    title, text, _ = head(piece.fixed, language)
    file, _, number = piece.place.partition(":")
    line = (piece.path / file).read_text(encoding="utf-8").splitlines()[int(number) - 1].strip()
    where = translated(f"Line {number} of {file}: {piece.wrong}", language)
    lines = [title, "", text, "", where, f"    {line}", ""]
    lines.append(translated(f"Found as: {', '.join(piece.kinds)} (ascend-sim explain {piece.kinds[0]})", language))
    for path in (piece.program, *piece.path.glob("kernels.py")):
        corrected = piece.fixed if path == piece.program else piece.path / "answer" / path.name
        if corrected.is_file():
            lines += _difference(path, corrected, language)
    return "\n".join(lines)


def _difference(path: Path, corrected: Path, language: str) -> list[str]:
    """The changed lines, without those of the docstrings."""
    old, new = (_code(program(part, language)) for part in (path, corrected))
    changed = list(difflib.unified_diff(old, new, path.name, corrected.name, lineterm="", n=1))
    return ["", *(line for line in changed if not line.startswith("@@"))] if changed else []


def _code(text: str) -> list[str]:
    return text.partition('"""')[2].partition('"""')[2].strip("\n").splitlines()


def _start(piece: Piece, target: Path, language: str) -> int:
    copies = {piece.program: target}
    copies |= {path: target.parent / path.name for path in piece.path.glob("kernels.py")}
    for path in copies.values():
        if path.exists():
            tell(f"{str(path)!r} is there already", language)
            return 2
    try:
        for source, path in copies.items():
            path.write_text(program(source, language), encoding="utf-8")
    except OSError as error:
        tell(f"{str(target)!r} cannot be written: {error.strerror}", language)
        return 2
    print(translated(f"written: {' '.join(str(path) for path in copies.values())}", language))
    return 0
