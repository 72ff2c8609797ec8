"""The settings of dynamic preprocessing (AIPP): what aclmdlCreateAIPP makes, and the bytes that the device reads.

64 bytes for all images, then 96 for each; real numbers travel as float16
(docs/semantics/models.md#image-preprocessing).
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

import numpy as np

from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.om.aipp import CHANNELS, FORMATS, YUV400, YUV420SP, image_bytes

if TYPE_CHECKING:
    from ascend_sim.om import Aipp

__all__ = ["BATCH_BYTES", "HEAD_BYTES", "ImageSettings", "Parameters", "check", "data_bytes", "output_size"]

HEAD_BYTES: Final = 64
BATCH_BYTES: Final = 96
_HEAD: Final = struct.Struct("<B4b3x2i9h6x3B3B18x")
_IMAGE: Final = struct.Struct("<4b4x4i4i4i4h4H4H16x")
_ON_DEVICE: Final = {1: 1, 2: 2, 3: 5, 4: 10, 5: 3, 6: 4, 7: 6, 8: 7, 9: 8, 10: 9, 11: 11, 12: 12, 13: 13, 14: 16}
"""The numbers that stand in the bytes for each aclAippInputFormat."""
_FROM_DEVICE: Final = {number: format_ for format_, number in _ON_DEVICE.items()}
NARROW_ARCHS: Final = (1001, 2002, 2201, 3510)
"""Where a padded image may be 1080 pixels wide at most."""
ARCHS: Final = (*NARROW_ARCHS, 3002)
WIDEST_PADDED: Final = 1080


def data_bytes(batch: int) -> int:
    """Bytes of the settings of *batch* images on the device."""
    return HEAD_BYTES + BATCH_BYTES * batch


def _halves(values: tuple[float, ...]) -> list[int]:
    return [int(bits) for bits in np.asarray(values, np.float16).view(np.uint16)]


def _reals(bits: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(float(value) for value in np.asarray(bits, np.uint16).view(np.float16))


class ImageSettings:
    """What is done with one image. Sizes in pixels, (width, height) as the API has them."""

    __slots__ = (
        "crop", "crop_size", "crop_start", "mean", "min", "padding", "padding_size", "scale", "scale_from", "scale_to",
        "var_reci",
    )  # fmt: skip

    def __init__(self) -> None:
        self.crop = 0
        self.crop_start = (0, 0)
        self.crop_size = (0, 0)
        self.scale = 0
        self.scale_from = (0, 0)
        self.scale_to = (0, 0)
        self.padding = 0
        self.padding_size = (0, 0, 0, 0)
        """Top, bottom, left, right."""
        self.mean: tuple[int, ...] = (0, 0, 0, 0)
        self.min: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
        self.var_reci: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0)

    def pack(self) -> bytes:
        """The 96 bytes."""
        return _IMAGE.pack(
            self.crop, self.scale, self.padding, 0, *self.crop_start, *self.crop_size, *self.scale_from, *self.scale_to,
            *self.padding_size, *self.mean, *_halves(self.min), *_halves(self.var_reci),
        )  # fmt: skip

    @classmethod
    def unpack(cls, data: bytes) -> ImageSettings:
        """What 96 bytes say."""
        found = _IMAGE.unpack(data)
        made = cls()
        made.crop, made.scale, made.padding = found[:3]
        made.crop_start, made.crop_size = found[4:6], found[6:8]
        made.scale_from, made.scale_to = found[8:10], found[10:12]
        made.padding_size, made.mean = found[12:16], found[16:20]
        made.min, made.var_reci = _reals(found[20:24]), _reals(found[24:28])
        return made


class Parameters:
    """The settings of a batch of images; `handle` names it in the API."""

    __slots__ = (
        "ax_swap", "csc", "format", "handle", "height", "images", "input_bias", "matrix", "output_bias",
        "padding_value", "rbuv_swap", "width",
    )  # fmt: skip

    def __init__(self, batch: int) -> None:
        self.handle = 0
        self.format = 0
        """An aclAippInputFormat; 0 until it is set."""
        self.csc = self.rbuv_swap = self.ax_swap = 0
        self.width = self.height = 0
        self.matrix: tuple[int, ...] = (0,) * 9
        self.output_bias: tuple[int, ...] = (0, 0, 0)
        self.input_bias: tuple[int, ...] = (0, 0, 0)
        self.padding_value = 0.0
        """Of static preprocessing only: it does not travel."""
        self.images = [ImageSettings() for _ in range(batch)]

    def describe(self) -> str:
        """The settings in words."""
        return f"AIPP parameters {self.handle:#x} for {len(self.images)} images"

    @property
    def source_bytes(self) -> int:
        """Bytes of all images; 0 of a format that no product here takes."""
        return len(self.images) * image_bytes(self.format, self.height, self.width) if self.format in CHANNELS else 0

    def pack(self) -> bytes:
        """The bytes for the device."""
        head = _HEAD.pack(
            _ON_DEVICE.get(self.format, 0), self.csc, self.rbuv_swap, self.ax_swap, _int8(len(self.images)),
            self.width, self.height, *self.matrix, *self.output_bias, *self.input_bias,
        )  # fmt: skip
        return head + b"".join(image.pack() for image in self.images)

    @classmethod
    def unpack(cls, data: bytes, batch: int) -> Parameters:
        """What the bytes say of the first *batch* images."""
        found = _HEAD.unpack_from(data)
        made = cls(0)
        made.format = _FROM_DEVICE.get(found[0], 0)
        made.csc, made.rbuv_swap, made.ax_swap = found[1:4]
        made.width, made.height = found[5:7]
        made.matrix, made.output_bias, made.input_bias = found[7:16], found[16:19], found[19:22]
        starts = (HEAD_BYTES + BATCH_BYTES * i for i in range(batch))
        made.images = [ImageSettings.unpack(data[start : start + BATCH_BYTES]) for start in starts]
        return made

    @classmethod
    def static(cls, aipp: Aipp, batch: int, height: int, width: int) -> Parameters:
        """The settings that stand in a model, for a network that takes *batch* images of *height* times *width*."""
        made = cls(0)
        made.format, made.csc = aipp.input_format, int(aipp.csc_switch)
        made.rbuv_swap, made.ax_swap = int(aipp.rbuv_swap_switch), int(aipp.ax_swap_switch)
        made.height, made.width = aipp.source_size(height, width)
        made.matrix, made.output_bias, made.input_bias = aipp.colour_matrix, aipp.output_bias, aipp.input_bias
        made.padding_value = aipp.padding_value
        image = ImageSettings()
        rows, columns = aipp.cropped_size(height, width)
        image.crop, image.crop_size = int(aipp.crop), (columns, rows)
        image.crop_start = (aipp.load_start_pos_w, aipp.load_start_pos_h)
        image.padding = int(aipp.padding)
        image.padding_size = (
            aipp.top_padding_size, aipp.bottom_padding_size, aipp.left_padding_size, aipp.right_padding_size,
        )  # fmt: skip
        image.mean, image.min, image.var_reci = aipp.mean, aipp.min, aipp.var_reci
        made.images = [image] * batch
        return made


def _int8(number: int) -> int:
    return (number + 128) % 256 - 128


# -- the tests of aclmdlSetInputAIPP (docs/semantics/models.md#image-preprocessing) ----------------------------------


def output_size(given: Parameters, index: int, arch: int) -> tuple[int, int]:
    """Width and height of what becomes of an image. Raises AclError 100000 when padding makes it too wide."""
    image = given.images[index]
    width, height = given.width, given.height
    if image.scale == 1:
        width, height = image.scale_to
    elif image.crop == 1:
        width, height = image.crop_size
    if image.padding == 1:
        top, bottom, left, right = image.padding_size
        width, height = width + left + right, height + top + bottom
        if arch in NARROW_ARCHS and width > WIDEST_PADDED:
            raise _wrong(f"image {index} is {width} pixels wide after padding: {WIDEST_PADDED} at most")
    return width, height


def check(given: Parameters, arch: int) -> None:
    """The tests that need no model, in their order. Raises AclError 100000."""
    if not given.format:
        raise _wrong("the format was not set: aclmdlSetAIPPInputFormat")
    if arch not in ARCHS:
        raise _wrong(f"the product (architecture {arch}) has no dynamic AIPP")
    if given.format not in CHANNELS:
        raise _wrong(f"format {given.format} is set: the product takes {', '.join(FORMATS)}")
    if given.format == YUV400 and given.csc == 1:
        raise _wrong("colours are converted (cscSwitch), and YUV400_U8 has none")
    if not given.width or not given.height:
        raise _wrong("the size of the images was not set: aclmdlSetAIPPSrcImageSize")
    if given.format == YUV420SP and (given.width % 2 or given.height % 2):
        raise _wrong(f"the images are {given.width} x {given.height}: YUV420SP_U8 needs even sizes")
    first = output_size(given, 0, arch)
    for index, image in enumerate(given.images):
        if image.scale == 1:
            raise _wrong(f"image {index} is scaled (scfSwitch), which the product does not support")
        if image.crop == 1:
            _check_crop(given, index)
        made = output_size(given, index, arch)
        if made != first:
            raise _wrong(f"image {index} becomes {made[0]} x {made[1]}, image 0 {first[0]} x {first[1]}")


def _check_crop(given: Parameters, index: int) -> None:
    (x, y), (width, height) = given.images[index].crop_start, given.images[index].crop_size
    if x + width > given.width or y + height > given.height:
        where = f"{width} x {height} from ({x}, {y})"
        raise _wrong(f"the crop {where} of image {index} leaves the image of {given.width} x {given.height}")
    if given.format == YUV420SP and (x % 2 or y % 2):
        raise _wrong(f"the crop of image {index} starts at ({x}, {y}): YUV420SP_U8 needs even numbers")


def _wrong(text: str) -> AclError:
    return AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
