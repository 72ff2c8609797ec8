"""The second media interface: scaling, cutting, pasting, colours, borders, pyramids, histograms (VPC)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ascend_sim.ascendcl.himpi.dicts import PICTURE, fields, inner, numbers, reals
from ascend_sim.ascendcl.himpi.system import interface
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.media.configurations import Border, Rectangle
from ascend_sim.media.pixels.borders import KINDS
from ascend_sim.media.pixels.pixel_formats import format_name
from ascend_sim.media.rules import table
from ascend_sim.media.statistics import GAUSSIAN, Weights
from ascend_sim.media.video.picture_unit import PictureWork, Piece
from ascend_sim.media.video.second_interface import PICTURES, Number, failure
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["BODIES"]

Struct = Mapping[str, Any]
MOST_LEVELS = 4
YUV420 = (1, 2)
_TABLES = ("map_value_y_or_r", "map_value_u_or_g", "map_value_v_or_b")


def _work(t: ThreadState, number: int) -> PictureWork:
    found = interface(t).channel(PICTURES, number)
    assert isinstance(found, PictureWork)
    return found


def create(t: ThreadState, number: int, _: Struct) -> None:
    """A channel for pictures. Codes: 0xA0078003, 04 in use, 10 no sys_init."""
    interface(t).create(PICTURES, number, lambda: PictureWork(t, number))


def create_any(t: ThreadState, attributes: Struct) -> int:
    """A channel for pictures, with the least number that is free. Codes: 0xA0078003 none is free, 10 no sys_init."""
    number = interface(t).free_number(PICTURES)
    create(t, number, attributes)
    return number


def destroy(t: ThreadState, number: int) -> None:
    """Close a channel when its work is done. Codes: 0xA0078005 there is none."""
    interface(t).destroy(t, PICTURES, number)


# -- tests of what a call is given -----------------------------------------------------------------------------------


def _formats(t: ThreadState, work: PictureWork, use: str, pictures: Sequence[Mapping[str, int]]) -> None:
    for picture in pictures:
        if picture["picture_format"] not in work.rules.formats[use]:
            text = f"picture_format is {format_name(picture['picture_format'])}: {t.sim.profile.name} takes others"
            raise failure(PICTURES, Number.UNSUPPORTED, text)


def _answered(queue: Callable[[], int]) -> int:
    """The number of the task that *queue* queues. Raises AclError with the codes of this interface."""
    try:
        return queue()
    except AclError as error:
        if error.code == ACL_ERROR_INVALID_PARAM:
            raise failure(PICTURES, Number.ILLEGAL, error.reason) from None
        raise


def _cut(t: ThreadState, number: int, name: str, pieces: list[Piece]) -> int:
    """Queue the cuts of a call. Raises AclError."""
    work = _work(t, number)
    if not pieces:
        raise failure(PICTURES, Number.ILLEGAL, "no region is given")
    if len(pieces) > table()["batch_most"]:
        text = f"{len(pieces)} regions are given: {table()['batch_most']} are possible"
        raise failure(PICTURES, Number.ILLEGAL, text)
    _formats(t, work, "vpc_input", [piece.source for piece in pieces])
    _formats(t, work, "vpc_output", [piece.target for piece in pieces])
    for piece in pieces:
        if piece.algorithm not in work.rules.interpolations:
            raise failure(PICTURES, Number.UNSUPPORTED, f"interpolation is {piece.algorithm}")
    return _answered(lambda: work.submit(t, name, pieces))


# -- scaling, cutting, pasting ---------------------------------------------------------------------------------------


def resize(
    t: ThreadState, number: int, source: Struct, target: Struct, _fx: float, _fy: float, interpolation: int, _: int
) -> int:
    """Queue the scaling of a picture; the number of the task. Codes: 0xA0078003 strides, sizes; 05; 08 formats."""
    piece = Piece(fields(source, PICTURE), fields(target, PICTURE), interpolation)
    return _cut(t, number, "VPC resize", [piece])


def convert(t: ThreadState, number: int, source: Struct, target: Struct, _: int) -> int:
    """Queue the conversion of a picture; the number of the task. Codes: 0xA0078003, 05, 08 as vpc_resize."""
    return _cut(t, number, "VPC convert color", [Piece(fields(source, PICTURE), fields(target, PICTURE))])


def convert_to_420(t: ThreadState, number: int, source: Struct, target: Struct, milliseconds: int) -> int:
    """As vpc_convert_color, into NV12 or NV21. Codes: 0xA0078003, 05, 08 as vpc_resize."""
    form = fields(target, PICTURE)["picture_format"]
    if form not in YUV420:
        raise failure(PICTURES, Number.UNSUPPORTED, f"picture_format is {format_name(form)}: NV12 or NV21 is required")
    return convert(t, number, source, target, milliseconds)


def _region(source: Mapping[str, int], found: Struct, kind: str) -> Piece:
    """One output of a crop. *kind*: empty, ``paste`` or ``border``: what else the struct says."""
    target = fields(inner(found, "dest_pic_info"), PICTURE)
    crop = fields(inner(found, "crop_region"), ("top_offset", "left_offset", "crop_width", "crop_height"))
    size = fields(inner(found, "resize_info"), ("resize_width", "resize_height", "interpolation"))
    left, top = crop["left_offset"], crop["top_offset"]
    area = Rectangle(left, left + crop["crop_width"] - 1, top, top + crop["crop_height"] - 1)
    width, height = size["resize_width"], size["resize_height"]
    at = fields(found, ("dest_left_offset", "dest_top_offset"))
    left, top = at["dest_left_offset"], at["dest_top_offset"]
    if kind == "border":
        right, bottom = target["picture_width"] - left - width, target["picture_height"] - top - height
        if right < 0 or bottom < 0:
            text = f"{width} x {height} at ({left}, {top}) leave the output, {target['picture_width']} x "
            raise failure(PICTURES, Number.ILLEGAL, f"{text}{target['picture_height']}")
        border = Border(_kind(found), top, bottom, left, right, _values(found))
        return Piece(source, target, size["interpolation"], area, None, border)
    paste = None
    if kind == "paste" or (width and (width, height) != (target["picture_width"], target["picture_height"])):
        paste = Rectangle(left, left + width - 1, top, top + height - 1)
    return Piece(source, target, size["interpolation"], area, paste)


def _cropping(name: str, kind: str) -> Callable[..., int]:
    def crop(t: ThreadState, number: int, source: Struct, regions: Sequence[Struct], _: int) -> int:
        """Queue the copies of parts of a picture; the number of the task. Codes: 0xA0078003, 05, 08 as vpc_resize."""
        given = fields(source, PICTURE)
        return _cut(t, number, name, [_region(given, region, kind) for region in regions])

    return crop


def _batch(name: str, kind: str) -> Callable[..., int]:
    def crop(
        t: ThreadState, number: int, sources: Sequence[Struct], regions: Sequence[Struct], counts: Sequence[int], _: int
    ) -> int:
        """Queue the copies of parts of several pictures, counts[i] of picture i. Codes: 0xA0078003, 05, 08 as vpc_resize."""
        if len(sources) != len(counts) or sum(counts) != len(regions):
            text = f"{len(sources)} pictures, counts {list(counts)}, {len(regions)} regions"
            raise failure(PICTURES, Number.ILLEGAL, f"{text}: a count for each picture, and a region for each of them")
        pieces, rest = [], iter(regions)
        for source, count in zip(sources, counts, strict=True):
            given = fields(source, PICTURE)
            pieces += [_region(given, next(rest), kind) for _ in range(count)]
        return _cut(t, number, name, pieces)

    return crop


# -- borders, pyramids, histograms -----------------------------------------------------------------------------------


def _kind(found: Struct) -> int:
    kind = fields(found, ("border_type",))["border_type"]
    if kind not in KINDS:
        raise failure(PICTURES, Number.UNSUPPORTED, f"border_type is {kind}: 0 to 3 are modelled")
    return kind


def _values(found: Struct) -> tuple[float, ...]:
    return tuple(reals(inner(found, "scalar_value"), "val", 4))


def _border(found: Struct) -> Border:
    sides = fields(found, ("top", "bottom", "left", "right"))
    return Border(_kind(found), sides["top"], sides["bottom"], sides["left"], sides["right"], _values(found))


def make_border(t: ThreadState, number: int, source: Struct, target: Struct, border: Struct, _: int) -> int:
    """Queue the copy of a picture with a border around it; the number of the task. Codes: 0xA0078003 sizes; 05; 08."""
    given, into, around = fields(source, PICTURE), fields(target, PICTURE), _border(border)
    width = given["picture_width"] + around.left + around.right
    height = given["picture_height"] + around.top + around.bottom
    if (into["picture_width"], into["picture_height"]) != (width, height):
        text = f"the output is {into['picture_width']} x {into['picture_height']}"
        raise failure(PICTURES, Number.ILLEGAL, f"{text}: picture and border make {width} x {height}")
    return _cut(t, number, "VPC copy make border", [Piece(given, into, border=around)])


def pyramid(
    t: ThreadState, number: int, source: Struct, targets: Sequence[Struct], weights: Sequence[Sequence[int]] | None,
    divisor: int, border: Struct, _: int,
) -> int:  # fmt: skip
    """Queue the steps of a pyramid; the number of the task. Codes: 0xA0078003 levels, divisor, border; 05; 08 formats."""
    work = _work(t, number)
    if not 1 <= len(targets) <= MOST_LEVELS:
        raise failure(PICTURES, Number.ILLEGAL, f"{len(targets)} levels: 1 to {MOST_LEVELS} are possible")
    around = _border(border)
    if (around.top, around.bottom, around.left, around.right) != (2, 2, 2, 2):
        raise failure(PICTURES, Number.ILLEGAL, f"the border is {around[1:5]}: 2 pixels on each side are required")
    used = GAUSSIAN._replace(border=around)
    if weights is not None:
        if not divisor:
            raise failure(PICTURES, Number.ILLEGAL, "divisor is 0")
        used = Weights(np.array(weights, np.int32), divisor, around)
    given, into = fields(source, PICTURE), [fields(target, PICTURE) for target in targets]
    _formats(t, work, "pyr_down", [given, *into])
    return _answered(lambda: work.halve(t, given, into, used))


def histogram(t: ThreadState, number: int, source: Struct, address: int, _: int) -> int:
    """Queue the counting of values; they are there with the result of the task. Codes: 0xA0078005, 06 NULL, 08 formats."""
    work = _work(t, number)
    if not address:
        raise failure(PICTURES, Number.NULL, "hist_config is NULL")
    given = fields(source, PICTURE)
    _formats(t, work, "calc_hist", [given])
    return _answered(lambda: work.count(t, given, address))


def equalize(t: ThreadState, number: int, source: Struct, target: Struct, values: Struct, _: int) -> int:
    """Queue the replacement of values by a table; the number of the task. Codes: 0xA0078003; 05; 08 formats."""
    work = _work(t, number)
    given, into = fields(source, PICTURE), fields(target, PICTURE)
    _formats(t, work, "equalize_hist", [given, into])
    if given["picture_format"] != into["picture_format"]:
        raise failure(PICTURES, Number.ILLEGAL, "input and output have one format")
    replaced = np.array([numbers(values, name, 256, 8) for name in _TABLES], np.uint8)
    return _answered(lambda: work.replace(t, given, into, replaced))


def process_result(t: ThreadState, number: int, task: int, timeout: int) -> None:
    """Wait for a task, for some ms (-1: for ever). Codes: 0xA0078003 it failed, 05 no such channel or task, 12 not done."""
    found = _work(t, number).result(t, task, timeout)
    if found == "unknown":
        raise failure(PICTURES, Number.MISSING, f"there is no task {task}")
    if found == "busy":
        raise failure(PICTURES, Number.BUSY, f"task {task} was not done within {timeout} ms")
    if found == "failed":
        raise failure(PICTURES, Number.ILLEGAL, f"task {task} failed")


BODIES: Mapping[str, Callable[..., Any]] = {
    "hi_mpi_vpc_create_chn": create,
    "hi_mpi_vpc_sys_create_chn": create_any,
    "hi_mpi_vpc_destroy_chn": destroy,
    "hi_mpi_vpc_resize": resize,
    "hi_mpi_vpc_convert_color": convert,
    "hi_mpi_vpc_convert_color_to_yuv420": convert_to_420,
    "hi_mpi_vpc_crop": _cropping("VPC crop", ""),
    "hi_mpi_vpc_crop_resize": _cropping("VPC crop and resize", ""),
    "hi_mpi_vpc_crop_resize_paste": _cropping("VPC crop, resize and paste", "paste"),
    "hi_mpi_vpc_crop_resize_make_border": _cropping("VPC crop, resize and make border", "border"),
    "hi_mpi_vpc_batch_crop_resize_paste": _batch("VPC batch crop, resize and paste", "paste"),
    "hi_mpi_vpc_batch_crop_resize_make_border": _batch("VPC batch crop, resize and make border", "border"),
    "hi_mpi_vpc_copy_make_border": make_border,
    "hi_mpi_vpc_pyrdown": pyramid,
    "hi_mpi_vpc_calc_hist": histogram,
    "hi_mpi_vpc_equalize_hist": equalize,
    "hi_mpi_vpc_get_process_result": process_result,
}
