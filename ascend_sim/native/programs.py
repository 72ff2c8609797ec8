"""Programs that are no Python: how to tell them, and the environment in which they find the simulator."""

from __future__ import annotations

import os
from collections.abc import Mapping

__all__ = ["ONE_THREAD", "fixed_addresses", "native_command", "native_environment"]

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1"}
"""What keeps libraries from threads of their own: no search orders these, and a process that has some is not forked."""

_ADDR_NO_RANDOMIZE = 0x0040000


def native_command(path: str) -> list[str] | None:
    """The words that start the file, when the system runs it by itself: compiled, or a script for another interpreter.

    None of a Python program. A pipe is not looked into: nobody may write there, and what is read is gone.
    """
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            start = file.read(256)
        full = os.path.abspath(path)
    except OSError:
        return None
    if start.startswith(b"\x7fELF"):
        return [full]
    first = start.partition(b"\n")[0]
    if not first.startswith(b"#!") or b"python" in first:
        return None
    return [*os.fsdecode(first[2:]).split(), full]  # the script need not be executable


def native_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """*variables*, with the library where the loader looks first. Raises CompilerError, OSError."""
    from ascend_sim.native.home.folder import cached_home  # the tables, the face: only a native program needs them

    home = str(cached_home())
    lib = os.path.join(home, "lib64")
    rest = [p for p in variables.get("LD_LIBRARY_PATH", "").split(os.pathsep) if p and p != lib]
    found = {**variables, "LD_LIBRARY_PATH": os.pathsep.join([lib, *rest])}
    found["PATH"] = os.pathsep.join(p for p in (os.path.join(home, "bin"), variables.get("PATH")) if p)
    found.setdefault("PYTHONHASHSEED", "0")  # else the heap of each run lies otherwise
    found.setdefault("ASCEND_HOME_PATH", home)
    found.setdefault("ASCEND_OPP_PATH", os.path.join(home, "opp"))
    return found


def fixed_addresses() -> None:
    """In a new process, before its program: the system puts stack, heap and libraries at the same addresses in each run.

    As debuggers do it: host addresses are true ones, and a log of two runs is then the same. Where it is not allowed
    the addresses differ, and nothing else.
    """
    import ctypes

    try:
        ctypes.CDLL(None).personality(ctypes.c_ulong(_ADDR_NO_RANDOMIZE))
    except AttributeError:  # not Linux
        return
