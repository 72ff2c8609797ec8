"""A program's view of pictures: a device, a channel, a stream, and short ways to make descriptors."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.media.pixels.pixel_formats import pixel_format
from ascend_sim.media.rules import rules_of

Pixels = npt.NDArray[np.uint8]


class Program:
    """What a program does with pictures, in a few words."""

    def __init__(self, sim: Simulator) -> None:
        self.sim = sim
        assert C.aclrtSetDevice(0) == 0
        self.stream = C.aclrtCreateStream()[0]
        self.channel = C.acldvppCreateChannelDesc()
        assert C.acldvppCreateChannel(self.channel) == 0
        self.resize = C.acldvppCreateResizeConfig()
        self.kept: list[Any] = []

    def upload(self, data: bytes) -> int:
        """The device address of these bytes."""
        address, ret = C.acldvppMalloc(len(data))
        assert ret == 0
        assert C.aclrtMemcpy(address, len(data), data, len(data), C.ACL_MEMCPY_HOST_TO_DEVICE) == 0
        return address

    def download(self, address: int, size: int) -> Pixels:
        """The bytes at a device address."""
        found = np.zeros(size, np.uint8)
        assert C.aclrtMemcpy(found, size, address, size, C.ACL_MEMCPY_DEVICE_TO_HOST) == 0
        return found

    def describe(
        self, address: int, number: int, width: int, height: int, stride: int = 0, rows: int = 0, size: int = 0
    ) -> int:
        """A picture descriptor; strides and size are the least ones when they are 0."""
        form = pixel_format(number)
        assert form is not None
        rules = rules_of(self.sim.profile)
        assert rules is not None
        need = rules.picture(
            form, *(side // unit * unit for side, unit in zip((width, height), form.halves, strict=True))
        )
        stride, rows = stride or need.width_stride, rows or need.height_stride
        desc = C.acldvppCreatePicDesc()
        for name, value in {
            "Data": address, "Size": size or rules.size(form, stride, rows), "Format": number, "Width": width,
            "Height": height, "WidthStride": stride, "HeightStride": rows,
        }.items():  # fmt: skip
            assert getattr(C, f"acldvppSetPicDesc{name}")(desc, value) == 0
        return desc

    def picture(self, number: int, width: int, height: int, data: Pixels | None = None, **more: int) -> int:
        """A picture with memory of its own, filled with *data* or with noise."""
        desc = self.describe(1, number, width, height, **more)
        size = C.acldvppGetPicDescSize(desc)
        if data is None:
            data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
        address = self.upload(data.tobytes().ljust(size, b"\0")[:size])
        assert C.acldvppSetPicDescData(desc, address) == 0
        return desc

    def bytes_of(self, desc: int) -> Pixels:
        """All bytes of a picture's buffer."""
        return self.download(C.acldvppGetPicDescData(desc), C.acldvppGetPicDescSize(desc))

    def luma(self, desc: int) -> Pixels:
        """The first plane of a picture without its padding."""
        stride, rows = C.acldvppGetPicDescWidthStride(desc), C.acldvppGetPicDescHeightStride(desc)
        width, height = C.acldvppGetPicDescWidth(desc), C.acldvppGetPicDescHeight(desc)
        return self.bytes_of(desc)[: stride * rows].reshape(rows, stride)[:height, :width]

    def wait(self) -> int:
        """Synchronise the stream."""
        return int(C.aclrtSynchronizeStream(self.stream))

    def decode(self, data: bytes, number: int, width: int, height: int) -> int:
        """Decode a JPEG into a picture of the least strides of the product; the descriptor."""
        form = pixel_format(number)
        rules = rules_of(self.sim.profile)
        assert form is not None and rules is not None
        need = rules.decoded(form, width, height)
        desc = self.describe(1, number, width, height, need.width_stride, need.height_stride, need.size)
        C.acldvppSetPicDescData(desc, C.acldvppMalloc(need.size)[0])
        assert C.acldvppJpegDecodeAsync(self.channel, self.upload(data), len(data), desc, self.stream) == 0
        return desc

    def host(self, data: bytes) -> int:
        """A host address of these bytes, which stay."""
        held = ctypes.create_string_buffer(data, len(data))
        self.kept.append(held)
        return ctypes.addressof(held)


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Iterator[Program]:
    """On 310P, or the SoC that ``indirect`` names."""
    with Simulator(soc=getattr(request, "param", "Ascend310P3")) as sim:
        yield Program(sim)


def kinds(program: Program) -> list[str]:
    """The kinds of its findings, without notes."""
    return [f.kind for f in program.sim.findings if f.severity != "note"]
