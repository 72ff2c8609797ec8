"""What a picture descriptor shows, as an image to look at, and which part of a picture some bytes are.

See docs/semantics/media.md#looking-at-pictures.
"""

from __future__ import annotations

import base64
import os
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ascend_sim.machine.faults import AddressFault
from ascend_sim.media.descriptors import PictureDesc
from ascend_sim.media.layouts import Layout
from ascend_sim.media.pixels.conversion import store
from ascend_sim.media.pixels.pixel_formats import PixelFormat, format_name, pixel_format
from ascend_sim.media.pixels.planes import Area, Image, image_of, rows_of

if TYPE_CHECKING:
    from ascend_sim.findings.finding import ByteMap
    from ascend_sim.runtime.core import Runtime

__all__ = ["ShownPicture", "part_of", "places", "shown"]

Pixels = npt.NDArray[np.uint8]

FRAME = (255, 0, 64)
"""The colour of a marked rectangle."""
MOST_NOTES = 2


class ShownPicture:
    """A picture as red, green and blue: `pixels` (rows, columns, 3), as it was when it was shown."""

    title: str
    pixels: Pixels

    def __init__(self, title: str, pixels: Pixels) -> None:
        self.title = title
        self.pixels = pixels

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return int(self.pixels.shape[1]), int(self.pixels.shape[0])

    def marked(self, left: int, right: int, top: int, bottom: int) -> ShownPicture:
        """With a frame around a rectangle, whose ends are included as those of an acldvppRoiConfig."""
        made = self.pixels.copy()
        width, height = self.size
        left, right = max(0, left), min(right, width - 1)
        top, bottom = max(0, top), min(bottom, height - 1)
        if left <= right and top <= bottom:
            made[[top, bottom], left : right + 1] = FRAME
            made[top : bottom + 1, [left, right]] = FRAME
        return ShownPicture(f"{self.title}, ({left}, {right}, {top}, {bottom}) marked", made)

    def png(self) -> bytes:
        """A file of it."""
        width, height = self.size
        rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with the number of its filter, 0
        rows[:, 1:] = self.pixels.reshape(height, 3 * width)

        def chunk(name: bytes, body: bytes) -> bytes:
            return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

        head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        body = chunk(b"IDAT", zlib.compress(rows.tobytes(), 6))
        return b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to *path* as PNG."""
        with open(path, "wb") as file:
            file.write(self.png())

    def _repr_png_(self) -> bytes:
        return self.png()

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.png()).decode()
        return f'<figure><img src="data:image/png;base64,{data}"/><figcaption>{self.title}</figcaption></figure>'

    def __repr__(self) -> str:
        return f"<{self.title}>"


def shown(sim: Runtime, picture: object, matrix: int = 0) -> ShownPicture:
    """What *picture*, the handle of a picture descriptor or the descriptor itself, shows now; nobody is told.

    *matrix*: an acldvppCscMatrix. Raises ValueError for what is no picture, or has no memory that can be read.
    """
    desc = sim.handles.get(picture) if isinstance(picture, int) else picture
    if not isinstance(desc, PictureDesc):
        raise ValueError(f"{picture!r} is no picture descriptor: give the handle that acldvppCreatePicDesc returned")
    layout = Layout.of(desc)
    form = pixel_format(layout.format)
    if form is None:
        raise ValueError(f"{desc.describe()} has {format_name(layout.format)}, whose pixels are not known")
    if not (layout.width and layout.height):
        raise ValueError(f"{desc.describe()} is {layout.width} x {layout.height}")
    planes = form.planes(layout.width, layout.height, layout.width_stride, layout.height_stride)
    try:
        data = sim.memory.view(layout.data, max(plane.end for plane in planes))
    except AddressFault as fault:
        raise ValueError(f"{desc.describe()}: {fault.text}") from None
    area = Area(0, 0, layout.width, layout.height)
    pixels = np.zeros((layout.height, layout.width, 3), np.uint8)
    store(image_of(form, data, rows_of(form, planes, area), area), Image(colours=pixels), matrix)
    return ShownPicture(f"{desc.describe()}: {format_name(layout.format)}, {layout.width} x {layout.height}", pixels)


def part_of(form: PixelFormat, layout: Layout, lo: int, hi: int) -> Area | None:
    """The smallest rectangle with all pixels of the bytes [*lo*, *hi*) of a picture's buffer; None: padding only."""
    planes = form.planes(layout.width, layout.height, layout.width_stride, layout.height_stride)
    found: list[Area] = []
    for index, plane in enumerate(planes):
        first, last = max(lo, plane.start) - plane.start, min(hi, plane.end) - plane.start
        if last <= first:
            continue
        across, down = (form.across, form.down) if index else (1, 1)
        unit = 2 if index else form.unit
        top, bottom = first // plane.pitch, (last - 1) // plane.pitch
        left, right = 0, plane.row_bytes - 1
        if top == bottom:
            left, right = first % plane.pitch, (last - 1) % plane.pitch
            if left >= plane.row_bytes:
                continue
        left, right = left // unit * across, min(right, plane.row_bytes - 1) // unit * across + across - 1
        top, bottom = top * down, bottom * down + down - 1
        right, bottom = min(right, layout.width - 1), min(bottom, layout.height - 1)
        found.append(Area(left, top, right - left + 1, bottom - top + 1))
    return _around(found)


def _around(areas: list[Area]) -> Area | None:
    """The smallest rectangle with all of them."""
    if not areas:
        return None
    left, top = min(area.left for area in areas), min(area.top for area in areas)
    right, bottom = max(area.left + area.width for area in areas), max(area.top + area.height for area in areas)
    return Area(left, top, right - left, bottom - top)


def places(sim: Runtime, touched: ByteMap) -> list[str]:
    """For the bytes of a finding: which part of which picture they are."""
    found: list[str] = []
    seen: set[Any] = set()
    for thing in list(sim.handles.values()):
        if not isinstance(thing, PictureDesc) or not thing.data:
            continue
        layout = Layout.of(thing)
        form, block = pixel_format(layout.format), sim.memory.find(layout.data)
        if form is None or block is None or not layout.width_stride or not (layout.width and layout.height):
            continue
        if block.size != touched.size or sim.names.bare_block(block) != touched.object:
            continue
        offset = layout.data - block.address
        parts = [part_of(form, layout, part.lo - offset, part.hi - offset) for part in touched.ranges]
        area = _around([part for part in parts if part is not None])
        if area is not None and (key := (layout, area)) not in seen and len(found) < MOST_NOTES:
            seen.add(key)
            name = f"{thing.describe()} ({format_name(layout.format)}, {layout.width} x {layout.height})"
            found.append(f"{area} of {name}")
    return found
