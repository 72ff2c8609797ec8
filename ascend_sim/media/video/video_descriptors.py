"""Descriptors of channels for video, and the settings of single frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from ascend_sim.media.descriptors import MediaObject

if TYPE_CHECKING:
    from ascend_sim.media.video.callback_channel import CallbackChannel
    from ascend_sim.media.video.vdec_channel import VdecChannel
    from ascend_sim.media.video.venc_channel import VencChannel
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["VdecDesc", "VdecFrameConfig", "VencDesc", "VencFrameConfig", "VideoDesc"]


class VideoDesc(MediaObject):
    """What both kinds of channels have: the thread, its callback, the kind of stream."""

    __slots__ = ("callback", "id", "kind", "thread_id")

    @property
    def opened(self) -> CallbackChannel | None:
        """The channel, while there is one."""
        raise NotImplementedError

    def shut(self) -> None:
        """The channel is closed."""
        raise NotImplementedError

    def __init__(self, t: ThreadState) -> None:
        super().__init__(t)
        self.id = 0
        self.thread_id = 0
        self.callback: Callable[..., Any] | None = None
        self.kind = 0
        """An acldvppStreamFormat."""


class VdecDesc(VideoDesc):
    """A channel that decodes, and the channel once it was created."""

    __slots__ = ("bit_depth", "channel", "format", "height", "matrix", "mode", "references", "width")

    leaks_as: ClassVar[str] = "VDEC channel descriptor"

    def __init__(self, t: ThreadState) -> None:
        super().__init__(t)
        self.channel: VdecChannel | None = None
        self.format = 1
        self.width = 0
        self.height = 0
        self.references = 0
        self.mode = 0
        """0: in the order of display; 1: as soon as they are decoded."""
        self.bit_depth = 0
        self.matrix = 0

    @property
    def opened(self) -> CallbackChannel | None:
        return self.channel

    def shut(self) -> None:
        self.channel = None


class VencDesc(VideoDesc):
    """A channel that encodes, and the channel once it was created."""

    __slots__ = (
        "buffer",
        "buffer_size",
        "channel",
        "format",
        "height",
        "interval",
        "kilobits",
        "mode",
        "rate",
        "width",
    )

    leaks_as: ClassVar[str] = "VENC channel descriptor"

    def __init__(self, t: ThreadState) -> None:
        super().__init__(t)
        self.channel: VencChannel | None = None
        self.format = 1
        self.width = 0
        self.height = 0
        self.interval = 0
        self.buffer = 0
        self.buffer_size = 0
        self.mode = 0
        """Of the bit rate: 0 the default, 1 variable, 2 constant."""
        self.rate = 0
        """Pictures a second."""
        self.kilobits = 0
        """A second, at most."""

    @property
    def opened(self) -> CallbackChannel | None:
        return self.channel

    def shut(self) -> None:
        self.channel = None


class VdecFrameConfig(MediaObject):
    """Settings of one frame that is decoded. There are none so far."""

    __slots__ = ()

    leaks_as: ClassVar[str] = "VDEC frame configuration"


class VencFrameConfig(MediaObject):
    """Settings of one frame that is encoded."""

    __slots__ = ("eos", "force_key")

    leaks_as: ClassVar[str] = "VENC frame configuration"

    def __init__(self, t: ThreadState) -> None:
        super().__init__(t)
        self.eos = 0
        self.force_key = 0
