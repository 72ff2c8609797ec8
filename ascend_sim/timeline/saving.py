"""Timelines as files: the end of the name says the form."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING

from ascend_sim.findings.files import at_once
from ascend_sim.findings.languages import in_lines
from ascend_sim.findings.output import tell
from ascend_sim.runtime.own_imports import spec_for_us
from ascend_sim.timeline.trace import counted

if TYPE_CHECKING:
    from ascend_sim.timeline.recording import Timeline

__all__ = ["FORMATS", "check", "png", "save"]

FORMATS = {
    ".html": "a page with everything in it", ".json": "a trace for ui.perfetto.dev", ".txt": "lanes of text",
    ".png": "a picture", ".svg": "a picture",
}  # fmt: skip
"""What `Timeline.save` writes, by the end of the file's name."""


def check(path: str | os.PathLike[str]) -> str:
    """The form of *path*: ``-`` or its end.

    Raises ValueError for an unknown one, a folder that is not there, or a picture without matplotlib.
    """
    if os.fspath(path) == "-":
        return "-"
    form = os.path.splitext(os.fspath(path))[1].lower()
    if form not in FORMATS:
        forms = ", ".join(f"{end} ({in_lines(text)})" for end, text in FORMATS.items())
        raise ValueError(f"{os.fspath(path)!r}: the end of the name says the form: {forms}, or - for text at once")
    folder = os.path.dirname(os.fspath(path))
    if folder and not os.path.isdir(folder):
        raise ValueError(f"{os.fspath(path)!r}: there is no folder {folder!r}")
    if form in (".png", ".svg") and spec_for_us("matplotlib") is None:
        raise ValueError(f"{os.fspath(path)!r} needs matplotlib: pip install 'ascend-sim[plot]', or write .html")
    return form


def save(timeline: Timeline, path: str | os.PathLike[str]) -> None:
    """Write *timeline* to *path*; ``-``: text to standard output. Raises ValueError as `check`."""
    form = check(path)
    if form == "-":
        # Names of the program may have letters that a log cannot take.
        coding = sys.stdout.encoding or "utf-8"
        print(timeline.text().encode(coding, "backslashreplace").decode(coding), flush=True)
    elif form in (".png", ".svg"):
        picture = io.BytesIO()
        timeline.figure().savefig(picture, format=form[1:])
        with open(path, "wb", opener=at_once) as plot:
            plot.write(picture.getvalue())
    else:
        if form == ".html":
            text = timeline.html()
        elif form == ".json":
            text = json.dumps(timeline.trace_events(), separators=(",", ":"))
        else:
            text = timeline.text() + "\n"
        with open(path, "w", encoding="utf-8", errors="backslashreplace", opener=at_once) as file:
            file.write(text)
    gone = timeline.left_out
    if form != "-" and (gone.tasks or gone.calls):
        many = counted(gone.tasks, gone.calls)
        tell(
            f"{os.fspath(path)}: {many} are left out, in the middle of the run: --timeline-tasks N keeps more than "
            f"{timeline.most}"
        )


def png(timeline: Timeline) -> bytes | None:
    """The picture as PNG; None without matplotlib."""
    if spec_for_us("matplotlib") is None:
        return None
    target = io.BytesIO()
    timeline.figure().savefig(target, format="png")
    return target.getvalue()
