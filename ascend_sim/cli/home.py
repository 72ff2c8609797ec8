"""``ascend-sim home -o FOLDER``: what C and C++ builds take for an installed CANN, with the simulator as its library.

    ascend-sim home -o ~/ascend && source ~/ascend/set_env.sh
    cmake -B build && cmake --build build
    ascend-sim run ./build/main --devices 2

Without -o the path of a folder in the cache is printed, which is made when it is missing.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ascend_sim.cli.help import Parser
from ascend_sim.findings.output import tell
from ascend_sim.native.home.compilers import CompilerError
from ascend_sim.native.home.folder import NotOurs, cached_home, write_home

__all__ = ["main", "parser"]


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(prog="ascend-sim home", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("-o", "--output", metavar="FOLDER", type=Path, help="the folder to write")
    return made


def main(argv: Sequence[str]) -> int:
    """Write the folder; exit code 1 when the library cannot be built, 2 when the folder cannot be used."""
    options = parser().parse_args(argv)
    try:
        if options.output is None:
            print(cached_home())
            return 0
        folder = options.output.expanduser()
        write_home(folder)
    except CompilerError as error:
        tell(error)
        return 1
    except (NotOurs, OSError) as error:
        tell(error)
        return 2
    print(f"{folder}: source {folder / 'set_env.sh'}")
    return 0
