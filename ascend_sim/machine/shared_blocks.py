"""Blocks of device memory whose bytes several processes have: exported from one, imported by others.

The reservation behind an arena is private. When a block is exported, the pages that it lies in become those of a file
(shared_pages.py), at the same addresses and with what they held, so that nothing that has found the block before has to
look again. A place in the file is the place in the arena: two exported blocks may lie in one page. Another process shows
the pages of the file, and its block begins where the exported one does.

What nobody had written yet is written then, as far as that is cheap: the processes cannot see of each other what each
has touched.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ascend_sim.machine.allocations import FRESH, Allocation, place
from ascend_sim.machine.faults import OutOfMemory
from ascend_sim.machine.host_memory import PAGE, Bytes, Overlay, Reservation, fill
from ascend_sim.machine.shared_pages import PageFile
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.machine.address_space import AddressSpace

__all__ = ["CLOSED", "ENDED", "FREED_BY_OWNER", "LIVE", "ImportedBlock", "SharedArena", "adopt", "share"]

LIVE, FREED_BY_OWNER, CLOSED, ENDED = range(4)
"""What the word of an exported block says: every process sees at once what its owner has done."""
_POISONED = 2 << 20
"""Blocks up to this size have poison where nobody wrote before they were exported; larger ones read as zeros there."""


class SharedArena(Overlay):
    """The file whose pages show in parts of one arena's reservation; words of owners lie behind them."""

    def __init__(self, reservation: Reservation) -> None:
        self.reservation = reservation
        self.file = PageFile()
        self.file.take(reservation.nbytes)
        self.shown: list[tuple[int, int]] = []
        """Where they show: [lo, hi), sorted, apart from each other."""
        self._page: Bytes | None = None
        self._words = 0
        reservation.overlay = self

    def show(self, lo: int, hi: int, written: list[int]) -> None:
        """Let the whole pages [lo, hi) be those of the file. Raises OSError.

        Of what they hold, the spans *written* ([start, end, start, end, ...]) and the first and the last page stay.
        """
        spans = [(lo, lo + PAGE), *zip(written[::2], written[1::2], strict=True), (hi - PAGE, hi)]
        memory = self.reservation.bytes.data
        for first, last in self._gaps(lo, hi):
            for start, end in spans:
                start, end = max(start // PAGE * PAGE, first), min(-(-end // PAGE) * PAGE, last)
                while start < end:
                    start += os.pwrite(self.file.fd, memory[start:end], start)
            if not self.reservation.show(first, last, self.file.fd, first):
                raise OSError("no room for another mapping")
        merged = sorted([*self.shown, (lo, hi)])
        self.shown = merged[:1]
        for start, end in merged[1:]:
            if start <= self.shown[-1][1]:
                self.shown[-1] = self.shown[-1][0], max(self.shown[-1][1], end)
            else:
                self.shown.append((start, end))

    def _gaps(self, lo: int, hi: int) -> list[tuple[int, int]]:
        """What of [lo, hi) does not show the file yet."""
        found = []
        for start, end in [*self.shown, (hi, hi)]:
            if start > lo:
                found.append((lo, min(start, hi)))
            lo = max(lo, end)
            if lo >= hi:
                break
        return found

    def given_back(self, lo: int, hi: int) -> None:
        """As for any overlay: the file's pages go back, too."""
        left = []
        for start, end in self.shown:
            left += [(a, b) for a, b in ((start, min(end, lo)), (max(start, hi), end)) if a < b]
            a, b = max(start, lo), min(end, hi)
            if a < b:
                self.file.give(a, b - a)
        self.shown = left

    def new_word(self) -> tuple[Bytes, int]:
        """A byte that says ``LIVE``, and its place in the file."""
        if self._page is None or self._words == PAGE:
            self._at = self.file.take(PAGE)
            self._page = self.file.shown(self._at, PAGE)
            self._words = 0
        self._words += 1
        return self._page[self._words - 1 : self._words], self._at + self._words - 1


def share(memory: AddressSpace, block: Allocation) -> SharedArena:
    """Let the bytes of the live device *block* be in a file that other processes can show. Raises OutOfMemory."""
    arena = memory.arena(block.device)
    arena.back(block)
    reservation = arena.reservation
    if reservation is None:
        raise OutOfMemory("this computer gives each block memory of its own, which no other process can see")
    overlay = reservation.overlay
    if not isinstance(overlay, SharedArena):
        overlay = SharedArena(reservation)
    start, end = block.offset, block.offset + block.capacity
    spans = [0, block.capacity] if block.touched is None else list(block.touched)
    try:
        overlay.show(start // PAGE * PAGE, -(-end // PAGE) * PAGE, [start + offset for offset in spans])
    except OSError as error:
        raise OutOfMemory(f"this computer has no {block.capacity} bytes to share: {error.strerror or error}") from None
    if block.capacity <= _POISONED:
        edges = [0, *spans, block.capacity]
        for lo, hi in zip(edges[::2], edges[1::2], strict=True):
            fill(block.host + lo, FRESH, hi - lo)
    block.touched = None
    return overlay


class ImportedBlock(Allocation):
    """Memory that process *owner* has exported: *words* is what it is called there, *exported* where that was."""

    __slots__ = ("exported", "owner", "word", "words")

    imported = True

    def __init__(
        self, word: Bytes, size: int, device: int, site: CallSite, thread: int, number: int, words: str,
        owner: int, exported: str,
    ) -> None:  # fmt: skip
        super().__init__(0, size, size, device, "device", site, thread, number)
        self.word = word
        """What its owner says of it, as one byte: ``LIVE``, ..."""
        self.words = words
        self.owner = owner
        self.exported = exported
        self.touched = None

    def describe(self) -> str:
        """```weights` of process 4711 (4096 bytes, exported at serve.py:12), imported at use.py:7``."""
        where = f", imported at {place(self.site)}" if self.site else ""
        gone = f" and closed at {place(self.free_site)}" if self.freed and self.free_site else ""
        return f"{self.words} of process {self.owner} ({self.size} bytes, exported at {self.exported}){where}{gone}"


def adopt(
    memory: AddressSpace, file: PageFile, offset: int, word: int, size: int, device: int, site: CallSite, thread: int,
    words: str, owner: int, exported: str,
) -> ImportedBlock:  # fmt: skip
    """A block for the *size* bytes at *offset* of another process's *file*; *word*: where its owner speaks.

    Raises OutOfMemory, OSError.
    """
    lo, page = offset // PAGE * PAGE, word // PAGE * PAGE
    pages = file.shown(lo, -(-(offset + size - lo) // PAGE) * PAGE)
    block = ImportedBlock(
        file.shown(page, PAGE)[word - page : word - page + 1], size, device, site, thread, memory.made, words, owner,
        exported,
    )  # fmt: skip
    block.bytes = pages[offset - lo : offset - lo + size]
    block.host = block.bytes.__array_interface__["data"][0]
    memory.arena(device).adopt(block)
    memory.made += 1
    return block
