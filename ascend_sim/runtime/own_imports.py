"""What the simulator imports late is never taken from the program's folder, nor from the working directory.

Both are on ``sys.path`` while the program runs, and a file ``difflib.py`` or ``html.py`` there is the program's own. Its
imports stay as they are; ours, and those of the library modules and the packages that they load, look elsewhere first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.runtime.threads.signal_handlers import INSTALLED, in_program
from ascend_sim.untrusted.files import real_path

__all__ = ["OwnImports", "look_elsewhere"]


class OwnImports:
    """A finder before all others; *path* is where our imports look."""

    def __init__(self, path: Sequence[str]) -> None:
        self.path = list(path)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module for an import of ours; None leaves the import to the others."""
        if path is not None or name in sys.builtin_module_names or in_program(sys._getframe(1), INSTALLED):
            return None
        return PathFinder.find_spec(name, self.path, target)


def look_elsewhere(*folders: str) -> None:
    """From now on our imports do not look in *folders* and in the working directory."""
    own = os.path.dirname(PACKAGE)
    not_ours = {real_path(folder) for folder in (*folders, os.curdir)}
    path = [p for p in sys.path if p and (real_path(p) not in not_ours or real_path(p) == own)]
    for finder in sys.meta_path:
        if isinstance(finder, OwnImports):
            finder.path = path
            return
    sys.meta_path.insert(0, OwnImports(path))
