"""Escapes untrusted names and texts for a terminal or log: they start no line, move no cursor and give no command."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["escaped", "quoted"]

_COMMAND: Final = r"#(?=#\w*\[)"
"""``##[error]``, ``##vso[...]``, ``##teamcity[...]`` are commands of CI systems wherever they stand in a line."""
_LEADING: Final = r"^\s*:(?=:)"
"""``::error::`` is one at the beginning of a line, blanks before it or not."""


def escaped(text: str) -> str:
    r"""*text* as one line: what cannot be printed (line ends, ESC, controls of direction, halves of pairs) as escapes.

    >>> escaped("a\nb\x1b[31m"), escaped("::error::x"), escaped("see ##vso[task.complete]")
    ('a\\nb\\x1b[31m', '\\x3a:error::x', 'see \\x23#vso[task.complete]')
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    if "##" in text:
        text = re.sub(_COMMAND, r"\\x23", text)
    return re.sub(_LEADING, lambda found: found[0][:-1] + r"\x3a", text)


def quoted(name: str) -> str:
    """*name* as a command line has it, in one line: in quotes where a shell would take it apart.

    >>> quoted("add.o"), quoted("my model.om")
    ('add.o', "'my model.om'")
    """
    import shlex  # nearly no run names a file in a command

    return shlex.quote(escaped(name))
