"""The second media interface: getting ready, memory, strides, colours, waiting for several channels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import lcm
from typing import Any, Final

from ascend_sim.ascendcl.himpi.dicts import fields
from ascend_sim.ascendcl.media.memory import dvpp_free, dvpp_malloc
from ascend_sim.media.pixels.colours import coefficients, inverse
from ascend_sim.media.pixels.pixel_formats import pixel_format
from ascend_sim.media.rules import MediaRules, align, table
from ascend_sim.media.unit import MediaUnit
from ascend_sim.media.video.event_queue import EventQueue, Watched
from ascend_sim.media.video.second_interface import (
    DECODER,
    ENCODER,
    PICTURES,
    SYSTEM,
    Number,
    SecondInterface,
    Unit,
    failure,
)
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["BODIES", "channel_event", "interface"]

ADD, CHANGE, REMOVE = 1, 2, 3
USER_MATRIX = 100
_VPC, _VENC, _VDEC, _JPEGE, _JPEGD, _PNGD, _ALL = 0, 1, 2, 3, 4, 5, 100
_EVENT_UNITS = (DECODER, ENCODER)
MATRIX_UNITS: Final = {unit.number: unit for unit in (DECODER, PICTURES)}
"""Units whose channels have a matrix, by hi_mod_id."""


def interface(t: ThreadState) -> SecondInterface:
    """What the functions of a process share."""
    return t.sim.part(SecondInterface)


def sys_init(t: ThreadState) -> None:
    """Get ready. Codes: 0xA0028008 on 310 and 910; 107002 no context."""
    interface(t).start(t)


def sys_exit(t: ThreadState) -> None:
    """Close what is open."""
    interface(t).stop(t)


def malloc(t: ThreadState, _device: int, size: int) -> int:
    """Memory for the media units. Codes: 0xA0028015 on 310; else as acldvppMalloc."""
    if t.sim.profile.family == "310":
        raise failure(SYSTEM, Number.BROKEN, f"{t.sim.profile.name} has no second interface of the media units")
    return dvpp_malloc(t, size)


def free(t: ThreadState, address: int) -> None:
    """Free it. Codes: as acldvppFree."""
    dvpp_free(t, address)


# -- strides ---------------------------------------------------------------------------------------------------------


def _alignment(rules: MediaRules, module: int) -> tuple[int, int]:
    """Columns and rows to which a unit wants pictures rounded up."""
    coded = table()["png"] if module == _PNGD else table()["jpeg"]
    return {
        _VPC: (rules.width_align, rules.height_align),
        _VENC: (table()["jpeg_encode"]["stride_align"], 2),
        _VDEC: (2 if rules.width_align == 1 else rules.width_align, 2),
        _JPEGE: (table()["jpeg_encode"]["stride_align"], 2),
        _JPEGD: (rules.jpeg_width_align, coded["height_align"]),
        _PNGD: (table()["png"]["width_align"], coded["height_align"]),
    }[module]


def get_image_align_info(t: ThreadState, modules: Sequence[int], base: Mapping[str, Any]) -> dict[str, Any]:
    """Strides and bytes of a picture that all *modules* (hi_module_type) take. Codes: 0xA0028003 modules, format, size."""
    rules = t.sim.part(MediaUnit).find(t)
    given = fields(base, ("width", "height", "pixel_format"))
    form = pixel_format(given["pixel_format"])
    names = range(_PNGD + 1) if _ALL in modules else modules
    if form is None or not given["width"] or not given["height"] or not names or set(names) - set(range(_PNGD + 1)):
        text = f"modules {list(modules)}, {given['width']} x {given['height']}, pixel_format {given['pixel_format']}"
        raise failure(SYSTEM, Number.ILLEGAL, f"there are no strides for {text}")
    found = [_alignment(rules, module) for module in names]
    row = align(given["width"], lcm(*(columns for columns, _ in found), form.across)) * form.unit
    rows = align(given["height"], lcm(*(rows for _, rows in found)))
    size = form.size(row, rows)
    return {"width_stride": row, "height_stride": rows, "img_buf_size": size, "reserved": [0, 0]}


# -- colours ---------------------------------------------------------------------------------------------------------


def _with_matrix(t: ThreadState, mode: int, number: int) -> Any:
    unit = MATRIX_UNITS.get(mode)
    if unit is None:
        raise failure(SYSTEM, Number.ILLEGAL, f"mode is {mode}: VDEC (5) and VPC (7) have a matrix")
    return interface(t).channel(unit, number)


def set_chn_csc_matrix(t: ThreadState, mode: int, number: int, matrix: int, _: Any) -> None:
    """The matrix of a channel (a hi_csc_matrix). Codes: 0xA0028003 mode, matrix; 08 one of the program's own."""
    channel = _with_matrix(t, mode, number)
    if matrix == USER_MATRIX:
        raise failure(SYSTEM, Number.UNSUPPORTED, "a matrix of the program's own (HI_CSC_MATRIX_USER) is not modelled")
    if not 0 <= matrix < table()["matrices"]:
        raise failure(SYSTEM, Number.ILLEGAL, f"csc_matrix is {matrix}: 0 to {table()['matrices'] - 1} are possible")
    channel.matrix = matrix


