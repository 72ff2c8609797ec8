"""How the processes of one run hand their findings to the parent: a folder with one JSON-lines file per process.

``ascend-sim run`` names the folder in ``ASCEND_SIM_SPOOL``. Every line is written and flushed at once, so that a crash
loses nothing; a later line with the same id replaces an earlier one (its count rose).
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import IO, Any

from ascend_sim.findings.finding import Finding, from_json

__all__ = ["VARIABLE", "Spool", "read", "read_nondeterminism", "write_nondeterminism"]

VARIABLE = "ASCEND_SIM_SPOOL"


class Spool:
    """The file of this process, as a sink of :class:`~ascend_sim.findings.finding.FindingLog`.

    A finding is written when it is new, and again each time its count has doubled; :meth:`close` writes the final
    counts. After a fork the child goes on in a file of its own.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._process = 0
        self._file: IO[str] | None = None
        self._last: dict[str, tuple[int, Finding]] = {}

    def __call__(self, finding: Finding, first: bool) -> None:
        written = self._last.get(finding.id, (0, finding))[0]
        if first or finding.count >= 2 * written:
            self._write(finding.to_json())
            written = finding.count
        self._last[finding.id] = (written, finding)

    def followed(self, finding: Finding, text: str) -> None:
        """It explains one thing more."""
        self._write(finding.to_json())
        self._last[finding.id] = (finding.count, finding)

    def close(self) -> None:
        """Write what rose since the last line, and close the file."""
        for written, finding in self._last.values():
            if finding.count != written:
                self._write(finding.to_json())
        self._last.clear()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, value: dict[str, Any]) -> None:
        if self._file is None or self._process != os.getpid():
            self._process = os.getpid()
            path = os.path.join(self.folder, f"{self._process}.jsonl")
            self._file = open(path, "a", encoding="utf-8")  # noqa: SIM115 - stays open until close
        self._file.write(json.dumps(value, ensure_ascii=False) + "\n")
        self._file.flush()


def write_nondeterminism(folder: str, counts: dict[str, int]) -> None:
    """Leave the nondeterminism points of this process, by kind, for the parent."""
    with open(os.path.join(folder, f"{os.getpid()}.marks"), "w", encoding="utf-8") as file:
        json.dump(counts, file)


def read_nondeterminism(folder: str) -> dict[str, int]:
    """The nondeterminism points of all processes together, by kind."""
    total: dict[str, int] = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".marks"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for kind, count in json.load(file).items():
                    total[kind] = total.get(kind, 0) + count
    return total


def read(folder: str, main: int | None = None) -> list[Finding]:
    """The findings of all processes: those of process *main* first, the others by process number.

    Findings of other processes get the process number in their id (``F1@4711``): it differs from run to run, as
    process numbers do.
    """
    found: list[Finding] = []
    names = [name for name in os.listdir(folder) if name.endswith(".jsonl")]
    processes = sorted((int(name.removesuffix(".jsonl")) for name in names), key=lambda p: (p != main, p))
    for process in processes:
        latest: dict[str, Finding] = {}
        for value in _lines(os.path.join(folder, f"{process}.jsonl")):
            if process != main:
                value = _renamed(value, process)
            finding = from_json(value)
            latest[finding.id] = finding
        found += latest.values()
    return found


def _lines(path: str) -> Sequence[dict[str, Any]]:
    values = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                values.append(json.loads(line))
            except ValueError:  # the process died in the middle of the last line
                continue
    return values


def _renamed(value: dict[str, Any], process: int) -> dict[str, Any]:
    cause = value["cause"]
    return {**value, "id": f"{value['id']}@{process}", "cause": cause and f"{cause}@{process}"}
