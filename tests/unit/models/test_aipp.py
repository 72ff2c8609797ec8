"""Preprocessing of images: ranges of its settings, what a model says of it, and what becomes of the pixels."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.om import Aipp, Body, Gears, ModelDescription, TensorDescription
from ascend_sim.om.description import DescriptionError, from_json, to_json
from tests.unit.models.conftest import D2H, FLOAT, H2D, Models

NCHW, NHWC, UINT8 = 0, 1, 4
NONE = 0xFFFFFFFF
IDENTITY = Body("graph", nodes=({"op": "Neg", "inputs": ["x"], "outputs": ["y"], "attributes": {}},))


def model(aipp: Aipp, dims: tuple[int, ...] = (1, 3, 2, 4), format_: int = NCHW, **changes: Any) -> ModelDescription:
    """y = -x behind a preprocessing."""
    data_type = changes.pop("data_type", FLOAT)
    return ModelDescription(
        "images",
        (TensorDescription("x", data_type, dims, format_, aipp=aipp),),
        (TensorDescription("y", data_type, dims, format_),),
        IDENTITY,
        **changes,
    )


class Images:
    """One loaded model with a dataset for its images, its settings and its result."""

    def __init__(self, models: Models, description: ModelDescription, image: bytes, room: int = 0) -> None:
        self.models = models
        self.number = models.load(description)
        self.dims = description.outputs[0].dims
        self.type = np.uint8 if description.outputs[0].data_type == UINT8 else np.float32
        self.image = self.bytes(image, room)
        self.settings = self.bytes(b"", 160)
        self.result = self.bytes(b"", int(np.prod(np.abs(self.dims))) * 4 * 8)
        parts = [(self.image, max(len(image), room))]
        desc = C.aclmdlCreateDesc()
        models.must(C.aclmdlGetDesc(desc, self.number))
        self.inputs = C.aclmdlGetNumInputs(desc)
        self.desc = desc
        if self.inputs > 1:
            parts.append((self.settings, 160))
        self.ins = models.dataset(*parts)
        self.outs = models.dataset((self.result, int(np.prod(np.abs(self.dims))) * 4 * 8))

    def bytes(self, data: bytes, room: int = 0) -> int:
        """Device memory with *data*."""
        size = max(len(data), room, 1)
        address = int(self.models.must(C.aclrtMalloc(size, 0)))
        if data:
            self.models.must(C.aclrtMemcpy(address, size, bytearray(data), len(data), H2D))
        return address

    def run(self) -> np.ndarray[Any, Any]:
        """What the network got, in its layout."""
        self.models.must(C.aclmdlExecute(self.number, self.ins, self.outs))
        out = np.zeros(self.dims, self.type)
        self.models.must(C.aclrtMemcpy(out, out.nbytes, self.result, out.nbytes, D2H))
        return -out


# -- settings ----------------------------------------------------------------------------------------------------------

RANGES: list[tuple[str, tuple[float, ...], list[tuple[float, ...]]]] = [
    ("InputFormat", (14,), [(0,), (15,), (65535,)]),
    ("RbuvSwapSwitch", (1,), [(2,), (-1,)]),
    ("AxSwapSwitch", (1,), [(2,)]),
    ("SrcImageSize", (2, 1), [(1, 1), (2, 0), (4097, 2), (2, 4097)]),
    (
        "CscParams",
        (1, *[-32677] * 9, *range(6)),
        [(2, *[0] * 15), (1, 32677, *[0] * 14), (1, *[0] * 8, -32678, *[0] * 6)],
    ),
    ("ScfParams", (1, 16, 16, 1920, 4096, 1), [(1, 15, 16, 16, 16, 1), (1, 16, 16, 1921, 16, 0), (0, 0, 0, 0, 0, 2)]),
    ("CropParams", (1, 4095, 0, 4096, 1, 0), [(1, 4096, 0, 1, 1, 0), (1, 0, -1, 1, 1, 0), (1, 0, 0, 0, 1, 0)]),
    ("PaddingParams", (1, 32, 0, 0, 32, 0), [(1, 33, 0, 0, 0, 0), (1, 0, 0, 0, -1, 0), (2, 0, 0, 0, 0, 0)]),
    ("DtcPixelMean", (0, 255, 1, 2, 1), [(0, 256, 0, 0, 0), (-1, 0, 0, 0, 0), (0, 0, 0, 0, 2)]),
    ("DtcPixelMin", (0.5, 255, 0, 0, 1), [(0, 255.5, 0, 0, 0), (0, 0, 0, 0, 2)]),
    ("PixelVarReci", (-65504, 65504, 0.1, 0, 1), [(65505, 0, 0, 0, 0), (0, 0, 0, 0, 2)]),
]


@pytest.mark.parametrize(("name", "good", "bad"), RANGES, ids=[row[0] for row in RANGES])
def test_the_ranges_of_settings(
    models: Models, name: str, good: tuple[float, ...], bad: list[tuple[float, ...]]
) -> None:
    setter = getattr(C, f"aclmdlSetAIPP{name}")
    aipp = C.aclmdlCreateAIPP(2)
    assert setter(aipp, *good) == 0
    for values in bad:
        assert setter(aipp, *values) == 100000, values
    assert setter(0, *good) == 100000
    assert C.aclmdlDestroyAIPP(aipp) == 0


def test_a_switch_counts_even_when_a_number_is_refused(models: Models) -> None:
    aipp = C.aclmdlCreateAIPP(1)
    assert C.aclmdlSetAIPPCropParams(aipp, 1, 0, 0, 9999, 1, 0) == 100000
    assert C.aclmdlSetAIPPInputFormat(aipp, C.ACL_RGB888_U8) == 0
    assert C.aclmdlSetAIPPSrcImageSize(aipp, 4, 2) == 0
    one = Images(models, model(Aipp()), bytes(24))
    assert C.aclmdlSetInputAIPP(one.number, one.ins, 1, aipp) == 100000  # the crop of 0 x 0 is on
    assert C.aclmdlSetAIPPCropParams(aipp, 0, 0, 0, 0, 0, 0) == 0
    assert C.aclmdlSetInputAIPP(one.number, one.ins, 1, aipp) == 0


def test_handles_of_settings(models: Models) -> None:
    assert C.aclmdlCreateAIPP(0) == 0
    assert C.aclmdlCreateAIPP(1 << 40) == 0
    assert C.aclmdlGetAippDataSize(3) == (64 + 3 * 96, 0)
    assert C.aclmdlGetAippDataSize(0)[-1] == 100000
    assert C.aclmdlDestroyAIPP(0) == 100000


# -- what a model says -------------------------------------------------------------------------------------------------


def test_static_preprocessing_is_described(models: Models) -> None:
    aipp = Aipp(
        "static", 1, src_image_size_w=6, src_image_size_h=4, crop=True, load_start_pos_w=2, csc_switch=True,
        rbuv_swap_switch=True, mean=(1, 2, 3, 0), min=(0.5, 0, 0, 0), var_reci=(0.5, 1, 1, 1),
    )  # fmt: skip
    one = Images(models, model(aipp), bytes(36))
    assert models.must(C.aclmdlGetInputDims(one.desc, 0)).dims == [1, 4, 6, 3]
    assert models.must(C.aclmdlGetInputDimsV2(one.desc, 0)).dims == [1, 6, 6, 1]
    assert C.aclmdlGetInputSizeByIndex(one.desc, 0) == 36
    assert (C.aclmdlGetInputFormat(one.desc, 0), C.aclmdlGetInputDataType(one.desc, 0)) == (NHWC, UINT8)
    assert (C.aclmdlGetAippType(one.number, 0), one.inputs) == ((1, NONE, 0), 1)
    info = models.must(C.aclmdlGetFirstAippInfo(one.number, 0))
    assert (info.inputFormat, info.srcImageSizeW, info.cropSwitch, info.loadStartPosW, info.cscSwitch) == (
        1,
        6,
        1,
        2,
        1,
    )
    assert (info.matrixR0C0, info.matrixR2C2, info.inputBias1, info.rbuvSwapSwitch) == (298, 409, 128, 1)
    assert (info.meanChn2, info.minChn0, info.varReciChn0, info.shapeCount) == (3, 0.5, 0.5, 1)
    assert (info.srcFormat, info.srcDatatype, info.srcDimNum) == (NCHW, FLOAT, 4)
    assert info.outDims[0].srcDims.dims == info.outDims[0].aippOutdims.dims == [1, 3, 2, 4]
    assert (info.outDims[0].srcSize, info.outDims[0].srcDims.name) == (96, "x")


def test_dynamic_preprocessing_is_described(models: Models) -> None:
    one = Images(models, model(Aipp(max_src_image_size=500)), bytes(24), 500)
    names = [C.aclmdlGetInputNameByIndex(one.desc, i) for i in range(one.inputs)]
    assert names == ["x", C.ACL_DYNAMIC_AIPP_NAME]
    assert models.must(C.aclmdlGetInputDims(one.desc, 0)).dims == [1, -1, -1, -1]
    assert [C.aclmdlGetInputSizeByIndex(one.desc, i) for i in range(2)] == [500, 160]
    assert C.aclmdlGetInputIndexByName(one.desc, C.ACL_DYNAMIC_AIPP_NAME) == (1, 0)
    assert C.aclmdlGetAippType(one.number, 0) == (2, 1, 0)
    assert C.aclmdlGetAippType(one.number, 1) == (3, NONE, 0)
    assert C.aclmdlGetAippType(one.number, 2)[-1] == 100000
    assert C.aclmdlGetAippType(99, 0)[-1] == 145003
    info = models.must(C.aclmdlGetFirstAippInfo(one.number, 0))
    assert (info.inputFormat, info.shapeCount, info.srcDimNum) == (0, 1, 4)
    assert C.aclmdlGetFirstAippInfo(one.number, 1)[-1] == 145015
    assert C.aclmdlGetFirstAippInfo(one.number, 2)[-1] == 100000
    assert C.aclmdlGetFirstAippInfo(99, 0)[-1] == 145003


def test_two_inputs_have_settings_of_their_own(models: Models) -> None:
    parts = tuple(TensorDescription(name, FLOAT, (2, 3, 2, 4), NCHW, aipp=Aipp()) for name in ("x", "z"))
    body = Body("graph", nodes=({"op": "Add", "inputs": ["x", "z"], "outputs": ["y"], "attributes": {}},))
    number = models.load(ModelDescription("two", parts, (TensorDescription("y", FLOAT, (2, 3, 2, 4)),), body))
    assert [C.aclmdlGetAippType(number, i)[:2] for i in range(4)] == [(2, 2), (2, 3), (3, NONE), (3, NONE)]
    desc = C.aclmdlCreateDesc()
    models.must(C.aclmdlGetDesc(desc, number))
    assert C.aclmdlGetInputNameByIndex(desc, 3) == "ascend_dynamic_aipp_data_z_0_aipp"
    assert C.aclmdlGetInputSizeByIndex(desc, 3) == 64 + 2 * 96


def test_a_model_with_gears_tells_the_shapes_of_all(models: Models) -> None:
    gears = Gears("batch", ((1,), (2,)))
    one = Images(models, model(Aipp("static", 3), (-1, 3, 2, 4), gears=gears), bytes(48))
    info = models.must(C.aclmdlGetFirstAippInfo(one.number, 0))
    assert [shape.srcDims.dims[0] for shape in info.outDims] == [1, 2]
    assert models.must(C.aclmdlGetInputDims(one.desc, 0)).dims == [-1, 2, 4, 3]
    assert C.aclmdlGetInputSizeByIndex(one.desc, 0) == 48


# -- settings for a run ------------------------------------------------------------------------------------------------


def settings(width: int, height: int, format_: int = 3, batch: int = 1) -> int:
    """A handle with format and size."""
    aipp = int(C.aclmdlCreateAIPP(batch))
    assert C.aclmdlSetAIPPInputFormat(aipp, format_) == 0
    assert C.aclmdlSetAIPPSrcImageSize(aipp, width, height) == 0
    return aipp


def test_settings_are_written_where_the_device_reads_them(models: Models) -> None:
    one = Images(models, model(Aipp()), bytes(24))
    aipp = settings(4, 2)
    assert C.aclmdlSetAIPPPixelVarReci(aipp, 0.5, 1, 1, 1, 0) == 0
    assert C.aclmdlSetAIPPByInputIndex(one.number, one.ins, 0, aipp) == 0
    raw = bytearray(160)
    models.must(C.aclrtMemcpy(raw, 160, one.settings, 160, D2H))
    assert (raw[0], raw[4], struct.unpack_from("<ii", raw, 8)) == (5, 1, (4, 2))
    assert np.frombuffer(raw, np.float16, 1, 136)[0] == 0.5


def test_the_order_of_tests_of_settings(models: Models) -> None:
    one = Images(models, model(Aipp(max_src_image_size=60)), bytes(24))
    number, ins = one.number, one.ins
    good = settings(4, 2)
    call = C.aclmdlSetInputAIPP
    assert call(number, 0, 1, good) == 100000
    assert call(number, ins, 1, 0) == 100000
    assert call(99, ins, 1, good) == 145003
    assert call(number, ins, 2, good) == 100000
    assert call(number, ins, 0, good) == 100000  # the images themselves
    assert call(number, ins, 1, settings(8, 4)) == 100000  # too many bytes
    assert call(number, ins, 1, settings(2, 2)) == 100000  # not what the network takes
    assert call(number, ins, 1, settings(4, 2, batch=2)) == 100000
    assert call(number, ins, 1, settings(4, 2, C.ACL_YUYV_U8)) == 100000
    assert call(number, ins, 1, good) == 0
    short = models.dataset((one.image, 24), (one.settings, 159))
    assert call(number, short, 1, good) == 145012
    assert call(number, models.dataset((one.image, 24)), 1, good) == 100000
    assert call(number, models.dataset((one.image, 24), (0, 160)), 1, good) == 100000
    assert C.aclmdlSetAIPPByInputIndex(number, ins, 1, good) == 500000
    assert C.aclmdlSetAIPPByInputIndex(number, ins, 2, good) == 100000
    assert C.aclmdlSetAIPPByInputIndex(number, 0, 0, good) == 100000
    assert C.aclmdlSetAIPPByInputIndex(99, ins, 0, good) == 145003
    assert C.aclmdlSetAIPPByInputIndex(number, ins, 0, 0) == 100000


@pytest.mark.parametrize(
    "spoil",
    [
        lambda aipp: C.aclmdlSetAIPPScfParams(aipp, 1, 16, 16, 16, 16, 1),
        lambda aipp: C.aclmdlSetAIPPCropParams(aipp, 1, 2, 0, 4, 2, 1),
        lambda aipp: C.aclmdlSetAIPPPaddingParams(aipp, 1, 0, 0, 1, 0, 1),
    ],
    ids=["scaled", "crop outside", "another size"],
)
def test_every_image_of_a_batch_is_tested(models: Models, spoil: Any) -> None:
    one = Images(models, model(Aipp(), (2, 3, 2, 4)), bytes(48))
    two = models.dataset((one.image, 48), (one.bytes(b"", 256), 256))
    aipp = settings(4, 2, batch=2)
    assert C.aclmdlSetInputAIPP(one.number, two, 1, aipp) == 0
    assert spoil(aipp) == 0
    assert C.aclmdlSetInputAIPP(one.number, two, 1, aipp) == 100000


def test_grey_images_have_no_colours_to_convert_and_yuv_needs_even_sizes(models: Models) -> None:
    one = Images(models, model(Aipp(), (1, 1, 2, 3)), bytes(18))
    grey = settings(3, 2, C.ACL_YUV400_U8)
    assert C.aclmdlSetInputAIPP(one.number, one.ins, 1, grey) == 0
    assert C.aclmdlSetAIPPCscParams(grey, 1, *[0] * 15) == 0
    assert C.aclmdlSetInputAIPP(one.number, one.ins, 1, grey) == 100000
    assert C.aclmdlSetInputAIPP(one.number, one.ins, 1, settings(3, 2, C.ACL_YUV420SP_U8)) == 100000


def test_padded_images_may_be_1080_pixels_wide(open_models: Any) -> None:
    models = open_models(soc="Ascend910B3")
    wide = Images(models, model(Aipp(max_src_image_size=1 << 20), (1, 3, 2, 1082)), bytes(24))
    aipp = settings(1080, 2)
    assert C.aclmdlSetAIPPPaddingParams(aipp, 1, 0, 0, 1, 1, 0) == 0
    assert C.aclmdlSetInputAIPP(wide.number, wide.ins, 1, aipp) == 100000


# -- pixels ------------------------------------------------------------------------------------------------------------

PIXELS = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)


def chw(pixels: Any) -> np.ndarray[Any, Any]:
    """Rows, columns, channels to the layout of the network."""
    return np.asarray(pixels, np.float32).transpose(2, 0, 1)[None]


def test_colours_are_swapped_normalised_and_padded(models: Models) -> None:
    aipp = Aipp(
        "static", 3, src_image_size_w=4, src_image_size_h=2, rbuv_swap_switch=True, mean=(1, 2, 3, 0),
        min=(0.5, 0, 0, 0), var_reci=(0.5, 2, 1, 1), padding=True, left_padding_size=1, top_padding_size=2,
        padding_value=7.5,
    )  # fmt: skip
    one = Images(models, model(aipp, (1, 3, 4, 5)), PIXELS.tobytes())
    wanted = (PIXELS[:, :, ::-1].astype(np.float32) - [1, 2, 3] - [0.5, 0, 0]) * [0.5, 2, 1]
    framed = np.pad(wanted, ((2, 0), (1, 0), (0, 0)), constant_values=7.5)
    np.testing.assert_array_equal(one.run(), chw(framed))


def test_a_crop_takes_what_the_network_leaves_open(models: Models) -> None:
    aipp = Aipp("static", 3, src_image_size_w=4, src_image_size_h=2, crop=True, load_start_pos_w=1)
    one = Images(models, model(aipp, (1, 3, 1, 2)), PIXELS.tobytes())
    np.testing.assert_array_equal(one.run(), chw(PIXELS[:1, 1:3]))


@pytest.mark.parametrize(
    ("ax", "rbuv", "order"), [(0, 0, [0, 1, 2]), (0, 1, [2, 1, 0]), (1, 0, [1, 2, 3]), (1, 1, [3, 2, 1])]
)
def test_four_channels_lose_one(models: Models, ax: int, rbuv: int, order: list[int]) -> None:
    image = np.arange(32, dtype=np.uint8).reshape(2, 4, 4)
    aipp = Aipp("static", 2, ax_swap_switch=bool(ax), rbuv_swap_switch=bool(rbuv))
    one = Images(models, model(aipp), image.tobytes())
    np.testing.assert_array_equal(one.run(), chw(image[:, :, order]))


def yuv_to_rgb(y: int, u: int, v: int) -> list[int]:
    """BT.601, narrow, with the numbers of ATC's guide."""
    rows = ((298, 0, 409), (298, -100, -208), (298, 516, 0))
    made = [(r[0] * (y - 16) + r[1] * (u - 128) + r[2] * (v - 128)) >> 8 for r in rows]
    return [min(max(n, 0), 255) for n in made]


