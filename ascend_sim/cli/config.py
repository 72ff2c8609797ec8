"""``[tool.ascend_sim]`` of pyproject.toml: options of ``ascend-sim run`` under their long names.

What the command line or a variable sets beats the table. A key that is no option is a mistake, and is named with the
nearest one. Keys that let code run or files be written count only for programs that lie where the file does: who wrote
the one wrote the other.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Final

from ascend_sim.findings.suppressions import pyproject_file
from ascend_sim.untrusted.files import read_text

__all__ = ["keys", "table_of", "words_of_table"]

LISTS: Final = ("suppress", "skip-frames")
"""Lists that tests and all processes of a run read, too (`findings/suppressions.py`)."""
UNFIT: Final = ("help", "update-baseline")
GUARDED: Final = (
    "kernels", "models", "trust-kernel-files", "allow-model-module", "json", "sarif", "timeline", "baseline",
)  # fmt: skip
PATHS: Final = ("json", "sarif", "timeline", "baseline")
"""Values that name a file: relative to the folder of pyproject.toml."""
VARIABLES: Final = {
    "devices": "DEVICES", "soc": "SOC", "seed": "SEED", "schedule": "SCHEDULE", "threads": "THREADS", "check": "CHECKS",
    "limits": "LIMITS", "switch": "SWITCHES", "inject": "FAULTS", "block-order": "BLOCK_ORDER", "kernels": "KERNELS",
    "models": "MODELS", "ops": "OPS", "model-seconds": "MODEL_SECONDS",
}  # fmt: skip
"""Keys that a variable ASCEND_SIM_* sets as well."""
LARGEST: Final = 1 << 24


def keys(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Every key with the option that it stands for."""
    found = {}
    for action in parser._actions:
        names = [name[2:] for name in action.option_strings if name.startswith("--")]
        if names and names[0] not in UNFIT:
            found[names[0]] = action
    return found


def table_of(folder: str) -> tuple[str, Mapping[str, Any]]:
    """The pyproject.toml that counts in *folder* and its table; ``""`` and an empty one without it."""
    path = pyproject_file(folder)
    return path, _read(path) if path else {}


def words_of_table(parser: argparse.ArgumentParser, folder: str, program: str | None) -> list[str]:
    """The table as words of the command line. *program*: its file; None for a module. Raises ValueError."""
    path, table = table_of(folder)
    known = keys(parser)
    words = []
    for key, value in table.items():
        action = known.get(key)
        if action is None:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else "`ascend-sim info --config` lists the keys"
            raise ValueError(f"{path}: [tool.ascend_sim] has no key {key!r}; {hint}")
        if key in LISTS or f"ASCEND_SIM_{VARIABLES.get(key)}" in os.environ:
            continue
        if key in GUARDED and not _beside(program, path):
            raise ValueError(f"{path}: {key} counts only for programs in its folder: give --{key} for {program!r}")
        words += _words(path, key, value, action)
    return words


def _words(path: str, key: str, value: Any, action: argparse.Action) -> list[str]:
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise ValueError(f"{path}: [tool.ascend_sim] {key} is true or false")
        return [f"--{key}"] if value else []
    several = value if isinstance(value, list) else [value]
    if isinstance(value, list) and not isinstance(action, argparse._AppendAction):
        raise ValueError(f"{path}: [tool.ascend_sim] {key} takes one value")
    for one in several:
        if isinstance(one, bool) or not isinstance(one, (str, int)):
            raise ValueError(f"{path}: [tool.ascend_sim] {key} takes text or a number")
    if key in PATHS:
        several = [one if one == "-" else os.path.join(os.path.dirname(path), str(one)) for one in several]
    return [f"--{key}={one}" for one in several]


def _beside(program: str | None, path: str) -> bool:
    """Whether the program lies in the folder of pyproject.toml or below it; a module comes from there."""
    folder = os.path.dirname(os.path.realpath(path))
    return program is None or os.path.realpath(program).startswith(os.path.join(folder, ""))


def _read(path: str) -> Mapping[str, Any]:
    try:
        text = read_text(path, LARGEST)
    except (OSError, ValueError):
        return {}
    try:
        import tomllib  # type: ignore[import-not-found, unused-ignore]
    except ImportError:  # 3.10 has none
        return _read_plainly(text)
    try:
        found: Any = tomllib.loads(text)
    except (ValueError, RecursionError):  # something in it is no TOML, perhaps not ours
        return _read_plainly(text)
    for name in ("tool", "ascend_sim"):
        found = found.get(name, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


_LINE: Final = re.compile(r"(?ms)^([\w-]+)\s*=\s*(\[.*?\]|[^\n]*)$")


def _read_plainly(text: str) -> dict[str, Any]:
    """Keys with a number, a text, true, false, or a list of such: what Python reads in the same way."""
    table = re.search(r"(?ms)^\[tool\.ascend_sim\]\s*$(.*?)(?=^\[|\Z)", text)
    found = {}
    for key, value in _LINE.findall(table.group(1)) if table else ():
        plain = {"true": "True", "false": "False"}.get(value.strip(), value)
        try:
            found[key] = ast.literal_eval(plain.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return found
