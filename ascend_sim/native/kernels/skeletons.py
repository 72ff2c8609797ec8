"""Skeletons of numpy kernels from C++ kernel sources: names and types as far as the C signature tells."""

from __future__ import annotations

import keyword
import os
import re

from ascend_sim.native.kernels.sources import Kernel, Parameter

__all__ = ["skeleton"]

_TYPES = {
    "float": "np.float32", "double": "np.float64", "half": "np.float16", "float16_t": "np.float16", "bool": "np.bool_",
    "char": "np.int8", "int8_t": "np.int8", "uint8_t": "np.uint8", "unsigned char": "np.uint8", "int16_t": "np.int16",
    "uint16_t": "np.uint16", "short": "np.int16", "int32_t": "np.int32", "uint32_t": "np.uint32", "int": "np.int32",
    "unsigned int": "np.uint32", "unsigned": "np.uint32", "int64_t": "np.int64", "uint64_t": "np.uint64",
    "long": "np.int64", "unsigned long": "np.uint64", "size_t": "np.uint64",
}  # fmt: skip


def skeleton(kernels: list[Kernel], source: str) -> str:
    """The text of a kernel file with a function for each kernel, to be filled in."""
    structs: dict[str, None] = {}
    functions = [_function(kernel, structs) for kernel in kernels]
    names = ["Block", "Struct", "gm", "kernel"] if structs else ["Block", "gm", "kernel"]
    lines = [
        f'"""Kernels of {os.path.basename(source)}: each function runs once for every block."""',
        "",
        "import numpy as np",
        "",
        f"from ascend_sim import {', '.join(names)}",
    ]
    for name in structs:
        lines += ["", "", f"class {name}(Struct):", '    """Annotate the fields as the C struct has them."""']
    for function in functions:
        lines += ["", "", *function]
    return "\n".join([*lines, ""])


def _function(kernel: Kernel, structs: dict[str, None]) -> list[str]:
    names = {p.name for p in kernel.parameters}
    block = next(name for name in ("b", "block", "this_block", "block_") if name not in names)
    taken, open_types = [f"{block}: Block"], []
    for parameter in kernel.parameters:
        name = parameter.name + ("_" if keyword.iskeyword(parameter.name) else "")
        annotation, sure = _annotation(kernel, parameter, structs)
        taken.append(f"{name}: {annotation}")
        if not sure:
            open_types.append(f"{name} ({parameter.ctype})")
    head = f"def {kernel.name}({', '.join(taken)}) -> None:"
    if len(head) > 110:
        head = f"def {kernel.name}(\n    {', '.join(taken)},\n) -> None:"
    lines = ["@kernel", *head.split("\n")]
    lines.append(f'    """{os.path.basename(kernel.path)}, line {kernel.line}."""')
    if open_types:
        lines.append(
            f"    # the C signature does not tell these types, put the right ones above: {', '.join(open_types)}"
        )
    lines.append(f'    raise NotImplementedError("write what {kernel.name} computes")')
    return lines


def _annotation(kernel: Kernel, parameter: Parameter, structs: dict[str, None]) -> tuple[str, bool]:
    """As the function has it, and whether the C type says so for sure."""
    constant = parameter.ctype.startswith("const ")
    base = re.sub(r"\bconst\b|\*|\bstd::", " ", parameter.ctype)
    base = " ".join(base.split())
    known = _TYPES.get(base)
    if parameter.is_pointer:
        way = "In" if constant else "InOut"
        sure = known is not None and base != "uint8_t"
        return f"gm.{way}[{known or 'np.uint8'}]", sure
    if known is not None:
        return known, True
    if base.isidentifier() and base not in _template_names(kernel):
        structs[base] = None
        return base, False
    return "np.float32", False


def _template_names(kernel: Kernel) -> set[str]:
    return set(re.findall(r"\w+", kernel.template or ""))
