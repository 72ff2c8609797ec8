"""Schedules in files: what is needed to run one again, and to notice when it is not the same any more.

A file is JSON of a few hundred bytes to a few kilobytes. It comes from anywhere, so nothing in it is believed until it
was looked at.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

import attrs

from ascend_sim.explore.block_splits import Split, Splits
from ascend_sim.explore.forced import DEFAULTS, Choice, Forced
from ascend_sim.explore.guided import Guided
from ascend_sim.explore.values import Cells

__all__ = ["BadReplayFile", "Recording", "load", "replay"]

FORMAT = "ascend-sim schedule"
VERSION = 1
LARGEST = 4_000_000
MOST = 100_000
OPTIONS: dict[str, type | tuple[type, ...]] = {
    "soc": str, "devices": int, "seed": int, "limits": dict, "switches": dict, "reuse": str, "reuse_handles": bool,
    "visible": str, "block_order": str, "checks": str, "faults": str,
}  # fmt: skip
"""What a file may say about the simulator."""


class BadReplayFile(ValueError):
    """A file that is no schedule; the text says what is wrong."""


@attrs.frozen
class Recording:
    """A schedule: forced choices, the default rule that they leave, the simulator, and what to expect."""

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
    """The streams to which a submission is a step of its own, since they get full."""
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
        path = os.fspath(path)
        beside = f"{path}.{os.getpid()}.part"
        text = json.dumps(self.to_json(), indent=1, ensure_ascii=True)
        for opened in ("blocks", "choices", "steps"):  # one entry a line
            text = _compact(text, opened)
        with open(beside, "w", encoding="ascii") as file:
            file.write(text + "\n")
        os.replace(beside, path)

    def schedule(self) -> Replay:
        """The schedule, for one run."""
        return Replay(self)


def _compact(text: str, name: str) -> str:
    value = json.loads(text)[name]
    start = text.index(f'\n "{name}": ')
    end = text.find("\n ]", start) + len("\n ]") if value else text.index("]", start) + 1
    lines = ",\n  ".join(json.dumps(entry) for entry in value)
    return f'{text[:start]}\n "{name}": [{lines}]{text[end:]}'


class Replay(Guided):
    """Runs a recorded schedule. `difference` says, after the run, what was not as recorded; empty when all was."""

    name = "replay"

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.forced = Forced(recording.choices, recording.default, recording.steps)
        super().__init__(self.forced, Cells((frozenset(), frozenset(recording.full)), Splits("whole", recording.blocks)))

    @property
    def difference(self) -> str:
        """The first step that was not as recorded, or the choices that did not come up, in words."""
        if self.forced.difference:
            return self.forced.difference
        left = self.forced.left_over()
        return f"the choice {left[0][2]!r} in place of step {left[0][1]} of {left[0][0]!r} did not come up" if left else ""


def replay(source: str | os.PathLike[str] | Recording) -> Replay:
    """The schedule of a file that `explore` wrote, for ``Simulator(schedule=replay(path))``: good for one simulator.

    The simulator has to be made as for the recording (`load(path).options`), and the program run the same. Raises
    BadReplayFile, OSError.
    """
    recording = source if isinstance(source, Recording) else load(source)
    return recording.schedule()


def load(path: str | os.PathLike[str]) -> Recording:
    """Read a file. Raises BadReplayFile when it is none, OSError when it cannot be read."""
    with open(path, "rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise BadReplayFile(f"{os.fspath(path)} is larger than any schedule")
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise BadReplayFile(f"{os.fspath(path)} is no JSON: {error}") from None
    try:
        return parse(value)
    except BadReplayFile as error:
        raise BadReplayFile(f"{os.fspath(path)}: {error}") from None


def parse(value: Any) -> Recording:
    """The recording that a file's *value* describes. Raises BadReplayFile."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise BadReplayFile(f"it does not say that it is an {FORMAT}")
    if value.get("version") != VERSION:
        raise BadReplayFile(f"version {value.get('version')!r} is not {VERSION}")
    finding = value.get("finding", {})
    _require(isinstance(finding, dict), "finding must be an object")
    default = value.get("default")
    _require(default in DEFAULTS, f"default is {default!r}: host or device is required")
    choices = _rows(value, "choices", (str, int, str))
    _require(all(0 < number < 1 << 31 for _, number, _ in choices), "choices count steps from 1")
    return Recording(
        choices=tuple(choices),
        default=str(default),
        options=_options(value.get("simulator", {})),
        kind=_text(finding, "kind"),
        title=_text(finding, "title"),
        fingerprint=_text(finding, "fingerprint"),
        hash_seed=_hash_seed(_text(value, "hash_seed")),
        steps=tuple(_rows(value, "steps", (str, str, str))),
        sites=_lines(finding, "sites"),
        words=_lines(value, "words"),
        program=_text(value, "program"),
        full=_names(value, "full"),
        blocks=_splits(value.get("blocks", [])),
    )


