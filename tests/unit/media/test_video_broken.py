"""Broken streams: a code for each piece, no crash, no hang, and memory that stays bounded."""

import random
import resource
import struct

import pytest

pytest.importorskip("av")

import ascend_sim.ascendcl as C
from ascend_sim import Simulator
from ascend_sim.media.video.decoding_unit import FAILED
from ascend_sim.media.video.video_decoder import DEEPEST, VideoDecoder
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches
from tests.kit.scale import SCALE
from tests.kit.video import H264, H265, Decoding, clip

CODEC = {H264: "h264", H265: "hevc"}
MOST_GROWTH = 400 << 20


def broken(piece: bytes, chance: random.Random) -> bytes:
    """*piece* with one kind of damage."""
    data = bytearray(piece)
    how = chance.randrange(7)
    if how == 0:  # bits
        for _ in range(chance.randint(1, 24)):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif how == 1:  # cut off
        del data[chance.randrange(len(data)) :]
    elif how == 2:  # a hole
        at = chance.randrange(len(data))
        del data[at : at + chance.randint(1, 64)]
    elif how == 3:  # noise in the headers, where sizes are
        for at in range(4, min(len(data), 48)):
            if chance.random() < 0.3:
                data[at] = chance.randrange(256)
    elif how == 4:  # noise alone
        data = bytearray(b"\0\0\0\1" + chance.randbytes(chance.randint(0, 400)))
    elif how == 5:  # start codes everywhere
        for _ in range(chance.randint(1, 12)):
            at = chance.randrange(len(data))
            data[at : at + 4] = struct.pack(">I", 1)
    else:  # parts of two pictures in one
        data += data[chance.randrange(len(data)) :]
    return bytes(data)


def pieces(kind: int) -> list[bytes]:
    return clip(kind, 6, 176, 144, reordered=2)


@pytest.mark.parametrize("kind", [H264, H265])
def test_each_piece_has_exactly_one_answer(kind: int) -> None:
    chance = random.Random(kind)
    good = pieces(kind)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    decoder = VideoDecoder(CODEC[kind], (128, 128), (4096, 4096))
    answered: list[int] = []
    sent = 0
    for sent in range(1, 600 * SCALE + 1):
        piece = chance.choice(good)
        answered += [
            one.number for one in decoder.decode(broken(piece, chance) if chance.random() < 0.8 else piece, sent)
        ]
        assert decoder.kept() <= DEEPEST
        if chance.random() < 0.05:
            answered += [one.number for one in decoder.flush()]
            assert decoder.kept() == 0
    answered += [one.number for one in decoder.flush()]
    assert sorted(answered) == list(range(1, sent + 1))
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10 < MOST_GROWTH


@pytest.mark.parametrize("kind", [H264, H265])
def test_a_channel_answers_broken_pieces_with_codes(kind: int) -> None:
    chance = random.Random(17 + kind)
    good = pieces(kind)
    with Simulator("Ascend310P3", threads="deterministic") as sim:
        install_patches(sim.threads)
        C.aclrtSetDevice(0)
        decoding = Decoding(kind, 176, 144)
        sent = [broken(chance.choice(good), chance) or b"\0" for _ in range(40)]
        got = decoding.all([*sent, good[0]])
        uninstall_patches()
        assert sorted(number for number, _, _ in got) == list(range(41))
        assert {code for _, code, _ in got} <= {0, FAILED}
        assert not [f for f in sim.findings if f.kind == "crash"]


def sps(width: int, height: int) -> bytes:
    """The headers of an H.264 stream that says it has pictures of this size, in units of 16 pixels."""

    def golomb(value: int) -> str:
        bits = bin(value + 1)[2:]
        return "0" * (len(bits) - 1) + bits

    bits = "".join(golomb(n) for n in (0, 0, 2, 1))  # id, frame numbers, kind of order, reference frames
    bits += "0" + golomb(width - 1) + golomb(height - 1) + "1" + "1" + "0" + "0" + "1"
    bits += "0" * (-len(bits) % 8)
    body = bytes([0x67, 66, 0, 51]) + int(bits, 2).to_bytes(len(bits) // 8, "big")
    return b"\0\0\0\1" + body + b"\0\0\0\1\x68\xce\x3c\x80" + b"\0\0\0\1\x65\x88\x84\0" + b"\x55" * 64


@pytest.mark.parametrize("size", [(1024, 1024), (4096, 4096), (65536 // 16, 8), (1, 1)])
def test_a_small_stream_that_wants_huge_pictures_costs_nothing(size: tuple[int, int]) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    decoder = VideoDecoder("h264", (128, 128), (4096, 4096))
    found = decoder.decode(sps(*size), 0) + decoder.flush()
    assert [(one.number, one.frame) for one in found] == [(0, None)]
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10 < 64 << 20


def test_a_thousand_pictures_in_bounded_memory() -> None:
    good = clip(H264, 20, 320, 240)
    count = 120 * SCALE
    with Simulator("Ascend310P3", threads="deterministic") as sim:
        install_patches(sim.threads)
        C.aclrtSetDevice(0)
        decoding = Decoding(H264, 320, 240)
        for number in range(count):
            assert decoding.send(good[number % 20]) == 0
            decoding.got.clear()
            decoding.shapes.clear()
        assert decoding.close() == 0
        uninstall_patches()
        free, total = sim.memory.memory_of(0)
        assert total - free < 1 << 20
        arena = sim.memory.used_arena(0)
        assert arena is not None and arena.peak < 8 << 20
