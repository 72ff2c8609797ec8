"""``ascend-sim cc main.cpp -o main``: compile and link a C or C++ program with the headers and the library of the simulator.

Every argument is one of the compiler: a C++ compiler when a source file is C++, else a C compiler. The program finds the
library wherever it is started; ``ascend-sim run ./main`` watches it and sums up what it found.

Sources with kernels keep their host functions; a launch ``add<<<blocks, nullptr, stream>>>(x, n)`` runs the Python kernel of
that name: ``ascend-sim stub --from main.cpp`` writes a skeleton, ``ascend-sim run --kernels main.py ./main`` names it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ascend_sim.cli.help import asked, helped
from ascend_sim.findings.output import tell
from ascend_sim.native.kernels.host_code import compile_host
from ascend_sim.untrusted.files import may_never_end

__all__ = ["main"]


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
    return compile_host(arguments)
