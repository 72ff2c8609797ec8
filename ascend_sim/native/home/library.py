"""The shared library: its C text from the catalogue, and the built file, kept by version and content."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from ascend_sim._version import __version__
from ascend_sim.catalogue.functions import Function, Parameter, c_kind, functions
from ascend_sim.catalogue.himpi import himpi_function, himpi_functions
from ascend_sim.catalogue.layouts import Struct, himpi_structs
from ascend_sim.catalogue.layouts import structs as layouts
from ascend_sim.catalogue.operator_functions import operator_function, operator_names
from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.native.home.compilers import c_compiler, compile_c
from ascend_sim.native.signatures import LETTERS, letter_of, signature
from ascend_sim.native.unlisted_functions import UNLISTED
from ascend_sim.progress import Progress

__all__ = [
    "BY_HAND", "SOURCES", "build", "by_value", "cache_folder", "exported", "library", "stub_head", "stubs", "value_structs",
]  # fmt: skip

SOURCES = (
    "door.c", "hccl.c", "mspti.c", "operands.c", "pages.c", "runtime.c", "securec.c", "sites.c", "threads.c", "tools.c",
    "waits.c",
)  # fmt: skip
"""The C files of the package, besides what is made from the tables."""
_HEADERS = ("door.h", "python.h")
_FOLDER = Path(PACKAGE, "native", "c")

BY_HAND = frozenset({"aclAppLog"})
"""Functions that no signature describes: they stand in door.c."""

_MAKERS = {
    "Tensor": "MAKE_TENSOR", "Scalar": "MAKE_SCALAR", "IntArray": "MAKE_INTS", "FloatArray": "MAKE_FLOATS",
    "BoolArray": "MAKE_BOOLS", "TensorList": "MAKE_LIST", "ScalarList": "MAKE_LIST",
}  # fmt: skip
OPERANDS = {
    f"acl{verb}{what}": f"{maker}{' + END' if verb == 'Destroy' else ''}"
    for what, maker in _MAKERS.items()
    for verb in ("Create", "Destroy")
}
"""Functions that make and end operands of operators: which `operand` of door.h each is."""

_C_TYPES = {
    "b": "int8_t", "B": "uint8_t", "h": "int16_t", "H": "uint16_t", "i": "int32_t", "I": "uint32_t", "q": "int64_t",
    "Q": "uint64_t", "f": "float", "d": "double", "s": "uint64_t", "x": "uint64_t", "c": "int32_t", "v": "void",
}  # fmt: skip
_TO_WORD = {"f": "word_of_float({})", "d": "word_of_double({})"}
_FLAGS = (
    "-std=gnu11",
    "-O2",
    "-fexceptions",
    "-fPIC",
    "-shared",
    "-fvisibility=hidden",
    "-Wl,-soname,libascendcl.so",
    "-Wl,-z,nodelete",
)
_STUB_FLAGS = ("-std=gnu11", "-O0", "-fno-sanitize=undefined", "-fexceptions", "-fPIC", "-fvisibility=hidden")
"""For some 3,000 functions of one statement: with -O2 they take four times as long as all else together, for nothing. The
compiler of zig looks for undefined behaviour where nothing is optimised."""
_LIBRARIES = ("-ldl", "-lpthread")


def cache_folder() -> Path:
    """Where built files are kept, in the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "ascend-sim")


def exported() -> list[Function]:
    """Every function that the library has by a signature."""
    found = [function for name, function in functions().items() if name not in BY_HAND]
    operators = (operator_function(name) for name in operator_names() if name not in functions())
    media = (himpi_function(name) for name in himpi_functions())
    return [*found, *media, *operators, *UNLISTED.values()]


def by_value(function: Function) -> dict[int, str]:
    """The parameters that are structs themselves, by position."""
    known = layouts()
    found = {i: p.ctype for i, p in enumerate(function.parameters) if p.ctype in known}
    himpi = himpi_functions().get(function.name)
    return found if himpi is None else {**found, **himpi.by_value}


def _struct(layout: Struct) -> str:
    """A struct with the layout of one of the catalogue, for parameters that are passed by value."""
    fields = []
    for field in layout.fields:
        if field.pointer:
            ctype = "void *"
        elif field.struct is not None:
            ctype = _struct(field.struct).rpartition(";")[0]
        else:
            ctype = _C_TYPES[LETTERS[c_kind(field.ctype)]] if field.ctype != "char" else "char"
        fields.append(f"{ctype} {field.name}{''.join(f'[{n}]' for n in field.dims)};")
    return f"struct value_of_{layout.name} {{ {' '.join(fields)} }};"


