"""Reading a file that somebody else wrote: only a regular one, and never more of it than can be used."""

from __future__ import annotations

import errno
import os
import stat

__all__ = ["TooLarge", "read_file"]


class TooLarge(ValueError):
    """A file with more bytes than what is read can have."""


def read_file(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a regular file. Raises OSError (EINVAL for devices and pipes, which may never end), TooLarge."""
    found = os.stat(path)
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", os.fspath(path))
    if found.st_size > most:
        raise TooLarge(f"{found.st_size} bytes: {most} at most can be read")
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise TooLarge(f"more than {most} bytes")
    return data
