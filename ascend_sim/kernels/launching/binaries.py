"""Loaded binaries, their functions, and the Python files behind them."""

from __future__ import annotations

import linecache
import os
import sys
import zlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.kernels.language.kernel import Kernel
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.plan import Plan

__all__ = ["MARK", "Binary", "Function", "RawBinary", "kernels_of", "run_source", "stub_of"]

MARK = "# ascend_sim kernels"
"""The first line of a stub: a file with any name that holds kernels as source. Behind it may stand ``: PATH``."""

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
        self.site: CallSite = None
        """Where it was loaded, and (below) the how-maniest it was."""
        self.number = 0
        self.exception_callback: Any = None
        """What aclrtBinarySetExceptionCallback registered: (function, user data)."""

    def describe(self) -> str:
        """The binary in words."""
        return f"the binary {self.name!r}"

    def find(self, name: str) -> Kernel:
        """The kernel of this name; a mixed kernel's ending is dropped. Raises AclError 107000, the output is 0."""
        plain = next((name[: -len(ending)] for ending in MIX_ENDINGS if name.endswith(ending)), name)
        kernel = self.kernels.get(name) or self.kernels.get(plain)
        if kernel is None:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"`{name}` is not in {self.name} ({', '.join(self.kernels)})", outputs=(0,)
            )
        return kernel


class Function:
    """A kernel of a loaded binary, as a handle names it."""

    def __init__(self, kernel: Kernel, binary: Binary | None, cpu: bool = False) -> None:
        self.kernel = kernel
        self.binary = binary
        self.cpu = cpu or kernel.kind == "cpu"
        self.handle = 0
        self.plans: dict[Any, Plan] = {}
        """What launches that are alike have in common."""

    def describe(self) -> str:
        """The function in words."""
        return f"kernel `{self.kernel.name}`"


def kernels_of(source: Any) -> list[Kernel]:
    """The kernels in a module, a list, or a single kernel."""
    if isinstance(source, Kernel):
        return [source]
    values = vars(source).values() if isinstance(source, ModuleType) else source
    return list(dict.fromkeys(value for value in values if isinstance(value, Kernel)))


def run_source(data: bytes, name: str) -> list[Kernel]:
    """Run a kernel file and collect its kernels. It is compiled under its own path: breakpoints and reports fit.

    A stub is compiled under the path in its first line, without that line. Raises AclError 107000 when the file has an
    error.
    """
    data, path = _unwrapped(data, name)
    module = ModuleType(f"ascend_sim_kernels_{zlib.crc32(data + path.encode()):08x}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # typing.get_type_hints looks the module of a class up
    if not os.path.exists(path):  # reports quote the source
        text = data.decode(errors="replace")
        linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    try:
        code = compile(data, path, "exec", dont_inherit=True)
        exec(code, module.__dict__)
    except Exception as error:  # the user's file: any error of it makes it no binary
        del sys.modules[module.__name__]
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"kernel file {path!r}: {type(error).__name__}: {error}{_line(error, path)}"
        ) from error
    return kernels_of(module)


def _unwrapped(data: bytes, name: str) -> tuple[bytes, str]:
    first, _, rest = data.partition(b"\n")
    head = first.decode(errors="replace").strip()
    if not head.startswith(f"{MARK}:"):
        return data, name
    return rest, head[len(MARK) + 1 :].strip() or name


def _line(error: Exception, path: str) -> str:
    line = error.lineno if isinstance(error, SyntaxError) else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" (line {line})" if line else ""


def stub_of(path: str) -> bytes:
    """The bytes of a stub for the kernel file *path*: a line that names it, and its source. Raises OSError."""
    with open(path, "rb") as file:
        return f"{MARK}: {os.path.abspath(path)}\n".encode() + file.read()
