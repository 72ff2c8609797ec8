"""The words of a C call: one letter for each parameter, made from the catalogue (`c/door.h` lists the letters).

The library has the text of each signature; what Python makes of parameters with the letter ``x`` is looked up at the
first call (`native/converters.py`).
"""

from __future__ import annotations

from functools import cache

from ascend_sim.catalogue.functions import Function, Parameter, c_kind

__all__ = ["LETTERS", "OPTIONAL_OUTPUTS", "base_type", "letter_of", "signature"]

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


@cache
def base_type(ctype: str) -> str:
    """``aclrtMemLocation`` of ``const aclrtMemLocation*``."""
    return ctype.replace("const", "").partition("[")[0].strip("* ").rstrip()


def letter_of(parameter: Parameter) -> str:
    """The letter of an input, or of the value of an output."""
    if parameter.kind == "function":
        return "x"
    if parameter.kind in ("struct", "array"):
        from ascend_sim.native import values  # the structs: a program without them does not pay for their layouts

        if base_type(parameter.ctype) in values.known():
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
