"""``python -m tests.conformance.report``: run all rows, print the counts; ``--write`` puts them where `coverage` looks.

``--failed`` lists the rows on which simulator and table disagree, ``--row NAME`` runs one and shows what it raises.
"""

from __future__ import annotations

import argparse
import json
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ascend_sim
from ascend_sim.errors import SimulatedHang
from tests.conformance.registry import VERDICTS, table
from tests.conformance.run import counts, faces_of, load, result, run

__all__ = ["SUMMARY", "lines", "main", "summary"]

SUMMARY = Path(ascend_sim.__file__).parent / "data" / "conformance.json"


def summary() -> dict[str, Any]:
    """What the package ships: by chapter, rows passed, deferred (and to where), and not expressible."""
    found: dict[str, Any] = {}
    for chapter, row in counts().items():
        deferred = {verdict: row[verdict] for verdict in VERDICTS[:-1] if row[verdict]}
        found[chapter] = {
            "rows": row["rows"],
            "passed": row["passed"],
            "through pyacl": row["through pyacl"],
            "not expressible": row["not expressible"],
            "deferred": deferred,
            "open": row["failed"] + row["not written"],
        }
    return {"made by": "python -m tests.conformance.report --write", "chapters": found}


def text_of(found: dict[str, Any]) -> str:
    """The file's text: one line a chapter, so that a change shows as one line."""
    body = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in found["chapters"].items())
    return f'{{\n "made by": {json.dumps(found["made by"])},\n "chapters": {{\n{body}\n }}\n}}\n'


def lines() -> list[str]:
    """The counts as a table."""
    by_chapter = counts()
    heads = ("rows", "passed", "through pyacl", "failed", *VERDICTS, "not written")
    titles = ("rows", "passed", "pyACL", "failed", "graphs+", "no Python", "unwritten")
    total = {head: sum(row[head] for row in by_chapter.values()) for head in heads}
    width = max(len(chapter) for chapter in by_chapter)
    made = [f"{'':{width}}" + "".join(f"{title:>10}" for title in titles)]
    for chapter, row in {**by_chapter, "together": total}.items():
        made.append(f"{chapter:{width}}" + "".join(f"{row[head] or '.':>10}" for head in heads))
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Returns the number of rows that disagree or are not written, at most 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.report", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {SUMMARY.name}")
    parser.add_argument("--failed", action="store_true", help="list what disagrees")
    parser.add_argument("--row", metavar="NAME", action="append", help="run these rows and show what they raise")
    options = parser.parse_args(arguments)
    if options.row:
        for name in options.row:
            for face in faces_of(name):
                print(f"== {name} through {face}: {table()[name].function}: {table()[name].condition}")
                try:
                    run(name, face)
                except (Exception, SimulatedHang):  # noqa: BLE001 - shown, whatever it is
                    traceback.print_exc()
        return 0
    print("\n".join(lines()))
    bad = [
        (name, face, error) for name in load() for face in faces_of(name) if (error := result(name, face)) is not None
    ]
    if options.failed:
        for name, face, error in bad:
            row = table()[name]
            print(f"{name} {face}: {row.function}: {row.condition}\n    {type(error).__name__}: {error}")
    if options.write:
        SUMMARY.write_text(text_of(summary()), encoding="utf-8")
    return int(bool(bad) or any(row["not written"] for row in counts().values()))


if __name__ == "__main__":
    raise SystemExit(main())
