"""Media: decoding video (acl_dvpp.h, aclvdec*; docs/semantics/media_video.md#decoding)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.constants.errors import ACL_ERROR_FEATURE_UNSUPPORTED, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.media.descriptors import PictureDesc, StreamDesc
from ascend_sim.media.rules import table
from ascend_sim.media.unit import MediaUnit, created, destroyed
from ascend_sim.media.video.decoding_unit import CODECS, output_formats
from ascend_sim.media.video.unit_channel import need_library
from ascend_sim.media.video.vdec_channel import VdecChannel
from ascend_sim.media.video.video_descriptors import VdecDesc, VdecFrameConfig
from ascend_sim.media.video.video_unit import VideoUnit
from ascend_sim.runtime.tensors.descriptors import live, required
from ascend_sim.runtime.thread_state import ThreadState

MOST_CHANNELS = 32
OLD = ("310", "910")
WORD = 4


def _desc(t: ThreadState, handle: int) -> VdecDesc:
    return required(t, handle, VdecDesc, VdecDesc.leaks_as, "channelDesc")


def _wrong(what: str, value: int, right: str) -> AclError:
    return AclError(ACL_ERROR_INVALID_PARAM, f"{what} is {value}: {right}", "acl")


# -- the descriptor ----------------------------------------------------------------------------------------------------


@api("aclvdecCreateChannelDesc")
def create_channel_desc(t: ThreadState) -> int:
    """A descriptor that says 0 of everything, NV12 of the output; NULL without a context or media units."""
    return created(t, lambda: VdecDesc(t))


@api("aclvdecDestroyChannelDesc")
def destroy_channel_desc(t: ThreadState, handle: int) -> None:
    """Destroy the channel first. NULL is accepted. Codes: 500000 no context (of the first media call), no media units."""
    t.sim.part(VideoUnit).descriptor_ends(t, destroyed(t, handle, VdecDesc), "aclvdecDestroyChannel")


@api("aclvdecSetChannelDescChannelId")
def set_channel_id(t: ThreadState, handle: int, number: int) -> None:
    """0 to 31, one channel of this number on a device. Codes: 100000 NULL, above 31."""
    desc = _desc(t, handle)
    if number >= MOST_CHANNELS:
        raise _wrong("channelId", number, f"0 to {MOST_CHANNELS - 1} are possible")
    desc.id = number


@api("aclvdecSetChannelDescThreadId")
def set_thread_id(t: ThreadState, handle: int, thread_id: int) -> None:
    """The thread that runs the callbacks, in aclrtProcessReport. Codes: 100000 NULL."""
    _desc(t, handle).thread_id = thread_id


@api("aclvdecSetChannelDescCallback")
def set_callback(t: ThreadState, handle: int, callback: Callable[..., Any] | None) -> None:
    """What is called for each piece of the stream: (stream descriptor, picture descriptor, user data). Codes: 100000."""
    require(callback, "callback")
    _desc(t, handle).callback = callback


@api("aclvdecSetChannelDescEnType")
def set_kind(t: ThreadState, handle: int, kind: int) -> None:
    """0 H.265 main, 1 to 3 H.264 baseline, main, high. Codes: 100000 NULL, another number."""
    desc = _desc(t, handle)
    if kind not in CODECS:
        raise _wrong("enType", kind, "0 (H.265) to 3 (H.264 high) are possible")
    desc.kind = kind


@api("aclvdecSetChannelDescOutPicFormat")
def set_format(t: ThreadState, handle: int, number: int) -> None:
    """NV12 1 or NV21 2; later products also RGB 12, BGR 13. Codes: 100000 NULL, another format."""
    desc = _desc(t, handle)
    known = output_formats(t.sim.profile.family)
    if number not in known:
        raise _wrong("outPicFormat", number, f"{', '.join(map(str, known))} are possible on {t.sim.profile.name}")
    desc.format = number


@api("aclvdecSetChannelDescOutPicWidth")
def set_width(t: ThreadState, handle: int, width: int) -> None:
    """Of the pictures, where their descriptors say 0; 0: as the stream. Codes: 100000 NULL."""
    _desc(t, handle).width = width


@api("aclvdecSetChannelDescOutPicHeight")
def set_height(t: ThreadState, handle: int, height: int) -> None:
    """Of the pictures, where their descriptors say 0; 0: as the stream. Codes: 100000 NULL."""
    _desc(t, handle).height = height


def _newer(t: ThreadState) -> None:
    if t.sim.profile.family in OLD:
        raise AclError(ACL_ERROR_FEATURE_UNSUPPORTED, f"{t.sim.profile.name} has no {t.call}", "acl")


@api("aclvdecSetChannelDescRefFrameNum")
def set_references(t: ThreadState, handle: int, number: int) -> None:
    """How many reference frames the decoder keeps. Codes: 200006 on 310 and 910; 100000 NULL."""
    _newer(t)
    _desc(t, handle).references = number


@api("aclvdecSetChannelDescBitDepth")
def set_bit_depth(t: ThreadState, handle: int, number: int) -> None:
    """Of the stream. Codes: 200006 on 310 and 910; 100000 NULL."""
    _newer(t)
    _desc(t, handle).bit_depth = number


@api("aclvdecSetChannelDescOutMode")
def set_mode(t: ThreadState, handle: int, mode: int) -> None:
    """0: pictures come in the order of display; 1: at once, for streams without reordering. Codes: 100000 NULL, above 1."""
    desc = _desc(t, handle)
    if mode > 1:
        raise _wrong("outMode", mode, "0 (order of display) or 1 (at once) is required")
    desc.mode = mode


for _name, _field in {
    "ChannelId": "id", "ThreadId": "thread_id", "Callback": "callback", "EnType": "kind", "OutPicFormat": "format",
    "OutPicWidth": "width", "OutPicHeight": "height", "RefFrameNum": "references", "OutMode": "mode",
    "BitDepth": "bit_depth",
}.items():  # fmt: skip

    def _get(t: ThreadState, handle: int, field: str = _field) -> Any:
        return getattr(_desc(t, handle), field)

    _get.__doc__ = f"The {_field.replace('_', ' ')} of the descriptor; 0 for NULL."
    api(f"aclvdecGetChannelDesc{_name}")(lambda t, handle, get=_get: get(t, handle))


def _check_type(kind: int, length: int) -> None:
    if kind != 0:
        raise _wrong("paramType", kind, "there is 0 (the colour matrix) only")
    if length != WORD:
        raise _wrong("length", length, f"the colour matrix has {WORD} bytes")


@api("aclvdecSetChannelDescParam")
def set_param(t: ThreadState, handle: int, kind: int, length: int, param: int) -> None:
    """Set the colour matrix of RGB output (an acldvppCscMatrix). Codes: 100000 NULL, another type or length, none such."""
    desc = _desc(t, handle)
    _check_type(kind, length)
    data = peek(param, WORD) if param else None
    if data is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"param is {param:#x}: {WORD} bytes cannot be read there", "acl")
    matrix = int.from_bytes(data, "little")
    if matrix >= table()["matrices"]:
        raise _wrong("matrix", matrix, f"0 to {table()['matrices'] - 1} exist")
    desc.matrix = matrix


@api("aclvdecGetChannelDescParam")
def get_param(t: ThreadState, handle: int, kind: int, length: int, param: int) -> int:
    """Write the colour matrix to *param*; the bytes that were written. Codes: as aclvdecSetChannelDescParam."""
    desc = _desc(t, handle)
    _check_type(kind, length)
    if not param or not host_memory.writable(param, WORD):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"param is {param:#x}: {WORD} bytes cannot be written there", "acl")
    host_memory.view(param, WORD).view("<u4")[0] = desc.matrix
    return WORD


@api("aclvdecCreateFrameConfig")
def create_frame_config(t: ThreadState) -> int:
    """Settings of a frame, of which there are none."""
    return created(t, lambda: VdecFrameConfig(t))


@api("aclvdecDestroyFrameConfig")
def destroy_frame_config(t: ThreadState, handle: int) -> None:
    """NULL is accepted. Codes: 500000 as aclvdecDestroyChannelDesc."""
    destroyed(t, handle, VdecFrameConfig)


# -- the channel -------------------------------------------------------------------------------------------------------


@api("aclvdecCreateChannel")
def create_channel(t: ThreadState, handle: int) -> None:
    """Open the channel in the current context, and subscribe its thread.

    Codes: 100000 NULL, no callback; 200006 the extra `media` is missing; 107002, 107012 the thread serves another device.
    """
    desc = _desc(t, handle)
    require(desc.callback, "the callback of channelDesc")
    t.sim.part(MediaUnit).find(t)
    need_library(t, "decoding video")
    t.sim.part(VideoUnit).decode(t, desc)


@api("aclvdecDestroyChannel")
def destroy_channel(t: ThreadState, handle: int) -> None:
    """End the stream, wait until every callback has run, close the channel; its descriptor stays. Codes: 100000 NULL."""
    t.sim.part(VideoUnit).close(t, _desc(t, handle))


def _channel(t: ThreadState, handle: int) -> VdecChannel:
    """The open channel of a descriptor. Raises AclError 100000."""
    desc = _desc(t, handle)
    if desc.channel is None:
        t.sim.part(VideoUnit).not_open(t, desc, "aclvdecCreateChannel")
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{desc.describe()} is no channel", "acl")
    return desc.channel


def _frame_config(t: ThreadState, handle: int) -> None:
    if handle:
        live(t, handle, VdecFrameConfig, VdecFrameConfig.leaks_as)


@api("aclvdecSendFrame", raw=("userData",))
def send_frame(t: ThreadState, handle: int, stream: int, picture: int, config: int, user_data: Any) -> None:
    """Give the decoder a piece of the stream (one picture, Annex-B) and the buffer of a picture.

    Returns when the bytes were taken; with eos set in *stream* when every callback has run. Codes: 100000 NULL (the
    picture may be NULL at the end of the stream), no channel; 507899 for memory that is not there.
    """
    channel = _channel(t, handle)
    piece = required(t, stream, StreamDesc, "stream descriptor", "input")
    if piece.eos:
        channel.finish(t)
        return
    output = required(t, picture, PictureDesc, "picture descriptor", "output")
    _frame_config(t, config)
    _check_piece(piece)
    require(output.data, "the data of output")
    require(output.size, "the size of output")
    channel.push(t, piece, output, user_data)


@api("aclvdecSendSkippedFrame", raw=("userData",))
def send_skipped_frame(t: ThreadState, handle: int, stream: int, config: int, user_data: Any) -> None:
    """Give the decoder a picture that others need and nobody wants to see: the callback gets NULL for it.

    Codes: as aclvdecSendFrame; 200006 the end of the stream, which cannot be skipped.
    """
    channel = _channel(t, handle)
    piece = required(t, stream, StreamDesc, "stream descriptor", "input")
    if piece.eos:
        raise AclError(ACL_ERROR_FEATURE_UNSUPPORTED, "the end of the stream cannot be skipped", "acl")
    _frame_config(t, config)
    _check_piece(piece)
    channel.push(t, piece, None, user_data)


def _check_piece(piece: StreamDesc) -> None:
    require(piece.data, "the data of input")
    require(piece.size, "the size of input")
