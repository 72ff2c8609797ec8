"""Findings as text: the full form with source lines and carets, the short form with one clickable line.

Layout, widths and colours follow docs/semantics/reports.md#the-text-form; ASCII only, apart from the user's own
source lines.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from ascend_sim.findings.languages import chosen, translated, translated_finding
from ascend_sim.findings.output import say
from ascend_sim.source.callsite import Frame, shown_path, source_line
from ascend_sim.source.fence import fenced, taken
from ascend_sim.untrusted.escaping import escaped

if TYPE_CHECKING:
    from ascend_sim.findings.finding import ByteMap, Finding, Site

__all__ = ["Printer", "Style", "filled", "full", "place", "remarks", "short", "summary"]

BAR = 56
LABEL = 48
"""Characters in front of a bar."""
"""Columns of the picture of an object's bytes."""
MOST_SITES = 5
SHOWN_CALLERS = 2
FULL_REPORTS = 25
"""After this many full reports every further finding is one line."""

_COLOURS = {"error": "31;1", "warning": "33;1", "note": "36;1", "secondary": "34", "help": "32"}


class Style:
    """*width* in columns, whether to use colour, and the language (None: the chosen one). Meaning never rests on colour."""

    __slots__ = ("colour", "language", "width")

    def __init__(self, width: int = 100, colour: bool = False, language: str | None = None) -> None:
        self.width = width
        self.colour = colour
        self.language = language or chosen()

    @classmethod
    def of(cls, stream: TextIO | None, colour: str = "auto") -> Style:
        """The style for *stream*: 100 columns or the terminal's if narrower, at least 72.

        *colour* is ``"always"``, ``"never"`` or ``"auto"``: on a terminal without NO_COLOR, or with FORCE_COLOR.
        """
        terminal = stream is not None and not stream.closed and stream.isatty()
        width = 100
        if terminal:
            import shutil

            width = min(100, max(72, shutil.get_terminal_size((100, 24)).columns))
        if colour == "auto":
            wanted = bool(os.environ.get("FORCE_COLOR")) or (terminal and not os.environ.get("NO_COLOR"))
        else:
            wanted = colour == "always"
        return cls(width, wanted)

    def paint(self, what: str, text: str) -> str:
        return f"\x1b[{_COLOURS[what]}m{text}\x1b[0m" if self.colour else text


@fenced(lambda frame: f"{frame.file!r}:{frame.line}")
def place(frame: Frame) -> str:
    """``file:line``, relative to the working directory when the file is below it; of a program without lines its file."""
    path = escaped(shown_path(frame.file))
    return f"{path}:{frame.line}" if frame.line else path


def _bare(finding: Finding, form: object = None) -> str:
    """What is printed when a report cannot be laid out; *form* ``"json"``: as an object."""
    note = taken()
    if form == "json":
        import json

        return json.dumps({
            "id": finding.id, "kind": finding.kind, "severity": finding.severity, "title": finding.title, "notes": [note],
        })  # fmt: skip
    text = f"{finding.severity}[{finding.kind}]: {finding.title!r}"
    return f"{text}\n  = note: {note}" if note else text


@fenced(_bare)
def full(finding: Finding, style: Style | None = None) -> str:
    """The report as it is printed: title, sites with source and carets, then the ``=`` lines."""
    style = style or Style()
    finding = _plain(translated_finding(finding, style.language))
    sites = _in_order(finding)
    frames = [site.frames for site in sites]
    shown = [source_line(f[0].file, f[0].line) if f else "" for f in frames]
    digits = max([len(str(f[0].line)) for f in frames if f], default=1)
    cut = max(0, min([_indent(text) for text in shown if text.strip()], default=0) - 4)
    pad = " " * (digits + 1)
    head = f"{finding.severity}[{finding.kind}]"
    lines = _wrap(f"{head}: ", finding.title, style.width)
    lines[0] = style.paint(finding.severity, head) + lines[0][len(head) :]
    primary = finding.primary
    for site, stack, text in zip(sites, frames, shown, strict=True):
        first = site is primary
        arrow = "-->" if first else ":::"
        if not stack:
            lines += _wrap(f"{pad}{arrow} ", site.text, style.width)
            continue
        lines.append(f"{pad}{arrow} {_chain(stack)}")
        lines += _source(stack[0], text, cut, site.text, digits, style, finding.severity if first else None)
    lines += _remarks(finding, pad, style)
    return "\n".join(lines)


