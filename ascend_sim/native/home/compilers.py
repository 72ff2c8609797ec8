"""The C compiler of the machine, or the one of the ``ziglang`` wheel."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec

__all__ = ["CompilerError", "c_compiler", "compile_c", "compile_cpp", "cpp_compiler"]

MISSING = (
    "there is no C compiler here: install gcc or clang (Debian: apt install g++), or the compiler that comes as a wheel: "
    "pip install 'ascend-sim[native]'"
)


class CompilerError(Exception):
    """There is no compiler, or it refused the text; the message says which, for the user."""


@cache
def c_compiler() -> tuple[str, ...]:
    """The words that start a C compiler: ``CC``, cc, gcc, clang, or that of ziglang. Raises CompilerError."""
    return _compiler("CC", ("cc", "gcc", "clang"), "cc")


@cache
def cpp_compiler() -> tuple[str, ...]:
    """Words that start a C++ compiler: ``CXX``, c++, g++, clang++. Raises CompilerError."""
    return _compiler("CXX", ("c++", "g++", "clang++"), "c++")


def _compiler(variable: str, names: Sequence[str], zig: str) -> tuple[str, ...]:
    given = shlex.split(os.environ.get(variable, ""))
    if given and shutil.which(given[0]):
        return tuple(given)
    for name in names:
        path = shutil.which(name)
        if path is not None:
            return (path,)
    if find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", zig)
    raise CompilerError(MISSING)


def compile_c(arguments: Sequence[str]) -> None:
    """Run the C compiler. Raises CompilerError with its messages."""
    _run(c_compiler(), arguments)


def compile_cpp(arguments: Sequence[str]) -> None:
    """Run the C++ compiler. Raises CompilerError with its messages."""
    _run(cpp_compiler(), arguments)


def _run(compiler: Sequence[str], arguments: Sequence[str]) -> None:
    try:
        done = subprocess.run([*compiler, *arguments], capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise CompilerError(f"{compiler[0]} cannot be started: {error.strerror}") from None
    if done.returncode:
        raise CompilerError(f"{shlex.join(compiler)} failed:\n{done.stderr.strip() or done.stdout.strip()}")
