"""The rule that a run follows where nobody says otherwise: stay with who ran last, then with its launch."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["goes_on", "is_stream", "leaves"]


def is_stream(process: str) -> bool:
    """Whether a process is a stream, or a block of a launch there."""
    return process.startswith(("stream ", "default stream "))


def goes_on(last: str, enabled: Sequence[str]) -> str:
    """Which of *enabled* goes on by itself after *last*: the same, or else who belongs to the launch; empty: none."""
    if last in enabled:
        return last
    if is_stream(last):
        stream = last.partition("/")[0]
        blocks = stream + "/"
        for process in enabled:
            if process.startswith(blocks) or ("/" in last and process == stream):
                return process
    return ""


def leaves(last: str, enabled: Sequence[str], chosen: str) -> bool:
    """Whether going on with *chosen* leaves one, or a launch on its way, that could have gone on."""
    if chosen == last:
        return False
    if "/" not in last:
        return last in enabled
    stream = last.partition("/")[0]
    if chosen.partition("/")[0] == stream:
        return False
    return goes_on(last, enabled) != ""
