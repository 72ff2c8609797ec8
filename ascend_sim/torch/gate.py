"""What happens when a program imports torch_npu: a finder that stands before all others, once.

Until then nothing is paid. ``import torch`` imports torch_npu by itself, so a program need not name it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.native.home.compilers import CompilerError
from ascend_sim.torch.libraries import folder, load
from ascend_sim.torch.ranges import with_ranges
from ascend_sim.torch.versions import is_installed, mismatch
from ascend_sim.torch.words import use_torch_words

__all__ = ["open_gate", "put_gate", "shut_gate"]

_MAPS = "/proc/self/maps"
_GUESTS = os.path.join(PACKAGE, "shims", "guests")


class Gate:
    """Makes the libraries ready for torch_npu, and finds it beside what does this for other processes."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Called for each module that is imported. Raises ImportError when torch_npu cannot run here."""
        if name == "torch_npu":
            open_gate()
            sys.meta_path.remove(self)
            # the path itself stays: processes that multiprocessing starts get it, and find what opens the gate for them
            found = PathFinder.find_spec(name, [folder for folder in sys.path if folder != _GUESTS], target)
            return with_ranges(found)
        return None


def put_gate() -> None:
    """From now on ``import torch_npu`` finds the simulator. Doing it twice changes nothing."""
    if "torch_npu" not in sys.modules and not any(isinstance(finder, Gate) for finder in sys.meta_path):
        sys.meta_path.insert(0, Gate())


class Shut:
    """Refuses torch_npu, with the reason."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Called for each module that is imported. Raises ImportError for torch_npu, and for torch that would import it."""
        brings = os.environ.get("TORCH_DEVICE_BACKEND_AUTOLOAD", "1") != "0"
        if name == "torch_npu" or (name == "torch" and brings and is_installed()):
            raise ImportError(f"ascend-sim: {self.reason}", name=name)
        return None


def shut_gate(reason: str) -> None:
    """Let ``import torch_npu`` fail with *reason*."""
    sys.meta_path.insert(0, Shut(reason))


def open_gate() -> None:
    """Load what torch_npu links to, and set its variables. Raises ImportError that says what is missing."""
    problem = mismatch() or _real_library()
    if problem:
        raise ImportError(f"ascend-sim: {problem}", name="torch_npu")
    try:
        home = folder()
        load(home)
    except (CompilerError, OSError) as error:
        raise ImportError(f"ascend-sim: torch_npu cannot run here: {error}", name="torch_npu") from None
    set_variables(os.environ, home)
    use_torch_words()


def set_variables(variables: MutableMapping[str, str], home: Path) -> None:
    """What torch_npu and the processes that the program starts are to find; a choice of the user's stays.

    Where a real CANN is installed its folders give way: its operators cannot run here.
    """
    variables["ASCEND_HOME_PATH"] = str(home)
    variables["ASCEND_OPP_PATH"] = str(home / "opp")
    variables.setdefault("TASK_QUEUE_ENABLE", "0")
    for name, path in (("LD_LIBRARY_PATH", home / "lib64"), ("PATH", home / "bin")):
        rest = [part for part in variables.get(name, "").split(os.pathsep) if part and part != str(path)]
        variables[name] = os.pathsep.join([str(path), *rest])


def _real_library() -> str:
    """Says so when the process has the libascendcl.so of a real CANN."""
    if not os.path.exists(_MAPS):
        return ""
    with open(_MAPS, encoding="utf-8", errors="replace") as maps:
        paths = {line.split(None, 5)[5].strip() for line in maps if "/libascendcl.so" in line}
    real = [path for path in sorted(paths) if "ascend-sim" not in path]
    return f"a real {real[0]} is loaded in this process: simulated and real devices do not mix" if real else ""


if "ASCEND_SIM_BEFORE" in os.environ:  # the process of a run: it imports this module for its effect
    put_gate()
