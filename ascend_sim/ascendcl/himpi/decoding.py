"""The second media interface: decoding of H.264, H.265 and JPEG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.himpi.dicts import as_given, fields, inner, updated
from ascend_sim.ascendcl.himpi.system import channel_event, interface
from ascend_sim.media.codecs.coded import coded_format
from ascend_sim.media.codecs.jpeg_header import JpegError, read_header
from ascend_sim.media.pixels.pixel_formats import pixel_format
from ascend_sim.media.rules import align
from ascend_sim.media.unit import MediaUnit
from ascend_sim.media.video.decoding_unit import FAILED
from ascend_sim.media.video.second_interface import DECODER, JPEG, Number, PolledJob, failure
from ascend_sim.media.video.unit_channel import need_library
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["BODIES", "empty_frame"]

DECODE_FAILED, NO_PICTURE = 1, 2
PLANES, USER_DATA, RESERVED = 3, 2, 4
RAW_FORMATS = {"444": 0, "422": 1, "420": 2, "440": 3, "gray": 4, "411": 5}
"""hi_jpeg_raw_format."""
_STREAM = ("end_of_frame", "end_of_stream", "need_display", "pts", "private_data", "len", "addr")
_PICTURE = (
    "width", "height", "width_stride", "height_stride", "pixel_format", "vir_addr", "buffer_size", "offset_top",
    "offset_bottom", "offset_left", "offset_right",
)  # fmt: skip
_CHANNEL = ("type", "mode", "pic_width", "pic_height", "stream_buf_size", "frame_buf_size", "frame_buf_cnt")
_SUPPLEMENT = (
    "misc_info_phys_addr", "jpeg_dcf_phys_addr", "isp_info_phys_addr", "low_delay_phys_addr", "bnr_rnt_phys_addr",
    "motion_data_phys_addr", "frame_dng_phys_addr", "misc_info_virt_addr", "jpeg_dcf_virt_addr", "isp_info_virt_addr",
    "low_delay_virt_addr", "bnr_mot_virt_addr", "motion_data_virt_addr", "frame_dng_virt_addr",
)  # fmt: skip
_ERRORS = (
    "set_pic_size_err", "set_protocol_num_err", "set_ref_num_err", "set_pic_buf_size_err", "format_err",
    "stream_unsupport", "pack_err", "stream_size_over", "stream_not_release",
)  # fmt: skip


def create(t: ThreadState, number: int, attributes: Mapping[str, Any]) -> None:
    """A channel for H.264 (96), H.265 (265), JPEG (26). Codes: 0xA0058003, 04 in use, 08 other types, 10 not ready."""
    shared = interface(t)
    shared.need(DECODER)
    need_library(t, "decoding video")
    given = fields(attributes, _CHANNEL)
    names = ("ref_frame_num", "temporal_mvp_en", "tmv_buf_size")
    shared.create_decoder(t, number, {**given, "video_attr": fields(inner(attributes, "video_attr"), names)})


def destroy(t: ThreadState, number: int) -> None:
    """Close a channel; pictures that nobody took are lost. Codes: 0xA0058005 there is none."""
    interface(t).destroy(t, DECODER, number)


def get_attributes(t: ThreadState, number: int) -> dict[str, Any]:
    """What it was created with. Codes: 0xA0058005."""
    return dict(interface(t).decoder(number).attributes)


def set_attributes(t: ThreadState, number: int, attributes: Mapping[str, Any]) -> None:
    """Change what it was created with. Codes: 0xA0058005, 09 it receives a stream."""
    decoder = interface(t).decoder(number)
    if decoder.started:
        raise failure(DECODER, Number.FORBIDDEN, f"{decoder.name} receives a stream: stop it first")
    decoder.attributes.update(fields(attributes, _CHANNEL))


def get_parameters(t: ThreadState, number: int) -> dict[str, Any]:
    """Its parameters. Codes: 0xA0058005."""
    return as_given(interface(t).decoder(number).parameters)


def set_parameters(t: ThreadState, number: int, parameters: Mapping[str, Any]) -> None:
    """Set its parameters; the pixel format of JPEG matters. Codes: 0xA0058005."""
    updated(interface(t).decoder(number).parameters, parameters, ("type",))


def start(t: ThreadState, number: int) -> None:
    """From now on pieces can be sent. Codes: 0xA0058005."""
    interface(t).decoder(number).started = True


def stop(t: ThreadState, number: int) -> None:
    """No more pieces; waits until those sent are decoded. Codes: 0xA0058005."""
    decoder = interface(t).decoder(number)
    decoder.started = False
    decoder.wait_until_empty(t, decoder.work, f"{decoder.name} to come to its end")


def reset(t: ThreadState, number: int) -> None:
    """As new. Codes: 0xA0058005, 09 it receives a stream."""
    shared = interface(t)
    decoder = shared.decoder(number)
    if decoder.started:
        raise failure(DECODER, Number.FORBIDDEN, f"{decoder.name} receives a stream: stop it first")
    attributes, parameters = decoder.attributes, decoder.parameters
    destroy(t, number)
    shared.create_decoder(t, number, attributes)
    shared.decoder(number).parameters = parameters


def status(t: ThreadState, number: int) -> dict[str, Any]:
    """What was sent and is left. Codes: 0xA0058005."""
    decoder = interface(t).decoder(number)
    left = len(decoder.work.queue)
    return {
        "type": decoder.coded, "left_stream_bytes": 0, "left_stream_frames": left,
        "left_decoded_frames": max(decoder.kept() - left, 0), "is_started": int(decoder.started),
        "recv_stream_frames": decoder.received, "dec_stream_frames": decoder.received - left,
        "dec_err": dict.fromkeys(_ERRORS, 0), "width": decoder.attributes["pic_width"],
        "height": decoder.attributes["pic_height"], "latest_frame_pts": 0,
    }  # fmt: skip


def send(t: ThreadState, number: int, stream: Mapping[str, Any], picture: Mapping[str, Any] | None, _: int) -> None:
    """Give the decoder a piece and a buffer. Codes: 0xA0058003 no bytes, 05, 08 other pixel formats, 09 not started."""
    decoder = interface(t).decoder(number)
    if not decoder.started:
        raise failure(DECODER, Number.FORBIDDEN, f"{decoder.name} receives no stream: vdec_start_recv_stream starts it")
    given = fields(stream, _STREAM)
    if not given["end_of_stream"] and not (given["addr"] and given["len"]):
        raise failure(DECODER, Number.ILLEGAL, "the stream has no bytes: addr and len are required")
    decoder.push(t, given, fields(picture or {}, _PICTURE))


def get(t: ThreadState, number: int, timeout: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The next picture, within the limit in ms (-1: for ever). Codes: 0xA0058005, 0E there is none."""
    decoder = interface(t).decoder(number)
    job = decoder.answer(t, timeout)
    if job is None:
        raise failure(DECODER, Number.EMPTY, f"{decoder.name} has no picture")
    return _frame(job), _supplement_info(decoder.coded), {**fields({}, _STREAM), **job.stream}


