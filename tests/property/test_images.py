"""Preprocessing of images against a pixel by pixel account of ATC's guide, and settings on their way to the device."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_sim.models.aipp_parameters import ImageSettings, Parameters
from ascend_sim.models.images import ImageError, check, preprocess

YUV420SP, XRGB, RGB, GREY = 1, 2, 3, 4
CHANNELS = {YUV420SP: 3, XRGB: 4, RGB: 3, GREY: 1}
switches = st.integers(0, 1)
bytes_ = st.integers(0, 255)
halves = st.floats(0, 255, width=16)


@st.composite
def images(draw: st.DrawFn, even: bool, width: int, height: int) -> ImageSettings:
    """Settings of one image that stay inside of it."""
    made = ImageSettings()
    step = 2 if even else 1
    x, y = draw(st.integers(0, (width - 1) // step)) * step, draw(st.integers(0, (height - 1) // step)) * step
    made.crop, made.crop_start = draw(switches), (x, y)
    made.crop_size = draw(st.integers(1, width - x)), draw(st.integers(1, height - y))
    made.padding = draw(switches)
    made.padding_size = draw(st.tuples(*[st.integers(0, 2)] * 4))
    made.mean = draw(st.tuples(*[bytes_] * 4))
    made.min = draw(st.tuples(*[halves] * 4))
    made.var_reci = draw(st.tuples(*[st.floats(-4, 4, width=16)] * 4))
    return made


@st.composite
def parameters(draw: st.DrawFn) -> Parameters:
    """Settings of one image."""
    made = Parameters(0)
    made.format = draw(st.sampled_from([YUV420SP, XRGB, RGB, GREY]))
    even = made.format == YUV420SP
    made.width, made.height = (draw(st.integers(1, 3)) * (2 if even else 1) for _ in range(2))
    made.csc = 0 if made.format == GREY else draw(switches)
    made.rbuv_swap, made.ax_swap = draw(switches), draw(switches)
    made.matrix = draw(st.tuples(*[st.integers(-600, 600)] * 9))
    made.output_bias, made.input_bias = (draw(st.tuples(bytes_, bytes_, bytes_)) for _ in range(2))
    made.images = [draw(images(even, made.width, made.height))]
    return made


def pixel(made: Parameters, data: bytes, x: int, y: int) -> list[int]:
    """The channels of one pixel, swapped as the switches say."""
    width, height = made.width, made.height
    if made.format == YUV420SP:
        chroma = width * height + y // 2 * width + x // 2 * 2
        found = [data[y * width + x], data[chroma], data[chroma + 1]]
        return [found[0], found[2], found[1]] if made.rbuv_swap else found
    count = CHANNELS[made.format]
    found = list(data[(y * width + x) * count : (y * width + x + 1) * count])
    if made.format == XRGB and made.ax_swap:
        found = [*found[1:], found[0]]
    if made.rbuv_swap and made.format != GREY:
        found[0], found[2] = found[2], found[0]
    return found


def colours(made: Parameters, channels: list[int]) -> list[int]:
    """After the colour conversion."""
    if not made.csc:
        return channels
    yuv = made.format == YUV420SP
    given = [c - b for c, b in zip(channels, made.input_bias, strict=False)] if yuv else channels[:3]
    result = []
    for row in range(3):
        value = sum(made.matrix[3 * row + i] * given[i] for i in range(3)) >> 8
        result.append(min(max(value + (0 if yuv else made.output_bias[row]), 0), 255))
    return result


def expected(made: Parameters, data: bytes, count: int) -> np.ndarray[Any, Any]:
    """Rows, columns, channels as float16 values."""
    image = made.images[0]
    (left, upper), (width, height) = (
        (image.crop_start, image.crop_size) if image.crop else ((0, 0), (made.width, made.height))
    )
    top, bottom, before, behind = image.padding_size if image.padding else (0, 0, 0, 0)
    result = np.zeros((top + height + bottom, before + width + behind, count), np.float16)
    for y in range(height):
        for x in range(width):
            channels = colours(made, pixel(made, data, left + x, upper + y))
            for c in range(count):
                value = np.float32(channels[c]) - np.float32(image.mean[c]) - np.float32(image.min[c])
                result[top + y, before + x, c] = np.float16(value * np.float32(image.var_reci[c]))
    return result


@settings(max_examples=120, deadline=None)
@given(made=parameters(), data=st.data())
def test_every_pixel_becomes_what_the_guide_says(made: Parameters, data: st.DataObject) -> None:
    raw = data.draw(st.binary(min_size=made.source_bytes, max_size=made.source_bytes))
    available = 3 if made.csc else CHANNELS[made.format]
    count = data.draw(st.integers(1, available))
    wanted = expected(made, raw, count)
    travelled = Parameters.unpack(made.pack(), 1)
    for format_, layout in ((1, wanted[None]), (0, wanted.transpose(2, 0, 1)[None])):
        got = preprocess(travelled, np.frombuffer(raw, np.uint8), layout.shape, format_, np.dtype(np.float32))
        np.testing.assert_array_equal(got, layout.astype(np.float32))


@settings(max_examples=300, deadline=None)
@given(sent=parameters(), flips=st.lists(st.tuples(st.integers(0, 159), st.integers(1, 255)), max_size=4))
def test_any_bytes_are_settings_or_refused(sent: Parameters, flips: list[tuple[int, int]]) -> None:
    raw = bytearray(sent.pack())
    for place, value in flips:
        raw[place] ^= value
    made = Parameters.unpack(bytes(raw), 1)
    try:
        check(made)
        if made.source_bytes > 1 << 16:
            return
        data = np.zeros(made.source_bytes, np.uint8)
        preprocess(made, data, (1, made.height, made.width, 1), 1, np.dtype(np.float32))
    except ImageError:
        pass


@given(made=parameters())
def test_settings_arrive_as_they_were_sent(made: Parameters) -> None:
    again = Parameters.unpack(made.pack(), 1)
    for name in ("format", "width", "height", "csc", "rbuv_swap", "ax_swap", "matrix", "output_bias", "input_bias"):
        assert getattr(again, name) == getattr(made, name)
    for name in ImageSettings.__slots__:
        assert getattr(again.images[0], name) == getattr(made.images[0], name), name