@pytest.mark.parametrize("swapped", [False, True], ids=["NV12", "NV21"])
def test_yuv_becomes_colours(models: Models, swapped: bool) -> None:
    luma = np.array([[16, 50, 100, 235], [90, 16, 235, 255]], np.uint8)
    chroma = np.array([[90, 240, 128, 16]], np.uint8)  # U V U V
    matrix = (298, 0, 409, 298, -100, -208, 298, 516, 0)
    aipp = Aipp("static", 1, csc_switch=True, rbuv_swap_switch=swapped, matrix=matrix)
    one = Images(models, model(aipp), luma.tobytes() + chroma.tobytes())
    wanted = np.zeros((2, 4, 3))
    for y in range(2):
        for x in range(4):
            u, v = chroma[0, x // 2 * 2 : x // 2 * 2 + 2]
            wanted[y, x] = yuv_to_rgb(int(luma[y, x]), *((int(v), int(u)) if swapped else (int(u), int(v))))
    np.testing.assert_array_equal(one.run(), chw(wanted))


def test_colours_become_yuv_and_grey_takes_the_first_channel(models: Models) -> None:
    one = Images(models, model(Aipp("static", 3, csc_switch=True), (1, 1, 2, 4)), PIXELS.tobytes())
    wanted = ((PIXELS.astype(int) @ [66, 129, 25]) >> 8) + 16
    np.testing.assert_array_equal(one.run()[0, 0], wanted)
    grey = Images(models, model(Aipp("static", 1), (1, 2, 4, 1), NHWC), bytes(range(12)))
    np.testing.assert_array_equal(grey.run()[0, :, :, 0].ravel(), np.arange(8))


def test_bytes_stay_bytes(models: Models) -> None:
    aipp = Aipp("static", 4, mean=(9, 0, 0, 0))
    description = model(aipp, (1, 2, 4, 1), NHWC, data_type=UINT8)
    one = Images(models, description, bytes(range(8)))
    np.testing.assert_array_equal((-one.run()).ravel(), (-np.arange(8, dtype=np.int64)).astype(np.uint8))


def test_each_image_of_a_batch_has_its_own_settings(models: Models) -> None:
    one = Images(models, model(Aipp(), (2, 3, 1, 2)), bytes(range(48)))
    aipp = settings(4, 2, batch=2)
    for index, (x, y) in enumerate([(1, 0), (2, 1)]):
        assert C.aclmdlSetAIPPCropParams(aipp, 1, x, y, 2, 1, index) == 0
        assert C.aclmdlSetAIPPDtcPixelMean(aipp, index, 0, 0, 0, index) == 0
    one.ins = models.dataset((one.image, 48), (one.bytes(b"", 256), 256))
    models.must(C.aclmdlSetInputAIPP(one.number, one.ins, 1, aipp))
    images = np.arange(48).reshape(2, 2, 4, 3)
    wanted = [chw(images[0, :1, 1:3]), chw(images[1, 1:, 2:4] - [1, 0, 0])]
    np.testing.assert_array_equal(one.run(), np.concatenate(wanted))


def test_gears_of_images(models: Models) -> None:
    gears = Gears("batch", ((1,), (2,)))
    description = model(Aipp("static", 3), (-1, 3, 2, 4), gears=gears)
    number = models.load(description)
    holder = Images(models, model(Aipp("static", 3)), bytes(range(24)), 48)
    gear = holder.bytes(b"", 8)
    ins = models.dataset((holder.image, 48), (gear, 8))
    models.must(C.aclmdlSetDynamicBatchSize(number, ins, 1, 1))
    models.must(C.aclmdlExecute(number, ins, holder.outs))
    out = np.zeros((1, 3, 2, 4), np.float32)
    models.must(C.aclrtMemcpy(out, out.nbytes, holder.result, out.nbytes, D2H))
    np.testing.assert_array_equal(-out, chw(PIXELS))


def test_a_model_of_unknown_shapes_takes_its_size_from_the_settings(models: Models) -> None:
    description = model(Aipp(), (1, 3, -1, -1))
    one = Images(models, description, PIXELS.tobytes(), 200)
    assert C.aclmdlExecute(one.number, one.ins, one.outs) == 500002
    models.must(C.aclmdlSetInputAIPP(one.number, one.ins, 1, settings(4, 2)))
    one.dims = (1, 3, 2, 4)
    np.testing.assert_array_equal(one.run(), chw(PIXELS))


# -- what can go wrong when it runs ------------------------------------------------------------------------------------


def test_settings_that_were_never_written_fail_the_run(models: Models) -> None:
    one = Images(models, model(Aipp()), bytes(24))
    assert C.aclmdlExecute(one.number, one.ins, one.outs) == 507011
    assert "aclmdlSetInputAIPP" in C.aclGetRecentErrMsg()


def test_images_that_do_not_fit_the_buffer_fail_the_run(models: Models) -> None:
    one = Images(models, model(Aipp()), bytes(20))
    models.must(C.aclmdlSetInputAIPP(one.number, one.ins, 1, settings(4, 2)))
    assert C.aclmdlExecute(one.number, one.ins, one.outs) == 507011
    assert "24 bytes" in C.aclGetRecentErrMsg()


def test_exactly_the_bytes_of_the_images_are_read(models: Models) -> None:
    one = Images(models, model(Aipp()), PIXELS.tobytes(), 4096)
    seen = []
    models.sim.hooks.accessed = [lambda who, block, lo, hi, write: seen.append((block.address, hi - lo, write))]
    models.must(C.aclmdlSetInputAIPP(one.number, one.ins, 1, settings(4, 2)))
    np.testing.assert_array_equal(one.run(), chw(PIXELS))
    assert (one.settings, 160, True) in seen
    assert (one.settings, 160, False) in seen
    assert (one.image, 24, False) in seen


@pytest.mark.parametrize(
    ("aipp", "dims", "word"),
    [
        (Aipp("static"), (1, 3, 2, 4), "input_format"),
        (Aipp("static", 3), (1, 4, 2, 4), "channels"),
        (Aipp("static", 1), (1, 3, 3, 4), "even"),
        (Aipp("static", 3, src_image_size_w=6, src_image_size_h=2), (1, 3, 2, 4), "columns"),
        (Aipp("static", 4, csc_switch=True), (1, 1, 2, 4), "colours"),
        (Aipp("static", 3, crop=True, load_start_pos_w=1), (1, 3, 2, 4), "crop"),
        (Aipp("static", 3, mean=(0, 0, 0, 999)), (1, 3, 2, 4), "mean"),
        (Aipp("static", 3, matrix=(1, 2)), (1, 3, 2, 4), "matrix"),
        (Aipp("other"), (1, 3, 2, 4), "mode"),
        (Aipp(), (1, 3, 2), "4 dims"),
    ],
)
def test_descriptions_that_cannot_be(aipp: Aipp, dims: tuple[int, ...], word: str) -> None:
    with pytest.raises(DescriptionError, match=word):
        from_json(to_json(model(aipp, dims)))


def test_a_description_survives_the_file() -> None:
    aipp = Aipp(
        "static", 3, mean=(1, 2, 3, 4), padding=True, top_padding_size=1, bottom_padding_size=1, src_image_size_h=2
    )
    description = model(aipp, (1, 3, 4, 4))
    assert from_json(to_json(description)) == description
