"""The examples of ``ascend-sim explain KIND``: programs that show a fault, and their corrected versions, ready to run."""

from __future__ import annotations

import re

__all__ = ["BEGINNING", "LEGEND", "complete", "whole"]

BEGINNING = """\
import threading

import acl
import numpy as np
from ascend_sim import Block, gm, kernel

acl.rt.set_device(0)
a, b, c = (acl.rt.create_stream()[0] for _ in range(3))  # ascend-sim: ignore[leak]
event, ret = acl.rt.create_event()  # ascend-sim: ignore[leak]
x, y = (acl.rt.malloc(4096, 0)[0] for _ in range(2))  # ascend-sim: ignore[leak]
host, ret = acl.rt.malloc_host(4096)  # ascend-sim: ignore[leak]
for memory in (x, y, host):
    acl.rt.memset(memory, 4096, 0, 4096)

"""
"""What the examples begin with that do not import acl themselves."""
LEGEND = (
    "a, b, c are streams, event is an event, x and y are 4096 bytes of device memory each, host of page-locked memory."
)
_COMPLETE = re.compile("^import acl$", re.MULTILINE)


def complete(program: str) -> bool:
    """Whether the example needs no beginning."""
    return _COMPLETE.search(program) is not None


def whole(program: str) -> str:
    """The example as a file that can be run."""
    return (program if complete(program) else BEGINNING + program) + "\n"
