"""VENC: pictures in, access units out, in a buffer of the channel that is good inside the callback."""

import numpy as np
import pytest

pytest.importorskip("av")

import ascend_sim.ascendcl as C
from ascend_sim import Simulator
from ascend_sim.media.video.video_decoder import VideoDecoder
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches
from tests.kit.video import H264, H265, Serving

WIDTH, HEIGHT = 160, 128
SIZE = WIDTH * HEIGHT * 3 // 2


@pytest.fixture
def sim():
    with Simulator("Ascend310P3", threads="deterministic") as opened:
        install_patches(opened.threads)
        assert C.aclrtSetDevice(0) == 0
        try:
            yield opened
        finally:
            uninstall_patches()


class Encoding:
    """A channel, its thread, and what its callback got: (user data, ret_code, bytes)."""

    def __init__(self, kind, callback=None, **settings):
        self.serving = Serving()
        self.got = []
        self.desc = C.aclvencCreateChannelDesc()
        values = {
            "ThreadId": self.serving.ident, "Callback": callback or self.take, "EnType": kind, "PicFormat": 1,
            "PicWidth": WIDTH, "PicHeight": HEIGHT, "KeyFrameInterval": 4, **settings,
        }  # fmt: skip
        for name, value in values.items():
            assert getattr(C, f"aclvencSetChannelDesc{name}")(self.desc, value) == 0
        self.created = C.aclvencCreateChannel(self.desc)
        self.config = C.aclvencCreateFrameConfig()
        self.picture = C.acldvppCreatePicDesc()
        self.buffer, _ = C.acldvppMalloc(SIZE)
        C.acldvppSetPicDescData(self.picture, self.buffer)
        C.acldvppSetPicDescSize(self.picture, SIZE)

    def take(self, picture, stream, user_data):
        size, address = C.acldvppGetStreamDescSize(stream), C.acldvppGetStreamDescData(stream)
        data = bytearray(size)
        if size:
            assert C.aclrtMemcpy(data, size, address, size, 2) == 0
        self.got.append((user_data, C.acldvppGetStreamDescRetCode(stream), bytes(data)))

    def send(self, level, u=128, v=128, force=0):
        pixels = np.full(SIZE, level, np.uint8)
        pixels[WIDTH * HEIGHT :: 2], pixels[WIDTH * HEIGHT + 1 :: 2] = u, v
        assert C.aclrtMemcpy(self.buffer, SIZE, pixels, SIZE, 1) == 0
        C.aclvencSetFrameConfigForceIFrame(self.config, force)
        return C.aclvencSendFrame(self.desc, self.picture, 0, self.config, level)

    def end_stream(self):
        C.aclvencSetFrameConfigEos(self.config, 1)
        code = C.aclvencSendFrame(self.desc, 0, 0, self.config, None)
        C.aclvencSetFrameConfigEos(self.config, 0)
        return code

    def close(self):
        code = C.aclvencDestroyChannel(self.desc)
        self.serving.stop()
        assert C.aclvencDestroyChannelDesc(self.desc) == 0
        return code


def decoded(kind, data):
    decoder = VideoDecoder("hevc" if kind == H265 else "h264", (16, 16), (4096, 4096))
    found = [one for number, piece in enumerate(data) for one in decoder.decode(piece, number)]
    return [one.frame for one in found + decoder.flush()]


@pytest.mark.parametrize("kind", [H265, 1, 2, H264])
def test_an_access_unit_for_each_picture(sim, kind):
    encoding = Encoding(kind)
    levels = [20, 60, 100, 140, 180, 220]
    for level in levels:
        assert encoding.send(level, 90, 160) == 0  # the buffer is written over for each
    assert encoding.close() == 0
    assert [(number, code) for number, code, _ in encoding.got] == [(level, 0) for level in levels]
    units = [data for _, _, data in encoding.got]
    assert all(unit.startswith(b"\0\0\0\1") for unit in units)
    frames = decoded(kind, units)
    assert [(f.width, f.height) for f in frames] == [(WIDTH, HEIGHT)] * 6
    for frame, level in zip(frames, levels, strict=True):
        means = (frame.luma.mean(), frame.first.mean(), frame.second.mean())
        assert np.abs(np.subtract(means, (level, 90, 160))).max() <= 2
    assert not [f for f in sim.findings if f.severity != "note"]


def test_nv21_swaps_the_pairs(sim):
    encoding = Encoding(H264, PicFormat=2)
    encoding.send(100, 90, 160)
    encoding.close()
    (frame,) = decoded(H264, [encoding.got[0][2]])
    assert abs(frame.first.mean() - 160) <= 2 and abs(frame.second.mean() - 90) <= 2


def key_pictures(units):
    return [number for number, unit in enumerate(units) if unit[4] & 31 == 7]


def test_intervals_and_forced_pictures(sim):
    encoding = Encoding(H264)
    for number in range(10):
        encoding.send(number, force=int(number == 5))
    encoding.close()
    assert key_pictures([data for _, _, data in encoding.got]) == [0, 4, 5, 9]


