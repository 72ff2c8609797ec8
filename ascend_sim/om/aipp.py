"""Preprocessing of images in front of an input (AIPP), as a stand-in describes it; checked field by field.

A model with it takes the bytes of images (NHWC, uint8) where the network behind takes a tensor. *Static*: the settings
stand in the model. *Dynamic*: each run brings them in an extra input, and the model only bounds the size of its images.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import asdict, field, fields, frozen

__all__ = ["CHANNELS", "FORMATS", "LARGEST_SIDE", "Aipp", "AippError", "aipp_from_json", "aipp_to_json", "image_bytes"]

FORMATS: Final = {"YUV420SP_U8": 1, "XRGB8888_U8": 2, "RGB888_U8": 3, "YUV400_U8": 4}
"""ATC's names of the formats that the products here take, and their aclAippInputFormat."""
CHANNELS: Final = {1: 3, 2: 4, 3: 3, 4: 1}
"""How many channels a pixel of a format has once it is unpacked."""
YUV420SP: Final = 1
YUV400: Final = 4
LARGEST_SIDE: Final = 4096
MOST_PADDING: Final = 32
MATRIX_LOW, MATRIX_HIGH = -32677, 32676
LARGEST_HALF: Final = 65504.0
TO_BGR: Final = (298, 516, 0, 298, -100, -208, 298, 0, 409)
TO_YUV: Final = (66, 129, 25, -38, -74, 112, 112, -94, -18)
"""The matrices that ATC takes when a file has none: from YUV420SP, and from everything else."""


class AippError(ValueError):
    """Settings that break a rule; the message names the field."""


@frozen
class Aipp:
    """The preprocessing of one input. Sizes in pixels; *src_image_size_w* and *_h* 0: as large as the network's input.

    Without *mode* ``"static"`` only *max_src_image_size* counts (bytes of all images; 0: the largest format's).
    The order of work: channels are swapped, the image is cropped, its colours converted, it is normalised, then padded.
    """

    mode: str = "dynamic"
    input_format: int = 0
    """An aclAippInputFormat: 1 YUV420SP_U8, 2 XRGB8888_U8, 3 RGB888_U8, 4 YUV400_U8."""
    src_image_size_w: int = 0
    src_image_size_h: int = 0
    crop: bool = False
    load_start_pos_w: int = 0
    load_start_pos_h: int = 0
    crop_size_w: int = 0
    """0: what the network's input leaves."""
    crop_size_h: int = 0
    padding: bool = False
    left_padding_size: int = 0
    right_padding_size: int = 0
    top_padding_size: int = 0
    bottom_padding_size: int = 0
    padding_value: float = 0.0
    csc_switch: bool = False
    rbuv_swap_switch: bool = False
    ax_swap_switch: bool = False
    matrix: tuple[int, ...] = field(default=(), converter=tuple)
    """Nine numbers, row after row, in 256ths; none: ATC's for the format."""
    input_bias: tuple[int, ...] = field(default=(16, 128, 128), converter=tuple)
    output_bias: tuple[int, ...] = field(default=(16, 128, 128), converter=tuple)
    mean: tuple[int, ...] = field(default=(0, 0, 0, 0), converter=tuple)
    min: tuple[float, ...] = field(default=(0.0, 0.0, 0.0, 0.0), converter=tuple)
    var_reci: tuple[float, ...] = field(default=(1.0, 1.0, 1.0, 1.0), converter=tuple)
    max_src_image_size: int = 0

    @property
    def is_static(self) -> bool:
        """Whether the settings stand in the model."""
        return self.mode == "static"

    @property
    def colour_matrix(self) -> tuple[int, ...]:
        """The matrix of the colour conversion."""
        return self.matrix or (TO_BGR if self.input_format == YUV420SP else TO_YUV)

    def source_size(self, height: int, width: int) -> tuple[int, int]:
        """Height and width of the images for a network that takes *height* times *width* (-1: not known yet)."""
        return self.src_image_size_h or height, self.src_image_size_w or width

    def cropped_size(self, height: int, width: int) -> tuple[int, int]:
        """Height and width of what is cut out for a network that takes *height* times *width*."""
        if not self.crop:
            return self.source_size(height, width)
        rows = self.crop_size_h or (height - self.top_padding_size - self.bottom_padding_size)
        columns = self.crop_size_w or (width - self.left_padding_size - self.right_padding_size)
        return rows, columns


def image_bytes(format_: int, height: int, width: int) -> int:
    """Bytes of one image of a format of `FORMATS`."""
    return height * width * 3 // 2 if format_ == YUV420SP else height * width * CHANNELS[format_]


# -- checking ----------------------------------------------------------------------------------------------------------

_LIMITS: Final[dict[str, tuple[float, float]]] = {
    "input_format": (0, 4),
    "src_image_size_w": (0, LARGEST_SIDE), "src_image_size_h": (0, LARGEST_SIDE),
    "load_start_pos_w": (0, LARGEST_SIDE - 1), "load_start_pos_h": (0, LARGEST_SIDE - 1),
    "crop_size_w": (0, LARGEST_SIDE), "crop_size_h": (0, LARGEST_SIDE),
    "left_padding_size": (0, MOST_PADDING), "right_padding_size": (0, MOST_PADDING),
    "top_padding_size": (0, MOST_PADDING), "bottom_padding_size": (0, MOST_PADDING),
    "padding_value": (-LARGEST_HALF, LARGEST_HALF),
    "matrix": (MATRIX_LOW, MATRIX_HIGH), "input_bias": (0, 255), "output_bias": (0, 255),
    "mean": (0, 255), "min": (0, 255), "var_reci": (-LARGEST_HALF, LARGEST_HALF),
    "max_src_image_size": (0, (1 << 32) - 1),
}  # fmt: skip
_COUNTS: Final = {
    "matrix": (0, 9),
    "input_bias": (3,),
    "output_bias": (3,),
    "mean": (4,),
    "min": (4,),
    "var_reci": (4,),
}
_REAL: Final = ("padding_value", "min", "var_reci")


