"""What lies in a shared queue: bytes with user data, or a chain of shared buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ascend_sim.machine.faults import AddressFault
from ascend_sim.runtime.memory.allocation import fault_error
from ascend_sim.runtime.memory.copies import Shape, copy_now

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.queues.buffers import SharedBuffer
    from ascend_sim.runtime.queues.tensors import Tensors
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["USER_BYTES", "Entry", "copied"]

USER_BYTES = 96
"""The private area of a message or a buffer (docs/semantics/queues.md#buffers)."""


class Entry:
    """One message. `data` are its bytes, `tensors` says how a channel reads them; `buffer`: a buffer in their place."""

    __slots__ = ("buffer", "data", "giver", "known", "tensors", "time", "user")

    def __init__(self, data: np.ndarray, user: bytes = b"", buffer: SharedBuffer | None = None) -> None:
        self.data = data
        self.user = user
        self.buffer = buffer
        self.tensors: Tensors | None = None
        self.giver: HostThread | None = None
        """Who put it there; with `known`, what that thread knew then."""
        self.known: object = None
        self.time = 0
        """Virtual time (ns) from which it can be taken."""

    def copy(self, sim: Runtime) -> Entry:
        """An entry for one more queue: the bytes are shared, a buffer is referred to once more."""
        made = Entry(self.data, self.user, None if self.buffer is None else self.buffer.copy(sim))
        made.tensors, made.giver, made.known, made.time = self.tensors, self.giver, self.known, self.time
        return made

    def drop(self, t: HostThread) -> None:
        """Nobody will take it: a buffer is freed."""
        if self.buffer is not None:
            self.buffer.free(t)


def copied(t: ThreadState, parts: Sequence[tuple[int, int]]) -> np.ndarray:
    """Copies of the (address, size) in *parts*, one after the other. Raises AclError for memory that cannot be read."""
    parts = [part for part in parts if part[1]]
    for address, size in parts:  # before there is memory for them: sizes are what a program says
        try:
            t.sim.memory.check(address, size)
        except AddressFault as fault:
            raise fault_error(t, fault, "data") from None
    held = np.empty(sum(size for _, size in parts), np.uint8)
    at = int(held.ctypes.data)
    for address, size in parts:
        copy_now(t, at, address, Shape(size))
        at += size
    return held
