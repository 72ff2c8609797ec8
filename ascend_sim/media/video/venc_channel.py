"""Encoding video: pictures go in, pieces of a stream come out in a buffer of the channel.

See docs/semantics/media_video.md#encoding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ascend_sim.findings.finding import Site
from ascend_sim.machine import host_memory
from ascend_sim.media.descriptors import StreamDesc
from ascend_sim.media.video.callback_channel import CallbackChannel
from ascend_sim.media.video.decoding_unit import read_bytes
from ascend_sim.media.video.unit_channel import Job
from ascend_sim.media.video.video_encoder import EncoderSettings, VideoEncoder
from ascend_sim.runtime.memory.allocation import allocate, block_for_task, tell_freed
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.task import Steps, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.media.descriptors import PictureDesc
    from ascend_sim.media.video.video_descriptors import VencDesc
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["VencChannel", "default_buffer"]

FAILED = 0x10001
NV21 = 2
_TAKE_NS, _PICTURE_NS, _PIXEL_NS = 20_000, 200_000, 4
"""What a picture costs: 1080p at about 120 pictures a second."""


def default_buffer(family: str) -> int:
    """Bytes of the buffer for results that a channel makes itself."""
    return 3_686_400 if family == "310" else 8 << 20


class VencJob(Job):
    """A picture, and the access unit that comes of it."""

    __slots__ = ("force_key", "picture", "pixels", "result", "stream")

    def __init__(self, t: ThreadState, picture: PictureDesc, stream: StreamDesc, user_data: Any) -> None:
        super().__init__(t, user_data)
        self.picture = picture
        self.stream = stream
        self.pixels: Any = None
        self.force_key = False
        self.result = b""

    def arguments(self) -> tuple[int, int, Any]:
        return self.picture.handle, self.stream.handle, self.user_data


class VencChannel(CallbackChannel):
    """A channel that encodes."""

    kind: ClassVar[str] = "venc"
    failure: ClassVar[int] = FAILED

    def __init__(self, t: ThreadState, desc: VencDesc) -> None:
        assert desc.callback is not None
        self._encoder = VideoEncoder(
            EncoderSettings(desc.kind, desc.width, desc.height, desc.interval, desc.mode, desc.kilobits, desc.rate)
        )
        super().__init__(t, f"VENC channel {desc.id}", desc.thread_id, desc.callback, t.current_context())
        self.desc = desc
        self.stream = StreamDesc(t)
        own = default_buffer(t.sim.profile.family)
        self._own = 0 if desc.buffer else allocate(t, own, own, 0)
        address, size = (desc.buffer, desc.buffer_size) if desc.buffer else (self._own, own)
        self._buffer = Place(
            t.sim, block_for_task(t, address, size, "the buffer of the channel", True), address, size, True
        )

    def push(self, t: ThreadState, picture: PictureDesc, force_key: bool, user_data: Any) -> None:
        """Take the pixels of *picture*; the callback comes when they are encoded. Raises AclError as `read_bytes`."""
        self.wait_for_room(t)
        job = VencJob(t, picture, self.stream, user_data)
        job.pixels = self._pixels(read_bytes(t, picture.data, picture.size, "the data of the picture descriptor"))
        job.force_key = force_key
        t.clock += _TAKE_NS
        cost = _PICTURE_NS + _PIXEL_NS * self.desc.width * self.desc.height
        self.send(t, job, cost)

    def _pixels(self, data: Any) -> Any:
        """The rows of both planes, without what pads them."""
        width, height = self.desc.width, self.desc.height
        stride = -(-width // 16) * 16
        if len(data) < stride * height * 3 // 2:
            stride = width  # the call has seen that so many bytes are there
        return as_strided(data, (height * 3 // 2, width), (stride, 1))

    # -- the unit -----------------------------------------------------------------------------------------------------

    def process(self, task: Task, job: Job) -> Steps:
        assert isinstance(job, VencJob)
        pixels, job.pixels = job.pixels, None
        job.result = self._encoder.encode(np.ascontiguousarray(pixels), self.desc.format == NV21, job.force_key)
        self.finished(task, job, 0 if len(job.result) <= self._buffer.nbytes else FAILED)
        yield from ()

    def drain(self, task: Task) -> None:
        """Each picture has come out at once: nothing is kept."""

    # -- callbacks ----------------------------------------------------------------------------------------------------

    def present(self, task: Task, job: Job) -> None:
        assert isinstance(job, VencJob)
        result, job.result = job.result, b""
        stream, place = self.stream, self._buffer
        if not job.code:
            place = Place(self.sim, place.block, place.address, len(result), True)
            try:
                true = place.reach(task)
            except TaskFault:
                true = 0
            if true:
                host_memory.view(true, len(result))[:] = np.frombuffer(result, np.uint8)
                place.tell(task)
            else:
                job.code = FAILED
        else:
            self._too_large(job, len(result))
        if self.sim.handles.get(stream.handle) is not stream:
            self._lent_away(job)
        stream.data = place.address
        stream.size = 0 if job.code else len(result)
        stream.format = self.desc.kind
        stream.ret_code = job.code
        stream.eos = 0

    def _lent_away(self, job: VencJob) -> None:
        """A callback has destroyed the descriptor that it was lent: the next one gets another."""
        self.sim.report(
            "undefined-use",
            "error",
            f"the stream descriptor of a callback of {self.name} was destroyed by the program: it belongs to the channel",
            [Site("submit", "sent here", job.site, primary=True)],
            fix="copy its bytes out, and leave it alone",
            time_ns=self.sim.scheduler.now,
        )
        self.stream.handle = self.sim.new_handle(self.stream)

    def _too_large(self, job: VencJob, size: int) -> None:
        self.sim.report(
            "out-of-bounds",
            "error",
            f"{self.name} has a buffer of {self._buffer.nbytes} bytes, a picture became {size}",
            [Site("submit", "sent here", job.site, primary=True)],
            fix="give it a larger one (aclvencSetChannelDescBufSize), or a lower bit rate",
            time_ns=self.sim.scheduler.now,
        )

    def close(self, t: ThreadState) -> None:
        super().close(t)
        if self.sim.handles.get(self.stream.handle) is self.stream:
            self.sim.drop_handle(self.stream.handle)
        block = self._buffer.block
        if self._own and block is not None and not block.freed:
            self.sim.memory.free(block, t.site)
            block.free_ns = t.clock
            tell_freed(t, block)
