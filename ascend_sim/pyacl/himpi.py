"""``acl.himpi``: the part of the second media interface that programs use. The rest answers that it is not modelled.

Dicts stand for the structs of C; a key that is missing is 0 (docs/semantics/pyacl.md#lists-and-dicts). The codes are those
of the interface, as unsigned numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ascend_sim import ascendcl
from ascend_sim.ascendcl import api
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.media.codecs.coded import coded_format
from ascend_sim.media.codecs.jpeg_header import JpegError, read_header
from ascend_sim.media.configurations import Rectangle
from ascend_sim.media.pixels.pixel_formats import format_name, pixel_format
from ascend_sim.media.unit import MediaUnit
from ascend_sim.media.video.decoding_unit import FAILED
from ascend_sim.media.video.picture_unit import Piece
from ascend_sim.media.video.second_interface import (
    DECODER,
    JPEG,
    PICTURES,
    Number,
    PolledJob,
    SecondInterface,
    failure,
)
from ascend_sim.media.video.unit_channel import need_library

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["FUNCTIONS", "MODELLED", "as_dict", "empty_frame", "media_free", "media_malloc", "regions_of"]

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
_VPC_PICTURE = (
    "picture_address", "picture_buffer_size", "picture_width", "picture_height", "picture_width_stride",
    "picture_height_stride", "picture_format",
)  # fmt: skip
PLANES, USER_DATA, RESERVED = 3, 2, 4


def as_dict(value: Any, what: str) -> Mapping[str, Any]:
    """*value* if it is a dict. Raises TypeError."""
    if not isinstance(value, dict):
        raise TypeError(f"the {what} argument is not dict")
    return value


def regions_of(value: Any, count: int, struct: str, what: str) -> list[Mapping[str, Any]]:
    """The dicts of a list with *count* elements. Raises TypeError."""
    if not isinstance(value, list):
        raise TypeError(f"{struct} argument is not list")
    if len(value) != count:
        raise TypeError(f"the lenth of {what} info is not equal with count!")
    return [as_dict(one, struct) for one in value]


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


def _image_info(t: ThreadState, coded: int, stream: Mapping[str, Any]) -> dict[str, Any]:
    """What a JPEG in host memory is, and what its picture takes. Codes: 0xA0058003 no JPEG, 08 another type, 11 address."""
    if coded != JPEG:
        raise failure(DECODER, Number.UNSUPPORTED, f"type is {coded}: of JPEG ({JPEG}) alone something is known before")
    return _output_info(t, stream, 0)


def _output_info(t: ThreadState, stream: Mapping[str, Any], number: int) -> dict[str, Any]:
    """What the picture of a JPEG takes in a pixel format. Codes: 0xA0058003 no JPEG, 08 another format, 11 bad address."""
    _interface(t).need(DECODER)
    given = _fields(stream, _STREAM)
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
        "img_buf_size": need.size, "pixel_format": form.number, "reserved": [0] * RESERVED,
    }  # fmt: skip


# -- pictures ----------------------------------------------------------------------------------------------------------


def _vpc_create(t: ThreadState, number: int, _: Mapping[str, Any]) -> None:
    """A channel for pictures. Codes: 0xA0078003, 04 in use, 10 no sys_init."""
    _interface(t).create_pictures(t, number)


def _vpc_destroy(t: ThreadState, number: int) -> None:
    """Close a channel when its work is done. Codes: 0xA0078005 there is none."""
    interface = _interface(t)
    interface.picture_channel(number).close(t)
    del interface.pictures[number]


def _queue(t: ThreadState, number: int, name: str, source: Mapping[str, Any], pieces: list[Piece]) -> int:
    """Queue the work of a call. Raises AclError with the codes of the interface."""
    work = _interface(t).picture_channel(number)
    said = _fields(source, _VPC_PICTURE)
    for use, pictures in (("vpc_input", [said]), ("vpc_output", [piece.target for piece in pieces])):
        for picture in pictures:
            if picture["picture_format"] not in work.rules.formats[use]:
                text = f"picture_format is {format_name(picture['picture_format'])}: {t.sim.profile.name} takes others"
                raise failure(PICTURES, Number.UNSUPPORTED, text)
    for piece in pieces:
        if piece.algorithm not in work.rules.interpolations:
            raise failure(PICTURES, Number.UNSUPPORTED, f"interpolation is {piece.algorithm}")
    try:
        return work.submit(t, name, said, pieces)
    except AclError as error:
        if error.code == ACL_ERROR_INVALID_PARAM:
            raise failure(PICTURES, Number.ILLEGAL, error.reason) from None
        raise


def _resize(
    t: ThreadState, number: int, source: Mapping[str, Any], target: Mapping[str, Any], _fx: float, _fy: float,
    interpolation: int, _: int,
) -> int:  # fmt: skip
    """Queue the scaling of a picture; the number of the task. Codes: 0xA0078003 strides, sizes; 05; 08 formats."""
    return _queue(t, number, "VPC resize", source, [Piece(_fields(target, _VPC_PICTURE), interpolation)])


def _convert(t: ThreadState, number: int, source: Mapping[str, Any], target: Mapping[str, Any], _: int) -> int:
    """Queue the conversion of a picture; the number of the task. Codes: 0xA0078003, 05, 08 as vpc_resize."""
    return _queue(t, number, "VPC convert color", source, [Piece(_fields(target, _VPC_PICTURE))])


def _region(found: Mapping[str, Any], pasted: bool) -> Piece:
    """One output of a crop: a dict of dicts."""
    target = _fields(_inner(found, "dest_pic_info"), _VPC_PICTURE)
    crop = _fields(_inner(found, "crop_region"), ("top_offset", "left_offset", "crop_width", "crop_height"))
    size = _fields(_inner(found, "resize_info"), ("resize_width", "resize_height", "interpolation"))
    left, top = crop["left_offset"], crop["top_offset"]
    area = Rectangle(left, left + crop["crop_width"] - 1, top, top + crop["crop_height"] - 1)
    width, height = size["resize_width"], size["resize_height"]
    paste = None
    if pasted or (width and (width, height) != (target["picture_width"], target["picture_height"])):
        at = _fields(found, ("dest_left_offset", "dest_top_offset"))
        left, top = at["dest_left_offset"], at["dest_top_offset"]
        paste = Rectangle(left, left + width - 1, top, top + height - 1)
    return Piece(target, size["interpolation"], area, paste)


def _inner(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = found.get(name)
    return value if isinstance(value, dict) else {}


def _cropping(name: str, pasted: bool) -> Callable[..., int]:
    def crop(t: ThreadState, number: int, source: Mapping[str, Any], regions: list[Any], _: int) -> int:
        """Queue the copies of parts of a picture; the number of the task. Codes: 0xA0078003, 05, 08 as vpc_resize."""
        if not regions:
            raise failure(PICTURES, Number.ILLEGAL, "no region is given")
        return _queue(t, number, name, source, [_region(region, pasted) for region in regions])

    return crop


def _process_result(t: ThreadState, number: int, task: int, timeout: int) -> None:
    """Wait for a task, for some ms (-1: for ever). Codes: 0xA0078003 it failed, 05 no such channel or task, 12 not done."""
    found = _interface(t).picture_channel(number).result(t, task, timeout)
    if found == "unknown":
        raise failure(PICTURES, Number.MISSING, f"there is no task {task}")
    if found == "busy":
        raise failure(PICTURES, Number.BUSY, f"task {task} was not done within {timeout} ms")
    if found == "failed":
        raise failure(PICTURES, Number.ILLEGAL, f"task {task} failed")


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
    "dvpp_get_image_info": ("type:int;stream:void*;info:void*:return", _image_info),
    "vdec_get_jpegd_output_info": ("stream:void*;format:int;info:void*:return", _output_info),
    "vpc_create_chn": ("chn:int;attr:void*", _vpc_create),
    "vpc_destroy_chn": ("chn:int", _vpc_destroy),
    "vpc_resize": (
        "chn:int;source:void*;dest:void*;fx:double;fy:double;interpolation:int;ms:int;task:uint32_t:return",
        _resize,
    ),
    "vpc_convert_color": ("chn:int;source:void*;dest:void*;ms:int;task:uint32_t:return", _convert),
    "vpc_crop": ("chn:int;source:void*;regions:void*;ms:int;task:uint32_t:return", _cropping("VPC crop", False)),
    "vpc_crop_resize": (
        "chn:int;source:void*;regions:void*;ms:int;task:uint32_t:return",
        _cropping("VPC crop and resize", False),
    ),
    "vpc_crop_resize_paste": (
        "chn:int;source:void*;regions:void*;ms:int;task:uint32_t:return",
        _cropping("VPC crop, resize and paste", True),
    ),
    "vpc_get_process_result": ("chn:int;task:uint32_t;ms:int", _process_result),
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
