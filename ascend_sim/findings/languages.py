"""Findings in the reader's language: they are made in English, and translated where they are shown, by one table.

A line of ``data/zh_findings.tsv`` is an English text and its Chinese form. ``{x}`` in both stands for what differs from
finding to finding, which is translated in its turn: ``{a} reads {b}`` for "a copy on `s1` reads `p`"; ``{=x}`` for what
is the program's own. ``<s>`` is a part that may be absent. What the table does not know stays English; names and code
always do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ascend_sim.catalogue.tables import rows

if TYPE_CHECKING:
    from ascend_sim.findings.finding import Finding

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "VARIABLE",
    "WIDE",
    "chosen",
    "english_words",
    "in_cells",
    "in_lines",
    "missing",
    "translated",
    "translated_finding",
    "untranslated",
    "width_of",
]

ENGLISH = "en"
LANGUAGES = (ENGLISH, "zh")
VARIABLE = "ASCEND_SIM_LANG"

_PART = r"\{(=?)(\w+)\}|<([^<>{}]+)>"
_TOKEN, _CALL, _LINE = r"\S+?", r"[\w.*]+(?:\([^()]*\))?", r"(?:line \d+|\S+:\d+|an unknown place)"
_HOLES = {
    **dict.fromkeys(("n", "m", "k", "d", "lo", "hi", "code", "r1", "r2", "r3"), _TOKEN),
    **dict.fromkeys(("call", "other", "maker"), _CALL),
    **dict.fromkeys(("line", "l1", "l2", "l3", "l4"), _LINE),
    **dict.fromkeys(("place", "id", "kind"), _TOKEN),
    "name": "[^`]*",
    "file": r"\S+\.\w+",
    "context": "[^()]+",
    **dict.fromkeys(("amount", "whole"), r"[\d.,]+ (?:[KMGTP]i)?B"),
    "span": r"[\d.,]+ (?:ns|us|ms|s)",
}
"""What stands in the holes of these names; any text in the others."""
_IN_WORDS = ("line", "l1", "l2", "l3", "l4", "context")
"""Those of them that are translated in their turn."""
_NAMES = (
    r"`[^`]*`"  # what the program calls it
    r"|\b(?:acl|hccl|rt)[\w.]*(?:\([^()]*\))?"  # functions, and calls to type
    r"|--[a-z][\w-]*(?:[= ][\w:.=,*-]+)?"  # options
    r"|T\d+ \((?!host functions)(?:[^()]|\([^()]*\))*\)"  # threads
    r"|[\w./<>-]+\.(?:py|c|cc|cpp|h|om|o|json|so|toml)(?::\d+)?"  # places
    r"|\b\w*[A-Z]\w*[A-Z_]\w*\b"  # constants, classes, exceptions
    r"|\b\w+\([^()]*\)|\b\w+\[[^\]]*[\])]|\b\w+(?:\.\w+)+"  # code
    r"|0x[0-9a-f]+|\b\d[\w.]*"
)
"""What stays as it is in every language; compiled by the first text that is translated, which most runs have not."""
_WORD = r"[A-Za-z]{2,}"
_JOINED = {"; ": "；", ": ": "：", ", and ": "，", ", ": "，", " and ": " 和 ", " or ": " 或 "}
"""Where a text of several parts is cut when the table does not know the whole, and what joins the parts again."""
WIDE = "\u2e80"
"""From this character on they are about as wide as high."""
_WIDE = r"[\u2e80-\uffef]"
_GAP = f"(?<={_WIDE})\0 (?=\0?{_WIDE})|(?<={_WIDE}) \0(?={_WIDE})"
"""A space between Chinese characters of two parts, each part between two NULs."""
_DEEPEST = 8
_LONGEST = 4000
"""Longer texts hold something of the program's (an exception, a file): they stay as they are, whatever is in them."""


def chosen() -> str:
    """The language of texts: ASCEND_SIM_LANG, else what LC_ALL, LC_MESSAGES or LANG begin with; English otherwise."""
    for variable in (VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable)
        if value:
            return next((language for language in LANGUAGES if value.lower().startswith(language)), ENGLISH)
    return ENGLISH


class _Template:
    """One line of the table. *weight*: how many characters of it are text; of several that fit, the longest is taken."""

    __slots__ = ("literal", "pattern", "raw", "target", "weight")

    def __init__(self, source: str, target: str) -> None:
        pattern, literals, at = "", [], 0
        for match in re.finditer(_PART, source):
            literals.append(source[at : match.start()])
            pattern += re.escape(literals[-1])
            pattern += f"(?P<{match[2]}>{_HOLES.get(match[2], '.+?')})" if match[2] else f"(?:{re.escape(match[3])})?"
            at = match.end()
        literals.append(source[at:])
        self.pattern = re.compile(pattern + re.escape(literals[-1]), re.DOTALL)
        self.raw = frozenset(
            m[2] for m in re.finditer(_PART, source) if m[1] or (m[2] in _HOLES and m[2] not in _IN_WORDS)
        )
        """The holes whose text is the program's own, or the same in every language."""
        self.literal = max(literals, key=len)
        self.target = target
        self.weight = sum(map(len, literals))

    def filled(self, found: Mapping[str, str]) -> str:
        """The Chinese form with *found* in its holes."""

        def put(hole: re.Match[str]) -> str:
            return found[hole[2]] if hole[2] in self.raw else _part(found[hole[2]])

        return _close(re.sub(_PART, put, self.target))


def _part(text: str) -> str:
    return f"\0{text}\0"


