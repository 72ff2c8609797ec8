"""What a picture costs: a JPEG of 1920 x 1080 decoded and scaled to 224 x 224, against Pillow doing so by itself."""

from __future__ import annotations

import io
import statistics
from collections.abc import Collection
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ascend_sim.cli.bench.floors import Group, Row, Settings, Value, clock

__all__ = ["GROUP"]

WIDTH, HEIGHT, SIDE = 1920, 1080, 224
ROUNDS = 15

ROWS = (Row("picture_1080p", "x Pillow", 1.3, "decode and resize of a 1080p JPEG against Pillow's own"),)


def _missing() -> str | None:
    return None if find_spec("PIL") is not None else "pillow not installed"


def _file(pillow: Any) -> bytes:
    """A JPEG with gradients, edges and noise."""
    import numpy as np

    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    base = np.stack([x * 255 // WIDTH, y * 255 // HEIGHT, (x // 64 + y // 64) % 2 * 200], -1)
    noise = np.random.default_rng(0).integers(-8, 8, base.shape)
    out = io.BytesIO()
    pillow.fromarray(np.clip(base + noise, 0, 255).astype(np.uint8)).save(out, "JPEG", quality=85)
    return out.getvalue()


def _describe(c: Any, address: int, width: int, height: int) -> int:
    desc: int = c.acldvppCreatePicDesc()
    c.acldvppSetPicDescData(desc, address)
    c.acldvppSetPicDescSize(desc, width * height * 3 // 2)
    c.acldvppSetPicDescFormat(desc, c.PIXEL_FORMAT_YUV_SEMIPLANAR_420)
    c.acldvppSetPicDescWidth(desc, width)
    c.acldvppSetPicDescHeight(desc, height)
    c.acldvppSetPicDescWidthStride(desc, width)
    c.acldvppSetPicDescHeightStride(desc, height)
    return desc


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    """The ratio, and microseconds by Pillow: both in turn, since the machine does other things, too."""
    from ascend_sim import ascendcl as C
    from ascend_sim.simulator import Simulator

    pillow = import_module("PIL.Image")
    data = _file(pillow)
    with Simulator(threads=settings.threads, soc="Ascend310P3") as sim:
        C.aclrtSetDevice(0)
        stream = C.aclrtCreateStream()[0]
        channel, scaling = C.acldvppCreateChannelDesc(), C.acldvppCreateResizeConfig()
        C.acldvppCreateChannel(channel)
        rows = -(-HEIGHT // 16) * 16
        coded = C.acldvppMalloc(len(data))[0]
        C.aclrtMemcpy(coded, len(data), data, len(data), C.ACL_MEMCPY_HOST_TO_DEVICE)
        large = _describe(C, C.acldvppMalloc(WIDTH * rows * 3 // 2)[0], WIDTH, rows)
        small = _describe(C, C.acldvppMalloc(SIDE * SIDE * 3 // 2)[0], SIDE, SIDE)

        def ours() -> None:
            C.acldvppJpegDecodeAsync(channel, coded, len(data), large, stream)
            C.acldvppVpcResizeAsync(channel, large, small, scaling, stream)
            assert C.aclrtSynchronizeStream(stream) == 0, [finding.title for finding in sim.findings]

        def theirs() -> None:
            picture = pillow.open(io.BytesIO(data))
            picture.load()
            picture.resize((SIDE, SIDE), pillow.BILINEAR)

        ratios, alone = [], []
        for _ in range(ROUNDS):
            times = []
            for call in (theirs, ours, theirs):
                begin = clock()
                call()
                times.append(clock() - begin)
            ratios.append(2 * times[1] / (times[0] + times[2]))
            alone.append(times[0] * 1e6)
    return {"picture_1080p": (statistics.median(ratios), statistics.median(alone))}


GROUP = Group(ROWS, _measure, _missing)