def _check_number(name: str, value: Any) -> None:
    low, high = _LIMITS[name]
    wanted = (int, float) if name in _REAL else (int,)
    if isinstance(value, bool) or not isinstance(value, wanted) or not low <= value <= high:
        raise AippError(f"aipp.{name} is {value!r}: a number from {low:g} to {high:g} is required")


def _check_fields(aipp: Aipp) -> None:
    if aipp.mode not in ("static", "dynamic"):
        raise AippError(f"aipp.mode is {aipp.mode!r}: static or dynamic is required")
    for attribute in fields(Aipp):
        name, value = attribute.name, getattr(aipp, attribute.name)
        if name in _COUNTS:
            if len(value) not in _COUNTS[name]:
                raise AippError(f"aipp.{name} has {len(value)} numbers, {_COUNTS[name][-1]} are required")
            for number in value:
                _check_number(name, number)
        elif name in _LIMITS:
            _check_number(name, value)
        elif name != "mode" and not isinstance(value, bool):
            raise AippError(f"aipp.{name} is {value!r}: true or false is required")


def check_aipp(aipp: Aipp, data_type: int, dims: tuple[int, ...], format_: int) -> None:
    """Raises AippError for settings outside their ranges, and for an input that no image can become."""
    _check_fields(aipp)
    if len(dims) != 4 or format_ not in (0, 1):
        raise AippError(f"aipp needs an input of 4 dims in the format NCHW or NHWC, this one has {list(dims)}")
    if data_type not in (0, 1, 4):
        raise AippError(f"aipp makes float, float16 or uint8, the input has data type {data_type}")
    if aipp.is_static:
        height, width = (dims[2], dims[3]) if format_ == 0 else (dims[1], dims[2])
        _check_static(aipp, dims[1] if format_ == 0 else dims[3], height, width)


def _check_static(aipp: Aipp, channels: int, height: int, width: int) -> None:
    if aipp.input_format not in CHANNELS:
        raise AippError("aipp.input_format is required of static preprocessing")
    if channels > CHANNELS[aipp.input_format] or (channels < 1 and channels != -1):
        raise AippError(f"the input has {channels} channels, its images have {CHANNELS[aipp.input_format]}")
    if aipp.csc_switch and aipp.input_format == YUV400:
        raise AippError("aipp.csc_switch is on, and YUV400_U8 has no colours")
    if min(height, width) < 0 and (aipp.crop or aipp.padding or aipp.src_image_size_h or aipp.src_image_size_w):
        raise AippError("gears of the image's size leave no room for src_image_size, crop and padding")
    source_h, source_w = aipp.source_size(height, width)
    if aipp.input_format == YUV420SP:
        starts = (aipp.load_start_pos_w, aipp.load_start_pos_h) if aipp.crop else ()
        if any(n > 0 and n % 2 for n in (source_h, source_w, *starts)):
            raise AippError("sizes and the start of the crop have to be even for YUV420SP_U8")
    rows, columns = aipp.cropped_size(height, width)
    fits = min(rows, columns) >= 1
    fits = fits and aipp.load_start_pos_h + rows <= source_h and aipp.load_start_pos_w + columns <= source_w
    if aipp.crop and min(source_h, source_w) > 0 and not fits:
        raise AippError(f"the crop of {columns} x {rows} leaves the image of {source_w} x {source_h}")
    if aipp.padding:
        rows += aipp.top_padding_size + aipp.bottom_padding_size
        columns += aipp.left_padding_size + aipp.right_padding_size
    for made, wanted, what in ((rows, height, "rows"), (columns, width, "columns")):
        if wanted >= 0 and made != wanted:
            raise AippError(f"the preprocessing makes images of {made} {what}, the input has {wanted}")


# -- JSON --------------------------------------------------------------------------------------------------------------


def aipp_from_json(value: Any) -> Aipp | None:
    """The settings in parsed JSON; None for none, ``true`` is dynamic preprocessing. Raises AippError."""
    if value is None or value is False:
        return None
    if value is True:
        return Aipp()
    if not isinstance(value, dict):
        raise AippError("aipp is no object")
    known = {attribute.name for attribute in fields(Aipp)}
    unknown = sorted(set(value) - known)
    if unknown:
        raise AippError(f"aipp has an unknown field {unknown[0]!r}")
    wrong = [name for name in _COUNTS if not isinstance(value.get(name, []), list)]
    if wrong:
        raise AippError(f"aipp.{wrong[0]} is no list")
    return Aipp(**value)


def aipp_to_json(aipp: Aipp) -> dict[str, Any]:
    """What differs from the defaults, and the mode."""
    plain = asdict(Aipp())
    found = asdict(aipp)
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in found.items()
        if name == "mode" or value != plain[name]
    }
