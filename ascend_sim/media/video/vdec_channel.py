"""Channels that decode video for callbacks (docs/semantics/media_video.md#decoding)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.media.pixels.pixel_formats import pixel_format
from ascend_sim.media.video.callback_channel import CallbackChannel
from ascend_sim.media.video.decoding_unit import CODECS, DecodeJob, DecodingUnit, Target, output_formats, target_place
from ascend_sim.media.video.unit_channel import Job
from ascend_sim.runtime.task import Task

if TYPE_CHECKING:
    from ascend_sim.media.descriptors import PictureDesc, StreamDesc
    from ascend_sim.media.video.video_descriptors import VdecDesc
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["VdecChannel"]


class VdecJob(DecodeJob):
    """A piece of the stream with the descriptors that its callback gets."""

    __slots__ = ("picture", "stream")

    def __init__(
        self, t: ThreadState, stream: StreamDesc, picture: PictureDesc | None, target: Target | None, user_data: Any
    ) -> None:
        super().__init__(t, target, user_data)
        self.stream = stream
        self.picture = picture

    def arguments(self) -> tuple[int, int, Any]:
        return self.stream.handle, self.picture.handle if self.picture is not None else 0, self.user_data


class VdecChannel(DecodingUnit, CallbackChannel):
    """A channel of the first interface."""

    def __init__(self, t: ThreadState, desc: VdecDesc) -> None:
        assert desc.callback is not None
        super().__init__(t, f"VDEC channel {desc.id}", desc.thread_id, desc.callback, t.current_context())
        self.desc = desc
        self.matrix = desc.matrix
        self.start_decoder(CODECS[desc.kind], in_order=desc.mode == 0)

    def push(self, t: ThreadState, stream: StreamDesc, picture: PictureDesc | None, user_data: Any) -> None:
        """Take the bytes that *stream* names; the callback comes when *picture* was written. None: decode, show nothing.

        Raises AclError for memory that is not there.
        """
        target = self._target(t, picture) if picture is not None else None
        self.take_in(t, VdecJob(t, stream, picture, target, user_data), stream.data, stream.size)

    def _target(self, t: ThreadState, picture: PictureDesc) -> Target:
        desc, known = self.desc, output_formats(t.sim.profile.family)
        form = pixel_format(picture.format if picture.format in known else desc.format)
        assert form is not None
        place = target_place(t, picture.data, picture.size)
        width, height = picture.width or desc.width, picture.height or desc.height
        return Target(place, form, width, height, picture.width_stride, picture.height_stride)

    def present(self, task: Task, job: Job) -> None:
        assert isinstance(job, VdecJob)
        self.check_alive(job, job.stream, "the stream descriptor")
        job.stream.ret_code = job.code
        picture = job.picture
        if picture is None or not self.check_alive(job, picture, "the picture descriptor"):
            return
        picture.ret_code = job.code
        if not job.code:
            assert job.target is not None
            picture.format = job.target.form.number
            picture.width, picture.height, picture.width_stride, picture.height_stride = job.shape
