"""H.264 and H.265 streams from pictures: x264 and x265 through PyAV, which the extra ``media`` installs.

Bytes and bit rate are not those of a device. What holds is what programs rely on: Annex-B, one access unit for each
picture at once, no picture that needs later ones, an IDR with its headers at the start of each interval
(docs/semantics/media_video.md#encoding).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_sim.media.video.video_library import video_library

__all__ = ["EncoderSettings", "VideoEncoder"]

CONSTANT_RATE = 2
_PROFILES = {0: "main", 1: "baseline", 2: "main", 3: "high"}
_QUIET = {"libx265": "log-level=none:pools=none:frame-threads=1:repeat-headers=1:"}


class EncoderSettings(NamedTuple):
    """*kind*: an acldvppStreamFormat. *interval*: pictures from one IDR to the next, 0: as the encoder likes.

    *mode* 2 keeps the bit rate constant; *kilobits* a second at most, 0: as many as good quality takes; *rate* pictures
    a second.
    """

    kind: int
    width: int
    height: int
    interval: int = 0
    mode: int = 0
    kilobits: int = 0
    rate: int = 0

    @property
    def hevc(self) -> bool:
        """H.265, not H.264."""
        return self.kind == 0


class VideoEncoder:
    """One stream. Raises ValueError for settings that the encoder refuses."""

    def __init__(self, settings: EncoderSettings) -> None:
        self._av = video_library()
        self.settings = settings
        self._sent = 0
        self._since_key = 0
        self._context = self._open()

    def encode(self, pixels: NDArray[np.uint8], swapped: bool, force_key: bool) -> bytes:
        """The access unit of a picture: rows of luma, then rows with pairs of chroma (V first where *swapped*)."""
        settings = self.settings
        width, height = settings.width, settings.height
        frame = self._av.VideoFrame(width, height, "yuv420p")
        pairs = pixels[height : height + height // 2].reshape(height // 2, width // 2, 2)
        planes = (pixels[:height], pairs[:, :, int(swapped)], pairs[:, :, int(not swapped)])
        for plane, samples in zip(frame.planes, planes, strict=True):
            into = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
            into[: samples.shape[0], : samples.shape[1]] = samples
        key = force_key or (settings.interval > 0 and self._since_key >= settings.interval)
        frame.pts, self._sent = self._sent, self._sent + 1
        self._since_key = 1 if key else self._since_key + 1
        kinds = self._av.video.frame.PictureType
        frame.pict_type = kinds.I if key else kinds.NONE
        return b"".join(bytes(packet) for packet in self._context.encode(frame))

    def _open(self) -> Any:
        settings = self.settings
        name = "libx265" if settings.hevc else "libx264"
        context = self._av.CodecContext.create(name, "w")
        context.width, context.height, context.pix_fmt = settings.width, settings.height, "yuv420p"
        rate = settings.rate or 25
        context.framerate, context.time_base = Fraction(rate), Fraction(1, rate)
        context.thread_count = 1
        options = {"preset": "veryfast", "tune": "zerolatency", "forced-idr": "1"}
        interval = settings.interval or 250
        if settings.hevc:
            options["x265-params"] = f"{_QUIET[name]}keyint={interval}:min-keyint=1:scenecut=0:bframes=0"
        else:
            options["profile"] = _PROFILES[settings.kind]
            options["x264-params"] = f"keyint={interval}:min-keyint=1:scenecut=0:bframes=0"
        if settings.kilobits:
            context.bit_rate = settings.kilobits * 1000
            if settings.mode == CONSTANT_RATE:
                options["maxrate"] = options["bufsize"] = str(settings.kilobits * 1000)
        context.options = options
        try:
            context.open()
        except self._av.error.FFmpegError as error:
            raise ValueError(f"the encoder refuses these settings: {error}") from None
        return context
