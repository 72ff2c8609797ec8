"""A picture whose rows are shorter than the device needs them, and the cure.

300 columns of luma are 300 bytes; but on the older products a row begins at a multiple of 16, so that 304 bytes belong to
each. Who takes the width for the stride gets a refused call or a failed task, depending on the product; who sets the right
stride, but copies rows of 300 bytes into the buffer, gets a picture that leans to one side, and no error at all.

    ascend-sim run --soc Ascend310P3 stride_mistake.py
"""

from typing import Any

import acl
import numpy as np
from numpy.typing import NDArray

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
NV12 = 1
WIDTH, HEIGHT = 300, 200


def up(value: int, unit: int) -> int:
    """The next multiple of *unit*."""
    return -(-value // unit) * unit


def must(result: Any) -> Any:
    """The values of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    if ret != 0:
        raise RuntimeError(f"the call returned {ret}: {acl.get_recent_err_msg()}")
    return values[0] if len(values) == 1 else values


def describe(width: int, height: int, stride: int) -> tuple[int, int]:
    """A picture with memory of its own: the descriptor and the address."""
    size = stride * height * 3 // 2
    data = must(acl.media.dvpp_malloc(size))
    must(acl.rt.memset(data, size, 128, size))
    desc = acl.media.dvpp_create_pic_desc()
    for name, value in {
        "data": data, "size": size, "format": NV12, "width": width, "height": height, "width_stride": stride,
        "height_stride": height,
    }.items():
        must(getattr(acl.media, f"dvpp_set_pic_desc_{name}")(desc, value))
    return desc, data


def draw() -> NDArray[np.uint8]:
    """Luma with one bright column in the middle."""
    luma = np.full((HEIGHT, WIDTH), 40, np.uint8)
    luma[:, WIDTH // 2 - 4 : WIDTH // 2 + 4] = 220
    return luma


def crop(channel: int, stream: int, desc: int) -> NDArray[np.uint8] | None:
    """The left top 160 x 96 pixels of the picture moved by 80 columns; None when the device refuses them."""
    width, height = 160, 96
    out, data = describe(width, height, width)
    area = acl.media.dvpp_create_roi_config(80, 80 + width - 1, 0, height - 1)
    ret = acl.media.dvpp_vpc_crop_async(channel, desc, out, area, stream)
    ret = ret or acl.rt.synchronize_stream(stream)
    must(acl.media.dvpp_destroy_roi_config(area))
    luma = np.empty((height, width), np.uint8)
    if ret == 0:
        must(acl.rt.memcpy(luma.ctypes.data, luma.size, data, luma.size, DEVICE_TO_HOST))
    must(acl.media.dvpp_destroy_pic_desc(out))
    must(acl.media.dvpp_free(data))
    return None if ret else luma


def bright(luma: NDArray[np.uint8]) -> list[int | None]:
    """Where the bright column is in the first and in the last row."""
    return [int(np.flatnonzero(row > 128)[0]) if (row > 128).any() else None for row in (luma[0], luma[-1])]


def show(name: str, channel: int, stream: int, stride: int, row_bytes: int) -> None:
    """Put the picture into memory with rows of *row_bytes*, say that they have *stride*, and cut a part out."""
    desc, data = describe(WIDTH, HEIGHT, stride)
    rows = np.full((HEIGHT, row_bytes), 40, np.uint8)
    rows[:, :WIDTH] = draw()[:, :row_bytes]
    must(acl.rt.memcpy(data, rows.size, rows.ctypes.data, rows.size, HOST_TO_DEVICE))
    luma = crop(channel, stream, desc)
    if luma is None:
        print(f"{name}: refused")
    else:
        first, last = bright(luma)
        print(f"{name}: the column is at {first} in the first row, at {last} in the last")
    must(acl.media.dvpp_destroy_pic_desc(desc))
    must(acl.media.dvpp_free(data))


def main() -> None:
    """The mistake that is told, the one that is only seen, and the cure."""
    must(acl.init())
    must(acl.rt.set_device(0))
    stream = must(acl.rt.create_stream())
    channel = acl.media.dvpp_create_channel_desc()
    must(acl.media.dvpp_create_channel(channel))
    stride = up(WIDTH, 16)
    show("the stride is the width", channel, stream, WIDTH, WIDTH)
    show("the right stride, rows without padding", channel, stream, stride, WIDTH)
    show("the right stride, rows with padding", channel, stream, stride, stride)
    must(acl.media.dvpp_destroy_channel(channel))
    must(acl.media.dvpp_destroy_channel_desc(channel))
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.reset_device(0))
    must(acl.finalize())


if __name__ == "__main__":
    main()
