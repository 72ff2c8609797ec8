"""``ascend-sim cc main.cpp -o main``: compile and link a C or C++ program with the headers and the library of the simulator.

Every argument is one of the compiler: a C++ compiler when a source file is C++, else a C compiler. The program finds the
library wherever it is started; ``ascend-sim run ./main`` watches it and sums up what it found.

Sources with kernels keep their host functions; a launch ``add<<<blocks, nullptr, stream>>>(x, n)`` runs the Python kernel of
that name: ``ascend-sim stub --from main.cpp`` writes a skeleton, ``ascend-sim run --kernels main.py ./main`` names it.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from itertools import pairwise

from ascend_sim.cli.help import asked, helped
from ascend_sim.findings.output import tell
from ascend_sim.native.home.compilers import CompilerError, c_compiler, cpp_compiler
from ascend_sim.native.home.folder import cached_home
from ascend_sim.native.kernels.cpp_text import Refused
from ascend_sim.native.kernels.sources import Rewriter, has_kernels
from ascend_sim.untrusted.files import may_never_end

__all__ = ["main"]

_CPP = (".cc", ".cpp", ".cxx", ".c++", ".C", ".hpp", ".asc")


def main(argv: Sequence[str]) -> int:
    """Run the compiler; the exit code is its own, 1 when there is none, 2 without arguments."""
    arguments = list(argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(helped(__doc__ or "", asked(arguments)))
        return 0 if arguments else 2
    for before, word in pairwise(["", *arguments]):
        if before != "-o" and may_never_end(word):
            tell(f"{word!r} is a pipe or a device: name a file")
            return 2
    try:
        home = cached_home()
        compiler = cpp_compiler() if any(word.endswith(_CPP) for word in arguments) else c_compiler()
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
            arguments = _host_sources(arguments, work)
        except (Refused, OSError) as error:
            tell(error)
            return 1
        command = [*compiler, f"-I{home / 'include'}", *arguments, *links]
        return subprocess.run(command, check=False).returncode


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
        found += ["-iquote", os.path.dirname(os.path.abspath(word)), target]
    return found
