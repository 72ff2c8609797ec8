"""Makes the modules of ``constants/`` from the tables: ``python -m ascend_sim.catalogue.make_constants`` rewrites them.

Enums come from ``data/enums.tsv``, return codes from ``data/error_codes.tsv``, the other constants from
``data/constants.tsv``. The modules stay plain numbers: editors and type checkers follow those, and they import fast.
A test compares the files with what this makes.
"""

from __future__ import annotations

from pathlib import Path

from ascend_sim.catalogue.enums import enums
from ascend_sim.catalogue.tables import PACKAGE, rows

__all__ = ["MODULES", "main", "source"]

MODULES = {
    "errors": "Return codes: 1xxxxx the caller's mistake, 2xxxxx a resource, 3xxxxx a service state, 5xxxxx inside.",
    "execution": "Devices, streams, events, kernels, capture and the rest of the enums of acl_rt.h.",
    "flags": "Flag words and limits of acl_rt.h.",
    "media": "Pictures and video: pixel formats, stream formats, channel parameters (acl_dvpp.h).",
    "memory": "Memory: copy kinds, policies, attributes, locations, virtual and pooled memory (acl_rt.h, "
    "acl_rt_memory_soma.h).",
    "models": "Models, single operators and their compilation, CBLAS (acl_mdl.h, acl_op.h, acl_op_compiler.h, "
    "acl_cblas.h).",
    "queues": "Tensor channels, shared queues and buffers (acl_tdt.h, acl_tdt_queue.h).",
    "tools": "Dump, profiling and platform queries (acl_dump.h, acl_prof.h, acl_platform.h).",
    "types": "Data types, formats and the other enums of acl_base_rt.h.",
}
"""Each module and what its docstring says."""


def source(module: str) -> str:
    """The text of one module."""
    parts = [f'"""{MODULES[module]}"""', "# Made from the tables: python -m ascend_sim.catalogue.make_constants"]
    for enum in enums().values():
        if enum.module == module:
            lines = [member.replace("=", " = ") for member in enum.members]
            lines += [member.replace("=", " = ") + "  # deprecated" for member in enum.deprecated]
            parts.append("\n".join([f"# enum {enum.name}", *lines]))
    if module == "errors":
        parts.append(
            "\n".join(f"{name} = {value}" for value, name, _, _ in rows("error_codes.tsv", "value name group meaning"))
        )
    plain = [
        f"{name} = {value}" for name, where, value in rows("constants.tsv", "name module value") if where == module
    ]
    if plain:
        parts.append("\n".join(["# constants", *plain]))
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Rewrite the modules that differ, and say which."""
    folder = Path(PACKAGE, "constants")
    for module in MODULES:
        file, text = folder / f"{module}.py", source(module)
        if file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"written: {file}")


if __name__ == "__main__":
    main()
