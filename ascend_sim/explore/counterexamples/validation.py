"""Validates untrusted schedule files: a file comes from anywhere, so nothing in it is used before it was looked at."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ascend_sim.untrusted.files import TooLarge, read_file

__all__ = [
    "MOST", "BadReplayFile", "check_format", "hash_seed", "hash_seed_of", "options_for_file", "options_of", "read",
    "require", "text_of",
]  # fmt: skip

LARGEST = 4_000_000
MOST = 100_000
MOST_DIGITS = 20
_LONG_NUMBER = re.compile(rf"\d{{{MOST_DIGITS + 1},}}")
T = TypeVar("T")
OPTIONS: dict[str, type | tuple[type, ...]] = {
    "soc": str, "devices": int, "seed": int, "limits": dict, "switches": dict, "reuse": str, "reuse_handles": bool,
    "visible": str, "block_order": str, "checks": str, "faults": str,
}  # fmt: skip
"""What a file may say about the simulator."""


_WRITERS = "what can be replayed is written by `ascend-sim explore -o FILE`, or by a test that fails"


class BadReplayFile(ValueError):
    """A file that is no schedule; the text says what is wrong."""


def read(path: str | os.PathLike[str], parse: Callable[[Any], T]) -> T:
    """What *parse* makes of a JSON file. Raises BadReplayFile when it is none, OSError when it cannot be read."""
    try:
        raw = read_file(path, LARGEST)
    except TooLarge:
        raise BadReplayFile(f"{os.fspath(path)} is larger than any schedule") from None
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise BadReplayFile(f"{os.fspath(path)} is no JSON: {error}; {_WRITERS}") from None
    try:
        return parse(value)
    except BadReplayFile as error:
        raise BadReplayFile(f"{os.fspath(path)}: {error}") from None


def check_format(value: Any, name: str, version: int) -> None:
    """Whether *value* says that it is a *name* of *version*."""
    if not isinstance(value, dict) or value.get("format") != name:
        raise BadReplayFile(f"it does not say that it is an {name}; {_WRITERS}")
    if value.get("version") != version:
        raise BadReplayFile(f"version {value.get('version')!r} is not {version}")


def require(holds: bool, text: str) -> None:
    """Raises BadReplayFile unless it holds."""
    if not holds:
        raise BadReplayFile(text)


def text_of(value: Mapping[str, Any], name: str) -> str:
    """The text that an entry is; empty when it is missing."""
    text = value.get(name, "")
    require(isinstance(text, str) and len(text) <= MOST, f"{name} must be text")
    return str(text)


def hash_seed_of(text: str) -> str:
    """What PYTHONHASHSEED can be, or nothing."""
    digits = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    require(text in ("", "random") or (digits and int(text) < 1 << 32), f"hash_seed is {text[:80]!r}")
    return text


def options_of(value: Any) -> dict[str, Any]:
    """Parameters of Simulator that a file may set."""
    require(isinstance(value, dict), "simulator must be an object")
    for name, option in value.items():
        kind = OPTIONS.get(name)
        require(kind is not None and isinstance(option, kind), f"simulator has {name!r}: {str(option)[:80]!r}")
        parts: list[Any] = [option]
        if isinstance(option, dict):
            parts = [*option, *option.values()]
            fits = all(type(part) in (int, str) for part in parts)
            require(fits, f"{name} must be numbers or words by name")
        require(all(map(_fits_command_line, parts)), f"{name} is {str(option)[:80]!r}")
    return dict(value)


def _fits_command_line(value: Any) -> bool:
    """Whether *value* can be handed on as a word of a command: printable, without numbers that nobody could mean."""
    if isinstance(value, str):
        return value.isprintable() and not _LONG_NUMBER.search(value)
    return bool(abs(value) < 10**MOST_DIGITS)


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
