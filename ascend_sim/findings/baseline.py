"""Baseline files: findings that a program has already, by their fingerprints, so that only new ones are told and fail.

A file is JSON with a line for each finding, made to be committed and read in a diff. It is not trusted: what it may
hold is limited, and its texts are for people only.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from typing import Any, Final

import attrs

from ascend_sim.findings.files import write_whole
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.levels import Levels
from ascend_sim.untrusted.files import read_file
from ascend_sim.untrusted.json_text import parse_json

__all__ = ["BadBaseline", "Baseline", "Entry", "entry_of", "fingerprints_in", "read_baseline", "worth_keeping"]

FORMAT: Final = "ascend-sim baseline"
VERSION: Final = 1
LARGEST: Final = 1 << 24
"""Bytes of a file."""
MOST: Final = 50_000
"""Findings in it."""
LONGEST: Final = 2000
"""Characters of a text."""

_FINGERPRINT: Final = re.compile(r"[0-9a-f]{16}")


class BadBaseline(ValueError):
    """A file that is no baseline; the text says why."""


@attrs.frozen(order=True)
class Entry:
    """One finding. *found_by*: the command or the test that found it; the other texts help who reads the file."""

    found_by: str
    kind: str
    at: str
    fingerprint: str
    title: str = ""


@attrs.frozen
class Baseline:
    """What a file holds."""

    entries: frozenset[Entry] = frozenset()

    @property
    def fingerprints(self) -> frozenset[str]:
        """Those of all findings in it, whoever found them."""
        return frozenset([entry.fingerprint for entry in self.entries])

    def gone(self, found_by: str, seen: Iterable[str]) -> list[Entry]:
        """Entries of *found_by* whose fingerprints were not *seen*."""
        here = frozenset(seen)
        return sorted(e for e in self.entries if e.found_by == found_by and e.fingerprint not in here)

    def updated(self, found_by: Iterable[str], found: Iterable[Entry]) -> Baseline:
        """With *found* in place of what *found_by* (commands or tests that ran) had; what others found stays."""
        again = frozenset(found_by)
        return Baseline(frozenset([*(e for e in self.entries if e.found_by not in again), *found]))

    def write(self, path: str) -> None:
        """Write the file, all or nothing. Raises OSError."""
        lines = [json.dumps(attrs.asdict(entry), ensure_ascii=False) for entry in sorted(self.entries)]
        listed = "\n  " + ",\n  ".join(lines) + "\n " if lines else ""
        write_whole(path, f'{{\n "format": "{FORMAT}", "version": {VERSION},\n "findings": [{listed}]\n}}\n')


def read_baseline(path: str) -> Baseline:
    """The file *path*. Raises BadBaseline when it is none, OSError when it cannot be read."""
    try:
        value = parse_json(read_file(path, LARGEST), 8 * MOST, 8)
    except ValueError as error:
        raise BadBaseline(f"{path!r} is no baseline file: {error}") from None
    try:
        return Baseline(frozenset([_entry(one) for one in _findings(value)]))
    except BadBaseline as error:
        raise BadBaseline(f"{path!r} is no baseline file: {error}") from None


def fingerprints_in(path: str) -> frozenset[str]:
    """The fingerprints in the file *path*. Raises ValueError, also when it cannot be read."""
    try:
        return read_baseline(path).fingerprints
    except OSError as error:
        raise BadBaseline(f"the baseline {path!r} cannot be read: {error.strerror}") from None


def _findings(value: Any) -> list[Any]:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise BadBaseline(f'"format": "{FORMAT}" is missing')
    if value.get("version") != VERSION:
        raise BadBaseline(f"its version is not {VERSION}")
    found = value.get("findings")
    if not isinstance(found, list) or len(found) > MOST:
        raise BadBaseline(f"findings must be a list of at most {MOST}")
    return found


def _entry(value: Any) -> Entry:
    if not isinstance(value, dict):
        raise BadBaseline("a finding must be an object")
    texts = {name: value.get(name, "") for name in ("found_by", "kind", "at", "fingerprint", "title")}
    for name, text in texts.items():
        if not isinstance(text, str) or len(text) > LONGEST:
            raise BadBaseline(f"{name} must be a text of at most {LONGEST} characters")
    if not _FINGERPRINT.fullmatch(texts["fingerprint"]):
        raise BadBaseline("a fingerprint has 16 hex digits")
    return Entry(**texts)


def entry_of(finding: Finding, found_by: str) -> Entry:
    """The entry for *finding*."""
    return Entry(_cut(found_by), finding.kind, _cut(_place(finding)), finding.fingerprint, _cut(finding.title))


def _place(finding: Finding) -> str:
    """File and function of the primary site: lines would change with every edit."""
    site = finding.primary
    frame = next(iter(site.frames), None) if site is not None else None
    return f"{os.path.basename(frame.file)} in {frame.function}" if frame is not None else ""


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def worth_keeping(finding: Finding, levels: Levels) -> bool:
    """Whether a baseline takes *finding*: errors, warnings and what fails the run, if nothing else hides it."""
    if finding.cause is not None or finding.suppressed not in (None, "baseline"):
        return False
    return finding.severity != "note" or levels.includes(finding)
