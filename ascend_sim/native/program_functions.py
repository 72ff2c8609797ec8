"""Functions of the program that it hands over: callbacks, host functions, allocators."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ascend_sim.catalogue.functions import SIZES, c_kind
from ascend_sim.native.places.call_sites import code_of

if TYPE_CHECKING:
    from ascend_sim.catalogue.declarations import FunctionType

__all__ = ["ProgramFunction", "address_of", "bind", "program_function"]

_RUN: list[Callable[..., int]] = []
"""``ascend_sim_run`` of the library: it calls a function of the program, without the GIL."""
_WORDS = 6
_MASK = (1 << 64) - 1


def bind(library: ctypes.CDLL) -> None:
    """Call functions of the program through *library*."""
    run = library.ascend_sim_run
    run.restype = ctypes.c_uint64
    run.argtypes = [ctypes.c_void_p, *[ctypes.c_uint64] * _WORDS]
    _RUN[:] = [run]


class ProgramFunction:
    """A C function as a callable; two of one address are equal, so that it can be taken back.

    Arguments are numbers, addresses, None for NULL, and texts and lists of handles, which live until the call ends.
    """

    __slots__ = ("__code__", "__name__", "address", "type")

    def __init__(self, address: int, function_type: FunctionType) -> None:
        self.address = address
        self.type = function_type
        self.__code__ = code_of(address + 1)  # places are return addresses: behind an instruction
        self.__name__ = self.__code__.co_name

    def __call__(self, *arguments: Any) -> Any:
        held = [_in_memory(argument) for argument in arguments]
        words = [
            ctypes.addressof(memory) if memory is not None else 0 if argument is None else int(argument) & _MASK
            for argument, memory in zip(arguments, held, strict=True)
        ]
        result = _RUN[0](self.address, *words, *[0] * (_WORDS - len(words)))
        return _returned(self.type.returns, result)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProgramFunction) and other.address == self.address

    def __hash__(self) -> int:
        return hash(self.address)

    def __repr__(self) -> str:
        return f"<C function {self.__name__}>"


def _in_memory(argument: Any) -> ctypes.Array[Any] | None:
    """The memory of a text, or of an array of handles; None of what is a word itself."""
    if isinstance(argument, str):
        return ctypes.create_string_buffer(argument.encode())
    if isinstance(argument, (list, tuple)):
        return (ctypes.c_uint64 * len(argument))(*(int(handle or 0) & _MASK for handle in argument))
    return None


def _returned(ctype: str, word: int) -> Any:
    if ctype.endswith("*"):
        return word
    kind = c_kind(ctype)
    if kind == "void":
        return None
    bits = 8 * SIZES[kind]
    word &= (1 << bits) - 1
    return word - (1 << bits) if kind[0] == "i" and word >> bits - 1 else word


@cache
def program_function(name: str) -> Callable[[int], ProgramFunction | None]:
    """What makes a callable of an address. *name*: of the function type, or its C text."""
    from ascend_sim.catalogue.declarations import function_types, parsed  # many programs hand over none

    function_type = function_types().get(name) or parsed(name)
    made: dict[int, ProgramFunction] = {}

    def convert(address: int) -> ProgramFunction | None:
        if not address:
            return None
        found = made.get(address)
        if found is None:
            found = made[address] = ProgramFunction(address, function_type)
        return found

    return convert


def address_of(value: object) -> int:
    """The address of a function that came from the program; 0 of anything else."""
    return value.address if isinstance(value, ProgramFunction) else 0
