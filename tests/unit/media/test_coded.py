"""JPEG and PNG: headers, predicted sizes, decoding against Pillow, encoding, and files that are broken."""

from __future__ import annotations

import builtins
import io
import random
import struct
import sys
import tracemalloc
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("PIL")
from PIL import Image as pillow

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.media.codecs import pillow as codec
from ascend_sim.media.codecs.jpeg_header import JpegError, picture_only, read_header
from ascend_sim.media.codecs.png_header import PngError
from ascend_sim.media.codecs.png_header import read_header as read_png
from tests.kit.scale import SCALE
from tests.unit.media.conftest import Program, kinds

Pixels = npt.NDArray[np.uint8]


def drawn(width: int, height: int) -> Pixels:
    """Gradients, hard colour edges and some noise."""
    y, x = np.mgrid[0:height, 0:width]
    base = np.stack([x * 255 // width, y * 255 // height, (x // 9 + y // 7) % 2 * 200], -1)
    noise = np.random.default_rng(width * 10007 + height).integers(-6, 7, base.shape)
    return np.clip(base + noise, 0, 255).astype(np.uint8)


def jpeg(
    width: int, height: int, subsampling: int | str = 2, quality: int = 90, gray: bool = False, **more: Any
) -> bytes:
    out = io.BytesIO()
    image = pillow.fromarray(drawn(width, height))
    if gray:
        image = image.convert("L")
        image.save(out, "JPEG", quality=quality, **more)
    else:
        image.save(out, "JPEG", quality=quality, subsampling=subsampling, **more)
    return out.getvalue()


def png(width: int, height: int, mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    pillow.fromarray(drawn(width, height)).convert(mode).save(out, "PNG")
    return out.getvalue()


def turned(data: bytes, orientation: int) -> bytes:
    """With an EXIF segment."""
    body = b"Exif\0\0II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


def as_440(data: bytes) -> bytes:
    """A 422 JPEG of a square of whole blocks whose frame says 440: another picture, but a valid file."""
    at = data.index(b"\xff\xc0")
    return data[: at + 11] + b"\x12" + data[at + 12 :]


def as_411(data: bytes) -> bytes:
    """A 422 JPEG whose frame says 411."""
    at = data.index(b"\xff\xc0")
    return data[: at + 11] + b"\x41" + data[at + 12 :]


# -- headers ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("subsampling", "name", "number"), [(0, "444", 0), (1, "422", 1), (2, "420", 2)])
def test_what_a_header_says(program: Program, subsampling: int, name: str, number: int) -> None:
    data = jpeg(97, 61, subsampling)
    assert read_header(data).sampling == name
    assert C.acldvppJpegGetImageInfoV2(program.host(data), len(data)) == (97, 61, 3, number, 0)
    assert C.acldvppJpegGetImageInfo(program.host(data), len(data)) == (97, 61, 3, 0)


def test_exif_turns_a_picture_and_swaps_its_sides(program: Program) -> None:
    for orientation in range(1, 9):
        data = turned(jpeg(96, 64), orientation)
        sides = (64, 96) if orientation >= 5 else (96, 64)
        assert C.acldvppJpegGetImageInfo(program.host(data), len(data))[:2] == sides
        desc = program.decode(data, 1, *sides)
        assert program.wait() == 0
        image = pillow.open(io.BytesIO(jpeg(96, 64)))
        image.draft("L", image.size)
        tag = pillow.fromarray(np.asarray(image))
        from PIL import ImageOps

        tag.getexif()[0x0112] = orientation
        expected = np.asarray(ImageOps.exif_transpose(tag))
        assert np.abs(program.luma(desc).astype(int) - expected).max() <= 2


@pytest.mark.parametrize("data", [b"", b"\xff", b"GIF89a" * 9, b"\xff\xd8", b"\xff\xd8\xff\xd9", jpeg(64, 64)[:200]])
def test_what_is_no_jpeg(program: Program, data: bytes) -> None:
    with pytest.raises(JpegError):
        read_header(data)
    assert C.acldvppJpegGetImageInfo(program.host(data + b"\0"), len(data))[-1] == 500001
    assert C.acldvppJpegGetImageInfo(0, 10)[-1] == 100000


def test_a_device_address_is_not_read_by_the_host(program: Program) -> None:
    data = jpeg(64, 64)
    address = program.upload(data)
    assert C.acldvppJpegGetImageInfo(address, len(data))[-1] == 500001
    assert kinds(program) == ["undefined-use"]


def test_predicted_sizes(program: Program) -> None:
    for subsampling, own in ((0, 6), (1, 4), (2, 2)):
        data = jpeg(200, 100, subsampling)
        found = {
            number: C.acldvppJpegPredictDecSize(program.host(data), len(data), number)
            for number in (1, 2, 3, 4, 5, 6, 1000, 10000, 77)
        }
        area = 256 * 112
        kept = {6: area * 3, 4: area * 2, 2: area * 3 // 2}[own]
        assert found[1] == found[2] == (area * 3 // 2, 0)
        assert found[10000] == (kept, 0)
        assert found[77] == found[1000] == (None, 100027)
        assert {n for n in (3, 4, 5, 6) if found[n][1] == 0} == ({own - 1, own} if own > 2 else set())
    small = jpeg(31, 40)
    assert C.acldvppJpegPredictDecSize(program.host(small), len(small), 1) == (None, 100000)


def test_predicted_size_of_an_encode(program: Program) -> None:
    config = C.acldvppCreateJpegeConfig()
    assert C.acldvppJpegPredictEncSize(program.describe(1, 1, 640, 480), config) == (2097152, 0)
    assert C.acldvppJpegPredictEncSize(program.describe(1, 1, 1920, 1080), config) == (4194304, 0)
    assert C.acldvppJpegPredictEncSize(program.describe(1, 1, 640, 480, stride=650), config) == (None, 100000)
    assert C.acldvppJpegPredictEncSize(program.describe(1, 12, 640, 480), config) == (None, 100027)
    assert C.acldvppJpegPredictEncSize(program.describe(1, 1, 16, 480), config) == (None, 100000)


# -- decoding -----------------------------------------------------------------------------------------------------------

SIZES = [(32, 32), (64, 48), (97, 61), (101, 103), (127, 33), (283, 177), (640, 480), (1031, 67)]


@pytest.mark.parametrize("soc", ["Ascend910A", "Ascend310P3"])
@pytest.mark.parametrize("size", SIZES)
def test_decoded_luma_is_within_two_levels(soc: str, size: tuple[int, int]) -> None:
    with Simulator(soc=soc) as sim:
        program = Program(sim)
        data = jpeg(*size)
        desc = program.decode(data, 1, *size)
        assert (program.wait(), C.acldvppGetPicDescRetCode(desc)) == (0, 0)
        sides = C.acldvppGetPicDescWidth(desc), C.acldvppGetPicDescHeight(desc)
        even = (size[0] // 2 * 2, size[1] // 2 * 2)
        assert sides == (even if soc == "Ascend310P3" else size)
        image = pillow.open(io.BytesIO(data))
        image.draft("YCbCr", size)
        expected = np.asarray(image)[: sides[1], : sides[0], 0]
        assert np.abs(program.luma(desc).astype(int) - expected).max() <= 2
        assert kinds(program) == []


def planes(desc: int, program: Program) -> tuple[Pixels, Pixels]:
    """Both planes of a semi-planar picture without padding; chroma as (rows, columns, 2)."""
    from ascend_sim.media.pixels.pixel_formats import pixel_format

    form = pixel_format(C.acldvppGetPicDescFormat(desc))
    assert form is not None
    width, height = C.acldvppGetPicDescWidth(desc), C.acldvppGetPicDescHeight(desc)
    stride, rows = C.acldvppGetPicDescWidthStride(desc), C.acldvppGetPicDescHeightStride(desc)
    data = program.bytes_of(desc)
    second = form.planes(width, height, stride, rows)[1]
    chroma = data[second.start : second.start + second.pitch * second.rows].reshape(second.rows, second.pitch)
    return program.luma(desc), chroma[:, : second.row_bytes].reshape(second.rows, -1, 2)


def test_chroma_of_a_coded_picture_comes_back(program: Program) -> None:
    """A JPEG of known chroma planes at quality 100: what is decoded is what was put in, nearly."""
    rng = np.random.default_rng(1)
    small = rng.integers(60, 200, (30, 40, 2), np.uint8)
    smooth = np.asarray([np.asarray(pillow.fromarray(small[..., i]).resize((80, 60), pillow.BICUBIC)) for i in (0, 1)])
    luma = drawn(160, 120)[..., 0]
    chroma = np.moveaxis(smooth, 0, -1).astype(np.uint8)
    from ascend_sim.media.pixels.planes import Image

    data = codec.encode_jpeg(Image(luma, chroma, 2, 2), 100)
    desc = program.decode(data, 1, 160, 120)
    assert program.wait() == 0
    found_luma, found_chroma = planes(desc, program)
    assert np.abs(found_luma.astype(int) - luma).max() <= 2
    assert np.abs(found_chroma.astype(int) - chroma).max() <= 2


@pytest.mark.parametrize(("subsampling", "number", "shared"), [(0, 5, (1, 1)), (1, 3, (2, 1))])
def test_sampling_of_the_file_is_kept(program: Program, subsampling: int, number: int, shared: tuple[int, int]) -> None:
    data = jpeg(162, 90, subsampling, 95)
    blue_first, unknown = program.decode(data, number, 162, 90), program.decode(data, number, 162, 90)
    C.acldvppSetPicDescFormat(unknown, 10000)
    assert program.wait() == 0  # the second was queued as its own format: it changed meanwhile
    luma, chroma = planes(blue_first, program)
    assert chroma.shape == (90, 162 // shared[0], 2)
    image = pillow.open(io.BytesIO(data))
    image.draft("YCbCr", (162, 90))
    full = np.asarray(image)
    assert np.abs(luma.astype(int) - full[..., 0]).max() == 0
    if shared == (1, 1):
        assert np.abs(chroma.astype(int) - full[..., 1:]).max() <= 1
    else:  # what the interpolation makes of these samples is what the decoder shows
        c = np.pad(chroma.astype(int), ((0, 0), (1, 1), (0, 0)), "edge")
        even, odd = (3 * c[:, 1:-1] + c[:, :-2] + 1) >> 2, (3 * c[:, 1:-1] + c[:, 2:] + 2) >> 2
        again = np.stack([even, odd], 2).reshape(90, 162, 2)
        assert np.abs(again - full[..., 1:]).max() <= 2
    assert C.acldvppGetPicDescFormat(unknown) == number + 1
    assert np.array_equal(planes(unknown, program)[1], chroma[..., ::-1])


def test_gray_and_440(program: Program) -> None:
    gray = jpeg(64, 64, gray=True)
    desc = program.decode(gray, 1, 64, 64)
    other = as_440(jpeg(64, 64, 1))
    assert read_header(other).sampling == "440"
    second = program.decode(other, 1000, 64, 64)
    assert program.wait() == 0
    assert (planes(desc, program)[1] == 128).all()
    assert planes(second, program)[1].shape == (32, 64, 2)
    assert C.acldvppJpegGetImageInfoV2(program.host(gray), len(gray)) == (64, 64, 1, 3, 0)


def test_colours_of_a_decode(program: Program) -> None:
    data = jpeg(160, 96, 0, 95)
    desc = program.decode(data, 12, 160, 96)
    assert program.wait() == 0
    made = program.bytes_of(desc).reshape(96, 192, 3)[:, :160]
    assert np.abs(made.astype(int) - np.asarray(pillow.open(io.BytesIO(data)))).max() <= 2


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (jpeg(64, 64, progressive=True), "progressive"),
        (jpeg(16, 64), "32 x 32 to 8192 x 8192"),
        (as_411(jpeg(64, 64, 1)), "sampling"),
        (jpeg(64, 64)[:-400], "broken"),
        (b"no picture at all", "no JPEG"),
    ],
)
def test_what_cannot_be_decoded_fails_the_task(program: Program, data: bytes, words: str) -> None:
    desc = program.decode(data, 1, 64, 64)
    assert (program.wait(), C.acldvppGetPicDescRetCode(desc)) == (507018, 1)
    (finding,) = program.sim.findings
    assert finding.kind == "task-fault"
    assert any(words in text for text in (finding.title, *finding.notes)), finding


def test_cmyk_is_refused(program: Program) -> None:
    out = io.BytesIO()
    pillow.fromarray(drawn(64, 64)).convert("CMYK").save(out, "JPEG")
    desc = program.decode(out.getvalue(), 1, 64, 64)
    assert program.wait() == 507018 and C.acldvppGetPicDescRetCode(desc) == 1


@pytest.mark.parametrize(
    ("field", "value", "right"),
    [
        ("WidthStride", 160, "width stride 192"),
        ("HeightStride", 100, "height stride 112"),
        ("Size", 500, "32256 bytes"),
    ],
)
def test_wrong_outputs_of_a_decode(program: Program, field: str, value: int, right: str) -> None:
    data = jpeg(150, 100)
    desc = program.decode(data, 1, 150, 100)
    getattr(C, f"acldvppSetPicDesc{field}")(desc, value)
    assert program.wait() == 507018
    (finding,) = [f for f in program.sim.findings if f.kind == "picture-layout"]
    assert right in finding.fix


def test_without_pillow_the_task_names_the_extra(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "PIL"]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "PIL":
            raise ImportError("no PIL here")
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    monkeypatch.setattr(codec, "import_module", refuse)
    desc = program.decode(JPEG, 1, 64, 64)
    assert (program.wait(), C.acldvppGetPicDescRetCode(desc)) == (507018, 1)
    (finding,) = program.sim.findings
    assert any("ascend-sim[media]" in text for text in (finding.title, *finding.notes))


JPEG = jpeg(64, 64)


def test_png(program: Program) -> None:
    for mode, number, components in (("RGB", 12, 3), ("RGBA", 16, 4), ("L", 12, 1)):
        data = png(70, 40, mode)
        assert C.acldvppPngGetImageInfo(program.host(data), len(data)) == (70, 40, components, 0)
        size, ret = C.acldvppPngPredictDecSize(program.host(data), len(data), number)
        unit = 3 if number == 12 else 4
        assert (size, ret) == (128 * 48 * unit, 0)
        desc = program.describe(C.acldvppMalloc(size)[0], number, 70, 40, 128 * unit, 48, size)
        assert C.acldvppPngDecodeAsync(program.channel, program.upload(data), len(data), desc, program.stream) == 0
        assert program.wait() == 0
        made = program.bytes_of(desc)[: 128 * unit * 40].reshape(40, 128, unit)[:, :70]
        assert np.array_equal(made, np.asarray(pillow.open(io.BytesIO(data)).convert("RGBA" if unit == 4 else "RGB")))
    palette = png(64, 64, "P")
    assert C.acldvppPngGetImageInfo(program.host(palette), len(palette))[-1] == 100027
    assert C.acldvppPngGetImageInfo(program.host(b"x" * 40), 40)[-1] == 100000
    assert C.acldvppPngGetImageInfo(program.host(b"x" * 29), 29)[-1] == 100000
    assert C.acldvppPngPredictDecSize(program.host(palette), len(palette), 1) == (None, 100027)


# -- encoding -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 7, 8, 9, 10])
def test_an_encode_can_be_decoded_again(program: Program, number: int) -> None:
    source = program.picture(12, 96, 64, drawn(96, 64).reshape(-1))
    picture = program.picture(1, 96, 64)
    assert C.acldvppVpcConvertColorAsync(program.channel, source, picture, program.stream) == program.wait() == 0
    if number != 1:
        target = program.picture(number, 96, 64)
        if number == 2:
            assert C.acldvppVpcConvertColorAsync(program.channel, source, target, program.stream) == program.wait() == 0
        picture = target
    config = C.acldvppCreateJpegeConfig()
    size, _ = C.acldvppJpegPredictEncSize(picture, config)
    room = C.acldvppMalloc(size)[0]
    length = np.array([size], np.uint32)
    assert C.acldvppJpegEncodeAsync(program.channel, picture, room, length, config, program.stream) == 0
    assert length[0] == size
    assert program.wait() == 0
    assert 100 < length[0] < size
    data = program.download(room, int(length[0])).tobytes()
    header = read_header(data)
    assert (header.width, header.height, header.sampling) == (96, 64, "420")
    if number == 1:
        again = program.decode(data, 1, 96, 64)
        assert program.wait() == 0
        assert np.abs(program.luma(again).astype(int) - program.luma(picture)).max() <= 2


def test_the_room_of_an_encode(program: Program) -> None:
    picture, config = program.picture(1, 96, 64), C.acldvppCreateJpegeConfig()
    room = C.acldvppMalloc(1 << 21)[0]
    length = np.array([0], np.uint32)
    call = C.acldvppJpegEncodeAsync
    assert call(program.channel, picture, room, length, config, program.stream) == 100000
    assert call(program.channel, picture, room, 0, config, program.stream) == 100000
    length[0] = 50
    assert call(program.channel, picture, room, length, config, program.stream) == 0
    assert program.wait() == 507018


# -- broken files -------------------------------------------------------------------------------------------------------


def damaged(random_: random.Random, data: bytes) -> bytes:
    """*data* with some bytes changed, cut off, repeated or put in."""
    made = bytearray(data)
    for _ in range(random_.randint(1, 8)):
        at = random_.randrange(len(made))
        kind = random_.randrange(6)
        if kind == 0:
            made[at] = random_.randrange(256)
        elif kind == 1:
            del made[at : at + random_.randrange(64)]
        elif kind == 2:
            made[at:at] = bytes(random_.randrange(256) for _ in range(random_.randrange(64)))
        elif kind == 3 and random_.random() < 0.3:
            del made[max(40, at) :]
        elif kind == 4:
            made[at : at + 2] = random_.choice(
                [b"\xff\xd8", b"\xff\xc0", b"\xff\xda", b"\xff\xe1", b"\xff\xff", b"\0\0"]
            )
        else:
            head = random_.randrange(min(len(made), 700))  # most of what can go wrong stands at the beginning
            made[head] = random_.randrange(256)
        if len(made) < 2:
            made += b"\xff\xd8"
    return bytes(made)


def broken_jpegs(count: int) -> None:
    random_ = random.Random(20261128)
    seeds = [jpeg(64, 48), jpeg(97, 61, 1), jpeg(64, 64, 0), jpeg(64, 64, gray=True), turned(jpeg(80, 40), 6)]
    seeds += [jpeg(64, 64, progressive=True)]
    with Simulator(soc="Ascend310P3") as sim:
        program = Program(sim)
        output = program.decode(seeds[0], 1, 64, 48)
        assert program.wait() == 0
        size = C.acldvppMalloc(1 << 22)[0]
        C.acldvppSetPicDescSize(output, 1 << 22)
        C.acldvppSetPicDescData(output, size)
        outcomes: dict[int, int] = {}
        for i in range(count):
            data = damaged(random_, seeds[i % len(seeds)])
            host = np.frombuffer(data, np.uint8)
            info = C.acldvppJpegGetImageInfo(host, len(data))
            assert info[-1] in (0, 500001)
            predicted = C.acldvppJpegPredictDecSize(host, len(data), 1)
            assert predicted[-1] in (0, 100000, 500001)
            C.acldvppSetPicDescWidthStride(output, 8192 if info[-1] else min(8192, -(-info[0] // 64) * 64))
            C.acldvppSetPicDescHeightStride(output, 0)
            address = program.upload(data)
            assert C.acldvppJpegDecodeAsync(program.channel, address, len(data), output, program.stream) == 0
            code = program.wait()
            assert code in (0, 507018)
            outcomes[code] = outcomes.get(code, 0) + 1
            C.acldvppFree(address)
        assert set(outcomes) == {0, 507018}
        assert "crash" not in {f.kind for f in sim.findings}


def test_broken_jpegs_have_a_code_each() -> None:
    tracemalloc.start()
    broken_jpegs(60 * SCALE)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20


def broken_pngs(count: int) -> None:
    random_ = random.Random(5)
    seeds = [png(64, 48), png(97, 61, "RGBA"), png(64, 64, "L"), png(64, 64, "LA"), png(64, 64, "P")]
    with Simulator(soc="Ascend310P3") as sim:
        program = Program(sim)
        desc = program.describe(C.acldvppMalloc(1 << 20)[0], 16, 64, 64, 1024, 256, 1 << 20)
        for i in range(count):
            data = damaged(random_, seeds[i % len(seeds)])
            host = np.frombuffer(data, np.uint8)
            assert C.acldvppPngGetImageInfo(host, len(data))[-1] in (0, 100000, 100027)
            assert C.acldvppPngPredictDecSize(host, len(data), 16)[-1] in (0, 100000)
            address = program.upload(data)
            assert C.acldvppPngDecodeAsync(program.channel, address, len(data), desc, program.stream) == 0
            assert program.wait() in (0, 507018)
            C.acldvppFree(address)


def test_broken_pngs_have_a_code_each() -> None:
    broken_pngs(40 * SCALE)


def test_bombs_are_bounded(program: Program) -> None:
    """A header that says much and data that say nothing; a PNG whose data would unpack to far more than its size."""
    data = bytearray(jpeg(64, 64))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", 60000, 60000)

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    small = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0))
    bomb = small + chunk(b"iTXt", b"k\0\1\0\0\0" + zlib.compress(b"\0" * (64 << 20)))
    bomb += chunk(b"IDAT", zlib.compress(b"\0" * (64 << 20))) + chunk(b"IEND", b"")
    huge = bomb.replace(struct.pack(">II", 64, 64), struct.pack(">II", 1 << 30, 1 << 30), 1)
    desc = program.describe(C.acldvppMalloc(1 << 20)[0], 16, 64, 64, 1024, 256, 1 << 20)
    tracemalloc.start()
    decode_jpeg, decode_png = C.acldvppJpegDecodeAsync, C.acldvppPngDecodeAsync
    for file, call in ((bytes(data), decode_jpeg), (bomb, decode_png), (huge, decode_png)):
        C.acldvppSetPicDescFormat(desc, 1 if call is decode_jpeg else 16)
        assert call(program.channel, program.upload(file), len(file), desc, program.stream) == 0
        assert program.wait() in (0, 507018)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 << 20
    with pytest.raises(PngError):
        read_png(b"\x89PNG")


def test_only_what_a_decoder_needs_reaches_it() -> None:
    data = turned(jpeg(64, 64), 6)
    comment = b"\xff\xfe" + struct.pack(">H", 6) + b"text"
    plain = picture_only(data[:2] + comment + data[2:])
    assert b"Exif" not in plain and b"text" not in plain and b"JFIF" in plain
    assert read_header(plain)._replace(orientation=6) == read_header(data)
