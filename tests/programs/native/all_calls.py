"""A C program that calls every exported function twice: with NULL and zero, and with scratch memory and ones."""

from __future__ import annotations

from collections.abc import Iterable

from ascend_sim.catalogue.functions import Function
from ascend_sim.native.home import library
from ascend_sim.native.signatures import letter_of

__all__ = ["program"]

HEAD = """\
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static union { uint64_t words[1 << 17]; char bytes[1 << 20]; } scratch;
static const char *now = "";
static uint64_t callback(void) { return 0; }
#define S ((uint64_t)(uintptr_t)&scratch)
#define F ((uint64_t)(uintptr_t)&callback)
#define CALL(name) now = name; memset(&scratch, 0, sizeof scratch);
"""


def _declaration(function: Function) -> str:
    return library.stub_head(function).removeprefix("EXPORT ")


def _arguments(function: Function, plain: bool) -> str:
    values = []
    structs = library.by_value(function)
    for place, parameter in enumerate(function.parameters):
        if place in structs:
            values.append(f"(struct value_of_{structs[place]}){{0}}")
        elif plain:
            values.append("0")
        elif parameter.kind == "function" and not parameter.is_output:
            values.append("F")
        elif "*" in parameter.ctype or "[" in parameter.ctype or parameter.kind in ("handle", "pointer"):
            values.append("S")
        else:
            values.append("1" if letter_of(parameter) not in "fd" else "1.0")
    return ", ".join(values)


def program(functions: Iterable[Function]) -> str:
    """The text of the program; it prints how many functions it has called."""
    functions = sorted(functions, key=lambda f: any(word in f.name for word in ("Finalize", "Reset", "Abort")))
    lines = [HEAD, *library.value_structs(functions), *(f"extern {_declaration(f)};" for f in functions)]
    lines += ["int main(void)", "{", "    aclInit(0);", "    aclrtSetDevice(0);"]
    for function in functions:
        for plain in (True, False):
            lines.append(f'    CALL("{function.name}") {function.name}({_arguments(function, plain)});')
    lines += [f'    printf("%d functions, last %s\\n", {len(functions)}, now);', "    return 0;", "}", ""]
    return "\n".join(lines)
