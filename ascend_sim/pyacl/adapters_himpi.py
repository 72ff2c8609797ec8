"""What the functions of ``acl.himpi`` that are modelled do with their arguments: dicts in place of structs."""

from __future__ import annotations

from ascend_sim.pyacl.generate import Adapter
from ascend_sim.pyacl.himpi import FUNCTIONS, MODELLED, as_dict, empty_frame, media_free, media_malloc, regions_of

__all__ = ["ADAPTERS", "FUNCTIONS", "MODELLED", "as_dict", "empty_frame", "media_free", "media_malloc", "regions_of"]


def _plain(name: str, arguments: str = "") -> Adapter:
    return Adapter(body=f"return FUNCTIONS[{name!r}]({arguments})")


def _of_channel(name: str) -> Adapter:
    return _plain(name, "chn")


def _with_dict(name: str, parameter: str, struct: str) -> Adapter:
    return _plain(name, f"chn, as_dict({parameter}, {struct!r})")


def _gives_dict(name: str) -> Adapter:
    return Adapter(body=f"found, code = FUNCTIONS[{name!r}](chn)\nreturn found or {{}}, code")


_GET_FRAME = """
*found, code = FUNCTIONS["vdec_get_frame"](chn, milli_sec)
return (*(empty_frame() if code else found), code)
"""


def _crops(name: str, struct: str, what: str) -> Adapter:
    regions = f"regions_of(crop_info, count, {struct!r}, {what!r})"
    return Adapter(
        body=f"found, code = FUNCTIONS[{name!r}](chn, as_dict(source_pic, 'hi_vpc_pic_info'), {regions}, milli_sec)\n"
        "return found or 0, code"
    )


_PICTURES = "as_dict(source_pic, 'hi_vpc_pic_info'), as_dict(dest_pic, 'hi_vpc_pic_info')"

ADAPTERS: dict[str, Adapter] = {
    "himpi.dvpp_get_image_info": Adapter(
        body="found, code = FUNCTIONS['dvpp_get_image_info'](img_type, as_dict(stream, 'hi_vpc_lut_remap'))\n"
        "return found or {}, code"
    ),
    "himpi.vdec_get_jpegd_output_info": Adapter(
        body="found, code = FUNCTIONS['vdec_get_jpegd_output_info'](as_dict(stream, 'hi_vpc_lut_remap'), output_format)\n"
        "return found or {}, code"
    ),
    "himpi.vpc_create_chn": _with_dict("vpc_create_chn", "attr", "hi_vpc_chn_attr"),
    "himpi.vpc_destroy_chn": _of_channel("vpc_destroy_chn"),
    "himpi.vpc_resize": Adapter(
        body=f"found, code = FUNCTIONS['vpc_resize'](chn, {_PICTURES}, fx, fy, interpolation, milli_sec)\n"
        "return found or 0, code"
    ),
    "himpi.vpc_convert_color": Adapter(
        body=f"found, code = FUNCTIONS['vpc_convert_color'](chn, {_PICTURES}, milli_sec)\nreturn found or 0, code"
    ),
    "himpi.vpc_crop": _crops("vpc_crop", "hi_vpc_pic_info", "crop"),
    "himpi.vpc_crop_resize": _crops("vpc_crop_resize", "hi_vpc_crop_resize_region", "crop resize"),
    "himpi.vpc_crop_resize_paste": _crops("vpc_crop_resize_paste", "hi_vpc_crop_resize_paste_region", "crop resize"),
    "himpi.vpc_get_process_result": _plain("vpc_get_process_result", "chn, task_id, milli_sec"),
    "himpi.sys_init": _plain("sys_init"),
    "himpi.sys_exit": _plain("sys_exit"),
    "himpi.dvpp_malloc": Adapter(body="return media_malloc(size)"),
    "himpi.dvpp_free": Adapter(body="return media_free(address)"),
    "himpi.vdec_create_chn": _with_dict("vdec_create_chn", "attr", "hi_vpc_chn_attr"),
    "himpi.vdec_destroy_chn": _of_channel("vdec_destroy_chn"),
    "himpi.vdec_get_chn_attr": _gives_dict("vdec_get_chn_attr"),
    "himpi.vdec_set_chn_attr": _with_dict("vdec_set_chn_attr", "attr", "hi_vpc_chn_attr"),
    "himpi.vdec_get_chn_param": _gives_dict("vdec_get_chn_param"),
    "himpi.vdec_set_chn_param": _with_dict("vdec_set_chn_param", "param", "hi_vdec_chn_param"),
    "himpi.vdec_start_recv_stream": _of_channel("vdec_start_recv_stream"),
    "himpi.vdec_stop_recv_stream": _of_channel("vdec_stop_recv_stream"),
    "himpi.vdec_reset_chn": _of_channel("vdec_reset_chn"),
    "himpi.vdec_query_status": _gives_dict("vdec_query_status"),
    "himpi.vdec_send_stream": _plain(
        "vdec_send_stream",
        "chn, as_dict(stream, 'hi_vpc_lut_remap'), as_dict(pic_info, 'hi_vpc_lut_remap'), milli_sec",
    ),
    "himpi.vdec_get_frame": Adapter(body=_GET_FRAME),
    "himpi.vdec_release_frame": _with_dict("vdec_release_frame", "frame_info", "hi_video_frame_info"),
}
