"""VDEC: channels, callbacks, their order, what comes out, and what is said of mistakes."""

import ctypes
import sys
import threading
import time

import numpy as np
import pytest

pytest.importorskip("av")

import ascend_sim.ascendcl as C
from ascend_sim import Simulator
from ascend_sim.errors import SimulatedHang
from ascend_sim.media.video.decoding_unit import FAILED
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches
from tests.kit.video import H264, H265, Decoding, Serving, clip, levels


@pytest.fixture
def sim():
    with Simulator("Ascend310P3", threads="deterministic") as opened:
        install_patches(opened.threads)
        assert C.aclrtSetDevice(0) == 0
        try:
            yield opened
        finally:
            uninstall_patches()


def kinds(sim):
    return {finding.kind for finding in sim.findings if finding.severity != "note"}


@pytest.mark.parametrize("kind", [H264, H265])
@pytest.mark.parametrize("reordered", [0, 2])
def test_a_callback_for_each_piece_in_the_order_of_display(sim, kind, reordered):
    pieces = clip(kind, 8, reordered=reordered)
    got = Decoding(kind).all(pieces)
    assert sorted(number for number, _, _ in got) == list(range(8))
    assert [code for _, code, _ in got] == [0] * 8
    assert all(abs(pixels[0] - level) <= 2 for (_, _, pixels), level in zip(got, levels(8), strict=True))
    assert (reordered == 0) == ([number for number, _, _ in got] == list(range(8)))
    assert not kinds(sim)


@pytest.mark.parametrize("form", [1, 2])
def test_luma_then_pairs_of_chroma(sim, form):
    decoding = Decoding(H264, form=form)
    (_, code, pixels), *_ = decoding.all(clip(H264, 2))
    assert code == 0 and len(pixels) == 160 * 128 * 3 // 2
    assert set(pixels[160 * 128 :]) == {128}
    assert decoding.shapes[0] == (160, 128, 160, 128)


@pytest.mark.parametrize("form", [12, 13])
def test_colours(sim, form):
    got = Decoding(H264, form=form).all(clip(H264, 2))
    assert [code for _, code, _ in got] == [0, 0]
    assert all(max(pixels) - min(pixels) <= 2 and abs(pixels[0] - level) <= 2
               for (_, _, pixels), level in zip(got, levels(2), strict=True))  # fmt: skip


def test_strides_keep_what_lies_between_the_rows(sim):
    decoding = Decoding(H264)
    shown = []

    def keep(stream, picture, user_data):
        address, size = C.acldvppGetPicDescData(picture), C.acldvppGetPicDescSize(picture)
        pixels = bytearray(size)
        C.aclrtMemcpy(pixels, size, address, size, 2)
        shown.append(np.frombuffer(pixels, np.uint8).copy())

    C.aclvdecSetChannelDescCallback(decoding.desc, keep)
    decoding.close()
    decoding = Decoding(H264, callback=keep)
    size = 192 * 130 * 3 // 2
    assert decoding.send(clip(H264, 1)[0], size, WidthStride=192, HeightStride=130) == 0
    decoding.close()
    luma = shown[0][: 192 * 130].reshape(130, 192)
    chroma = shown[0][192 * 130 :].reshape(65, 192)
    assert set(luma[:128, :160].ravel()) <= {15, 16, 17} and set(chroma[:64, :160].ravel()) == {128}
    assert set(luma[:, 160:].ravel()) == set(luma[128:].ravel()) == set(chroma[64:].ravel()) == {0xFF}


