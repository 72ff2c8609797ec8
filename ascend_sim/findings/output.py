"""Lines for people, on a stream that may be closed, full, or read by nobody."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

from ascend_sim.findings.languages import in_lines
from ascend_sim.source.fence import passes_by
from ascend_sim.untrusted.escaping import escaped
from ascend_sim.untrusted.long_names import LONGEST_PATH, shortened

__all__ = ["say", "tell"]


def tell(text: object, language: str = "", more: str = "") -> None:
    """Say on stderr what the tool itself has to say, in *language*, or in the one that is chosen.

    *text* is one line, in which names that the program or a file chose can do nothing to the terminal; *more*: lines of
    the tool's own behind it.
    """
    line = shortened(in_lines(str(text), language), LONGEST_PATH)
    lines = [f"ascend-sim: {escaped(line)}", *in_lines(more, language).splitlines()]
    say(sys.stderr, "\n".join(lines))


def say(stream: TextIO | None, text: str) -> bool:
    """Write *text* and a newline at once; False when that cannot be done. The stream may be an object of the program."""
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
    except BaseException as error:  # it was closed, is no stream at all, or raises what it likes
        if passes_by(error):
            raise
        return False
    return True
