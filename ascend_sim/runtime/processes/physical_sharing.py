"""Physical memory that other processes import by a shareable handle (docs/semantics/processes.md#physical-memory).

The memory lives as long as any process holds it; its number can be imported as long as the exporter does.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_INVALID_HANDLE
from ascend_sim.errors import AclError
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.machine.shared_pages import PageFile
from ascend_sim.runtime.current import LOCAL
from ascend_sim.runtime.memory.virtual.exports import Export, Exports
from ascend_sim.runtime.processes.board import Entry, number_of
from ascend_sim.runtime.processes.neighbours import place_of
from ascend_sim.runtime.processes.sharing import (
    forget,
    hold,
    misuse,
    neighbours,
    new_entry,
    others_with,
    owned_words,
    owner,
    tell_published,
)
from ascend_sim.runtime.processes.values import share_bytes

if TYPE_CHECKING:
    from ascend_sim.machine.virtual_memory import Physical
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.memory.virtual.handles import PhysicalHandle
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["ProcessExports"]


def _entry_name(number: int) -> str:
    return f"h-{number:x}"


class ProcessExports(Exports):
    """The exports of all processes of the run, by way of the board."""

    def __init__(self, sim: Runtime) -> None:
        super().__init__(sim)
        self.foreign: dict[int, tuple[str, Export]] = {}
        """What this process has of others, by number: of which process, and the export."""
        self._files: dict[str, PageFile] = {}

    # -- the exporter's side ---------------------------------------------------------------------------------------

    def publish(self, t: ThreadState, handle: PhysicalHandle, listed: bool) -> Export:
        """As for one process alone, and written on the board."""
        near = neighbours(t)
        self._skip_taken(t)
        made = super().publish(t, handle, listed)
        with near.board.change(_entry_name(made.number)) as entry:
            entry.clear()
            entry.update(
                new_entry(t, handle.describe(), made.device, listed), path=made.path, offset=made.offset,
                nbytes=made.nbytes, page=made.page, properties=list(made.properties),
            )  # fmt: skip
        share_bytes(near, handle.memory, _entry_name(made.number), made.path, made.offset)
        tell_published(t, handle.memory)
        return made

    def _skip_taken(self, t: ThreadState) -> None:
        """Numbers that a living process has given out are its own."""
        board = neighbours(t).board
        while True:
            entry = board.read(_entry_name(self._last + 1))
            if not entry or entry["ended"] or (entry["owner"] != board.me and board.gone(entry["owner"])):
                return
            self._last += 1

    def allow(self, t: ThreadState, shareable: int, pids: list[int]) -> None:
        """As for one process alone; the others see the list."""
        super().allow(t, shareable, pids)
        with neighbours(t).board.change(_entry_name(shareable & 0xFFFF_FFFF)) as entry:
            if entry["white"] is not None:
                entry["white"] = sorted({*entry["white"], *pids})

    def withdraw(self, t: ThreadState, handle: PhysicalHandle) -> None:
        """Nobody can import it any more; who has it keeps it."""
        if handle.export is not None:
            with neighbours(t).board.change(_entry_name(handle.export.number)) as entry:
                entry["ended"] = f"whose memory it freed at {place_of(t.site)}"
                forget(entry, neighbours(t).board.me)
                handle.memory.lent = bool(others_with(t, entry))
        super().withdraw(t, handle)

    # -- the importer's side ---------------------------------------------------------------------------------------

    def find(self, shareable: int) -> Export:
        """An export of this process, or of another one that lives. Raises AclError 107017."""
        number = shareable & 0xFFFF_FFFF
        near = self.sim.neighbours
        if number in self.made or near is None or not 0 < shareable < 1 << 40:
            return super().find(shareable)
        entry = near.board.read(_entry_name(number))
        if not entry or entry["ended"] or entry["device"] != shareable >> 32 or near.board.gone(entry["owner"]):
            known = self.foreign.get(number)
            if known is not None and known[1].importers and known[1].handle == shareable:
                return known[1]  # what was imported before can be imported again
            return super().find(shareable)
        known = self.foreign.get(number)
        if known is None or known[0] != entry["owner"]:
            known = self.foreign[number] = entry["owner"], self._export(number, entry)
        found = known[1]
        found.allowed = None if entry["white"] is None else set(entry["white"])
        return found

    def _export(self, number: int, entry: Entry) -> Export:
        """The export that an entry of another process says."""
        one, two, three, four = entry["properties"]
        made = Export(number, entry["device"], owner(entry), None, None, (one, two, three, four))
        made.path, made.offset, made.nbytes, made.page = (entry[name] for name in ("path", "offset", "nbytes", "page"))
        return made

    def check(self, found: Export, device: int) -> None:
        """As for one process alone, with a finding for who is on no list."""
        try:
            super().check(found, device)
        except AclError as error:
            state: ThreadState | None = getattr(LOCAL, "state", None)
            entry = self._entry(found.number)
            if state is not None and entry:
                misuse(
                    state, f"{state.call}: this process ({os.getpid()}) may not import {owned_words(entry)}",
                    "name it with aclrtMemSetPidToShareableHandle in the process that exported it, or export without a list",
                    (error.reason,),
                )  # fmt: skip
            raise

    def _entry(self, number: int) -> Entry:
        near = self.sim.neighbours
        return (near.board.read(_entry_name(number)) if near is not None else None) or {}

    def take(self, t: ThreadState, found: Export) -> Physical:
        """The memory of *found*, shown from the file of its process. Raises AclError 107017."""
        if found.memory is not None:
            return found.memory
        near = neighbours(t)
        entry = self._entry(found.number)
        try:
            if found.path not in self._files:
                self._files[found.path] = PageFile.open(found.path)
            memory = self.sim.memory.virtual_memory().allocate(
                self._device_of(found),
                found.nbytes,
                found.page,
                t.site,
                t.number,
                self._files[found.path],
                found.offset,
            )
        except (OSError, OutOfMemory) as error:
            text = f"shareableHandle is {found.handle:#x}: its memory cannot be shown ({error})"
            raise AclError(ACL_ERROR_RT_INVALID_HANDLE, text, "driver") from None
        memory.whose = f"{owned_words(entry)}, imported"
        with near.board.change(_entry_name(found.number)) as changed:
            hold(changed, near.board.me)
        share_bytes(near, memory, _entry_name(found.number), found.path, found.offset)
        near.crossed(t, memory)
        return memory

    def _device_of(self, found: Export) -> int:
        return found.device if found.device < len(self.sim.devices) or found.device == 0xFF else 0

    def leave(self, t: ThreadState, handle: PhysicalHandle) -> None:
        """*handle*, an import, is gone."""
        found = handle.imported
        super().leave(t, handle)
        if found is not None and not found.importers and found.pid != os.getpid():
            self.foreign.pop(found.number, None)
            board = neighbours(t).board
            with board.change(_entry_name(found.number)) as entry:
                if entry and number_of(entry["owner"]) == found.pid:
                    forget(entry, board.me)
