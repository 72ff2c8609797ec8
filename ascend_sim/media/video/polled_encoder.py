"""Channels of the second interface that encode: H.264, H.265 and JPEG; who wants a result asks for it.

See docs/semantics/media_video.md#the-second-interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ascend_sim.machine import host_memory
from ascend_sim.media.codecs.pillow import MissingPart, encode_jpeg
from ascend_sim.media.pixels.pixel_formats import PixelFormat
from ascend_sim.media.pixels.planes import Area, Image, image_of, rows_of
from ascend_sim.media.unit import MediaUnit
from ascend_sim.media.video.decoding_unit import read_bytes
from ascend_sim.media.video.polled_channel import PolledChannel
from ascend_sim.media.video.unit_channel import Job
from ascend_sim.media.video.video_encoder import EncoderSettings, VideoEncoder
from ascend_sim.runtime.memory.allocation import allocate, block_for_task, tell_freed
from ascend_sim.runtime.memory.told import tell_access
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.task import Steps, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["EncodeJob", "PolledEncoder"]

FAILED = 0x10001
_TAKE_NS, _PICTURE_NS, _PIXEL_NS = 20_000, 200_000, 4
"""What a picture costs, as in the first interface."""


class EncodeJob(Job):
    """A picture, and what it becomes; *place*: the program's own memory for that."""

    __slots__ = ("force_key", "image", "place", "pts", "quality", "result")

    def __init__(self, t: ThreadState, image: Image, pts: int, quality: int, place: Place | None) -> None:
        super().__init__(t, None)
        self.image: Image | None = image
        self.pts = pts
        self.quality = quality
        self.place = place
        self.force_key = False
        self.result = b""


class PolledEncoder(PolledChannel):
    """A channel that encodes. *settings*: of a video; None: pictures become JPEGs."""

    kind: ClassVar[str] = "venc"
    failure: ClassVar[int] = FAILED

    def __init__(
        self, t: ThreadState, number: int, attributes: Mapping[str, Any], settings: EncoderSettings | None
    ) -> None:
        self._encoder = None if settings is None else VideoEncoder(settings)
        super().__init__(t, f"VENC channel {number}", t.current_context())
        t.sim.part(MediaUnit).find(t)
        self.attributes = dict(attributes)
        self.parameters: dict[str, dict[str, Any]] = {}
        """What the program set, by the word for it: ``jpeg``, ``channel``, ``rate``."""
        self.scene = 0
        self.started = False
        self.received = 0
        self.next_is_key = False
        self._lent: dict[int, Allocation] = {}

    def push(
        self, t: ThreadState, frame: Mapping[str, Any], form: PixelFormat, quality: int, output: tuple[int, int] | None
    ) -> None:
        """Take the pixels of *frame*, a hi_video_frame. Raises AclError for memory that is not there."""
        self.wait_for_room(t)
        place = None
        if output is not None:
            address, size = output
            block = block_for_task(t, address, size, "the memory of the stream", True)
            place = Place(t.sim, block, address, size, True)
        job = EncodeJob(t, _pixels(t, frame, form), frame["pts"], quality, place)
        job.force_key, self.next_is_key = self.next_is_key, False
        t.clock += _TAKE_NS
        self.received += 1
        self.send(t, job, _PICTURE_NS + _PIXEL_NS * frame["width"] * frame["height"])

    # -- the unit -----------------------------------------------------------------------------------------------------

    def process(self, task: Task, job: Job) -> Steps:
        assert isinstance(job, EncodeJob) and job.image is not None
        image, job.image = job.image, None
        code = 0
        try:
            job.result = encode_jpeg(image, job.quality) if self._encoder is None else self._video(image, job.force_key)
        except MissingPart:
            code = FAILED
        if job.place is not None and not code:
            code = self._write(task, job, job.place)
        self.finished(task, job, code)
        yield from ()

    def _video(self, image: Image, key: bool) -> bytes:
        assert self._encoder is not None and image.luma is not None and image.chroma is not None
        rows, columns = image.luma.shape
        pairs = image.chroma.reshape(rows // 2, columns)
        return self._encoder.encode(np.concatenate([image.luma, pairs]), False, key)

    def _write(self, task: Task, job: EncodeJob, place: Place) -> int:
        size = len(job.result)
        if size > place.nbytes:
            return FAILED
        try:
            true = place.reach(task, whole=False)
        except TaskFault:
            return FAILED
        if true:
            host_memory.view(true, size)[:] = np.frombuffer(job.result, np.uint8)
            if place.block is not None:
                tell_access(self.sim.hooks, task, place.block, place.offset, place.offset + size, True)
        return 0

    def drain(self, task: Task) -> None:
        """Each picture has come out at once: nothing is kept."""

    # -- results ------------------------------------------------------------------------------------------------------

    def answer(self, t: ThreadState, timeout: int) -> tuple[EncodeJob, int] | None:
        """The next result and where its bytes lie, until it is released; None when none came within *timeout* ms."""
        job = self.take(t, timeout)
        if job is None:
            return None
        assert isinstance(job, EncodeJob)
        if job.place is not None:
            return job, job.place.address
        if not job.result:
            return job, 0
        size = len(job.result)
        address = allocate(t, size, size, 0)
        block = self.sim.memory.find(address)
        assert block is not None
        self.sim.part(MediaUnit).took(block)
        self._lent[address] = block
        host_memory.view(self.sim.memory.locate(address, size), size)[:] = np.frombuffer(job.result, np.uint8)
        tell_access(self.sim.hooks, t, block, 0, size, True)
        return job, address

    def release(self, t: ThreadState, address: int) -> bool:
        """The program needs the bytes at *address* no more; whether they were lent."""
        block = self._lent.pop(address, None)
        if block is not None and not block.freed:
            self.sim.memory.free(block, t.site)
            block.free_ns = t.clock
            tell_freed(t, block)
        return block is not None

    def waiting(self) -> tuple[int, int]:
        """Results that nobody took, and their bytes."""
        self.next_result()
        jobs = [job for job in self._results if isinstance(job, EncodeJob)]
        return len(jobs), sum(len(job.result) for job in jobs)

    def close(self, t: ThreadState) -> None:
        super().close(t)
        for address in list(self._lent):
            self.release(t, address)


def _pixels(t: ThreadState, frame: Mapping[str, Any], form: PixelFormat) -> Image:
    """A copy of the pixels of a hi_video_frame: the call takes them. Raises AclError for memory that is not there."""
    width, height = frame["width"], frame["height"]
    row = frame["width_stride"][0] or width * form.unit
    first = frame["virt_addr"][0]
    what = "the picture"
    if form.family != "yuv":
        rows = rows_of(form, form.planes(width, height, row, height), Area(0, 0, width, height))
        data = read_bytes(t, first, max(plane.end for plane in rows), what)
        return image_of(form, data, rows, Area(0, 0, width, height))
    pairs = frame["width_stride"][1] or row
    second = frame["virt_addr"][1] or first + row * (frame["height_stride"][0] or height)
    luma = _rows(read_bytes(t, first, row * (height - 1) + width, what), width, height, row)
    chroma = _rows(read_bytes(t, second, pairs * (height // 2 - 1) + width, what), width, height // 2, pairs)
    shown = chroma.reshape(height // 2, width // 2, 2)
    return Image(luma, shown if form.order == "UV" else np.ascontiguousarray(shown[..., ::-1]), 2, 2)


def _rows(data: Any, width: int, rows: int, pitch: int) -> Any:
    return np.ascontiguousarray(as_strided(data, (rows, width), (pitch, 1)))
