"""Decoding and encoding of single pictures as tasks: JPEG both ways, PNG.

See docs/semantics/media.md#jpeg.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ascend_sim.machine import host_memory
from ascend_sim.media.buffers import DEVICE_FAULT, Memory
from ascend_sim.media.codecs.jpeg_header import BASELINE, JpegError, JpegHeader
from ascend_sim.media.codecs.jpeg_header import read_header as read_jpeg
from ascend_sim.media.codecs.pillow import CodecError, MissingPart, decode_jpeg, decode_png, encode_jpeg
from ascend_sim.media.codecs.png_header import PngError
from ascend_sim.media.codecs.png_header import read_header as read_png
from ascend_sim.media.codecs.png_layout import png_layout
from ascend_sim.media.layouts import Fault, Layout, check_coded, check_decoded
from ascend_sim.media.pixels.conversion import store
from ascend_sim.media.pixels.pixel_formats import UNKNOWN, PixelFormat, format_name, pixel_format
from ascend_sim.media.pixels.planes import Area, Image, image_of, rows_of
from ascend_sim.media.tasks import MediaTask, Operand, refuse_layout
from ascend_sim.runtime.memory.told import tell_access
from ascend_sim.runtime.task import Access, TaskFault

if TYPE_CHECKING:
    from ascend_sim.media.channels import PictureChannel
    from ascend_sim.media.rules import MediaRules
    from ascend_sim.runtime.memory.transfers import Place
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["JpegDecode", "JpegEncode", "PngDecode", "coded_format", "jpeg_limits"]

OWN_FORMAT = {"gray": 0, "420": 2, "422": 4, "444": 6, "440": 1001}
"""The format of a decoder that keeps the sampling of the file: chroma of red first."""


def coded_format(header: JpegHeader) -> int | None:
    """The format that keeps the sampling of the file; None for one that no format has."""
    return OWN_FORMAT.get(header.sampling) if header.is_luma_and_chroma else None


def jpeg_limits(rules: MediaRules, header: JpegHeader) -> str:
    """What the units cannot decode of this JPEG; empty when they can."""
    low, high = rules.jpeg_limits
    if header.coding != BASELINE:
        return f"its coding is {header.coding:02X}: the units decode baseline JPEG (C0) only, no progressive one"
    if header.precision != 8:
        return f"it has {header.precision} bits a sample: the units decode 8"
    if not (low <= header.width <= high and low <= header.height <= high):
        return f"it is {header.width} x {header.height}: {low} x {low} to {high} x {high} can be decoded"
    if coded_format(header) is None:
        return "its components are not luma and chroma in a sampling that the units decode (444, 422, 420, 440, gray)"
    return ""


class _Decode(MediaTask):
    """What both decoders do: read the file, look at its header, decode, write the pixels and the descriptor."""

    def __init__(
        self, t: ThreadState, rules: MediaRules, channel: PictureChannel, name: str, device: int, source: tuple[int, int],
        output: Operand,
    ) -> None:  # fmt: skip
        super().__init__(rules, channel)
        self.name = name
        address, self.size = source
        self.source = Memory(t.sim, address, self.size, False, device, "the coded picture")
        self.source.check_family(t)
        self.output = output
        self.operands.append(output)
        self.outputs.append(output.desc)

    def extra_accesses(self) -> Sequence[Access]:
        place = self.source.place
        return () if place is None else (Access(place.address, place.address + self.size, False),)

    def _bytes(self, task: Task) -> bytes:
        data = self.source.reach(task)
        self.source.tell_bytes(task, self.size, False)
        return b"" if data is None else data.tobytes()

    def _write(self, task: Task, form: PixelFormat, layout: Layout, image: Image) -> None:
        width, height = image.size
        width, height = min(width, layout.width), min(height, layout.height)
        area = Area(0, 0, width, height)
        planes = form.planes(width, height, layout.width_stride, layout.height_stride)
        operand = self.output
        operand.memory = operand.memory.at(layout.data, max(plane.end for plane in planes))
        data = operand.memory.reach(task)
        rows = rows_of(form, planes, area)
        operand.memory.tell_whole(task, form.size(layout.width_stride, layout.height_stride))
        if data is not None:
            store(image, image_of(form, data, rows, area), self.channel.matrix)

    def _describe(self, layout: Layout, form: PixelFormat) -> None:
        """Write back what the device says of the output."""
        desc = self.output.desc
        desc.format, desc.width, desc.height = layout.format, layout.width, layout.height
        desc.width_stride, desc.height_stride = layout.width_stride, layout.height_stride
        desc.size = self.rules.size(form, layout.width_stride, layout.height_stride)

    def _missing(self, task: Task, error: MissingPart) -> TaskFault:
        return self.fault(task, str(error))


def _cut(image: Image, form: PixelFormat) -> Image:
    """Without an odd last column and row, where *form* shares chroma between two."""
    width, height = image.size
    wide, high = width // form.across * form.across, height // form.down * form.down
    if (wide, high) == (width, height):
        return image
    chroma = image.chroma
    if chroma is not None:
        chroma = chroma[: -(-high // image.down), : -(-wide // image.across)]
    assert image.luma is not None
    return Image(image.luma[:high, :wide], chroma, image.across, image.down)


class JpegDecode(_Decode):
    """Decode a JPEG into the output's format; its size is written back."""

    rate = "jpegd_rate"

    def run(self, task: Task) -> None:
        data = self._bytes(task)
        try:
            header = read_jpeg(data)
        except JpegError as error:
            raise self.fault(task, f"the coded picture is no JPEG: {error}") from None
        why = jpeg_limits(self.rules, header)
        if why:
            raise self.fault(task, why)
        layout = self.output.layout()
        number = coded_format(header) if layout.format == UNKNOWN else layout.format
        form = None if number is None else pixel_format(number)
        if form is None:
            raise self.fault(task, f"the simulator does not know the pixels of {format_name(layout.format)}")
        width, height = (header.height, header.width) if header.turned else (header.width, header.height)
        if self.rules.jpeg_rounds_down and form.family == "yuv":
            width, height = width // form.across * form.across, height // form.down * form.down
        need = self.rules.decoded(form, width, height)
        layout = layout._replace(
            format=form.number, width=width, height=height,
            width_stride=layout.width_stride or need.width_stride,
            height_stride=layout.height_stride or need.height_stride,
        )  # fmt: skip
        fault = check_decoded(self.rules, layout, form, width, height)
        if fault is not None:
            raise self.broken(task, self.output.describe(layout), fault)
        try:
            image = decode_jpeg(data, header)
        except MissingPart as error:
            raise self._missing(task, error) from None
        except CodecError as error:
            raise self.fault(task, f"the coded picture is broken: {error}") from None
        if self.rules.jpeg_rounds_down and form.family == "yuv":
            image = _cut(image, form)
        self._write(task, form, layout, image)
        self._describe(layout, form)


