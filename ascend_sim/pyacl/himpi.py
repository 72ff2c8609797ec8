"""``acl.himpi``: the part of the second media interface that programs use. The rest answers that it is not modelled.

Dicts stand for the structs of C; a key that is missing is 0 (docs/semantics/pyacl.md#lists-and-dicts). The codes are those
of the interface, as unsigned numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ascend_sim import ascendcl
from ascend_sim.ascendcl import api
from ascend_sim.media.decoding_unit import FAILED
from ascend_sim.media.second_interface import DECODER, Number, PolledJob, SecondInterface, failure
from ascend_sim.media.unit_channel import need_library

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["FUNCTIONS", "MODELLED", "as_dict", "empty_frame", "media_free", "media_malloc"]

DECODE_FAILED, NO_PICTURE = 1, 2
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
PLANES, USER_DATA = 3, 2


def as_dict(value: Any, what: str) -> Mapping[str, Any]:
    """*value* if it is a dict. Raises TypeError."""
    if not isinstance(value, dict):
        raise TypeError(f"the {what} argument is not dict")
    return value


def _fields(found: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, int]:
    """The numbers of *found* under these names; 0 for what is missing or none."""
    return {name: value if isinstance(value := found.get(name), int) else 0 for name in names}


# -- what the calls do -------------------------------------------------------------------------------------------------


def _interface(t: ThreadState) -> SecondInterface:
    return t.sim.part(SecondInterface)


def _sys_init(t: ThreadState) -> None:
    """Get ready. Codes: 0xA0028008 on 310 and 910; 107002 no context."""
    _interface(t).start(t)


def _sys_exit(t: ThreadState) -> None:
    """Close what is open."""
    _interface(t).stop(t)


def _vdec_create(t: ThreadState, number: int, attributes: Mapping[str, Any]) -> None:
    """A channel for H.264 (96), H.265 (265), JPEG (26). Codes: 0xA0058003, 04 in use, 08 other types, 10 not ready."""
    interface = _interface(t)
    interface.need(DECODER)
    need_library(t, "decoding video")
    given = _fields(attributes, _CHANNEL)
    video = attributes.get("video_attr")
    names = ("ref_frame_num", "temporal_mvp_en", "tmv_buf_size")
    interface.create_decoder(
        t, number, {**given, "video_attr": _fields(video if isinstance(video, dict) else {}, names)}
    )


def _vdec_destroy(t: ThreadState, number: int) -> None:
    """Close a channel; pictures that nobody took are lost. Codes: 0xA0058005 there is none."""
    interface = _interface(t)
    interface.decoder(number).close(t)
    del interface.decoders[number]


def _vdec_get_attributes(t: ThreadState, number: int) -> dict[str, Any]:
    """What it was created with. Codes: 0xA0058005."""
    return dict(_interface(t).decoder(number).attributes)


def _vdec_set_attributes(t: ThreadState, number: int, attributes: Mapping[str, Any]) -> None:
    """Change what it was created with. Codes: 0xA0058005, 09 it receives a stream."""
    decoder = _interface(t).decoder(number)
    if decoder.started:
        raise failure(DECODER, Number.FORBIDDEN, f"{decoder.name} receives a stream: stop it first")
    decoder.attributes.update(_fields(attributes, _CHANNEL))


def _vdec_get_parameters(t: ThreadState, number: int) -> dict[str, Any]:
    """Its parameters. Codes: 0xA0058005."""
    found = _interface(t).decoder(number).parameters
    return {name: dict(value) if isinstance(value, dict) else value for name, value in found.items()}


def _vdec_set_parameters(t: ThreadState, number: int, parameters: Mapping[str, Any]) -> None:
    """Set its parameters; the pixel format of JPEG matters. Codes: 0xA0058005."""
    known = _interface(t).decoder(number).parameters
    for name, value in known.items():
        given = parameters.get(name)
        if isinstance(value, dict) and isinstance(given, dict):
            value.update({key: given[key] for key in value if isinstance(given.get(key), int)})
        elif isinstance(given, int) and name != "type":
            known[name] = given


def _vdec_start(t: ThreadState, number: int) -> None:
    """From now on pieces can be sent. Codes: 0xA0058005."""
    _interface(t).decoder(number).started = True


def _vdec_stop(t: ThreadState, number: int) -> None:
    """No more pieces; waits until those sent are decoded. Codes: 0xA0058005."""
    decoder = _interface(t).decoder(number)
    decoder.started = False
    decoder.wait_until_empty(t, decoder.work, f"{decoder.name} to come to its end")


def _vdec_reset(t: ThreadState, number: int) -> None:
    """As new. Codes: 0xA0058005, 09 it receives a stream."""
    interface = _interface(t)
    decoder = interface.decoder(number)
    if decoder.started:
        raise failure(DECODER, Number.FORBIDDEN, f"{decoder.name} receives a stream: stop it first")
    attributes, parameters = decoder.attributes, decoder.parameters
    _vdec_destroy(t, number)
    interface.create_decoder(t, number, attributes)
    interface.decoders[number].parameters = parameters


def _vdec_status(t: ThreadState, number: int) -> dict[str, Any]:
    """What was sent and is left. Codes: 0xA0058005."""
    decoder = _interface(t).decoder(number)
    left = len(decoder.work.queue)
    return {
        "type": decoder.coded, "left_stream_bytes": 0, "left_stream_frames": left,
        "left_decoded_frames": max(decoder.kept() - left, 0), "is_started": int(decoder.started),
        "recv_stream_frames": decoder.received, "dec_stream_frames": decoder.received - left,
        "dec_err": dict.fromkeys(_ERRORS, 0), "width": decoder.attributes["pic_width"],
        "height": decoder.attributes["pic_height"], "latest_frame_pts": 0,
    }  # fmt: skip


def _vdec_send(t: ThreadState, number: int, stream: Mapping[str, Any], picture: Mapping[str, Any], _: int) -> None:
    """Give the decoder a piece and a buffer. Codes: 0xA0058003 no bytes, 05, 08 other pixel formats, 09 not started."""
    decoder = _interface(t).decoder(number)
    if not decoder.started:
        raise failure(DECODER, Number.FORBIDDEN, f"{decoder.name} receives no stream: vdec_start_recv_stream starts it")
    given = _fields(stream, _STREAM)
    if not given["end_of_stream"] and not (given["addr"] and given["len"]):
        raise failure(DECODER, Number.ILLEGAL, "the stream has no bytes: addr and len are required")
    decoder.push(t, given, _fields(picture, _PICTURE))


def _vdec_get(t: ThreadState, number: int, timeout: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The next picture, within the limit in ms (-1: for ever). Codes: 0xA0058005, 0E there is none."""
    decoder = _interface(t).decoder(number)
    job = decoder.answer(t, timeout)
    if job is None:
        raise failure(DECODER, Number.EMPTY, f"{decoder.name} has no picture")
    return _frame(job), _supplement_info(decoder.coded), {**_fields({}, _STREAM), **job.stream}


