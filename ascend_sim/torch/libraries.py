"""The folder that torch_npu takes for an installed CANN, and its libraries in this process.

It is that of `native.home`, but for libraries of their own under the names that libtorch_npu.so links to: the loader
finds a library that is there already by the name which that has for itself.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import sys
import tempfile
from pathlib import Path

from ascend_sim._version import __version__
from ascend_sim.catalogue.tables import PACKAGE

__all__ = ["folder", "load"]

_NAMES = (
    "hccl", "acl_op_compiler", "ge_runner", "graph", "acl_tdt_channel",
    "opapi", "nnopbase", "msprofiler", "ascend_hal", "ms_tools_ext", "mspti",
)  # fmt: skip
"""What libtorch_npu.so links to, besides libascendcl.so; those of the second line are opened by name."""
_MARK = "torch.cfg"


def folder() -> Path:
    """The folder in the cache, made when it is not there. Raises CompilerError, OSError."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "ascend-sim")
    found = cache / f"torch-{__version__}-{_state()}"
    if not (found / _MARK).exists():
        _make(found)
    return found


def _state() -> str:
    """A mark of all files that the libraries are made from, without reading them: that would take longer than loading."""
    parts = [platform.machine(), sys.executable]
    for room in ("native", "native/c", "catalogue", "data", "aclnn", "torch"):
        with os.scandir(os.path.join(PACKAGE, room)) as entries:
            files = sorted((entry.name, entry.stat()) for entry in entries if entry.is_file())
        parts += [f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in files]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _make(target: Path) -> None:
    from ascend_sim.native.home.compilers import compile_c
    from ascend_sim.native.home.folder import fill_for_guest  # the tables and all headers: only when they are needed

    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="torch-", dir=target.parent))
    fill_for_guest(work)
    libraries = work / "lib64"
    empty = work / "empty.c"
    empty.write_text("", encoding="utf-8")
    for name in _NAMES:
        made = libraries / f"lib{name}.so"
        made.unlink(missing_ok=True)
        flags = ("-shared", "-fPIC", f"-Wl,-soname,{made.name}", "-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN")
        compile_c([*flags, str(empty), f"-L{libraries}", "-lascendcl", "-o", str(made)])
    (work / _MARK).write_text(f"{__version__}\n", encoding="utf-8")
    try:
        os.rename(work, target)
    except OSError:  # another process was faster
        import shutil

        shutil.rmtree(work, ignore_errors=True)


def load(home: Path) -> None:
    """Load the libraries into this process under their own names. Raises OSError."""
    for name in ("ascendcl", *_NAMES):
        ctypes.CDLL(str(home / "lib64" / f"lib{name}.so"), mode=ctypes.RTLD_GLOBAL)
