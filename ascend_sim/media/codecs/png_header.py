"""What the header of a PNG says."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMPONENTS", "PngError", "PngHeader", "read_header"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
SMALLEST = 29
"""A file of so many bytes is too small (source)."""
COMPONENTS = {0: 1, 4: 2, 2: 3, 6: 4}
"""Gray, gray with alpha, colours, colours with alpha, by the type; others, as palettes, are refused."""


class PngError(ValueError):
    """The bytes are no PNG."""


class PngHeader(NamedTuple):
    """Width, height, bits of a component, the type of the colours."""

    width: int
    height: int
    depth: int
    colour: int


def read_header(data: bytes) -> PngHeader:
    """The header. Raises PngError."""
    if len(data) <= SMALLEST:
        raise PngError(f"it has {len(data)} bytes, more than {SMALLEST} are needed")
    if data[:8] != SIGNATURE:
        raise PngError("it does not begin as a PNG")
    return PngHeader(int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"), data[24], data[25])
