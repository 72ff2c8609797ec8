"""``ascend-sim bench``: what the simulator itself costs, as multiples of a floor measured in the same run.

`floors.py` says what the floor is. Absolute times are printed beside the figures for orientation only.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase

from ascend_sim.cli.bench import (
    calls,
    checks,
    copies,
    explore,
    graphs,
    kernels,
    models,
    native,
    operators,
    pictures,
    start,
    testing,
    timeline,
    torch,
)
from ascend_sim.cli.bench.floors import Row, Settings, Value, floor
from ascend_sim.cli.help import Parser
from ascend_sim.findings.languages import in_lines

__all__ = ["GROUPS", "chosen", "main", "measure"]

HELP = "measure the speed of the simulator itself"
GROUPS = (
    calls.GROUP, copies.GROUP, start.GROUP, models.GROUP, kernels.GROUP, timeline.GROUP, graphs.GROUP, testing.GROUP,
    explore.GROUP, checks.GROUP, native.GROUP, operators.GROUP, pictures.GROUP, torch.GROUP,
)  # fmt: skip


def chosen(patterns: Sequence[str]) -> list[Row]:
    """The rows whose names match one of *patterns* (``copy_*``); without patterns all but those that take long.

    Raises ValueError for a pattern that matches none.
    """
    rows = [row for group in GROUPS for row in group.rows]
    for pattern in patterns:
        if not any(fnmatchcase(row.name, pattern) for row in rows):
            raise ValueError(f"no row is called {pattern}: there are {', '.join(row.name for row in rows)}")
    if not patterns:
        return [row for row in rows if not row.extra]
    return [row for row in rows if any(fnmatchcase(row.name, pattern) for pattern in patterns)]


def measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    """The figures of the rows *names*, but for those that cannot be measured here."""
    figures: dict[str, Value] = {}
    for group in GROUPS:
        wanted = {row.name for row in group.rows if row.name in names}
        if wanted and group.missing() is None:
            figures.update(group.measure(wanted, settings))
    return figures


def _medians(runs: list[dict[str, Value]]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for name, (_, absolute) in runs[0].items():
        microseconds = [us for run in runs for us in (run[name][1],) if us is not None]
        value = statistics.median(run[name][0] for run in runs)
        found[name] = value, statistics.median(microseconds) if absolute is not None else None
    return found


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(prog="ascend-sim bench", description=__doc__)
    made.add_argument("rows", nargs="*", metavar="ROW", help="names or patterns, such as 'copy_*' (default: most rows)")
    made.add_argument("--runs", type=int, default=1, help="print medians of so many runs of all rows (default 1)")
    made.add_argument("--json", action="store_true", help="machine-readable output")
    made.add_argument("--check", action="store_true", help="exit with 1 when a figure is above its bar")
    made.add_argument("--threads", choices=("free", "deterministic"), default="deterministic")
    made.add_argument("--tasks", type=int, default=100_000, help="length of the plan (default 100000)")
    return made


def main(argv: Sequence[str]) -> int:
    """Print the figures; exit code 1 when one is above its bar and ``--check`` was given."""
    line = parser()
    options = line.parse_args(argv)
    if options.runs < 1 or options.tasks < 1:
        line.error("--runs and --tasks take 1 and more")
    try:
        rows = chosen(options.rows)
    except ValueError as error:
        line.error(str(error))
    names = [row.name for row in rows]
    settings = Settings(options.threads, options.tasks)
    runs = [measure(names, settings) for _ in range(options.runs)]
    figures = _medians(runs)
    over = [row.name for row in rows if row.name in figures and figures[row.name][0] > row.bar]
    if options.json:
        each = {name: [run[name][0] for run in runs] for name in figures}
        print(json.dumps({"floor_us": floor() * 1e6, "figures": figures, "runs": each, "over": over}))
    else:
        _print(rows, figures, runs, options.threads)
    return 1 if options.check and over else 0


def _print(rows: list[Row], figures: dict[str, Value], runs: list[dict[str, Value]], threads: str) -> None:
    many = f"; medians of {len(runs)} runs, with the least and the most" if len(runs) > 1 else ""
    print(
        in_lines(f"floor: {floor() * 1e6:.3f} us (an object with slots, append, pop, call); threads={threads}{many}\n")
    )
    for row in rows:
        if row.name not in figures:
            continue
        value, microseconds = figures[row.name]
        aside = f" {microseconds:10.2f} us" if microseconds is not None else " " * 14
        mark = "OVER" if value > row.bar else "    "
        each = [run[row.name][0] for run in runs]
        spread = f" {f'{min(each):,.3f} .. {max(each):,.3f}':>22}" if len(runs) > 1 else ""
        print(
            f"{row.name:20} {value:10,.3f} {row.unit:8} (bar {row.bar:>7,}) {mark}{spread}{aside}  {in_lines(row.text)}"
        )
    for group in GROUPS:
        why = group.missing()
        skipped = [row.name for row in group.rows if row in rows]
        if why is not None and skipped:
            print(in_lines(f"skipped: {', '.join(skipped)} ({why})"))
