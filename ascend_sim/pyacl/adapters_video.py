"""What is special about the functions of ``acl.media`` for video: callbacks, and parameters that may be one."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from ctypes import addressof, c_uint64
from typing import Any

from ascend_sim import ascendcl
from ascend_sim.pyacl.callbacks import PENDING, needs_callable
from ascend_sim.pyacl.generate import Adapter

__all__ = [
    "CALLBACK_PARAMETER", "VIDEO_ADAPTERS", "VideoCallback", "addressof", "ascendcl", "c_uint64", "needs_callable",
    "parameter_length", "set_encoder_callback", "the_callback",
]  # fmt: skip

MISSING_CALLBACK = "did not set callback, failed"
CALLBACK_PARAMETER = 1
WIDE_PARAMETERS = (0, 7)
"""Thread id and buffer address have 8 bytes, all others 4."""


class VideoCallback:
    """What C calls for each picture. The real wrapper says a line about an exception and leaves it set in its thread."""

    __slots__ = ("__wrapped__", "function")

    def __init__(self, function: Callable[[int, int, Any], Any]) -> None:
        self.function = function
        self.__wrapped__ = function

    @property
    def __name__(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)

    def __call__(self, given: int, made: int, user_data: Any) -> None:
        try:
            self.function(given, made, user_data)
        except Exception as error:  # noqa: BLE001 - any error of the user's callback, as in C
            traceback.print_exc()
            PENDING.error = error


def the_callback(found: Any) -> Any:
    """The program's own function. Raises RuntimeError when none was set."""
    if not found:
        raise RuntimeError(MISSING_CALLBACK)
    return getattr(found, "function", found)


def parameter_length(kind: int) -> int:
    """Bytes of a parameter of a channel that encodes."""
    return 8 if kind in WIDE_PARAMETERS else 4


def set_encoder_callback(channel_desc: int, function: Any) -> Any:
    """Parameter 1, whose value is no number."""
    return ascendcl.aclvencSetChannelDescCallback(channel_desc, VideoCallback(needs_callable(function)))


_SET_CALLBACK = Adapter(before="value = VideoCallback(needs_callable(value))")
_GET_CALLBACK = Adapter(result="the_callback(r)")
_DECODES = Adapter(before="the_callback(ascendcl.aclvdecGetChannelDescCallback(channel_desc))")
_ENCODES = Adapter(before="the_callback(ascendcl.aclvencGetChannelDescCallback(channel_desc))")

_SET_PARAM = """
if param_type == CALLBACK_PARAMETER: return set_encoder_callback(channel_desc, value)
if not isinstance(value, int): raise TypeError(WRONG)
value = c_uint64(value & 0xFFFF_FFFF_FFFF_FFFF)
return c(channel_desc, param_type & 0xFFFFFFFF, parameter_length(param_type), addressof(value))
"""
_GET_PARAM = """
if param_type == CALLBACK_PARAMETER:
    return the_callback(ascendcl.aclvencGetChannelDescCallback(channel_desc)), 0
value = c_uint64()
r = c(channel_desc, param_type & 0xFFFFFFFF, parameter_length(param_type), addressof(value))
return value.value, r[1]
"""

VIDEO_ADAPTERS: dict[str, Adapter] = {
    "media.vdec_set_channel_desc_callback": _SET_CALLBACK,
    "media.vdec_get_channel_desc_callback": _GET_CALLBACK,
    "media.vdec_send_frame": _DECODES,
    "media.vdec_send_skipped_frame": _DECODES,
    "media.venc_set_channel_desc_callback": _SET_CALLBACK,
    "media.venc_get_channel_desc_callback": _GET_CALLBACK,
    "media.venc_send_frame": _ENCODES,
    "media.venc_set_channel_desc_param": Adapter(body=_SET_PARAM),
    "media.venc_get_channel_desc_param": Adapter(body=_GET_PARAM),
}