def release(t: ThreadState, number: int, _: Mapping[str, Any]) -> None:
    """Let go of what vdec_get_frame gave. Codes: 0xA0058005."""
    interface(t).decoder(number)


def image_info(t: ThreadState, coded: int, stream: Mapping[str, Any]) -> dict[str, Any]:
    """What a JPEG in host memory is, and what its picture takes. Codes: 0xA0058003 no JPEG, 08 another type, 11 address."""
    if coded != JPEG:
        raise failure(DECODER, Number.UNSUPPORTED, f"type is {coded}: of JPEG ({JPEG}) alone something is known before")
    return output_info(t, stream, 0)


def output_info(t: ThreadState, stream: Mapping[str, Any], number: int) -> dict[str, Any]:
    """What the picture of a JPEG takes in a pixel format. Codes: 0xA0058003 no JPEG, 08 another format, 11 bad address."""
    interface(t).need(DECODER)
    given = fields(stream, _STREAM)
    data = peek(given["addr"], given["len"]) if given["addr"] and given["len"] else None
    if data is None:
        raise failure(
            DECODER, Number.BAD_ADDRESS, f"{given['len']} bytes of host memory cannot be read at {given['addr']:#x}"
        )
    try:
        header = read_header(data)
    except JpegError as error:
        raise failure(DECODER, Number.ILLEGAL, f"the stream is no JPEG: {error}") from None
    form = pixel_format(number or coded_format(header) or 0)
    if form is None:
        raise failure(DECODER, Number.UNSUPPORTED, f"no picture has the format {number}")
    width, height = (header.height, header.width) if header.turned else (header.width, header.height)
    need = t.sim.part(MediaUnit).find(t).decoded(form, width, height)
    return {
        "width": width, "height": height, "width_stride": need.width_stride, "height_stride": need.height_stride,
        "img_buf_size": need.size, "pixel_format": RAW_FORMATS.get(header.sampling, 0), "reserved": [0] * RESERVED,
    }  # fmt: skip


def _frame(job: PolledJob | None) -> dict[str, Any]:
    """A hi_video_frame_info; without *job* one that says 0."""
    picture = job.picture if job is not None else fields({}, _PICTURE)
    width, height, row, rows = job.shape if job is not None else (0, 0, 0, 0)
    flag = 0
    if job is not None and job.code:
        flag = DECODE_FAILED if job.code == FAILED else NO_PICTURE
    address = picture["vir_addr"]
    planes = [0] * PLANES
    frame = {
        "width": width or picture["width"], "height": height or picture["height"], "field": 0,
        "pixel_format": picture["pixel_format"], "video_format": 0, "compress_mode": 0, "dynamic_range": 0,
        "color_gamut": 0, "header_stride": list(planes), "width_stride": [row, row, 0], "height_stride": [rows, rows, 0],
        "header_phys_addr": list(planes), "phys_addr": list(planes), "header_virt_addr": list(planes),
        "virt_addr": [address, address + row * rows if address else 0, 0], "time_ref": 0,
        "pts": job.stream["pts"] if job is not None else 0, "user_data": [0] * USER_DATA, "frame_flag": flag,
        "supplement": dict.fromkeys(_SUPPLEMENT, 0),
    }  # fmt: skip
    return {"v_frame": frame, "pool_id": 0, "mod_id": 0}


