"""Reading a file that somebody else wrote: only a regular one, and never more of it than can be used."""

from __future__ import annotations

import errno
import os
import stat

__all__ = ["TooLarge", "may_never_end", "read_file", "read_text", "real_path"]


class TooLarge(ValueError):
    """A file with more bytes than what is read can have, or than there is memory."""


def read_file(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a regular file.

    Raises OSError (EINVAL for devices and pipes, which may never end, and for what is no path), TooLarge.
    """
    try:
        found = os.stat(path)
    except ValueError:  # a NUL, or half a surrogate pair
        raise OSError(errno.EINVAL, "it cannot be the name of a file", os.fspath(path)) from None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", os.fspath(path))
    if found.st_size > most:
        raise TooLarge(f"{found.st_size} bytes: {most} at most can be read")
    try:
        # Who puts a pipe there in between gets an error, not a process that waits.
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            data = file.read(most + 1)
    except MemoryError:
        raise TooLarge(f"{found.st_size} bytes: there is no memory for them") from None
    if len(data) > most:
        raise TooLarge(f"more than {most} bytes")
    return data


def may_never_end(path: str) -> bool:
    """Whether who reads *path* could wait or read for ever: a pipe with a name, a device.

    A pipe that is open already (``/dev/stdin``) has somebody who writes; ``/dev/null`` is an empty file.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    if stat.S_ISFIFO(mode):
        return os.path.exists(os.path.realpath(path))
    return (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and os.path.realpath(path) != os.devnull


def read_text(path: str | os.PathLike[str], most: int) -> str:
    """The text of a file in UTF-8. Raises as `read_file`, and ValueError for other bytes."""
    try:
        return read_file(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{os.fspath(path)!r} is no text in UTF-8: {error.reason} at byte {error.start}") from None


def real_path(path: str) -> str:
    """`os.path.realpath`; a path stays as it is that cannot be the name of a file (a NUL, half a surrogate pair), or that
    begins in a working directory that is gone."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path
