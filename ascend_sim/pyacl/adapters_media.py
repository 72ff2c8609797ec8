"""What is special about the functions of ``acl.media``: lists of rectangles, parameters of channels, attributes."""

from __future__ import annotations

from ctypes import addressof, c_uint64
from typing import Any

from ascend_sim.pyacl.adapters_video import (
    CALLBACK_PARAMETER,
    VIDEO_ADAPTERS,
    VideoCallback,
    ascendcl,
    needs_callable,
    parameter_length,
    set_encoder_callback,
    the_callback,
)
from ascend_sim.pyacl.dicts import malloc_config
from ascend_sim.pyacl.generate import Adapter
from ascend_sim.pyacl.lists import addresses, is_list

__all__ = [
    "ADAPTERS", "CALLBACK_PARAMETER", "VideoCallback", "addresses", "addressof", "ascendcl", "c_uint64", "counts",
    "is_list", "length_of", "limited_counts", "malloc_config", "needs_callable", "parameter_length",
    "set_encoder_callback", "the_callback", "word",
]  # fmt: skip

MOST = 256
TOO_MANY = "number of crop areas must be between 1 and 256"


def word(value: int = 0) -> c_uint64:
    """The C variable of a parameter of a channel."""
    return c_uint64(value)


def length_of(kind: int) -> int:
    """What the real wrapper says of the length of a parameter of *kind*."""
    return 4 if kind == 0 else 0


def counts(value: list[Any]) -> list[int]:
    """How many rectangles each picture has: uint32 values."""
    for item in value:
        if not isinstance(item, int) or not 0 <= item <= 0xFFFF_FFFF_FFFF_FFFF:
            raise ValueError("PyLong_AsUnsignedLong failed")
    return [int(item) & 0xFFFF_FFFF for item in value]


def limited_counts(roi_nums: Any, areas: Any, more: Any, text: str) -> tuple[list[int], list[int], list[int]]:
    """The lists of the two older batch functions, which look at how long they are. *more*: a third list, or None."""
    for value in (roi_nums, areas, *(() if more is None else (more,))):
        is_list(value, text)
    if not (0 < len(roi_nums) <= MOST and 0 < len(areas) <= MOST):
        raise ValueError(TOO_MANY)
    if more is not None and len(more) != len(areas):
        raise ValueError(TOO_MANY)
    found = counts(roi_nums)
    if any(number > MOST for number in found):
        raise ValueError(TOO_MANY)
    return found, addresses(areas), addresses(more or [])


_SET_PARAM = Adapter(
    before="value = word(value)",
    call="channel_desc, param_type & 0xFFFFFFFF, length_of(param_type), addressof(value)",
    result="(channel_desc, r)",
)
_GET_PARAM = Adapter(
    before="value = word()",
    call="channel_desc, param_type & 0xFFFFFFFF, length_of(param_type), addressof(value)",
    result="(r[0] or 0, value.value, r[1])",
)

_BATCH_CROP = """
roi_nums, crop_areas, _ = limited_counts(roi_nums, crop_areas, None, "argument 3 or 5 is not list")
"""
_BATCH_CROP_AND_PASTE = """
roi_nums, crop_areas, paste_areas = limited_counts(
    roi_nums, crop_areas, paste_areas, "argument 3, 5 or 6 is not list"
)
"""
_BATCH_RESIZE = """
roi_nums = counts(is_list(roi_nums, "argument 3 is not list"))
crop_areas = addresses(is_list(crop_areas, "argument 5 is not list"))
"""
_BATCH_RESIZE_PASTE = """
roi_nums = counts(is_list(roi_nums, "argument 3 is not list"))
crop_areas = addresses(is_list(crop_areas, "argument 5 is not list"))
paste_areas = addresses(is_list(paste_areas, "argument 6 is not list"))
"""
_BATCH_BORDER = """
roi_nums = counts(is_list(roi_nums, "the third argument is not list"))
crop_areas = addresses(is_list(crop_areas, "the fifth argument is not list"))
border_configs = addresses(is_list(border_configs, "the sixth argument is not list"))
"""
_BATCH = "channel_desc, src_batch, roi_nums, len(roi_nums), dst_batch, crop_areas"

ADAPTERS: dict[str, Adapter] = {
    **VIDEO_ADAPTERS,
    "media.dvpp_malloc_with_cfg": Adapter(before="cfg = malloc_config(cfg)", call="size, policy & 0xFFFFFFFF, cfg"),
    "media.dvpp_set_channel_desc_param": _SET_PARAM,
    "media.dvpp_get_channel_desc_param": _GET_PARAM,
    "media.vdec_set_channel_desc_param": _SET_PARAM,
    "media.vdec_get_channel_desc_param": _GET_PARAM,
    "media.dvpp_vpc_batch_crop_async": Adapter(before=_BATCH_CROP, call=f"{_BATCH}, stream", result="(dst_batch, r)"),
    "media.dvpp_vpc_batch_crop_and_paste_async": Adapter(
        before=_BATCH_CROP_AND_PASTE, call=f"{_BATCH}, paste_areas, stream", result="(dst_batch, r)"
    ),
    "media.dvpp_vpc_batch_crop_resize_async": Adapter(before=_BATCH_RESIZE, call=f"{_BATCH}, resize_config, stream"),
    "media.dvpp_vpc_batch_crop_resize_paste_async": Adapter(
        before=_BATCH_RESIZE_PASTE, call=f"{_BATCH}, paste_areas, resize_config, stream"
    ),
    "media.dvpp_vpc_batch_crop_resize_make_border_async": Adapter(
        before=_BATCH_BORDER, call=f"{_BATCH}, border_configs, resize_config, stream"
    ),
}