def _vdec_release(t: ThreadState, number: int, _: Mapping[str, Any]) -> None:
    """Let go of what vdec_get_frame gave. Codes: 0xA0058005."""
    _interface(t).decoder(number)


def _frame(job: PolledJob | None) -> dict[str, Any]:
    """A hi_video_frame_info; without *job* one that says 0."""
    picture = job.picture if job is not None else _fields({}, _PICTURE)
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
    return _frame(None), _supplement_info(0), _fields({}, _STREAM)


_BODIES: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "sys_init": ("", _sys_init),
    "sys_exit": ("", _sys_exit),
    "vdec_create_chn": ("chn:int;attr:void*", _vdec_create),
    "vdec_destroy_chn": ("chn:int", _vdec_destroy),
    "vdec_get_chn_attr": ("chn:int;attr:void*:return", _vdec_get_attributes),
    "vdec_set_chn_attr": ("chn:int;attr:void*", _vdec_set_attributes),
    "vdec_get_chn_param": ("chn:int;param:void*:return", _vdec_get_parameters),
    "vdec_set_chn_param": ("chn:int;param:void*", _vdec_set_parameters),
    "vdec_start_recv_stream": ("chn:int", _vdec_start),
    "vdec_stop_recv_stream": ("chn:int", _vdec_stop),
    "vdec_reset_chn": ("chn:int", _vdec_reset),
    "vdec_query_status": ("chn:int;status:void*:return", _vdec_status),
    "vdec_send_stream": ("chn:int;stream:void*;pic:void*;ms:int", _vdec_send),
    "vdec_get_frame": ("chn:int;ms:int;frame:void*:return;supplement:void*:return;stream:void*:return", _vdec_get),
    "vdec_release_frame": ("chn:int;frame:void*", _vdec_release),
}
"""By the name below ``hi_mpi_``: the parameters, and what the call does."""


def _build(name: str) -> Callable[..., Any]:
    parameters, body = _BODIES[name]
    return api.build_apart(f"hi_mpi_{name}", parameters, body)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {name: _build(name) for name in _BODIES}
"""What the functions of the module call."""
MODELLED: Mapping[str, Callable[..., Any]] = {
    **{f"hi_mpi_{name}": function for name, function in FUNCTIONS.items()},
    "hi_mpi_dvpp_malloc": ascendcl.acldvppMalloc,
    "hi_mpi_dvpp_free": ascendcl.acldvppFree,
}
"""By the name in C."""
media_malloc, media_free = ascendcl.acldvppMalloc, ascendcl.acldvppFree
