"""Modules that the program and the simulator have under one name: a file ``queue.py`` beside the program is the program's.

`sys.modules` has one module for a name. Where the program's folder has modules called like some that we import, there are
two tables: `sys.modules` has the program's, as without us, and our imports get what we have from the library. Other
programs pay nothing: `builtins.__import__` is replaced only where such a module lies.
"""

from __future__ import annotations

import builtins
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

from ascend_sim.runtime.threads.signal_handlers import INSTALLED, hands_on, in_program
from ascend_sim.untrusted.files import real_path

__all__ = ["apart", "keep_apart", "names_of"]

_PACKAGES = frozenset({
    "IPython", "PIL", "attr", "attrs", "elftools", "hypothesis", "ml_dtypes", "numpy", "onnx", "onnxruntime", "rich",
    "scipy", "torch",
})  # fmt: skip
"""What the simulator imports beside the library, if it is installed."""
_BEFORE_ALL = frozenset({
    "_collections_abc", "_sitebuiltins", "abc", "codecs", "encodings", "genericpath", "importlib", "io", "ntpath", "os",
    "posixpath", "runpy", "site", "stat", "zipimport",
})  # fmt: skip
"""What the interpreter has loaded, or frozen in, before a program starts: without us files of these names are not found."""


class TwoTables:
    """The modules that are ours under names which the program has, too."""

    def __init__(self) -> None:
        self._ours: dict[str, dict[str, ModuleType]] = {}
        """For each such name our module and its submodules, by their full names."""
        self._real = builtins.__import__
        self._replaced: Any = None
        self._lock = threading.RLock()
        self._loading: set[str] = set()
        """Names under which `sys.modules` has ours for the moment."""

    def part(self, names: Iterable[str], folders: Iterable[str]) -> None:
        """The program has modules of these *names* in *folders*: what is loaded from elsewhere is ours."""
        for top in names:
            if top not in self._ours:
                loaded = sys.modules.get(top)
                self._ours[top] = {} if isinstance(loaded, ModuleType) and _lies_in(loaded, folders) else _taken(top)
        if self._ours and self._replaced is None:
            self._real = builtins.__import__
            self._replaced = builtins.__import__ = self._replacement()

    def join(self) -> None:
        """The program is over: `sys.modules` has ours again."""
        if self._replaced is not None and builtins.__import__ is self._replaced:
            builtins.__import__ = self._real
        self._replaced = None
        while self._ours:
            top, ours = self._ours.popitem()
            _taken(top)
            sys.modules.update(ours)

    def _replacement(self) -> Any:
        @hands_on
        def __import__(
            name: str, globals: Mapping[str, Any] | None = None, locals: Mapping[str, Any] | None = None,
            fromlist: Sequence[str] | None = (), level: int = 0,
        ) -> ModuleType:  # fmt: skip
            full = name if not level else str((globals or {}).get("__package__") or "")
            top = full.partition(".")[0]
            ours = self._ours.get(top)
            if ours is None or top in self._loading or not _is_ours(ours, globals, level):
                return self._real(name, globals, locals, fromlist or (), level)
            if not level and name in ours and all(hasattr(ours[name], part) for part in fromlist or ()):
                return ours[name] if fromlist else ours[top]
            return self._load(top, name, globals, locals, fromlist or (), level)

        return __import__

    @hands_on
    def _load(self, top: str, *asked: Any) -> ModuleType:
        """A module of ours that is not loaded yet, or not all of it."""
        with self._lock:
            ours, programs = self._ours[top], _taken(top)
            sys.modules.update(ours)
            self._loading.add(top)
            try:
                return self._real(*asked)
            finally:
                self._loading.discard(top)
                ours.update(_taken(top))
                sys.modules.update(programs)


def _is_ours(ours: Mapping[str, ModuleType], namespace: Mapping[str, Any] | None, level: int) -> bool:
    """Whether one of *ours* imports, from its own package or another, or code of the simulator."""
    importer = ours.get(str((namespace or {}).get("__name__")))
    if importer is not None and vars(importer) is namespace:
        return True
    return not level and not in_program(sys._getframe(2), INSTALLED)


def _taken(top: str) -> dict[str, ModuleType]:
    """The module *top* and its submodules, which leave `sys.modules`."""
    names = [name for name in list(sys.modules) if name == top or name.startswith(f"{top}.")]
    return {name: sys.modules.pop(name) for name in names}


def _lies_in(module: ModuleType, folders: Iterable[str]) -> bool:
    inside = tuple(os.path.join(folder, "") for folder in folders)
    return real_path(str(vars(module).get("__file__") or "")).startswith(inside)


_TABLES = TwoTables()


def names_of(folders: Iterable[str]) -> list[str]:
    """The modules in *folders*, or archives, that are called like some of the library or of a package that we import."""
    known = (sys.stdlib_module_names | _PACKAGES) - _BEFORE_ALL - set(sys.builtin_module_names)
    names = set()
    for place in folders:
        try:
            here = known & {entry.partition(".")[0] for entry in os.listdir(place)} if os.path.isdir(place) else known
        except OSError:
            continue  # it may not be read: nothing is found there
        for name in here:
            spec = PathFinder.find_spec(name, [place])
            if spec is not None and spec.origin is not None:  # else a folder without modules
                names.add(name)
    return sorted(names)


def keep_apart(*folders: str) -> None:
    """From now on the program imports the modules in *folders*, or archives, as its own, and we the library's of these
    names."""
    places = [real_path(folder) for folder in folders]
    _TABLES.part(names_of(places), places)


@contextmanager
def apart(names: Sequence[str], folder: str) -> Iterator[None]:
    """As `keep_apart`, while a program runs that has these *names* in *folder*."""
    _TABLES.part(names, [folder])
    try:
        yield
    finally:
        if names:
            _TABLES.join()
