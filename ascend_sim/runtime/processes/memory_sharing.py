"""Device memory that other processes import by a key (docs/semantics/processes.md#memory).

A key can be opened several times in one process: that gives the same address, and as many closes are due. What its
owner frees, or closes before the others, is gone for them: their uses of it are findings, since a real device would stop
there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_RT_DRV_INTERNAL_ERROR
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import work
from ascend_sim.machine.allocations import Allocation
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.machine.shared_blocks import CLOSED, ENDED, FREED_BY_OWNER, LIVE, ImportedBlock, adopt, share
from ascend_sim.machine.shared_pages import PageFile
from ascend_sim.runtime.memory.allocation import tell_allocated, tell_freed
from ascend_sim.runtime.processes.board import Entry, number_of
from ascend_sim.runtime.processes.sharing import (
    admit,
    entry_of,
    forget,
    hold,
    misuse,
    neighbours,
    new_entry,
    others_with,
    owned_words,
    owner,
    place_of,
    set_pids,
    tell_published,
)
from ascend_sim.runtime.processes.values import share_bytes
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.machine.host_memory import Bytes
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["MemorySharing"]

_PREFIX = "m-"


class MemorySharing:
    """The keys that one simulated process has given out, and those that it has opened."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.given: dict[str, tuple[Allocation, Bytes]] = {}
        """By key: the block, and the word by which the others hear what becomes of it."""
        self.opened: dict[str, tuple[ImportedBlock, int]] = {}
        """By key: the block here, and how often the key was opened and not closed."""
        self.closed: dict[str, str] = {}
        """Keys that this process has closed for good, and where."""
        self._files: dict[str, PageFile] = {}
        self._keys = 0
        self._told: set[int] = set()
        self._listens = False
        sim.at_close.append(self._ends)

    # -- exporting -----------------------------------------------------------------------------------------------------

    def export(self, t: ThreadState, address: int, size: int, white: bool) -> str:
        """A key for *size* bytes of device memory. *white*: only processes that are named may import it.

        Raises AclError 507899: not all of it is device memory of one live block, or it begins in the middle of a page.
        """
        block = self._block(t, address, size)
        start = address - block.address
        try:
            overlay = share(self.sim.memory, block)
        except OutOfMemory as full:
            raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, full.text, "driver") from None
        except OSError as error:  # the system has no room for the pages
            raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, str(error.strerror), "driver") from None
        near = neighbours(t)
        self._keys += 1
        device = self.sim.visible[block.device]
        key = f"{number_of(near.board.me):08x}{self._keys:016x}{device:02x}{0:02x}{0:08x}"
        word, at = overlay.new_word()
        word[0] = LIVE
        with near.board.change(_PREFIX + key) as entry:
            entry.update(
                new_entry(t, self.sim.names.block(block), device, white),
                path=overlay.file.path, offset=block.offset + start, size=size, word=at, page=block.page,
            )  # fmt: skip
        self.given[key] = block, word
        share_bytes(near, block, _PREFIX + key, overlay.file.path, block.offset)
        self._listen()
        tell_published(t, block)
        return key

    def _block(self, t: ThreadState, address: int, size: int) -> Allocation:
        memory = self.sim.memory
        block = memory.find(address)
        why = ""
        if block is None or block.kind != "device" or block.freed:
            why = f"devPtr is {memory.describe(address)}: live device memory is required"
        elif block.imported:
            why = f"devPtr is {block.describe()}: only the process that allocated it can export it"
        elif block.pool is not None or block.pieces is not None:
            why = f"devPtr is {block.describe()}: memory of aclrtMalloc is required"
        elif (address - block.address) % block.page:
            why = f"devPtr is byte {address - block.address} of {block.describe()}: it must begin at a page of it"
        elif address + size > block.address + block.capacity:
            over = address + size - block.address - block.capacity
            why = f"{size} bytes from devPtr end {over} bytes past the end of {block.describe()}"
        if why:
            raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, why, "driver")
        assert block is not None
        return block

    def set_import_pids(self, t: ThreadState, key: str, pids: list[int]) -> None:
        """Name the processes that may import a key of this process. Raises AclError as `set_pids`."""
        set_pids(t, _PREFIX + key, pids, "key")

    # -- importing -----------------------------------------------------------------------------------------------------

    def open_key(self, t: ThreadState, key: str, peer: bool) -> int:
        """The address of what *key* names in this process. *peer*: open the way between the two devices.

        Raises AclError 507899: nobody gave it, its memory is gone, or this process may not.
        """
        near = neighbours(t)
        known = self.opened.get(key)
        if known is not None:
            self.opened[key] = known[0], known[1] + 1
            return known[0].address
        entry = entry_of(t, _PREFIX + key, "key")
        admit(t, entry, "memory")
        here = t.current_context().device
        visible = list(self.sim.visible)
        device = visible.index(entry["device"]) if entry["device"] in visible else here.index
        try:
            block = adopt(
                self.sim.memory, self._file(entry["path"]), entry["offset"], entry["word"], entry["size"], device, t.site,
                t.number, entry["words"], owner(entry), entry["site"],
            )  # fmt: skip
        except (OSError, OutOfMemory) as error:
            why = getattr(error, "strerror", "") or getattr(error, "text", "") or error
            raise AclError(
                ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"the memory of {owned_words(entry)} cannot be shown: {why}", "driver"
            ) from None
        block.page = entry["page"]
        if peer and device != here.index:
            here.peers[device] = here.peers.get(device, 0) + 1
        with near.board.change(_PREFIX + key) as changed:
            hold(changed, near.board.me)
        self.opened[key] = block, 1
        share_bytes(near, block, _PREFIX + key, entry["path"], entry["offset"])
        self.closed.pop(key, None)
        near.crossed(t, block)
        self._listen()
        tell_allocated(t, block)
        return block.address

    def _file(self, path: str) -> PageFile:
        if path not in self._files:
            self._files[path] = PageFile.open(path)
        return self._files[path]

    # -- closing -------------------------------------------------------------------------------------------------------

    def close_key(self, t: ThreadState, key: str) -> None:
        """Close an imported key, or one of this process's own. Raises AclError 507899: it has it no more, or never had."""
        board = neighbours(t).board
        if key in self.opened:
            block, times = self.opened[key]
            if times > 1:
                self.opened[key] = block, times - 1
                return
            del self.opened[key]
            self.closed[key] = place_of(t.site)
            with board.change(_PREFIX + key) as entry:
                forget(entry, board.me)
            self.sim.memory.free(block, t.site)
            block.free_ns = t.clock
            tell_freed(t, block)
            return
        if key in self.given:
            self.closed[key] = place_of(t.site)
            self._give_up(t, key, CLOSED, f"which it closed at {place_of(t.site)}", "closes")
            return
        if key in self.closed:
            misuse(
                t, f"{t.call} closes a key that this process has closed before, at {self.closed[key]}",
                "close a key once for each time that it was imported, and once in the process that exported it",
            )  # fmt: skip
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"{key!r} is no key that this process has", "driver")

    def _give_up(self, t: ThreadState, key: str, word: int, how: str, verb: str) -> None:
        """The memory of a key of this process is gone for the others."""
        block, place = self.given.pop(key)
        board = neighbours(t).board
        place[0] = word
        with board.change(_PREFIX + key) as entry:
            entry["ended"] = how
            forget(entry, board.me)
            left = others_with(t, entry)
        if left:
            who = f"process {left[0]} has" if len(left) == 1 else f"processes {', '.join(map(str, left))} have"
            self.sim.report(
                "shared-object",
                "error",
                f"{t.call} {verb} {self.sim.names.block(block)}, which {who} still open",
                [
                    Site("free", "called here", t.site, primary=True),
                    Site("alloc", f"{block.size} bytes allocated here", block.site),
                ],
                fix="let the processes that imported the key close it first",
                time_ns=t.clock,
            )

    # -- what is told of all memory ------------------------------------------------------------------------------------

    def _listen(self) -> None:
        if not self._listens:
            self._listens = True
            hooks = self.sim.hooks
            hooks.add("freed", self._freed)
            hooks.add("accessed", self._accessed)
            hooks.add("accessed_parts", self._parts)
            hooks.add("accessed_rows", self._rows)

    def _freed(self, t: ThreadState | None, block: Allocation) -> None:
        """A block was freed: keys of it die with it."""
        if t is None or block.imported:
            return
        for key in [key for key, (given, _) in self.given.items() if given is block]:
            self._give_up(t, key, FREED_BY_OWNER, f"which it freed at {place_of(t.site)}", "frees")

    def _parts(self, who: Any, block: Allocation, parts: list[tuple[int, int]], write: bool) -> None:
        self._accessed(who, block, 0, 0, write)

    def _rows(self, who: Any, block: Allocation, lo: int, width: int, pitch: int, rows: int, write: bool) -> None:
        self._accessed(who, block, lo, lo, write)

    def _accessed(self, who: Any, block: Allocation, lo: int, hi: int, write: bool) -> None:
        """Memory is used: what another process has taken away from under it is a use after free."""
        if not isinstance(block, ImportedBlock) or block.freed or block.number in self._told:
            return
        key = next((key for key, (opened, _) in self.opened.items() if opened is block), "")
        word = int(block.word[0])
        near = self.sim.neighbours
        assert near is not None
        entry = near.board.read(_PREFIX + key) or {}
        if word == LIVE and not near.board.gone(entry.get("owner", "0.0")):
            return
        self._told.add(block.number)
        self._report_gone(who, block, entry, word)

    def _report_gone(self, who: Any, block: ImportedBlock, entry: Entry, word: int) -> None:
        sim = self.sim
        how = entry.get("ended") or "and that process has ended"
        if isinstance(who, Task):
            what, site, time = f"{work(who.op.kind)} on {sim.names.described(who.stream)}", who.site, sim.scheduler.now
        else:
            what, site, time = who.call or "the host", who.site, who.clock
        sim.report(
            "use-after-free",
            "error",
            f"{what} uses {block.words} of process {block.owner}, exported at {block.exported}, {how}",
            [Site("access", "used here", site, primary=True), Site("alloc", "imported here", block.site)],
            fix="let the owner free it after the others have closed it",
            time_ns=time,
        )

    def _ends(self) -> None:
        """The simulator closes, and with it what it has exported."""
        for _, word in self.given.values():
            word[0] = ENDED
