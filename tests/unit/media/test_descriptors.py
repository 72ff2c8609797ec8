"""Descriptors and settings: values, codes, owners, and what is said when a queued task still needs them."""

from __future__ import annotations

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.unit.media.conftest import Program, kinds

PRODUCTS = ("Ascend310", "Ascend910A", "Ascend310P3", "Ascend310B1", "Ascend910B3", "Ascend910_9392")


def test_the_first_media_call_needs_a_context() -> None:
    with Simulator():
        assert C.acldvppCreatePicDesc() == C.acldvppCreateChannelDesc() == C.acldvppCreateStreamDesc() == 0
        assert C.acldvppMalloc(64) == (0, 107002)
        C.aclrtSetDevice(0)
        assert C.acldvppCreatePicDesc()


def test_a_product_without_the_interface_has_no_objects() -> None:
    with Simulator(soc="Ascend950PR_9599"):
        C.aclrtSetDevice(0)
        assert C.acldvppCreateChannelDesc() == 0
        assert C.acldvppJpegGetImageInfo(b"x" * 64, 64) == (None, None, None, 500000)


@pytest.mark.parametrize("soc", PRODUCTS)
def test_fields_of_a_picture(soc: str) -> None:
    fields = {"Size": 7, "Format": 13, "Width": 8, "Height": 9, "WidthStride": 16, "HeightStride": 10, "RetCode": 3}
    with Simulator(soc=soc):
        C.aclrtSetDevice(0)
        desc = C.acldvppCreatePicDesc()
        for name, value in fields.items():
            assert getattr(C, f"acldvppGetPicDesc{name}")(desc) == 0
            assert getattr(C, f"acldvppSetPicDesc{name}")(desc, value) == 0
            assert getattr(C, f"acldvppGetPicDesc{name}")(desc) == value
            assert getattr(C, f"acldvppSetPicDesc{name}")(0, value) == 100000
            assert getattr(C, f"acldvppGetPicDesc{name}")(0) == 0
        assert C.acldvppSetPicDescData(desc, 0) == 100000
        assert (C.acldvppDestroyPicDesc(desc), C.acldvppDestroyPicDesc(0)) == (0, 0)


def test_a_dead_handle_is_answered_like_null_and_told(program: Program) -> None:
    desc = C.acldvppCreatePicDesc()
    assert C.acldvppDestroyPicDesc(desc) == 0
    assert C.acldvppDestroyPicDesc(desc) == 0
    assert C.acldvppSetPicDescWidth(desc, 1) == 100000
    assert kinds(program) == ["undefined-use"] * 2


def test_a_batch_owns_its_pictures(program: Program) -> None:
    assert C.acldvppCreateBatchPicDesc(0) == C.acldvppCreateBatchPicDesc(257) == 0
    batch = C.acldvppCreateBatchPicDesc(3)
    pictures = [C.acldvppGetPicDesc(batch, i) for i in range(4)]
    assert all(pictures[:3]) and len(set(pictures[:3])) == 3 and pictures[3] == 0
    assert C.acldvppSetPicDescWidth(pictures[2], 64) == 0
    assert C.acldvppGetPicDescWidth(C.acldvppGetPicDesc(batch, 2)) == 64
    assert C.acldvppDestroyBatchPicDesc(batch) == 0
    assert C.acldvppSetPicDescWidth(pictures[2], 64) == 100000


def test_rectangles_have_sixteen_bits(program: Program) -> None:
    roi = C.acldvppCreateRoiConfig(65535, 0, 3, 2)  # left behind right: the device judges
    assert roi
    assert C.acldvppCreateRoiConfig(0, 65536, 0, 1) == 0
    assert C.acldvppSetRoiConfig(roi, 1, 2, 3, 65536) == 100000
    assert C.acldvppSetRoiConfigLeft(roi, 70000) == C.acldvppSetRoiConfigTop(0, 1) == 100000
    assert C.acldvppSetRoiConfigBottom(roi, 9) == 0
    assert C.acldvppDestroyRoiConfig(roi) == C.acldvppDestroyRoiConfig(0) == 0


