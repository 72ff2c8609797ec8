"""Places of a native program: return addresses, and what a report says of them.

Each address has one code object, which stands for it wherever the simulator keeps a call site. Nothing is looked up
before a report is written: then the symbols of the file, and its debug information where there is some.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from types import CodeType

from ascend_sim.native.cpp_names import Place, argument, marked, variable
from ascend_sim.source.callsite import BY_C, NATIVE_FILE, CallSite, Frame, NativePlace, source_line

__all__ = ["LOOK_UP", "Address", "code_of", "site", "symbols", "without_lines"]

_SYSTEM = r"/lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|ascendcl)[-.]|/ld-"
"""Files whose frames are no part of the program."""
_HEADERS = ("/usr/include/", "/usr/lib/", "/usr/local/include/", "/opt/")
"""Sources of libraries: what was compiled from there into the program is not what its author wrote."""
_LIMITED = ("sh", "-c", 'ulimit -t 30; exec "$0" "$@"')
"""Runs what follows, for thirty seconds of the processor at most: the debug information is a file like others."""
_TEMPLATE = compile("None", NATIVE_FILE, "eval")


_KNOWN: list[int] = []
"""All addresses that stand for places."""
_CALLED: dict[int, str] = {}
"""The function that returns to an address."""
_LINED: dict[str, bool] = {}
"""Whether a file has said the line of any place."""
_FOUND: dict[int, tuple[Frame, ...]] = {}


class Address(NativePlace):
    """A return address."""

    __slots__ = ("address",)

    def __init__(self, address: int) -> None:
        self.address = address

    @property
    def internal(self) -> bool:
        mapped = _mapped(self.address)
        if mapped is None or re.search(_SYSTEM, mapped[0]):
            return True
        frame = self.frame()
        return frame.file.startswith(_HEADERS) or (not frame.line and frame.function == "_start")

    def frame(self) -> Frame:
        return _frames(self.address)[0]

    def outer_frames(self) -> tuple[Frame, ...]:
        return _frames(self.address)[1:]

    def variable(self, callers: Sequence[NativePlace] = ()) -> str | None:
        frames = [frame for place in (self, *callers) for frame in (place.frame(), *place.outer_frames())]
        places = [Place(frame.file, frame.line, frame.function) for frame in frames]
        return variable(places, source_line, _CALLED.get(self.address, ""))

    def argument(self, parameter: str) -> str | None:
        frame = self.frame()
        place = Place(frame.file, frame.line, frame.function)
        return argument(place, source_line, parameter, _CALLED.get(self.address, ""))


@cache
def code_of(address: int) -> CodeType:
    """The code object that stands for the place before *address*."""
    _KNOWN.append(address)
    return _TEMPLATE.replace(co_name=f"c_{address:x}", co_consts=(None, Address(address)))


def site(addresses: tuple[int, ...], name: str = "") -> CallSite:
    """The site of the call of *name* that returns to the first of *addresses*; the others are those of its callers."""
    _CALLED.setdefault(addresses[0], name)
    return _site(addresses)


@cache
def _site(addresses: tuple[int, ...]) -> CallSite:
    return (*((code_of(address), 0) for address in addresses), BY_C)


def _mapped(address: int) -> tuple[str, int, int] | None:
    """The file that is mapped at *address*, where it begins in memory, and the offset in the file there."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            parts = line.split(None, 5)
            low, _, high = parts[0].partition("-")
            if int(low, 16) <= address < int(high, 16):
                path = parts[5].strip() if len(parts) == 6 else ""
                return (path, int(low, 16), int(parts[2], 16)) if path.startswith("/") else None
    return None


def _frames(address: int) -> tuple[Frame, ...]:
    """The place before *address*, innermost first: with the functions that were compiled into the one that is there."""
    if address not in _FOUND:
        _look_up(address)
    return _FOUND[address]


def _look_up(address: int) -> None:
    """Find *address*, and with it all that are known of the same file: starting the tool is what takes time."""
    mapped = _mapped(address)
    if mapped is None:
        _FOUND[address] = (Frame(f"{address:#x}", 0, "?"),)
        return
    path, low, offset = mapped
    shift = low - offset if _moves(path) else 0
    wanted = [a for a in _KNOWN if a not in _FOUND and (_mapped(a) or ("",))[0] == path] or [address]
    places = [f"{a - 1 - shift:#x}" for a in wanted]
    lines = LOOK_UP[0](path, tuple(places)).splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("0x")] + [len(lines)]
    for i, a in enumerate(wanted):
        pairs = lines[starts[i] + 1 : starts[i + 1]] if i + 1 < len(starts) else []
        called = _CALLED.get(a, "")
        found = [_frame(path, places[i], *pair, called) for pair in zip(pairs[::2], pairs[1::2], strict=False)]
        own = [frame for frame in found if not frame.file.startswith(_HEADERS)]
        _FOUND[a] = tuple(own or found) or (_frame(path, places[i], "??", "??:0"),)
        inner = _FOUND[a][0]
        if lines and not inner.function.startswith("_"):  # the tool is there; what starts a program never has lines
            _LINED[path] = _LINED.get(path, False) or bool(inner.line)


def without_lines() -> str | None:
    """A file of the program that a report was about, and that has no lines: it was compiled without ``-g``."""
    return next((path for path, lined in _LINED.items() if not lined and not re.search(_SYSTEM, path)), None)


@cache
def symbols(path: str, places: tuple[str, ...]) -> str:
    """What the tool says of *places* in the file *path*; empty without the tool."""
    words = [*_LIMITED, "addr2line", "-a", "-i", "-f", "-C", "-e", path, *places]
    try:
        import subprocess

        # No time-out: with one, subprocess sleeps and reads clocks, which in this process are the program's, virtual.
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    except (OSError, ImportError):
        return ""
    return done.stdout


LOOK_UP: list[Callable[[str, tuple[str, ...]], str]] = [symbols]
"""Who asks the tool: where many processes are one program, one for all."""


def _frame(path: str, place: str, function: str, where: str, called: str = "") -> Frame:
    """What the tool says of *place* in the file *path*; *called*: the function of the API that returns there."""
    file, _, line = where.partition(" ")[0].rpartition(":")
    function = re.sub(r"(?<!operator)\(.*", "", function.replace("(anonymous namespace)::", "")) or "?"
    if not file or file.startswith("?") or not line.isdecimal():
        return Frame(path, 0, function if function != "??" else f"{os.path.basename(path)}+{place}")
    path, number = os.path.normpath(file), int(line)
    return Frame(path, number, function, *(marked(source_line(path, number), called) or (None, None)))


@cache
def _moves(path: str) -> bool:
    """Whether the file is loaded anywhere (a library, or a position independent program)."""
    with open(path, "rb") as file:
        return file.read(18)[16:17] == b"\3"
