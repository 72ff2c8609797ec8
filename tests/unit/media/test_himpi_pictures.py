"""Borders, batches, pyramids, histograms, colours and strides of the second media interface."""

import numpy as np
import pytest

from ascend_sim import Simulator, pyacl
from ascend_sim.media.statistics import GAUSSIAN

acl = pyacl.modules()["acl"]
himpi = acl.himpi
NO_BORDER = {"top": 0, "bottom": 0, "left": 0, "right": 0, "border_type": 0, "scalar_value": {"val": [0.0] * 4}}


@pytest.fixture
def vpc():
    with Simulator("Ascend910B3") as sim:
        acl.init()
        acl.rt.set_device(0)
        assert himpi.sys_init() == 0 and himpi.vpc_sys_create_chn({"attr": 0}) == (0, 0)
        yield sim


def picture(pixels, form=0):
    """A picture in memory of its own; *pixels*: rows x bytes of a row, of all planes."""
    pixels = np.ascontiguousarray(pixels, np.uint8)
    unit = {12: 3}.get(form, 1)
    rows = pixels.shape[0] * 2 // 3 if form == 1 else pixels.shape[0]
    data = pixels.tobytes()
    address, ret = himpi.dvpp_malloc(0, len(data))
    assert ret == acl.rt.memcpy(address, len(data), acl.util.bytes_to_ptr(data), len(data), 1) == 0
    return {
        "picture_address": address, "picture_buffer_size": len(data), "picture_width": pixels.shape[1] // unit,
        "picture_height": rows, "picture_width_stride": pixels.shape[1], "picture_height_stride": rows,
        "picture_format": form,
    }  # fmt: skip


def content(said):
    data = bytes(said["picture_buffer_size"])
    assert acl.rt.memcpy(acl.util.bytes_to_ptr(data), len(data), said["picture_address"], len(data), 2) == 0
    return np.frombuffer(data, np.uint8).reshape(-1, said["picture_width_stride"])


def done(answer):
    task, ret = answer
    assert ret == himpi.vpc_get_process_result(0, task, -1) == 0


def noise(rows, columns, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (rows, columns), np.uint8)


@pytest.mark.parametrize(("kind", "mode"), [(1, "edge"), (2, "symmetric"), (3, "reflect")])
def test_a_border_is_put_around(vpc, kind, mode):
    pixels = noise(32, 48)
    target = picture(np.zeros((40, 64)))
    border = {**NO_BORDER, "top": 2, "bottom": 6, "left": 4, "right": 12, "border_type": kind}
    done(himpi.vpc_copy_make_border(0, picture(pixels), target, border, -1))
    assert np.array_equal(content(target), np.pad(pixels, ((2, 6), (4, 12)), mode))
    wrong = {**border, "left": 5}
    assert himpi.vpc_copy_make_border(0, picture(pixels), target, wrong, -1) == (0, 0xA0078003)
    assert himpi.vpc_copy_make_border(0, picture(pixels), target, {**border, "border_type": 4}, -1) == (0, 0xA0078008)


def region(target, left, **more):
    return {
        "dest_pic_info": target, "crop_region": {"top_offset": 0, "left_offset": left, "crop_width": 16, "crop_height": 16},
        "resize_info": {"resize_width": 16, "resize_height": 16, "interpolation": 0}, **more,
    }  # fmt: skip


def test_a_part_gets_a_border(vpc):
    pixels, target = noise(32, 48), picture(np.zeros((32, 32)))
    more = {"dest_top_offset": 4, "dest_left_offset": 8, "border_type": 0, "scalar_value": {"val": [77.0, 0, 0, 0]}}
    done(himpi.vpc_crop_resize_make_border(0, picture(pixels), [region(target, 16, **more)], 1, -1))
    found = content(target)
    assert np.array_equal(found[4:20, 8:24], pixels[:16, 16:32])
    assert set(np.delete(found, np.s_[4:20], 0).ravel()) == {77} == set(np.delete(found, np.s_[8:24], 1).ravel())
    outside = {**more, "dest_left_offset": 20}
    answer = himpi.vpc_crop_resize_make_border(0, picture(pixels), [region(target, 16, **outside)], 1, -1)
    assert answer == (0, 0xA0078003)


@pytest.mark.parametrize("border", [False, True])
def test_parts_of_several_pictures(vpc, border):
    sources = [noise(32, 48, seed) for seed in (1, 2)]
    targets = [picture(np.full((32, 32), 9)) for _ in range(3)]
    more = {"dest_top_offset": 2, "dest_left_offset": 4, "border_type": 0, "scalar_value": {"val": [5.0] * 4}}
    regions = [region(target, left, **more) for target, left in zip(targets, (0, 8, 32), strict=True)]
    call = himpi.vpc_batch_crop_resize_make_border if border else himpi.vpc_batch_crop_resize_paste
    done(call(0, [picture(one) for one in sources], 2, regions, [1, 2], -1))
    for target, source, left in zip(targets, (sources[0], sources[1], sources[1]), (0, 8, 32), strict=True):
        found = content(target)
        assert np.array_equal(found[2:18, 4:20], source[:16, left : left + 16])
        assert found[0, 0] == (5 if border else 9)
    assert call(0, [picture(sources[0])], 1, regions, [1], -1) == (0, 0xA0078003)


