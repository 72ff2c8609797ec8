"""H.264 and H.265 pictures out of a stream: FFmpeg through PyAV, which the extra ``media`` installs.

FFmpeg runs in this process, so what it may take is bounded before it looks at a byte: the size of its pictures, and
how many it keeps. It never fails for what a stream holds: a picture that cannot be decoded is an answer as any other.
See docs/semantics/media_video.md#pictures-in-and-out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_sim.media.video.video_library import video_library

__all__ = ["DEEPEST", "Decoded", "Frame", "VideoDecoder"]

Plane = NDArray[np.uint8]

DEEPEST = 18
"""A picture that has not come when so many later ones were sent is lost: the standards let 16 pass it."""
_LAYOUTS = {"yuv420p": 0, "yuvj420p": 0, "yuv420p10le": 2, "gray": 0}
"""Formats of decoded video that the units of a device know, and the bits that are too many for a byte."""
_FINER = {"yuvj422p": (1, 2), "yuvj444p": (2, 2), "yuvj440p": (2, 1)}
"""Of pictures in JPEG: how many columns and rows of chroma become one."""


class Frame(NamedTuple):
    """A picture in the layout of the stream: luma, and both chroma planes at half width and height."""

    width: int
    height: int
    luma: Plane
    first: Plane
    """Cb, also called U."""
    second: Plane
    """Cr, also called V."""


class Decoded(NamedTuple):
    """What became of the piece of the stream with this *number*; without *frame* it could not be decoded."""

    number: int
    frame: Frame | None


class VideoDecoder:
    """One stream of *codec* (``"h264"``, ``"hevc"``) with pictures up to *most* (width, height).

    *in_order*: pictures come in the order in which they are shown, later than they were sent where later ones are needed
    for them; otherwise as soon as they are decoded.
    """

    def __init__(self, codec: str, least: tuple[int, int], most: tuple[int, int], in_order: bool = True) -> None:
        self._av = video_library()
        self._least, self._most = least, most
        self._codec = codec
        self._in_order = in_order
        self._waiting: dict[int, None] = {}
        """The numbers of pieces whose pictures have not come, in the order in which they were sent."""
        self._context = self._open()

    def kept(self) -> int:
        """How many pieces were sent whose pictures have not come."""
        return len(self._waiting)

    def decode(self, data: bytes, number: int) -> list[Decoded]:
        """What comes out when *data*, a picture with its headers, goes in as the piece *number*. Never fails."""
        self._waiting[number] = None
        if not data:
            return [self._lost(number)]
        packet = self._av.Packet(data)
        packet.pts = number
        try:
            found = self._shown(self._context.decode(packet))
        except (self._av.error.FFmpegError, MemoryError):
            found = [self._lost(number)]
        found += [self._lost(old) for old in list(self._waiting) if old <= number - DEEPEST]
        return found

    def flush(self) -> list[Decoded]:
        """The end of the stream: everything that is still to come. What is sent next begins a new stream."""
        try:
            found = self._shown(self._context.decode(None))
        except (self._av.error.FFmpegError, MemoryError):
            found = []
        found += [self._lost(old) for old in list(self._waiting)]
        self._context = self._open()
        return found

    def _open(self) -> Any:
        context = self._av.CodecContext.create(self._codec, "r")
        context.thread_count = 1  # more would let the order of threads into the results, and keep more pictures
        context.options = {"max_pixels": str(self._most[0] * self._most[1])}
        if not self._in_order:
            context.flags |= self._av.codec.context.Flags.low_delay
        return context

    def _shown(self, frames: list[Any]) -> list[Decoded]:
        found = []
        for frame in frames:
            if frame.pts in self._waiting:
                del self._waiting[frame.pts]
                found.append(Decoded(frame.pts, self._frame(frame)))
        return found

    def _lost(self, number: int) -> Decoded:
        self._waiting.pop(number, None)
        return Decoded(number, None)

    def _frame(self, frame: Any) -> Frame | None:
        """The planes of *frame*; None for one that is damaged, or not of a kind that a device decodes."""
        width, height = frame.width, frame.height
        fits = self._least[0] <= width <= self._most[0] and self._least[1] <= height <= self._most[1]
        name = frame.format.name
        finer = _FINER.get(name, (1, 1)) if self._codec == "mjpeg" else (1, 1)
        shift = 0 if finer != (1, 1) else _LAYOUTS.get(name)
        if shift is None or not fits or frame.is_corrupt:
            return None
        luma = _plane(frame.planes[0], width, height, shift)
        across, down = -(-width // 2), -(-height // 2)
        if len(frame.planes) == 1:
            grey = np.full((down, across), 128, np.uint8)
            return Frame(width, height, luma, grey, grey)
        sides = (across if finer[0] == 1 else width, down if finer[1] == 1 else height)
        first, second = (_mean(_plane(frame.planes[i], *sides, shift), finer) for i in (1, 2))
        return Frame(width, height, luma, first, second)


def _mean(plane: Plane, unit: tuple[int, int]) -> Plane:
    """One sample for each *unit* (columns, rows), the border repeated."""
    across, down = unit
    if unit == (1, 1):
        return plane
    padded = np.pad(plane, ((0, plane.shape[0] % down), (0, plane.shape[1] % across)), "edge").astype(np.uint16)
    rows, columns = padded.shape
    sums = padded.reshape(rows // down, down, columns // across, across).sum((1, 3))
    found: Plane = ((sums + across * down // 2) // (across * down)).astype(np.uint8)
    return found


def _plane(plane: Any, width: int, height: int, shift: int) -> Plane:
    """The samples of a plane, 8 bits each; those of 10 bits lose their last *shift*."""
    rows = np.frombuffer(plane, np.uint8)
    if shift:
        wide = rows.view("<u2").reshape(-1, plane.line_size // 2)[:height, :width]
        return (wide >> shift).astype(np.uint8)
    return rows.reshape(-1, plane.line_size)[:height, :width]
