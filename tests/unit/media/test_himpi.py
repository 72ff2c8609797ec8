"""The second media interface: channels by number, results by asking, dicts and codes."""

import io
import threading

import numpy as np
import pytest

pytest.importorskip("av")

from ascend_sim import Simulator, pyacl
from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches
from tests.kit.video import H264, H265, clip, levels

acl = pyacl.modules()["acl"]
himpi = acl.himpi
WIDTH, HEIGHT = 160, 128
SIZE = WIDTH * HEIGHT * 3 // 2
PAYLOAD = {H264: 96, H265: 265, "jpeg": 26}


@pytest.fixture
def sim():
    with Simulator("Ascend910B3", threads="deterministic") as opened:
        install_patches(opened.threads)
        acl.init()
        acl.rt.set_device(0)
        try:
            yield opened
        finally:
            uninstall_patches()


def channel(kind, number=0, **attributes):
    assert himpi.sys_init() == 0
    attr = {"type": PAYLOAD[kind], "mode": 0, "pic_width": WIDTH, "pic_height": HEIGHT, **attributes}
    assert himpi.vdec_create_chn(number, attr) == 0
    assert himpi.vdec_start_recv_stream(number) == 0


def send(piece, number=0, form=1, size=SIZE, wait=-1, **stream):
    taken, ret = himpi.dvpp_malloc(0, len(piece))
    assert ret == 0 and acl.rt.memcpy(taken, len(piece), acl.util.bytes_to_ptr(piece), len(piece), 1) == 0
    made, ret = himpi.dvpp_malloc(0, size)
    picture = {
        "width": WIDTH, "height": HEIGHT, "width_stride": WIDTH, "height_stride": HEIGHT, "pixel_format": form,
        "vir_addr": made, "buffer_size": size,
    }  # fmt: skip
    given = {"end_of_frame": 1, "end_of_stream": 0, "need_display": 1, "pts": 0, "len": len(piece), "addr": taken, **stream}
    return himpi.vdec_send_stream(number, given, picture, wait)


def pixels(frame, size=SIZE):
    data = bytearray(size)
    address = np.frombuffer(data, np.uint8).__array_interface__["data"][0]
    assert acl.rt.memcpy(address, size, frame["v_frame"]["virt_addr"][0], size, 2) == 0
    return data


def take(wait=100, number=0):
    frame, _, stream, ret = himpi.vdec_get_frame(number, wait)
    if ret:
        return ret
    found = frame["v_frame"]["frame_flag"], pixels(frame)[0]
    himpi.dvpp_free(frame["v_frame"]["virt_addr"][0])
    himpi.dvpp_free(stream["addr"])
    assert himpi.vdec_release_frame(number, frame) == 0
    return found


def close(number=0):
    assert himpi.vdec_stop_recv_stream(number) == himpi.vdec_destroy_chn(number) == himpi.sys_exit() == 0


@pytest.mark.parametrize("kind", [H264, H265])
@pytest.mark.parametrize("reordered", [0, 2])
def test_pictures_come_in_the_order_of_display(sim, kind, reordered):
    channel(kind)
    for piece in clip(kind, 6, reordered=reordered):
        assert send(piece) == 0
    assert himpi.vdec_send_stream(0, {"end_of_stream": 1}, {}, 0) == 0
    found = [take() for _ in range(6)]
    assert all(flag == 0 and abs(luma - level) <= 2 for (flag, luma), level in zip(found, levels(6), strict=True))
    assert take() == 0xA005800E
    close()
    assert not [f for f in sim.findings if f.severity != "note"]