def _coefficient(factors: Any, offset: Any) -> dict[str, float]:
    found = {f"csc_matrix_r{r}_c{c}": float(factors[r, c]) for r in range(3) for c in range(3)}
    return {**found, **{f"csc_bias_r{r}": float(offset[r]) for r in range(3)}}


def get_chn_csc_matrix(t: ThreadState, mode: int, number: int) -> tuple[int, dict[str, Any]]:
    """The matrix of a channel and its numbers. Codes: 0xA0028003 mode."""
    matrix = int(_with_matrix(t, mode, number).matrix)
    factors, offset = coefficients(matrix)
    back = inverse(matrix)
    return matrix, {
        "yuv_to_rgb_coefficient": _coefficient(back, -(back @ offset)),
        "rgb_to_yuv_coefficient": _coefficient(factors, offset),
    }


# -- several channels ------------------------------------------------------------------------------------------------


def event_number(unit: Unit, number: int) -> int:
    """What stands for the events of a channel: a positive number, no file of the process."""
    return (1 + _EVENT_UNITS.index(unit)) << 16 | number


def channel_event(t: ThreadState, unit: Unit, number: int) -> int:
    """What get_fd answers: -1 for no channel."""
    return -1 if interface(t).find(unit, number) is None else event_number(unit, number)


def create_epoll(t: ThreadState, size: int) -> int:
    """A queue for the events of channels. Codes: 0xA0028003 size, 10 no sys_init."""
    shared = interface(t)
    shared.need(SYSTEM)
    if size <= 0:
        raise failure(SYSTEM, Number.ILLEGAL, f"size is {size}: it has to be positive")
    number = max(shared.queues, default=0) + 1
    shared.queues[number] = EventQueue(number)
    return number


def _queue(t: ThreadState, number: int) -> EventQueue:
    found = interface(t).queues.get(number)
    if found is None:
        raise failure(SYSTEM, Number.MISSING, f"there is no event queue {number}")
    return found


def ctl_epoll(t: ThreadState, number: int, operation: int, event: int, given: Mapping[str, Any] | None) -> None:
    """Watch a channel, by what get_fd returned, or stop it. Codes: 0xA0028003, 04 is watched, 05 none, 06 no event."""
    queue = _queue(t, number)
    if operation == REMOVE:
        if queue.watched.pop(event, None) is None:
            raise failure(SYSTEM, Number.MISSING, f"event queue {number} does not watch {event:#x}")
        return
    if operation not in (ADD, CHANGE):
        raise failure(SYSTEM, Number.ILLEGAL, f"operation is {operation}: 1 (add), 2 (modify) and 3 (delete) are known")
    if given is None:
        raise failure(SYSTEM, Number.NULL, "event is NULL")
    if (operation == ADD) == (event in queue.watched):
        known = operation == ADD
        text = f"event queue {number} {'watches' if known else 'does not watch'} {event:#x}"
        raise failure(SYSTEM, Number.EXISTS if known else Number.MISSING, text)
    index = (event >> 16) - 1
    if not 0 <= index < len(_EVENT_UNITS):
        raise failure(SYSTEM, Number.ILLEGAL, f"fd is {event:#x}: vdec_get_fd and venc_get_fd give one")
    channel = interface(t).channel(_EVENT_UNITS[index], event & 0xFFFF)
    said = fields(given, ("events", "data"))
    queue.watched[event] = Watched(channel, said["events"], said["data"])


def wait_epoll(t: ThreadState, number: int, most: int, timeout: int) -> tuple[list[dict[str, int]], int]:
    """The channels with a result, within the limit in ms (-1: for ever), and how many. Codes: 0xA0028003, 05."""
    queue = _queue(t, number)
    if most <= 0:
        raise failure(SYSTEM, Number.ILLEGAL, f"max_events is {most}: it has to be positive")
    found = [{"events": events, "data": data} for events, data in queue.wait(t, most, timeout)]
    return found, len(found)


def close_epoll(t: ThreadState, number: int) -> None:
    """The queue is not needed any more. Codes: 0xA0028005."""
    _queue(t, number)
    del interface(t).queues[number]


BODIES: Mapping[str, Callable[..., Any]] = {
    "hi_mpi_sys_init": sys_init,
    "hi_mpi_sys_exit": sys_exit,
    "hi_mpi_dvpp_malloc": malloc,
    "hi_mpi_dvpp_free": free,
    "hi_mpi_sys_get_image_align_info": get_image_align_info,
    "hi_mpi_sys_set_chn_csc_matrix": set_chn_csc_matrix,
    "hi_mpi_sys_get_chn_csc_matrix": get_chn_csc_matrix,
    "hi_mpi_sys_create_epoll": create_epoll,
    "hi_mpi_sys_ctl_epoll": ctl_epoll,
    "hi_mpi_sys_wait_epoll": wait_epoll,
    "hi_mpi_sys_close_epoll": close_epoll,
}
