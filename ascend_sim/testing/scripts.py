"""A program that is written and run line by line: what a failing test prints is what it ran.

Each line is compiled with its number in the program, so that findings and tracebacks point to it.
"""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from itertools import count
from typing import Any

from ascend_sim.errors import SimulatedHang
from ascend_sim.findings.languages import in_lines

__all__ = ["Script", "ScriptFailure"]

_FILES = count(1)


class ScriptFailure(AssertionError):
    """A line of the program did what it should not: a sentence, in the language that is chosen, and lines that show it."""

    def __init__(self, text: str) -> None:
        sentence, *shown = text.split("\n")
        super().__init__("\n".join([in_lines(sentence), *shown]))


class Script:
    """The lines of one program, and the names that they may use.

    *head* are lines that were not run by `run` (imports, making the simulator). A line that assigns to ``ret`` must
    leave 0 there, unless another code is asked for.
    """

    def __init__(self, name: str, head: Sequence[str] = (), **names: Any) -> None:
        self.file = f"<{name}>"
        self.lines = list(head)
        self.names: dict[str, Any] = {"__name__": "__main__", **names}
        self._count: dict[str, int] = {}
        self._shown()

    def fresh(self, letter: str) -> str:
        """A new variable: ``s1``, ``s2``, ..."""
        number = self._count[letter] = self._count.get(letter, 0) + 1
        return f"{letter}{number}"

    def run(self, line: str, code: int | None = 0) -> Any:
        """Write *line* and run it; the value of what it assigns to (the first name), or None.

        Raises ScriptFailure when it leaves another *code* than this in ``ret`` (None: any will do), or would hang.
        """
        self.lines.append(line)
        self._shown()
        compiled = compile("\n" * (len(self.lines) - 1) + line, self.file, "exec", dont_inherit=True)
        try:
            exec(compiled, self.names)
        except SimulatedHang as hang:
            raise ScriptFailure(f"`{line}` never returns: {hang}") from None
        except AssertionError as error:
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            if trace is None or trace.tb_frame.f_code is not compiled:
                raise
            # one place for all lines, or hypothesis takes each line for a failure of its own
            raise ScriptFailure(f"`{line}`: {error}") from None
        targets = line.partition(" = ")[0].split(", ")
        if code is not None and targets[-1] == "ret" and self.names["ret"] != code:
            raise ScriptFailure(f"`{line}` returned {self.names['ret']}, not {code}: {_text()}")
        return self.names.get(targets[0])

    def remark(self, text: str) -> None:
        """A comment in the program."""
        self.lines.append(f"# {text}")
        self._shown()

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _shown(self) -> None:
        """Reports look the source up here; the entry has no date, so that nobody looks for a file."""
        lines = [line + "\n" for line in self.lines]
        linecache.cache[self.file] = (0, None, lines, self.file)

    def close(self) -> None:
        """Forget the names; the text stays until reports do not need it any more."""
        self.names.clear()


def _text() -> str:
    from ascend_sim import ascendcl

    return str(ascendcl.aclGetRecentErrMsg())