def _require(holds: bool, text: str) -> None:
    if not holds:
        raise BadReplayFile(text)


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name, "")
    _require(isinstance(text, str) and len(text) <= MOST, f"{name} must be text")
    return str(text)


def _names(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    names = value.get(name, [])
    fits = isinstance(names, list) and len(names) <= MOST and all(isinstance(one, str) for one in names)
    _require(fits, f"{name} must be a list of names")
    return tuple(names)


def _lines(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    lines = value.get(name, [])
    _require(isinstance(lines, list) and len(lines) <= MOST, f"{name} must be a list")
    _require(all(isinstance(line, str) and len(line) <= MOST for line in lines), f"{name} must hold text")
    return tuple(lines)


def _hash_seed(text: str) -> str:
    known = text in ("", "random") or (text.isascii() and text.isdecimal() and int(text) < 1 << 32)
    _require(known, f"hash_seed is {text!r}")
    return text


def _rows(value: Mapping[str, Any], name: str, kinds: tuple[type, ...]) -> list[Any]:
    rows = value.get(name, [])
    _require(isinstance(rows, list) and len(rows) <= MOST, f"{name} must be a list")
    for row in rows:
        fits = isinstance(row, list) and len(row) == len(kinds) and all(
            type(part) is kind for part, kind in zip(row, kinds, strict=True)
        )
        _require(fits, f"{name} has {str(row)[:80]!r}")
    return [tuple(row) for row in rows]


def _splits(value: Any) -> dict[str, Split]:
    _require(isinstance(value, list) and len(value) <= MOST, "blocks must be a list")
    found = {}
    for row in value:
        fits = isinstance(row, list) and [type(part) for part in row] == [str, list, list, bool]
        fits = fits and all(type(block) is int and 0 <= block < 1 << 16 for part in row[1:3] for block in part)
        _require(fits, f"blocks has {str(row)[:80]}")
        found[row[0]] = Split(tuple(row[1]), tuple(row[2]), row[3])
    return found


def _options(value: Any) -> dict[str, Any]:
    _require(isinstance(value, dict), "simulator must be an object")
    for name, option in value.items():
        kind = OPTIONS.get(name)
        _require(kind is not None and isinstance(option, kind), f"simulator has {name!r}: {str(option)[:80]!r}")
        if isinstance(option, dict):
            fits = all(type(part) in (int, str) for part in option.values())
            _require(fits, f"{name} must be numbers or words by name")
    return dict(value)


def hash_seed() -> str:
    """PYTHONHASHSEED of this process; empty when Python drew one."""
    if not sys.flags.hash_randomization:
        return "0"
    text = os.environ.get("PYTHONHASHSEED", "")
    return text if text.isdecimal() else ""


def options_for_file(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of *options* that a file can hold; checks as text."""
    found = {}
    for name, value in options.items():
        if name == "checks" and not isinstance(value, str):
            pairs = value.items() if isinstance(value, Mapping) else [(part, "report") for part in value or ()]
            value = ",".join(f"{part}={policy}" for part, policy in pairs) or "none"
        kind = OPTIONS.get(name)
        if kind is not None and isinstance(value, kind):
            found[name] = value
    return found
