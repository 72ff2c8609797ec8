"""Places of a native program: return addresses, and the call sites that are made of them.

Each address has one code object, which stands for it wherever the simulator keeps a call site. Nothing is looked up
before a report is written (`symbols`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import CodeType

from ascend_sim.native.places.addresses import CALLED, KNOWN
from ascend_sim.source.callsite import BY_C, NATIVE_FILE, CallSite, Frame, NativePlace

__all__ = ["Address", "code_of", "site"]

_TEMPLATE = compile("None", NATIVE_FILE, "eval")


class Address(NativePlace):
    """A return address."""

    __slots__ = ("address",)

    def __init__(self, address: int) -> None:
        self.address = address

    @property
    def internal(self) -> bool:
        from ascend_sim.native.places import symbols  # a program without a report does not pay for it

        return symbols.is_internal(self.address)

    def frame(self) -> Frame:
        from ascend_sim.native.places import symbols

        return symbols.frames(self.address)[0]

    def outer_frames(self) -> tuple[Frame, ...]:
        from ascend_sim.native.places import symbols

        return symbols.frames(self.address)[1:]

    def lines(self) -> tuple[Frame, ...]:
        from ascend_sim.native.places import symbols

        return symbols.lines(self.address)

    def variable(self, callers: Sequence[NativePlace] = ()) -> str | None:
        from ascend_sim.native.places import symbols

        return symbols.variable_at([place.address for place in (self, *callers) if isinstance(place, Address)])

    def argument(self, parameter: str, callers: Sequence[NativePlace] = ()) -> str | None:
        from ascend_sim.native.places import symbols

        places = [place.address for place in (self, *callers) if isinstance(place, Address)]
        return symbols.argument_at(places, parameter)

    def only_hands_on(self, called_at: NativePlace | None) -> bool:
        from ascend_sim.native.places import symbols

        return symbols.only_hands_on(self.address, called_at.address if isinstance(called_at, Address) else None)


@cache
def code_of(address: int) -> CodeType:
    """The code object that stands for the place before *address*."""
    KNOWN.append(address)
    return _TEMPLATE.replace(co_name=f"c_{address:x}", co_consts=(None, Address(address)))


def site(addresses: tuple[int, ...], name: str = "") -> CallSite:
    """The site of the call of *name* that returns to the first of *addresses*; the others are those of its callers."""
    CALLED.setdefault(addresses[0], name)
    return _site(addresses)


@cache
def _site(addresses: tuple[int, ...]) -> CallSite:
    return (*((code_of(address), 0) for address in addresses), BY_C)
