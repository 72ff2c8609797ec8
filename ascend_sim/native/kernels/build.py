"""What builds run on kernel sources: ``bin/ascend-sim-kernels`` of the home, which `ascendc.cmake` calls when it configures.

    ascend-sim-kernels -o FOLDER [-I FOLDER]... SOURCE.cpp...

It writes FOLDER/NAME_host.cpp for each source and FOLDER/include/aclrtlaunch_KERNEL.h for each kernel, and prints the
files that it read, so that a build looks again when one changes.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from ascend_sim.findings.output import tell
from ascend_sim.native.kernels.cpp_text import Refused
from ascend_sim.native.kernels.sources import Kernel, Rewriter, quoted

__all__ = ["launch_functions", "launch_header", "main"]


def launch_header(kernel: Kernel, prints: bool = False) -> str:
    """``aclrtlaunch_KERNEL.h``: `ACLRT_LAUNCH_KERNEL` with blocks, stream and arguments, expanded where it stands."""
    struct = f"ascend_sim_header_{kernel.name}"
    fields = "".join(f"{_host_type(p.ctype)} {p.name}; " for p in kernel.parameters)
    taken = ", ".join(f"{_passed(p.ctype)} {p.name}_" for p in kernel.parameters)
    filled = ", ".join(f"{p.name}({p.name}_{'' if p.ctype.endswith('*') else '.value'})" for p in kernel.parameters)
    made = f"{struct}({taken}) : {filled} {{}} " if kernel.parameters else ""
    guard = f"ASCEND_SIM_LAUNCH_{kernel.name}_H"
    name = f"aclrtlaunch_{kernel.name}"
    return "\n".join(
        [
            "/* Made by ascend_sim from a kernel source. */",
            f"#ifndef {guard}",
            f"#define {guard}",
            '#include "ascend_sim_kernels.h"',
            "#ifndef ACLRT_LAUNCH_KERNEL",
            "#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel",
            "#endif",
            f"struct {struct} {{ {fields}{made}}};",
            f"#define {name}(blocks_, stream_, ...) ascend_sim_launch({quoted(kernel.name)}, {quoted(kernel.path)}, \\",
            "    ::ascend_sim::blocks(blocks_), ::ascend_sim::stream(stream_), \\",
            f"    ::ascend_sim::address({struct}(__VA_ARGS__)), sizeof({struct}), {int(prints)})",
            "#endif",
            "",
        ]
    )


def launch_functions(kernels: Sequence[Kernel], printing: Collection[str] = ()) -> str:
    """Definitions of ``aclrtlaunch_KERNEL``, for programs that declare them themselves."""
    lines = []
    for kernel in kernels:
        if kernel.template is not None:
            continue
        taken = "".join(f", {_passed(p.ctype, '::type')} {p.name}" for p in kernel.parameters)
        given = ", ".join(
            f"({p.ctype}){p.name}" if p.is_pointer else f"{_passed(p.ctype)}({p.name}).value" for p in kernel.parameters
        )
        lines.append(
            f'extern "C" uint32_t aclrtlaunch_{kernel.name}(uint32_t blocks_, void *stream_{taken}) {{ return '
            f"ascend_sim_launch({quoted(kernel.name)}, {quoted(kernel.path)}, blocks_, stream_, "
            f"::ascend_sim::address({kernel.struct}({given})), sizeof({kernel.struct}), {int(kernel.name in printing)}); }}"
        )
    return "\n".join([*lines, ""])


def _host_type(ctype: str) -> str:
    return "void *" if ctype.endswith("*") else ctype


def _passed(ctype: str, part: str = "") -> str:
    """What a launch is given for a parameter of this type: `passed` of ``ascend_sim_kernels.h``, or a *part* of that."""
    return "void *" if ctype.endswith("*") else f"::ascend_sim::passed<{ctype}>{part}"


def main(arguments: Sequence[str]) -> int:
    """Write the files; exit code 1 when a source cannot be read or understood."""
    parser = argparse.ArgumentParser(prog="ascend-sim-kernels", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-o", dest="folder", type=Path, required=True, help="the folder to write to")
    parser.add_argument("-I", dest="folders", action="append", default=[], help="where quoted headers are looked for")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args(arguments)
    include = options.folder / "include"
    read: dict[str, None] = {}
    try:
        include.mkdir(parents=True, exist_ok=True)
        for source in options.sources:
            rewriter = Rewriter(options.folders)
            text = rewriter.rewritten(source)
            read.update(dict.fromkeys(rewriter.files))
            kernels = list(rewriter.kernels.values())
            outside = [k for k in kernels if not k.scoped]
            _write(
                options.folder / f"{Path(source).stem}_host.cpp",
                f"{text}\n{launch_functions(outside, rewriter.printing)}",
            )
            for kernel in outside:
                if kernel.template is None:
                    _write(
                        include / f"aclrtlaunch_{kernel.name}.h",
                        launch_header(kernel, kernel.name in rewriter.printing),
                    )
    except (Refused, OSError) as error:
        tell(error)
        return 1
    print(";".join(os.path.abspath(path) for path in read), end="")
    return 0


def _write(path: Path, text: str) -> None:
    """Only what changed: the rest of the build stays as it is."""
    data = text.encode("utf-8", "surrogateescape")
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
