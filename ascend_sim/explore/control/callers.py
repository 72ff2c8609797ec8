"""Which function of the program uses a lock, a queue, a thread: the first outside the library of threads."""

from __future__ import annotations

import os
import queue
import sys
import threading

from ascend_sim.explore.control import host_transitions
from ascend_sim.runtime.threads.patches import install, locks, queues, sync_objects

__all__ = ["function_outside"]

LIBRARY = frozenset({
    os.path.join(os.path.dirname(__file__), "sharing.py"),
    *(
        module.__file__
        for module in (host_transitions, locks, sync_objects, queues, queue, install, threading)
    ),
})  # fmt: skip


def function_outside() -> str:
    """The function that called into the library of threads."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename in LIBRARY and frame.f_back is not None:
        frame = frame.f_back
    code = frame.f_code
    return f"{os.path.basename(code.co_filename)} {code.co_name}"
