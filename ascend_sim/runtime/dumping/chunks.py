"""What a dump hands out: files of a directory, or chunks for the callback of the program (docs/semantics/dump.md#files)."""

from __future__ import annotations

import ctypes
import io
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from ascend_sim.runtime.task import Task

__all__ = ["as_npy", "hand_out", "safe_name"]

MOST_NAME: Final = 120
CHUNK_BYTES: Final = 10 << 20
FILE_NAME_BYTES: Final = 4096
_HEAD: Final = FILE_NAME_BYTES + 20
"""Where the data of a chunk begin: behind the name, bufLen, isLastChunk, offset and flag."""
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]")


def safe_name(text: str) -> str:
    """*text* as one part of a path: names stand in files of others, and must not lead out of the directory."""
    return _UNSAFE.sub("_", text).lstrip(".")[:MOST_NAME] or "_"


def as_npy(array: Any) -> bytes:
    """The bytes of an .npy file; of types that numpy has no name for, the bits."""
    plain = np.asarray(array)
    if plain.dtype.kind == "V" or plain.dtype.hasobject:
        plain = plain.view(np.uint8)
    held = io.BytesIO()
    np.save(held, plain, allow_pickle=False)
    return held.getvalue()


def hand_out(task: Task, path: str, data: bytes, callback: Callable[[int, int], Any] | None) -> None:
    """Write *data* to *path*, or hand them to *callback* in chunks. What fails is a finding: the task goes on."""
    try:
        if callback is None:
            os.makedirs(os.path.dirname(path), mode=0o750, exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
        else:
            _call(callback, path, data)
    # the program's own code, in the middle of a task: what it raises must not end the device
    except Exception as error:  # noqa: BLE001
        what = error.strerror if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
        where = "the dump callback raised" if callback is not None else f"{os.path.basename(path)} was not written"
        sim = task.stream.sim
        sim.report("hidden-error", "warning", f"a dump is lost: {where}: {what}", time_ns=sim.scheduler.now)


def _call(callback: Callable[[int, int], Any], path: str, data: bytes) -> None:
    name = os.fsencode(path)[: FILE_NAME_BYTES - 1]
    for at in range(0, max(len(data), 1), CHUNK_BYTES):
        part = data[at : at + CHUNK_BYTES]
        last = at + CHUNK_BYTES >= len(data)
        head = name.ljust(FILE_NAME_BYTES, b"\0") + len(part).to_bytes(4, "little") + int(last).to_bytes(4, "little")
        raw = ctypes.create_string_buffer(head + at.to_bytes(8, "little") + bytes(4) + part, _HEAD + len(part))
        callback(ctypes.addressof(raw), _HEAD + len(part))
