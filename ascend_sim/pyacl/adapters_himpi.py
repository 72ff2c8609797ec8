"""What the functions of ``acl.himpi`` that are modelled do with their arguments: dicts in place of structs."""

from __future__ import annotations

import warnings

from ascend_sim.ascendcl.himpi import bodies
from ascend_sim.ascendcl.himpi.decoding import empty_frame
from ascend_sim.catalogue.himpi import HimpiFunction, himpi_functions
from ascend_sim.catalogue.pyacl import Row, row, rows
from ascend_sim.pyacl.generate import Adapter
from ascend_sim.pyacl.himpi import FUNCTIONS, MODELLED, as_dict, as_list, kernel_of, regions_of

__all__ = [
    "ADAPTERS", "FUNCTIONS", "MODELLED", "as_dict", "as_list", "empty_frame", "events_of", "histogram", "kernel_of",
    "regions_of",
]  # fmt: skip

_STRUCTS = {
    "vdec_create_chn": "hi_vpc_chn_attr", "vdec_set_chn_attr": "hi_vpc_chn_attr", "vdec_send_stream": "hi_vpc_lut_remap",
    "dvpp_get_image_info": "hi_vpc_lut_remap", "vdec_get_jpegd_output_info": "hi_vpc_lut_remap",
    "venc_create_chn": "type of hi_venc_chn_attr", "venc_set_chn_attr": "type of hi_venc_chn_attr",
}  # fmt: skip
"""What the texts of the published wrappers call the structs of a function, where it is not their own name."""
_LISTS = {
    "vpc_crop": ("hi_vpc_pic_info", "crop"),
    "vpc_crop_resize": ("hi_vpc_crop_resize_region", "crop resize"),
    "vpc_crop_resize_paste": ("hi_vpc_crop_resize_paste_region", "crop resize"),
    "vpc_crop_resize_make_border": ("hi_vpc_crop_resize_border_region", "crop resize"),
}
"""What they call an array, and what its length is compared with."""
_MOST_EVENTS = 4096


def events_of(found: tuple[list[dict[str, int]], int], most: int) -> tuple[list[dict[str, int]], int]:
    """As many dicts as the program asked for: those that came, and empty ones."""
    events, count = found
    return [*events, *({"events": 0, "data": 0} for _ in range(most - len(events)))], count


def histogram() -> tuple[dict[str, list[int]], int, int]:
    """What vpc_calc_hist gives: it calls nothing, and warns (source)."""
    warnings.warn(
        "acl.himpi.vpc_calc_hist will be deprecated. Please use acl.himpi.vpc_calc_hist_v2 instead.",
        Warning,
        stacklevel=3,
    )
    return {f"histogram_{name}": [0] * 256 for name in ("y_or_r", "u_or_g", "v_or_b")}, 0, 0


def _arguments(short: str, found: Row, known: HimpiFunction) -> str:
    """The arguments of the function, as Python source over the parameters of the row."""
    taken = dict(zip((p.name for p in known.parameters if not p.is_output), found.parameters, strict=True))
    given = []
    for parameter in known.inputs:
        name = taken[parameter.name]
        if parameter.is_plain or parameter.role == "address" or parameter.ctype.startswith("hi_void"):
            given.append(name)
        elif "[][" in parameter.ctype:
            given.append(f"kernel_of({name})")
        elif parameter.ctype.endswith("]"):
            struct, what = _LISTS.get(short, (parameter.base, ""))
            if parameter.base in ("hi_u32", "hi_module_type"):
                given.append(f"as_list({name}, {parameter.base!r})")
            else:
                count = taken.get(parameter.role) if what else None
                given.append(f"regions_of({name}, {count}, {struct!r}, {what!r})")
        else:
            given.append(f"as_dict({name}, {_STRUCTS.get(short, parameter.base)!r})")
    return ", ".join(given)


def _adapter(short: str, found: Row, known: HimpiFunction) -> Adapter:
    call = f"FUNCTIONS[{known.name!r}]({_arguments(short, found, known)})"
    outputs = [p for p in known.parameters if p.is_output or p.role == "inout"]
    if not outputs or known.returns != "hi_s32":
        return Adapter(body=f"return {call}")
    if len(outputs) == 1:
        empty = "0" if outputs[0].base in ("hi_u32", "hi_s32", "hi_vpc_chn", "hi_void", "hi_venc_scene_mode") else "{}"
        return Adapter(body=f"found, code = {call}\nreturn found or {empty}, code")
    return Adapter(body=f"*found, code = {call}\nreturn (*(one or {{}} for one in found), code)")


_SPECIAL = {
    "vdec_get_frame": (
        '*found, code = FUNCTIONS["hi_mpi_vdec_get_frame"](chn, milli_sec)\n'
        "return (*(empty_frame() if code else found), code)"
    ),
    "sys_wait_epoll": (
        f"if not 0 <= max_events <= {_MOST_EVENTS}: raise TypeError('invalid num of maxEvents')\n"
        '*found, code = FUNCTIONS["hi_mpi_sys_wait_epoll"](epoll_fd, max_events, timeout)\n'
        "return (*events_of(([], 0) if code else found, max_events), code)"
    ),
    "sys_get_chn_csc_matrix": (
        'matrix, numbers, code = FUNCTIONS["hi_mpi_sys_get_chn_csc_matrix"](mode, chn)\n'
        "return matrix or 0, numbers or {}, code"
    ),
    "sys_get_image_align_info": (
        "if len(as_list(mod_type, 'hi_module_type')) != mod_num:\n"
        "    raise TypeError('the length of mode_type is not equal with mod_num!')\n"
        'found, code = FUNCTIONS["hi_mpi_sys_get_image_align_info"]('
        "mod_type, as_dict(img_base_info, 'hi_img_base_info'))\n"
        "return found or {}, code"
    ),
    "venc_get_stream": (
        'found, code = FUNCTIONS["hi_mpi_venc_get_stream"](chn, as_dict(stream, "hi_venc_stream"), milli_sec)\n'
        "return found or stream, code"
    ),
    "venc_get_rc_param": ('found, code = FUNCTIONS["hi_mpi_venc_get_rc_param"](chn)\nreturn found or {}, code'),
    "vpc_calc_hist": "as_dict(source_pic, 'hi_vpc_pic_info')\nreturn histogram()",
    "vpc_calc_hist_v2": (
        'found, code = FUNCTIONS["hi_mpi_vpc_calc_hist"]('
        "chn, as_dict(source_pic, 'hi_vpc_pic_info'), hist_config, milli_sec)\n"
        "return found or 0, code"
    ),
    "vpc_pyrdown": (
        'found, code = FUNCTIONS["hi_mpi_vpc_pyrdown"](chn, as_dict(source_pic, "hi_vpc_pic_info"), '
        "regions_of(dest_pics, None, 'hi_vpc_pic_info')[:filter_level], kernel_of(gaussian_filter), divisor, "
        "as_dict(make_border_info, 'hi_vpc_make_border_info'), milli_sec)\n"
        "return found or 0, code"
    ),
}
"""Those whose arguments or results differ from the rule, by their name."""


def _adapters() -> dict[str, Adapter]:
    made = {}
    for short in rows()["himpi"]:
        found = row("himpi", short)
        assert found is not None
        if short in _SPECIAL:
            made[f"himpi.{short}"] = Adapter(body=_SPECIAL[short])
        elif found.c_function in bodies():
            made[f"himpi.{short}"] = _adapter(short, found, himpi_functions()[found.c_function])
    return made


ADAPTERS: dict[str, Adapter] = _adapters()
