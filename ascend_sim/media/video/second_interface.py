"""The second interface of the media units (himpi): channels by numbers, results by asking, codes of its own.

See docs/semantics/media_video.md#the-second-interface.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ascend_sim.errors import AclError
from ascend_sim.media.codecs.coded import jpeg_limits
from ascend_sim.media.codecs.jpeg_header import JpegError, read_header
from ascend_sim.media.pixels.pixel_formats import pixel_format
from ascend_sim.media.unit import MediaUnit
from ascend_sim.media.video.decoding_unit import DecodeJob, DecodingUnit, Target, target_place
from ascend_sim.media.video.event_queue import EventQueue
from ascend_sim.media.video.polled_channel import PolledChannel
from ascend_sim.media.video.unit_channel import Job
from ascend_sim.runtime.task import Steps, Task

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = [
    "DECODER", "ENCODER", "H264", "H265", "JPEG", "PICTURES", "PIECES", "PNG", "SYSTEM", "WITHOUT", "Number",
    "PolledDecoder", "SecondInterface", "Unit", "failure",
]  # fmt: skip

JPEG, H264, H265 = 26, 96, 265
PIECES: Final = {JPEG: "mjpeg", H264: "h264", H265: "hevc"}
"""Kinds of streams (hi_payload_type) and what decodes them."""
WITHOUT = ("310", "910")
MOST = {"VDEC": 256, "VPC": 512, "VENC": 256, "PNGD": 128}
"""Channels of a unit (headers; VENC: as VDEC)."""


class Unit(NamedTuple):
    """A part of the interface, and its number in codes."""

    name: str
    number: int


SYSTEM, DECODER, PICTURES, ENCODER, PNG = (
    Unit("system", 2), Unit("VDEC", 5), Unit("VPC", 7), Unit("VENC", 8), Unit("PNGD", 64)
)  # fmt: skip


class Number:
    """The last digits of codes: what is wrong, for every unit."""

    ILLEGAL = 0x03
    EXISTS = 0x04
    MISSING = 0x05
    NULL = 0x06
    UNSUPPORTED = 0x08
    FORBIDDEN = 0x09
    EMPTY = 0x0E
    NOT_READY = 0x10
    BAD_ADDRESS = 0x11
    BUSY = 0x12
    BROKEN = 0x15


def failure(unit: Unit, number: int, text: str) -> AclError:
    """A code of *unit*: 0xA005800E is that nothing is there (0E) for VDEC (05)."""
    return AclError(0xA000_8000 | unit.number << 16 | number, text, "acl")


class PolledJob(DecodeJob):
    """A piece of a stream, as the program described it, and its picture."""

    __slots__ = ("picture", "stream")

    def __init__(
        self, t: ThreadState, target: Target | None, stream: Mapping[str, Any], picture: Mapping[str, Any]
    ) -> None:
        super().__init__(t, target, None)
        self.stream = stream
        self.picture = picture


class PolledDecoder(DecodingUnit, PolledChannel):
    """A channel that decodes a stream, or pictures in JPEG."""

    def __init__(self, t: ThreadState, number: int, attributes: Mapping[str, Any]) -> None:
        super().__init__(t, f"VDEC channel {number}", t.current_context())
        self.attributes = dict(attributes)
        self.coded = int(attributes["type"])
        self.started = False
        self.received = 0
        self.parameters = _parameters(self.coded)
        self.protocol = _protocol(self.coded)
        self.start_decoder(PIECES[self.coded], in_order=True)
        t.sim.part(MediaUnit).find(t)

    def push(self, t: ThreadState, stream: Mapping[str, Any], picture: Mapping[str, Any]) -> None:
        """Take a piece in. Raises AclError for memory that is not there, or formats that are none."""
        if stream["end_of_stream"]:
            self.end_stream(t)
            if not stream["len"]:
                return
        number = picture["pixel_format"] or self.parameters.get("pic_param", {}).get("pixel_format", 1)
        form = pixel_format(number)
        if (
            form is None
            or form.family not in ("yuv", "packed")
            or (form.family == "yuv" and form.across * form.down != 4)
        ):
            raise failure(DECODER, Number.UNSUPPORTED, f"pixel_format is {number}: NV12, NV21, RGB or BGR is required")
        target = None
        if stream["need_display"] and picture["vir_addr"]:
            place = target_place(t, picture["vir_addr"], picture["buffer_size"])
            target = Target(
                place, form, picture["width"], picture["height"], picture["width_stride"], picture["height_stride"]
            )
        self.received += 1
        self.take_in(t, PolledJob(t, target, stream, picture), stream["addr"], stream["len"])

    def process(self, task: Task, job: Job) -> Steps:
        """A JPEG that the units cannot decode fails, whatever the library could do."""
        assert isinstance(job, PolledJob)
        if self.coded == JPEG and self._refused(job.data):
            job.data = b""
        return super().process(task, job)

    def _refused(self, data: bytes) -> bool:
        try:
            return bool(jpeg_limits(self.sim.part(MediaUnit).rules, read_header(data)))
        except JpegError:
            return True

    def answer(self, t: ThreadState, timeout: int) -> PolledJob | None:
        """The next picture; None when none came within *timeout* ms."""
        job = self.take(t, timeout)
        assert job is None or isinstance(job, PolledJob)
        return job


def _parameters(coded: int) -> dict[str, Any]:
    if coded == JPEG:
        return {"type": coded, "display_frame_num": 0, "pic_param": {"pixel_format": 1, "alpha": 255}}
    video = {
        "composite_dec_en": 0, "slice_input_en": 0, "err_threshold": 30, "dec_mode": 0, "out_order": 0,
        "compress_mode": 0, "video_format": 0, "quick_mark_mode": 0,
    }  # fmt: skip
    return {"type": coded, "display_frame_num": 2, "video_param": video}


def _protocol(coded: int) -> dict[str, Any]:
    """How many parameter sets a decoder keeps: the limits of the standards, until the program says another number."""
    if coded == H264:
        return {"type": coded, "h264_param": {"max_slice_num": 16, "max_sps_num": 32, "max_pps_num": 256}}
    if coded == H265:
        known = {"max_slice_segment_num": 16, "max_vps_num": 16, "max_sps_num": 16, "max_pps_num": 64}
        return {"type": coded, "h265_param": known}
    return {}


class SecondInterface:
    """`sim.part(SecondInterface)`: which channels there are, by their unit and number."""

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self.ready = False
        self._channels: dict[Unit, dict[int, Any]] = {unit: {} for unit in (DECODER, PICTURES, ENCODER, PNG)}
        self.queues: dict[int, EventQueue] = {}

    def start(self, t: ThreadState) -> None:
        """hi_mpi_sys_init. Raises AclError for products without the interface."""
        name, family = self._sim.profile.name, self._sim.profile.family
        if family in WITHOUT:
            raise failure(SYSTEM, Number.UNSUPPORTED, f"{name} has no second interface of the media units")
        t.current_context()
        self.ready = True

    def stop(self, t: ThreadState) -> None:
        """hi_mpi_sys_exit: channels that are open are closed."""
        self.ready = False
        self.queues.clear()
        for channels in self._channels.values():
            for number in list(channels):
                channels.pop(number).close(t)

    def need(self, unit: Unit) -> None:
        """Raises AclError before `start`."""
        if not self.ready:
            raise failure(unit, Number.NOT_READY, "hi_mpi_sys_init was not called")

    def find(self, unit: Unit, number: int) -> Any:
        """The channel of this number; None when there is none. Raises AclError before `start`."""
        self.need(unit)
        found = self._channels[unit].get(number)
        return None if found is None or found.lost else found

    def channel(self, unit: Unit, number: int) -> Any:
        """`find`, that raises AclError when there is none."""
        found = self.find(unit, number)
        if found is None:
            raise failure(unit, Number.MISSING, f"there is no {unit.name} channel {number}")
        return found

    def decoder(self, number: int) -> PolledDecoder:
        """`channel` of VDEC."""
        found = self.channel(DECODER, number)
        assert isinstance(found, PolledDecoder)
        return found

    def create(self, unit: Unit, number: int, make: Callable[[], Any]) -> None:
        """A channel with a number. Raises AclError for a number that is in use, or none."""
        self.need(unit)
        if not 0 <= number < MOST[unit.name]:
            raise failure(unit, Number.ILLEGAL, f"chn is {number}: 0 to {MOST[unit.name] - 1} are possible")
        other = self._channels[unit].get(number)
        if other is not None and not other.lost:
            raise failure(unit, Number.EXISTS, f"{unit.name} channel {number} exists")
        self._channels[unit][number] = make()

    def create_decoder(self, t: ThreadState, number: int, attributes: Mapping[str, Any]) -> None:
        """hi_mpi_vdec_create_chn. Raises AclError as `create`, and for what cannot be decoded."""
        self.need(DECODER)
        if attributes["type"] not in PIECES and 0 <= number < MOST[DECODER.name]:
            text = f"type is {attributes['type']}: {JPEG} (JPEG), {H264} (H.264) and {H265} (H.265) are decoded"
            raise failure(DECODER, Number.UNSUPPORTED, text)
        self.create(DECODER, number, lambda: PolledDecoder(t, number, attributes))

    def free_number(self, unit: Unit) -> int:
        """The least number without a channel."""
        taken = self._channels[unit]
        return next(number for number in range(MOST[unit.name] + 1) if number not in taken)

    def destroy(self, t: ThreadState, unit: Unit, number: int) -> None:
        """Close a channel when its work is done. Raises AclError when there is none."""
        self.channel(unit, number).close(t)
        del self._channels[unit][number]
