"""What the functions ``hi_mpi_*`` of the library do: what they do in Python, with structs that lie in memory.

A pointer that must not be NULL and is has the code 06 of its unit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ascend_sim.ascendcl.himpi import bodies
from ascend_sim.catalogue.himpi import HimpiFunction, HimpiParameter, himpi_functions
from ascend_sim.media.video.second_interface import DECODER, ENCODER, PICTURES, PNG, SYSTEM, Number, failure
from ascend_sim.native.himpi_values import read_array, read_struct, size_of, write_struct
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["body_of"]

_UNITS = {"common": SYSTEM, "sys": SYSTEM, "vdec": DECODER, "venc": ENCODER, "vpc": PICTURES, "pngd": PNG}
_PACK = "hi_venc_pack"
_KERNEL = 5


@cache
def body_of(name: str) -> Callable[..., Any] | None:
    """What the function *name* does with the words that C hands over; None when it is not modelled."""
    body = bodies().get(name)
    if body is None:
        return None
    function = himpi_functions()[name]
    coded = function.returns == "hi_s32"

    def call(t: ThreadState, *words: Any) -> Any:
        given = {p.name: word for p, word in zip(function.parameters, words, strict=True)}
        _look(function, given)
        found = body(t, *_inputs(function, given))
        if not coded:
            return found
        _hand_out(function, given, found)
        return None

    call.__doc__ = body.__doc__
    return call


def _look(function: HimpiFunction, given: dict[str, Any]) -> None:
    """Raises AclError for a pointer that must not be NULL and is."""
    for parameter in function.parameters:
        may_be = parameter.role in ("optional", "return-optional", "address") or "[][" in parameter.ctype
        if not parameter.is_plain and not given[parameter.name] and not may_be:
            raise failure(_UNITS[function.header], Number.NULL, f"{parameter.name} is NULL")


def _inputs(function: HimpiFunction, given: dict[str, Any]) -> list[Any]:
    taken: dict[str, Any] = {}
    for parameter in sorted(function.inputs, key=lambda p: p.role == "total"):
        taken[parameter.name] = _input(parameter, given, taken)
    return [taken[parameter.name] for parameter in function.inputs]


def _input(parameter: HimpiParameter, given: dict[str, Any], taken: dict[str, Any]) -> Any:
    word, role = given[parameter.name], parameter.role
    if parameter.is_plain or role == "address" or parameter.base == "hi_void":
        return word
    if not word:
        return None
    if "[][" in parameter.ctype:
        line = read_array(parameter.base, word, _KERNEL * _KERNEL)
        return [line[i : i + _KERNEL] for i in range(0, len(line), _KERNEL)]
    if parameter.ctype.endswith("]"):
        count = sum(taken["count"]) if role == "total" else given[role]
        if parameter.ctype.endswith("*[]"):
            return [read_struct(parameter.base, address) for address in read_array("hi_u64", word, count)]
        return read_array(parameter.base, word, count)
    found = read_struct(parameter.base, word)
    if role == "packs":
        found["pack"] = read_array(_PACK, found["pack"], found["pack_cnt"]) if found["pack"] else []
    return found


def _hand_out(function: HimpiFunction, given: dict[str, Any], found: Any) -> None:
    outputs = [p for p in function.parameters if p.is_output or p.role == "inout"]
    values = found if len(outputs) > 1 else (found,)
    for parameter, value in zip(outputs, values, strict=False):
        address = given[parameter.name]
        if not address:
            continue
        if parameter.role == "return-array":
            for i, one in enumerate(value):
                write_struct(parameter.base, address + i * size_of(parameter.base), one)
        elif parameter.role == "inout":
            _stream(parameter.base, address, value)
        else:
            write_struct("hi_u64" if parameter.ctype.endswith("**") else parameter.base, address, value)


def _stream(name: str, address: int, value: dict[str, Any]) -> None:
    """A result of an encoder: its packs go to the array that the program gives."""
    packs = value["pack"]
    place = read_struct(name, address)["pack"]
    if not place:
        raise failure(ENCODER, Number.NULL, "pack is NULL")
    for i, pack in enumerate(packs):
        write_struct(_PACK, place + i * size_of(_PACK), pack)
    write_struct(name, address, {**value, "pack": None})
