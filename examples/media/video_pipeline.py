"""Video through callbacks: pictures are encoded, the stream is decoded, and a square is found in each picture.

One thread of the program runs the callbacks of both channels. What a callback gets belongs to different owners: the
encoder's stream is the channel's and is copied out, the decoder's picture is the program's and goes on through a queue.
Needs a product that encodes: ascend-sim run --soc Ascend310P3 video_pipeline.py
"""

import queue
import sys
from typing import Any

import acl
import numpy as np
from numpy.typing import NDArray

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
NV12 = 1
H264_MAIN = 2
WIDTH, HEIGHT = 256, 160
SIZE = WIDTH * HEIGHT * 3 // 2
FRAMES = 24
SQUARE = 32
MOST_PIECE = 1 << 20

running = True
pieces: list[bytes] = []
pictures: queue.Queue[Any] = queue.Queue()


def must(ret: int) -> None:
    if ret != 0:
        raise RuntimeError(f"the call returned {ret}: {acl.get_recent_err_msg()}")


def made(result: Any) -> Any:
    value, ret = result
    must(ret)
    return value


def serve(args: Any) -> None:
    """The callback thread: reports come while it goes round; a limit that passes is no mistake."""
    must(acl.rt.set_context(args[0]))
    while running:
        acl.rt.process_report(args[1])


def place(number: int) -> tuple[int, int]:
    """Where the square is in picture *number*: column and row."""
    return 8 * number % (WIDTH - SQUARE), 4 * number % (HEIGHT - SQUARE)


def draw(number: int) -> NDArray[np.uint8]:
    """A dark picture with a bright square, in NV12."""
    picture = np.full(SIZE, 128, np.uint8)
    luma = picture[: WIDTH * HEIGHT].reshape(HEIGHT, WIDTH)
    luma[:] = 40
    left, top = place(number)
    luma[top : top + SQUARE, left : left + SQUARE] = 220
    return picture


def find(picture: NDArray[np.uint8]) -> tuple[float, float]:
    """The middle of what is bright."""
    rows, columns = np.nonzero(picture[: WIDTH * HEIGHT].reshape(HEIGHT, WIDTH) > 130)
    return columns.mean(), rows.mean()


# -- encoding ----------------------------------------------------------------------------------------------------------


def encoded(picture: Any, stream: int, number: int) -> None:
    """A callback: the stream descriptor and its bytes are the channel's, and good until this returns."""
    must(acl.media.dvpp_get_stream_desc_ret_code(stream))
    size = acl.media.dvpp_get_stream_desc_size(stream)
    piece = bytes(size)
    address = acl.media.dvpp_get_stream_desc_data(stream)
    must(acl.rt.memcpy(acl.util.bytes_to_ptr(piece), size, address, size, DEVICE_TO_HOST))
    pieces.append(piece)


def encode(thread: int) -> None:
    channel = acl.media.venc_create_channel_desc()
    must(acl.media.venc_set_channel_desc_thread_id(channel, thread))
    must(acl.media.venc_set_channel_desc_callback(channel, encoded))
    must(acl.media.venc_set_channel_desc_entype(channel, H264_MAIN))
    must(acl.media.venc_set_channel_desc_pic_format(channel, NV12))
    must(acl.media.venc_set_channel_desc_pic_width(channel, WIDTH))
    must(acl.media.venc_set_channel_desc_pic_height(channel, HEIGHT))
    must(acl.media.venc_set_channel_desc_key_frame_interval(channel, 8))
    must(acl.media.venc_create_channel(channel))
    config = acl.media.venc_create_frame_config()
    buffer = made(acl.media.dvpp_malloc(SIZE))
    picture = acl.media.dvpp_create_pic_desc()
    must(acl.media.dvpp_set_pic_desc_data(picture, buffer))
    must(acl.media.dvpp_set_pic_desc_size(picture, SIZE))
    must(acl.media.dvpp_set_pic_desc_format(picture, NV12))
    for number in range(FRAMES):
        pixels = draw(number).tobytes()
        must(acl.rt.memcpy(buffer, SIZE, acl.util.bytes_to_ptr(pixels), SIZE, HOST_TO_DEVICE))
        must(acl.media.venc_send_frame(channel, picture, 0, config, number))  # it has taken the pixels
    must(acl.media.venc_destroy_channel(channel))  # the end of the stream: all callbacks have run
    must(acl.media.venc_destroy_channel_desc(channel))
    must(acl.media.venc_destroy_frame_config(config))
    must(acl.media.dvpp_destroy_pic_desc(picture))
    must(acl.media.dvpp_free(buffer))


