"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile

__all__ = ["at_once", "write_whole"]


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a file, all or nothing; text that UTF-8 cannot hold (half a path) is escaped as JSON does it.

    What is no regular file (``/dev/stdout``, a pipe) is written to as it is: a pipe needs somebody who reads it, for whom
    nobody waits. Raises OSError.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        mode = os.stat(path).st_mode  # of an open pipe /dev/fd/63 is a link, and the name behind it no file
    except FileNotFoundError:
        mode = 0
    if mode and not stat.S_ISREG(mode):
        with open(path, "wb", opener=at_once) as file:
            file.write(data)
        return
    path = os.path.realpath(path)
    # A name that nobody can guess: a link that waits there would send the text elsewhere.
    number, beside = tempfile.mkstemp(prefix=os.path.basename(path)[:64], suffix=".part", dir=os.path.dirname(path))
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        os.chmod(beside, stat.S_IMODE(mode) if mode else 0o666 & ~_umask())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def at_once(path: str, flags: int) -> int:
    """An opener: for a named pipe that nobody reads it raises OSError, and does not wait until somebody does."""
    try:
        number = os.open(path, flags | os.O_NONBLOCK, 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO and stat.S_ISFIFO(os.stat(path).st_mode):
            raise OSError(error.errno, "nobody reads this pipe", path) from None
        raise
    os.set_blocking(number, True)
    return number


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
