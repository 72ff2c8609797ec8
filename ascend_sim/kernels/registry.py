"""The kernels of one simulator: path aliases, loaded binaries, and what repeated launches share."""

from __future__ import annotations

import fnmatch
import os
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ascend_sim.errors import AclError
from ascend_sim.kernels.binaries import Binary, Function, kernels_of, run_source

if TYPE_CHECKING:
    from ascend_sim.kernels.kernel import Kernel
    from ascend_sim.runtime.task import Op
    from ascend_sim.simulator import Simulator

__all__ = ["MARK", "KernelRegistry"]

MARK = b"# ascend_sim kernels"
"""The first line of a stub: a file with any name that holds kernels as source."""

ELF = b"\x7fELF"
LARGEST_FILE = 16 << 20


class KernelRegistry:
    """`sim.kernels`: ``sim.kernels["add_custom.o"] = module`` (or a kernel, a list of kernels, or a path) registers.

    Only what is registered here, a ``.py`` file that the program names itself, and a stub that begins with the line
    ``# ascend_sim kernels`` run code.
    """

    def __init__(self, sim: Simulator) -> None:
        self.sim = sim
        self.aliases: dict[str, Any] = {}
        self.operations: dict[Any, Op] = {}
        """Operations of launches that are alike."""
        self.handles: dict[int, Any] = {}
        """The args handle of each host thread, by its number."""
        self.functions: dict[Kernel, Function] = {}
        """Functions of kernels that are launched as Python objects."""
        for item in os.environ.get("ASCEND_SIM_KERNELS", "").split(","):
            if "=" in item:
                pattern, source = item.split("=", 1)
                self.aliases[pattern] = source

    def __setitem__(self, path: str, source: Any) -> None:
        if not isinstance(source, (str, os.PathLike, ModuleType, list, tuple)) and not hasattr(source, "parameters"):
            raise TypeError(f"{path!r}: a module, a kernel, a list of kernels or the path of a kernel file is required")
        self.aliases[path] = source

    def _alias(self, path: str) -> Any:
        """The source registered for *path*: for the whole path, for trailing parts of it, for the file name.

        Raises AclError 107000 when two patterns fit equally well.
        """
        parts = os.path.normpath(path).replace(os.sep, "/").split("/")
        if path in self.aliases:
            return self.aliases[path]
        for start in range(len(parts)):
            tail = "/".join(parts[start:])
            fits = [pattern for pattern in self.aliases if fnmatch.fnmatchcase(tail, pattern)]
            if len(fits) > 1 and tail in fits:
                fits = [tail]
            if len(fits) > 1:
                raise AclError(107000, f"{path!r} fits two registered kernel files: {fits[0]!r} and {fits[1]!r}")
            if fits:
                return self.aliases[fits[0]]
        return None

    def load_file(self, path: str, cpu: bool) -> Binary:
        """The binary of *path*. Raises AclError 107000: missing, unreadable, no kernels, a real binary."""
        source = self._alias(path)
        if source is None:
            return self.load_bytes(self._read(path), path, cpu)
        if isinstance(source, (str, os.PathLike)):
            name = os.fspath(source)
            return Binary(self._run(self._read(name), name), name, cpu)
        return Binary(kernels_of(source), path, cpu)

    def load_bytes(self, data: bytes, name: str, cpu: bool) -> Binary:
        """The binary of *data*, which came from *name*. Raises AclError 107000."""
        if data[:4] == ELF:
            self.sim.report(
                "not-modelled",
                "warning",
                f"{name!r} is a compiled kernel: the simulator runs kernels that are written in Python",
                fix=f"write its kernels in a Python file and register it: --kernels {os.path.basename(name)}=KERNELS.py",
            )
            raise AclError(
                107000,
                f"{name!r} is a device ELF: register a kernel file for it with --kernels {os.path.basename(name)}=KERNELS.py",
            )
        if not (name.endswith(".py") or data.lstrip().startswith(MARK)):
            raise AclError(
                107000, f"{name!r} is no kernel file: it neither ends in .py nor begins with {MARK.decode()!r}"
            )
        return Binary(self._run(data, name), name, cpu)

    def _read(self, path: str) -> bytes:
        try:
            if os.path.getsize(path) > LARGEST_FILE:
                raise AclError(107000, f"{path!r} is larger than {LARGEST_FILE} bytes")
            with open(path, "rb") as file:
                return file.read(LARGEST_FILE)
        except OSError as error:
            raise AclError(107000, f"{path!r} cannot be read: {error.strerror}") from None

    def _run(self, data: bytes, name: str) -> list[Kernel]:
        found = run_source(data, name)
        if not found:
            raise AclError(107000, f"{name!r} holds no kernel: decorate its functions with @kernel")
        return found
