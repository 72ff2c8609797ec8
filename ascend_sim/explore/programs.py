"""A program in a file as something that can be run again and again: each time as ``__main__``, with its modules fresh."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from ascend_sim.runtime.own_imports import look_elsewhere
from ascend_sim.runtime.own_names import apart, names_of
from ascend_sim.untrusted.files import read_file

__all__ = ["Script", "provide_acl"]

LARGEST = 1 << 28
"""Bytes of a program."""


def provide_acl() -> None:
    """Make ``import acl`` in this process find the simulator, in the initializer of a worker, too."""
    from ascend_sim.pyacl import put_into

    put_into(sys.modules)
    look_elsewhere()


class Script:
    """Calling it runs the file *path* with *arguments*; the value is what it printed, which is shown to nobody.

    Raises OSError, SyntaxError when the file cannot be used.
    """

    def __init__(self, path: str, arguments: Sequence[str] = ()) -> None:
        self.path = os.path.abspath(path)
        self.__qualname__ = os.path.basename(path)
        self._arguments = [path, *arguments]
        self._folder = os.path.dirname(os.path.realpath(path))
        look_elsewhere(self._folder)
        self._read()

    def _read(self) -> None:
        self._code = compile(read_file(self.path, LARGEST), self.path, "exec", dont_inherit=True)
        self._before = set(sys.modules)
        self._names = names_of([self._folder])

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: it reads the file itself."""
        return {name: value for name, value in vars(self).items() if name not in ("_code", "_before", "_names")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        look_elsewhere(self._folder)
        self._read()

    def __call__(self) -> str:
        """Run it. Raises what it raises."""
        printed = io.StringIO()
        outer = sys.modules.get("__main__"), sys.argv, list(sys.path)
        module = ModuleType("__main__")
        module.__dict__.update(__file__=self.path, __builtins__=__builtins__, __spec__=None, __cached__=None)
        sys.modules["__main__"] = module
        sys.argv = list(self._arguments)
        sys.path[0:0] = [self._folder]
        try:
            with (
                contextlib.redirect_stdout(printed),
                contextlib.redirect_stderr(io.StringIO()),
                apart(self._names, self._folder),
            ):
                exec(self._code, module.__dict__)
        finally:
            if outer[0] is not None:
                sys.modules["__main__"] = outer[0]
            sys.argv, sys.path[:] = outer[1], outer[2]
            self._forget()
        return printed.getvalue()

    def _forget(self) -> None:
        """Modules that lie beside the program are part of it: they start anew, too."""
        for name in [name for name in sys.modules if name not in self._before]:
            own = sys.modules[name]
            file = vars(own).get("__file__") if isinstance(own, ModuleType) else None
            if file is not None and os.path.realpath(file).startswith(self._folder + os.sep):
                del sys.modules[name]
