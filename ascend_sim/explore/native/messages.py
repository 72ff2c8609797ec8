"""What the search and its runs say to each other, and how it goes over a socket.

Both sides are the same user's, and one has started the other: what travels are pickles.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ascend_sim.explore.control.blocks.granularity import Ran, Split, Splits
from ascend_sim.explore.control.known_state import KnownSets
from ascend_sim.explore.search.dpor import Blocked
from ascend_sim.findings.levels import Levels

__all__ = ["LENGTH", "End", "Frames", "Request", "framed"]

LENGTH = 8
"""Bytes before a value, which say how long it is."""


@attrs.frozen
class Request:
    """One run that is asked for. *options*: of Simulator; *date_ns*: what its clock says as it begins."""

    options: Mapping[str, Any]
    known: KnownSets
    splits: Splits
    all_hosts: bool
    explained: bool
    """The steps are told in words of the program when that is asked for."""
    levels: Levels
    date_ns: int


@attrs.frozen
class End:
    """What a run comes to, as far as its process can tell: how the process ended is seen from outside."""

    ended: str
    """``deadlock``, or the exception that ended it; empty: the program ended by itself."""
    late: bool
    """It had too many calls."""
    reads: tuple[tuple[str, bytes | int], ...]
    codes: tuple[tuple[str, int], ...]
    memory: tuple[tuple[str, bytes | int], ...]
    marks: str
    blocked: tuple[Blocked, ...]
    relevant: frozenset[str]
    threads: bool
    launches: tuple[Ran, ...]
    apart: Mapping[str, Split]
    known: KnownSets
    splits: Splits
    findings: list[dict[str, Any]]
    functions: tuple[str, ...]
    """The functions that the program called, and the modules that were imported for them."""
    modules: tuple[str, ...]


def framed(value: Any) -> bytes:
    """*value* as it goes over a socket."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(LENGTH, "little") + data


class Frames:
    """What comes in, taken apart."""

    def __init__(self) -> None:
        self._data = bytearray()

    def add(self, data: bytes) -> Iterator[Any]:
        """The values that are whole with *data*."""
        self._data += data
        while len(self._data) >= LENGTH:
            end = LENGTH + int.from_bytes(self._data[:LENGTH], "little")
            if len(self._data) < end:
                return
            value = pickle.loads(bytes(self._data[LENGTH:end]))
            del self._data[:end]
            yield value
