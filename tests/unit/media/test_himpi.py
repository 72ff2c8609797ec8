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
    given = {
        "end_of_frame": 1,
        "end_of_stream": 0,
        "need_display": 1,
        "pts": 0,
        "len": len(piece),
        "addr": taken,
        **stream,
    }
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


def picture(width, height, form=1, factor=1.5, fill=None):
    """A picture as the second interface has it, in memory of its own."""
    said = {
        "picture_width": width, "picture_height": height, "picture_width_stride": width * (3 if form == 12 else 1),
        "picture_height_stride": height, "picture_format": form,
    }  # fmt: skip
    said["picture_buffer_size"] = size = int(width * height * factor)
    said["picture_address"], ret = himpi.dvpp_malloc(0, size)
    assert ret == 0
    if fill is not None:
        data = np.ascontiguousarray(fill, np.uint8).tobytes()
        assert acl.rt.memcpy(said["picture_address"], size, acl.util.bytes_to_ptr(data), size, 1) == 0
    return said


def content(said):
    data = bytes(said["picture_buffer_size"])
    assert acl.rt.memcpy(acl.util.bytes_to_ptr(data), len(data), said["picture_address"], len(data), 2) == 0
    return np.frombuffer(data, np.uint8)


def gradient(width, height):
    luma = np.repeat(np.arange(width, dtype=np.uint8)[None], height, 0)
    return np.concatenate([luma.ravel(), np.full(width * height // 2, 128, np.uint8)])


@pytest.fixture
def vpc(sim):
    assert himpi.sys_init() == himpi.vpc_create_chn(0, {"attr": 0, "pic_width": 0, "pic_height": 0}) == 0
    return sim


def test_a_resize_is_queued_and_waited_for(vpc):
    source, target = picture(128, 64, fill=gradient(128, 64)), picture(64, 32)
    task, ret = himpi.vpc_resize(0, source, target, 0, 0, 0, -1)
    assert ret == 0 and task > 0
    assert himpi.vpc_get_process_result(0, task, -1) == 0
    luma = content(target)[: 64 * 32].reshape(32, 64)
    assert np.abs(luma[5].astype(int) - (np.arange(64) * 2 + 0.5)).max() <= 1
    assert himpi.vpc_get_process_result(0, task, -1) == 0xA0078005
    assert himpi.vpc_destroy_chn(0) == himpi.sys_exit() == 0
    assert not [f for f in vpc.findings if f.severity != "note"]


def test_crops(vpc):
    source = picture(128, 64, fill=gradient(128, 64))
    targets = [picture(32, 32) for _ in range(2)]
    regions = [
        {"dest_pic_info": t, "crop_region": {"top_offset": 0, "left_offset": left, "crop_width": 32, "crop_height": 32}}
        for t, left in zip(targets, (16, 64), strict=True)
    ]
    task, ret = himpi.vpc_crop(0, source, regions, 2, -1)
    assert ret == himpi.vpc_get_process_result(0, task, 1000) == 0
    assert [content(t)[0] for t in targets] == [16, 64]
    with pytest.raises(TypeError, match="not equal with count"):
        himpi.vpc_crop(0, source, regions, 1, -1)


def test_a_paste_leaves_the_rest(vpc):
    source = picture(128, 64, fill=gradient(128, 64))
    target = picture(64, 64, fill=np.full(64 * 96, 9))
    region = {
        "dest_pic_info": target, "crop_region": {"top_offset": 0, "left_offset": 32, "crop_width": 64, "crop_height": 64},
        "resize_info": {"resize_width": 32, "resize_height": 32, "interpolation": 0}, "dest_top_offset": 16,
        "dest_left_offset": 16,
    }  # fmt: skip
    task, ret = himpi.vpc_crop_resize_paste(0, source, [region], 1, -1)
    assert ret == himpi.vpc_get_process_result(0, task, -1) == 0
    luma = content(target)[: 64 * 64].reshape(64, 64)
    assert set(luma[:16].ravel()) == set(luma[:, :16].ravel()) == set(luma[48:].ravel()) == {9}
    assert abs(int(luma[20, 16]) - 32) <= 1 and abs(int(luma[20, 47]) - 95) <= 1
    smaller = {**region, "dest_top_offset": 0, "dest_left_offset": 0}
    task, ret = himpi.vpc_crop_resize(0, source, [smaller], 1, -1)
    assert ret == himpi.vpc_get_process_result(0, task, -1) == 0
    assert abs(int(content(target)[0]) - 32) <= 1


def test_colours(vpc):
    source, target = picture(64, 32, fill=np.full(64 * 48, 128)), picture(64, 32, 12, 3)
    task, ret = himpi.vpc_convert_color(0, source, target, -1)
    assert ret == himpi.vpc_get_process_result(0, task, -1) == 0
    assert set(content(target)) == {128}


def test_codes_of_pictures(sim):
    assert himpi.vpc_create_chn(0, {}) == 0xA0078010
    himpi.sys_init()
    assert himpi.vpc_create_chn(0, {}) == 0
    assert himpi.vpc_create_chn(0, {}) == 0xA0078004
    assert himpi.vpc_create_chn(-1, {}) == 0xA0078003
    source = picture(64, 32, fill=np.full(64 * 48, 128))
    assert himpi.vpc_resize(3, source, source, 0, 0, 0, -1) == (0, 0xA0078005)
    assert himpi.vpc_resize(0, source, {**picture(32, 32), "picture_format": 70}, 0, 0, 0, -1) == (0, 0xA0078008)
    assert himpi.vpc_resize(0, source, picture(32, 32), 0, 0, 99, -1) == (0, 0xA0078008)
    assert himpi.vpc_resize(0, source, {**picture(32, 32), "picture_width_stride": 16}, 0, 0, 0, -1) == (0, 0xA0078003)
    assert himpi.vpc_get_process_result(0, 5, 0) == 0xA0078005
    assert himpi.vpc_destroy_chn(1) == 0xA0078005


def test_memory_that_is_gone_fails_the_task(vpc):
    source, target = picture(64, 32, fill=np.full(64 * 48, 1)), picture(32, 32)
    himpi.dvpp_free(target["picture_address"])
    task, ret = himpi.vpc_resize(0, source, target, 0, 0, 0, -1)
    assert ret == 0 and himpi.vpc_get_process_result(0, task, -1) == 0xA0078003
    good = picture(32, 32)
    task, ret = himpi.vpc_resize(0, source, good, 0, 0, 0, -1)
    assert ret == himpi.vpc_get_process_result(0, task, -1) == 0


def test_what_a_jpeg_needs_is_known_before(sim):
    pillow = pytest.importorskip("PIL.Image")
    himpi.sys_init()
    file = io.BytesIO()
    pillow.new("RGB", (150, 70)).save(file, "JPEG")
    data = file.getvalue()
    stream = {"addr": acl.util.bytes_to_ptr(data), "len": len(data)}
    info, ret = himpi.dvpp_get_image_info(26, stream)
    assert ret == 0 and (info["width"], info["height"]) == (150, 70)
    assert (info["width_stride"], info["height_stride"], info["img_buf_size"]) == (192, 80, 192 * 80 * 3 // 2)
    info, ret = himpi.vdec_get_jpegd_output_info(stream, 12)
    assert ret == 0 and info["img_buf_size"] == 192 * 3 * 80
    assert himpi.dvpp_get_image_info(96, stream) == ({}, 0xA0058008)
    assert himpi.dvpp_get_image_info(26, {"addr": 1, "len": 100}) == ({}, 0xA0058011)
    assert himpi.dvpp_get_image_info(26, {**stream, "len": 3}) == ({}, 0xA0058003)


def test_a_progressive_jpeg_fails_as_on_the_device(sim):
    pillow = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    pillow.new("RGB", (WIDTH, HEIGHT)).save(file, "JPEG", progressive=True)
    channel("jpeg")
    assert send(file.getvalue()) == 0
    assert take()[0] == 1
    close()


def test_the_rest_says_so(sim):
    assert himpi.vpc_flip() == 207000
    assert "not-modelled" in {f.kind for f in sim.findings}
