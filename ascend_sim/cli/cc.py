"""``ascend-sim cc main.cpp -o main``: compile and link a C or C++ program with the headers and the library of the simulator.

Every argument is one of the compiler: a C++ compiler when a source file is C++, else a C compiler. The program finds the
library wherever it is started; ``ascend-sim run ./main`` watches it and sums up what it found.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from ascend_sim.native.compilers import CompilerError, c_compiler, cpp_compiler
from ascend_sim.native.home import cached_home

__all__ = ["main"]

_CPP = (".cc", ".cpp", ".cxx", ".c++", ".C", ".hpp")


def main(argv: Sequence[str]) -> int:
    """Run the compiler; the exit code is its own, 1 when there is none, 2 without arguments."""
    arguments = list(argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    try:
        home = cached_home()
        compiler = cpp_compiler() if any(word.endswith(_CPP) for word in arguments) else c_compiler()
    except (CompilerError, OSError) as error:
        print(f"ascend-sim: {error}", file=sys.stderr)
        return 1
    lib = home / "lib64"
    links = (
        []
        if {"-c", "-S", "-E", "-M", "-MM"} & set(arguments)
        else [f"-L{lib}", f"-Wl,-rpath,{lib}", "-lascendcl", "-lpthread"]
    )
    return subprocess.run([*compiler, f"-I{home / 'include'}", *arguments, *links], check=False).returncode
