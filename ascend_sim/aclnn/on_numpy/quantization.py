"""Values as integers with scales, and the scales as cube cores read them."""

from __future__ import annotations

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, store

__all__: list[str] = []

KEPT_BITS = 0xFFFFE000
"""The upper 19 bits of a float: what the cube cores take of a scale."""


@numpy_body("aclnnQuantize")
def quantize(x: Array, scales: Array, zero_points: Array | None, data_type: int, axis: int, out: Array) -> None:
    """Values over their scale, rounded to nearest, ties to even, with the zero point on top, within the type."""
    shape = [1] * x.ndim
    if scales.size != 1:
        shape[axis] = scales.size
    made = np.rint(x / scales.reshape(shape))
    if zero_points is not None:
        made = made + zero_points.astype(np.float32).reshape(shape if zero_points.size != 1 else [1] * x.ndim)
    limits = np.iinfo(out.dtype)
    store(out, np.clip(made, limits.min, limits.max))


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
