"""Loaded binaries and their functions."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from ascend_sim.errors import AclError
from ascend_sim.kernels.kernel import Kernel

__all__ = ["Binary", "Function", "RawBinary", "kernels_of", "run_source"]

MIX_ENDINGS = ("_mix_aic", "_mix_aiv")


class RawBinary:
    """What aclrtCreateBinary makes: bytes of the caller, not looked at before aclrtBinaryLoad."""

    def __init__(self, address: int, size: int) -> None:
        self.address = address
        self.size = size

    def describe(self) -> str:
        """The binary in words."""
        return f"a binary of {self.size} bytes"


class Binary:
    """A loaded binary: kernels by name and by entry."""

    def __init__(self, kernels: list[Kernel], name: str, cpu: bool) -> None:
        self.name = name
        self.cpu = cpu
        self.kernels = {kernel.name: kernel for kernel in kernels}
        self.entries = {kernel.entry: kernel for kernel in kernels if kernel.entry is not None}
        self.functions: dict[str, Function] = {}
        self.devices: set[int] = set()
        """Devices for which it was loaded or a function was looked up: launches on others are refused."""
        self.handle = 0
        self.unloaded = False

    def describe(self) -> str:
        """The binary in words."""
        return f"the binary {self.name!r}"

    def find(self, name: str) -> Kernel:
        """The kernel of this name; a mixed kernel's ending is dropped. Raises AclError 107000, the output is 0."""
        plain = next((name[: -len(ending)] for ending in MIX_ENDINGS if name.endswith(ending)), name)
        kernel = self.kernels.get(name) or self.kernels.get(plain)
        if kernel is None:
            raise AclError(107000, f"`{name}` is not in {self.name} ({', '.join(self.kernels)})", outputs=(0,))
        return kernel


class Function:
    """A kernel of a loaded binary, as a handle names it."""

    def __init__(self, kernel: Kernel, binary: Binary | None, cpu: bool = False) -> None:
        self.kernel = kernel
        self.binary = binary
        self.cpu = cpu
        self.handle = 0
        self.address = 0

    def describe(self) -> str:
        """The function in words."""
        return f"kernel `{self.kernel.name}`"


def kernels_of(source: Any) -> list[Kernel]:
    """The kernels in a module, a list, or a single kernel."""
    if isinstance(source, Kernel):
        return [source]
    values = vars(source).values() if isinstance(source, ModuleType) else source
    return [value for value in values if isinstance(value, Kernel)]


def run_source(data: bytes, name: str) -> list[Kernel]:
    """Run a kernel file and collect its kernels. It is compiled under its own path: breakpoints and reports fit.

    Raises AclError 107000 when the file has an error.
    """
    module = ModuleType(f"ascend_sim_kernels_{abs(hash_of(data)):x}")
    module.__file__ = name
    sys.modules[module.__name__] = module  # typing.get_type_hints looks the module of a class up
    try:
        code = compile(data, name, "exec", dont_inherit=True)
        exec(code, module.__dict__)
    except Exception as error:  # the user's file: any error of it makes it no binary
        where = f" (line {error.lineno})" if isinstance(error, SyntaxError) else ""
        raise AclError(107000, f"kernel file {name!r}: {type(error).__name__}: {error}{where}") from error
    return kernels_of(module)


def hash_of(data: bytes) -> int:
    """A number for *data* that is the same in every run."""
    import zlib

    return zlib.crc32(data)
