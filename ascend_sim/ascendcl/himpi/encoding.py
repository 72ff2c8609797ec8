"""The second media interface: encoding into H.264, H.265 and JPEG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ascend_sim.ascendcl.himpi.dicts import IMAGE_STREAM, as_given, copied, fields, inner, numbers, updated
from ascend_sim.ascendcl.himpi.system import channel_event, interface
from ascend_sim.media.pixels.pixel_formats import PixelFormat, format_name, pixel_format
from ascend_sim.media.rules import align, table
from ascend_sim.media.unit import MediaUnit
from ascend_sim.media.video.polled_encoder import EncodeJob, PolledEncoder
from ascend_sim.media.video.second_interface import ENCODER, H264, H265, JPEG, Number, failure
from ascend_sim.media.video.unit_channel import need_library
from ascend_sim.media.video.video_encoder import EncoderSettings
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["BODIES"]

LEAST, MOST = 128, 4096
WITHOUT_VIDEO = ("910b", "910_93")
"""Families whose units encode no video; JPEG they do."""
RATE_MODES = {
    H264: {1: "cbr", 2: "vbr", 3: "avbr", 4: "qvbr", 5: "cvbr", 6: "fixqp", 7: "qpmap"},
    H265: {11: "cbr", 12: "vbr", 13: "avbr", 14: "qvbr", 15: "cvbr", 16: "fixqp", 17: "qpmap"},
}
"""hi_venc_rc_mode by the kind of the stream."""
PROFILES = {0: 1, 1: 2, 2: 3, 3: 3}
"""H.264: baseline, main, high (SVC-T as high), as the kinds of the first interface."""
NAMES = {H264: "h264", H265: "h265"}
DEFAULT_QUALITY = 90
KEEP_QUALITY = 0xFFFF_FFFF
_ATTRIBUTES = (
    "type",
    "max_pic_width",
    "max_pic_height",
    "buf_size",
    "profile",
    "is_by_frame",
    "pic_width",
    "pic_height",
)
_RATES = ("bit_rate", "max_bit_rate", "target_bit_rate", "gop", "stats_time", "src_frame_rate", "dst_frame_rate")
_PLANES = 3


def _encoder(t: ThreadState, number: int) -> PolledEncoder:
    found = interface(t).channel(ENCODER, number)
    assert isinstance(found, PolledEncoder)
    return found


def create(t: ThreadState, number: int, attributes: Mapping[str, Any]) -> None:
    """A channel for H.264 (96), H.265 (265), JPEG (26). Codes: 0xA0088003, 04 in use, 08 other types, 10 not ready."""
    shared = interface(t)
    shared.need(ENCODER)
    given = as_given(attributes)
    said = fields(inner(given, "venc_attr"), _ATTRIBUTES)
    coded = said["type"]
    if coded != JPEG and (coded not in NAMES or t.sim.profile.family in WITHOUT_VIDEO):
        text = (
            f"type is {coded}: {t.sim.profile.name} encodes {'JPEG (26)' if coded in NAMES else 'JPEG, H.264, H.265'}"
        )
        raise failure(ENCODER, Number.UNSUPPORTED, text)
    settings = None if coded == JPEG else _settings(given, said)
    if settings is not None:
        need_library(t, "encoding video")
    try:
        shared.create(ENCODER, number, lambda: PolledEncoder(t, number, given, settings))
    except ValueError as error:
        raise failure(ENCODER, Number.ILLEGAL, str(error)) from None
    encoder = _encoder(t, number)
    encoder.parameters["jpeg"] = {
        "qfactor": DEFAULT_QUALITY, "y_qt": [0] * 64, "cb_qt": [0] * 64, "cr_qt": [0] * 64, "mcu_per_ecs": 0,
        "ecs_output_en": 0,
    }  # fmt: skip
    rectangle = dict.fromkeys(("x", "y", "width", "height"), 0)
    encoder.parameters["channel"] = {
        "color_to_grey_en": 0, "priority": 0, "max_stream_cnt": 0xFFFF_FFFF, "poll_wake_up_frame_cnt": 1,
        "crop_info": {"enable": 0, "rect": rectangle}, "frame_rate": {"src_frame_rate": 0, "dst_frame_rate": 0},
    }  # fmt: skip
    encoder.parameters["rate"] = {}


def _settings(given: Mapping[str, Any], said: Mapping[str, int]) -> EncoderSettings:
    """What the attributes ask of the encoder. Raises AclError."""
    coded, width, height = said["type"], said["pic_width"], said["pic_height"]
    if not (LEAST <= width <= MOST and LEAST <= height <= MOST) or width % 2 or height % 2:
        text = f"the picture is {width} x {height}: even sides from {LEAST} to {MOST} are possible"
        raise failure(ENCODER, Number.ILLEGAL, text)
    control = inner(given, "rc_attr")
    number = control.get("rc_mode")
    mode = RATE_MODES[coded].get(number if isinstance(number, int) else 0)
    if mode is None:
        raise failure(ENCODER, Number.ILLEGAL, f"rc_mode is {number}: {NAMES[coded]} has {sorted(RATE_MODES[coded])}")
    rates = fields(inner(control, f"{NAMES[coded]}_{mode}"), _RATES)
    if not 1 <= rates["gop"] <= 65536 or not 1 <= rates["src_frame_rate"] <= 240:
        text = f"gop is {rates['gop']} (1 to 65536), src_frame_rate {rates['src_frame_rate']} (1 to 240)"
        raise failure(ENCODER, Number.ILLEGAL, text)
    kilobits = rates["bit_rate"] or rates["max_bit_rate"] or rates["target_bit_rate"]
    kind = 0 if coded == H265 else PROFILES.get(said["profile"], 2)
    return EncoderSettings(
        kind, width, height, rates["gop"], 2 if mode == "cbr" else 1, kilobits, rates["src_frame_rate"]
    )


def destroy(t: ThreadState, number: int) -> None:
    """Close a channel; results that nobody took are lost. Codes: 0xA0088005 there is none."""
    interface(t).destroy(t, ENCODER, number)


def get_attributes(t: ThreadState, number: int) -> dict[str, Any]:
    """What it was created with. Codes: 0xA0088005."""
    return as_given(_encoder(t, number).attributes)


def set_attributes(t: ThreadState, number: int, attributes: Mapping[str, Any]) -> None:
    """Change how it encodes; size and type stay. Codes: 0xA0088003, 05; 08: rates that change are not modelled."""
    encoder = _encoder(t, number)
    given, known = as_given(attributes), encoder.attributes
    for name in ("type", "pic_width", "pic_height"):
        if inner(given, "venc_attr").get(name) != inner(known, "venc_attr").get(name):
            raise failure(ENCODER, Number.ILLEGAL, f"{name} of {encoder.name} cannot change")
    if inner(given, "rc_attr") != inner(known, "rc_attr"):
        raise failure(ENCODER, Number.UNSUPPORTED, f"another rate for {encoder.name} while it is open is not modelled")
    encoder.attributes = given


def start(t: ThreadState, number: int, _: Mapping[str, Any]) -> None:
    """From now on pictures can be sent. Codes: 0xA0088005."""
    _encoder(t, number).started = True


def stop(t: ThreadState, number: int) -> None:
    """No more pictures; waits until those sent are encoded. Codes: 0xA0088005."""
    encoder = _encoder(t, number)
    encoder.started = False
    encoder.wait_until_empty(t, encoder.work, f"{encoder.name} to come to its end")


def status(t: ThreadState, number: int) -> dict[str, Any]:
    """What is left, and the packs of the next result. Codes: 0xA0088005."""
    encoder = _encoder(t, number)
    results, size = encoder.waiting()
    left = len(encoder.work.queue)
    info = dict.fromkeys(
        (
            "ref_type", "pic_bytes", "pic_cnt", "start_qp", "mean_qp", "is_p_skip", "residual_bits", "head_bits", "madi_val",
            "madp_val", "sse_sum", "sse_lcu_cnt",
        ), 0,
    )  # fmt: skip
    return {
        "left_pics": left, "left_stream_bytes": size, "left_stream_frames": results, "cur_packs": 1 if results else 0,
        "left_recv_pics": 0, "left_enc_pics": left, "is_jpeg_snap_end": int(not left), "release_pic_pts": 0,
        "stream_info": {**info, "psnr_val": 0.0},
    }  # fmt: skip


def _frame(t: ThreadState, encoder: PolledEncoder, info: Mapping[str, Any]) -> tuple[dict[str, Any], PixelFormat]:
    """The picture of a hi_video_frame_info, tested against the channel. Raises AclError."""
    said, form = frame_of(t, info)
    attributes = inner(encoder.attributes, "venc_attr")
    coded = attributes.get("type")
    if coded != JPEG:
        have = said["width"], said["height"]
        want = attributes.get("pic_width"), attributes.get("pic_height")
        if have != want or form.number not in (1, 2):
            text = (
                f"the picture is {have[0]} x {have[1]} {format_name(form.number)}: {want[0]} x {want[1]} NV12 or NV21"
            )
            raise failure(ENCODER, Number.ILLEGAL, f"{text} is what {encoder.name} encodes")
    return said, form


def frame_of(t: ThreadState, info: Mapping[str, Any]) -> tuple[dict[str, Any], PixelFormat]:
    """What a hi_video_frame_info says of its picture. Raises AclError for one that no unit encodes."""
    rules = t.sim.part(MediaUnit).find(t)
    frame = inner(info, "v_frame")
    said: dict[str, Any] = dict(fields(frame, ("width", "height", "pixel_format", "pts")))
    for name in ("width_stride", "height_stride"):
        said[name] = numbers(frame, name, _PLANES)
    said["virt_addr"] = numbers(frame, "virt_addr", _PLANES, 64)
    form = pixel_format(said["pixel_format"])
    if form is None or form.number not in rules.formats["jpege_input"]:
        raise failure(ENCODER, Number.UNSUPPORTED, f"pixel_format is {said['pixel_format']}: it is not encoded")
    low, high = rules.jpeg_encode_limits
    width, height = said["width"], said["height"]
    strides = [row for row in said["width_stride"][: 2 if form.family == "yuv" else 1] if row]
    if not (low <= width <= high and low <= height <= high) or any(row < width * form.unit for row in strides):
        row = min(strides, default=0)
        text = f"the picture is {width} x {height} with width stride {row}: {low} x {low} to {high} x {high}"
        raise failure(ENCODER, Number.ILLEGAL, f"{text}, and a stride of at least {width * form.unit}")
    if form.family == "yuv" and (width % 2 or height % 2):
        raise failure(ENCODER, Number.ILLEGAL, f"the picture is {width} x {height}: {format_name(form.number)} is even")
    return said, form


def _send(t: ThreadState, number: int, info: Mapping[str, Any], output: tuple[int, int] | None) -> None:
    encoder = _encoder(t, number)
    if not encoder.started:
        raise failure(ENCODER, Number.FORBIDDEN, f"{encoder.name} receives no pictures: venc_start_chn starts it")
    said, form = _frame(t, encoder, info)
    if not said["virt_addr"][0]:
        raise failure(ENCODER, Number.NULL, "virt_addr[0] is NULL")
    quality = int(encoder.parameters["jpeg"]["qfactor"])
    encoder.push(t, said, form, DEFAULT_QUALITY if quality == KEEP_QUALITY else quality, output)


def send(t: ThreadState, number: int, info: Mapping[str, Any], _: int) -> None:
    """Give the encoder a picture; the call takes it. Codes: 0xA0088003, 05, 06 no address, 08 formats, 09 not started."""
    _send(t, number, info, None)


def send_jpeg(t: ThreadState, number: int, info: Mapping[str, Any], stream: Mapping[str, Any], _: int) -> None:
    """As venc_send_frame, with the memory that the JPEG goes to. Codes: 0xA0088003 no memory, no channel for JPEG."""
    encoder = _encoder(t, number)
    said = fields(stream, IMAGE_STREAM)
    if inner(encoder.attributes, "venc_attr").get("type") != JPEG or not said["addr"] or not said["len"]:
        text = f"{encoder.name}, {said['len']} bytes at {said['addr']:#x}"
        raise failure(ENCODER, Number.ILLEGAL, f"{text}: a channel for JPEG and memory for its result are required")
    _send(t, number, info, (said["addr"], said["len"]))


def _pack(job: EncodeJob, address: int) -> dict[str, Any]:
    return {
        "phys_addr": 0, "input_addr": 0, "addr": address, "len": len(job.result), "pts": job.pts, "is_frame_end": 1,
        "data_type": {}, "offset": 0, "data_num": 0,
    }  # fmt: skip


def get(t: ThreadState, number: int, stream: Mapping[str, Any], timeout: int) -> dict[str, Any]:
    """The next result, within the limit in ms (-1: for ever). Codes: 0xA0088003 no packs, 05, 0E there is none."""
    encoder = _encoder(t, number)
    if fields(stream, ("pack_cnt",))["pack_cnt"] < 1:
        raise failure(ENCODER, Number.ILLEGAL, "pack_cnt is 0: room for one pack is required")
    found = encoder.answer(t, timeout)
    if found is None:
        raise failure(ENCODER, Number.EMPTY, f"{encoder.name} has no result")
    job, address = found
    return {"pack_cnt": 1, "seq": job.number, "pack": [_pack(job, address)]}


def release(t: ThreadState, number: int, stream: Mapping[str, Any]) -> None:
    """Let go of what venc_get_stream gave. Codes: 0xA0088005."""
    encoder = _encoder(t, number)
    packs = stream.get("pack")
    for pack in packs if isinstance(packs, list) else []:
        encoder.release(t, fields(pack, ("addr",))["addr"])


def predicted_size(t: ThreadState, info: Mapping[str, Any], _: Mapping[str, Any]) -> int:
    """Bytes that a JPEG of a picture takes at most. Codes: 0xA0088003, 08 as venc_send_frame."""
    said, form = frame_of(t, info)
    numbers_of = table()["jpeg_encode"]
    row = said["width_stride"][0] or said["width"] * form.unit
    size = form.size(row, said["height_stride"][0] or said["height"])
    return align(size + numbers_of["header"] + numbers_of["start"], numbers_of["unit"])


def get_fd(t: ThreadState, number: int) -> int:
    """What stands for the channel in an event queue. Answers -1 for no channel."""
    return channel_event(t, ENCODER, number)


def close_fd(t: ThreadState, number: int) -> None:
    """It is not needed any more. Codes: 0xA0088005."""
    _encoder(t, number)


def request_key(t: ThreadState, number: int, _: int) -> None:
    """The next picture is an IDR picture. Codes: 0xA0088005."""
    _encoder(t, number).next_is_key = True


def set_scene(t: ThreadState, number: int, mode: int) -> None:
    """What kind of scene it is; kept, nothing follows from it here. Codes: 0xA0088003, 05."""
    encoder = _encoder(t, number)
    if not 0 <= mode <= 2:
        raise failure(ENCODER, Number.ILLEGAL, f"scene_mode is {mode}: 0 to 2 are possible")
    encoder.scene = mode


def get_scene(t: ThreadState, number: int) -> int:
    """What kind of scene it is. Codes: 0xA0088005."""
    return _encoder(t, number).scene


def set_jpeg(t: ThreadState, number: int, given: Mapping[str, Any]) -> None:
    """The quality of JPEGs, from the next picture on. Codes: 0xA0088003 quality, 05."""
    encoder = _encoder(t, number)
    quality = fields(given, ("qfactor",))["qfactor"]
    if not 1 <= quality <= 100 and quality != KEEP_QUALITY:
        raise failure(ENCODER, Number.ILLEGAL, f"qfactor is {quality}: 1 to 100 are possible, and 0xFFFFFFFF")
    updated(encoder.parameters["jpeg"], given)


def _getter(word: str) -> Callable[..., dict[str, Any]]:
    def get_parameters(t: ThreadState, number: int) -> dict[str, Any]:
        """What was set, else what holds. Codes: 0xA0088005."""
        return as_given(_encoder(t, number).parameters[word])

    return get_parameters


def set_channel(t: ThreadState, number: int, given: Mapping[str, Any]) -> None:
    """Priority, depth and the like; kept, nothing follows from them here. Codes: 0xA0088005."""
    updated(_encoder(t, number).parameters["channel"], given)


def set_rate(t: ThreadState, number: int, given: Mapping[str, Any]) -> None:
    """Finer numbers of the rate; kept, nothing follows from them here. Codes: 0xA0088005."""
    _encoder(t, number).parameters["rate"] = copied(dict(given))


BODIES: Mapping[str, Callable[..., Any]] = {
    "hi_mpi_venc_create_chn": create,
    "hi_mpi_venc_destroy_chn": destroy,
    "hi_mpi_venc_get_chn_attr": get_attributes,
    "hi_mpi_venc_set_chn_attr": set_attributes,
    "hi_mpi_venc_start_chn": start,
    "hi_mpi_venc_stop_chn": stop,
    "hi_mpi_venc_query_status": status,
    "hi_mpi_venc_send_frame": send,
    "hi_mpi_venc_send_jpege_frame": send_jpeg,
    "hi_mpi_venc_get_stream": get,
    "hi_mpi_venc_release_stream": release,
    "hi_mpi_venc_get_jpege_predicted_size": predicted_size,
    "hi_mpi_venc_get_fd": get_fd,
    "hi_mpi_venc_close_fd": close_fd,
    "hi_mpi_venc_request_idr": request_key,
    "hi_mpi_venc_set_scene_mode": set_scene,
    "hi_mpi_venc_get_scene_mode": get_scene,
    "hi_mpi_venc_set_jpeg_param": set_jpeg,
    "hi_mpi_venc_get_jpeg_param": _getter("jpeg"),
    "hi_mpi_venc_set_chn_param": set_channel,
    "hi_mpi_venc_get_chn_param": _getter("channel"),
    "hi_mpi_venc_set_rc_param": set_rate,
    "hi_mpi_venc_get_rc_param": _getter("rate"),
}
