"""``ascend-sim stub KERNELS.py OUT.o``: a file that a program can load where it loads a compiled kernel.

It is the source behind a line that says so, for programs that test whether the file exists or read its bytes. Breakpoints
and reports still name KERNELS.py. ``ascend-sim run --kernels KERNELS.py`` lets it run: what a program loads runs no code
that nobody named. Where no file is needed, ``ascend-sim run --kernels OUT.o=KERNELS.py`` does without.

``ascend-sim stub --from add_custom.cpp`` goes the other way: it writes add_custom.py, a skeleton with a function for each
``__global__`` function of the C++ source, with its parameters and the types that the C signature tells.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from ascend_sim.cli.help import Parser
from ascend_sim.errors import AclError
from ascend_sim.findings.files import at_once
from ascend_sim.findings.output import tell
from ascend_sim.kernels.launching.binaries import run_source, stub_of
from ascend_sim.untrusted.files import TooLarge

__all__ = ["main", "parser"]


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(prog="ascend-sim stub", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--from", dest="source", metavar="SOURCE.cpp", help="write a skeleton for these kernels")
    made.add_argument("kernels", metavar="KERNELS.py", nargs="?", help="a Python file with @kernel functions")
    made.add_argument("out", metavar="OUT.o", nargs="?", help="what to write; its folder is made when it is missing")
    return made


def main(argv: Sequence[str]) -> int:
    """Write the stub; exit code 1 when the kernel file has an error or holds no kernel, 2 when it is not there."""
    line = parser()
    options = line.parse_args(argv)
    if options.source is not None:
        if options.out is not None:
            line.error("--from writes one file: --from SOURCE.cpp [KERNELS.py]")
        return _skeleton(options.source, options.kernels)
    if options.out is None:
        line.error("KERNELS.py and OUT.o are required, or --from SOURCE.cpp")
    try:
        data = stub_of(options.kernels)
    except OSError as error:
        tell(f"{options.kernels!r} cannot be read: {error.strerror}")
        return 2
    except TooLarge as error:
        tell(f"{options.kernels!r} is too large: {error}")
        return 2
    try:
        found = run_source(data, options.out)
    except AclError as error:
        tell(error.reason)
        return 1
    if not found:
        tell(f"{options.kernels!r} holds no kernel: decorate its functions with @kernel")
        return 1
    try:
        os.makedirs(os.path.dirname(os.path.abspath(options.out)), exist_ok=True)
        with open(options.out, "wb", opener=at_once) as file:
            file.write(data)
    except OSError as error:
        tell(f"{options.out!r} cannot be written: {error.strerror}")
        return 2
    print(f"{options.out}: {', '.join(kernel.name for kernel in found)}")
    return 0


def _skeleton(source: str, out: str | None) -> int:
    """Write the skeleton; exit code 1 when the source has no kernel or is not understood, 2 for files."""
    from ascend_sim.native.kernels.cpp_text import Refused
    from ascend_sim.native.kernels.skeletons import skeleton
    from ascend_sim.native.kernels.sources import Rewriter

    target = out if out is not None else os.path.splitext(os.path.basename(source))[0] + ".py"
    rewriter = Rewriter()
    try:
        rewriter.rewritten(source)
    except Refused as error:
        tell(error)
        return 1
    except OSError as error:
        tell(f"{source!r} cannot be read: {error.strerror}")
        return 2
    kernels = list(rewriter.kernels.values())
    if not kernels:
        tell(f"{source!r} declares no kernel: there is no __global__ function in it")
        return 1
    try:
        # The source's comments may be of another encoding.
        with open(target, "x", encoding="utf-8", errors="backslashreplace") as file:
            file.write(skeleton(kernels, source))
    except FileExistsError:
        tell(f"{target!r} is there already: name another file behind the source")
        return 2
    except OSError as error:
        tell(f"{target!r} cannot be written: {error.strerror}")
        return 2
    print(f"{target}: {', '.join(kernel.name for kernel in kernels)}")
    return 0