def halved(pixels, weights, divisor):
    wide = np.pad(pixels, 2, "reflect").astype(np.int64)
    rows, columns = pixels.shape
    total = sum(weights[i][j] * wide[i : i + rows : 2, j : j + columns : 2] for i in range(5) for j in range(5))
    return np.clip((total + divisor // 2) // divisor, 0, 255)


@pytest.mark.parametrize("weights", [None, [[1] * 5] * 5])
def test_a_pyramid(vpc, weights):
    pixels = noise(64, 96)
    targets = [picture(np.zeros((64 >> i, 96 >> i))) for i in (1, 2)]
    border = {**NO_BORDER, "top": 2, "bottom": 2, "left": 2, "right": 2, "border_type": 3}
    done(himpi.vpc_pyrdown(0, picture(pixels), targets, 2, weights, 25, border, -1))
    expected = pixels
    for target in targets:
        expected = halved(expected, GAUSSIAN.values if weights is None else weights, 256 if weights is None else 25)
        assert np.array_equal(content(target), expected)
    assert himpi.vpc_pyrdown(0, picture(pixels), targets, 2, weights, 25, NO_BORDER, -1) == (0, 0xA0078003)
    with pytest.raises(TypeError, match=r"5\*5 int8"):
        himpi.vpc_pyrdown(0, picture(pixels), targets, 2, [[1] * 4] * 5, 25, border, -1)


def test_a_histogram(vpc):
    pixels = noise(32, 48 * 3)
    counts = np.full((3, 256), 7, np.uint32)
    done(himpi.vpc_calc_hist_v2(0, picture(pixels, 12), -1, counts.ctypes.data))
    for i in range(3):
        assert np.array_equal(counts[i], np.bincount(pixels[:, i::3].ravel(), minlength=256))
    with pytest.warns(Warning, match="vpc_calc_hist_v2"):
        found, task, ret = himpi.vpc_calc_hist(0, picture(pixels, 12), -1)
    assert (task, ret) == (0, 0) and set(found["histogram_y_or_r"]) == {0}
    assert himpi.vpc_calc_hist_v2(0, picture(pixels, 12), -1, 0) == (0, 0xA0078006)


def test_values_are_replaced(vpc):
    pixels, target = noise(32, 48), picture(np.zeros((32, 48)))
    table = [255 - i for i in range(256)]
    names = ("map_value_y_or_r", "map_value_u_or_g", "map_value_v_or_b")
    done(himpi.vpc_equalize_hist(0, picture(pixels), target, dict.fromkeys(names, table), -1))
    assert np.array_equal(content(target), 255 - pixels)


def test_a_channel_has_its_matrix(vpc):
    source = picture(np.tile([200, 30, 90], (32, 48)), 12)
    found = []
    for matrix in (0, 3):
        assert (
            himpi.sys_set_chn_csc_matrix(7, 0, matrix, {"yuv_to_rgb_coefficient": {}, "rgb_to_yuv_coefficient": {}})
            == 0
        )
        assert himpi.sys_get_chn_csc_matrix(7, 0)[0] == matrix
        target = picture(np.zeros((48, 48)), 1)
        done(himpi.vpc_convert_color_to_yuv420(0, source, target, -1))
        found.append(int(content(target)[0, 0]))
    assert found == [88, 77]
    numbers = himpi.sys_get_chn_csc_matrix(7, 0)[1]
    assert abs(numbers["rgb_to_yuv_coefficient"]["csc_matrix_r0_c1"] - 0.7152 * 219 / 255) < 1e-6
    assert himpi.sys_set_chn_csc_matrix(7, 0, 100, {}) == 0xA0028008
    assert himpi.sys_set_chn_csc_matrix(7, 0, 6, {}) == 0xA0028003
    assert himpi.sys_set_chn_csc_matrix(8, 0, 0, {}) == 0xA0028003
    assert himpi.vpc_convert_color_to_yuv420(0, source, source, -1) == (0, 0xA0078008)


@pytest.mark.parametrize(
    ("modules", "form", "strides"),
    [
        ([0], 1, (50, 34)), ([4], 1, (64, 48)), ([0, 1], 1, (64, 34)), ([5], 12, (128 * 3, 48)),
        ([0, 4, 5], 12, (128 * 3, 48)),
    ],
)  # fmt: skip
def test_strides_that_units_take(vpc, modules, form, strides):
    base = {"width": 50, "height": 33, "pixel_format": form}
    info, ret = himpi.sys_get_image_align_info(modules, len(modules), base)
    assert ret == 0 and (info["width_stride"], info["height_stride"]) == strides
    assert info["img_buf_size"] == strides[0] * strides[1] * (3 if form == 1 else 2) // 2
    assert himpi.sys_get_image_align_info([9], 1, base) == ({}, 0xA0028003)
    with pytest.raises(TypeError, match="not equal with mod_num"):
        himpi.sys_get_image_align_info(modules, 9, base)


def test_a_strided_paste_counts_as_written(vpc):
    source = picture(noise(32, 48))
    address, _ = himpi.dvpp_malloc(0, 64 * 32)
    wide = {"picture_buffer_size": 64 * 32, "picture_width": 64, "picture_width_stride": 64}
    target = {**source, "picture_address": address, **wide}
    more = {"dest_top_offset": 0, "dest_left_offset": 16}
    done(himpi.vpc_crop_resize_paste(0, source, [region(target, 0, **more)], 1, -1))
    line = bytes(16)
    assert acl.rt.memcpy(acl.util.bytes_to_ptr(line), 16, address + 16, 16, 2) == 0
    assert not vpc.findings
    assert acl.rt.memcpy(acl.util.bytes_to_ptr(line), 16, address + 32, 16, 2) == 0
    assert [f.kind for f in vpc.findings] == ["uninitialised-read"]
