"""What can be said about any run of a student's program, before the question of an exercise is looked at."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from ascend_sim.cli.teaching.runs import Outcome
from ascend_sim.findings.languages import translated
from ascend_sim.untrusted.escaping import escaped

__all__ = ["Verdict", "faults", "line_of", "raised", "telling", "telling_findings"]

_CPU_SIGNAL = 24
_LAST_LINE = re.compile(r"^(?:\w+\.)*(\w*(?:Error|Exception|Interrupt|Exit|Hang))(?:: (.*))?$", re.MULTILINE)
_BEGIN = re.compile(r"((?:Still there|Also found)\. )?(Line \d+: )?")
_PLACE = re.compile(r'^  File "([^"]+)", line (\d+)', re.MULTILINE)


@attrs.frozen
class Verdict:
    """*right*, or what to look at next, in sentences."""

    right: bool
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def said(self, language: str) -> Verdict:
        """The verdict in *language*."""
        return attrs.evolve(self, sentences=tuple(_said(sentence, language) for sentence in self.sentences))


def _said(sentence: str, language: str) -> str:
    """*sentence* in *language*: first what is said, then the line before it, which belongs to none of its parts."""
    begin = _BEGIN.match(sentence)
    assert begin is not None  # it matches everything
    said = translated(sentence[begin.end() :], language)
    for word in reversed([word for word in begin.groups() if word]):
        said = translated(f"{word}~", language).replace("~", said)
    return said


def faults(outcome: Outcome, program: Path, expected: Sequence[str] = ()) -> list[str]:
    """What went wrong whatever was asked for, the first cause first; findings of the kinds *expected* are no fault."""
    if outcome.ended:
        return [f"The program was ended: {outcome.ended}. Look for a loop that never ends, or that grows."]
    if outcome.code in (-_CPU_SIGNAL, 128 + _CPU_SIGNAL):
        return ["The program was ended: it had used up its computing time. Look for a loop that never ends."]
    said = [telling(finding, program) for finding in telling_findings(outcome, expected)]
    hidden = [finding for finding in outcome.findings if finding.get("suppressed")]
    if hidden and not said:
        return [f"A finding is hidden here ({hidden[0]['kind']}): take the comment or pattern that hides it out again."]
    ended = _raised(outcome, program)
    if said:
        return said + ([ended] if ended and "deadlock" not in outcome.kinds() else [])
    if ended:
        return [ended]
    if not outcome.whole:
        return ["The program did not come to its end: it may have called os._exit, or a signal ended it."]
    if not outcome.calls:
        return ["The program makes no call of AscendCL."]
    return []


def telling_findings(outcome: Outcome, expected: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The findings that stand for themselves and are no remarks."""
    return [
        finding
        for finding in outcome.findings
        if finding["severity"] != "note"
        and not finding.get("cause")
        and not finding.get("suppressed")
        and finding["kind"] not in expected
    ]


def telling(finding: dict[str, Any], program: Path) -> str:
    """A finding in a sentence or two: where, what, and what may help."""
    line = line_of(finding, program)
    where = f"Line {line}: " if line else ""
    title = finding["title"]
    text = f"{where}{title[:1].upper() if not where and not title.startswith('acl') else title[:1]}{title[1:]}."
    return f"{text} (`ascend-sim explain {finding['kind']}` tells what that means.)"


def line_of(finding: dict[str, Any], program: Path) -> int | None:
    """The line of *program* that the finding is about."""
    sites = sorted(finding["sites"], key=lambda site: not site["primary"])
    for site in sites:
        for frame in site["frames"]:
            if os.path.basename(frame["file"]) == program.name:
                return int(frame["line"])
    return None


def raised(outcome: Outcome, but: str) -> bool:
    """Whether an exception other than *but* ended the program: what it has not done by then says nothing."""
    found = list(_LAST_LINE.finditer(outcome.err)) if outcome.code else []
    return bool(found) and found[-1][1] not in (but, "SimulatedHang")


def _raised(outcome: Outcome, program: Path) -> str:
    """The exception that ended the program, in a sentence; empty when none did."""
    if outcome.code == 0:
        return ""
    found = list(_LAST_LINE.finditer(outcome.err))
    if not found:
        return ""
    kind, text = found[-1][1], escaped(found[-1][2] or "")
    lines = [int(line) for file, line in _PLACE.findall(outcome.err) if os.path.basename(file) == program.name]
    where = f"Line {lines[0]}: " if lines else ""
    if kind in ("SyntaxError", "IndentationError", "TabError"):
        return f"{where}Python cannot read the program: {text}."
    return f"{where}the program ended with {kind}{': ' + text if text else ''}."