@pytest.mark.parametrize("sampling", [0, 1, 2])
def test_jpeg(sim, sampling):
    pillow = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    rows = np.linspace(20, 220, HEIGHT).astype(np.uint8)
    picture = np.repeat(rows[:, None], WIDTH, 1)
    pillow.fromarray(np.stack([picture] * 3, -1)).save(file, "JPEG", quality=95, subsampling=sampling)
    channel("jpeg")
    param, ret = himpi.vdec_get_chn_param(0)
    assert ret == 0 and param["pic_param"] == {"pixel_format": 1, "alpha": 255}
    param["pic_param"]["pixel_format"] = 2
    assert himpi.vdec_set_chn_param(0, param) == 0
    assert himpi.vdec_get_chn_param(0)[0]["pic_param"]["pixel_format"] == 2
    assert send(file.getvalue()) == 0
    frame, _, _, ret = himpi.vdec_get_frame(0, 1000)
    data = np.frombuffer(pixels(frame), np.uint8)
    assert ret == 0 and frame["v_frame"]["frame_flag"] == 0
    assert np.abs(data[: WIDTH * HEIGHT].reshape(HEIGHT, WIDTH).astype(int) - rows[:, None]).max() <= 4
    assert np.abs(data[WIDTH * HEIGHT :].astype(int) - 128).max() <= 2
    close()


def test_what_cannot_be_decoded_has_a_flag(sim):
    channel(H264)
    good = clip(H264, 2)
    for piece in (good[0], b"\0\0\0\1nothing", good[1]):
        assert send(piece) == 0
    assert [take()[0] for _ in range(3)] == [0, 1, 0]
    close()


def test_codes(sim):
    assert himpi.vdec_create_chn(0, {"type": 96}) == 0xA0058010
    channel(H264)
    assert himpi.vdec_create_chn(0, {"type": 96}) == 0xA0058004
    assert himpi.vdec_create_chn(1, {"type": 7}) == 0xA0058008
    assert himpi.vdec_create_chn(256, {"type": 96}) == 0xA0058003
    assert himpi.vdec_destroy_chn(9) == himpi.vdec_stop_recv_stream(9) == 0xA0058005
    assert himpi.vdec_get_chn_param(9) == ({}, 0xA0058005)
    assert himpi.vdec_get_frame(0, 0)[-1] == 0xA005800E
    assert himpi.vdec_send_stream(0, {}, {}, 0) == 0xA0058003
    assert himpi.vdec_stop_recv_stream(0) == 0
    assert send(clip(H264, 1)[0]) == 0xA0058009
    assert himpi.vdec_reset_chn(0) == 0
    with pytest.raises(TypeError, match="not dict"):
        himpi.vdec_create_chn(1, [])
    with pytest.raises(TypeError, match=r"^acl\.himpi\.vdec_get_frame args parse failed!$"):
        himpi.vdec_get_frame(0)
    close()


@pytest.mark.parametrize("soc", ["Ascend310", "Ascend910A"])
def test_old_products_have_it_not(soc):
    with Simulator(soc):
        acl.rt.set_device(0)
        assert himpi.sys_init() == 0xA0028008


def test_two_threads_send_and_take(sim):
    channel(H264)
    context, _ = acl.rt.get_context()
    found = []

    def receive():
        acl.rt.set_context(context)
        while len(found) < 6:
            found.append(take(-1))

    receiver = threading.Thread(target=receive)
    receiver.start()
    for piece in clip(H264, 6):
        assert send(piece) == 0
    receiver.join()
    close()
    assert [flag for flag, _ in found] == [0] * 6
    assert not [f for f in sim.findings if f.severity != "note"]


def test_who_waits_for_ever_is_told(sim):
    channel(H264)
    for piece in clip(H264, 4, reordered=2):
        send(piece)
    with pytest.raises(SimulatedHang):
        for _ in range(4):
            take(-1)
    (found,) = (f for f in sim.findings if f.kind == "deadlock")
    assert "next result of VDEC channel 0" in found.title and "end of the stream" in "".join(found.notes)


def test_the_rest_says_so(sim):
    assert himpi.vpc_create_chn(0, {}) == 207000
    assert "not-modelled" in {f.kind for f in sim.findings}