class PngDecode(_Decode):
    """Decode a PNG into RGB or RGBA; its size is written back."""

    rate = "pngd_rate"

    def run(self, task: Task) -> None:
        data = self._bytes(task)
        try:
            header = read_png(data)
        except PngError as error:
            raise self.fault(task, f"the coded picture is no PNG: {error}") from None
        layout = self.output.layout()
        try:
            found = png_layout(self.rules, header, layout.format)
        except PngError as error:
            raise self.fault(task, str(error)) from None
        form, row, rows = found.form, found.width_stride, found.height_stride
        layout = layout._replace(
            format=form.number, width=header.width, height=header.height,
            width_stride=layout.width_stride or row, height_stride=layout.height_stride or rows,
        )  # fmt: skip
        small = layout.width_stride < header.width * form.unit or layout.height_stride < header.height
        if small or layout.size < form.size(layout.width_stride, layout.height_stride):
            right = f"width stride {row}, height stride {rows}, {row * rows} bytes"
            fault = Fault(f"has no room for {header.width} x {header.height} pixels of {form.unit} bytes", right)
            raise self.broken(task, self.output.describe(layout), fault)
        try:
            image = decode_png(data)
        except MissingPart as error:
            raise self._missing(task, error) from None
        except CodecError as error:
            raise self.fault(task, f"the coded picture is broken: {error}") from None
        self._write(task, form, layout, image)
        self._describe(layout, form)


class JpegEncode(MediaTask):
    """Encode a picture; how many bytes it has become is written to *size_place*, host memory of the program."""

    rate = "jpege_rate"

    def __init__(
        self, t: ThreadState, rules: MediaRules, channel: PictureChannel, name: str, source: Operand, target: Memory,
        size_place: Place, level: int,
    ) -> None:  # fmt: skip
        super().__init__(rules, channel)
        self.name = name
        self.source = source
        self.operands.append(source)
        self.target = target
        target.check_family(t)
        self.size_place = size_place
        self.level = min(level, 100)

    def extra_accesses(self) -> Sequence[Access]:
        found = [self.size_place, *([] if self.target.place is None else [self.target.place])]
        return [Access(place.address, place.address + place.nbytes, True) for place in found]

    def check_at_call(self, t: ThreadState) -> None:
        """Refuse a picture against the rules, on products that look at the call. Raises AclError 100000."""
        layout = Layout.of(self.source.desc)
        fault = check_coded(self.rules, layout) if self.rules.strict else None
        if fault is not None:
            raise refuse_layout(t, self.source.describe(layout), fault)

    def run(self, task: Task) -> None:
        layout = self.source.layout()
        fault = check_coded(self.rules, layout)
        if fault is not None:
            raise self.broken(task, self.source.describe(layout), fault)
        form = pixel_format(layout.format)
        assert form is not None
        data = self.source.memory.reach(task)
        area = Area(0, 0, layout.width, layout.height)
        planes = form.planes(layout.width, layout.height, layout.width_stride, layout.height_stride)
        rows = rows_of(form, planes, area)
        self.source.memory.tell(task, rows, False)
        if data is None:
            return
        try:
            coded = encode_jpeg(image_of(form, data, rows, area), self.level)
        except MissingPart as error:
            raise self.fault(task, str(error)) from None
        if len(coded) > self.target.nbytes:
            text = f"the JPEG has {len(coded)} bytes, the program says that there is room for {self.target.nbytes}"
            raise self.fault(task, text)
        room = self.target.reach(task)
        self.target.tell_bytes(task, len(coded), True)
        if room is not None:
            room[: len(coded)] = np.frombuffer(coded, np.uint8)
        self._say_size(task, len(coded))

    def _say_size(self, task: Task, size: int) -> None:
        place = self.size_place
        address = place.reach(task)
        if not address:
            raise TaskFault(DEVICE_FAULT, f"{self.name}: the size cannot be written", reported=True)
        host_memory.view(address, 4).view("<u4")[0] = size
        if place.block is not None:
            tell_access(task.stream.sim.hooks, task, place.block, place.offset, place.offset + 4, True)
