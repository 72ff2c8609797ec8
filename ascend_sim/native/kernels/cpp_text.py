"""C++ text as tokens: enough to find declarations in it, without a compiler.

Comments, strings, raw strings and preprocessor lines are tokens of their own, so that nothing inside them is taken for code.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import field, frozen

__all__ = ["MOST_BYTES", "Refused", "Text", "Token", "split"]

MOST_BYTES = 4 << 20
"""Of one source file."""

_TOKEN = re.compile(
    r"""
      (?P<space>[ \t\r\n\f\v]+|\\\r?\n)
    | (?P<comment>//(?:\\\r?\n|[^\n])*|/\*(?:[^*]|\*(?!/))*\*/)
    | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s"]{0,16})\()
    | (?P<string>(?:u8|[uUL])?"(?:\\(?:\r?\n|.)|[^"\\\n])*")
    | (?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
    | (?P<number>\.?[0-9](?:[eEpP][+-]|'?[\w.])*)
    | (?P<word>[^\W\d]\w*)
    | (?P<sign><<<|::|->|[^\s\w])
    """,
    re.VERBOSE,
)
_IN_DIRECTIVE = re.compile(r"""\\\r?\n|/[*/]|"(?:\\.|[^"\\\n])*"|\n""")
_OPEN = {"(": ")", "[": "]", "{": "}"}


class Refused(Exception):
    """The text cannot be understood; the message names the file and the line."""


@frozen
class Token:
    """A piece of text: *kind* is comment, directive, string, char, number, word or sign."""

    kind: str
    text: str
    start: int
    end: int


@frozen(slots=False)
class Text:
    """One source file."""

    path: str
    text: str = field(repr=False)

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def line(self, place: int) -> int:
        """The number of the line with the character *place*."""
        return bisect_right(self._lines, place)

    def refused(self, place: int, why: str) -> Refused:
        return Refused(f"{self.path}:{self.line(place)}: {why}")

    @cached_property
    def tokens(self) -> list[Token]:
        """All tokens but spaces. Raises Refused."""
        return list(self._read())

    def _read(self) -> Iterator[Token]:
        if "\0" in self.text:
            raise self.refused(self.text.index("\0"), "a NUL byte: this is no source text")
        place, fresh, size = 0, True, len(self.text)
        while place < size:
            if fresh and self.text[place] == "#":
                end = self._end_of_directive(place)
                yield Token("directive", self.text[place:end], place, end)
                place = end
                continue
            found = _TOKEN.match(self.text, place)
            if found is None:
                raise self.refused(place, f"{self.text[place]!r} begins nothing that C++ knows")
            kind, end = str(found.lastgroup), found.end()
            if found["raw"]:
                kind = "string"
                end = self.text.find(f'){found["mark"]}"', end) + len(found["mark"]) + 2
                if end < place + 2 or self.text.find(f'){found["mark"]}"', found.end()) < 0:
                    raise self.refused(place, "a raw string that does not end")
            elif found[0] in ('"', "'") or (self.text.startswith("/*", place) and kind != "comment"):
                what = {'"': "a string", "'": "a character"}.get(found[0], "a comment")
                raise self.refused(place, f"{what} that does not end")
            if kind == "space":
                fresh = fresh or "\n" in found[0]
            else:
                fresh = fresh and kind == "comment"
                yield Token(kind, self.text[place:end], place, end)
            place = end

    def _end_of_directive(self, start: int) -> int:
        """Where its line ends, with those that are continued and comments that go over lines."""
        place = start
        while (found := _IN_DIRECTIVE.search(self.text, place)) is not None:
            if found[0] == "\n":
                return found.start()
            place = found.end()
            if found[0] == "/*":
                place = self.text.find("*/", place) + 2
                if place < 2:
                    raise self.refused(found.start(), "a comment that does not end")
            elif found[0] == "//":
                line = re.compile(r"(?:\\\r?\n|[^\n])*").match(self.text, place)
                return line.end() if line is not None else place
        return len(self.text)

    def closing(self, tokens: Sequence[Token], at: int) -> int:
        """The index of the bracket that closes the one at index *at*. Raises Refused."""
        wanted = []
        for i in range(at, len(tokens)):
            token = tokens[i]
            if token.kind != "sign":
                continue
            if token.text in _OPEN:
                wanted.append((_OPEN[token.text], token))
            elif token.text in ")]}":
                if wanted[-1][0] != token.text:
                    opened = self.line(wanted[-1][1].start)
                    raise self.refused(
                        token.start, f"{token.text!r} does not close {wanted[-1][1].text!r} of line {opened}"
                    )
                wanted.pop()
                if not wanted:
                    return i
        raise self.refused(tokens[at].start, f"{tokens[at].text!r} is never closed")


def split(text: Text, tokens: Sequence[Token], angles: bool = False) -> list[list[Token]]:
    """*tokens* at their commas outside brackets; with *angles* also outside ``<>``."""
    parts: list[list[Token]] = [[]]
    i, deep = 0, 0
    while i < len(tokens):
        token = tokens[i]
        if token.kind == "sign" and token.text in _OPEN:
            end = text.closing(tokens, i)
            parts[-1] += tokens[i : end + 1]
            i = end + 1
            continue
        if angles and token.text in ("<", ">"):
            deep += 1 if token.text == "<" else -1
        if token.text == "," and token.kind == "sign" and deep <= 0:
            parts.append([])
        else:
            parts[-1].append(token)
        i += 1
    return [part for part in parts if part] if parts != [[]] else []
