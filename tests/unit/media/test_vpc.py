"""Scaling, cutting, pasting, colours: exact bytes, every format, odd and extreme sizes, and what is against the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.media.pixels import colours
from ascend_sim.media.pixels.conversion import store
from ascend_sim.media.pixels.pixel_formats import pixel_format
from ascend_sim.media.pixels.planes import Area, Image, image_of, rows_of
from ascend_sim.media.pixels.scaling import bilinear, bilinear_reference, nearest
from ascend_sim.media.rules import rules_of
from tests.kit.scale import SCALE
from tests.unit.media.conftest import Program, kinds

FORMATS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 1000, 1001)
SIDES = st.sampled_from([1, 2, 3, 5, 7, 13, 16, 31, 64, 101, 127, 257])


def roi(left: int, right: int, top: int, bottom: int) -> int:
    return int(C.acldvppCreateRoiConfig(left, right, top, bottom))


# -- the arithmetic -----------------------------------------------------------------------------------------------------


@settings(max_examples=40 * SCALE, deadline=None)
@given(SIDES, SIDES, SIDES, SIDES, st.sampled_from([0, 2, 3]), st.integers(0, 1 << 16))
def test_bilinear_is_within_a_level_of_the_definition(
    width: int, height: int, wide: int, high: int, depth: int, seed: int
) -> None:
    shape = (height, width, depth) if depth else (height, width)
    pixels = np.random.default_rng(seed).integers(0, 256, shape, np.uint8)
    made, exact = bilinear(pixels, wide, high), bilinear_reference(pixels, wide, high)
    difference = np.abs(made.astype(np.float64) - exact)
    assert made.shape == exact.shape
    assert difference.max() < 1.0
    assert np.mean(difference > 0.75) <= 0.001  # half a level is rounding


@settings(max_examples=20 * SCALE, deadline=None)
@given(SIDES, SIDES, SIDES, SIDES)
def test_nearest_takes_pixels_as_they_are(width: int, height: int, wide: int, high: int) -> None:
    pixels = np.arange(width * height, dtype=np.uint8).reshape(height, width)
    made = nearest(pixels, wide, high)
    for y in {0, high // 2, high - 1}:
        for x in {0, wide // 2, wide - 1}:
            assert made[y, x] == pixels[y * height // high, x * width // wide]


def test_bands_do_not_show() -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (900, 40), np.uint8)
    made = bilinear(pixels, 4000, 1100)  # more than one band
    assert np.abs(made - bilinear_reference(pixels, 4000, 1100)).max() < 1.0


@pytest.mark.parametrize("matrix", range(6))
def test_colours_follow_the_published_matrices(matrix: int) -> None:
    red, blue = ((0.299, 0.114), (0.2126, 0.0722), (0.2627, 0.0593))[matrix // 2]
    samples = np.random.default_rng(matrix).integers(0, 256, (500, 3), np.uint8)
    r, g, b = samples.astype(np.float64).T
    luma = red * r + (1 - red - blue) * g + blue * b
    u, v = (b - luma) / (2 * (1 - blue)), (r - luma) / (2 * (1 - red))
    if matrix % 2:
        expected = [luma * 219 / 255 + 16, u * 224 / 255 + 128, v * 224 / 255 + 128]
    else:
        expected = [luma, u + 128, v + 128]
    made = colours.to_yuv(samples, matrix)
    assert np.abs(made - np.clip(np.stack(expected, -1), 0, 255)).max() <= 0.51
    back = colours.to_rgb(made, matrix).astype(int)
    assert np.abs(back - samples).max() <= 3  # two roundings, stretched by a narrow range


@settings(max_examples=60 * SCALE, deadline=None)
@given(st.sampled_from(FORMATS), SIDES, SIDES, st.integers(0, 40), st.integers(0, 40), st.integers(0, 9))
def test_a_picture_written_in_any_format_reads_the_same(
    number: int, width: int, height: int, left: int, top: int, padding: int
) -> None:
    """Store into a part of a larger buffer, and read that part again; nothing else changes."""
    form = pixel_format(number)
    assert form is not None
    left, top = left // form.across * form.across, top // form.down * form.down
    stride = (left + width + 1) // 2 * 2 * form.unit + 2 * padding
    rows = (top + height + 1) // 2 * 2
    data = np.full(form.size(stride, rows) + 8, 77, np.uint8)
    planes = form.planes(left + width, top + height, stride, rows)
    area = Area(left, top, width, height)
    parts = rows_of(form, planes, area)
    assert max(part.end for part in parts) <= form.size(stride, rows)
    rng = np.random.default_rng(number)
    chroma = rng.integers(0, 256, (-(-height // form.down), -(-width // form.across), 2), np.uint8)
    if form.is_colour:
        source = Image(
            colours=rng.integers(0, 256, (height, width, 3), np.uint8),
            alpha=rng.integers(0, 256, (height, width), np.uint8),
        )
    else:
        source = Image(rng.integers(0, 256, (height, width), np.uint8), chroma, form.across, form.down)
    store(source, image_of(form, data, parts, area), 0)
    again = image_of(form, data, rows_of(form, planes, area), area)
    if form.is_colour:
        assert np.array_equal(again.colours, source.colours)  # type: ignore[arg-type]
        assert again.alpha is None or np.array_equal(again.alpha, source.alpha)  # type: ignore[arg-type]
    else:
        assert np.array_equal(again.luma, source.luma)  # type: ignore[arg-type]
        assert form.family == "gray" or np.array_equal(again.chroma, chroma)  # type: ignore[arg-type]
    touched = np.zeros(len(data), bool)
    for part in parts:
        for row in range(part.rows):
            at = part.start + row * part.pitch
            touched[at : at + part.row_bytes] = True
    assert (data[~touched] == 77).all()


# -- tasks --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [n for n in FORMATS if n < 18])
def test_every_input_format_can_be_scaled(program: Program, number: int) -> None:
    source, target = program.picture(number, 64, 48), program.picture(1, 32, 32)
    assert C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream) == 0
    assert program.wait() == 0
    assert C.acldvppGetPicDescRetCode(target) == 0
    assert kinds(program) == []


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 11, 12, 13, 14, 15, 16, 17])
def test_every_output_format_can_be_written(program: Program, number: int) -> None:
    source, target = program.picture(12, 64, 48), program.picture(number, 64, 48)
    assert C.acldvppVpcConvertColorAsync(program.channel, source, target, program.stream) == program.wait() == 0
    form = pixel_format(number)
    assert form is not None
    colours_in = program.bytes_of(source)[: 64 * 48 * 3].reshape(48, 64, 3)
    made = program.bytes_of(target)
    if form.is_colour:
        pixels = made[: 64 * 48 * form.unit].reshape(48, 64, form.unit)
        for i, name in enumerate("RGB"):
            assert np.array_equal(pixels[..., form.order.index(name)], colours_in[..., i])
        assert "A" not in form.order or (pixels[..., form.order.index("A")] == 255).all()
    elif form.family != "packed":
        assert np.array_equal(made[: 64 * 48].reshape(48, 64), colours.to_yuv(colours_in, 0)[..., 0])


@pytest.mark.parametrize(("number", "use"), [(18, "in"), (1002, "in"), (1, ""), (5, "out"), (7, "out")])
def test_formats_that_the_product_does_not_take(program: Program, number: int, use: str) -> None:
    source, target = program.picture(1, 64, 64), program.picture(1, 32, 32)
    if use:
        C.acldvppSetPicDescFormat(source if use == "in" else target, number)
    code = C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream)
    assert code == (100027 if use else 0)


def test_a_crop_without_scaling_is_exact(program: Program) -> None:
    source, target = program.picture(1, 96, 64, stride=128, rows=70), program.picture(1, 32, 20)
    assert C.acldvppVpcCropAsync(program.channel, source, target, roi(10, 41, 20, 39), program.stream) == 0
    assert program.wait() == 0
    data = program.bytes_of(source)
    made = program.bytes_of(target)
    assert np.array_equal(made[: 32 * 20].reshape(20, 32), data[: 128 * 70].reshape(70, 128)[20:40, 10:42])
    assert np.array_equal(made[32 * 20 :].reshape(10, 32), data[128 * 70 :].reshape(35, 128)[10:20, 10:42])


def test_a_paste_leaves_the_rest_as_it_was(program: Program) -> None:
    source = program.picture(1, 64, 64)
    target = program.picture(1, 96, 64, np.full(96 * 64 * 3 // 2, 9, np.uint8))
    code = C.acldvppVpcCropAndPasteAsync(
        program.channel, source, target, roi(0, 63, 0, 63), roi(32, 63, 16, 47), program.stream
    )
    assert code == program.wait() == 0
    luma = program.luma(target)
    assert (luma[16:48, 32:64] != 9).any()
    luma = luma.copy()
    luma[16:48, 32:64] = 9
    assert (luma == 9).all()
    expected = bilinear(program.luma(source), 32, 32)
    assert np.array_equal(program.luma(target)[16:48, 32:64], expected)


def test_a_paste_into_fresh_memory_leaves_undefined_bytes(program: Program) -> None:
    source = program.picture(1, 64, 64)
    target = program.describe(C.acldvppMalloc(96 * 64 * 3 // 2)[0], 1, 96, 64)
    C.acldvppVpcCropAndPasteAsync(program.channel, source, target, roi(0, 63, 0, 63), roi(0, 31, 0, 31), program.stream)
    assert program.wait() == 0
    program.bytes_of(target)
    assert kinds(program) == ["uninitialised-read"]


def test_a_batch_cuts_in_order(program: Program) -> None:
    sources, targets = C.acldvppCreateBatchPicDesc(2), C.acldvppCreateBatchPicDesc(3)

    def fill(batch: int, index: int, picture: int) -> int:
        desc = C.acldvppGetPicDesc(batch, index)
        for name in ("Data", "Size", "Format", "Width", "Height", "WidthStride", "HeightStride"):
            getattr(C, f"acldvppSetPicDesc{name}")(desc, getattr(C, f"acldvppGetPicDesc{name}")(picture))
        return int(desc)

    pictures = [fill(sources, i, program.picture(1, 64, 64, np.full(6144, 10 * i + 5, np.uint8))) for i in range(2)]
    made = [fill(targets, i, program.picture(1, 32, 32)) for i in range(3)]
    areas = [roi(0, 31, 0, 31)] * 3
    counts = np.array([1, 2], np.uint32)
    call = C.acldvppVpcBatchCropAsync
    assert call(program.channel, sources, counts, 2, targets, areas, program.stream) == program.wait() == 0
    assert [int(program.luma(desc)[0, 0]) for desc in made] == [5, 15, 15]
    assert len(pictures) == 2
    assert call(program.channel, sources, [1, 2], 2, targets, areas, program.stream) == 0  # a sequence will do
    assert call(program.channel, sources, [1, 3], 2, targets, [*areas, areas[0]], program.stream) == 100000
    assert call(program.channel, sources, [0, 2], 2, targets, areas, program.stream) == 100000
    assert call(program.channel, sources, [1, 1, 1], 3, targets, areas, program.stream) == 100000
    assert call(program.channel, sources, None, 2, targets, areas, program.stream) == 100000
    assert call(program.channel, sources, counts, 2, targets, [areas[0], 0, areas[0]], program.stream) == 100000


def test_odd_sides_of_halved_chroma_are_cut_off(program: Program) -> None:
    source = program.picture(1, 63, 47, np.full(64 * 48 * 3 // 2, 7, np.uint8))
    target = program.picture(1, 31, 21, np.full(32 * 22 * 2, 99, np.uint8))
    assert (
        C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream) == program.wait() == 0
    )
    assert (C.acldvppGetPicDescWidth(target), C.acldvppGetPicDescHeight(target)) == (30, 20)
    assert (program.luma(target) == 7).all()


@pytest.mark.parametrize("kind", range(4))
def test_borders(program: Program, kind: int) -> None:
    pixels = np.arange(64 * 32, dtype=np.uint8).reshape(32, 64)
    source = program.picture(0, 64, 32, pixels)
    target = program.picture(0, 80, 40)
    border = C.acldvppCreateBorderConfig()
    for side, value in {"Top": 3, "Bottom": 5, "Left": 10, "Right": 6}.items():
        assert getattr(C, f"acldvppSetBorderConfig{side}")(border, value) == 0
    C.acldvppSetBorderConfigBorderType(border, kind)
    C.acldvppSetBorderConfigValue(border, 0, 200.0)
    assert C.acldvppVpcMakeBorderAsync(program.channel, source, target, border, program.stream) == program.wait() == 0
    mode: dict[str, Any] = [
        {"mode": "constant", "constant_values": 200}, {"mode": "edge"}, {"mode": "symmetric"}, {"mode": "reflect"},
    ][kind]  # fmt: skip
    assert np.array_equal(program.luma(target), np.pad(pixels, ((3, 5), (10, 6)), **mode))


def test_a_histogram_counts_and_a_table_replaces(program: Program) -> None:
    source, target = program.picture(12, 64, 48), program.picture(12, 64, 48)
    hist = C.acldvppCreateHist()
    assert C.acldvppVpcCalcHistAsync(program.channel, source, hist, 0, program.stream) == program.wait() == 0
    found = program.bytes_of(source).reshape(-1, 3)
    thing: Any = program.sim.handles[hist]
    for i in range(3):
        assert np.array_equal(thing.counts[i], np.bincount(found[:, i], minlength=256))
    assert C.acldvppGetHistRetCode(hist) == 0
    lut = C.acldvppCreateLutMap()
    table: Any = program.sim.handles[lut]
    table.values[:] = 255 - np.arange(256, dtype=np.uint8)
    assert C.acldvppVpcEqualizeHistAsync(program.channel, source, target, lut, program.stream) == program.wait() == 0
    assert np.array_equal(program.bytes_of(target), 255 - program.bytes_of(source))
    assert C.acldvppClearHist(hist) == 0 and not thing.counts.any()


def test_a_pyramid_halves(program: Program) -> None:
    source, target = program.picture(0, 64, 48, np.full(64 * 48, 33, np.uint8)), program.picture(0, 32, 24)
    assert C.acldvppVpcPyrDownAsync(program.channel, source, target, 0, program.stream) == program.wait() == 0
    assert (program.luma(target) == 33).all()
    assert C.acldvppVpcPyrDownAsync(program.channel, source, target, 5, program.stream) == 100000


# -- against the rules --------------------------------------------------------------------------------------------------

WRONG: list[tuple[dict[str, int], str]] = [
    ({"WidthStride": 48}, "width stride 64"),
    ({"WidthStride": 72}, "width stride 64"),
    ({"HeightStride": 62}, "height stride 64"),
    ({"HeightStride": 65}, "height stride 64"),
    ({"Size": 6143}, "6144 bytes (width stride x height stride x 3 / 2)"),
    ({"Width": 8}, "10 x 6 to 8192 x 8192"),
    ({"Width": 9000, "WidthStride": 9008}, "10 x 6 to 8192 x 8192"),
]


@pytest.mark.parametrize(("fields", "right"), WRONG)
@pytest.mark.parametrize("strict", ["yes", "no"])
def test_wrong_numbers_are_found_and_the_right_ones_named(fields: dict[str, int], right: str, strict: str) -> None:
    with Simulator(soc="Ascend310P3", switches={"media_strict_at_call": strict}) as sim:
        program = Program(sim)
        source, target = program.picture(1, 64, 64), program.picture(1, 32, 32)
        for name, value in fields.items():
            assert getattr(C, f"acldvppSetPicDesc{name}")(source, value) == 0
        code = C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream)
        assert (code, program.wait()) == ((100000, 0) if strict == "yes" else (0, 507018))
        assert C.acldvppGetPicDescRetCode(target) == (0 if strict == "yes" else 1)
        assert kinds(program) == ["picture-layout"]
        assert right in program.sim.findings[0].fix


@pytest.mark.parametrize(("soc", "code"), [("Ascend310", 507018), ("Ascend910A", 507018), ("Ascend310P3", 0)])
def test_parity_of_rectangles(soc: str, code: int) -> None:
    with Simulator(soc=soc) as sim:
        program = Program(sim)
        source, target = program.picture(1, 64, 64), program.picture(1, 32, 32)
        assert C.acldvppVpcCropAsync(program.channel, source, target, roi(1, 32, 0, 31), program.stream) == 0
        assert program.wait() == code
        assert kinds(program) == (["picture-layout"] if code else [])


@pytest.mark.parametrize(
    ("crop", "paste", "words"),
    [
        ((0, 64, 0, 63), (0, 31, 0, 31), "leaves the 64 x 64 picture"),
        ((20, 10, 0, 63), (0, 31, 0, 31), "is empty"),
        ((0, 4, 0, 63), (0, 31, 0, 31), "is too small"),
        ((0, 63, 0, 63), (8, 39, 0, 31), "begins at column 8"),
        ((0, 63, 0, 63), (0, 96, 0, 31), "leaves the 96 x 64 picture"),
    ],
)
def test_rectangles_that_cannot_be(
    program: Program, crop: tuple[int, int, int, int], paste: tuple[int, int, int, int], words: str
) -> None:
    source, target = program.picture(1, 64, 64), program.picture(1, 96, 64)
    code = C.acldvppVpcCropAndPasteAsync(program.channel, source, target, roi(*crop), roi(*paste), program.stream)
    assert (code, program.wait()) == (0, 507018)
    assert words in program.sim.findings[0].title


@pytest.mark.parametrize(("address", "words"), [(0x1234, "0x1234"), (0x8000_FFFF_0000, "")], ids=["host", "nobody's"])
def test_addresses_that_the_device_cannot_use(program: Program, address: int, words: str) -> None:
    source, target = program.describe(address, 1, 64, 64), program.picture(1, 32, 32)
    assert C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream) == 0
    assert program.wait() == 507018
    assert kinds(program) == ["out-of-bounds"]
    assert words in program.sim.findings[0].title


def test_a_buffer_that_is_smaller_than_it_says(program: Program) -> None:
    source = program.picture(1, 64, 64)
    target = program.describe(C.acldvppMalloc(1000)[0], 1, 64, 64)
    assert C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream) == 0
    assert (program.wait(), kinds(program)) == (507018, ["out-of-bounds"])


def test_memory_of_another_family_and_memory_that_is_freed_too_early(program: Program) -> None:
    source = program.picture(1, 64, 64)
    target = program.describe(C.aclrtMalloc(6144, 0)[0], 1, 64, 64)
    assert C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream) == 0
    assert C.acldvppFree(C.acldvppGetPicDescData(source)) == 0
    assert program.wait() == 0
    assert kinds(program) == ["undefined-use", "use-after-free"]


# -- ranges -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("second", "races"), [((0, 31, 32, 63), []), ((0, 31, 16, 47), ["race"])])
def test_two_halves_of_a_picture_are_no_race(
    program: Program, second: tuple[int, int, int, int], races: list[str]
) -> None:
    """Rows of the paste areas: apart they touch different bytes of both planes, together the same."""
    source, target = program.picture(1, 64, 64), program.picture(1, 32, 64)
    other = C.aclrtCreateStream()[0]
    copy = program.describe(C.acldvppGetPicDescData(target), 1, 32, 64)
    call = C.acldvppVpcCropAndPasteAsync
    assert call(program.channel, source, target, roi(0, 63, 0, 63), roi(0, 31, 0, 31), program.stream) == 0
    assert call(program.channel, source, copy, roi(0, 63, 0, 63), roi(*second), other) == 0
    assert C.aclrtSynchronizeDevice() == 0
    assert kinds(program) == races


def test_reading_before_the_stream_is_done_is_a_race(program: Program) -> None:
    source, target = program.picture(1, 64, 64), program.picture(1, 32, 32)
    C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream)
    program.bytes_of(target)
    assert program.wait() == 0
    assert "race" in kinds(program)


def test_an_injected_fault_leaves_a_code() -> None:
    with Simulator(soc="Ascend310P3", faults="media(VPC*)") as sim:
        program = Program(sim)
        source, target = program.picture(1, 64, 64), program.picture(1, 32, 32)
        assert C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream) == 0
        assert program.wait() == 507018
        assert C.acldvppGetPicDescRetCode(target) == 1


def test_pictures_cannot_be_captured() -> None:
    """The descriptors are copied from pageable host memory: no graph can hold that."""
    with Simulator(soc="Ascend910B3") as sim:
        program = Program(sim)
        source, target = program.picture(1, 64, 64), program.picture(1, 32, 32)
        assert C.aclmdlRICaptureBegin(program.stream, C.ACL_MODEL_RI_CAPTURE_MODE_RELAXED) == 0
        assert C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream) == 107000


@settings(max_examples=25 * SCALE, deadline=None)
@given(st.data(), st.sampled_from(["Ascend310", "Ascend310P3", "Ascend910B3"]))
def test_any_picture_by_the_rules_can_be_cut_into_any_other(data: st.DataObject, soc: str) -> None:
    with Simulator(soc=soc) as sim:
        program = Program(sim)
        rules = rules_of(sim.profile)
        assert rules is not None

        def picture(use: str) -> tuple[int, int, int]:
            number = data.draw(st.sampled_from(sorted(n for n in rules.formats[use] if pixel_format(n) is not None)))
            form = pixel_format(number)
            assert form is not None
            width, height = (data.draw(st.integers(low, 150)) for low in (10, 6))
            width, height = max(width // form.across * form.across, 10), max(height // form.down * form.down, 6)
            return program.picture(number, width, height), width, height

        def area(width: int, height: int, unit: int) -> int:
            left = data.draw(st.integers(0, max(0, width - 10))) // unit * unit
            top = data.draw(st.integers(0, max(0, height - 6))) // 2 * 2
            right = data.draw(st.integers(left + 9, width - 1)) if left + 9 < width else width - 1
            bottom = data.draw(st.integers(top + 5, height - 1)) if top + 5 < height else height - 1
            if rules.roi_parity:
                right, bottom = (right - 1) // 2 * 2 + 1, (bottom - 1) // 2 * 2 + 1
            return roi(left, right, top, bottom)

        (source, width, height), (target, wide, high) = picture("vpc_input"), picture("vpc_output")
        crop, paste = area(width, height, 2), area(wide, high, rules.paste_align)
        call = C.acldvppVpcCropAndPasteAsync
        assert call(program.channel, source, target, crop, paste, program.stream) == 0
        code = program.wait()
        small = [f.title for f in sim.findings if "is too small" in f.title or "is empty" in f.title]
        assert code == (507018 if small else 0), [f.title for f in sim.findings]
        assert {f.kind for f in sim.findings if f.severity != "note"} <= ({"picture-layout"} if small else set())


@pytest.mark.parametrize("number", [3, 5])
def test_a_paste_may_begin_between_two_pixels_that_share_chroma(number: int) -> None:
    """Ten columns from column 1 of NV12 touch six pairs, of which the source has five: the last is repeated."""
    with Simulator(soc="Ascend910B3") as sim:
        program = Program(sim)
        source, target = program.picture(number, 24, 24), program.picture(1, 24, 24)
        crop, paste = roi(0, 9, 0, 5), roi(1, 10, 1, 6)
        call = C.acldvppVpcCropAndPasteAsync
        assert call(program.channel, source, target, crop, paste, program.stream) == program.wait() == 0
        assert (program.luma(target)[1:7, 1:11] == program.luma(source)[:6, :10]).all()


@pytest.mark.slow
def test_the_largest_pictures(program: Program) -> None:
    source, target = program.picture(1, 8192, 8192), program.picture(1, 4096, 4096)
    assert (
        C.acldvppVpcResizeAsync(program.channel, source, target, program.resize, program.stream) == program.wait() == 0
    )
    exact = bilinear_reference(program.luma(source)[:64, :64], 32, 32)
    assert np.abs(program.luma(target)[:31, :31] - exact[:31, :31]).max() < 1.0
    assert kinds(program) == []
