"""From the bytes of images to the tensor of a network: swap, crop, convert colours, normalise, pad (AIPP).

The formulas are those of ATC's guide. Where it is silent: missing colour values of YUV420SP are repeated, converted
colours are cut off at 0 and 255, `>> 8` rounds down, and what is normalised is float16. Not the numerics of an AI Core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from ascend_sim.om.aipp import CHANNELS, LARGEST_SIDE, YUV400, YUV420SP, image_bytes

if TYPE_CHECKING:
    from ascend_sim.models.aipp_parameters import ImageSettings, Parameters

__all__ = ["ImageError", "check", "preprocess"]

Array = npt.NDArray[Any]
XRGB8888: Final = 2
NCHW: Final = 0


class ImageError(Exception):
    """Settings that no image can be made with; the message says why."""


def preprocess(
    given: Parameters, data: npt.NDArray[np.uint8], dims: tuple[int, ...], format_: int, type_: np.dtype[Any]
) -> Array:
    """The tensor of *dims* in *format_* (0 NCHW, 1 NHWC). Raises ImageError."""
    check(given)
    size = image_bytes(given.format, given.height, given.width)
    made = [
        _one(given, image, data[i * size : (i + 1) * size], dims[1 if format_ == NCHW else 3], type_)
        for i, image in enumerate(given.images)
    ]
    if len({image.shape for image in made}) != 1:
        raise ImageError(f"the images become different: {sorted({image.shape for image in made})}")
    batch = np.stack(made)
    if format_ == NCHW:
        batch = batch.transpose(0, 3, 1, 2)
    if batch.shape != dims:
        raise ImageError(f"AIPP makes a tensor of {list(batch.shape)}, the network takes {list(dims)}")
    return np.ascontiguousarray(batch)


def check(given: Parameters) -> None:
    """Raises ImageError for settings that were never made, or that come from somewhere else."""
    if given.format not in CHANNELS:
        raise ImageError("no settings of AIPP have been written for this input: aclmdlSetInputAIPP")
    sides = [
        given.height,
        given.width,
        *(n for image in given.images for n in image.padding_size if image.padding == 1),
    ]
    if not all(0 <= side <= LARGEST_SIDE for side in sides):
        raise ImageError(f"the sizes {sides} are outside 0 to {LARGEST_SIDE}")
    if given.format == YUV420SP and (given.height % 2 or given.width % 2):
        raise ImageError(f"the images are {given.width} x {given.height}: YUV420SP_U8 needs even sizes")
    if given.format == YUV400 and given.csc == 1:
        raise ImageError("colours are converted (cscSwitch), and YUV400_U8 has none")


def _one(
    given: Parameters, image: ImageSettings, data: npt.NDArray[np.uint8], channels: int, type_: np.dtype[Any]
) -> Array:
    if image.scale == 1:
        raise ImageError("scaling (scfSwitch) is not modelled: no product here has it")
    pixels = _swapped(_unpacked(given.format, data, given.height, given.width), given)
    if image.crop == 1:
        (x, y), (width, height) = image.crop_start, image.crop_size
        if min(x, y) < 0 or y + height > given.height or x + width > given.width:
            raise ImageError(f"the crop {width} x {height} from ({x}, {y}) leaves {given.width} x {given.height}")
        pixels = pixels[y : y + height, x : x + width]
    if given.csc == 1:
        pixels = _converted(pixels, given)
    if channels > pixels.shape[2]:
        raise ImageError(f"the network takes {channels} channels, the images have {pixels.shape[2]}")
    result: Array = pixels[:, :, :channels]
    if type_ != np.uint8:  # bytes stay as they are
        result = _normalised(result, image, channels).astype(type_)
    if image.padding == 1:
        top, bottom, left, right = image.padding_size
        with np.errstate(all="ignore"):
            value = np.asarray(given.padding_value).astype(type_)
        result = np.pad(result, ((top, bottom), (left, right), (0, 0)), constant_values=value)
    return result


def _unpacked(format_: int, data: npt.NDArray[np.uint8], height: int, width: int) -> npt.NDArray[np.uint8]:
    """Rows, columns, channels."""
    if format_ != YUV420SP:
        return data.reshape(height, width, CHANNELS[format_])
    luma = data[: height * width].reshape(height, width, 1)
    chroma = data[height * width :].reshape(height // 2, width // 2, 2)
    return np.concatenate((luma, chroma.repeat(2, axis=0).repeat(2, axis=1)), axis=2)


def _swapped(pixels: npt.NDArray[np.uint8], given: Parameters) -> npt.NDArray[np.uint8]:
    """With the channels of the format: X moved behind the colours (ax), red and blue or U and V exchanged (rbuv)."""
    if given.format == XRGB8888 and given.ax_swap == 1:
        pixels = pixels[:, :, [1, 2, 3, 0]]
    if given.rbuv_swap == 1 and given.format != YUV400:
        first, second = (1, 2) if given.format == YUV420SP else (0, 2)
        order = list(range(pixels.shape[2]))
        order[first], order[second] = second, first
        pixels = pixels[:, :, order]
    return pixels


def _converted(pixels: npt.NDArray[np.uint8], given: Parameters) -> npt.NDArray[np.uint8]:
    """YUV to colours takes the input bias off before, colours to YUV adds the output bias behind; X is dropped."""
    colours = pixels[:, :, :3].astype(np.int32)
    matrix = np.array(given.matrix, np.int32).reshape(3, 3)
    if given.format == YUV420SP:
        made = ((colours - np.array(given.input_bias, np.int32)) @ matrix.T) >> 8
    else:
        made = (colours @ matrix.T >> 8) + np.array(given.output_bias, np.int32)
    result: npt.NDArray[np.uint8] = made.clip(0, 255).astype(np.uint8)
    return result


def _normalised(pixels: Array, image: ImageSettings, channels: int) -> npt.NDArray[np.float16]:
    mean, least, factor = (
        np.array(values[:channels], np.float16).astype(np.float32) for values in (image.mean, image.min, image.var_reci)
    )
    with np.errstate(all="ignore"):
        made: npt.NDArray[np.float16] = ((pixels.astype(np.float32) - mean - least) * factor).astype(np.float16)
    return made
