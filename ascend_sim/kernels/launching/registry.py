"""The kernels of one simulator: path aliases, and what the launches of a simulator share."""

from __future__ import annotations

import os
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.kernels.language.printing import DevicePrinter
from ascend_sim.kernels.launching.binaries import (
    LARGEST_FILE,
    MARK,
    Binary,
    Function,
    Stub,
    kernels_of,
    run_source,
    stub_in,
)
from ascend_sim.runtime.path_aliases import fitting
from ascend_sim.untrusted.escaping import quoted
from ascend_sim.untrusted.files import TooLarge, read_file, real_path

if TYPE_CHECKING:
    from ascend_sim.kernels.language.kernel import Kernel
    from ascend_sim.kernels.launching.arguments import ArgsHandle
    from ascend_sim.kernels.launching.cores import CoreShortage
    from ascend_sim.runtime.core import Runtime

__all__ = ["IN_MEMORY", "KernelRegistry"]

ELF = b"\x7fELF"
IN_MEMORY = "<data>"
"""What stands for the name of bytes that the program gives: no option can name them."""


class KernelRegistry:
    """`sim.kernels`: ``sim.kernels["add_custom.o"] = module`` (or a kernel, a list of kernels, or a path) registers.

    A path is looked up as a whole, then by its trailing parts, then by the file name; names may be globs. Code runs only
    from what is registered here or in ``ASCEND_SIM_KERNELS`` (``NAME=FILE``, or ``FILE`` alone), and from copies of such a
    file and their stubs (`ascend-sim stub`), by name or from memory. Other Python files and bytes with the mark of kernels
    are refused like any foreign binary, unless `trusted` says that whatever the program loads may run.
    """

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.aliases: dict[str, Any] = {}
        self.handles: dict[int, ArgsHandle] = {}
        """The args handle of each host thread, by its number."""
        self.functions: dict[Kernel, Function] = {}
        """Functions of kernels that are launched as Python objects."""
        self.shortages: list[CoreShortage] = []
        """Kernels that hold some of their cores and wait for the others."""
        self.printer = DevicePrinter(sim)
        self.trusted = os.environ.get("ASCEND_SIM_TRUST_KERNEL_FILES", "") not in ("", "0")
        """Run every Python file and all marked bytes that the program loads (``run --trust-kernel-files``)."""
        self.unused: set[str] = set()
        """Names of ``ASCEND_SIM_KERNELS`` that no load has met."""
        self._asked: set[str] = set()
        for item in os.environ.get("ASCEND_SIM_KERNELS", "").split(","):
            pattern, equals, source = item.partition("=")
            if pattern and source:
                self.aliases[pattern] = source
                self.unused.add(pattern)
            elif pattern and not equals:
                self.register(pattern)

    def idle(self) -> list[str]:
        """What to say of mappings that nothing used."""
        asked = ", ".join(sorted(map(repr, self._asked))) or "no kernel file"
        return [f"--kernels {name}=... was never used: the program loads {asked}" for name in sorted(self.unused)]

    def __setitem__(self, path: str, source: Any) -> None:
        if not isinstance(source, (str, os.PathLike)) and not kernels_of_or_none(source):
            raise TypeError(f"{path!r}: a module, a kernel, a list of kernels or the path of a kernel file is required")
        self.aliases[path] = source

    def register(self, path: str | os.PathLike[str]) -> None:
        """Let the program load the kernel file *path* under its own name, and stubs that are copies of it."""
        self.aliases[os.fspath(path)] = os.fspath(path)

    def _alias(self, path: str) -> Any:
        """The source registered for *path*; None when there is none.

        Raises AclError 107000 when two patterns fit equally well.
        """
        fits = fitting(self.aliases, path)
        self._asked.add(path)
        self.unused.difference_update(fits)
        if len(fits) > 1:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"{path!r} fits two registered kernel files: {fits[0]!r} and {fits[1]!r}"
            )
        return self.aliases[fits[0]] if fits else None

    def load_file(self, path: str, cpu: bool) -> Binary:
        """The binary of *path*. Raises AclError 107000: missing, unreadable, no kernels, a real binary."""
        source = self._alias(path) or self._named(path)
        if source is None:
            return self.load_bytes(self._read(path, f"; {_option(path)} names a kernel file for it"), path, cpu)
        if isinstance(source, (str, os.PathLike)):
            name = os.fspath(source)
            return Binary(self._run(self._read(name), name), name, cpu)
        return Binary(kernels_of(source), path, cpu)

    def _named(self, path: str) -> str | None:
        """The kernel file that the user named, when *path* is another way to write it."""
        real = real_path(path)
        return next((file for file in self.files() if real_path(file) == real), None)

    def files(self) -> list[str]:
        """The kernel files that the user named, by a name or alone."""
        return [os.fspath(source) for source in self.aliases.values() if isinstance(source, (str, os.PathLike))]

    def load_bytes(self, data: bytes, name: str, cpu: bool) -> Binary:
        """The binary of *data*, which came from *name*. Raises AclError 107000."""
        stub = stub_in(data)
        if stub is None and not name.endswith(".py"):
            raise self._refused(data, name)
        path = name if stub is None else stub.path or name
        if not self.trusted:
            file = next((file for file in self.files() if self._is_copy(data, stub, file)), None)
            if file is None:
                raise self._not_allowed(name, path)
            path = file
        return Binary(self._run(data if stub is None else stub.source, path), name, cpu)

    def _is_copy(self, data: bytes, stub: Stub | None, file: str) -> bool:
        """Whether *data* is what the file of the user holds, or its stub."""
        try:
            original = self._read(file)
        except AclError:
            return False  # it is gone: nothing can be a copy of it
        if data == original:
            return True
        return stub is not None and stub.copies(original) and real_path(stub.path) == real_path(file)

    def _not_allowed(self, name: str, path: str) -> AclError:
        """Python code that came with the program's data: nobody said that it may run."""
        file = path if path.endswith(".py") or os.path.isfile(path) else "KERNELS.py"
        option = f"--kernels {file}"
        text = f"{name!r} holds Python code, and nobody named it as a kernel file"
        self.sim.report("not-modelled", "warning", text, fix=(
            "name the kernel file that may run, or let all run that the program loads:\n"
            f"ascend-sim run {option} ...\nascend-sim run --trust-kernel-files ..."
        ))  # fmt: skip
        return AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"{text}: {option} lets it run, --trust-kernel-files whatever the program loads"
        )

    def _refused(self, data: bytes, name: str) -> AclError:
        """Bytes that are no kernels in Python."""
        if data[:4] != ELF and not name.endswith((".o", ".json")):
            return AclError(
                ACL_ERROR_RT_PARAM_INVALID,
                f"{name!r} is no kernel file: it neither ends in .py nor begins with the line {MARK!r}",
            )
        what = "a compiled kernel" if data[:4] == ELF else "no kernel file"
        if name == IN_MEMORY:
            fix = (
                "write its kernels in a Python file, and let the program read a stub where it reads these bytes:\n"
                "ascend-sim stub KERNELS.py OUT.o\nascend-sim run --kernels KERNELS.py ..."
            )
            advice = "let the program read a stub of a Python kernel file (`ascend-sim stub`)"
        else:
            fix = f"write its kernels in a Python file and register it:\nascend-sim run {_option(name)} ..."
            advice = f"register a Python kernel file for it with {_option(name)}"
        self.sim.report(
            "not-modelled",
            "warning",
            f"{name!r} is {what}: the simulator runs kernels that are written in Python",
            fix=fix,
        )
        return AclError(ACL_ERROR_RT_PARAM_INVALID, f"{name!r} is {what}: {advice}")

    def _read(self, path: str, hint: str = "") -> bytes:
        try:
            return read_file(path, LARGEST_FILE)
        except TooLarge:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{path!r} is larger than {LARGEST_FILE} bytes") from None
        except OSError as error:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{path!r} cannot be read: {error.strerror}{hint}") from None

    def _run(self, data: bytes, name: str) -> list[Kernel]:
        found = run_source(data, name)
        if not found:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{name!r} holds no kernel: decorate its functions with @kernel")
        return found

    def function_of(self, kernel: Kernel) -> Function:
        """The function of a kernel that is launched as a Python object."""
        function = self.functions.get(kernel)
        if function is None:
            function = self.functions[kernel] = Function(kernel, None)
        return function


def kernels_of_or_none(source: Any) -> list[Kernel]:
    """The kernels in *source*; none when it is nothing that could hold any."""
    if isinstance(source, (ModuleType, list, tuple)) or hasattr(source, "parameters"):
        return kernels_of(source)
    return []


def _option(path: str) -> str:
    """The option of `ascend-sim run` with which a Python file stands for *path*."""
    return f"--kernels {quoted(os.path.basename(path) or path)}=KERNELS.py"
