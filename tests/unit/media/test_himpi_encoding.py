"""The second media interface encodes, decodes PNG, and waits for several channels."""

import io

import numpy as np
import pytest

pytest.importorskip("av")
pytest.importorskip("PIL")

from PIL import Image as pillow

from ascend_sim import Simulator, pyacl
from ascend_sim.media.video.video_decoder import VideoDecoder
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches

acl = pyacl.modules()["acl"]
himpi = acl.himpi
WIDTH, HEIGHT = 160, 128
SIZE = WIDTH * HEIGHT * 3 // 2
KINDS = {"h264": (96, 1), "h265": (265, 11)}


@pytest.fixture
def sim():
    with Simulator("Ascend310P3", threads="deterministic") as opened:
        install_patches(opened.threads)
        acl.init()
        acl.rt.set_device(0)
        assert himpi.sys_init() == 0
        try:
            yield opened
        finally:
            uninstall_patches()


def attributes(kind, width=WIDTH, height=HEIGHT):
    coded, mode = KINDS.get(kind, (26, 0))
    rates = {"gop": 4, "stats_time": 1, "src_frame_rate": 25, "dst_frame_rate": 25, "bit_rate": 2000}
    venc = {
        "type": coded, "max_pic_width": width, "max_pic_height": height, "buf_size": SIZE * 2, "profile": 0,
        "is_by_frame": 1, "pic_width": width, "pic_height": height,
    }  # fmt: skip
    return {"venc_attr": venc, "rc_attr": {"rc_mode": mode, f"{kind}_cbr": rates}, "gop_attr": {"gop_mode": 0}}


def memory(data):
    data = np.ascontiguousarray(data, np.uint8).tobytes()
    address, ret = himpi.dvpp_malloc(0, len(data))
    assert ret == acl.rt.memcpy(address, len(data), acl.util.bytes_to_ptr(data), len(data), 1) == 0
    return address


def content(address, size):
    data = bytes(size)
    assert acl.rt.memcpy(acl.util.bytes_to_ptr(data), size, address, size, 2) == 0
    return data


def frame(address, form=1, stride=WIDTH, pts=0):
    pixels = {
        "width": WIDTH, "height": HEIGHT, "field": 4, "pixel_format": form, "width_stride": [stride, stride, 0],
        "height_stride": [HEIGHT, HEIGHT, 0], "virt_addr": [address, address + stride * HEIGHT, 0], "pts": pts,
    }  # fmt: skip
    return {"v_frame": pixels, "pool_id": 0, "mod_id": 0}


