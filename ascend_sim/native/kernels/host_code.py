"""Compiles and links C and C++ sources on the host; of sources with kernels what the host does (`sources`).

`main` stands for the device compiler: ``ccec`` and ``bisheng`` of the home, which projects call by name. What is for the
device is dropped from its words.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from itertools import pairwise

from ascend_sim.findings.output import tell
from ascend_sim.native.home.compilers import CompilerError, c_compiler, cpp_compiler
from ascend_sim.native.home.folder import cached_home
from ascend_sim.native.kernels.cpp_text import Refused
from ascend_sim.native.kernels.sources import Rewriter, has_kernels

__all__ = ["compile_host", "for_host", "main"]

_CPP = (".cc", ".cpp", ".cxx", ".c++", ".C", ".hpp", ".asc", ".cce")
_OF_DEVICE = ("--cce-", "--npu-arch", "-xcce", "-xasc", "-Xhost-")
_WITH_VALUE = ("-mllvm", "-Xcce")
_STATIC = "--cce-build-static-lib"


def compile_host(arguments: Sequence[str], cpp: bool = False) -> int:
    """Run the compiler with these words, that of C++ when a source is, or for *cpp*. The exit code is its own, or 1."""
    try:
        home = cached_home()
        cpp = cpp or any(word.endswith(_CPP) for word in arguments)
        compiler = cpp_compiler() if cpp else c_compiler()
    except (CompilerError, OSError) as error:
        tell(error)
        return 1
    lib = home / "lib64"
    links = (
        []
        if {"-c", "-S", "-E", "-M", "-MM"} & set(arguments)
        else [f"-L{lib}", f"-Wl,-rpath,{lib}", "-lascendcl", "-lpthread"]
    )
    with tempfile.TemporaryDirectory(prefix="ascend-sim-cc-") as work:
        try:
            words = _host_sources(arguments, work)
        except (Refused, OSError) as error:
            tell(error)
            return 1
        return subprocess.run([*compiler, f"-I{home / 'include'}", *words, *links], check=False).returncode


def _host_sources(arguments: Sequence[str], work: str) -> list[str]:
    """*arguments* with the host code of sources that have kernels in their place. Raises Refused, OSError."""
    folders = [word[2:] for word in arguments if word.startswith("-I") and len(word) > 2]
    folders += [after for word, after in pairwise(arguments) if word in ("-I", "-iquote")]
    found: list[str] = []
    for number, word in enumerate(arguments):
        if word.startswith("-") or not word.endswith(_CPP) or not os.path.isfile(word) or not has_kernels(word):
            found.append(word)
            continue
        name = os.path.splitext(os.path.basename(word))[0]
        target = os.path.join(work, str(number), f"{name}.cpp")
        os.mkdir(os.path.dirname(target))
        with open(target, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(Rewriter(folders).rewritten(word))
        folder = os.path.dirname(os.path.abspath(word))
        # addr2line takes two files of one name for one: to it the new one has to lie where the source does
        found += ["-iquote", folder, f"-fdebug-prefix-map={os.path.dirname(target)}={folder}", target]
    return found


def for_host(arguments: Sequence[str]) -> list[str]:
    """Words of the device compiler without those that are for the device.

    >>> for_host(["-xcce", "--cce-aicore-arch=dav-c220", "-mllvm", "-cce-x", "-O2", "-Xaicore-start", "-g", "-Xaicore-end"])
    ['-O2']
    """
    kept: list[str] = []
    device = False
    for before, word in pairwise(["", *arguments]):
        if word in ("-Xaicore-start", "-Xaicore-end"):
            device = word.endswith("start")
        elif (before, word) in (("-x", "cce"), ("-x", "asc")):
            kept.pop()
        elif not device and before not in _WITH_VALUE and word not in _WITH_VALUE and not word.startswith(_OF_DEVICE):
            kept.append(word)
    return kept


def main(arguments: Sequence[str]) -> int:
    """``ccec`` or ``bisheng`` with these words."""
    words = for_host(arguments)
    if _STATIC in arguments:
        target = words[words.index("-o") + 1]
        return subprocess.run(["ar", "rcs", target, *(w for w in words if w.endswith(".o"))], check=False).returncode
    return compile_host(words, cpp=True)
