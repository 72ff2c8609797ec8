"""Decoding and encoding by Pillow, an optional part: JPEG into its coded planes, PNG into pixels, planes into JPEG.

See docs/semantics/media.md#decoders.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from ascend_sim.media.codecs.jpeg_header import JpegHeader, picture_only
from ascend_sim.media.pixels.planes import Image, resample_chroma

__all__ = ["CodecError", "MissingPart", "decode_jpeg", "decode_png", "encode_jpeg"]

Pixels = npt.NDArray[np.uint8]

HALVED = (2, 2)
SHARED = {"444": (1, 1), "422": (2, 1), "420": HALVED, "440": (1, 2), "gray": (1, 1)}
"""How many pixels share a pair of chroma."""
LEFT_RIGHT, UPSIDE_DOWN = (2, 3, 6, 7), (3, 4, 7, 8)
"""Orientations of EXIF that are mirrored so, after rows and columns changed places from 5 on."""
_FAULTS = (
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError, EOFError, ArithmeticError,
    MemoryError, RuntimeError, struct.error, zlib.error,
)  # fmt: skip
"""What its plugins raise for broken files."""


class MissingPart(Exception):
    """Pillow is not installed; the text says how to get it."""


class CodecError(Exception):
    """The file cannot be decoded."""


def _pillow() -> ModuleType:
    try:
        pillow = import_module("PIL.Image")
    except ImportError as error:
        text = f"Pillow is needed for JPEG and PNG: pip install 'ascend-sim[media]' ({error})"
        raise MissingPart(text) from None
    return pillow


def _load(data: bytes, form: str, mode: str = "", size: tuple[int, int] = (0, 0)) -> Any:
    """The picture in *data*, decoded; *mode* and *size* as its draft. Raises CodecError, MissingPart."""
    pillow = _pillow()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = pillow.open(io.BytesIO(data), formats=(form,))
            if mode:
                picture.draft(mode, size)
            picture.load()
    except (*_FAULTS, pillow.DecompressionBombError) as error:
        raise CodecError(f"{type(error).__name__}: {error}") from None
    return picture


def _turn(values: Pixels, orientation: int) -> Pixels:
    """*values* (rows, columns, ...) as EXIF says they are to be shown."""
    if orientation >= 5:
        values = values.swapaxes(0, 1)
    if orientation in LEFT_RIGHT:
        values = values[:, ::-1]
    if orientation in UPSIDE_DOWN:
        values = values[::-1]
    return values


def _coded(full: Any, axis: int, length: int) -> Pixels:
    """The samples of which the decoder made *full*, twice as long along *axis*, by its triangle filter.

    Each sample c[i] is 3/4 of two results and 1/4 of a neighbour of each: (3 r[2i] - r[2i-1]) / 2 is one estimate,
    (3 r[2i+1] - r[2i+2]) / 2 the other, and their mean has half the rounding error.
    """
    values = np.moveaxis(full, axis, 0).astype(np.int16)
    count = len(values)
    first, second = values[0::2], values[1::2]
    if len(second) < length:
        second = np.concatenate([second, first[-1:]])
    before = np.concatenate([first[:1], second[:-1]])
    after = np.concatenate([first[1:], second[-1:]])
    made = 3 * first - before + 3 * second - after + 2 >> 2
    made[0] = first[0]
    if count % 2 == 0:
        made[-1] = second[-1]
    else:
        made[-1] = (3 * first[-1] - before[-1] + 1) >> 1
    found: Pixels = np.moveaxis(np.clip(made, 0, 255).astype(np.uint8), 0, axis)
    return found


def decode_jpeg(data: bytes, header: JpegHeader) -> Image:
    """The coded planes: luma, and chroma as the file has it, turned as EXIF says. Raises CodecError, MissingPart."""
    data = picture_only(data)
    sampling = header.sampling
    shared = SHARED.get(sampling)
    if shared is None or not header.is_luma_and_chroma:
        raise CodecError("its components are not luma and chroma in a sampling that the units decode")
    size = header.width, header.height
    if sampling == "gray":
        return Image(_turn(np.asarray(_load(data, "JPEG", "L", size)), header.orientation))
    if shared == HALVED and min(size) > 1:
        # at half the size the decoder gives chroma as it is coded; luma alone comes without any
        luma = np.asarray(_load(data, "JPEG", "L", size))
        small = _load(data, "JPEG", "YCbCr", (header.width // 2, header.height // 2))
        chroma = _pairs(small)
    else:
        picture = _load(data, "JPEG", "YCbCr", size)
        luma = np.asarray(picture.getchannel(0))
        chroma = _pairs(picture)
        rows, columns = luma.shape
        for axis, factor in enumerate(shared[::-1]):
            if factor == 2 and chroma.shape[axis] > 1:
                chroma = _coded(chroma, axis, -(-(rows, columns)[axis] // 2))
    if header.turned:
        shared = shared[1], shared[0]
    return Image(_turn(luma, header.orientation), _turn(chroma, header.orientation), *shared)


def _pairs(picture: Any) -> Pixels:
    made = np.empty((picture.height, picture.width, 2), np.uint8)
    for index in (1, 2):
        made[..., index - 1] = np.asarray(picture.getchannel(index))
    return made


def decode_png(data: bytes) -> Image:
    """Colours, and alpha where the file has it. Raises CodecError, MissingPart."""
    picture = _load(data, "PNG")
    has_alpha = "A" in picture.mode or "transparency" in picture.info
    pillow = _pillow()
    try:
        values = np.asarray(picture.convert("RGBA" if has_alpha else "RGB"))
    except (*_FAULTS, pillow.DecompressionBombError) as error:
        raise CodecError(f"{type(error).__name__}: {error}") from None
    return Image(colours=values[..., :3], alpha=values[..., 3] if has_alpha else None)


def encode_jpeg(image: Image, level: int) -> bytes:
    """A JPEG with halved chroma of a picture of luma and chroma. Raises MissingPart."""
    pillow = _pillow()
    assert image.luma is not None
    rows, columns = image.luma.shape
    if image.chroma is None:
        made = pillow.fromarray(np.ascontiguousarray(image.luma))
    else:
        chroma = resample_chroma(image.chroma, (image.across, image.down), (1, 1), columns, rows)
        made = pillow.merge(
            "YCbCr",
            [pillow.fromarray(np.ascontiguousarray(plane)) for plane in (image.luma, chroma[..., 0], chroma[..., 1])],
        )
    out = io.BytesIO()
    made.save(out, "JPEG", quality=level or 100, subsampling=2)
    return out.getvalue()
