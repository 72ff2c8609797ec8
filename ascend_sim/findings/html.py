"""Findings as HTML, for notebooks: title, source lines, bytes, order, help. Everything that is no markup is escaped.

The words are those of the text form (`rendering.py`); nothing here is a script, and nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ascend_sim.findings.languages import chosen, in_lines, translated_finding
from ascend_sim.findings.rendering import place, remarks
from ascend_sim.source.callsite import source_line
from ascend_sim.source.fence import fenced

if TYPE_CHECKING:
    from ascend_sim.findings.finding import ByteMap, Finding, Site

__all__ = ["escaped_html", "finding_html", "findings_html", "table_html"]

_COLOURS = {"error": "#c62828", "warning": "#b26a00", "note": "#00798c"}
_BOX = "border-left:4px solid {colour};padding:2px 0 2px 10px;margin:6px 0"
_CODE = "margin:1px 0 1px 12px;white-space:pre;font-family:monospace;background:none"
MOST = 25
"""So many findings are shown whole, the others by their titles."""


def escaped_html(text: object) -> str:
    """*text* for a page: markup and what cannot be printed as they would be read."""
    plain = "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in str(text))
    for letter, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;")):
        plain = plain.replace(letter, name)
    return plain


@fenced(lambda finding: f"<div>{escaped_html(finding.severity)}[{escaped_html(finding.kind)}]</div>")
def finding_html(finding: Finding) -> str:
    """One finding."""
    language = chosen()
    finding = translated_finding(finding, language)
    colour = _COLOURS.get(finding.severity, "#555")
    primary = finding.primary
    sites = sorted(finding.sites, key=lambda site: site is not primary)
    parts = [f"<b style='color:{colour}'>{_head(finding)}</b>: {escaped_html(finding.title)}"]
    parts += [_site(site, colour if site is primary else "#1a5fb4") for site in sites]
    if finding.bytes is not None:
        parts.append(_bytes(finding.bytes))
    for label, text in remarks(finding, language):
        sentence, *code = text.split("\n")
        parts.append(f"<div><i>{escaped_html(label)}</i>: {escaped_html(sentence)}</div>")
        parts += [f"<div style='{_CODE}'>{escaped_html(line)}</div>" for line in code]
    return f"<div style='{_BOX.format(colour=colour)}'>{''.join(parts)}</div>"


def findings_html(findings: Iterable[Finding]) -> str:
    """All of them, in their order: those that others explain by their titles."""
    shown = [finding for finding in findings if finding.suppressed is None]
    whole = [finding for finding in shown if finding.cause is None]
    parts = [finding_html(finding) for finding in whole[:MOST]]
    parts += [f"<div>{_head(f)}: {escaped_html(in_lines(f.title))}</div>" for f in whole[MOST:]]
    because = in_lines("because of")
    parts += [
        f"<div>note[{escaped_html(f.id)}]: {escaped_html(in_lines(f.title))} {because} {escaped_html(f.cause)}</div>"
        for f in shown
        if f.cause is not None
    ]
    return "".join(parts) or f"<div>{in_lines('no findings')}</div>"


def table_html(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """A small table with names and values."""
    cell = "<td style='text-align:left'>{}</td>"
    cells = "".join(f"<tr>{cell.format(escaped_html(a))}{cell.format(escaped_html(b))}</tr>" for a, b in rows)
    return f"<table><caption>{escaped_html(title)}</caption>{cells}</table>"


def _head(finding: Finding) -> str:
    return f"{escaped_html(finding.severity)}[{escaped_html(finding.kind)}]"


def _site(site: Site, colour: str) -> str:
    frames = site.frames
    if not frames:
        return f"<div>{escaped_html(site.text)}</div>"
    frame = frames[0]
    text = source_line(frame.file, frame.line).rstrip()
    where = escaped_html(f"{place(frame)} in {frame.function}")
    if frame.col is not None and frame.end_col is not None and frame.col < frame.end_col <= len(text):
        before, marked, after = text[: frame.col].lstrip(), text[frame.col : frame.end_col], text[frame.end_col :]
        line = f"{escaped_html(before)}<u style='color:{colour}'>{escaped_html(marked)}</u>{escaped_html(after)}"
    else:
        line = escaped_html(text.strip())
    return (
        f"<div>{where}: <span style='color:{colour}'>{escaped_html(site.text)}</span></div>"
        f"<div style='{_CODE}'>{frame.line} | {line}</div>"
    )


def _bytes(picture: ByteMap) -> str:
    """A bar for the object, and one for each access."""
    low = min([0, *(r.lo for r in picture.ranges)])
    extent = max([picture.size, *(r.hi for r in picture.ranges)])
    span = max(extent - low, 1)

    def bar(label: str, lo: int, hi: int, colour: str) -> str:
        left, width = 100 * (lo - low) / span, max(100 * (hi - lo) / span, 0.5)
        return (
            f"<tr><td style='text-align:left'>{escaped_html(label)}</td><td style='min-width:300px'>"
            f"<div style='margin-left:{left:.2f}%;width:{min(width, 100 - left):.2f}%;height:9px;background:{colour}'></div>"
            f"</td><td style='text-align:left'>[{lo}, {hi})</td></tr>"
        )

    rows = [
        bar(picture.object, 0, picture.size, "#999"),
        *(bar(r.label, r.lo, r.hi, "#1a5fb4") for r in picture.ranges),
    ]
    return f"<table>{''.join(rows)}</table>"
