"""What makes Python values of the parameters that a C call hands over by address: structs, arrays, functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.catalogue.declarations import function_types
from ascend_sim.catalogue.functions import Function, Parameter, c_kind
from ascend_sim.native import values
from ascend_sim.native.program_functions import address_of, program_function
from ascend_sim.native.signatures import base_type, letter_of

__all__ = ["converters"]

_COUNTS = {
    "placeHolderArray": "placeHolderNum", "memUceInfoArray": "arraySize", "serverPids": "num", "attrs": "numAttrs",
    "prefetchLocs": "numPrefetchLocs", "desc": "count", "tensors": "tensorCount",
}  # fmt: skip
"""Parameters that are arrays of structs, and the ones that say how many."""


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