# -- decoding ----------------------------------------------------------------------------------------------------------


def decoded(stream: int, picture: Any, number: int) -> None:
    """A callback: both descriptors are the program's, and so is the buffer."""
    must(acl.media.dvpp_destroy_stream_desc(stream))
    code = acl.media.dvpp_get_pic_desc_ret_code(picture)
    pictures.put((number, code, acl.media.dvpp_get_pic_desc_data(picture)))
    must(acl.media.dvpp_destroy_pic_desc(picture))


def decode(thread: int) -> None:
    channel = acl.media.vdec_create_channel_desc()
    must(acl.media.vdec_set_channel_desc_channel_id(channel, 0))
    must(acl.media.vdec_set_channel_desc_thread_id(channel, thread))
    must(acl.media.vdec_set_channel_desc_callback(channel, decoded))
    must(acl.media.vdec_set_channel_desc_entype(channel, H264_MAIN))
    must(acl.media.vdec_set_channel_desc_out_pic_format(channel, NV12))
    must(acl.media.vdec_create_channel(channel))
    config = acl.media.vdec_create_frame_config()
    buffer = made(acl.media.dvpp_malloc(MOST_PIECE))  # one for all pieces: a send has taken the bytes
    for number, piece in enumerate(pieces):
        must(acl.rt.memcpy(buffer, MOST_PIECE, acl.util.bytes_to_ptr(piece), len(piece), HOST_TO_DEVICE))
        stream = acl.media.dvpp_create_stream_desc()
        must(acl.media.dvpp_set_stream_desc_data(stream, buffer))
        must(acl.media.dvpp_set_stream_desc_size(stream, len(piece)))
        picture = acl.media.dvpp_create_pic_desc()
        must(acl.media.dvpp_set_pic_desc_data(picture, made(acl.media.dvpp_malloc(SIZE))))
        must(acl.media.dvpp_set_pic_desc_size(picture, SIZE))
        must(acl.media.dvpp_set_pic_desc_format(picture, NV12))
        must(acl.media.vdec_send_frame(channel, stream, picture, config, number))
    must(acl.media.vdec_destroy_channel(channel))
    must(acl.media.vdec_destroy_channel_desc(channel))
    must(acl.media.vdec_destroy_frame_config(config))
    must(acl.media.dvpp_free(buffer))


def main() -> int:
    global running
    must(acl.init())
    must(acl.rt.set_device(0))
    context = made(acl.rt.create_context(0))
    thread = made(acl.util.start_thread(serve, [context, 100]))

    encode(thread)
    small = sum(map(len, pieces)) * 10 < SIZE * FRAMES
    print(f"{FRAMES} pictures became {len(pieces)} pieces, {'less' if small else 'more'} than a tenth of the bytes")
    decode(thread)
    running = False  # only now: the channels needed the thread until they were destroyed
    must(acl.util.stop_thread(thread))

    good = 0
    for expected in range(FRAMES):
        number, code, address = pictures.get()
        pixels = bytes(SIZE)
        must(acl.rt.memcpy(acl.util.bytes_to_ptr(pixels), SIZE, address, SIZE, DEVICE_TO_HOST))
        must(acl.media.dvpp_free(address))
        column, row = find(np.frombuffer(pixels, np.uint8))
        left, top = place(number)
        near = abs(column - left - SQUARE / 2) < 2 and abs(row - top - SQUARE / 2) < 2
        good += number == expected and code == 0 and near
        if number % 6 == 0:
            print(f"picture {number}: the square is near ({left + SQUARE // 2}, {top + SQUARE // 2})")
    print(f"{good} of {FRAMES} as drawn")

    must(acl.rt.destroy_context(context))
    must(acl.rt.reset_device(0))
    must(acl.finalize())
    return 0 if good == FRAMES else 1


if __name__ == "__main__":
    sys.exit(main())
