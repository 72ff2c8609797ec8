"""A JPEG is decoded, scaled and classified on the device: the pixels never come to the host.

The file goes to the device as it is. Its header says how large the picture is and how many bytes the decoder needs; the
real size is read back after decoding, since some products cut an odd column or row off. The model takes the memory of
the scaled picture as its input. On a machine with an NPU, your own JPEG files and compiled model take the place of
those that are made here.
"""

from pathlib import Path
from typing import Any

import acl
import numpy as np
from numpy.typing import NDArray

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
NV12 = 1
SIDE = 64
CLASSES = "red", "green", "blue", "gray"
MODEL = str(Path(__file__).parents[1] / "models" / "colours.om")
COLOURS = {"red": (76, 85, 255), "green": (150, 44, 21), "blue": (29, 255, 107), "gray": (120, 128, 128)}


def must(result: Any) -> Any:
    """The values of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    if ret != 0:
        raise RuntimeError(f"the call returned {ret}: {acl.get_recent_err_msg()}")
    return values[0] if len(values) == 1 else values


def up(value: int, unit: int) -> int:
    """The next multiple of *unit*."""
    return -(-value // unit) * unit


class Pictures:
    """A channel, a stream, and what is made for one picture."""

    def __init__(self) -> None:
        self.stream = must(acl.rt.create_stream())
        self.channel = acl.media.dvpp_create_channel_desc()
        must(acl.media.dvpp_create_channel(self.channel))
        self.scaling = acl.media.dvpp_create_resize_config()

    def describe(
        self, width: int, height: int, width_stride: int, height_stride: int, size: int = 0
    ) -> tuple[int, int]:
        """A picture with memory of its own: the descriptor and the address."""
        size = size or width_stride * height_stride * 3 // 2
        data = must(acl.media.dvpp_malloc(size))
        desc = acl.media.dvpp_create_pic_desc()
        must(acl.media.dvpp_set_pic_desc_data(desc, data))
        must(acl.media.dvpp_set_pic_desc_size(desc, size))
        must(acl.media.dvpp_set_pic_desc_format(desc, NV12))
        must(acl.media.dvpp_set_pic_desc_width(desc, width))
        must(acl.media.dvpp_set_pic_desc_height(desc, height))
        must(acl.media.dvpp_set_pic_desc_width_stride(desc, width_stride))
        must(acl.media.dvpp_set_pic_desc_height_stride(desc, height_stride))
        return desc, data

    def drop(self, desc: int, data: int) -> None:
        """A picture is not needed any more; nothing that is queued may use it."""
        must(acl.media.dvpp_destroy_pic_desc(desc))
        must(acl.media.dvpp_free(data))

    def draw(self, colour: str, width: int, height: int) -> NDArray[np.uint8]:
        """A JPEG of one colour with brighter and darker parts, made by the encoder of the device."""
        stride, rows = up(width, 16), up(height, 16)
        luma, blue, red = COLOURS[colour]
        pixels = np.empty((rows * 3 // 2, stride), np.uint8)
        pixels[:rows] = luma + np.arange(stride) * 24 // stride
        pixels[rows:, 0::2], pixels[rows:, 1::2] = blue, red
        desc, data = self.describe(width, height, stride, rows)
        must(acl.rt.memcpy(data, pixels.nbytes, pixels.ctypes.data, pixels.nbytes, HOST_TO_DEVICE))
        quality = acl.media.dvpp_create_jpege_config()
        must(acl.media.dvpp_set_jpege_config_level(quality, 90))
        size = np.array([must(acl.media.dvpp_jpeg_predict_enc_size(desc, quality))], np.uint32)
        coded = must(acl.media.dvpp_malloc(int(size[0])))
        must(acl.media.dvpp_jpeg_encode_async(self.channel, desc, coded, size.ctypes.data, quality, self.stream))
        must(acl.rt.synchronize_stream(self.stream))
        file = np.empty(int(size[0]), np.uint8)
        must(acl.rt.memcpy(file.ctypes.data, file.size, coded, file.size, DEVICE_TO_HOST))
        must(acl.media.dvpp_destroy_jpege_config(quality))
        must(acl.media.dvpp_free(coded))
        self.drop(desc, data)
        return file

    def decode(self, file: NDArray[np.uint8]) -> tuple[int, int, int, int]:
        """The picture in a JPEG: descriptor, address, width and height."""
        width, height, _ = must(acl.media.dvpp_jpeg_get_image_info(file.ctypes.data, file.size))
        room = must(acl.media.dvpp_jpeg_predict_dec_size(file.ctypes.data, file.size, NV12))
        coded = must(acl.media.dvpp_malloc(file.size))
        must(acl.rt.memcpy(coded, file.size, file.ctypes.data, file.size, HOST_TO_DEVICE))
        desc, data = self.describe(width, height, up(width, 128), up(height, 16), room)
        must(acl.media.dvpp_jpeg_decode_async(self.channel, coded, file.size, desc, self.stream))
        must(acl.rt.synchronize_stream(self.stream))  # from here on the descriptor says what was decoded
        must(acl.media.dvpp_free(coded))
        return desc, data, acl.media.dvpp_get_pic_desc_width(desc), acl.media.dvpp_get_pic_desc_height(desc)

    def close(self) -> None:
        """In the order in which it is allowed: the channel before its descriptor."""
        must(acl.media.dvpp_destroy_resize_config(self.scaling))
        must(acl.media.dvpp_destroy_channel(self.channel))
        must(acl.media.dvpp_destroy_channel_desc(self.channel))
        must(acl.rt.destroy_stream(self.stream))


class Classifier:
    """A model whose input is any picture of its size."""

    def __init__(self, path: str) -> None:
        self.model = must(acl.mdl.load_from_file(path))
        self.answer = must(acl.rt.malloc(len(CLASSES) * 4, 0))

    def dataset(self, address: int, size: int) -> tuple[int, int]:
        """A dataset with one buffer."""
        made, buffer = acl.mdl.create_dataset(), acl.create_data_buffer(address, size)
        must(acl.mdl.add_dataset_buffer(made, buffer)[1])
        return made, buffer

    def classify(self, address: int, size: int, stream: int) -> tuple[str, float]:
        """The best class and its probability."""
        sets = [self.dataset(address, size), self.dataset(self.answer, len(CLASSES) * 4)]
        must(acl.mdl.execute_async(self.model, sets[0][0], sets[1][0], stream))
        must(acl.rt.synchronize_stream(stream))
        for made, buffer in sets:
            must(acl.destroy_data_buffer(buffer))
            must(acl.mdl.destroy_dataset(made))
        chances = np.empty(len(CLASSES), np.float32)
        must(acl.rt.memcpy(chances.ctypes.data, chances.nbytes, self.answer, chances.nbytes, DEVICE_TO_HOST))
        return CLASSES[int(chances.argmax())], float(chances.max())

    def close(self) -> None:
        """Give everything back."""
        must(acl.rt.free(self.answer))
        must(acl.mdl.unload(self.model))


def main() -> None:
    """Draw, code, decode, scale and classify a few pictures."""
    must(acl.init())
    must(acl.rt.set_device(0))
    pictures, classifier = Pictures(), Classifier(MODEL)
    for colour, width, height in (("red", 320, 240), ("green", 641, 427), ("blue", 200, 152), ("gray", 1280, 720)):
        file = pictures.draw(colour, width, height)
        large, large_data, wide, high = pictures.decode(file)
        small, small_data = pictures.describe(SIDE, SIDE, SIDE, SIDE)
        must(acl.media.dvpp_vpc_resize_async(pictures.channel, large, small, pictures.scaling, pictures.stream))
        found, chance = classifier.classify(small_data, SIDE * SIDE * 3 // 2, pictures.stream)
        print(f"a {colour} picture of {width} x {height}, decoded as {wide} x {high}: {found} ({chance:.0%})")
        assert found == colour
        pictures.drop(large, large_data)
        pictures.drop(small, small_data)
    classifier.close()
    pictures.close()
    must(acl.rt.reset_device(0))
    must(acl.finalize())


if __name__ == "__main__":
    main()
