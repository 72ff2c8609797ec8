"""The second media interface: decoding of PNG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.himpi.dicts import IMAGE_STREAM, PICTURE, fields
from ascend_sim.ascendcl.himpi.system import interface
from ascend_sim.media.codecs.png_header import PngError, read_header
from ascend_sim.media.codecs.png_layout import PNG_FORMATS, png_layout
from ascend_sim.media.pixels.pixel_formats import UNKNOWN
from ascend_sim.media.unit import MediaUnit
from ascend_sim.media.video.png_channel import PngChannel
from ascend_sim.media.video.second_interface import PNG, Number, failure
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["BODIES"]

RESERVED = 4


def _channel(t: ThreadState, number: int) -> PngChannel:
    found = interface(t).channel(PNG, number)
    assert isinstance(found, PngChannel)
    return found


def create(t: ThreadState, number: int, _: Mapping[str, Any]) -> None:
    """A channel for PNGs. Codes: 0xA0408003, 04 in use, 10 no sys_init."""
    interface(t).create(PNG, number, lambda: PngChannel(t, number))


def destroy(t: ThreadState, number: int) -> None:
    """Close a channel; pictures that nobody took are lost. Codes: 0xA0408005 there is none."""
    interface(t).destroy(t, PNG, number)


def send(t: ThreadState, number: int, stream: Mapping[str, Any], picture: Mapping[str, Any], _: int) -> None:
    """Give the decoder a file and a buffer. Codes: 0xA0408003 no bytes, 05, 06 no buffer, 08 other formats."""
    channel = _channel(t, number)
    given, into = fields(stream, IMAGE_STREAM), fields(picture, PICTURE)
    if not given["addr"] or not given["len"]:
        raise failure(PNG, Number.ILLEGAL, "the stream has no bytes: addr and len are required")
    if not into["picture_address"]:
        raise failure(PNG, Number.NULL, "picture_address is NULL")
    if into["picture_format"] not in (*PNG_FORMATS.values(), UNKNOWN):
        text = f"picture_format is {into['picture_format']}: RGB (12), RGBA (16) or what the file has (10000)"
        raise failure(PNG, Number.UNSUPPORTED, text)
    channel.push(t, given, into)


def get(t: ThreadState, number: int, timeout: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The next picture, within the limit in ms (-1: for ever). Codes: 0xA0408003 it could not be decoded, 05, 0E none."""
    channel = _channel(t, number)
    job = channel.answer(t, timeout)
    if job is None:
        raise failure(PNG, Number.EMPTY, f"{channel.name} has no picture")
    if job.code:
        raise failure(PNG, Number.ILLEGAL, f"{channel.name} could not decode the file")
    return dict(job.picture), {**job.stream, "reserved": [0, 0]}


def image_info(t: ThreadState, stream: Mapping[str, Any]) -> dict[str, Any]:
    """What a PNG in host memory is, and what its picture takes. Codes: 0xA0408003 no PNG, 11 bad address."""
    interface(t).need(PNG)
    given = fields(stream, IMAGE_STREAM)
    data = peek(given["addr"], given["len"]) if given["addr"] and given["len"] else None
    if data is None:
        text = f"{given['len']} bytes of host memory cannot be read at {given['addr']:#x}"
        raise failure(PNG, Number.BAD_ADDRESS, text)
    try:
        header = read_header(data)
        found = png_layout(t.sim.part(MediaUnit).find(t), header, UNKNOWN)
    except PngError as error:
        raise failure(PNG, Number.ILLEGAL, f"the stream is no PNG that can be decoded: {error}") from None
    return {
        "width": header.width, "height": header.height, "width_stride": found.width_stride,
        "height_stride": found.height_stride, "img_buf_size": found.width_stride * found.height_stride,
        "pixel_format": header.colour, "reserved": [0] * RESERVED,
    }  # fmt: skip


BODIES: Mapping[str, Callable[..., Any]] = {
    "hi_mpi_pngd_create_chn": create,
    "hi_mpi_pngd_destroy_chn": destroy,
    "hi_mpi_pngd_send_stream": send,
    "hi_mpi_pngd_get_image_data": get,
    "hi_mpi_png_get_image_info": image_info,
}
