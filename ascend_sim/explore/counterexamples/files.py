"""Schedule files: what is needed to run a schedule again, and to notice when the program does something else by now.

A file is JSON of a few hundred bytes to a few kilobytes. It is not trusted: `validation.py`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import attrs

from ascend_sim.explore.control.blocks.granularity import Split, Splits
from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
from ascend_sim.explore.control.known_state import KnownState
from ascend_sim.explore.counterexamples.preemptions import DEFAULTS, Choice, PreemptionStrategy
from ascend_sim.explore.counterexamples.validation import (
    MOST,
    BadReplayFile,
    check_format,
    hash_seed_of,
    options_of,
    read,
    require,
    text_of,
)
from ascend_sim.findings.files import write_whole

__all__ = ["BadReplayFile", "Recording", "load", "replay"]

FORMAT = "ascend-sim schedule"
VERSION = 2


@attrs.frozen
class Recording:
    """A schedule: the default rule, the choices that depart from it, the simulator, and what to expect."""

    choices: tuple[Choice, ...]
    default: str = "host"
    options: Mapping[str, Any] = attrs.field(factory=dict)
    kind: str = ""
    """What the schedule leads to: the kind of a finding, ``deadlock``, ``exception``, ``result``."""
    title: str = ""
    fingerprint: str = ""
    hash_seed: str = ""
    """PYTHONHASHSEED; empty: not known."""
    steps: tuple[tuple[str, str, str], ...] = ()
    """(process, call, digest) of each step."""
    sites: tuple[str, ...] = ()
    """Where the finding is, for people."""
    words: tuple[str, ...] = ()
    """The choices, for people: a line each."""
    program: str = ""
    full: tuple[str, ...] = ()
    """What is relevant in it (`KnownState.relevant`), such as streams that get full."""
    blocks: Mapping[str, Split] = attrs.field(factory=dict)
    """The launches that are taken apart, by name."""

    def to_json(self) -> dict[str, Any]:
        """The file."""
        apart = [[name, list(s.alone), list(s.together), s.shares] for name, s in sorted(self.blocks.items())]
        return {
            "format": FORMAT, "version": VERSION, "program": self.program,
            "finding": {"kind": self.kind, "title": self.title, "fingerprint": self.fingerprint, "sites": list(self.sites)},
            "simulator": dict(self.options), "hash_seed": self.hash_seed, "default": self.default, "full": list(self.full),
            "blocks": apart,
            "choices": [list(choice) for choice in self.choices], "words": list(self.words),
            "steps": [list(step) for step in self.steps],
        }  # fmt: skip

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it, all or nothing."""
        text = json.dumps(self.to_json(), indent=1, ensure_ascii=True)
        for opened in ("blocks", "choices", "steps"):  # one entry a line
            text = _compact(text, opened)
        write_whole(path, text + "\n")

    def schedule(self) -> Replay:
        """The schedule, for one run."""
        return Replay(self)


def _compact(text: str, name: str) -> str:
    value = json.loads(text)[name]
    start = text.index(f'\n "{name}": ')
    end = text.find("\n ]", start) + len("\n ]") if value else text.index("]", start) + 1
    lines = ",\n  ".join(json.dumps(entry) for entry in value)
    return f'{text[:start]}\n "{name}": [{lines}]{text[end:]}'


class Replay(ControlledSchedule):
    """Runs a recorded schedule. `difference` says, after the run, what was not as recorded; empty when all was."""

    name = "replay"

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._preemptions = PreemptionStrategy(recording.choices, recording.default, recording.steps)
        known_state = KnownState((frozenset(), frozenset(recording.full)), Splits("whole", recording.blocks))
        super().__init__(self._preemptions, known_state)

    @property
    def difference(self) -> str:
        """The first step that was not as recorded, or the choices that did not come up, in words."""
        if self._preemptions.difference:
            return self._preemptions.difference
        left = self._preemptions.left_over()
        return (
            f"the choice {left[0][2]!r} in place of step {left[0][1]} of {left[0][0]!r} did not come up" if left else ""
        )


def replay(source: str | os.PathLike[str] | Recording) -> Replay:
    """The schedule of a file that `explore` wrote, for ``Simulator(schedule=replay(path))``: good for one simulator.

    The simulator has to be made as for the recording (`load(path).options`), and the program run the same. Raises
    BadReplayFile, OSError.
    """
    recording = source if isinstance(source, Recording) else load(source)
    return recording.schedule()


def load(path: str | os.PathLike[str]) -> Recording:
    """Read a file. Raises BadReplayFile when it is none, OSError when it cannot be read."""
    return read(path, parse)


def parse(value: Any) -> Recording:
    """The recording that a file's *value* describes. Raises BadReplayFile."""
    if isinstance(value, dict) and value.get("format") == "ascend-sim test":
        raise BadReplayFile("it is of a test: pytest --ascend-replay FILE runs it")
    check_format(value, FORMAT, VERSION)
    finding = value.get("finding", {})
    require(isinstance(finding, dict), "finding must be an object")
    default = value.get("default")
    require(default in DEFAULTS, f"default is {default!r}: host or device is required")
    choices = _rows(value, "choices", (str, int, str))
    require(all(0 < number < 1 << 31 for _, number, _ in choices), "choices count steps from 1")
    return Recording(
        choices=tuple(choices),
        default=str(default),
        options=options_of(value.get("simulator", {})),
        kind=text_of(finding, "kind"),
        title=text_of(finding, "title"),
        fingerprint=text_of(finding, "fingerprint"),
        hash_seed=hash_seed_of(text_of(value, "hash_seed")),
        steps=tuple(_rows(value, "steps", (str, str, str))),
        sites=_lines(finding, "sites"),
        words=_lines(value, "words"),
        program=text_of(value, "program"),
        full=_names(value, "full"),
        blocks=_splits(value.get("blocks", [])),
    )


def _names(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    names = value.get(name, [])
    fits = isinstance(names, list) and len(names) <= MOST and all(isinstance(one, str) for one in names)
    require(fits, f"{name} must be a list of names")
    return tuple(names)


def _lines(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    lines = value.get(name, [])
    require(isinstance(lines, list) and len(lines) <= MOST, f"{name} must be a list")
    require(all(isinstance(line, str) and len(line) <= MOST for line in lines), f"{name} must hold text")
    return tuple(lines)


def _rows(value: Mapping[str, Any], name: str, kinds: tuple[type, ...]) -> list[Any]:
    rows = value.get(name, [])
    require(isinstance(rows, list) and len(rows) <= MOST, f"{name} must be a list")
    for row in rows:
        fits = (
            isinstance(row, list)
            and len(row) == len(kinds)
            and all(type(part) is kind for part, kind in zip(row, kinds, strict=True))
        )
        require(fits, f"{name} has {str(row)[:80]!r}")
    return [tuple(row) for row in rows]


def _splits(value: Any) -> dict[str, Split]:
    require(isinstance(value, list) and len(value) <= MOST, "blocks must be a list")
    found = {}
    for row in value:
        fits = isinstance(row, list) and [type(part) for part in row] == [str, list, list, bool]
        fits = fits and all(type(block) is int and 0 <= block < 1 << 16 for part in row[1:3] for block in part)
        require(fits, f"blocks has {str(row)[:80]}")
        found[row[0]] = Split(tuple(row[1]), tuple(row[2]), row[3])
    return found
