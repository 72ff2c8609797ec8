"""Media: encoding video (acl_dvpp.h, aclvenc*; docs/semantics/media_video.md#encoding)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.constants.errors import ACL_ERROR_FEATURE_UNSUPPORTED, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.media.descriptors import PictureDesc
from ascend_sim.media.unit import MediaUnit, created, destroyed
from ascend_sim.media.video.decoding_unit import CODECS
from ascend_sim.media.video.unit_channel import need_library
from ascend_sim.media.video.venc_channel import VencChannel
from ascend_sim.media.video.video_descriptors import VencDesc, VencFrameConfig
from ascend_sim.media.video.video_unit import VideoUnit
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState

LEAST_BUFFER = 5 << 20
LEAST, MOST = 128, 4096
NO_OWN_BUFFER = ("310",)
PARAMETERS = (
    ("thread_id", 8), ("callback", 8), ("format", 4), ("kind", 4), ("width", 4), ("height", 4), ("interval", 4),
    ("buffer", 8), ("buffer_size", 4), ("mode", 4), ("rate", 4), ("kilobits", 4), ("ip_prop", 4),
)  # fmt: skip
"""By aclvencChannelDescParamType: the field, and its bytes."""


def _desc(t: ThreadState, handle: int) -> VencDesc:
    return required(t, handle, VencDesc, VencDesc.leaks_as, "channelDesc")


def _wrong(what: str, value: int, right: str) -> AclError:
    return AclError(ACL_ERROR_INVALID_PARAM, f"{what} is {value}: {right}", "acl")


# -- the descriptor ----------------------------------------------------------------------------------------------------


@api("aclvencCreateChannelDesc")
def create_channel_desc(t: ThreadState) -> int:
    """A descriptor that says 0 of everything, NV12 of the input; NULL without a context or media units."""
    return created(t, lambda: VencDesc(t))


@api("aclvencDestroyChannelDesc")
def destroy_channel_desc(t: ThreadState, handle: int) -> None:
    """Destroy the channel first. NULL is accepted. Codes: 500000 no context (of the first media call), no media units."""
    t.sim.part(VideoUnit).descriptor_ends(t, destroyed(t, handle, VencDesc), "aclvencDestroyChannel")


def _checked(t: ThreadState, desc: VencDesc, field: str, value: Any) -> None:
    """Set a field as its setter does. Raises AclError 100000, 200006."""
    if field == "format" and value not in (1, 2):
        raise _wrong("picFormat", value, "1 (NV12) or 2 (NV21) is required")
    if field == "kind" and value not in CODECS:
        raise _wrong("enType", value, "0 (H.265) to 3 (H.264 high) are possible")
    if field == "callback":
        require(value, "callback")
    if field in ("buffer", "buffer_size"):
        if t.sim.profile.family in NO_OWN_BUFFER:
            raise AclError(ACL_ERROR_FEATURE_UNSUPPORTED, f"{t.sim.profile.name} has no {t.call}", "acl")
        if field == "buffer" and (not value or desc.buffer):
            why = "it is set already" if desc.buffer else "an address is required"
            raise AclError(ACL_ERROR_INVALID_PARAM, f"bufAddr is {value:#x}: {why}", "acl")
        if field == "buffer_size" and value < LEAST_BUFFER:
            raise _wrong("bufSize", value, f"{LEAST_BUFFER} bytes at least")
    setattr(desc, field, value)


_SETTERS = {
    "ThreadId": ("thread_id", "The thread that runs the callbacks, in aclrtProcessReport. Codes: 100000 NULL."),
    "EnType": ("kind", "0 H.265 main, 1 to 3 H.264 baseline, main, high. Codes: 100000 NULL, another number."),
    "PicFormat": ("format", "NV12 1 or NV21 2. Codes: 100000 NULL, another format."),
    "PicWidth": ("width", "Pixels, even. Codes: 100000 NULL."),
    "PicHeight": ("height", "Pixels, even. Codes: 100000 NULL."),
    "KeyFrameInterval": ("interval", "Frames from one I frame to the next. Codes: 100000 NULL."),
    "BufAddr": ("buffer", "Where results go; set once. Codes: 200006 on 310; 100000 NULL, a second time."),
    "BufSize": ("buffer_size", "Its bytes, 5242880 at least. Codes: 200006 on 310; 100000 NULL, fewer."),
    "RcMode": ("mode", "Of the bit rate: 1 variable, 2 constant, 0 the default. Codes: 100000 NULL."),
    "SrcRate": ("rate", "Frames a second. Codes: 100000 NULL."),
    "MaxBitRate": ("kilobits", "Kilobits a second at most. Codes: 100000 NULL."),
}


def _setter(field: str, text: str) -> Callable[[ThreadState, int, Any], None]:
    def set_field(t: ThreadState, handle: int, value: Any) -> None:
        _checked(t, _desc(t, handle), field, value)

    set_field.__doc__ = text
    return set_field


def _getter(field: str, null: int = 0) -> Callable[[ThreadState, int], Any]:
    def get_field(t: ThreadState, handle: int) -> Any:
        return getattr(_desc(t, handle), field) if handle or not null else null

    get_field.__doc__ = f"The {field.replace('_', ' ')} of the descriptor; {null} for NULL."
    return get_field


for _name, (_field, _text) in _SETTERS.items():
    api(f"aclvencSetChannelDesc{_name}")(_setter(_field, _text))
    api(f"aclvencGetChannelDesc{_name}")(_getter(_field, 1 if _field == "format" else 0))
api("aclvencGetChannelDescChannelId")(_getter("id"))
api("aclvencGetChannelDescCallback")(_getter("callback"))


@api("aclvencSetChannelDescCallback")
def set_callback(t: ThreadState, handle: int, callback: Callable[..., Any] | None) -> None:
    """What is called for each picture: (picture descriptor, stream descriptor, user data). Codes: 100000 NULL."""
    _checked(t, _desc(t, handle), "callback", callback)


def _parameter(kind: int, length: int) -> tuple[str, int]:
    if kind >= len(PARAMETERS):
        raise _wrong("paramType", kind, f"0 to {len(PARAMETERS) - 1} exist")
    field, nbytes = PARAMETERS[kind]
    if length != nbytes:
        raise _wrong("length", length, f"parameter {kind} has {nbytes} bytes")
    return field, nbytes


@api("aclvencSetChannelDescParam")
def set_param(t: ThreadState, handle: int, kind: int, length: int, param: int) -> None:
    """Set what the parameter *kind* is about from the value at *param*. Codes: 100000 NULL, another type or length."""
    desc = _desc(t, handle)
    field, nbytes = _parameter(kind, length)
    data = peek(param, nbytes) if param else None
    if data is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"param is {param:#x}: {nbytes} bytes cannot be read there", "acl")
    _checked(t, desc, field, int.from_bytes(data, "little"))


@api("aclvencGetChannelDescParam")
def get_param(t: ThreadState, handle: int, kind: int, length: int, param: int) -> int:
    """Write what the parameter *kind* is about to *param*; the bytes written. Codes: 100000 NULL, another type or length."""
    desc = _desc(t, handle)
    field, nbytes = _parameter(kind, length)
    if not param or not host_memory.writable(param, nbytes):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"param is {param:#x}: {nbytes} bytes cannot be written there", "acl")
    value = getattr(desc, field)
    host_memory.view(param, nbytes)[:] = bytearray(int(value or 0).to_bytes(nbytes, "little"))
    return nbytes


@api("aclvencCreateFrameConfig")
def create_frame_config(t: ThreadState) -> int:
    """Settings of a frame: no end of the stream, no forced I frame."""
    return created(t, lambda: VencFrameConfig(t))


@api("aclvencDestroyFrameConfig")
def destroy_frame_config(t: ThreadState, handle: int) -> None:
    """NULL is accepted. Codes: 500000 as aclvencDestroyChannelDesc."""
    destroyed(t, handle, VencFrameConfig)


def _config(t: ThreadState, handle: int) -> VencFrameConfig:
    return required(t, handle, VencFrameConfig, VencFrameConfig.leaks_as, "config")


@api("aclvencSetFrameConfigForceIFrame")
def set_force_key(t: ThreadState, handle: int, force: int) -> None:
    """Let the frame be an I frame; the interval begins anew. Codes: 100000 NULL."""
    _config(t, handle).force_key = int(bool(force))


@api("aclvencGetFrameConfigForceIFrame")
def get_force_key(t: ThreadState, handle: int) -> int:
    """1 if the frame is to be an I frame; 0 for NULL."""
    return _config(t, handle).force_key


@api("aclvencSetFrameConfigEos")
def set_eos(t: ThreadState, handle: int, eos: int) -> None:
    """Let the send be the end of the stream. Codes: 100000 NULL."""
    _config(t, handle).eos = int(bool(eos))


@api("aclvencGetFrameConfigEos")
def get_eos(t: ThreadState, handle: int) -> int:
    """1 if the send is to be the end of the stream; 0 for NULL."""
    return _config(t, handle).eos


# -- the channel -------------------------------------------------------------------------------------------------------


@api("aclvencCreateChannel")
def create_channel(t: ThreadState, handle: int) -> None:
    """Open the channel in the current context, and subscribe its thread.

    Codes: 100000 NULL, no callback, a size outside 128 to 4096 or odd; 200006 the extra `media` is missing; 500000 the
    product has no such unit; 107002, 107012.
    """
    desc = _desc(t, handle)
    require(desc.callback, "the callback of channelDesc")
    for what, value in (("width", desc.width), ("height", desc.height)):
        if not LEAST <= value <= MOST or value % 2:
            raise _wrong(f"the picture's {what}", value, f"an even number from {LEAST} to {MOST} is required")
    t.sim.part(MediaUnit).find(t)
    need_library(t, "encoding video")
    t.sim.part(VideoUnit).encode(t, desc)


@api("aclvencDestroyChannel")
def destroy_channel(t: ThreadState, handle: int) -> None:
    """End the stream, wait until every callback has run, close the channel; its descriptor stays. Codes: 100000 NULL."""
    t.sim.part(VideoUnit).close(t, _desc(t, handle))


def _channel(t: ThreadState, handle: int) -> VencChannel:
    """The open channel of a descriptor. Raises AclError 100000."""
    desc = _desc(t, handle)
    if desc.channel is None:
        t.sim.part(VideoUnit).not_open(t, desc, "aclvencCreateChannel")
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{desc.describe()} is no channel", "acl")
    return desc.channel


@api("aclvencSendFrame", raw=("userdata",))
def send_frame(t: ThreadState, handle: int, picture: int, reserve: int, config: int, user_data: Any) -> None:
    """Give the encoder a picture; returns when its pixels were taken, with eos in *config* when every callback has run.

    Codes: 100000 NULL (the picture may be NULL at the end of the stream), no channel, a size that does not fit width
    and height; 507899 for memory that is not there.
    """
    channel = _channel(t, handle)
    settings = _config(t, config)
    if settings.eos:
        channel.finish(t)
        return
    source = required(t, picture, PictureDesc, "picture descriptor", "input")
    require(source.data, "the data of input")
    needed = channel.desc.width * channel.desc.height * 3 // 2
    if not needed <= source.size < 2 * needed:
        raise _wrong("the size of input", source.size, f"{needed} bytes or more, and less than twice as many")
    channel.push(t, source, bool(settings.force_key), user_data)