@pytest.mark.parametrize(("soc", "most"), [("Ascend310", 4), ("Ascend910A", 4), ("Ascend310P3", 2), ("Ascend310B1", 5)])
def test_algorithms_of_the_products(soc: str, most: int) -> None:
    with Simulator(soc=soc):
        C.aclrtSetDevice(0)
        config = C.acldvppCreateResizeConfig()
        assert C.acldvppSetResizeConfigInterpolation(config, most) == 0
        assert C.acldvppSetResizeConfigInterpolation(config, most + 1) == 100000
        assert C.acldvppGetResizeConfigInterpolation(config) == most


@pytest.mark.parametrize("soc", ["Ascend310", "Ascend910A"])
def test_what_the_first_generation_has_not(soc: str) -> None:
    with Simulator(soc=soc):
        C.aclrtSetDevice(0)
        channel = C.acldvppCreateChannelDesc()
        assert C.acldvppSetChannelDescMode(channel, 1) == 200006
        assert C.acldvppVpcConvertColorAsync(channel, 0, 0, 0) == 200006
        assert C.acldvppVpcPyrDownAsync(channel, 0, 0, 0, 0) == 200006
        assert C.acldvppCreateHist() == C.acldvppCreateLutMap() == C.acldvppCreateBorderConfig() == 0


def test_borders_histograms_and_tables(program: Program) -> None:
    border = C.acldvppCreateBorderConfig()
    assert C.acldvppSetBorderConfigValue(border, 3, 1.5) == 0
    assert C.acldvppSetBorderConfigValue(border, 4, 1.5) == 100000
    assert C.acldvppGetBorderConfigValue(border, 3) == 1.5
    assert C.acldvppGetBorderConfigValue(border, 4) == C.acldvppGetBorderConfigValue(0, 0) == -1.0
    assert C.acldvppSetBorderConfigTop(border, 65536) == 100000
    assert C.acldvppGetHistRetCode(0) == 100000
    hist, lut = C.acldvppCreateHist(), C.acldvppCreateLutMap()
    assert (C.acldvppGetHistDims(hist), C.acldvppGetLutMapDims(lut)) == (3, 3)
    first, length, ret = C.acldvppGetHistData(hist, 0)
    second, _, _ = C.acldvppGetHistData(hist, 1)
    assert (second - first, length, ret) == (1024, 256, 0)
    assert C.acldvppGetLutMapData(lut, 3) == (0, None, 100000)


def test_channels(program: Program) -> None:
    other = C.acldvppCreateChannelDesc()
    assert [C.acldvppGetChannelDescChannelId(c) for c in (program.channel, other, 0)] == [1, 2, 0]
    value = np.array([5], np.uint32)
    assert C.acldvppSetChannelDescParam(other, 0, 4, value) == 0
    assert (
        C.acldvppSetChannelDescParam(other, 1, 4, value) == C.acldvppSetChannelDescParam(other, 0, 8, value) == 100000
    )
    read = np.zeros(1, np.uint32)
    assert (C.acldvppGetChannelDescParam(other, 0, 4, read), read[0]) == ((4, 0), 5)
    assert C.acldvppSetChannelDescMode(other, 16) == C.acldvppSetChannelDescMode(other, 0) == 100000
    small, large = program.picture(1, 64, 64), program.picture(1, 128, 64)
    assert C.acldvppVpcResizeAsync(other, large, small, program.resize, program.stream) == 100000  # not created
    assert C.acldvppCreateChannel(0) == C.acldvppDestroyChannel(0) == 100000
    assert C.acldvppCreateChannel(other) == C.acldvppDestroyChannel(other) == C.acldvppDestroyChannelDesc(other) == 0
    assert kinds(program) == []