def _close(text: str) -> str:
    """Parts written together: the table has spaces around its holes, which are for names and numbers.

    >>> _close("在 " + _part("流 2") + " 上等待，在 " + _part("`s`") + " 上记录")
    '在流 2 上等待，在 `s` 上记录'
    """
    return re.sub(_GAP, "", text).replace("\0", "")


@cache
def _templates(language: str) -> Sequence[_Template]:
    found = [_Template(source, target) for source, target in rows(f"{language}_findings.tsv", "english translation")]
    return sorted(found, key=lambda template: -template.weight)


def english_words(text: str) -> list[str]:
    """The words of *text* that are English prose: not names, code, numbers or places.

    >>> english_words("`s1` waits for event 2, T1 (main) calls aclrtFree")
    ['waits', 'for', 'event', 'calls']
    """
    return re.findall(_WORD, re.sub(_NAMES, " ", text))


def translated(text: str, language: str) -> str:
    """*text* in *language*, part by part as far as the table goes."""
    return text if language == ENGLISH else _put(text, language, 0)[0]


def in_lines(text: str, language: str = "") -> str:
    """*text* line by line in *language*, by default the one that is chosen; what stands before a line's first word stays."""
    language = language or chosen()
    if language == ENGLISH:
        return text
    lines = [(line, line.lstrip(" #")) for line in text.split("\n")]
    return "\n".join(line[: len(line) - len(words)] + translated(words, language) for line, words in lines)


def in_cells(text: str, language: str) -> str:
    """*text* in *language*, whose lines have cells that are apart by two blanks or more: each keeps its place."""
    return text if language == ENGLISH else "\n".join(_cells(line, language) for line in text.split("\n"))


def _cells(line: str, language: str) -> str:
    said = ""
    for cell in re.finditer(r"\S+(?: \S+)*", line):
        apart = 2 if said else 0
        said += " " * max(cell.start() - width_of(said), apart) + translated(cell[0], language)
    return said


def width_of(text: str) -> int:
    """How many columns of a terminal *text* takes: Chinese characters take two."""
    return len(text) + sum(letter >= WIDE for letter in text)


def missing(text: str, language: str) -> tuple[str, ...]:
    """The parts of *text* that the table does not know."""
    return _put(text, language, 0)[1]


@lru_cache(maxsize=2048)
def _put(text: str, language: str, depth: int) -> tuple[str, tuple[str, ...]]:
    """*text* in *language*, and what of it stayed English."""
    if not english_words(text):
        return text, ()
    best: tuple[str, tuple[str, ...]] = (text, (text,))
    if depth > _DEEPEST or len(text) > _LONGEST:
        return best
    for template in _templates(language):
        match = template.pattern.fullmatch(text) if template.literal in text else None
        if match is not None:
            found = {
                name: (part, ()) if name in template.raw else _put(part, language, depth + 1)
                for name, part in match.groupdict().items()
            }
            left = tuple(rest for _, parts in found.values() for rest in parts)
            if best[1] == (text,) or len(left) < len(best[1]):
                best = template.filled({name: part for name, (part, _) in found.items()}), left
            if not left:
                return best
    for joint, joined in _JOINED.items():
        parts = _cut(text, joint)
        if len(parts) > 1:
            pieces = [_put(part, language, depth + 1) for part in parts]
            left = tuple(rest for _, rests in pieces for rest in rests)
            if not left:
                return _close(joined.join(_part(piece) for piece, _ in pieces)), ()
    return best


def _cut(text: str, joint: str) -> list[str]:
    """The parts of *text* between *joint*, but for joints inside of names and code."""
    covered = [match.span() for match in re.finditer(_NAMES, text)]
    parts, begin, at = [], 0, text.find(joint)
    while at >= 0:
        if not any(low <= at < high for low, high in covered):
            parts.append(text[begin:at])
            begin = at + len(joint)
        at = text.find(joint, at + len(joint))
    parts.append(text[begin:])
    return [part for part in parts if part]


_REMARK = re.compile(r"(?<=  )(?:#|//) (.+)")
"""What stands behind a line of code."""


def _lines(text: str, language: str) -> str:
    """The first line is a sentence; further ones are code, of which the remark is in *language*."""
    sentence, *code = text.split("\n")
    return "\n".join([translated(sentence, language), *(_remarks(line, language) for line in code)])


def _remarks(code: str, language: str) -> str:
    return _REMARK.sub(lambda found: f"{found[0].split()[0]} {translated(found[1], language)}", code)


def translated_finding(finding: Finding, language: str) -> Finding:
    """*finding* with its texts in *language*; kinds, severities and places are the same in all."""
    if language == ENGLISH:
        return finding
    ranges = finding.bytes
    if ranges is not None:
        labels = [each._replace(label=translated(each.label, language)) for each in ranges.ranges]
        ranges = ranges.evolved(object=translated(ranges.object, language), ranges=labels)
    return finding.evolved(
        title=translated(finding.title, language),
        order=translated(finding.order, language),
        fix=_lines(finding.fix, language),
        notes=[_lines(note, language) for note in finding.notes],
        followers=[translated(text, language) for text in finding.followers],
        sites=[site.evolved(text=translated(site.text, language)) for site in finding.sites],
        bytes=ranges,
    )


def untranslated(finding: Finding, language: str) -> Iterator[str]:
    """What of the texts of *finding* has no translation."""
    texts = [finding.title, finding.order, finding.fix, *finding.notes, *finding.followers]
    for text in (*texts, *(site.text for site in finding.sites)):
        sentence, *code = text.split("\n")
        for part in (sentence, *(found[1] for line in code for found in _REMARK.finditer(line))):
            yield from missing(part, language)
