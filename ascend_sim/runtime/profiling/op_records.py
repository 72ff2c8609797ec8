"""Records of operators for subscribers: 80 bytes each, with names kept here (docs/semantics/profiling.md#subscription)."""

from __future__ import annotations

import struct
import zlib
from typing import Final, NamedTuple

from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError

__all__ = ["RECORD_BYTES", "OpNames", "OpRecord", "pack", "unpack"]

_FORM: Final = struct.Struct("<IIII7QI4x")
RECORD_BYTES: Final = _FORM.size


class OpRecord(NamedTuple):
    """One operator that ran. Times are in us."""

    model: int
    flag: int
    thread: int
    name: int
    """The number under which `OpNames` has its name and type."""
    start: int
    end: int
    device: int

    @property
    def duration(self) -> int:
        """How long it took (us)."""
        return self.end - self.start


def pack(record: OpRecord) -> bytes:
    """The bytes of *record*, with their checksum in front."""
    r = record
    raw = _FORM.pack(
        0, r.model, r.flag, r.thread, r.name, r.duration, r.start, r.end, r.duration, 0, 0, r.device
    )  # fmt: skip
    return zlib.crc32(raw[4:]).to_bytes(4, "little") + raw[4:]


def unpack(raw: bytes | None) -> list[OpRecord]:
    """The records in *raw*. Raises AclError 100000 for what is none: another length, another checksum."""
    if raw is None or len(raw) % RECORD_BYTES:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"opInfo is no whole number of records of {RECORD_BYTES} bytes", "acl")
    found = []
    for at in range(0, len(raw), RECORD_BYTES):
        one = raw[at : at + RECORD_BYTES]
        if zlib.crc32(one[4:]) != int.from_bytes(one[:4], "little"):
            place = at // RECORD_BYTES
            raise AclError(ACL_ERROR_INVALID_PARAM, f"record {place} of opInfo did not come from a subscription", "acl")
        _, model, flag, thread, name, _, start, end, _, _, _, device = _FORM.unpack(one)
        found.append(OpRecord(model, flag, thread, name, start, end, device))
    return found


class OpNames:
    """Names and types of operators by number; each is forgotten when it has been asked for."""

    def __init__(self, sim: object = None) -> None:
        self._last = 0
        self.names: dict[int, str] = {}
        self.types: dict[int, str] = {}

    def keep(self, name: str, kind: str) -> int:
        """The number of an operator."""
        self._last += 1
        self.names[self._last] = name
        self.types[self._last] = kind
        return self._last
