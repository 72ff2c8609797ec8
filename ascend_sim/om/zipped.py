"""Stand-ins of the newer kind, OM2: a zip archive with ``description.json`` and ``blob``, both stored as they are.

Such models have executors and rules of their own (docs/semantics/models.md#gears-of-om2-models). Untrusted:
every field is checked.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from ascend_sim.om.container import (
    HEADER_BYTES,
    LARGEST_DESCRIPTION,
    VERSION,
    Header,
    OmFile,
    OmFormatError,
    check_blobs,
    parse_description,
)
from ascend_sim.om.description import ModelDescription, from_json, to_json

__all__ = ["read_zip", "write_zip"]

DESCRIPTION, BLOB = "description.json", "blob"
MOST_ENTRIES = 4096
_ENTRY = b"PK\x01\x02"
"""What an entry in an archive's directory begins with."""


def write_zip(model: ModelDescription, blob: bytes = b"") -> bytes:
    """The bytes of an OM2 stand-in. Raises DescriptionError for what could not be read."""
    import json

    from_json(to_json(model))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, data in ((DESCRIPTION, json.dumps(to_json(model)).encode()), (BLOB, blob)):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    return made.getvalue()


def read_zip(data: bytes) -> OmFile:
    """The stand-in in *data*; runs nothing. Raises OmFormatError ``content`` or ``real`` (somebody else's archive)."""
    # Counted before any is made, wherever the directory is said to be; what looks like one in weights counts too.
    if data.count(_ENTRY) > MOST_ENTRIES:
        raise OmFormatError("content", f"an archive of more than {MOST_ENTRIES} entries")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            listed = {entry.filename: entry for entry in archive.infolist()}
            if DESCRIPTION not in listed:
                raise OmFormatError("real", "this is an archive of a compiled model, or no model at all")
            parts = []
            for name in (DESCRIPTION, BLOB):
                entry = listed.get(name)
                if entry is None:
                    parts.append(b"")
                    continue
                if entry.compress_type != zipfile.ZIP_STORED or entry.file_size > len(data):
                    raise OmFormatError("content", f"{name!r} is not stored as it is")
                parts.append(archive.read(entry))
    except (zipfile.BadZipFile, zlib.error, struct.error, OSError, ValueError, EOFError, RuntimeError) as error:
        if isinstance(error, OmFormatError):
            raise
        raise OmFormatError("content", f"the archive cannot be read: {error}") from None
    text, blob = parts
    if len(text) > LARGEST_DESCRIPTION:
        raise OmFormatError("content", f"a description of {len(text)} bytes is too large")
    _, models = parse_description(text)
    if len(models) != 1:
        raise OmFormatError("content", f"{len(models)} models are described, one is required")
    header = Header(VERSION, len(data) - HEADER_BYTES, 0, models[0].name, 1, False)
    file = OmFile(header, models, blob)
    check_blobs(file)
    return file