@fenced(_bare)
def short(finding: Finding, language: str | None = None) -> str:
    """One clickable line, then a line per site and remark; never wrapped. *language*: the one chosen, when None.

    docs/semantics/reports.md#the-short-form
    """
    language = language or chosen()
    finding = _plain(translated_finding(finding, language))
    sites = _in_order(finding)
    primary = finding.primary
    where = "ascend-sim"
    if primary is not None and primary.frames:
        frame = primary.frames[0]
        where = place(frame) + (f":{(frame.col or 0) + 1}" if frame.line else "")
    lines = [f"{where}: {finding.severity}: [{finding.kind}] {finding.title}"]
    places = [place(site.frames[0]) if site.frames else "" for site in sites]
    column = max([len(text) for text in places], default=0)
    for site, text in zip(sites, places, strict=True):
        lines.append(
            f"    {site.role:<8} {text:<{column}}   {site.text}" if column else f"    {site.role:<8} {site.text}"
        )
    for label, value in remarks(finding, language):
        sentence, *code = value.split("\n")
        lines.append(f"    {label:<8} {sentence}" + (" " + "; ".join(c.strip() for c in code) if code else ""))
    return "\n".join(line.rstrip() for line in lines)


@fenced(lambda findings, run="", **more: f"ascend-sim: {len(findings)} findings" if findings else "")
def summary(findings: Sequence[Finding], run: str = "", language: str | None = None, codes: Sequence[int] = ()) -> str:
    """The closing lines: how many of each severity, the first cause, and where to read more; empty for nothing to say.

    *run* says how to repeat the run (``"seed 0, schedule virtual-time"``); *codes* are those of calls that failed.
    """
    language = language or chosen()
    told = [f for f in findings if f.suppressed is None]
    lines = _counted(findings, told, run) if findings else []
    words = [*dict.fromkeys(f.kind for f in told), *map(str, codes)]
    if words:
        lines.append("ascend-sim: read more with: " + ", ".join(f"ascend-sim explain {word}" for word in words))
    return "\n".join(translated(line, language) for line in lines)


def _counted(findings: Sequence[Finding], told: Sequence[Finding], run: str) -> list[str]:
    counts = [
        _many(sum(f.severity == severity and f.cause is None and f.suppressed is None for f in findings), severity)
        for severity in ("error", "warning", "note")
    ]
    counts.append(_many(sum(len(f.followers) + f.more_followers + (f.cause is not None) for f in told), "follower"))
    counts.append(_many(sum(f.suppressed is not None for f in findings), "suppressed", ""))
    text = "ascend-sim: " + ", ".join(count for count in counts if count)
    first = _first_cause(findings)
    if first is not None:
        site = first.primary
        where = f" at {place(site.frames[0])}" if site is not None and site.frames else ""
        text += f"; first cause {first.id} {first.kind}{where}"
    lines = [text + (f"; {run}" if run else "")]
    for finding in told:
        if finding.count > 1:
            lines.append(f"ascend-sim: {finding.id} {finding.kind} was seen {finding.count} times")
    return lines


def _first_cause(findings: Sequence[Finding]) -> Finding | None:
    """The first error; or one that was found later, and is about an earlier call.

    What is found in a call itself has the time of the call as the one when it was found.
    """
    errors = [f for f in findings if f.severity == "error" and f.cause is None and f.suppressed is None]
    times = {f.id: f.time_ns if f.called_ns is None else f.called_ns for f in errors}
    known = [f for f in errors if times[f.id] is not None]
    if not errors or errors[0] not in known:
        return errors[0] if errors else None
    return min(known, key=lambda f: (times[f.id], int(f.id[1:].partition("@")[0]), f.id))  # F2@4711: of a child


