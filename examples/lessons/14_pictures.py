"""Lesson 14. Pictures: planes, strides, and descriptors that are read later

The media units scale, cut and decode pictures. A picture is memory and a *descriptor*, which says how the pixels lie
there: a format, a size, and strides, which are the size of the buffer that the picture is drawn on.

    ascend-sim run --soc Ascend310P3 14_pictures.py
"""

from typing import Any

import acl
import numpy as np
from numpy.typing import NDArray

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
NV12 = 1  # a plane of luma, then a plane with pairs of chroma, half as wide and half as high
SHADES = " .:+#"


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


def picture(width: int, height: int, luma: int, stride: int = 0) -> int:
    """A descriptor with memory of its own; all pixels have the same *luma*."""
    stride = stride or -(-width // 16) * 16  # on this product a row begins at a multiple of 16
    size = stride * height * 3 // 2
    data = must(acl.media.dvpp_malloc(size))
    must(acl.rt.memset(data, size, luma, size))
    desc = acl.media.dvpp_create_pic_desc()
    acl.media.dvpp_set_pic_desc_data(desc, data)
    acl.media.dvpp_set_pic_desc_size(desc, size)
    acl.media.dvpp_set_pic_desc_format(desc, NV12)
    acl.media.dvpp_set_pic_desc_width(desc, width)
    acl.media.dvpp_set_pic_desc_height(desc, height)
    acl.media.dvpp_set_pic_desc_width_stride(desc, stride)
    acl.media.dvpp_set_pic_desc_height_stride(desc, height)
    return desc


def rows_of(desc: int) -> NDArray[np.uint8]:
    """The first plane, padding included."""
    stride = acl.media.dvpp_get_pic_desc_width_stride(desc)
    rows = np.empty((acl.media.dvpp_get_pic_desc_height(desc), stride), np.uint8)
    data = acl.media.dvpp_get_pic_desc_data(desc)
    must(acl.rt.memcpy(rows.ctypes.data, rows.nbytes, data, rows.nbytes, DEVICE_TO_HOST))
    return rows


def show(title: str, rows: NDArray[np.uint8]) -> None:
    """Draw a plane with characters: one for two columns and four rows."""
    print(f"{title}:")
    for row in rows[: len(rows) // 4 * 4].reshape(-1, 4, rows.shape[1] // 2, 2).mean(axis=(1, 3)):
        print("   |" + "".join(SHADES[int(value) * len(SHADES) // 256] for value in row) + "|")


must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
channel = acl.media.dvpp_create_channel_desc()
must(acl.media.dvpp_create_channel(channel))
bilinear = acl.media.dvpp_create_resize_config()

# 60 columns are drawn on rows of 64 bytes. The last four bytes of a row are padding: nobody looks at them.
large = picture(60, 48, 0)
rows = rows_of(large)
y, x = np.mgrid[0:48, 0:64]
rows[((x - 30) / 26) ** 2 + ((y - 24) / 20) ** 2 < 1] = 120
rows[((x - 30) / 10) ** 2 + ((y - 24) / 8) ** 2 < 1] = 255
rows[:, 60:] = 70
must(acl.rt.memcpy(acl.media.dvpp_get_pic_desc_data(large), rows.nbytes, rows.ctypes.data, rows.nbytes, HOST_TO_DEVICE))
show("60 x 48 pixels on rows of 64 bytes", rows)

# Who takes the width for the stride reads the second row four bytes too early, then eight, then twelve: it leans.
show("the same bytes, read with a stride of 60", rows.reshape(-1)[: 60 * 48].reshape(48, 60))

# An operation is a task of a stream. 0 means queued: the task reads both descriptors when it runs, and says in the
# output's how it went.
small = picture(40, 24, 0)
must(acl.media.dvpp_vpc_resize_async(channel, large, small, bilinear, stream))
must(acl.rt.synchronize_stream(stream))
print("the code of the resize:", acl.media.dvpp_get_pic_desc_ret_code(small))
show("40 x 24", rows_of(small))

# A rectangle has both ends included. A crop of another size than its target is scaled. A paste writes its rectangle and
# nothing else: what was in the picture stays.
canvas = picture(64, 32, 200)
crop = acl.media.dvpp_create_roi_config(30, 59, 0, 47)
paste = acl.media.dvpp_create_roi_config(16, 47, 8, 23)
must(acl.media.dvpp_vpc_crop_and_paste_async(channel, large, canvas, crop, paste, stream))
must(acl.media.dvpp_destroy_roi_config(crop))  # rectangles were copied into the task; descriptors are not
must(acl.media.dvpp_destroy_roi_config(paste))
must(acl.rt.synchronize_stream(stream))
show("the right half, pasted into 32 x 16 pixels of a bright picture", rows_of(canvas))

for desc in (large, small, canvas):
    must(acl.media.dvpp_free(acl.media.dvpp_get_pic_desc_data(desc)))
    must(acl.media.dvpp_destroy_pic_desc(desc))
must(acl.media.dvpp_destroy_resize_config(bilinear))
must(acl.media.dvpp_destroy_channel(channel))
must(acl.media.dvpp_destroy_channel_desc(channel))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - Read the code of the resize before the synchronise.
# - Make `small` with a stride of 40: the task fails, and the report says which stride would be right. Then run it with
#   --soc Ascend910B3, where rows need no alignment.
# - Paste from column 8 on: this product wants a multiple of 16.
# - examples/media/decode_resize_classify.py of the repository decodes a JPEG and gives the scaled picture to a model.
