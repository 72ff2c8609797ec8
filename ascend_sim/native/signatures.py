"""The words of a C call: one letter for each parameter, made from the catalogue (`c/door.h` lists the letters).

The library has the text of each signature; what Python makes of parameters with the letter ``x`` is looked up at the
first call (`converters`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ascend_sim.catalogue.declarations import function_types
from ascend_sim.catalogue.functions import Function, Parameter, c_kind
from ascend_sim.native import values
from ascend_sim.native.program_functions import address_of, program_function

__all__ = ["LETTERS", "OPTIONAL_OUTPUTS", "base_type", "converters", "letter_of", "signature"]

LETTERS = {
    "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f32": "f", "f64": "d",
    "handle": "Q", "pointer": "Q", "array": "Q", "string": "s", "void": "v",
}  # fmt: skip
_RETURNS = {**LETTERS, "function": "Q"}
"""The letters of results: of a function its address (`inside.resolve`)."""

OPTIONAL_OUTPUTS = {
    "aclFinalizeReference": {"refCount"},
    "aclrtDeviceGetStreamPriorityRange": {"leastPriority", "greatestPriority"},
    "aclmdlRICaptureGetInfo": {"status", "modelRI"},
    "aclrtAllocatorGetByStream": {"allocator", "allocFunc", "freeFunc", "allocAdviseFunc", "getAddrFromBlockFunc"},
}
"""Outputs for which a program may pass NULL."""

_COUNTS = {
    "placeHolderArray": "placeHolderNum", "memUceInfoArray": "arraySize", "serverPids": "num", "attrs": "numAttrs",
    "prefetchLocs": "numPrefetchLocs", "desc": "count", "tensors": "tensorCount",
}  # fmt: skip
"""Parameters that are arrays of structs, and the ones that say how many."""


@cache
def base_type(ctype: str) -> str:
    """``aclrtMemLocation`` of ``const aclrtMemLocation*``."""
    return ctype.replace("const", "").partition("[")[0].strip("* ").rstrip()


def letter_of(parameter: Parameter) -> str:
    """The letter of an input, or of the value of an output."""
    base = base_type(parameter.ctype)
    if parameter.kind == "function" or (base in values.known() and parameter.kind in ("struct", "array")):
        return "x"
    if parameter.role == "array-out":
        return "x"
    return LETTERS[parameter.kind]


def signature(function: Function) -> str:
    """The text for the library.

    >>> from ascend_sim.catalogue.functions import functions
    >>> signature(functions()["aclrtMalloc"]), signature(functions()["aclrtGetSocName"])
    ('>QQI:c', ':s')
    """
    optional = OPTIONAL_OUTPUTS.get(function.name, ())
    text = ""
    for parameter in function.parameters:
        letter = letter_of(parameter)
        if parameter.role == "return":
            letter = (">~" if parameter.name in optional else ">") + letter
        elif parameter.role == "array-out":
            letter = ">~" + letter
        elif parameter.role == "inout":
            letter = "=" + letter
        text += letter
    return f"{text}:{'c' if function.returns_code else _RETURNS[c_kind(function.returns)]}"


def converters(function: Function) -> tuple[tuple[Any, int] | None, ...]:
    """For each parameter with the letter ``x``: what reads or writes it, and which parameter counts its elements."""
    places = {parameter.name: i for i, parameter in enumerate(function.parameters)}
    return tuple(_converter(function, parameter, places) for parameter in function.parameters)


def _converter(function: Function, parameter: Parameter, places: dict[str, int]) -> tuple[Any, int] | None:
    if letter_of(parameter) != "x":
        return None
    base = base_type(parameter.ctype)
    if parameter.kind == "function":
        if parameter.is_output:
            return _write_function, -1
        return program_function(base if base in function_types() else parameter.ctype), -1
    is_struct = base in values.known()
    if parameter.is_output:
        if function.name == "aclGetCannAttributeList":
            return values.write_static_array, -1
        if not is_struct:
            return values.number_array_writer(c_kind(base)), -1
        if parameter.role == "array-out":
            return values.struct_array_writer(base), -1
        return values.struct_writer(base), -1
    count = _COUNTS.get(parameter.name)
    if parameter.role == "in-array" and count is not None:
        return values.struct_array_reader(base), places[count]
    return values.struct_reader(base), -1


def _write_function(address: int, value: Callable[..., Any] | None) -> None:
    values.write_number("u64", address, address_of(value))
