"""Room on the host for text that a C function writes: pyACL allocates it, hands its address on and reads the result."""

from __future__ import annotations

import ctypes

__all__ = ["Room"]


class Room:
    """*size* zeroed bytes at ``address`` plus one zero behind them."""

    __slots__ = ("_buffer", "address", "size")

    def __init__(self, size: int) -> None:
        self._buffer = ctypes.create_string_buffer(size + 1)
        self.address = ctypes.addressof(self._buffer)
        self.size = size

    def text(self) -> str:
        """What was written, up to the first zero byte."""
        return self._buffer.value.decode("utf-8", "replace")
