"""The programs of the class in another language: comments and docstrings are replaced, the code stays, line by line.

The table (``lessons/zh/texts.tsv``) has each paragraph in English and in Chinese. A translated paragraph takes as many lines
as the English one, so that reports and answers name the same lines in both. What the table does not know stays English.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise

import attrs

from ascend_sim.findings.rendering import filled

__all__ = ["Paragraph", "in_language", "paragraphs", "unbroken"]

_DIRECTIVE = re.compile(r"# (?:fmt|type|noqa|pragma)\b")
_WIDE = r"[\u2e80-\uffef]"
_CLAUSE = re.compile(r".*?[，。；：！？]+[）”]*|.+$")
_WIDEST = 116


@attrs.frozen
class Paragraph:
    """A paragraph of a docstring, a comment, or a point of one: lines *first* to *last* of a program.

    *head* and *margin* stand before its first line and the others, *tail* behind the last one.
    """

    first: int
    last: int
    head: str
    margin: str
    tail: str
    text: str


def in_language(source: str, known: Mapping[str, str]) -> str:
    """The program *source* with the translations *known* of its comments and docstrings."""
    lines = source.split("\n")
    for each in paragraphs(source):
        if each.text in known:
            pieces = _into(known[each.text], each.last - each.first + 1)
            heads = [each.head] + [each.margin] * (len(pieces) - 1)
            lines[each.first : each.last + 1] = [before + piece for before, piece in zip(heads, pieces, strict=True)]
            lines[each.last] += each.tail
    return "\n".join(lines)


def paragraphs(source: str) -> Iterator[Paragraph]:
    """The paragraphs of *source* that a translation replaces; not the commands in docstrings."""
    lines = source.split("\n")
    block: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        row, column = token.start[0] - 1, token.start[1]
        if token.type == tokenize.STRING and token.string.startswith('"""'):
            yield from _of_docstring(lines, row, column, token.end[0] - 1)
        elif token.type == tokenize.COMMENT and not _DIRECTIVE.match(token.string):
            if lines[row][:column].strip():
                yield Paragraph(row, row, lines[row][: column + 2], "", "", token.string[2:])
            else:
                if block and block[-1] != row - 1:
                    yield from _of_comment(lines, block)
                    block = []
                block.append(row)
    if block:
        yield from _of_comment(lines, block)


def _of_docstring(lines: list[str], first: int, column: int, last: int) -> Iterator[Paragraph]:
    begin = first
    for row in range(first, last + 1):
        text = lines[row][column + 3 :] if row == first else lines[row]
        ends = row == last or not lines[row + 1].strip() or lines[row + 1].strip() == '"""'
        if not text.strip() or text.strip() == '"""':
            begin = row + 1
        elif ends:
            head = lines[begin][: column + 3] if begin == first else " " * column
            tail = '"""' if row == last else ""
            whole = [line.strip() for line in lines[begin : row + 1]]
            if begin == first:
                whole[0] = whole[0][3:]
            words = " ".join(whole).removesuffix(tail) if tail else " ".join(whole)
            if not lines[begin].startswith(" " * column + "    ascend-sim "):
                yield Paragraph(begin, row, head, " " * column, tail, words)
            begin = row + 1


def _of_comment(lines: list[str], rows: list[int]) -> Iterator[Paragraph]:
    """Points (``- ``) are paragraphs of their own, and so is a first line that asks or announces."""
    indent = lines[rows[0]].partition("#")[0]
    groups: list[list[int]] = []
    for row in rows:
        text = lines[row].strip()
        announced = len(groups) == 1 and len(groups[0]) == 1 and lines[rows[0]].endswith(("?", ":"))
        if not groups or announced or text.startswith("# - "):
            groups.append([])
        groups[-1].append(row)
    for group in groups:
        mark = "# - " if lines[group[0]].strip().startswith("# - ") else "# "
        words = " ".join(lines[row].strip()[len(mark) :].strip() for row in group)
        yield Paragraph(group[0], group[-1], indent + mark, indent + "# ".ljust(len(mark)), "", words)


def _into(text: str, count: int) -> list[str]:
    """*text* in *count* lines of about the same width, between clauses where that makes no line too wide."""
    if count == 1:
        return [text]
    clauses = _CLAUSE.findall(text)
    ways = [
        ["".join(clauses[low:high]).strip() for low, high in pairwise((0, *cuts, len(clauses)))]
        for cuts in combinations(range(1, len(clauses)), count - 1)
    ]
    if ways and max(map(_columns, best := min(ways, key=lambda way: max(map(_columns, way))))) <= _WIDEST:
        return best
    width = 16
    while len(pieces := filled(text, width)) > count:
        width += 2
    while len(pieces) < count:
        longest = max(range(len(pieces)), key=lambda at: len(pieces[at]))
        width = len(pieces[longest])
        while len(halves := filled(pieces[longest], width)) > 2:
            width += 1
        if len(halves) < 2:
            break
        pieces[longest : longest + 1] = halves
    return pieces


def _columns(line: str) -> int:
    return len(line) + len(re.findall(_WIDE, line))


def unbroken(text: str) -> str:
    """*text* without the ends of lines between wide characters, where a page would show a space."""
    return re.sub(rf"(?<={_WIDE})\n(?={_WIDE})", "", text)
