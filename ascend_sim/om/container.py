"""The file of a stand-in: the header of a compiled model, a description, a blob. Untrusted: every field is checked."""

from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Sequence
from itertools import accumulate

from attrs import evolve, frozen

from ascend_sim.findings.files import at_once
from ascend_sim.machine.data_types import element_bytes
from ascend_sim.om.description import DescriptionError, ModelDescription, from_json, to_json
from ascend_sim.untrusted.json_text import parse_json

__all__ = [
    "HEADER_BYTES",
    "MAGIC",
    "MOST_BYTES",
    "VERSION",
    "Header",
    "OmFile",
    "OmFormatError",
    "check_blobs",
    "parse_description",
    "read",
    "read_header",
    "save",
    "write",
]

# Layout of the header (docs/semantics/models.md#three-executors): magic, header size, version,
# checksum, length, encrypted, checked, model type, generation mode, name, operations, user's words, IR version, number
# of models, platform version, platform type, padding, long length, check of the host's CPU, unknown shapes, reserved.
_LAYOUT = struct.Struct("<III64sIBBBB32sI32sII20sB3sQBB62s")
HEADER_BYTES = 256
MAGIC = 0x444F4D49
VERSION = 0x7A53494D
"""The version that only the simulator writes; real files say 0x10000000."""
BUNDLE = 5
"""The model type of a file with several models."""
LARGEST = 4 << 30
MOST_BYTES = LARGEST + HEADER_BYTES + 8
"""Of a file."""
LARGEST_DESCRIPTION = 32 << 20
DEEPEST = 32
MOST_VALUES = 300_000
"""Of all descriptions in a file: they take a third of a second to read."""
MOST_MODELS = 1024
"""In a bundle."""
ZIP = b"PK\x03\x04"


class OmFormatError(ValueError):
    """A file that is no stand-in.

    *kind*: ``short``, ``magic``, ``length``, ``real`` (a compiled model) or ``content``.
    """

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@frozen
class Header:
    """What the header says."""

    version: int
    length: int
    model_type: int
    name: str
    model_num: int
    is_dynamic: bool

    @property
    def is_stand_in(self) -> bool:
        """Written by the simulator."""
        return self.version == VERSION


@frozen
class OmFile:
    """A stand-in: header, the description of each model (one, unless it is a bundle), the blob."""

    header: Header
    models: tuple[ModelDescription, ...]
    blob: bytes

    def blob_of(self, index: int) -> bytes:
        """The part of the blob that belongs to the model at *index*."""
        part = self.models[index].blob
        return self.blob if part is None else self.blob[part[0] : part[0] + part[1]]

    def blob_bytes(self, index: int) -> int:
        """How many bytes that part has."""
        part = self.models[index].blob
        return len(self.blob) if part is None else part[1]

    def single(self, index: int) -> OmFile:
        """A file with only the model at *index*."""
        return OmFile(self.header, (evolve(self.models[index], blob=None),), self.blob_of(index))


def read_header(data: bytes) -> Header:
    """The header at the start of *data*. Raises OmFormatError ``short``, ``magic`` or ``length``."""
    if len(data) < HEADER_BYTES:
        raise OmFormatError("short", f"{len(data)} bytes: the header alone has {HEADER_BYTES}")
    fields = _LAYOUT.unpack_from(data)
    if fields[0] != MAGIC or fields[1] != HEADER_BYTES:
        raise OmFormatError("magic", "the file does not begin as a compiled model does")
    length = fields[17] or fields[4]
    if length != len(data) - HEADER_BYTES:
        raise OmFormatError("length", f"the header says {length} bytes follow, {len(data) - HEADER_BYTES} do")
    name = fields[9].split(b"\0", 1)[0].decode("utf-8", "replace")
    return Header(fields[2], length, fields[7], name, fields[13], bool(fields[19]))


