"""Copies whose kind says another direction than their addresses: the library takes the addresses, and says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.machine.arrays import np
from ascend_sim.observers.guarded import ended_by, guards_itself
from ascend_sim.observers.observer import Observer
from ascend_sim.runtime.memory.directions import CORRECTION, D2D, D2H, DEFAULT, H2D, H2H, KIND_NAMES, PAGEABLE, QUEUED

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["CopyKinds"]

_SIDES = {H2H: ("host", "host"), H2D: ("host", "device"), D2H: ("device", "host"), D2D: ("device", "device")}
_KIND_OF = {sides: kind for kind, sides in _SIDES.items()}
KEPT = 4096


class CopyKinds(Observer):
    """Looks at the kind of each aclrtMemcpy and aclrtMemcpyAsync that the library will not refuse for it."""

    hears_operands = False
    guarded = True
    title = "the check of copy kinds"

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self._right: set[tuple[int, int, int]] = set()
        """(destination, source, kind) that agreed. They do so for ever: no address changes its side."""

    @guards_itself
    def api_entered(self, t: HostThread, name: str, arguments: tuple[Any, ...]) -> None:
        """Compare."""
        try:
            if name not in ("aclrtMemcpy", "aclrtMemcpyAsync") or self.sim.memory.on_chip:
                return  # on the chip both sides are one memory
            dst, _, src, count, kind = arguments[:5]
            if type(kind) is not int or kind == DEFAULT or kind not in _SIDES:
                return
            if not isinstance(count, (int, np.integer)) or not count:
                return  # the call says what is wrong with another type, such as an array: nothing here asks for its truth
            plain = type(dst) is int and type(src) is int
            if plain and (dst, src, kind) in self._right:
                return
            to, source = self._place(dst), self._place(src)
            if name == "aclrtMemcpyAsync" and CORRECTION.get((source, to), {}).get(kind) not in (QUEUED, PAGEABLE):
                return  # refused, with a code and a text
            sides = tuple("host" if place == "unregistered" else place for place in (source, to))
            true = _KIND_OF.get(sides)  # type: ignore[arg-type]
            if true == kind and plain:
                if len(self._right) >= KEPT:
                    self._right.clear()
                self._right.add((dst, src, kind))
            if true is None or true == kind:
                return
            self.sim.report_call(
                t, "undefined-use", "note",
                f"{name} is told {KIND_NAMES[kind]}, and copies {KIND_NAMES[true]}: the addresses decide",
                fix=f"pass {true} (ACL_MEMCPY_{KIND_NAMES[true]}), or look whether destination and source are mixed up",
            )  # fmt: skip
        except BaseException as error:  # noqa: BLE001 - see `guards_itself`
            ended_by(self.sim, self, error, self.api_entered)

    def _place(self, address: object) -> str:
        """Where *address* lies; an object with a buffer is host memory; empty for NULL."""
        if type(address) is not int:
            return "unregistered" if address is not None else ""
        return str(self.sim.memory.where(address)) if address else ""