def grey(level):
    return np.concatenate([np.full(WIDTH * HEIGHT, level), np.full(WIDTH * HEIGHT // 2, 128)])


def started(kind, number=0):
    assert himpi.venc_create_chn(number, attributes(kind)) == himpi.venc_start_chn(number, {"recv_pic_num": -1}) == 0


def taken(number=0, wait=-1):
    stream, ret = himpi.venc_get_stream(number, {"pack_cnt": 1}, wait)
    if ret:
        return ret
    (pack,) = stream["pack"]
    data = content(pack["addr"], pack["len"])
    assert himpi.venc_release_stream(number, stream) == 0
    return data


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_become_a_stream(sim, kind):
    started(kind)
    pieces = []
    for level in (30, 90, 150):
        address = memory(grey(level))
        assert himpi.venc_send_frame(0, frame(address), 1000) == 0
        assert himpi.dvpp_free(address) == 0  # the call has taken the picture
        pieces.append(taken())
    assert taken(wait=0) == 0xA008800E
    decoder = VideoDecoder("h264" if kind == "h264" else "hevc", (16, 16), (4096, 4096))
    found = [one.frame for i, piece in enumerate(pieces) for one in decoder.decode(piece, i)]
    found += [one.frame for one in decoder.flush()]
    assert [abs(int(one.luma[5, 5]) - level) <= 2 for one, level in zip(found, (30, 90, 150), strict=True)] == [
        True
    ] * 3
    assert himpi.venc_stop_chn(0) == himpi.venc_destroy_chn(0) == himpi.sys_exit() == 0
    assert not [f for f in sim.findings if f.severity != "note"]


def test_a_key_picture_can_be_asked_for(sim):
    started("h264")
    address, keys = memory(grey(60)), []
    for i in range(3):
        if i == 2:
            assert himpi.venc_request_idr(0, 1) == 0
        assert himpi.venc_send_frame(0, frame(address), -1) == 0
        keys.append(b"\0\0\1\x65" in taken())
    assert keys == [True, False, True]


@pytest.mark.parametrize("form", [1, 2])
def test_a_picture_becomes_a_jpeg(sim, form):
    started("jpeg")
    param, ret = himpi.venc_get_jpeg_param(0)
    assert ret == 0
    param["qfactor"] = 100
    assert himpi.venc_set_jpeg_param(0, param) == 0
    stride = WIDTH + 16
    data = np.full((HEIGHT * 3 // 2, stride), 9)
    data[:HEIGHT, :WIDTH] = luma = 70 + np.arange(HEIGHT)[:, None] // 2
    data[HEIGHT:, :WIDTH] = np.tile([100, 180] if form == 1 else [180, 100], WIDTH // 2)
    assert himpi.venc_send_frame(0, frame(memory(data), form, stride), -1) == 0
    picture = pillow.open(io.BytesIO(taken()))
    values = np.asarray(picture.convert("YCbCr")).astype(int)
    assert picture.size == (WIDTH, HEIGHT) and np.abs(values[..., 0] - luma).max() <= 3
    assert np.abs(values[..., 1] - 100).max() <= 3 and np.abs(values[..., 2] - 180).max() <= 3


@pytest.mark.parametrize("field", ["width_stride", "height_stride", "virt_addr"])
def test_whatever_numbers_a_picture_has_a_code_comes_back(sim, field):
    started("jpeg")
    address = memory(grey(60))
    for place in range(3):
        for odd in (-1, -WIDTH, 1, 1.5, float("nan"), True, None, 1 << 31, 1 << 32, 1 << 64):
            given = frame(address)
            given["v_frame"][field][place] = odd
            code = himpi.venc_send_frame(0, given, -1)
            assert code or taken().startswith(b"\xff\xd8")
            assert code or place == 2 or odd not in (-1, -WIDTH, 1) or field == "height_stride"


def test_a_jpeg_goes_to_memory_of_the_program(sim):
    started("jpeg")
    size, ret = himpi.venc_get_jpege_predicted_size(frame(0), {"qfactor": 90})
    assert ret == 0 and size == 2 << 20
    target = memory(np.zeros(size))
    assert himpi.venc_send_jpege_frame(0, frame(memory(grey(80))), {"addr": target, "len": size}, 1000) == 0
    stream, ret = himpi.venc_get_stream(0, {"pack_cnt": 1}, -1)
    (pack,) = stream["pack"]
    assert ret == 0 and pack["addr"] == target
    assert pillow.open(io.BytesIO(content(target, pack["len"]))).size == (WIDTH, HEIGHT)


def test_a_released_stream_is_gone(sim):
    started("jpeg")
    assert himpi.venc_send_frame(0, frame(memory(grey(80))), -1) == 0
    stream, _ = himpi.venc_get_stream(0, {"pack_cnt": 1}, -1)
    pack = stream["pack"][0]
    assert himpi.venc_release_stream(0, stream) == 0
    room = bytes(pack["len"])
    acl.rt.memcpy(acl.util.bytes_to_ptr(room), len(room), pack["addr"], len(room), 2)
    assert "use-after-free" in {f.kind for f in sim.findings}


def test_codes(sim):
    assert himpi.venc_send_frame(0, frame(0), 0) == 0xA0088005
    assert himpi.venc_get_fd(0) == -1
    assert himpi.venc_create_chn(0, attributes("h264", 127)) == 0xA0088003
    wrong = attributes("h264")
    wrong["rc_attr"]["rc_mode"] = 11
    assert himpi.venc_create_chn(0, wrong) == 0xA0088003
    wrong["venc_attr"]["type"] = 1002
    assert himpi.venc_create_chn(0, wrong) == 0xA0088008
    assert himpi.venc_create_chn(0, attributes("h264")) == 0
    assert himpi.venc_create_chn(0, attributes("h264")) == 0xA0088004
    address = memory(grey(1))
    assert himpi.venc_send_frame(0, frame(address), 0) == 0xA0088009
    assert himpi.venc_start_chn(0, {"recv_pic_num": -1}) == 0
    assert himpi.venc_send_frame(0, frame(0), 0) == 0xA0088006
    assert himpi.venc_send_frame(0, frame(address, 12), 0) == 0xA0088008
    assert himpi.venc_get_stream(0, {"pack_cnt": 0}, 0)[1] == 0xA0088003
    assert himpi.venc_set_jpeg_param(0, {"qfactor": 0}) == 0xA0088003
    assert himpi.venc_set_scene_mode(0, 3) == 0xA0088003
    with pytest.raises(TypeError, match="type of hi_venc_chn_attr argument is not dict"):
        himpi.venc_create_chn(1, 0)


def test_settings_are_kept(sim):
    started("h264")
    assert himpi.venc_set_scene_mode(0, 2) == 0 and himpi.venc_get_scene_mode(0) == (2, 0)
    param, _ = himpi.venc_get_chn_param(0)
    param["priority"] = 1
    assert himpi.venc_set_chn_param(0, param) == 0 and himpi.venc_get_chn_param(0) == (param, 0)
    rates = {"row_qp_delta": 3, "h264_cbr_param": {"max_qp": 40}}
    assert himpi.venc_set_rc_param(0, rates) == 0 and himpi.venc_get_rc_param(0, 1) == (rates, 0)
    found, ret = himpi.venc_get_chn_attr(0)
    assert ret == 0 and found == attributes("h264") and himpi.venc_set_chn_attr(0, found) == 0
    found["venc_attr"]["pic_width"] = 320
    assert himpi.venc_set_chn_attr(0, found) == 0xA0088003


@pytest.mark.parametrize("soc", ["Ascend910B3", "Ascend910_9392"])
def test_products_without_the_unit(soc):
    with Simulator(soc):
        acl.rt.set_device(0)
        himpi.sys_init()
        assert himpi.venc_create_chn(0, attributes("h265")) == 0xA0088008
        assert himpi.venc_create_chn(0, attributes("jpeg")) == 0


def test_an_event_queue_waits_for_several_channels(sim):
    queue, ret = himpi.sys_create_epoll(10)
    assert ret == 0
    for number in (0, 1):
        started("jpeg", number)
        event = {"events": 1, "data": 70 + number}
        assert himpi.sys_ctl_epoll(queue, 1, himpi.venc_get_fd(number), event) == 0
        assert himpi.sys_ctl_epoll(queue, 1, himpi.venc_get_fd(number), event) == 0xA0028004
    assert himpi.sys_wait_epoll(queue, 2, 5) == ([{"events": 0, "data": 0}] * 2, 0, 0)
    assert himpi.venc_send_frame(1, frame(memory(grey(80))), -1) == 0
    assert himpi.sys_wait_epoll(queue, 2, -1) == ([{"events": 1, "data": 71}, {"events": 0, "data": 0}], 1, 0)
    assert himpi.venc_query_status(1)[0]["cur_packs"] == 1 and himpi.venc_query_status(0)[0]["cur_packs"] == 0
    assert taken(1) and himpi.sys_wait_epoll(queue, 2, 0)[1] == 0
    assert himpi.sys_ctl_epoll(queue, 3, himpi.venc_get_fd(1), {}) == 0
    assert himpi.sys_ctl_epoll(queue, 3, himpi.venc_get_fd(1), {}) == 0xA0028005
    assert himpi.sys_close_epoll(queue) == 0 and himpi.sys_close_epoll(queue) == 0xA0028005
    with pytest.raises(TypeError, match="invalid num of maxEvents"):
        himpi.sys_wait_epoll(queue, 4097, 0)


@pytest.mark.parametrize(("mode", "form"), [("RGB", 12), ("RGBA", 16)])
def test_a_png_becomes_pixels(sim, mode, form):
    values = np.random.default_rng(1).integers(0, 256, (40, 50, len(mode)), np.uint8)
    file = io.BytesIO()
    pillow.fromarray(values).save(file, "PNG")
    data = file.getvalue()
    host = {"type": 268, "addr": acl.util.bytes_to_ptr(data), "len": len(data)}
    info, ret = himpi.png_get_image_info(host)
    assert ret == 0 and (info["width"], info["height"]) == (50, 40)
    assert (info["width_stride"], info["height_stride"]) == (128 * len(mode), 48)
    assert himpi.pngd_create_chn(0, {}) == 0 and himpi.pngd_create_chn(0, {}) == 0xA0408004
    size = info["img_buf_size"]
    target = {"picture_address": memory(np.zeros(size)), "picture_buffer_size": size, "picture_format": 10000}
    stream = {**host, "addr": memory(np.frombuffer(data, np.uint8))}
    assert himpi.pngd_send_stream(0, stream, target, -1) == 0
    picture, given, ret = himpi.pngd_get_image_data(0, -1)
    assert ret == 0 and picture["picture_format"] == form and given["addr"] == stream["addr"]
    row = picture["picture_width_stride"]
    rows = np.frombuffer(content(picture["picture_address"], size), np.uint8).reshape(-1, row)
    assert np.array_equal(rows[:40, : 50 * len(mode)].reshape(40, 50, len(mode)), values)
    assert himpi.pngd_get_image_data(0, 0)[-1] == 0xA040800E
    small = {**target, "picture_buffer_size": size - 1}
    assert himpi.pngd_send_stream(0, stream, small, -1) == 0 and himpi.pngd_get_image_data(0, -1)[-1] == 0xA0408003
    assert himpi.pngd_send_stream(0, stream, {**target, "picture_format": 1}, -1) == 0xA0408008
    assert himpi.png_get_image_info({**host, "len": 12})[1] == 0xA0408003
    assert himpi.pngd_destroy_chn(0) == 0 and himpi.pngd_destroy_chn(0) == 0xA0408005
