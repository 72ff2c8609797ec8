"""What the markers of a JPEG say, read within bounds: size, components, sampling, the turn of EXIF.

See docs/semantics/media.md#jpeg.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

__all__ = ["Component", "JpegError", "JpegHeader", "picture_only", "read_header"]

SOI, EOI, SOS, DRI, DQT, DHT = 0xD8, 0xD9, 0xDA, 0xDD, 0xDB, 0xC4
BASELINE = 0xC0
FRAMES = frozenset(range(0xC0, 0xD0)) - {DHT, 0xC8, 0xCC}
"""Markers that begin a frame: all codings, of which the units know the first."""
ALONE = frozenset({0x01, SOI, *range(0xD0, 0xD8)})
"""Markers without a length."""
APP0, APP1, APP14, COM = 0xE0, 0xE1, 0xEE, 0xFE
ORIENTATION = 0x0112
MOST_MARKERS = 1 << 12
"""Nobody writes more before the picture; a file with more is broken."""

SAMPLINGS = {(1, 1): "444", (2, 1): "422", (2, 2): "420", (1, 2): "440", (4, 1): "411"}


class JpegError(ValueError):
    """The bytes are no JPEG; the text says where it ends."""


class Component(NamedTuple):
    """One component of a frame: its number, and how its samples relate to those of the others."""

    number: int
    across: int
    down: int


class JpegHeader(NamedTuple):
    """What stands before the picture data."""

    width: int
    height: int
    components: tuple[Component, ...]
    coding: int
    """The marker of the frame; `BASELINE` is what the units decode."""
    precision: int
    orientation: int
    """Of EXIF: 1 to 8, 1 is upright."""
    transform: int | None
    """What an Adobe marker says of the colours: 0 none, 1 luma and chroma, 2 with black; None without one."""
    jfif: bool

    @property
    def sampling(self) -> str:
        """``"420"``, ``"422"``, ``"444"``, ``"440"``, ``"411"``, ``"gray"``, or empty for others."""
        if len(self.components) == 1:
            return "gray"
        if len(self.components) != 3:
            return ""
        first, *others = self.components
        if any(other[1:] != others[0][1:] for other in others):
            return ""
        across, down = others[0][1:]
        if not across or not down or first.across % across or first.down % down:
            return ""
        return SAMPLINGS.get((first.across // across, first.down // down), "")

    @property
    def is_luma_and_chroma(self) -> bool:
        """Not red, green and blue, as the decoders tell it: by JFIF, by Adobe's marker, by the numbers of components."""
        if len(self.components) == 1:
            return True
        if len(self.components) != 3:
            return False
        if self.jfif:
            return True
        if self.transform is not None:
            return self.transform != 0
        return tuple(one.number for one in self.components) != (0x52, 0x47, 0x42)

    @property
    def turned(self) -> bool:
        """Width and height change places when EXIF is followed."""
        return self.orientation >= 5


def _orientation(data: bytes) -> int:
    """Of an EXIF segment; 1 where it says nothing sensible."""
    if data[:6] != b"Exif\0\0":
        return 1
    body = data[6:]
    order = {b"II": "<", b"MM": ">"}.get(body[:2])
    if order is None or len(body) < 8:
        return 1
    (at,) = struct.unpack_from(order + "I", body, 4)
    if at + 2 > len(body):
        return 1
    (count,) = struct.unpack_from(order + "H", body, at)
    for place in range(at + 2, min(at + 2 + 12 * count, len(body) - 11), 12):
        tag, _, _, value = struct.unpack_from(order + "HHIH", body, place)
        if tag == ORIENTATION:
            return value if 1 <= value <= 8 else 1
    return 1


def _segments(data: bytes) -> list[tuple[int, int, int]]:
    """(marker, start, end) of the segments up to the picture data: *start* at the marker, *end* behind the segment."""
    if data[:2] != b"\xff\xd8":
        raise JpegError("it does not begin with FF D8")
    found: list[tuple[int, int, int]] = []
    at = 2
    while len(found) < MOST_MARKERS:
        at = data.find(b"\xff", at)
        if at < 0:
            break
        while at < len(data) and data[at] == 0xFF:
            at += 1
        if at >= len(data):
            break
        marker = data[at]
        if marker == 0 or marker in ALONE:
            at += 1
            continue
        if marker == EOI:
            break
        if at + 3 > len(data):
            break
        length = data[at + 1] << 8 | data[at + 2]
        end = at + 1 + length
        if length < 2 or end > len(data):
            raise JpegError(
                f"the segment {marker:02X} at byte {at - 1} has {length} bytes, {len(data) - at - 1} are left"
            )
        found.append((marker, at - 1, end))
        if marker == SOS:
            break
        at = end
    return found


def _frame(body: bytes) -> tuple[int, int, int, tuple[Component, ...]]:
    if len(body) < 6 or len(body) < 6 + 3 * body[5]:
        raise JpegError("its frame header is cut off")
    precision, height, width, count = struct.unpack_from(">BHHB", body)
    parts = tuple(Component(body[6 + 3 * i], body[7 + 3 * i] >> 4, body[7 + 3 * i] & 15) for i in range(count))
    if not count or any(not 1 <= part.across <= 4 or not 1 <= part.down <= 4 for part in parts):
        raise JpegError("its frame has components that cannot be")
    if not width or not height:
        raise JpegError(f"its frame is {width} x {height}")
    return precision, width, height, parts


def read_header(data: bytes) -> JpegHeader:
    """What the markers say up to the picture data. Raises JpegError when that is no JPEG."""
    frame: tuple[int, int, int, tuple[Component, ...]] | None = None
    coding, orientation, jfif = 0, 1, False
    transform: int | None = None
    scan = False
    for marker, start, end in _segments(data):
        body = data[start + 4 : end]
        if marker in FRAMES:
            if frame is not None:
                raise JpegError("it has two frame headers")
            frame, coding = _frame(body), marker
        elif marker == APP0 and body[:5] == b"JFIF\0":
            jfif = True
        elif marker == APP1 and orientation == 1:
            orientation = _orientation(body)
        elif marker == APP14 and body[:5] == b"Adobe" and len(body) >= 12:
            transform = body[11]
        scan = scan or marker == SOS
    if frame is None or not scan:
        raise JpegError("it has no frame header" if frame is None else "it has no picture data")
    precision, width, height, parts = frame
    return JpegHeader(width, height, parts, coding, precision, orientation, transform, jfif)


def picture_only(data: bytes) -> bytes:
    """The JPEG without what a decoder does not need: comments, EXIF, thumbnails, profiles, further pictures' index."""
    parts = [data[:2]]
    end = 2
    for marker, start, stop in _segments(data):
        body = data[start + 4 : stop]
        keep = not (APP0 <= marker <= 0xEF or marker == COM)
        keep = keep or (marker == APP0 and body[:5] == b"JFIF\0") or (marker == APP14 and body[:5] == b"Adobe")
        if keep:
            parts.append(data[start:stop])
        end = stop
    parts.append(data[end:])
    return b"".join(parts)
