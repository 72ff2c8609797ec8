"""Clips for tests of video, and a program that decodes them: the threads and calls that each test would repeat."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import av
import numpy as np

import ascend_sim.ascendcl as C
from ascend_sim.errors import SimulatedHang

__all__ = ["H264", "H265", "Decoding", "Serving", "clip", "levels"]

H265, H264 = 0, 3
_NAMES = {H264: "libx264", H265: "libx265"}
_PARAMETERS = {
    H264: ("x264-params", "threads=1:b-adapt=0:rc-lookahead=4:repeat-headers=1"),
    H265: ("x265-params", "log-level=none:pools=none:frame-threads=1:b-adapt=0:rc-lookahead=4:repeat-headers=1"),
}


def levels(count: int) -> list[int]:
    """The luma of each picture of a clip: each its own."""
    return [16 + i * 7 % 220 for i in range(count)]


def clip(kind: int = H264, count: int = 8, width: int = 160, height: int = 128, reordered: int = 0) -> list[bytes]:
    """*count* grey pictures, one piece each, in decoding order; *reordered*: so many in a row need a later one."""
    context: Any = av.CodecContext.create(_NAMES[kind], "w")
    context.width, context.height, context.pix_fmt = width, height, "yuv420p"
    context.time_base, context.framerate = Fraction(1, 25), Fraction(25)
    context.thread_count = 1
    name, text = _PARAMETERS[kind]
    context.options = {"preset": "ultrafast", name: f"{text}:bframes={reordered}"}
    pieces: list[bytes] = []
    for number, level in enumerate(levels(count)):
        pixels = np.full((height * 3 // 2, width), 128, np.uint8)
        pixels[:height] = level
        frame = av.VideoFrame.from_ndarray(pixels, "yuv420p")
        frame.pts = number
        pieces += [bytes(packet) for packet in context.encode(frame)]
    return pieces + [bytes(packet) for packet in context.encode(None)]


class Serving:
    """A thread of the program that runs callbacks until it is told to stop."""

    def __init__(self) -> None:
        self.context, ret = C.aclrtGetCurrentContext()
        assert ret == 0
        self.running = True
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()
        assert self.thread.ident is not None
        self.ident: int = self.thread.ident

    def _serve(self) -> None:
        C.aclrtSetCurrentContext(self.context)
        with contextlib.suppress(SimulatedHang):  # a test about hangs looks at it in its own thread
            while self.running:
                C.aclrtProcessReport(100)

    def stop(self) -> None:
        """Let it end."""
        self.running = False
        self.thread.join()


class Decoding:
    """A channel, its thread, and what its callback got: (user data, ret_code, picture as bytes) in order."""

    def __init__(
        self, kind: int, width: int = 160, height: int = 128, *, form: int = 1, settings: dict[str, Any] | None = None,
        callback: Callable[[int, int, Any], None] | None = None, serving: Serving | None = None,
    ) -> None:  # fmt: skip
        self.serving = serving or Serving()
        self.form, self.size = (
            form,
            width * height * (3 if form in (12, 13) else 1) * (2 if form in (12, 13) else 3) // 2,
        )
        self.got: list[tuple[Any, int, bytes]] = []
        self.shapes: list[tuple[int, int, int, int]] = []
        self.desc = C.aclvdecCreateChannelDesc()
        values = {
            "ChannelId": 3, "ThreadId": self.serving.ident, "Callback": callback or self.take, "EnType": kind,
            "OutPicFormat": form, **(settings or {}),
        }  # fmt: skip
        for name, value in values.items():
            assert getattr(C, f"aclvdecSetChannelDesc{name}")(self.desc, value) == 0
        self.created: int = C.aclvdecCreateChannel(self.desc)
        self.buffer, _ = C.acldvppMalloc(1 << 20)
        self.sent = 0

    def take(self, stream: int, picture: int, user_data: Any) -> None:
        """What callbacks of programs do."""
        C.acldvppDestroyStreamDesc(stream)
        if not picture:
            self.got.append((user_data, 0, b""))
            return
        code = C.acldvppGetPicDescRetCode(picture)
        address, size = C.acldvppGetPicDescData(picture), C.acldvppGetPicDescSize(picture)
        self.shapes.append(
            tuple(
                getattr(C, f"acldvppGetPicDesc{n}")(picture) for n in ("Width", "Height", "WidthStride", "HeightStride")
            )
        )
        pixels = bytearray(size)
        assert C.aclrtMemcpy(pixels, size, address, size, 2) == 0
        self.got.append((user_data, code, b"" if code else bytes(pixels)))
        C.acldvppFree(address)
        C.acldvppDestroyPicDesc(picture)

    def send(self, piece: bytes, size: int | None = None, **fields: int) -> int:
        """One piece; the same input buffer each time. *fields*: of the picture descriptor."""
        assert C.aclrtMemcpy(self.buffer, 1 << 20, piece, len(piece), 1) == 0
        stream = C.acldvppCreateStreamDesc()
        C.acldvppSetStreamDescData(stream, self.buffer)
        C.acldvppSetStreamDescSize(stream, len(piece))
        picture = C.acldvppCreatePicDesc()
        size = size or self.size
        address, _ = C.acldvppMalloc(size)
        for name, value in {"Data": address, "Size": size, "Format": self.form, **fields}.items():
            assert getattr(C, f"acldvppSetPicDesc{name}")(picture, value) == 0
        self.sent += 1
        return C.aclvdecSendFrame(self.desc, stream, picture, 0, self.sent - 1)

    def skip(self, piece: bytes) -> int:
        """One piece that nobody wants to see."""
        assert C.aclrtMemcpy(self.buffer, 1 << 20, piece, len(piece), 1) == 0
        stream = C.acldvppCreateStreamDesc()
        C.acldvppSetStreamDescData(stream, self.buffer)
        C.acldvppSetStreamDescSize(stream, len(piece))
        self.sent += 1
        return C.aclvdecSendSkippedFrame(self.desc, stream, 0, self.sent - 1)

    def end_stream(self) -> int:
        """The end of the stream."""
        stream = C.acldvppCreateStreamDesc()
        C.acldvppSetStreamDescEos(stream, 1)
        code: int = C.aclvdecSendFrame(self.desc, stream, 0, 0, None)
        C.acldvppDestroyStreamDesc(stream)
        return code

    def close(self) -> int:
        """Destroy all, in the order of the manual; what aclvdecDestroyChannel answered."""
        code: int = C.aclvdecDestroyChannel(self.desc)
        self.serving.stop()
        assert C.aclvdecDestroyChannelDesc(self.desc) == 0
        C.acldvppFree(self.buffer)
        return code

    def all(self, pieces: Sequence[bytes]) -> list[tuple[Any, int, bytes]]:
        """Send *pieces*, close, and return what the callback got."""
        for piece in pieces:
            assert self.send(piece) == 0
        assert self.close() == 0
        return self.got