def test_memory_is_rounded_and_has_a_family(program: Program) -> None:
    address, ret = C.acldvppMalloc(100)
    assert ret == 0
    block = program.sim.memory.find(address)
    assert block is not None and block.capacity == (100 + 63) // 32 * 32
    assert C.acldvppMalloc(0) == C.acldvppMalloc((1 << 64) - 10) == (0, 100000)
    assert C.acldvppFree(address) == 0
    assert C.acldvppFree(address) == 107000
    plain = C.aclrtMalloc(4096, 0)[0]
    assert C.acldvppFree(plain) == 0
    assert kinds(program) == ["double-free", "bad-free"]
    assert C.aclrtFree(C.acldvppMalloc(4096)[0]) == 0
    assert kinds(program) == ["double-free", "bad-free", "bad-free"]


def test_a_device_that_is_reset_takes_its_pictures_along(program: Program) -> None:
    program.picture(1, 64, 64)
    assert C.aclrtResetDeviceForce(0) == 0
    assert "bad-free" not in kinds(program)


@pytest.mark.parametrize("field", ["Width", "Data", "WidthStride"])
def test_a_descriptor_that_changes_while_it_is_queued(program: Program, field: str) -> None:
    small, large = program.picture(1, 64, 64), program.picture(1, 128, 64)
    assert C.acldvppVpcResizeAsync(program.channel, large, small, program.resize, program.stream) == 0
    value = getattr(C, f"acldvppGetPicDesc{field}")(large)
    assert getattr(C, f"acldvppSetPicDesc{field}")(large, value) == 0
    assert kinds(program) == ["descriptor-in-use"]
    (finding,) = program.sim.findings
    assert "changes picture descriptor" in finding.title
    assert [site.role for site in finding.sites] == ["access", "submit"]


def test_fields_that_are_read_too_early(program: Program) -> None:
    small, large = program.picture(1, 64, 64), program.picture(1, 128, 64)
    C.acldvppVpcResizeAsync(program.channel, large, small, program.resize, program.stream)
    assert C.acldvppGetPicDescWidth(large) == 128  # an input is not written
    assert kinds(program) == []
    C.acldvppGetPicDescRetCode(small)
    assert kinds(program) == ["descriptor-in-use"]


def test_settings_may_go_at_once_and_descriptors_after_the_wait(program: Program) -> None:
    small, large = program.picture(1, 64, 64), program.picture(1, 128, 64)
    roi = C.acldvppCreateRoiConfig(0, 127, 0, 63)
    C.acldvppVpcCropResizeAsync(program.channel, large, small, roi, program.resize, program.stream)
    C.acldvppSetRoiConfigLeft(roi, 500)
    C.acldvppDestroyRoiConfig(roi)
    C.acldvppDestroyResizeConfig(program.resize)
    assert program.wait() == 0
    for desc in (small, large):
        assert C.acldvppDestroyPicDesc(desc) == 0
    assert kinds(program) == []


def test_destroying_what_is_queued(program: Program) -> None:
    small, large = program.picture(1, 64, 64), program.picture(1, 128, 64)
    C.acldvppVpcResizeAsync(program.channel, large, small, program.resize, program.stream)
    C.acldvppDestroyPicDesc(small)
    C.acldvppDestroyChannel(program.channel)
    assert program.wait() == 0
    assert kinds(program) == ["descriptor-in-use"] * 2


def test_what_is_left_is_a_leak() -> None:
    with Simulator(checks="memory") as sim:
        C.aclInit(None)
        program = Program(sim)
        C.acldvppCreateRoiConfig(0, 1, 0, 1)
        batch = C.acldvppCreateBatchPicDesc(2)
        assert program.channel and batch
        C.aclFinalize()
    (leak,) = [f for f in sim.findings if f.kind == "leak"]
    assert "1 roi configuration" in leak.title
    assert "1 channel descriptor" in leak.title
    assert "picture descriptor are" not in leak.title and "2 picture" not in leak.title
