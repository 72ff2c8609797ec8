"""Decoded pictures into buffers: scaled and converted as VPC does it (vpc.py, pixels)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ascend_sim.media.pixels.conversion import store
from ascend_sim.media.pixels.planes import Area, Image, image_of, rows_of
from ascend_sim.media.vpc import scaled

if TYPE_CHECKING:
    from ascend_sim.media.pixels.pixel_formats import PixelFormat, Plane
    from ascend_sim.media.video.video_decoder import Frame

__all__ = ["write_frame"]

BILINEAR = 1


def write_frame(
    buffer: NDArray[np.uint8], frame: Frame, form: PixelFormat, width: int, height: int, planes: tuple[Plane, ...],
    matrix: int,
) -> None:  # fmt: skip
    """Write *frame*, scaled to *width* x *height*, into *buffer* with these *planes*; nothing between rows is touched."""
    image = Image(frame.luma, np.dstack([frame.first, frame.second]), 2, 2)
    area = Area(0, 0, width, height)
    into = image_of(form, buffer, rows_of(form, planes, area), area)
    store(scaled(image, width, height, BILINEAR), into, matrix)