def read(data: bytes) -> OmFile:
    """The stand-in in *data*; runs nothing. Raises OmFormatError."""
    header = read_header(data)
    if not header.is_stand_in:
        raise OmFormatError(
            "real", "this is a compiled model: only a stand-in can be run, write one with `ascend-sim om from-onnx`"
        )
    start = HEADER_BYTES + 8
    if len(data) < start:
        raise OmFormatError("content", "there is no description behind the header")
    (size,) = struct.unpack_from("<Q", data, HEADER_BYTES)
    if size > min(len(data) - start, LARGEST_DESCRIPTION):
        raise OmFormatError("content", f"a description of {size} bytes does not fit")
    bundle, models = parse_description(data[start : start + size])
    if not models or bundle != (header.model_type == BUNDLE):
        raise OmFormatError(
            "content", f"{len(models)} models are described, the header's model type is {header.model_type}"
        )
    file = OmFile(header, models, data[start + size :])
    check_blobs(file)
    return file


def parse_description(text: bytes) -> tuple[bool, tuple[ModelDescription, ...]]:
    """Whether it is a list, and the models that it describes. Raises OmFormatError ``content``."""
    try:
        found = parse_json(text, MOST_VALUES, DEEPEST)
        listed = found if isinstance(found, list) else [found]
        if len(listed) > MOST_MODELS:
            raise DescriptionError(f"{len(listed)} models: {MOST_MODELS} at most can be read")
        return isinstance(found, list), tuple(from_json(value) for value in listed)
    except ValueError as error:  # DescriptionError and JSONDecodeError are ValueErrors
        raise OmFormatError("content", f"the description: {error}") from None


def check_blobs(file: OmFile) -> None:
    """Raises OmFormatError ``content`` for parts and constants that are not in the blob, and parts that overlap."""
    whole = len(file.blob)
    parts = sum(model.blob[1] for model in file.models if model.blob is not None)
    for index, model in enumerate(file.models):
        if model.blob is not None and (sum(model.blob) > whole or parts > whole):
            raise OmFormatError("content", f"the blob of model {model.name!r} does not fit: the file is cut off")
        part = file.blob_bytes(index)
        for constant in model.constants:
            if constant.offset + math.prod(constant.dims) * element_bytes(constant.data_type) > part:
                raise OmFormatError("content", f"constant {constant.name!r} does not fit: the file is cut off")


def write(models: ModelDescription | Sequence[ModelDescription], blob: bytes | Sequence[bytes] = b"") -> bytes:
    """The bytes of a stand-in with one model, or of a bundle. Raises DescriptionError for what could not be read.

    *blob*: weights or an ONNX model; for a bundle one for each model, if they have any.
    """
    listed = [models] if isinstance(models, ModelDescription) else list(models)
    bundle = not isinstance(models, ModelDescription)
    parts = [blob] if isinstance(blob, bytes) else list(blob)
    if not isinstance(blob, bytes):
        starts = [0, *accumulate(map(len, parts))][: len(parts)]
        listed = [evolve(m, blob=(s, len(p))) for m, s, p in zip(listed, starts, parts, strict=True)]
    described = [to_json(model) for model in listed]
    text = json.dumps(described if bundle else described[0], separators=(",", ":")).encode("utf-8")
    try:
        parse_description(text)
    except OmFormatError as error:
        raise DescriptionError(str(error).removeprefix("the description: ")) from None
    if len(text) > LARGEST_DESCRIPTION:
        raise DescriptionError(f"a description of {len(text)} bytes is too large")
    body = struct.pack("<Q", len(text)) + text + b"".join(parts)
    if len(body) > LARGEST:
        raise DescriptionError(f"a stand-in of {len(body)} bytes is too large")
    header = _LAYOUT.pack(
        MAGIC, HEADER_BYTES, VERSION, b"", len(body) & 0xFFFFFFFF, 0, 1, BUNDLE if bundle else 0, 0,
        listed[0].name.encode("utf-8")[:31], 0, b"ascend_sim stand-in", 0, len(listed), b"", 0, b"", len(body), 0,
        int(not bundle and listed[0].is_dynamic), b"",
    )  # fmt: skip
    return header + body


def save(
    path: str | os.PathLike[str],
    models: ModelDescription | Sequence[ModelDescription],
    blob: bytes | Sequence[bytes] = b"",
) -> None:
    """Write a stand-in to *path*."""
    data = write(models, blob)
    with open(path, "wb", opener=at_once) as file:
        file.write(data)