class Printer:
    """A sink of :class:`~ascend_sim.findings.finding.FindingLog` that writes each new finding to *stream* at once.

    *form* is ``"full"``, ``"short"`` or ``"json"`` (one JSON object a line). Written and flushed when found, so that a
    crash later loses nothing. Findings that another one explains get one line (docs/semantics/reports.md#followers).
    """

    def __init__(self, stream: TextIO | None, form: str = "full", style: Style | None = None) -> None:
        self.stream = stream
        self.form = form
        self.style = style or Style.of(stream)
        self._written = 0

    def __call__(self, finding: Finding, first: bool) -> None:
        if not first or finding.suppressed is not None:
            return
        self._written += 1
        say(self.stream, self._text(finding))

    @fenced(lambda self, finding: _bare(finding, self.form))
    def _text(self, finding: Finding) -> str:
        if self.form == "json":
            import json

            return json.dumps(finding.to_json(), ensure_ascii=False)
        if finding.cause is not None:
            site = finding.primary
            where = f"{place(site.frames[0])}: " if site is not None and site.frames else ""
            return self._note(finding.id, where + translated(finding.title, self.style.language), finding.cause)
        if self.form == "short":
            return short(finding, self.style.language)
        if self._written > FULL_REPORTS:
            return short(finding, self.style.language).split("\n")[0]
        return full(finding, self.style) + "\n"

    def _note(self, name: str, text: str, cause: str) -> str:
        because = translated("because of", self.style.language)
        space = "" if because.startswith("，") else " "
        return f"note[{name}]: {escaped(text)}{space}{because} {cause}"

    def followed(self, finding: Finding, text: str) -> None:
        """A code or a finding that *finding* explains: one line."""
        if self.form != "json" and finding.suppressed is None:
            say(self.stream, self._note(finding.id, translated(text, self.style.language), finding.id))

    def hardened(self, finding: Finding, note: str) -> None:
        """A warning has become an error: one line."""
        if self.form != "json" and finding.suppressed is None:
            text = f"{translated(finding.title, self.style.language)}: {translated(note, self.style.language)}"
            say(self.stream, f"error[{finding.id}]: {escaped(text)}")

    def followed_more(self, finding: Finding) -> None:
        """It explains more than is named: said once."""
        if self.form != "json" and finding.suppressed is None and finding.more_followers == 1:
            text = translated(f"what else {finding.id} explains is counted, not named", self.style.language)
            say(self.stream, f"note[{finding.id}]: {text}")


def _plain(finding: Finding) -> Finding:
    """The finding with texts that stay on their lines; only *fix* and notes have lines of their own, which are indented."""
    texts = (finding.title, finding.order, finding.kind, *finding.followers, *(site.text for site in finding.sites))
    if finding.bytes is not None:
        texts += (finding.bytes.object, *(r.label for r in finding.bytes.ranges))
    longer = (finding.fix, *finding.notes)
    if all(map(str.isprintable, texts)) and all(line.isprintable() for text in longer for line in text.split("\n")):
        return finding
    return finding.evolved(
        title=escaped(finding.title),
        order=escaped(finding.order),
        kind=escaped(finding.kind),
        followers=[escaped(text) for text in finding.followers],
        sites=[site.evolved(text=escaped(site.text)) for site in finding.sites],
        bytes=finding.bytes and finding.bytes.renamed(escaped),
        fix=_lines(finding.fix),
        notes=[_lines(note) for note in finding.notes],
    )


def _lines(text: str) -> str:
    return "\n".join(escaped(line) for line in text.split("\n"))


def _in_order(finding: Finding) -> list[Site]:
    """Primary first, then as given: cause before background (docs/semantics/reports.md#the-text-form)."""
    primary = finding.primary
    return sorted(finding.sites, key=lambda site: site is not primary)[:MOST_SITES]


def _chain(stack: Sequence[Frame]) -> str:
    parts = [f"{place(frame)} in {frame.function}" for frame in stack[: 1 + SHOWN_CALLERS]]
    more = len(stack) - 1 - SHOWN_CALLERS
    return " <- ".join(parts + ([f"{more} more"] if more > 0 else []))


def _source(frame: Frame, text: str, cut: int, label: str, digits: int, style: Style, main: str | None) -> list[str]:
    """The source line and the marks under it; *main* is the severity at the primary site, None at the others."""
    bare = f"{' ' * (digits + 1)}|"
    if not text.strip():
        return _wrap(f"{bare} ", label, style.width)
    if frame.col is None or frame.end_col is None or frame.end_col <= frame.col:
        start, end = _indent(text), len(text.rstrip())
    else:
        start, end = frame.col, frame.end_col
    open_ended = text.count("(") > text.count(")")
    text = escaped(text[cut:].replace("\t", " ").rstrip())
    start, end = max(0, start - cut), max(1, end - cut)
    text, start, end = _around(text, start, end, style.width - digits - 3)
    before = cells(text[:start])
    marks = ("^" if main else "-") * max(1, cells(text[start:end]))
    lead = f"{bare} {' ' * before}"
    lines = [f"{frame.line:>{digits}} | {text}{' ...' if open_ended else ''}"]
    room = style.width - len(lead) - len(marks) - 1
    paint = main or "secondary"
    if room >= min(cells(label), 28):
        wrapped = filled(label, max(20, room))
        lines.append(lead + style.paint(paint, marks) + " " + wrapped[0])
        lines += [lead + " " * (len(marks) + 1) + more for more in wrapped[1:]]
    else:
        lines.append(lead + style.paint(paint, marks))
        lines += _wrap(f"{bare}     ", label, style.width)
    return [line.rstrip() for line in lines]


