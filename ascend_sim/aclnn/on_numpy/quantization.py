"""Values as integers with scales, and the scales as cube cores read them."""

from __future__ import annotations

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.element_types import element_name
from ascend_sim.aclnn.on_numpy.storing import Array, store

__all__: list[str] = []

LARGEST = {"float8_e5m2": 57344.0, "float8_e4m3fn": 448.0}
KEPT_BITS = 0xFFFFE000
"""The upper 19 bits of a float: what the cube cores take of a scale."""


@numpy_body("aclnnQuantize")
def quantize(x: Array, scales: Array, zero_points: Array | None, data_type: int, axis: int, out: Array) -> None:
    """Values over their scale and with the zero point, then rounded to nearest, ties to even, within the type."""
    shape = [1] * x.ndim
    if scales.size != 1:
        shape[axis] = scales.size
    made = x / scales.reshape(shape)
    if zero_points is not None:
        made = made + zero_points.astype(np.float32).reshape(shape if zero_points.size != 1 else [1] * x.ndim)
    if out.dtype.kind == "f":
        limit = LARGEST[element_name(out)]
        store(out, np.clip(made, -limit, limit))
        return
    limits = np.iinfo(out.dtype)
    store(out, np.clip(np.rint(made), limits.min, limits.max))


@numpy_body("aclnnTransQuantParamV2")
def scale_words(scale: Array, offset: Array | None, out: Array) -> None:
    _scale_words(scale, offset, 0, out)


@numpy_body("aclnnTransQuantParamV3")
def rounded_scale_words(scale: Array, offset: Array | None, rounding: int, out: Array) -> None:
    _scale_words(scale, offset, rounding, out)


def _scale_words(scale: Array, offset: Array | None, rounding: int, out: Array) -> None:
    """19 bits of the float, cut off or (*rounding* 1) rounded; bit 46; the offset in nine bits from bit 37 on."""
    bits = np.ascontiguousarray(scale, np.float32).view(np.uint32).astype(np.uint64)
    if rounding == 1:
        bits = (bits + np.uint64(0xFFF) + (bits >> np.uint64(13) & np.uint64(1))) & np.uint64(0xFFFFFFFF)
    words = bits & np.uint64(KEPT_BITS) | np.uint64(1 << 46)
    if offset is not None:
        whole = np.clip(np.rint(offset), -256, 255).astype(np.int64) & 0x1FF
        words = words | whole.astype(np.uint64) << np.uint64(37)
    store(out, words.view(out.dtype).reshape(out.shape) if words.size == out.size else words.view(out.dtype))


def _scale(words: Array) -> Array:
    """The scale as a number: 64 bits hold one as `scale_words` makes it."""
    if words.dtype.itemsize < 8 or words.dtype.kind not in "iu":
        return words
    numbers: Array = (words.astype(np.uint64) & np.uint64(KEPT_BITS)).astype(np.uint32).view(np.float32)
    return numbers


@numpy_body("aclnnQuantMatmulV5", "aclnnQuantMatmulWeightNz")
def quant_matmul(
    x1: Array, x2: Array, x1_scale: Array | None, x2_scale: Array, y_scale: Array | None, x1_offset: Array | None,
    x2_offset: Array | None, y_offset: Array | None, bias: Array | None, transpose_x1: bool, transpose_x2: bool,
    group_size: int, out: Array,
) -> None:  # fmt: skip
    """``(x1 @ x2 + whole bias) * scale * scale of the row + bias + offset``; integers are multiplied exactly.

    Raises NotImplementedError for scales of blocks and groups: the body on torch has them.
    """
    left = x1.swapaxes(-1, -2) if transpose_x1 else x1
    right = x2.swapaxes(-1, -2) if transpose_x2 else x2
    scale = _scale(x2_scale)
    in_blocks = scale.ndim >= 2 and scale.size > 1 and scale.shape[-2:] != (1, right.shape[-1])
    if in_blocks or any(values.dtype.kind != "i" or values.itemsize != 1 for values in (x1, x2)):
        raise NotImplementedError("products by blocks and of INT4 are computed where torch is installed")
    total = left.astype(np.float64) @ right.astype(np.float64)
    whole = bias is not None and bias.dtype.kind == "i"
    if bias is not None and whole:
        total = total + bias
    values = total * (scale.reshape(()) if scale.size == 1 else scale).astype(np.float64)
    if x1_scale is not None:
        values = values * x1_scale.reshape(-1, 1).astype(np.float64)
    for added in (None if whole else bias, x2_offset):
        values = values if added is None else values + added
    if out.dtype.kind == "f":
        store(out, values.astype(np.float32))
    else:
        limits = np.iinfo(out.dtype)
        store(out, np.clip(np.rint(values.astype(np.float32)), limits.min, limits.max))


quant_matmul.float8 = frozenset()  # type: ignore[attr-defined]
