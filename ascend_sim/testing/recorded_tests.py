"""The schedule of a test that failed, in a file: written before the failure is reported, read by ``--ascend-replay``.

A file is JSON of a few hundred bytes: the test, the schedule by its name, the simulator, and how it failed. It names no
code but the test, which has to be among those that pytest has collected.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import attrs
import pytest

from ascend_sim.explore.counterexamples.validation import (
    BadReplayFile,
    check_format,
    hash_seed,
    hash_seed_of,
    options_for_file,
    options_of,
    read,
    require,
    text_of,
)
from ascend_sim.findings.files import write_whole
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.languages import in_lines

__all__ = ["REPLAYED", "BadReplayFile", "Recorded", "choose", "keep", "load", "recorded"]

FORMAT = "ascend-sim test"
VERSION = 1
FOLDER = "ascend-sim"
NAMED = 80
"""So many characters of a test's name are in the name of its file."""
_SCHEDULE = re.compile(r"virtual-time|late|early|random\(\d{1,18}\)")


@attrs.frozen
class Recorded:
    """A test that failed: under which schedule, on which simulator, and how."""

    test: str
    """Its node id."""
    schedule: str
    options: Mapping[str, Any]
    kind: str = ""
    """Of the first finding; ``exception`` when there is none."""
    title: str = ""
    fingerprint: str = ""
    clock: int = 0
    """Virtual time (ns) of the main thread at the end: another one is another run."""
    hash_seed: str = ""

    def to_json(self) -> dict[str, Any]:
        """The file."""
        return {
            "format": FORMAT, "version": VERSION, "test": self.test, "schedule": self.schedule,
            "simulator": dict(self.options), "hash_seed": self.hash_seed, "clock": self.clock,
            "failure": {"kind": self.kind, "title": self.title, "fingerprint": self.fingerprint},
        }  # fmt: skip

    def difference(self, now: Recorded) -> str:
        """How the failure *now* is another one, in words; empty when it is the same."""
        if (now.kind, now.fingerprint) != (self.kind, self.fingerprint):
            text = f"{self.kind} ({self.title}) was, {now.kind} ({now.title}) is found"
        elif now.clock != self.clock:
            text = f"it ends at {now.clock} ns of virtual time, before at {self.clock} ns: the test does something else"
        else:
            return ""
        if now.hash_seed != self.hash_seed:
            text += f" (PYTHONHASHSEED was {self.hash_seed or 'random'}, is {now.hash_seed or 'random'})"
        return text


def parse(value: Any) -> Recorded:
    """The recording that a file's *value* describes. Raises BadReplayFile."""
    if isinstance(value, dict) and value.get("format") == "ascend-sim schedule":
        raise BadReplayFile("it is a schedule of `explore`: ascend-sim replay FILE program.py runs it")
    check_format(value, FORMAT, VERSION)
    failure = value.get("failure", {})
    require(isinstance(failure, dict), "failure must be an object")
    schedule, test, clock = text_of(value, "schedule"), text_of(value, "test"), value.get("clock", 0)
    require(bool(_SCHEDULE.fullmatch(schedule)), f"schedule is {schedule[:80]!r}")
    require(bool(test), "test must be named")
    require(type(clock) is int and 0 <= clock < 1 << 63, "clock must be a time in ns")
    return Recorded(
        test, schedule, options_of(value.get("simulator", {})), text_of(failure, "kind"), text_of(failure, "title"),
        text_of(failure, "fingerprint"), clock, hash_seed_of(text_of(value, "hash_seed")),
    )  # fmt: skip


def load(path: str) -> Recorded:
    """Read a file. Raises BadReplayFile when it is none, OSError when it cannot be read."""
    return read(path, parse)


REPLAYED = pytest.StashKey[Recorded]()
"""What ``--ascend-replay`` names, in the stash of the configuration."""


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of *items* only the test that the file of ``--ascend-replay`` names. Raises pytest.UsageError."""
    path = str(config.option.ascend_replay)
    try:
        recording = load(os.path.join(config.invocation_params.dir, path))
    except (OSError, BadReplayFile) as error:
        raise pytest.UsageError(f"--ascend-replay: {in_lines(str(error))}") from None
    chosen = [item for item in items if item.nodeid == recording.test]
    if not chosen:
        text = in_lines(f"{path} is of {recording.test}, which was not collected")
        raise pytest.UsageError(f"--ascend-replay: {text}")
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen
    config.stash[REPLAYED] = recording


_FOLDER = pytest.StashKey[Path]()
"""Where files go that the cache of pytest does not take."""


def recorded(
    test: str, schedule: str, options: Mapping[str, Any], found: Finding | None, error: str, clock: int
) -> Recorded:
    """The recording of a run that has just failed, by its first finding or by *error*."""
    kind, title, fingerprint = "exception", error, f"{crc32(error.encode('utf-8', 'replace')):08x}"
    if found is not None:
        kind, title, fingerprint = found.kind, found.title, found.fingerprint
    return Recorded(test, schedule, options_for_file(options), kind, title[:1000], fingerprint, clock, hash_seed())


def keep(config: pytest.Config, recording: Recorded) -> str:
    """Write the file of a failure, over the one that the test had before; returns its path. Raises OSError."""
    cache = getattr(config, "cache", None)
    if cache is not None:
        folder = Path(cache.mkdir(FOLDER))
    else:
        if _FOLDER not in config.stash:
            config.stash[_FOLDER] = Path(tempfile.mkdtemp(prefix=f"{FOLDER}-"))
        folder = config.stash[_FOLDER]
    name = re.sub(r"[^\w.-]+", "-", recording.test, flags=re.ASCII)[-NAMED:].strip("-")
    path = folder / f"{name}-{crc32(recording.test.encode()):08x}.json"
    write_whole(path, json.dumps(recording.to_json(), indent=1, ensure_ascii=True) + "\n")
    try:
        return os.path.relpath(path, config.invocation_params.dir) if cache is not None else str(path)
    except ValueError:  # another drive
        return str(path)