def _around(text: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """Cut a long source line around the marked span, with ``...`` where something is missing."""
    if cells(text) <= room:
        return text, start, end
    left = 0
    if end + 4 > room:
        left = max(0, start - room // 3)
    keep = room - 4 - (4 if left else 0)
    piece = text[left : left + keep]
    tail = " ..." if left + keep < len(text) else ""
    if left:
        return f"... {piece}{tail}", start - left + 4, min(end - left + 4, 4 + len(piece))
    return piece + tail, start, min(end, len(piece))


def _remarks(finding: Finding, pad: str, style: Style) -> list[str]:
    lines: list[str] = []
    if finding.bytes is not None:
        lines += _bar(finding.bytes, pad, translated("bytes", style.language))
    for label, value in remarks(finding, style.language):
        sentence, *code = value.split("\n")
        head = f"{pad}= {label}: "
        wrapped = _wrap(head, sentence, style.width)
        if value is finding.fix:
            wrapped[0] = wrapped[0].replace(f"{label}:", style.paint("help", f"{label}:"), 1)
        lines += wrapped
        lines += [" " * (cells(head) + 4) + line for line in code]
    return lines


def remarks(finding: Finding, language: str) -> list[tuple[str, str]]:
    texts = [("order", finding.order), ("help", finding.fix)]
    texts += [("note", note) for note in finding.notes]
    if finding.count > 1:
        texts.append(("seen", translated(f"{finding.count} times, from the same lines", language)))
    if finding.followers:
        more = len(finding.followers) + finding.more_followers - 2
        tail = translated(f", and {more} more", language) if more > 0 else ""
        texts.append(("then", "; ".join(finding.followers[:2]) + tail))
    return [(translated(label, language), text) for label, text in texts if text]


def _bar(picture: ByteMap, pad: str, label: str) -> list[str]:
    if all(r.lo == 0 and r.hi == picture.size for r in picture.ranges):
        return []
    extent = max([picture.size, *(r.hi for r in picture.ranges)])
    low = min([0, *(r.lo for r in picture.ranges)])
    span = max(1, extent - low)
    names = [_short_label(text) for text in (picture.object, *(r.label for r in picture.ranges))]
    column = max(map(cells, names))

    def row(name: str, mark: str, lo: int, hi: int) -> str:
        left = min(BAR - 1, (lo - low) * BAR // span)
        right = min(BAR, max(left + 1, -(-(hi - low) * BAR // span)))
        bar = " " * left + mark * (right - left)
        return f"{name}{' ' * (column - cells(name))} |{bar:<{BAR}}| [{lo}, {hi})"

    head = f"{pad}= {label}: "
    lines = [head + row(names[0], "#", 0, picture.size)]
    for name, r in zip(names[1:], picture.ranges, strict=True):
        mark = r.label[-1] if r.label[-1:] in ("W", "R") else "="
        lines.append(" " * cells(head) + row(name, mark, r.lo, r.hi))
    return lines


def _short_label(text: str) -> str:
    """*text* as it stands in front of a bar, which is to be seen: how it begins and ends."""
    return text if len(text) <= LABEL else f"{text[: LABEL // 2]}...{text[3 - LABEL // 2 :]}"


def _wrap(head: str, text: str, width: int) -> list[str]:
    """*text* after *head*, continued under itself."""
    room = cells(head)
    pieces = filled(text, max(24, width - room))
    return [(head + pieces[0]).rstrip(), *(" " * room + piece for piece in pieces[1:])]


_BREAKABLE = (
    r"[（“]*[^\x00-\u2e7f][、。，；：）？！”]*|[\x00-\u2e7f]+?(?:(?<= )(?! )|(?=[^\x00-\u2e7f]))|[\x00-\u2e7f]+$"
)
"""What stays together on a line: a word, or a wide character with the mark that follows it."""


def filled(text: str, width: int) -> list[str]:
    """*text* in lines of at most *width* columns: between words, and between characters of scripts that have no spaces."""
    if text.isascii():
        import textwrap  # reports alone wrap lines

        return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]
    lines, line = [], ""
    for piece in re.findall(_BREAKABLE, text):
        if line and cells(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()]


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def cells(text: str) -> int:
    """Columns on a terminal: wide characters take two."""
    if text.isascii():
        return len(text)
    import unicodedata  # a library of its own, for what is not ASCII

    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _many(number: int, word: str, plural: str = "s") -> str:
    return f"{number} {word}{'' if number == 1 else plural}" if number else ""
