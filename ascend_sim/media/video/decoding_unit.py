"""The unit that decodes: pieces of a stream go in, pictures come out in buffers of the program.

See docs/semantics/media_video.md#decoding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ascend_sim.findings.finding import Site
from ascend_sim.machine import host_memory
from ascend_sim.media.pixels.pixel_formats import format_name
from ascend_sim.media.rules import align
from ascend_sim.media.video.frames import write_frame
from ascend_sim.media.video.unit_channel import Job, UnitChannel
from ascend_sim.media.video.video_decoder import Decoded, VideoDecoder
from ascend_sim.runtime.memory.allocation import block_for_task
from ascend_sim.runtime.memory.told import tell_access, tell_rows
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.task import Steps, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.machine.host_memory import Bytes
    from ascend_sim.media.pixels.pixel_formats import PixelFormat, Plane
    from ascend_sim.media.video.video_decoder import Frame
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["CODECS", "FAILED", "DecodeJob", "DecodingUnit", "Target", "output_formats", "read_bytes", "target_place"]

CODECS = {0: "hevc", 1: "h264", 2: "h264", 3: "h264"}
"""By acldvppStreamFormat."""
FAILED = 0x10004
"""ret_code of a picture that could not be decoded: the example of the manual, whose list was not found."""
LEAST = (128, 128)
_LARGEST = {"310b": {"h264": (8192, 8192), "hevc": (5400, 8192)}}
LARGEST = (4096, 4096)
JPEG_LEAST, JPEG_MOST = (32, 32), (8192, 8192)
_TAKE_NS, _PICTURE_NS = 20_000, 100_000
"""What a piece and a picture cost besides a nanosecond a pixel: 1080p at about 450 pictures a second."""


def output_formats(family: str) -> tuple[int, ...]:
    """Pixel formats that a product decodes video to."""
    return (1, 2) if family in ("310", "910") else (1, 2, 12, 13)


def read_bytes(t: ThreadState, address: int, size: int, what: str) -> Bytes:
    """A copy of what lies there now: the call takes it. Raises AclError for memory that is not there."""
    block = block_for_task(t, address, size, what, False)
    true = t.sim.memory.locate(address, size)
    if block is not None:
        lo = address - block.address
        tell_access(t.sim.hooks, t, block, lo, lo + size, False)
    taken: Bytes = host_memory.view(true, size).copy()
    return taken


class Target(NamedTuple):
    """Where a picture is to go, as the descriptor said when it was sent."""

    place: Place
    form: PixelFormat
    width: int
    height: int
    width_stride: int
    height_stride: int


class DecodeJob(Job):
    """A piece of the stream, and where its picture goes (None where it is only to be decoded)."""

    __slots__ = ("data", "shape", "target")

    def __init__(self, t: ThreadState, target: Target | None, user_data: Any) -> None:
        super().__init__(t, user_data)
        self.target = target
        self.data = b""
        self.shape = (0, 0, 0, 0)
        """Width, height and strides of what was written."""


def target_place(t: ThreadState, address: int, size: int) -> Place:
    """Where a picture is to go. Raises AclError for memory that is not there."""
    block = block_for_task(t, address, size, "the data of the picture", True)
    return Place(t.sim, block, address, size, True)


class DecodingUnit(UnitChannel):
    """A channel that decodes."""

    kind: ClassVar[str] = "vdec"
    failure: ClassVar[int] = FAILED
    matrix = 0
    """Of colours: an acldvppCscMatrix."""

    def start_decoder(self, codec: str, in_order: bool) -> None:
        """Make ready for a stream of *codec*."""
        family = self.sim.profile.family
        least = JPEG_LEAST if codec == "mjpeg" else LEAST
        self.most: tuple[int, int] = JPEG_MOST if codec == "mjpeg" else _LARGEST.get(family, {}).get(codec, LARGEST)
        self.align = 2 if family in ("310b", "910b", "910_93") else 16
        self._decoder = VideoDecoder(codec, least, self.most, in_order=in_order)
        self._said: set[str] = set()

    def take_in(self, t: ThreadState, job: DecodeJob, address: int, size: int) -> None:
        """Take the bytes of a piece, and queue it. Raises AclError for memory that is not there."""
        self.wait_for_room(t)
        job.data = read_bytes(t, address, size, "the data of the stream").tobytes()
        t.clock += _TAKE_NS
        self.send(t, job, 0)

    def process(self, task: Task, job: Job) -> Steps:
        assert isinstance(job, DecodeJob)
        data, job.data = job.data, b""
        found = self._decoder.decode(data, job.number)
        pixels = sum(one.frame.width * one.frame.height for one in found if one.frame is not None)
        yield _PICTURE_NS + pixels
        self._publish(task, found)

    def drain(self, task: Task) -> None:
        self._publish(task, self._decoder.flush())

    def _publish(self, task: Task, found: list[Decoded]) -> None:
        for one in found:
            job = self.job(one.number)
            assert isinstance(job, DecodeJob)
            code = 0
            if one.frame is None:
                code = FAILED
            elif job.target is not None:
                code = self._write(task, job, job.target, one.frame)
            self.finished(task, job, code)

    def _write(self, task: Task, job: DecodeJob, target: Target, frame: Frame) -> int:
        """Put *frame* where it belongs; the ret_code."""
        form = target.form
        width, height = target.width or frame.width, target.height or frame.height
        unit = form.unit
        row = target.width_stride or align(width, self.align) * unit
        rows = target.height_stride or align(height, 2)
        planes = form.planes(width, height, row, rows)
        needed = max(plane.end for plane in planes)
        job.shape = (width, height, row, rows)
        if row < width * unit or rows < height:
            text = f"strides {row} x {rows} are less than the picture"
            text += f", {width} x {height} in {format_name(form.number)}"
            self._complain(job, text, width, height, form)
            return FAILED
        if target.place.nbytes < needed:
            self._complain(job, f"the buffer has {target.place.nbytes} bytes", width, height, form)
            return FAILED
        try:
            true = target.place.reach(task, whole=False)
        except TaskFault:
            return FAILED
        if not true:
            return FAILED
        buffer = host_memory.view(true, target.place.nbytes)
        write_frame(buffer, frame, form, width, height, planes, self.matrix)
        self._tell(task, target.place, planes)
        return 0

    def _tell(self, task: Task, place: Place, planes: tuple[Plane, ...]) -> None:
        block = place.block
        if block is None or block.freed:
            return
        for plane in planes:
            lo = place.offset + plane.start
            if plane.row_bytes == plane.pitch or plane.rows == 1:
                tell_access(self.sim.hooks, task, block, lo, lo + plane.end - plane.start, True)
            else:
                tell_rows(self.sim.hooks, task, block, lo, plane.row_bytes, plane.pitch, plane.rows, True)

    def _complain(self, job: DecodeJob, text: str, width: int, height: int, form: PixelFormat) -> None:
        """What the buffer would have to be, once for each kind of mistake."""
        row = align(width, self.align) * form.unit
        rows = align(height, 2)
        right = form.size(row, rows)
        if text in self._said:
            return
        self._said.add(text)
        self.sim.report(
            "picture-layout",
            "error",
            f"{text}: {self.name} decodes {width} x {height} {format_name(form.number)}, which takes {right} bytes with "
            f"strides {row} x {rows}",
            [Site("submit", "sent here", job.site, primary=True)],
            fix=f"width stride {row}, height stride {rows}, at least {right} bytes",
            notes=(f"the callback gets ret_code {FAILED:#x}",),
            time_ns=self.sim.scheduler.now,
        )
