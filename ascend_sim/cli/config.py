"""``[tool.ascend_sim]`` of pyproject.toml: options of ``ascend-sim run`` under their long names.

What the command line or a variable sets beats the table. A key that is no option is a mistake, and is named with the
nearest one. Keys that let code run or files be written count only for programs that lie where the file does: who wrote
the one wrote the other.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Final

from ascend_sim.findings.project_file import project_file, table_in

__all__ = ["keys", "table_of", "words_of_table"]

LISTS: Final = ("suppress", "skip-frames")
"""Lists that tests and all processes of a run read, too (`findings/project_file.py`)."""
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


def keys(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Every key with the option that it stands for."""
    found = {}
    for action in parser._actions:
        names = [name[2:] for name in action.option_strings if name.startswith("--")]
        if names and names[0] not in UNFIT:
            found[names[0]] = action
    return found


def table_of(folder: str) -> tuple[str, Mapping[str, Any]]:
    """The pyproject.toml that counts in *folder* and its table; ``""`` and an empty one without it. Raises ValueError."""
    path = project_file(folder)
    return path, table_in(path) if path else {}


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
