"""The IPython extension: ``%load_ext ascend_sim``, then cells that begin with ``%%ascend``.

Such a cell runs on a simulator of its own, fresh as a new process. Under it stand its findings and its timeline.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from ascend_sim.findings import rendering
from ascend_sim.findings.html import escaped_html, findings_html
from ascend_sim.findings.languages import chosen, in_lines, translated
from ascend_sim.observers.failed_calls import FailedCalls
from ascend_sim.pyacl import put_into
from ascend_sim.simulator import Simulator

__all__ = ["CellResult", "load_ipython_extension", "unload_ipython_extension"]


class BadOptions(ValueError):
    """Words behind ``%%ascend`` that are no options; the text says why."""


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadOptions(message)


def parser() -> argparse.ArgumentParser:
    """The options of the magic: those of Simulator that a cell needs."""
    made = _Options(prog="%%ascend", add_help=False, allow_abbrev=False)
    add = made.add_argument
    add("--devices", type=int, default=1, metavar="N")
    add("--soc", metavar="NAME")
    add("--seed", type=int, default=0, metavar="N")
    add("--schedule", default="virtual-time", metavar="NAME")
    add("--check", dest="checks", metavar="NAMES")
    add("--inject", dest="faults", action="append", metavar="PLAN")
    add("--no-timeline", action="store_true")
    return made


class CellResult:
    """What a cell did: its simulator, which is closed, and its timeline. Shows itself in notebooks and at prompts.

    *failed*: which calls failed and why, one a line, and *codes* with what (docs/semantics/reports.md#failed-calls).
    """

    def __init__(self, sim: Simulator, timeline: Any, failed: Sequence[str] = (), codes: Sequence[int] = ()) -> None:
        self.sim = sim
        self.timeline = timeline
        self.codes = codes
        self.failed = [translated(f"ascend-sim: {line}", chosen()) for line in failed]

    def __repr__(self) -> str:
        shown = [finding for finding in self.sim.findings if finding.suppressed is None]
        parts = [rendering.full(finding) + "\n" for finding in shown if finding.cause is None]
        parts += self.failed
        parts.append(rendering.summary(shown, codes=self.codes) or translated("ascend-sim: no findings", chosen()))
        if self.timeline is not None:
            parts.append("\n" + self.timeline.text())
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        lines = list(self.failed)
        if self.codes:
            lines.append(rendering.summary([], codes=self.codes))
        found = findings_html(self.sim.findings) + "".join(f"<div>{escaped_html(line)}</div>" for line in lines)
        if self.timeline is None:
            return found
        page = escaped_html(self.timeline.html())
        return (
            f"{found}<iframe srcdoc='{page}' sandbox='allow-scripts' style='width:100%;height:360px;border:0'></iframe>"
        )


def ascend(line: str, cell: str) -> None:
    """Run the cell on a fresh simulator; show its findings and its timeline under it."""
    from IPython import get_ipython
    from IPython.display import display

    shell: Any = get_ipython()  # type: ignore[no-untyped-call, unused-ignore]
    try:
        options = vars(parser().parse_args(shlex.split(line)))
        without = options.pop("no_timeline")
        sim = Simulator(**{name: value for name, value in options.items() if value is not None})
    except (ValueError, KeyError) as error:
        print(f"%%ascend: {in_lines(str(error.args[0] if error.args else error))}", file=sys.stderr)
        return
    put_into(sys.modules)
    sim.follow_environment()
    timeline = None if without else sim.timeline()
    failed = FailedCalls(sim)
    sim.attach(failed)
    with sim:
        ran = shell.run_cell(cell)
    display(CellResult(sim, timeline, failed.lines(not ran.success), failed.codes(not ran.success)))  # type: ignore[no-untyped-call, unused-ignore]


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext ascend_sim``: cells can begin with ``%%ascend``, and ``import acl`` finds the simulator in them."""
    shell.register_magic_function(ascend, "cell", "ascend")


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext ascend_sim``: cells that begin with ``%%ascend`` are unknown again."""
    shell.magics_manager.magics["cell"].pop("ascend", None)
