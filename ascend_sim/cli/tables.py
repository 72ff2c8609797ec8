"""A table on standard output: with rich on a terminal where it is installed, else in plain columns."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ascend_sim.findings.languages import chosen, translated
from ascend_sim.findings.rendering import cells

__all__ = ["plain", "show"]


def plain(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns separated by two spaces: the first to the left, the others to the right.

    >>> print(plain(("name", "n"), [("a", "10"), ("long", "2")]))
    name   n
    a     10
    long   2
    """
    lines = [head, *rows]
    widths = [max(cells(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        line[0]
        + " " * (widths[0] - cells(line[0]))
        + "".join("  " + " " * (w - cells(cell)) + cell for cell, w in zip(line[1:], widths[1:], strict=True))
        for line in lines
    )


def show(head: Sequence[str], rows: Sequence[Sequence[str]], total: bool = False) -> None:
    """Print the table; with *total* the last row is a sum. What stands at the head of columns and rows is translated."""
    language = chosen()
    head = [translated(title, language) for title in head]
    rows = [(translated(first, language), *others) for first, *others in rows]
    if sys.stdout.isatty():
        try:
            from rich.console import Console
            from rich.table import Table
        except ImportError:
            pass
        else:
            table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0))
            for i, title in enumerate(head):
                table.add_column(title, justify="right" if i else "left", no_wrap=True)
            for i, row in enumerate(rows):
                table.add_row(*row, style="bold" if total and i == len(rows) - 1 else None)
            Console().print(table)
            return
    print(plain(head, rows))
