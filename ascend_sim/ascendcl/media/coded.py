"""Media: JPEG and PNG: what a header says, how many bytes to reserve, decoding and encoding."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.media.operations import begin, check_format, operand_of, picture_of
from ascend_sim.constants import media
from ascend_sim.constants.errors import ACL_ERROR_FAILURE, ACL_ERROR_FORMAT_NOT_MATCH, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.media.buffers import Memory
from ascend_sim.media.codecs.coded import JpegDecode, JpegEncode, PngDecode, coded_format
from ascend_sim.media.codecs.jpeg_header import JpegError, JpegHeader
from ascend_sim.media.codecs.jpeg_header import read_header as read_jpeg
from ascend_sim.media.codecs.png_header import COMPONENTS, PngError, PngHeader
from ascend_sim.media.codecs.png_header import read_header as read_png
from ascend_sim.media.configurations import JpegConfig
from ascend_sim.media.layouts import Layout, check_coded
from ascend_sim.media.pixels.pixel_formats import UNKNOWN, format_name, pixel_format
from ascend_sim.media.rules import align, table
from ascend_sim.media.unit import MediaUnit
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState

SAMPLING = {
    "444": media.ACL_JPEG_CSS_444, "422": media.ACL_JPEG_CSS_422, "420": media.ACL_JPEG_CSS_420,
    "gray": media.ACL_JPEG_CSS_GRAY, "440": media.ACL_JPEG_CSS_440, "411": media.ACL_JPEG_CSS_411,
}  # fmt: skip
RGB = media.PIXEL_FORMAT_RGB_888


def _host_bytes(t: ThreadState, address: int, size: int) -> bytes:
    """The file at a host address, which the real library reads unchecked. Raises AclError 500001 for what is none."""
    require(address, "data")
    data = peek(address, size, "data")
    if data is not None:
        return data
    block = t.sim.memory.find(address)
    if block is not None and block.device >= 0:
        t.sim.report_call(
            t, "undefined-use", "error",
            f"{t.call} is given {t.sim.names.one_of(block)}, which is device memory: it reads the header on the host, "
            "where that address is not mapped",
            fix="give it the host address of the file",
        )  # fmt: skip
    raise AclError(ACL_ERROR_FAILURE, f"{size} bytes cannot be read at {address:#x}", "acl")


def _jpeg(t: ThreadState, address: int, size: int) -> JpegHeader:
    data = _host_bytes(t, address, size)
    try:
        return read_jpeg(data)
    except JpegError as error:
        raise AclError(ACL_ERROR_FAILURE, f"the {size} bytes at {address:#x} are no JPEG: {error}", "acl") from None


def _sides(header: JpegHeader) -> tuple[int, int]:
    return (header.height, header.width) if header.turned else (header.width, header.height)


@api("acldvppJpegGetImageInfo")
def jpeg_get_image_info(t: ThreadState, data: int, size: int) -> tuple[int, int, int]:
    """Width, height and components of the JPEG at a host address, turned as EXIF says.

    Codes: 100000 NULL; 500001 no JPEG.
    """
    t.sim.part(MediaUnit).find(t)
    header = _jpeg(t, data, size)
    return (*_sides(header), len(header.components))


@api("acldvppJpegGetImageInfoV2")
def jpeg_get_image_info_v2(t: ThreadState, data: int, size: int) -> tuple[int, int, int, int]:
    """Width, height, components and sampling (an acldvppJpegFormat) of the JPEG at a host address.

    Codes: 100000 NULL; 500001 no JPEG.
    """
    t.sim.part(MediaUnit).find(t)
    header = _jpeg(t, data, size)
    return (*_sides(header), len(header.components), SAMPLING.get(header.sampling, media.ACL_JPEG_CSS_UNKNOWN))


@api("acldvppJpegPredictDecSize")
def jpeg_predict_dec_size(t: ThreadState, data: int, size: int, wanted: int) -> int:
    """Bytes that hold the decoded picture on every product: width to 128, height to 16.

    Codes: 100000 NULL, a side outside 32 to 8192; 100027 a format that it cannot become; 500001 no JPEG.
    """
    rules = t.sim.part(MediaUnit).find(t)
    require(data, "data")
    check_format(t, rules, "jpegd_output", wanted, "outputPixelFormat")
    header = _jpeg(t, data, size)
    width, height = _sides(header)
    low, high = rules.jpeg_limits
    if not (low <= width <= high and low <= height <= high):
        text = f"the JPEG is {width} x {height}: {low} x {low} to {high} x {high} can be decoded"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    numbers = table()["predicted"]
    area = align(width, numbers["width_align"]) * align(height, numbers["height_align"])
    own = coded_format(header)
    form = pixel_format(wanted)
    if form is not None and form.is_colour and own is not None:
        return area * 3
    if header.sampling == "gray" or wanted in (1, 2):
        return area * 3 // 2
    if own is None or (wanted not in (own, own - 1) and wanted != UNKNOWN):
        text = f"the JPEG has sampling {header.sampling or 'unknown'}: it cannot become {format_name(wanted)}"
        raise AclError(ACL_ERROR_FORMAT_NOT_MATCH, text, "acl")
    kept = pixel_format(own)
    assert kept is not None
    return kept.size(area, 1) if kept.down * kept.across != 4 else area * 3 // 2


@api("acldvppJpegDecodeAsync")
def jpeg_decode_async(t: ThreadState, channel: int, data: int, size: int, output: int, stream: int) -> None:
    """Queue the decoding of the JPEG at a device address into the picture *output*, whose size is written back.

    Codes: 100000 NULL, a channel that was not created, size 0; 100027 a format that no JPEG becomes; 107002, 107003 as
    any task. A picture that cannot be decoded fails the task: 507018 at the next synchronise.
    """
    rules, opened = begin(t, channel)
    require(data, "data")
    desc = picture_of(t, output, "outputDesc")
    require(size, "size")
    check_format(t, rules, "jpegd_output", desc.format, "outputDesc")
    target = t.stream(stream)
    device = target.context.device.index
    action = JpegDecode(
        t, rules, opened, "JPEG decode", device, (data, size), operand_of(t, desc, True, device, "output")
    )
    action.submit(t, target)


@api("acldvppJpegPredictEncSize")
def jpeg_predict_enc_size(t: ThreadState, source: int, config: int) -> int:
    """Bytes that hold the JPEG of a picture in any case: a multiple of 2 MiB.

    Codes: 100000 NULL, a side outside 32 to 8192, wrong strides; 100027 a format that cannot be encoded.
    """
    rules = t.sim.part(MediaUnit).find(t)
    desc = picture_of(t, source, "inputDesc")
    required(t, config, JpegConfig, "JPEG configuration", "config")
    layout = Layout.of(desc)
    form = pixel_format(layout.format)
    unlimited = layout if form is None else layout._replace(size=0xFFFF_FFFF)
    if layout.format in rules.formats["jpege_input"]:
        fault = check_coded(rules, unlimited)
        if fault is not None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"the picture {fault.text}: {fault.right}", "acl")
    check_format(t, rules, "jpege_input", layout.format, "inputDesc")
    assert form is not None
    numbers = table()["jpeg_encode"]
    size = form.size(layout.width_stride, layout.height_stride) + numbers["header"] + numbers["start"]
    return align(size, numbers["unit"])


@api("acldvppJpegEncodeAsync")
def jpeg_encode_async(
    t: ThreadState, channel: int, source: int, data: int, size: int, config: int, stream: int
) -> None:
    """Queue the encoding of a picture to the device address *data*.

    *size* is the host address of 4 bytes, which must live until the stream was waited for: they say how much room there
    is, and at the end of the task how many bytes the JPEG has.

    Codes: 100000 NULL, a channel that was not created, no room; 100027 a format that cannot be encoded.
    """
    rules, opened = begin(t, channel)
    desc = picture_of(t, source, "inputDesc")
    require(data, "data")
    require(size, "size")
    level = required(t, config, JpegConfig, "JPEG configuration", "config").level
    held = peek(size, 4)
    if held is None or not host_memory.writable(size, 4):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"size is {size:#x}: no 4 bytes of host memory are there", "acl")
    room = int.from_bytes(held, "little")
    require(room, "*size")
    check_format(t, rules, "jpege_input", desc.format, "inputDesc")
    target = t.stream(stream)
    device = target.context.device.index
    place = Place(t.sim, t.sim.memory.find(size), size, 4, True)
    action = JpegEncode(
        t, rules, opened, "JPEG encode", operand_of(t, desc, False, device, "input"),
        Memory(t.sim, data, room, True, device, "the room for the JPEG"), place, level,
    )  # fmt: skip
    action.check_at_call(t)
    action.submit(t, target)


# -- PNG ---------------------------------------------------------------------------------------------------------------


def _png(t: ThreadState, address: int, size: int) -> PngHeader:
    data = _host_bytes(t, address, size)
    try:
        return read_png(data)
    except PngError as error:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"the bytes at {address:#x} are no PNG: {error}", "acl") from None


@api("acldvppPngGetImageInfo")
def png_get_image_info(t: ThreadState, data: int, size: int) -> tuple[int, int, int]:
    """Width, height and components of the PNG at a host address. Codes: 100000 NULL, no PNG; 100027 a palette."""
    t.sim.part(MediaUnit).find(t)
    header = _png(t, data, size)
    if header.colour not in COMPONENTS:
        raise AclError(ACL_ERROR_FORMAT_NOT_MATCH, f"the colours are of type {header.colour}: 0, 2, 4, 6 exist", "acl")
    return header.width, header.height, COMPONENTS[header.colour]


@api("acldvppPngPredictDecSize")
def png_predict_dec_size(t: ThreadState, data: int, size: int, wanted: int) -> int:
    """Bytes that hold the decoded picture. Codes: 100000 NULL, no PNG, a side outside 32 to 4096; 100027 the format."""
    rules = t.sim.part(MediaUnit).find(t)
    require(data, "data")
    check_format(t, rules, "pngd_output", wanted, "outputPixelFormat")
    header = _png(t, data, size)
    low, high = rules.png_limits
    if not (low <= header.width <= high and low <= header.height <= high):
        text = f"the PNG is {header.width} x {header.height}: {low} x {low} to {high} x {high} can be decoded"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    numbers = table()["png"]
    width, height = align(header.width, numbers["width_align"]), align(header.height, numbers["height_align"])
    found = (width * header.depth * (3 if wanted == RGB else 4) + 7) // 8 * height
    if not 0 < found <= numbers["most_bytes"]:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"the output would have {found} bytes", "acl")
    return found


@api("acldvppPngDecodeAsync")
def png_decode_async(t: ThreadState, channel: int, data: int, size: int, output: int, stream: int) -> None:
    """Queue the decoding of the PNG at a device address into the picture *output*, whose size is written back.

    Codes: 100000 NULL, a channel that was not created, size 0; 100027 a format other than RGB888, RGBA8888, unknown.
    """
    rules, opened = begin(t, channel)
    require(data, "data")
    desc = picture_of(t, output, "outputDesc")
    require(size, "size")
    check_format(t, rules, "pngd_output", desc.format, "outputDesc")
    target = t.stream(stream)
    device = target.context.device.index
    action = PngDecode(
        t, rules, opened, "PNG decode", device, (data, size), operand_of(t, desc, True, device, "output")
    )
    action.submit(t, target)
