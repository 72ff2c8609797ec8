"""Channels for pictures: what a program creates first, and names in each operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ascend_sim.media.descriptors import MediaObject
from ascend_sim.media.pending import Pending
from ascend_sim.media.rules import table

if TYPE_CHECKING:
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["PictureChannel"]


class PictureChannel(MediaObject):
    """A channel descriptor, and the channel once it was created."""

    __slots__ = ("context", "id", "matrix", "mode", "open", "pending")

    leaks_as: ClassVar[str] = "channel descriptor"

    def __init__(self, t: ThreadState, number: int) -> None:
        super().__init__(t)
        self.id = number
        """What acldvppGetChannelDescChannelId says."""
        self.mode: int = table()["channel_modes"]
        """An or of acldvppChannelMode; a new one has all."""
        self.matrix = 0
        """An acldvppCscMatrix."""
        self.open = False
        self.context: Context | None = None
        """In which it was created."""
        self.pending = Pending()

    def drop(self, t: ThreadState) -> None:
        self.pending.disturbed(t, self, "destroys")
        super().drop(t)