def _supplement_info(coded: int) -> dict[str, Any]:
    return {"type": coded, "video_supplement_info": {"frame_type": 0, "err_rate": 0, "poc": 0}}


def empty_frame() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What vdec_get_frame hands out besides a code that says that there is none."""
    return _frame(None), _supplement_info(0), fields({}, _STREAM)


# -- the smaller ones ------------------------------------------------------------------------------------------------


def set_protocol(t: ThreadState, number: int, given: Mapping[str, Any]) -> None:
    """How many parameter sets are kept; nothing follows from it here. Codes: 0xA0058005, 09 it receives a stream."""
    decoder = interface(t).decoder(number)
    if decoder.started:
        raise failure(DECODER, Number.FORBIDDEN, f"{decoder.name} receives a stream: stop it first")
    updated(decoder.protocol, given, ("type",))


def get_protocol(t: ThreadState, number: int) -> dict[str, Any]:
    """How many parameter sets are kept. Codes: 0xA0058005, 08 a channel for JPEG."""
    decoder = interface(t).decoder(number)
    if not decoder.protocol:
        raise failure(DECODER, Number.UNSUPPORTED, f"{decoder.name} decodes JPEG: it has no parameter sets")
    return as_given(decoder.protocol)


def set_precision(t: ThreadState, number: int, mode: int) -> None:
    """Whether JPEGs of odd size lose or gain a column. Codes: 0xA0058003 mode, 05, 08 other modes than 0."""
    decoder = interface(t).decoder(number)
    if decoder.coded != JPEG or not 0 <= mode <= 2:
        raise failure(DECODER, Number.ILLEGAL, f"mode is {mode}, for {decoder.name}: 0 to 2, of a channel for JPEG")
    if mode:
        raise failure(DECODER, Number.UNSUPPORTED, f"mode is {mode}: YUVOUT_ALIGN_DOWN (0) alone is modelled")


def get_fd(t: ThreadState, number: int) -> int:
    """What stands for the channel in an event queue. Answers -1 for no channel."""
    return channel_event(t, DECODER, number)


def close_fd(t: ThreadState, number: int) -> None:
    """It is not needed any more. Codes: 0xA0058005."""
    interface(t).decoder(number)


def picture_size(_: ThreadState, _type: int, attributes: Mapping[str, Any]) -> int:
    """Bytes that a decoder needs for a picture: rows of 16, 10 bits in two bytes."""
    given = fields(attributes, ("width", "height", "align", "bit_width"))
    unit = max(given["align"], 16)
    size = align(given["width"], unit) * align(given["height"], 16) * 3 // 2
    return size * 2 if given["bit_width"] else size


def motion_size(_: ThreadState, _type: int, width: int, height: int) -> int:
    """Bytes that a decoder needs for the motion of a picture: 64 for each block of 16 x 16."""
    return align(width, 64) * align(height, 64) // 4


BODIES: Mapping[str, Callable[..., Any]] = {
    "hi_mpi_vdec_create_chn": create,
    "hi_mpi_vdec_destroy_chn": destroy,
    "hi_mpi_vdec_get_chn_attr": get_attributes,
    "hi_mpi_vdec_set_chn_attr": set_attributes,
    "hi_mpi_vdec_get_chn_param": get_parameters,
    "hi_mpi_vdec_set_chn_param": set_parameters,
    "hi_mpi_vdec_get_protocol_param": get_protocol,
    "hi_mpi_vdec_set_protocol_param": set_protocol,
    "hi_mpi_vdec_start_recv_stream": start,
    "hi_mpi_vdec_stop_recv_stream": stop,
    "hi_mpi_vdec_reset_chn": reset,
    "hi_mpi_vdec_query_status": status,
    "hi_mpi_vdec_send_stream": send,
    "hi_mpi_vdec_get_frame": get,
    "hi_mpi_vdec_release_frame": release,
    "hi_mpi_vdec_get_fd": get_fd,
    "hi_mpi_vdec_close_fd": close_fd,
    "hi_vdec_get_pic_buf_size": picture_size,
    "hi_vdec_get_tmv_buf_size": motion_size,
    "hi_mpi_dvpp_get_image_info": image_info,
    "hi_mpi_vdec_set_jpegd_precision_mode": set_precision,
    "hi_mpi_vdec_get_jpegd_output_info": output_info,
}
