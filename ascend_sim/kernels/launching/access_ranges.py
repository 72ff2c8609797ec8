"""What a launch touched, from its log: for each allocation and kind the union of its accesses, to the byte.

Within a launch the unions have an order, so that whoever follows written bytes is not misled by a kernel that fills a
work space and then reads it: first what was read before it was written, then what was written, then the other reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ascend_sim.kernels.language.memory import ATOMIC, BOX, CODES, READ, WRITE, Log

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ascend_sim.kernels.language.memory import Memory
    from ascend_sim.machine.allocations import Allocation

__all__ = ["SMALL", "Intervals", "merged", "rows_of_boxes", "table_of", "unions", "with_rows"]

Rows = npt.NDArray[np.int64]
Intervals = list[tuple[int, int]]

SMALL = 128
"""Up to so many accesses, plain Python is quicker than numpy."""


def merged(intervals: Rows) -> Intervals:
    """The union of half-open intervals (one a row), sorted; touching ones become one."""
    rows = intervals[np.argsort(intervals[:, 0], kind="stable")]
    highest = np.maximum.accumulate(rows[:, 1])
    first = np.concatenate(([True], rows[1:, 0] > highest[:-1]))
    last = np.concatenate((first[1:], [True]))
    return list(zip(rows[first, 0].tolist(), highest[last].tolist(), strict=True))


def table_of(log: Log) -> Rows:
    """The log as a table with rows ``lo, hi, code``."""
    return np.fromiter(log, np.int64, len(log)).reshape(-1, 3)


def with_rows(log: Log, table: Rows) -> Rows:
    """*table* with the rows of boxes in the places of the boxes."""
    if not log.boxes:
        return table
    boxes = np.array(log.boxes, np.int64)
    at = np.flatnonzero(table[:, 1] == BOX)
    counts = np.ones(len(table), np.int64)
    counts[at] = boxes[:, 3]
    whole = np.repeat(table, counts, axis=0)
    whole[np.repeat(table[:, 1] == BOX, counts)] = rows_of_boxes(boxes)
    return whole


def rows_of_boxes(boxes: Rows) -> Rows:
    """The rows of boxes (``lo, width, pitch, rows, code``) as accesses."""
    counts = boxes[:, 3]
    which = np.repeat(np.arange(len(boxes)), counts)
    row = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    lo = boxes[which, 0] + row * boxes[which, 2]
    return np.column_stack((lo, lo + boxes[which, 1], boxes[which, 4]))


def unions(
    log: Log, table: Rows | None, memories: Sequence[Memory[Any]]
) -> list[tuple[Allocation | None, int, Intervals]]:
    """(allocation, kind, sorted and disjoint intervals) for all that the log says. *table*: if it has been made."""
    if table is None and not log.boxes:
        by_code = _few_by_code(log)
    else:
        by_code = _many_by_code(log, table_of(log) if table is None else table)
    codes = sorted(by_code)
    found: list[tuple[Allocation | None, int, Intervals]] = []
    done: set[int] = set()
    for code in codes:
        if code in done:
            continue
        allocation = memories[code // CODES].allocation
        same = [c for c in codes if memories[c // CODES].allocation is allocation]
        kinds = {c % CODES for c in same}
        if WRITE in kinds and len(kinds) > 1:
            accesses = _reread(log, table, same)
            if accesses is not None:
                found += [(allocation, kind, part) for kind, part in _in_order(accesses) if part]
                done.update(same)
                continue
            same.sort(key=lambda c: c % CODES == WRITE)
        for c in same:
            found.append((allocation, c % CODES, by_code[c]))
        done.update(same)
    return found


def _few_by_code(log: Log) -> dict[int, Intervals]:
    by_code: dict[int, Intervals] = {}
    for i in range(0, len(log), 3):
        by_code.setdefault(log[i + 2], []).append((log[i], log[i + 1]))
    return {code: _few(intervals) for code, intervals in by_code.items()}


def _few(intervals: Intervals) -> Intervals:
    intervals.sort()
    found = [intervals[0]]
    for lo, hi in intervals:
        last_lo, last_hi = found[-1]
        if lo > last_hi:
            found.append((lo, hi))
        elif hi > last_hi:
            found[-1] = (last_lo, hi)
    return found


def _many_by_code(log: Log, table: Rows) -> dict[int, Intervals]:
    if log.boxes:
        boxes = np.array(sorted(set(log.boxes)), np.int64)  # tiles come again and again
        table = np.concatenate((table[table[:, 1] != BOX], rows_of_boxes(boxes)))
    codes = table[:, 2]
    return {code: merged(table[codes == code, :2]) for code in np.unique(codes).tolist()}


# -- reads after writes ----------------------------------------------------------------------------------------------


def _reread(log: Log, table: Rows | None, codes: list[int]) -> Rows | None:
    """The accesses of an allocation, all those with *codes*, if one of them may read what another wrote before."""
    short = table is None and not log.boxes
    if short and not _few_read_what_they_wrote(log, codes):
        return None
    accesses = _of_block(log, table, codes)
    return accesses if short or _reads_what_it_wrote(accesses) else None


def _few_read_what_they_wrote(log: Log, codes: list[int]) -> bool:
    """What `_reads_what_it_wrote` answers, for a short log without boxes."""
    lowest, highest = 1 << 62, -1
    for i in range(0, len(log), 3):
        code = log[i + 2]
        if code in codes:
            if code % CODES == WRITE:
                lowest, highest = min(lowest, log[i]), max(highest, log[i + 1])
            elif log[i] < highest and log[i + 1] > lowest:
                return True
    return False


def _of_block(log: Log, table: Rows | None, codes: list[int]) -> Rows:
    """The accesses with *codes*, in their order, with kinds in place of codes."""
    whole = with_rows(log, table_of(log) if table is None else table)
    chosen = whole[np.isin(whole[:, 2], codes)]
    chosen[:, 2] %= CODES
    return chosen


def _reads_what_it_wrote(accesses: Rows) -> bool:
    """Whether a read may follow a write of the same bytes. It does not where blocks take their turns in order."""
    writes = accesses[:, 2] == WRITE
    highest = np.maximum.accumulate(np.where(writes, accesses[:, 1], -1))
    lowest = np.minimum.accumulate(np.where(writes, accesses[:, 0], np.iinfo(np.int64).max))
    after = (accesses[:, 0] < highest) & (accesses[:, 1] > lowest) & ~writes
    return bool(after.any())


def _in_order(accesses: Rows) -> list[tuple[int, Intervals]]:
    """The unions of each kind, those of reads and of atomic updates in two parts: of bytes not yet written, and others.

    The bytes are cut into cells at the ends of all accesses; for each cell and kind the first access counts.
    """
    edges = np.unique(accesses[:, :2])
    starts = np.searchsorted(edges, accesses[:, 0]).tolist()
    stops = np.searchsorted(edges, accesses[:, 1]).tolist()
    kinds = accesses[:, 2].tolist()
    never = len(accesses)
    first = np.full((3, len(edges) - 1), never, np.int64)
    for i in range(never - 1, -1, -1):
        first[kinds[i], starts[i] : stops[i]] = i
    cells = np.column_stack((edges[:-1], edges[1:]))

    def of(chosen: npt.NDArray[np.bool_]) -> Intervals:
        return merged(cells[chosen]) if chosen.any() else []

    written = first[WRITE]
    fresh = [(kind, of((first[kind] < never) & (first[kind] < written))) for kind in (READ, ATOMIC)]
    others = [(kind, of((first[kind] < never) & (first[kind] > written))) for kind in (ATOMIC, READ)]
    return [*fresh, (WRITE, of(written < never)), *others]
