"""Channels of the second interface that decode PNGs; who wants a picture asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ascend_sim.machine import host_memory
from ascend_sim.media.codecs.pillow import CodecError, MissingPart, decode_png
from ascend_sim.media.codecs.png_header import PngError, read_header
from ascend_sim.media.codecs.png_layout import PngLayout, png_layout
from ascend_sim.media.pixels.conversion import store
from ascend_sim.media.pixels.planes import Area, image_of, rows_of
from ascend_sim.media.rules import table
from ascend_sim.media.unit import MediaUnit
from ascend_sim.media.video.decoding_unit import read_bytes, target_place
from ascend_sim.media.video.polled_channel import PolledChannel
from ascend_sim.media.video.unit_channel import Job
from ascend_sim.runtime.memory.told import tell_access
from ascend_sim.runtime.task import Steps, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.runtime.memory.transfers import Place
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["PngChannel", "PngJob"]

FAILED = 1


class PngJob(Job):
    """A file, and the picture that it becomes: what the program said of both."""

    __slots__ = ("data", "picture", "place", "stream")

    def __init__(self, t: ThreadState, stream: Mapping[str, Any], picture: Mapping[str, Any], place: Place) -> None:
        super().__init__(t, None)
        self.stream = stream
        self.picture = dict(picture)
        self.place = place
        self.data = b""


class PngChannel(PolledChannel):
    """A channel that decodes PNGs."""

    kind: ClassVar[str] = "pngd"
    failure: ClassVar[int] = FAILED

    def __init__(self, t: ThreadState, number: int) -> None:
        super().__init__(t, f"PNGD channel {number}", t.current_context())
        self._rules = t.sim.part(MediaUnit).find(t)

    def push(self, t: ThreadState, stream: Mapping[str, Any], picture: Mapping[str, Any]) -> None:
        """Take a file in. Raises AclError for memory that is not there."""
        self.wait_for_room(t)
        place = target_place(t, picture["picture_address"], picture["picture_buffer_size"])
        job = PngJob(t, stream, picture, place)
        job.data = read_bytes(t, stream["addr"], stream["len"], "the coded picture").tobytes()
        costs = table()["costs"]
        self.send(t, job, costs["base_ns"] + place.nbytes * 1000 // costs["pngd_rate"])

    def process(self, task: Task, job: Job) -> Steps:
        assert isinstance(job, PngJob)
        data, job.data = job.data, b""
        try:
            self._decode(task, job, data)
        except (PngError, CodecError, MissingPart, TaskFault):
            self.finished(task, job, FAILED)
        else:
            self.finished(task, job, 0)
        yield from ()

    def drain(self, task: Task) -> None:
        """Each picture has come out at once: nothing is kept."""

    def _decode(self, task: Task, job: PngJob, data: bytes) -> None:
        picture = job.picture
        found = png_layout(self._rules, read_header(data), picture["picture_format"])
        strides = picture["picture_width_stride"], picture["picture_height_stride"]
        row, rows = strides[0] or found.width_stride, strides[1] or found.height_stride
        if row < found.width * found.form.unit or rows < found.height or job.place.nbytes < row * rows:
            raise PngError("the picture has no room for it")
        image = decode_png(data)
        true = job.place.reach(task, whole=False)
        if true:
            area = Area(0, 0, found.width, found.height)
            planes = rows_of(found.form, found.form.planes(found.width, found.height, row, rows), area)
            store(image, image_of(found.form, host_memory.view(true, row * rows), planes, area), 0)
            block = job.place.block
            if block is not None:
                tell_access(self.sim.hooks, task, block, job.place.offset, job.place.offset + row * rows, True)
        _describe(picture, found, row, rows)

    def answer(self, t: ThreadState, timeout: int) -> PngJob | None:
        """The next picture; None when none came within *timeout* ms."""
        job = self.take(t, timeout)
        assert job is None or isinstance(job, PngJob)
        return job


def _describe(picture: dict[str, Any], found: PngLayout, row: int, rows: int) -> None:
    picture["picture_width"], picture["picture_height"] = found.width, found.height
    picture["picture_width_stride"], picture["picture_height_stride"] = row, rows
    picture["picture_format"] = found.form.number
