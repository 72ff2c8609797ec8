"""What the simulator imports late is never taken from the program's folder, nor from the working directory.

Both are on ``sys.path`` while the program runs, and a file ``difflib.py`` or ``html.py`` there is the program's own. Its
imports stay as they are; ours, and those of the library modules and the packages that they load, look elsewhere first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, TypeVar

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.runtime.threads.signal_handlers import INSTALLED, in_program, open_to_signals
from ascend_sim.untrusted.files import real_path

__all__ = ["OwnImports", "for_program", "look_elsewhere", "spec_for_us"]

T = TypeVar("T")


class OwnImports:
    """A finder before all others; *path* is where our imports look, *not_ours* are folders that have nothing for them."""

    def __init__(self, path: Sequence[str], not_ours: Iterable[str]) -> None:
        self.path = list(path)
        self.not_ours = set(not_ours)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module for an import of ours; None leaves the import to the others.

        Raises ModuleNotFoundError for one that only the program has: a package that is not installed, a library module
        of another system.
        """
        if path is not None or name in sys.builtin_module_names or in_program(sys._getframe(1), INSTALLED):
            return None
        found = PathFinder.find_spec(name, self.path, target)
        if found is not None:
            return found
        for finder in sys.meta_path:
            found = finder.find_spec(name, None, target) if finder is not self else None
            if found is not None and self._is_programs(found):
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            if found is not None:
                return found
        return None

    def _is_programs(self, spec: ModuleSpec) -> bool:
        """Whether the module lies in one of the folders that are not ours."""
        files = list(spec.submodule_search_locations or ()) or [spec.origin or ""]
        return any(os.path.dirname(real_path(file)) in self.not_ours for file in files)


def spec_for_us(name: str) -> ModuleSpec | None:
    """Where an import of ours finds the package *name*; None: nowhere, also when only the program has one of that name."""
    from importlib.util import find_spec  # few programs ask

    try:
        return find_spec(name)
    except ImportError:
        return None


@open_to_signals
def for_program(function: Callable[..., T], *arguments: Any) -> T:
    """What *function* gives for *arguments*; what it imports are modules of the program, and found where its own are."""
    return function(*arguments)


def look_elsewhere(*folders: str) -> None:
    """From now on our imports do not look in *folders* and in the working directory."""
    own = os.path.dirname(PACKAGE)
    not_ours = {real_path(folder) for folder in (*folders, os.curdir)}
    not_ours.discard(own)
    path = [p for p in sys.path if p and real_path(p) not in not_ours]
    for finder in sys.meta_path:
        if isinstance(finder, OwnImports):
            finder.path = path
            finder.not_ours |= not_ours
            return
    sys.meta_path.insert(0, OwnImports(path, not_ours))