def test_the_end_of_the_stream_waits_and_is_no_picture(sim):
    encoding = Encoding(H265)
    for level in range(3):
        encoding.send(level)
    assert encoding.end_stream() == 0
    assert len(encoding.got) == 3
    assert C.acldvppFree(encoding.buffer) == 0  # as a public sample does: the end has waited
    assert encoding.close() == 0
    assert len(encoding.got) == 3 and not [f for f in sim.findings if f.severity == "error"]


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_modes_of_the_bit_rate(sim, mode):
    encoding = Encoding(H264, RcMode=mode, SrcRate=30, MaxBitRate=300)
    for level in range(0, 200, 40):
        encoding.send(level)
    assert encoding.close() == 0 and len(encoding.got) == 5


def test_a_buffer_of_the_program(sim):
    own, _ = C.acldvppMalloc(5 << 20)
    seen = []
    encoding = Encoding(
        H264,
        lambda picture, stream, data: seen.append(C.acldvppGetStreamDescData(stream)),
        BufAddr=own,
        BufSize=5 << 20,
    )
    encoding.send(1)
    encoding.close()
    assert seen == [own] and C.acldvppFree(own) == 0


def test_codes(sim):
    desc = C.aclvencCreateChannelDesc()
    assert C.aclvencCreateChannel(0) == C.aclvencCreateChannel(desc) == 100000
    assert C.aclvencSetChannelDescPicFormat(desc, 3) == C.aclvencSetChannelDescBufSize(desc, 100) == 100000
    assert C.aclvencGetChannelDescPicFormat(0) == 1
    encoding = Encoding(H264)
    C.acldvppSetPicDescSize(encoding.picture, SIZE - 1)
    assert encoding.send(0) == 100000
    C.acldvppSetPicDescSize(encoding.picture, 2 * SIZE)
    assert encoding.send(0) == 100000
    assert C.aclvencSendFrame(encoding.desc, encoding.picture, 0, 0, None) == 100000
    assert encoding.close() == 0
    assert C.aclvencSendFrame(encoding.desc, encoding.picture, 0, encoding.config, None) == 100000


@pytest.mark.parametrize(("soc", "code"), [("Ascend910B3", 500000), ("Ascend910A", 500000), ("Ascend310", 0)])
def test_products_without_the_unit(soc, code):
    with Simulator(soc, threads="deterministic") as sim:
        install_patches(sim.threads)
        C.aclrtSetDevice(0)
        encoding = Encoding(H264)
        assert encoding.created == code
        if not code:
            encoding.close()
        else:
            encoding.serving.stop()
        uninstall_patches()


def test_the_memory_of_the_channel_goes_with_it(sim):
    free = C.aclrtGetMemInfo(1)[0]
    encoding = Encoding(H264)
    assert C.aclrtGetMemInfo(1)[0] < free - (8 << 20)
    encoding.send(1)
    encoding.close()
    C.acldvppFree(encoding.buffer)
    assert C.aclrtGetMemInfo(1)[0] == free


def test_an_injected_fault_is_a_picture_that_failed():
    with Simulator("Ascend310P3", threads="deterministic", faults="venc:2") as sim:
        install_patches(sim.threads)
        C.aclrtSetDevice(0)
        encoding = Encoding(H264)
        for level in range(3):
            encoding.send(level)
        encoding.close()
        uninstall_patches()
        assert [bool(code) for _, code, _ in encoding.got] == [False, True, False]


def test_a_program_that_destroys_each_picture_and_stops_its_thread_after_the_end(sim):
    """Both are seen in public programs, and neither is a mistake."""
    freed = []
    encoding = Encoding(H264, lambda picture, stream, data: freed.append(C.acldvppFree(data)))
    for _ in range(3):
        buffer, _ = C.acldvppMalloc(SIZE)
        C.aclrtMemset(buffer, SIZE, 90, SIZE)
        picture = C.acldvppCreatePicDesc()
        C.acldvppSetPicDescData(picture, buffer)
        C.acldvppSetPicDescSize(picture, SIZE)
        assert C.aclvencSendFrame(encoding.desc, picture, 0, encoding.config, buffer) == 0
        assert C.acldvppDestroyPicDesc(picture) == 0
    assert encoding.end_stream() == 0
    encoding.serving.stop()
    assert C.aclvencDestroyChannel(encoding.desc) == 0
    assert freed == [0, 0, 0] and not [f for f in sim.findings if f.severity != "note"]


def test_a_channel_that_is_never_destroyed_is_a_leak_and_nothing_else():
    with Simulator("Ascend310P3", threads="deterministic") as sim:
        install_patches(sim.threads)
        C.aclInit(None)
        C.aclrtSetDevice(0)
        encoding = Encoding(H264)
        encoding.send(1)
        encoding.end_stream()
        encoding.serving.stop()
        C.aclFinalize()
        uninstall_patches()
        assert {f.kind for f in sim.findings if f.severity != "note"} == {"leak"}


def test_a_callback_that_destroys_what_it_was_lent(sim):
    encoding = Encoding(H264, lambda picture, stream, data: C.acldvppDestroyStreamDesc(stream))
    for level in range(3):
        encoding.send(level)
    assert encoding.close() == 0
    (found,) = (f for f in sim.findings if f.kind == "undefined-use")
    assert "belongs to the channel" in found.title


def test_a_callback_that_frees_the_buffer_of_the_channel(sim):
    encoding = Encoding(H264, lambda picture, stream, data: C.acldvppFree(C.acldvppGetStreamDescData(stream)))
    for level in range(3):
        encoding.send(level)
    assert encoding.close() == 0
    assert "use-after-free" in {f.kind for f in sim.findings}
