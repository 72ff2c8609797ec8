"""The broken programs: is a student's repair one?"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

from ascend_sim.cli.teaching.folder import Piece
from ascend_sim.cli.teaching.judging import Verdict, faults, telling, telling_findings
from ascend_sim.cli.teaching.runs import Outcome, run
from ascend_sim.findings.languages import ENGLISH

__all__ = ["check", "options_of"]

_OTHER_WAYS = {"meeting_point": "memory", "two_libraries": "memory"}
"""Where a repair may well leave other bytes than ours: how many blocks meet is free."""


def options_of(piece: Piece, program: Path) -> str:
    """The options of the run for *program*: a kernel file beside it stands before ours."""
    for place in (program.parent, piece.path):
        kernels = (place / "kernels.py").resolve()
        if kernels.is_file():
            return " ".join(
                shlex.quote(re.sub(r"=(answer/)?kernels\.py$", f"={kernels}", word)) for word in piece.options.split()
            )
    return piece.options


def check(piece: Piece, program: Path, language: str = ENGLISH) -> Verdict:
    """Whether *program* is the piece repaired, said in *language*."""
    return _judged(piece, program).said(language)


def _judged(piece: Piece, program: Path) -> Verdict:
    """Right when nothing is found, the same work and result, its streams still alone."""
    mine = run(program, options_of(piece, program))
    wrong = _still_found(piece, program, mine) or faults(mine, program)
    if wrong:
        return Verdict(False, tuple(wrong))
    ours = mine if program.samefile(piece.fixed) else run(piece.fixed, options_of(piece, piece.fixed))
    wrong = _other_result(piece, mine, ours) or (_host_waits(mine, ours) if piece.alone else [])
    if wrong:
        return Verdict(False, tuple(wrong))
    more = ", and the streams still go on without the host" if piece.alone else ""
    return Verdict(True, (f"Right: nothing is found any more, the result is the same{more}.",))


def _still_found(piece: Piece, program: Path, mine: Outcome) -> list[str]:
    """What is still found, told apart: a kind that the broken program is about, or another one."""
    if mine.ended:
        return []
    said = []
    for finding in telling_findings(mine):
        before = "Still there. " if finding["kind"] in piece.kinds else "Also found. "
        said.append(before + telling(finding, program))
    return said


def _other_result(piece: Piece, mine: Outcome, ours: Outcome) -> list[str]:
    """Work that is gone, output that differs, memory that holds something else."""
    missing = Counter(kind for kinds in ours.work for kind in kinds) - Counter(k for kinds in mine.work for k in kinds)
    if missing:
        what = " and ".join(f"{count} of kind {kind}" for kind, count in sorted(missing.items()))
        return [
            f"Nothing is found, but work is gone: tasks are missing ({what}). A repair lets the program do what it did."
        ]
    source = piece.program.read_text(encoding="utf-8")
    shown = mine.out.splitlines()
    for line in ours.out.splitlines():
        label = line.partition(":")[0]
        if f'"{label}:"' in source and line not in shown:
            theirs = next((text for text in shown if text.partition(":")[0] == label), "nothing")
            return [f"Nothing is found, but the result is another one: `{line}` was expected, you print `{theirs}`."]
    if _OTHER_WAYS.get(piece.name) != "memory":
        left = _bytes_of(ours) - _bytes_of(mine)
        if left:
            sizes = ", ".join(str(size) for size, _ in sorted(left))
            return [
                "Nothing is found, but the result is another one: a block of device memory "
                f"({sizes} bytes) does not hold at its end what it should."
            ]
    return []


def _bytes_of(outcome: Outcome) -> Counter[tuple[int, int]]:
    return Counter((size, digest) for kind, size, digest in outcome.memory if kind == "device" and digest is not None)


def _host_waits(mine: Outcome, ours: Outcome) -> list[str]:
    """Repairs that make everything wait for everything."""
    if len(mine.work) < len(ours.work):
        return [
            "Nothing is found any more, but now fewer streams do the work: what could run at the same time does not. Keep "
            "the streams, and make only the one task wait that has to."
        ]
    extra = mine.waits()[: max(len(mine.waits()) - len(ours.waits()), 0)]
    if extra:
        where = f" (line {extra[0].line}: {extra[0].name})" if extra[0].line else f" ({extra[0].name})"
        return [
            f"Nothing is found any more, but now the host waits{where}, and queues nothing in the meantime. Can one stream "
            "wait for the other without the host?"
        ]
    return []
