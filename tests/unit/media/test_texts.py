"""What is told of pictures and video has a Chinese form, whole sentences at a time."""

import pytest

from ascend_sim.findings.languages import missing, translated

DESC = "picture descriptor 1 (NV12 (1), 64 x 64, strides 64 x 64, 6144 bytes)"
TEXTS = [
    f"VPC crop on stream `s`: the input, {DESC}: crop area (1, 32, 0, 31) has wrong parity",
    f"VPC crop and paste on stream `s`: the output, {DESC}: paste area (8, 39, 0, 31) begins at column 8",
    f"acldvppVpcResizeAsync: the input, {DESC} says 6143 bytes: its strides make 6144",
    "left and top even, right and bottom odd: (0, 33, 0, 31), if the picture has them",
    "VPC crop and paste uses algorithm 0, a filter of the product's own: bilinear here, so that pixels differ from "
    "those of the device",
    "acldvppGetPicDescSize reads the size of picture descriptor 2 while VPC resize on stream `s` is not done, which fills "
    "it in at its end",
    "JPEG decode failed on stream `s`: JPEG decode: it is 16 x 64: 32 x 32 to 8192 x 8192 can be decoded",
    "JPEG decode failed on stream `s`: JPEG decode: the coded picture is no JPEG: it does not begin with FF D8",
    "JPEG encode failed on stream `s`: JPEG encode: the JPEG has 149 bytes, the program says that there is room for 50",
    "aclrtMemcpy reads `address` while a VPC resize on `s` may still be writing it",
    "aclrtMemcpy reads `address` while a vdec on the stream of VDEC channel 3 may still be writing it",
    "columns 0 to 31, rows 0 to 47 (32 x 48) of picture descriptor 2 (NV12 (1), 32 x 64)",
    "acldvppFree is given `plain`, which does not come from acldvppMalloc: the driver frees it or refuses",
    "the callback stream of VDEC channel 3 waits for the next result of VDEC channel 3, which keeps 2 until more comes or "
    "its stream ends, and nobody can end it",
    "of 4 pieces sent to VDEC channel 3 the results were not taken until the end",
    "send the end of the stream (eos 1), or destroy the channel, which does so",
    "the picture descriptor was destroyed while VDEC channel 3 was at work on it: the callback gets its dead handle",
    "the stream descriptor of a callback of VENC channel 0 was destroyed by the program: it belongs to the channel",
    "the buffer has 20480 bytes: VDEC channel 3 decodes 160 x 128 NV12 (1), which takes 30720 bytes with strides 160 x 128",
    "VENC channel 0 has a buffer of 8388608 bytes, a picture became 9000000",
    "2 device buffers (841 bytes), 1 VENC channel descriptor, 1 stream descriptor, 1 VENC frame configuration and 2 picture "
    "descriptors are alive at aclFinalize",
    "acldvppGetChannelDescParam got 0x1, which is no live channel descriptor: no such handle was ever given out; undefined "
    "behaviour of the real library",
]


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_of_a_text_stays_english(text: str) -> None:
    assert missing(text, "zh") == ()
    assert " while " not in translated(text, "zh")


def test_the_words_stand_in_their_order() -> None:
    found = translated(TEXTS[0], "zh")
    head, tail = "流 `s` 上的 VPC 抠图：输入（图片描述 1，NV12 (1)，64 x 64，", "抠图区域 (1, 32, 0, 31) 的奇偶不对"
    assert found == head + "步长 64 x 64，6144 字节）：" + tail
