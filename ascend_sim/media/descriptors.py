"""Descriptors of pictures, of batches of them, and of pieces of a video stream: what the program says of its buffers.

The pixels stay the program's. See docs/semantics/media.md#descriptors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ascend_sim.media.pending import Pending
from ascend_sim.media.pixels.pixel_formats import format_name

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["FIELDS", "MediaObject", "PictureBatch", "PictureDesc", "StreamDesc"]

FIELDS = ("data", "size", "format", "width", "height", "width_stride", "height_stride", "ret_code")
"""What a picture descriptor says: an address, bytes, a pixel format, pixels, pixels, bytes, rows, a code."""


class MediaObject:
    """What a create call of acl_dvpp.h makes: `handle` names it in the API, `site` is the line that made it."""

    __slots__ = ("handle", "number", "site")

    leaks_as: ClassVar[str] = ""
    """Its name in texts; without one it is owned by another."""

    def __init__(self, t: ThreadState) -> None:
        self.number = t.sim.handles.next_number(self.leaks_as)
        self.site: CallSite = t.site
        self.handle: int = t.sim.new_handle(self)

    def describe(self) -> str:
        """``picture descriptor 3``."""
        return f"{self.leaks_as} {self.number}"

    def kept_by_another(self) -> bool:
        """Whether something else destroys it."""
        return False

    def drop(self, t: ThreadState) -> None:
        """It is destroyed."""
        t.sim.drop_handle(self.handle)


class PictureDesc(MediaObject):
    """A picture: where its pixels are and how they lie there. A new one says 0 of everything."""

    __slots__ = (*FIELDS, "batch", "pending")

    leaks_as: ClassVar[str] = "picture descriptor"

    def __init__(self, t: ThreadState, batch: PictureBatch | None = None) -> None:
        super().__init__(t)
        self.batch = batch
        self.pending = Pending()
        self.data = 0
        self.size = 0
        self.format = 0
        self.width = 0
        self.height = 0
        self.width_stride = 0
        self.height_stride = 0
        self.ret_code = 0

    def kept_by_another(self) -> bool:
        return self.batch is not None

    def drop(self, t: ThreadState) -> None:
        self.pending.disturbed(t, self, "destroys")
        super().drop(t)

    def layout(self) -> str:
        """Format, size and strides, for texts: ``NV12 (1), 640 x 480, strides 640 x 480, 460800 bytes``."""
        return (
            f"{format_name(self.format)}, {self.width} x {self.height}, strides {self.width_stride} x "
            f"{self.height_stride}, {self.size} bytes"
        )


class PictureBatch(MediaObject):
    """Pictures in one object, which owns their descriptors."""

    __slots__ = ("pictures",)

    leaks_as: ClassVar[str] = "batch of picture descriptors"

    def __init__(self, t: ThreadState, count: int) -> None:
        super().__init__(t)
        self.pictures = [PictureDesc(t, self) for _ in range(count)]

    def drop(self, t: ThreadState) -> None:
        for picture in self.pictures:
            picture.drop(t)
        super().drop(t)


class StreamDesc(MediaObject):
    """A piece of a video stream: where its bytes are, how it is coded, and whether it is the end."""

    __slots__ = ("data", "eos", "format", "pending", "ret_code", "size", "timestamp")

    leaks_as: ClassVar[str] = "stream descriptor"

    def __init__(self, t: ThreadState) -> None:
        super().__init__(t)
        self.pending = Pending()
        self.data = 0
        self.size = 0
        self.format = 0
        self.timestamp = 0
        self.ret_code = 0
        self.eos = 0

    def drop(self, t: ThreadState) -> None:
        self.pending.disturbed(t, self, "destroys")
        super().drop(t)
