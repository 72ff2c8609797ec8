"""Loaded binaries, their functions, and the Python files behind them."""

from __future__ import annotations

import linecache
import os
import re
import sys
import zlib
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import PASSING, AclError
from ascend_sim.kernels.language.kernel import Kernel
from ascend_sim.source.callsite import CallSite
from ascend_sim.source.fence import said
from ascend_sim.untrusted.digests import sha256
from ascend_sim.untrusted.files import read_file

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.plan import Plan

__all__ = [
    "LARGEST_FILE", "MARK", "Binary", "Function", "RawBinary", "Stub", "kernels_of", "run_source", "stub_in", "stub_of",
]  # fmt: skip

MARK = "# ascend_sim kernels"
"""The first line of a file with any name that holds kernels as source: alone, or before ``: PATH sha256=DIGEST``."""

LARGEST_FILE = 16 << 20
"""Of a kernel file, in bytes."""

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


def run_source(data: bytes, path: str) -> list[Kernel]:
    """Run the source of kernels and collect them. It is compiled as *path*: breakpoints and reports fit.

    Whether it may run is for the registry to say. Raises AclError 107000 when it has an error or wants to leave.
    """
    module = ModuleType(f"ascend_sim_kernels_{zlib.crc32(data + path.encode(errors='surrogatepass')):08x}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # typing.get_type_hints looks the module of a class up
    if not os.path.exists(path):  # reports quote the source
        text = data.decode(errors="replace")
        linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    try:
        code = compile(data, path, "exec", dont_inherit=True)
        exec(code, module.__dict__)
    except PASSING:
        del sys.modules[module.__name__]
        raise
    except BaseException as error:  # the user's file: any error of it makes it no binary
        del sys.modules[module.__name__]
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"kernel file {path!r}: {type(error).__name__}: {said(error)}{_line(error, path)}",
        ) from error
    return kernels_of(module)


class Stub(NamedTuple):
    """What a file with `MARK` holds: source, and for one that ``ascend-sim stub`` wrote whose copy it says it is."""

    source: bytes
    path: str
    """Empty when the first line names none."""
    digest: str

    def copies(self, original: bytes) -> bool:
        """Whether it is what ``ascend-sim stub`` makes of a file with these bytes."""
        return self.digest == sha256(original).hexdigest() and self.source == original


_FIRST_LINE = re.compile(rf"{re.escape(MARK)}(?:: (?P<path>.+?)(?: sha256=(?P<digest>[0-9a-f]{{64}}))?)?\s*")


def stub_in(data: bytes) -> Stub | None:
    """The stub in *data*; None when the first line is not `MARK`."""
    first, _, rest = data.partition(b"\n")
    found = _FIRST_LINE.fullmatch(first.decode(errors="replace"))
    if found is None:
        return None
    if found["path"] is None:
        return Stub(data, "", "")  # the line is a comment: line numbers fit
    return Stub(rest, found["path"], found["digest"] or "")


def _line(error: BaseException, path: str) -> str:
    line = error.lineno if isinstance(error, SyntaxError) else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" (line {line})" if line else ""


def stub_of(path: str) -> bytes:
    """The bytes of a stub for the kernel file *path*: a line with its name and digest, and its source.

    Raises OSError, TooLarge.
    """
    source = read_file(path, LARGEST_FILE)
    return f"{MARK}: {os.path.abspath(path)} sha256={sha256(source).hexdigest()}\n".encode() + source
