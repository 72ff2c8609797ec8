"""Lines for people, on a stream that may be closed, full, or read by nobody."""

from __future__ import annotations

import io
import os
from typing import TextIO

__all__ = ["say"]


def say(stream: TextIO | None, text: str) -> bool:
    """Write *text* and a newline at once; False when that cannot be done. Never raises."""
    if stream is None:  # closed before Python started
        return False
    try:
        if type(stream) is not io.TextIOWrapper:  # what tests and notebooks have in its place
            stream.write(text + "\n")
            stream.flush()
            return True
        stream.flush()
        data = (text + "\n").encode(stream.encoding, "backslashreplace")
        number = stream.fileno()
        while data:  # past the buffer: what a full disk refuses would stay there, and fail again when the program ends
            data = data[os.write(number, data) :]
    except (OSError, ValueError, AttributeError, TypeError):  # it was closed, or is no stream at all
        return False
    return True
