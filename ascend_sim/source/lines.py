"""Lines of source files, as `linecache` has them, but never of a file that nobody can read to its end.

The file of a program may be another one by the time it is quoted: a pipe that nobody writes to, a device, gigabytes of a
log. A report goes without the line then.
"""

from __future__ import annotations

import os
import stat

__all__ = ["lines_of"]

MOST_BYTES = 1 << 26


def lines_of(file: str) -> list[str]:
    """The lines of *file*, with their ends; none when its text is not there."""
    import linecache

    if file not in linecache.cache and not _readable(file):
        return []
    return linecache.getlines(file)


def _readable(file: str) -> bool:
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return True  # the loader of its module may have the text
    return stat.S_ISREG(found.st_mode) and found.st_size <= MOST_BYTES