def test_another_size_than_the_stream(sim):
    decoding = Decoding(H264)
    assert decoding.send(clip(H264, 1)[0], 320 * 64 * 3 // 2, Width=320, Height=64) == 0
    decoding.close()
    assert decoding.shapes == [(320, 64, 320, 64)]
    assert decoding.got[0][1] == 0 and abs(decoding.got[0][2][-1] - 128) <= 1


def test_the_bytes_were_taken_when_send_returns(sim):
    pieces = clip(H264, 3)
    decoding = Decoding(H264)
    for piece in pieces:
        assert decoding.send(piece) == 0
        assert C.aclrtMemset(decoding.buffer, 1 << 20, 0, 1 << 20) == 0
    decoding.close()
    assert [code for _, code, _ in decoding.got] == [0, 0, 0]
    assert not kinds(sim)


def test_the_end_of_the_stream_waits_for_all_callbacks_and_a_new_stream_may_follow(sim):
    decoding = Decoding(H264)
    for count in (4, 8):
        for piece in clip(H264, 4, reordered=2):
            assert decoding.send(piece) == 0
        assert decoding.end_stream() == 0
        assert len(decoding.got) == count
    assert decoding.close() == 0
    assert len(decoding.got) == 8 and not kinds(sim)


def test_destroy_ends_the_stream_by_itself(sim):
    decoding = Decoding(H264)
    for piece in clip(H264, 6, reordered=2):
        decoding.send(piece)
    assert len(decoding.got) < 6
    assert C.aclvdecDestroyChannel(decoding.desc) == 0
    assert len(decoding.got) == 6
    decoding.serving.stop()


def test_skipped_pieces_are_decoded_for_others(sim):
    pieces = clip(H264, 4)
    decoding = Decoding(H264)
    for number, piece in enumerate(pieces):
        assert (decoding.skip if number % 2 == 0 else decoding.send)(piece) == 0
    decoding.close()
    assert [(n, code, bool(pixels)) for n, code, pixels in decoding.got] == [
        (0, 0, False), (1, 0, True), (2, 0, False), (3, 0, True)
    ]  # fmt: skip
    assert abs(decoding.got[3][2][0] - levels(4)[3]) <= 2


def test_one_picture_sent_ten_times(sim):
    piece = clip(H265, 1)[0]
    got = Decoding(H265).all([piece] * 10)
    assert [(number, code) for number, code, _ in got] == [(n, 0) for n in range(10)]


def test_what_cannot_be_decoded_gets_a_code_and_its_callback(sim):
    pieces = clip(H264, 5)
    got = Decoding(H264).all([pieces[0], b"\0\0\0\1\x65 no picture", pieces[1], b"x", pieces[2]])
    assert {number: code for number, code, _ in got} == {0: 0, 1: FAILED, 2: 0, 3: FAILED, 4: 0}


@pytest.mark.parametrize("width", [112, 64])
def test_sizes_beyond_the_unit_are_refused_for_each_picture(sim, width):
    got = Decoding(H264, width, 128).all(clip(H264, 2, width, 128))
    assert [code for _, code, _ in got] == [FAILED, FAILED]


def test_user_data_is_any_object_and_is_let_go(sim):
    import gc
    import weakref

    class Thing:
        pass

    thing = Thing()
    seen = []
    decoding = Decoding(H264, callback=lambda stream, picture, data: seen.append(type(data)))
    stream, picture = C.acldvppCreateStreamDesc(), C.acldvppCreatePicDesc()
    piece = clip(H264, 1)[0]
    C.aclrtMemcpy(decoding.buffer, 1 << 20, piece, len(piece), 1)
    C.acldvppSetStreamDescData(stream, decoding.buffer)
    C.acldvppSetStreamDescSize(stream, len(piece))
    address, _ = C.acldvppMalloc(decoding.size)
    C.acldvppSetPicDescData(picture, address)
    C.acldvppSetPicDescSize(picture, decoding.size)
    assert C.aclvdecSendFrame(decoding.desc, stream, picture, 0, thing) == 0
    held = weakref.ref(thing)
    del thing
    decoding.close()
    gc.collect()
    assert seen == [Thing] and held() is None


# -- mistakes ----------------------------------------------------------------------------------------------------------


def test_codes(sim):
    assert C.aclvdecCreateChannel(0) == C.aclvdecDestroyChannel(0) == 100000
    desc = C.aclvdecCreateChannelDesc()
    assert C.aclvdecCreateChannel(desc) == 100000  # no callback
    assert C.aclvdecSetChannelDescChannelId(desc, 32) == 100000
    assert C.aclvdecSetChannelDescOutMode(desc, 2) == 100000
    assert C.aclvdecSetChannelDescOutPicFormat(desc, 5) == 100000
    assert C.aclvdecSetChannelDescEnType(desc, 4) == 100000
    assert C.aclvdecDestroyChannelDesc(desc) == C.aclvdecDestroyChannelDesc(0) == 0
    decoding = Decoding(H264)
    stream = C.acldvppCreateStreamDesc()
    assert C.aclvdecSendFrame(decoding.desc, 0, 0, 0, None) == 100000
    assert C.aclvdecSendFrame(decoding.desc, stream, 0, 0, None) == 100000
    C.acldvppSetStreamDescEos(stream, 1)
    assert C.aclvdecSendSkippedFrame(decoding.desc, stream, 0, None) == 200006
    assert decoding.close() == 0


def test_a_number_belongs_to_one_channel(sim):
    first = Decoding(H264)
    second = Decoding(H264, serving=first.serving)
    assert (first.created, second.created) == (0, 500000)
    assert first.close() == 0


@pytest.mark.parametrize(("soc", "code"), [("Ascend310", 200006), ("Ascend910A", 200006), ("Ascend310P3", 0)])
def test_settings_of_later_products(soc, code):
    with Simulator(soc):
        C.aclrtSetDevice(0)
        desc = C.aclvdecCreateChannelDesc()
        assert C.aclvdecSetChannelDescRefFrameNum(desc, 4) == code
        assert C.aclvdecSetChannelDescOutPicFormat(desc, 12) == (0 if code == 0 else 100000)


def test_a_buffer_that_is_too_small_is_told_with_the_right_numbers(sim):
    decoding = Decoding(H264)
    decoding.send(clip(H264, 1)[0], 160 * 128)
    decoding.close()
    assert decoding.got[0][1] == FAILED
    (found,) = (f for f in sim.findings if f.kind == "picture-layout")
    assert "30720 bytes" in found.title and "160 x 128" in found.title


def test_a_stride_that_is_too_small(sim):
    decoding = Decoding(H264)
    decoding.send(clip(H264, 1)[0], WidthStride=128, HeightStride=128)
    decoding.close()
    assert decoding.got[0][1] == FAILED and "picture-layout" in kinds(sim)


def test_a_callback_that_frees_the_input_it_shares(sim):
    decoding = Decoding(H264, callback=lambda stream, picture, data: C.acldvppFree(decoding.buffer))
    pieces = clip(H264, 3)
    assert decoding.send(pieces[0]) == 0
    decoding.end_stream()
    stream = C.acldvppCreateStreamDesc()
    C.acldvppSetStreamDescData(stream, decoding.buffer)
    C.acldvppSetStreamDescSize(stream, 100)
    picture = C.acldvppCreatePicDesc()
    address, _ = C.acldvppMalloc(decoding.size)
    C.acldvppSetPicDescData(picture, address)
    C.acldvppSetPicDescSize(picture, decoding.size)
    assert C.aclvdecSendFrame(decoding.desc, stream, picture, 0, None) != 0
    assert "use-after-free" in kinds(sim)
    C.aclvdecDestroyChannel(decoding.desc)
    decoding.serving.stop()


def test_a_picture_that_is_freed_while_it_is_decoded(sim):
    decoding = Decoding(H264, callback=lambda *_: None)
    piece = clip(H264, 1)[0]
    C.aclrtMemcpy(decoding.buffer, 1 << 20, piece, len(piece), 1)
    stream, picture = C.acldvppCreateStreamDesc(), C.acldvppCreatePicDesc()
    C.acldvppSetStreamDescData(stream, decoding.buffer)
    C.acldvppSetStreamDescSize(stream, len(piece))
    address, _ = C.acldvppMalloc(decoding.size)
    C.acldvppSetPicDescData(picture, address)
    C.acldvppSetPicDescSize(picture, decoding.size)
    assert C.aclvdecSendFrame(decoding.desc, stream, picture, 0, None) == 0
    C.acldvppFree(address)
    C.acldvppDestroyPicDesc(picture)
    decoding.close()
    assert {"use-after-free", "stale-registration"} <= kinds(sim)


def test_pictures_that_are_handed_on_in_a_list(sim):
    kept = []
    decoding = Decoding(H264, callback=lambda stream, picture, data: kept.append(C.acldvppGetPicDescData(picture)))
    for piece in clip(H264, 4):
        decoding.send(piece)
    while len(kept) < 4:
        time.sleep(0.01)
    for address in kept:
        assert C.aclrtMemcpy(bytearray(16), 16, address, 16, 2) == 0
        assert C.acldvppFree(address) == 0
    decoding.close()
    assert not kinds(sim) & {"race", "use-after-free"}


def test_a_buffer_that_is_read_before_its_callback(sim):
    decoding = Decoding(H264, callback=lambda *_: None)
    piece = clip(H264, 1)[0]
    C.aclrtMemcpy(decoding.buffer, 1 << 20, piece, len(piece), 1)
    stream, picture = C.acldvppCreateStreamDesc(), C.acldvppCreatePicDesc()
    C.acldvppSetStreamDescData(stream, decoding.buffer)
    C.acldvppSetStreamDescSize(stream, len(piece))
    address, _ = C.acldvppMalloc(decoding.size)
    C.acldvppSetPicDescData(picture, address)
    C.acldvppSetPicDescSize(picture, decoding.size)
    C.aclvdecSendFrame(decoding.desc, stream, picture, 0, None)
    C.aclrtMemcpy(bytearray(16), 16, address, 16, 2)
    decoding.close()
    assert "race" in kinds(sim) or "uninitialised-read" in kinds(sim)


def test_a_thread_that_was_stopped_first_is_a_hang_that_says_so(sim):
    decoding = Decoding(H264)
    decoding.serving.stop()
    for piece in clip(H264, 2):
        decoding.send(piece)
    with pytest.raises(SimulatedHang):
        C.aclvdecDestroyChannel(decoding.desc)
    (found,) = (f for f in sim.findings if f.kind == "deadlock")
    assert "callback stream of VDEC channel 3" in found.title and "before its thread is told to stop" in found.fix


def test_who_waits_for_pictures_that_the_decoder_keeps_is_told_of_the_end_of_the_stream(sim):
    done = threading.Semaphore(0)
    serving = Serving()

    def count(stream, picture, data):
        done.release()

    decoding = Decoding(H264, callback=count, serving=serving)
    for piece in clip(H264, 6, reordered=2):
        decoding.send(piece)
    with pytest.raises(SimulatedHang):
        for _ in range(6):
            done.acquire()
    text = "\n".join(f"{f.title} {f.fix} {f.notes}" for f in sim.findings if f.kind == "deadlock")
    assert "end of the stream" in text
    serving.running = False


def test_pictures_that_never_came_are_told_at_the_end():
    with Simulator("Ascend310P3", threads="deterministic") as sim:
        C.aclrtSetDevice(0)
        decoding = Decoding(H264)
        for piece in clip(H264, 6, reordered=2):
            decoding.send(piece)
        decoding.serving.stop()
    (found,) = (f for f in sim.findings if f.kind == "unawaited-work")
    assert "VDEC channel 3" in found.title and "end of the stream" in found.fix


def test_a_reset_device_takes_the_channel_along():
    with Simulator("Ascend310P3", threads="deterministic") as sim:
        C.aclrtSetDevice(0)
        decoding = Decoding(H264, callback=lambda *_: None)
        decoding.send(clip(H264, 1)[0])
        assert C.aclrtResetDevice(0) == 0
        decoding.serving.stop()
        assert C.aclrtSetDevice(0) == 0
        again = Decoding(H264)
        assert again.created == 0
        assert [code for _, code, _ in again.all(clip(H264, 2))] == [0, 0]
    assert "crash" not in kinds(sim)


def test_an_injected_fault_is_a_picture_that_failed():
    with Simulator("Ascend310P3", threads="deterministic", faults="vdec:2") as sim:
        C.aclrtSetDevice(0)
        got = Decoding(H264).all(clip(H264, 3))
        assert len(got) == 3
        assert [code for number, code, _ in sorted(got) if number == 1] == [FAILED]
        assert "injected-fault" in {f.kind for f in sim.findings}


def test_two_runs_are_one_run():
    def run():
        with Simulator("Ascend310P3", threads="deterministic") as sim:
            C.aclrtSetDevice(0)
            got = Decoding(H264).all(clip(H264, 4, reordered=1))
            return got, sim.scheduler.now, [f.kind for f in sim.findings]

    assert run() == run()


def test_device_addresses_of_a_board_are_used_directly():
    with Simulator("Ascend310B4", threads="deterministic"):
        C.aclrtSetDevice(0)
        shown = []
        decoding = Decoding(
            H264,
            callback=lambda stream, picture, _: shown.append(ctypes.string_at(C.acldvppGetPicDescData(picture), 4)),
        )
        ctypes.memmove(decoding.buffer, b"....", 4)
        decoding.send(clip(H264, 1)[0])
        decoding.close()
        assert abs(shown[0][0] - levels(1)[0]) <= 2


@pytest.mark.parametrize("make", ["aclvdecCreateChannel", "aclvencCreateChannel"])
def test_without_the_extra_a_channel_answers_a_code_and_says_what_to_install(sim, monkeypatch, make):
    monkeypatch.setitem(sys.modules, "av", None)
    serving = Serving()
    if make == "aclvdecCreateChannel":
        desc = C.aclvdecCreateChannelDesc()
        C.aclvdecSetChannelDescCallback(desc, print)
    else:
        desc = C.aclvencCreateChannelDesc()
        C.aclvencSetChannelDescCallback(desc, print)
        C.aclvencSetChannelDescPicWidth(desc, 160)
        C.aclvencSetChannelDescPicHeight(desc, 128)
    assert getattr(C, make)(desc) == 200006
    serving.stop()
    (found,) = (f for f in sim.findings if f.kind == "not-modelled")
    assert "pip install 'ascend-sim[media]'" in found.fix and "PyAV" in found.title