def stub_head(function: Function) -> str:
    """The declaration of an exported function, in types of the words that cross the border."""
    values = by_value(function)
    parameters = [
        f"{f'struct value_of_{values[i]}' if i in values else _C_TYPES[_word(parameter)]} a{i}"
        for i, parameter in enumerate(function.parameters)
    ]
    returned = signature(function).rpartition(":")[2]
    return f"EXPORT {_C_TYPES[returned]} {function.name}({', '.join(parameters) or 'void'})"


def _word(parameter: Parameter) -> str:
    return "Q" if parameter.is_output else letter_of(parameter)


def _stub(function: Function, number: int) -> str:
    values = by_value(function)
    words = []
    for i, parameter in enumerate(function.parameters):
        if i in values:
            words.append(f"(uintptr_t)&a{i}")
        else:
            words.append(_TO_WORD.get(_word(parameter), "(uint64_t){}").format(f"a{i}"))
    returned = signature(function).rpartition(":")[2]
    call = f"door_call(&ascend_sim_functions[{number}], {'w' if words else 'NULL'}, __builtin_return_address(0))"
    held = f"uint64_t w[] = {{{', '.join(words)}}}; " if words else ""
    give = {
        "v": f"{call};",
        "f": f"return float_of_word({call});",
        "d": f"return double_of_word({call});",
    }.get(returned, f"return ({_C_TYPES[returned]}){call};")
    return f"{stub_head(function)} {{ {held}{give} }}"


def value_structs(functions: Iterable[Function]) -> list[str]:
    """Definitions of the structs that are passed by value."""
    names = {name for function in functions for name in by_value(function).values()}
    known = {**layouts(), **himpi_structs()}
    return [_struct(known[name]) for name in sorted(names)]


@cache
def stubs() -> str:
    """The C text with all exported functions and their signatures."""
    all_functions = exported()
    entries = [
        f'    {{"{f.name}", "{signature(f)}", NULL, NULL, NULL, {OPERANDS.get(f.name, "0")}}},' for f in all_functions
    ]
    return "\n".join(
        [
            "/* Made from the tables of ascend_sim. */",
            '#include "door.h"',
            "#include <stddef.h>",
            *value_structs(all_functions),
            "struct function ascend_sim_functions[] = {",
            *entries,
            "};",
            f"const int ascend_sim_function_count = {len(all_functions)};",
            *(_stub(function, i) for i, function in enumerate(all_functions)),
            "",
        ]
    )


def texts() -> dict[str, str]:
    """All files that are compiled, by name."""
    found = {name: (_FOLDER / name).read_text(encoding="utf-8") for name in (*_HEADERS, *SOURCES)}
    found["stubs.c"] = stubs()
    return found


def build(folder: Path, flags: Sequence[str] = ()) -> Path:
    """Write the sources into *folder* and compile them, with more *flags*. Raises CompilerError."""
    for name, text in texts().items():
        (folder / name).write_text(text, encoding="utf-8")
    made = folder / "stubs.o"
    compile_c([*_STUB_FLAGS, *flags, "-c", str(folder / "stubs.c"), "-o", str(made)])
    files = [str(made), *(str(folder / name) for name in SOURCES)]
    target = folder / "libascendcl.so"
    unwinder = ["-lunwind"] if "ziglang" in c_compiler() else []  # its programs bring none that a library could use
    compile_c([*_FLAGS, *flags, *files, "-o", str(target), *_LIBRARIES, *unwinder])
    return target


def library() -> Path:
    """The built library, from the cache or built now. Raises CompilerError."""
    sources = texts()
    mark = hashlib.sha256("\0".join([platform.machine(), *sorted(sources.values())]).encode()).hexdigest()[:16]
    folder = cache_folder() / f"native-{__version__}-{mark}"
    target = folder / "libascendcl.so"
    if target.exists():
        return target
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="build-", dir=folder.parent))
    shown = Progress.wanted(None)
    shown.step("ascend-sim: compiling its library for C and C++ programs, this once")
    try:
        made = build(work)
        folder.mkdir(exist_ok=True)
        os.replace(made, target)  # whoever builds at the same time writes the same file
    finally:
        shown.end()
        shutil.rmtree(work, ignore_errors=True)
    return target
