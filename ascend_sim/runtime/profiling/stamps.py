"""Stamps of msproftx: marks and ranges with messages (docs/semantics/profiling.md#stamps)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ascend_sim.errors import AclError

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["FAILED", "MOST_STAMPS", "Marks", "Stamp", "refused"]

MOST_STAMPS: Final = 100
FAILED: Final = -1
"""What calls of msproftx answer that cannot do what they are asked for: it is in no table of codes."""


def refused(reason: str) -> AclError:
    """The answer -1, with its reason."""
    return AclError(FAILED, reason, "acl")


class Stamp:
    """One stamp; its message goes with each mark and range that it makes. `slot` is the id of its ranges."""

    __slots__ = ("enabled", "handle", "message", "slot", "start")

    def __init__(self, slot: int) -> None:
        self.slot = slot
        self.message = ""
        self.start = 0
        """When its push or range began (virtual ns)."""
        self.enabled = False
        """A range was started with it; this stays so."""
        self.handle = 0

    def describe(self) -> str:
        """The stamp in words."""
        return f'stamp {self.slot} "{self.message}"'


class Marks:
    """The stamps of a process, the stack of pushes, and who is told of marks and ranges."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.on = False
        """A session takes marks; it stays so to the end of the session."""
        self._slots: list[Stamp | None] = [None] * MOST_STAMPS
        self._last: list[Stamp | None] = [None] * MOST_STAMPS
        """Who was last in a slot: a range can be ended after its stamp was destroyed."""
        self.stack: list[tuple[Stamp, HostThread]] = []
        """One for the process, whatever the manual says of threads (profiling.md#stamps)."""
        self.tensors: list[str] = []
        """What aclprofRangePushEx was given and no pop has taken."""

    def need_on(self) -> None:
        """Raises AclError -1 when no session takes marks."""
        if not self.on:
            raise refused("no marks are taken: call aclprofStart with ACL_PROF_MSPROFTX first")

    def create(self) -> Stamp | None:
        """A new stamp; None when 100 exist, or no session takes marks."""
        if not self.on:
            return None
        slot = next((i for i, known in enumerate(self._slots) if known is None), -1)
        if slot < 0:
            return None
        stamp = self._slots[slot] = self._last[slot] = Stamp(slot)
        stamp.handle = self.sim.new_handle(stamp)
        return stamp

    def destroy(self, stamp: Stamp) -> None:
        """Give its slot back."""
        self._slots[stamp.slot] = None
        self.sim.drop_handle(stamp.handle)

    def started(self, slot: int) -> Stamp | None:
        """The stamp of a range by its id; None when no range was ever started with that one."""
        stamp = self._last[slot] if slot < MOST_STAMPS else None
        return stamp if stamp is not None and stamp.enabled else None

    def tell(self, t: HostThread, kind: str, text: str, start: int) -> None:
        """A mark (*kind* ``mark``) or a range (``push``, ``range``, ``step``, ``tensors``) from *start* (ns) on is over."""
        for observe in self.sim.hooks.marked or ():
            observe(t, kind, text, start, t.clock)
