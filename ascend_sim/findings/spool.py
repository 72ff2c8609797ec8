"""How the processes of one run hand their findings to the parent: a folder with one JSON-lines file per process.

``ascend-sim run`` names the folder in ``ASCEND_SIM_SPOOL``. Every line is written at once, so that a crash loses nothing;
a later line with the same id replaces an earlier one (its count rose), a line ``follow`` adds what a finding explains, and
one with a ``severity`` makes a warning an error.
A process that becomes another program (`exec`) goes on in its file behind a line ``anew``.
A process that could not write says so with an empty file (``.lost``): nothing of the run is then taken for complete.

A process may outlive the run (a daemon, a worker that nobody waited for). It holds a lock on its file as long as it
lives, by which the parent knows it (`living`) and says so. When the folder has gone, such a process takes its findings
for lost, as it should: it prints them as before, and sums up itself
(docs/semantics/reports.md#processes-that-outlive-the-run).
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any

from ascend_sim.findings.finding import Finding, from_json
from ascend_sim.source.fence import fenced

__all__ = [
    "VARIABLE", "Spool", "begin", "called", "end", "first_of_run", "living", "nobody_called", "read", "read_all",
    "read_codes", "read_nondeterminism", "unfinished", "write_codes", "write_nondeterminism",
]  # fmt: skip

try:
    import fcntl as _fcntl
except ImportError:  # Windows
    fcntl: ModuleType | None = None
else:
    fcntl = _fcntl

VARIABLE = "ASCEND_SIM_SPOOL"


def first_of_run(mark: str) -> bool:
    """Whether no other native process of the run has asked for *mark* before; every process that runs alone is a run."""
    folder = os.environ.get(VARIABLE)
    if folder is None:
        return os.environ.setdefault("ASCEND_SIM_MAIN", str(os.getpid())) == str(os.getpid())
    try:
        os.close(os.open(os.path.join(folder, mark), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        return False
    return True


class Spool:
    """The file of this process, as a sink of :class:`~ascend_sim.findings.finding.FindingLog`.

    A finding is written when it is new, and again each time its count has doubled; :meth:`close` writes the final
    counts. After a fork the child goes on in a file of its own: of a finding that it inherits it writes what comes after the
    fork, and nothing where nothing does. `lost` tells that something could not be written.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.lost = False
        self._process = os.getpid()
        self._last: dict[str, tuple[int, Finding]] = {}
        """Findings with a line in the file of this process, and the count there."""
        self._before: dict[str, int] = {}
        """How often the process that forked this one had met its findings."""
        self._file = -1
        self._of = (0, 0, 0)
        try:
            file = self._opened()  # now, since the program may open so many files that there is room for no other
            if os.fstat(file).st_size:
                self._write({"anew": True})
        except OSError:
            self.lose()

    def __call__(self, finding: Finding, first: bool) -> None:
        own = self._own(finding)
        written = self._last[finding.id][0] if finding.id in self._last else 0
        if own.count >= 2 * written:
            self._put(_line(_counted(own)) if written else _first_line(own))
            written = own.count
        self._last[finding.id] = (written, own)

    def followed(self, finding: Finding, text: str) -> None:
        """It explains one thing more."""
        self._changed(finding, {"id": finding.id, "follow": text})

    def hardened(self, finding: Finding, note: str) -> None:
        """It is an error after all."""
        self._changed(finding, {"id": finding.id, "severity": finding.severity, "note": note})

    def followed_more(self, finding: Finding) -> None:
        """It explains more than is named: `close` writes how much."""
        self._changed(finding, None)

    def _changed(self, finding: Finding, change: dict[str, Any] | None) -> None:
        """Write *change*, or the whole of a finding that this process has no line of."""
        own = self._own(finding)
        if finding.id not in self._last:
            self._put(_first_line(own))
        elif change is not None:
            self._write(change)
        self._last[finding.id] = (self._last.get(finding.id, (own.count, own))[0], own)

    def _own(self, finding: Finding) -> Finding:
        """*finding* as this process met it: once at least."""
        self._follow_fork()
        before = self._before.get(finding.id)
        return finding if before is None else finding.evolved(count=max(finding.count - before, 1))

    def _follow_fork(self) -> None:
        if self._process != os.getpid():
            self._process = os.getpid()
            for name, (_, finding) in self._last.items():
                self._before[name] = self._before.get(name, 0) + finding.count
            self._last.clear()

    def close(self) -> None:
        """Write what rose since the last line. The parent may have read all and gone: then somebody else has to sum up."""
        self._follow_fork()
        try:
            self._opened()
        except OSError:
            self.lose()
        for written, finding in self._last.values():
            if finding.count != written or finding.more_followers:
                self._write(_counted(finding))
        self._last.clear()

    def _write(self, value: dict[str, Any]) -> None:
        self._put(_line(value))

    def _put(self, data: bytes) -> None:
        """Append a line; an empty one is what could not be made."""
        if not data:
            self.lose()
            return
        try:
            file = self._opened()
            while data:
                data = data[os.write(file, data) :]
        except OSError:
            self.lose()

    def _opened(self) -> int:
        """The number of the open file. A program that closes all its files hands the number to one of its own."""
        process = os.getpid()
        try:
            found = os.fstat(self._file) if self._file >= 0 and self._of[0] == process else None
        except OSError:
            found = None
        if found is None or self._of != (process, found.st_dev, found.st_ino):
            self._file = os.open(self._path("jsonl"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            _lock(self._file)
            found = os.fstat(self._file)
            self._of = process, found.st_dev, found.st_ino
        if not found.st_nlink:
            raise OSError(errno.ENOENT, "the run is over: its folder is gone")
        return self._file

    def lose(self) -> None:
        """Leave word that something is missing here."""
        self.lost = True
        try:
            os.close(os.open(self._path("lost"), os.O_WRONLY | os.O_CREAT, 0o600))
        except OSError:
            pass  # the folder is gone: the parent sees that

    def _path(self, form: str) -> str:
        return os.path.join(self.folder, f"{os.getpid()}.{form}")


@fenced(lambda finding: b"")
def _first_line(finding: Finding) -> bytes:
    return _line(finding.to_json())


@fenced(lambda value: b"")
def _line(value: dict[str, Any]) -> bytes:
    return (json.dumps(value) + "\n").encode()


def _counted(finding: Finding) -> dict[str, Any]:
    return {"id": finding.id, "count": finding.count, "more_followers": finding.more_followers}


def begin(folder: str) -> None:
    """Note that this process is to say its last words, at `end`."""
    with suppress(OSError):
        os.close(os.open(os.path.join(folder, f"{os.getpid()}.open"), os.O_WRONLY | os.O_CREAT, 0o600))


def end(folder: str) -> None:
    """It has said them. A child of a fork never promised any."""
    with suppress(OSError):
        os.unlink(os.path.join(folder, f"{os.getpid()}.open"))


def unfinished(folder: str) -> list[int]:
    """The processes that began and did not end. Raises OSError."""
    found = [name.partition(".") for name in os.listdir(folder)]
    return sorted(int(stem) for stem, _, form in found if form == "open" and stem.isdecimal())


def called(folder: str) -> None:
    """Note that this process has called the API."""
    with suppress(OSError):
        os.close(os.open(os.path.join(folder, f"{os.getpid()}.called"), os.O_WRONLY | os.O_CREAT, 0o600))


def nobody_called(folder: str, main: int) -> bool:
    """Whether *main* was the only process of the run that knows the API, and never called it. Raises OSError.

    A process that was killed has not said whether it called; that it has a file here is enough.
    """
    names = [name.partition(".") for name in os.listdir(folder)]
    others = any(form == "jsonl" and stem != str(main) for stem, _, form in names)
    native = any(stem == "begun" for stem, _, _ in names)
    return not others and not native and not any(form == "called" for _, _, form in names)


def write_nondeterminism(folder: str, counts: dict[str, int]) -> None:
    """Leave the nondeterminism points of this process, by kind, for the parent. Raises OSError."""
    with open(os.path.join(folder, f"{os.getpid()}.marks"), "w", encoding="utf-8") as file:
        json.dump(counts, file)


def read_nondeterminism(folder: str) -> dict[str, int]:
    """The nondeterminism points of all processes together, by kind. Raises OSError, ValueError."""
    total: dict[str, int] = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".marks"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for kind, count in json.load(file).items():
                    total[kind] = total.get(kind, 0) + count
    return total


def write_codes(folder: str, codes: Sequence[int]) -> None:
    """Leave the codes about which the last lines of this process speak, for the parent. Raises OSError."""
    with open(os.path.join(folder, f"{os.getpid()}.codes"), "w", encoding="utf-8") as file:
        json.dump(codes, file)


def read_codes(folder: str) -> list[int]:
    """The codes of all processes, each once. Raises OSError, ValueError."""
    found: dict[int, None] = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".codes"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found |= dict.fromkeys(map(int, json.load(file)))
    return list(found)


def read(folder: str, main: int | None = None) -> list[Finding]:
    """The findings of all processes: those of process *main* first, the others by process number.

    Findings of other processes get the process number in their id (``F1@4711``): it differs from run to run, as
    process numbers do; a process that became another program has a ``+`` behind it. Raises OSError when the folder cannot
    be read.
    """
    found, _ = read_all(folder, main)
    return found


def living(folder: str, main: int | None = None) -> list[int]:
    """The processes with a file here that have not ended, but *main*, which has.

    0 stands for one that *main* forked and that has found nothing of its own so far. Raises OSError.
    """
    found = []
    for name in os.listdir(folder):
        stem, _, form = name.partition(".")
        if form == "jsonl" and stem.isdecimal() and _is_locked(os.path.join(folder, name)):
            found.append(int(stem))
    if main in found:  # a fork has the open files of its parent
        found.remove(main)
        return sorted(found) or [0]
    return sorted(found)


def read_all(folder: str, main: int | None = None, alive: Sequence[int] = ()) -> tuple[list[Finding], int]:
    """`read`, and how many lines or processes are missing there. Those *alive* may be in the middle of a line."""
    found: list[Finding] = []
    names = [name.partition(".") for name in os.listdir(folder)]
    missing = sum(form == "lost" for _, _, form in names)
    processes = [int(stem) for stem, _, form in names if form == "jsonl" and stem.isdecimal()]
    for process in sorted(processes, key=lambda p: (p != main, p)):
        latest: dict[str, Finding] = {}
        values, broken = _lines(os.path.join(folder, f"{process}.jsonl"), process in alive)
        missing += broken
        whose = "" if process == main else str(process)
        for value in values:
            try:
                if "anew" in value:
                    found += latest.values()
                    latest.clear()
                    whose = f"{process}+" if whose in ("", str(process)) else f"{whose}+"
                    continue
                name = f"{value['id']}@{whose}" if whose else value["id"]
                if "follow" in value:
                    known = latest[name]
                    latest[name] = known.evolved(followers=(*known.followers, str(value["follow"])))
                elif "kind" not in value and "severity" in value:
                    known = latest[name]
                    notes = (*known.notes, str(value["note"]))
                    latest[name] = known.evolved(severity=_level(value["severity"]), notes=notes)
                elif "kind" not in value:
                    latest[name] = latest[name].evolved(
                        count=_count(value["count"]), more_followers=_count(value["more_followers"])
                    )
                else:
                    latest[name] = from_json(_renamed(value, whose) if whose else value)
            except (LookupError, TypeError, AttributeError, ValueError):
                missing += 1
        found += latest.values()
    return found, missing


def _lines(path: str, grows: bool) -> tuple[Sequence[Any], int]:
    """The values of a file, and how many lines are none: the process died, or the disk was full, in the middle."""
    values = []
    broken = 0
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if grows and not line.endswith("\n"):
                break  # it is written just now, and printed by its process
            try:
                values.append(json.loads(line))
            except (ValueError, RecursionError):
                broken += 1
    return values, broken


def _lock(file: int) -> None:
    """Hold the lock on *file* as long as this process lives."""
    if fcntl is not None:
        with suppress(OSError):  # a file system without locks: nobody knows then who lives
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_locked(path: str) -> bool:
    if fcntl is None:
        return False
    file = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(file)
    return False


def _count(value: object) -> int:
    if not isinstance(value, int):
        raise ValueError("no count")
    return value


def _level(value: object) -> str:
    if value not in ("error", "warning", "note"):
        raise ValueError("no severity")
    return str(value)


def _renamed(value: dict[str, Any], whose: str) -> dict[str, Any]:
    cause = value["cause"]
    return {**value, "id": f"{value['id']}@{whose}", "cause": cause and f"{cause}@{whose}"}
