"""Model files that would take long: counted, and refused before anything is made of them."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from typing import Any

import pytest

from ascend_sim.om import ModelDescription, OmFormatError, TensorDescription, container, read, write, zipped
from ascend_sim.om.container import MOST_MODELS, MOST_VALUES
from ascend_sim.om.description import MOST_SHAPES, DescriptionError, to_json
from ascend_sim.om.zipped import MOST_ENTRIES, read_zip

TENSOR = TensorDescription("x", 0, (-1, 2))
MODEL = ModelDescription("m", (TENSOR,), (TENSOR,))
PLAIN = to_json(MODEL)


def stand_in(text: bytes, blob: bytes = b"", bundle: bool = False) -> bytes:
    """A file with any description."""
    data = bytearray(write([MODEL] if bundle else MODEL))[: container.HEADER_BYTES]
    body = struct.pack("<Q", len(text)) + text + blob
    struct.pack_into("<I", data, 76, len(body))  # the length of old and of new files
    struct.pack_into("<Q", data, 256 - 62 - 2 - 8, len(body))
    return bytes(data) + body


def described(value: Any, bundle: bool = False) -> bytes:
    return stand_in(json.dumps(value).encode(), bundle=bundle)


def archive(count: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        for i in range(count):
            out.writestr(str(i), b"")
    return made.getvalue()


HOSTILE = {
    "many values": (stand_in(b"[" + b"0," * MOST_VALUES + b"0]"), f"{MOST_VALUES + 1} values: {MOST_VALUES} at most"),
    "brackets": (stand_in(b"[" * (1 << 18)), "nests more than 32 deep"),
    "digits": (stand_in(b"9" * 500), "an integer of 500 digits"),
    "models": (described([PLAIN] * (MOST_MODELS + 1), True), f"{MOST_MODELS + 1} models: {MOST_MODELS} at most"),
    "gears": (
        described({**PLAIN, "inputs": PLAIN["inputs"] * 99, "gears": {"kind": "batch", "choices": [[1]] * 999}}),
        f"gears.choices make 299700 dims of inputs and outputs: {MOST_SHAPES} are the most",
    ),
    "parts": (
        stand_in(json.dumps([{**PLAIN, "blob": [0, 64]}] * 2).encode(), b"\0" * 64, True), "does not fit: the file is cut"
    ),
    "half a pair": (described({**PLAIN, "name": "\ud800"}), "name has no form in UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_refused_with_what_is_too_much(case: str) -> None:
    data, text = HOSTILE[case]
    with pytest.raises(OmFormatError, match=text) as caught:
        read(data)
    assert caught.value.kind == "content"


def test_archives_are_counted_before_their_entries_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OmFormatError, match="an archive of a compiled model"):
        read_zip(archive(3))
    data = archive(MOST_ENTRIES + 1)
    monkeypatch.delattr(zipped.zipfile, "ZipFile")
    with pytest.raises(OmFormatError, match=f"an archive of more than {MOST_ENTRIES} entries"):
        read_zip(data)


def test_most_models_and_what_is_written_can_be_read() -> None:
    whole = [MODEL] * MOST_MODELS
    file = read(write(whole, [b"ab"] * MOST_MODELS))
    assert [file.blob_of(i) for i in (0, MOST_MODELS - 1)] == [b"ab", b"ab"]
    with pytest.raises(DescriptionError, match="models"):
        write([*whole, MODEL])


def test_parts_are_measured_without_being_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    data = write([MODEL] * 3, [b"abc"] * 3)
    monkeypatch.setattr(container.OmFile, "blob_of", None)
    assert len(read(data).models) == 3
