"""What addresses of a native program mean: files, lines, functions and names.

They are looked up when a report is written: in the symbols of the file, and its debug information where there is some.
Columns are asked for where a line has several calls that could be meant: reading them takes a tenth of a second.
"""

from __future__ import annotations

import os
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Container, Sequence
from functools import cache, partial

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.native.places.addresses import CALLED, KNOWN
from ascend_sim.native.places.cpp_names import Place, argument, function_name, marked, unknown, variable
from ascend_sim.native.places.cpp_wrappers import hands_on
from ascend_sim.runtime.own_imports import spec_for_us
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.source.callsite import Frame, source_line
from ascend_sim.source.fence import fenced
from ascend_sim.source.lines import lines_of

__all__ = [
    "LOOK_UP", "argument_at", "frames", "is_internal", "lines", "look_up", "only_hands_on", "variable_at",
    "without_columns", "without_lines",
]  # fmt: skip

_SYSTEM = r"/lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|ascendcl)[-.]|/ld-"
"""Files whose frames are no part of the program."""
_HEADERS = ("/usr/include/", "/usr/lib/", "/usr/local/include/", "/opt/")
"""Sources of libraries: what was compiled from there into the program is not what its author wrote."""
_LIBCXX = ("/c++/v1/", "/libcxx/include/", "/libcxx/src/")
"""Parts of the paths of those of libc++, which may lie anywhere."""
_LIMITED = ("sh", "-c", 'ulimit -t 30; exec "$0" "$@"')
"""Runs what follows, for thirty seconds of the processor at most: the debug information is a file like others."""
_LINED: dict[str, bool] = {}
"""Whether a file has said the line of any place."""
_MAPPED: dict[int, tuple[str, int, int] | None] = {}
"""What `_mapped` says: the system's list of what is mapped is read once for all addresses that are new."""
_FOUND: dict[int, tuple[Frame, ...]] = {}
_HIDDEN: dict[int, tuple[str, str]] = {}
"""For each address whose innermost function may have another name than `_FOUND` says: the file, and the place in it."""
_LEVELS: dict[int, tuple[int, ...]] = {}
"""For each frame of an address, how many functions further in were compiled into its own there."""
_HANDING: dict[int, int] = {}
"""For each address that calls a function which hands on, how many functions there, innermost first, do so, too."""
_COLUMNS: dict[int, tuple[int, ...]] = {}
"""For each address, its columns in bytes from 1 (0: not known): its own, then those of the calls further out."""
_UNTOLD: list[tuple[str, int]] = []
"""File and line of the first place whose column was asked for, where no library reads columns."""


def is_internal(address: int) -> bool:
    """Whether *address* is in a library of the system, or in what starts a program."""
    mapped = _mapped(address)
    if mapped is None or re.search(_SYSTEM, mapped[0]):
        return True
    frame = lines(address)[0]
    return _of_library(frame.file) or frame.function == "_start"


def frames(address: int) -> tuple[Frame, ...]:
    """The place before *address*, innermost first: with the functions that were compiled into the one that is there."""
    places = _places(address)
    first = _shown(address)
    inner, *outer = places[first if first < len(places) else 0 :]
    return (
        _marked(inner, "" if 0 < first < len(places) else CALLED.get(address, "")),
        *(_marked(place) for place in outer),
    )


def lines(address: int) -> tuple[Frame, ...]:
    """As `frames`, with functions that only hand a call on, and without columns and full names: reading these takes time."""
    if address not in _FOUND:
        _look_up(address)
    return _FOUND[address]


def variable_at(addresses: Sequence[int]) -> str | None:
    """The variable that the result of the call at the first of *addresses* goes to; the others are those of its callers."""
    places = [place for address in addresses for place in _places(address)]
    return variable(places, _line, CALLED.get(addresses[0], ""))


def argument_at(addresses: Sequence[int], parameter: str) -> str | None:
    """The variable that the call at the first of *addresses* has for *parameter*, as the last of them calls it.

    They are those of its callers, too, as far out as that of the place that a report shows.
    """
    places = [place for address in addresses for place in _places(address)]
    further = len(_places(addresses[-1])) - 1 - _shown(addresses[-1])
    return argument(places[: len(places) - max(further, 0)], _line, parameter, CALLED.get(addresses[0], ""))


def only_hands_on(address: int, called_at: int | None) -> bool:
    """Whether all functions at *address* only hand a call on; *called_at*: the place that they call, None: the API."""
    if called_at is None:
        return bool(CALLED.get(address)) and _handing_on(address) == len(_places(address))
    inner = _places(called_at)[-1]
    for n, place in enumerate(_places(address)):
        if not hands_on(place, _line, inner.parts[-1]):
            _HANDING[address] = n
            return False
        inner = place
    return True


def _shown(address: int) -> int:
    """Which of the functions at *address*, innermost first, a report shows: those before it only hand a call on."""
    return _handing_on(address) or _HANDING.get(address, 0)


def _of_library(file: str) -> bool:
    return file.startswith(_HEADERS) or any(part in file for part in _LIBCXX)


@cache
def _handing_on(address: int) -> int:
    """How many functions at *address*, innermost first, only hand on the call that is made there.

    Those further out had them compiled into themselves.
    """
    inner = CALLED.get(address, "")
    for n, place in enumerate(_places(address) if inner else ()):
        if not hands_on(place, _line, inner):
            return n
        inner = place.parts[-1]
    return len(_places(address)) if inner else 0


@fenced(lambda file, line: "")
def _line(file: str, line: int) -> str:
    """The text of a source line with its end; empty when the source is not there."""
    lines = lines_of(file)
    return lines[line - 1] if 0 < line <= len(lines) else ""


def _places(address: int) -> list[Place]:
    """The lines of its frames, innermost first."""
    found = _frames(address)
    levels = _LEVELS.get(address, range(len(found)))
    return [
        Place(frame.file, frame.line, frame.function, partial(_column, address, level, frame.file, frame.line))
        for frame, level in zip(found, levels, strict=True)
    ]


def _mapped(address: int) -> tuple[str, int, int] | None:
    """The file that is mapped at *address*, where it begins in memory, and the offset in the file there."""
    if address not in _MAPPED:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            rows = [line.split(None, 5) for line in maps]
        lows = [int(row[0].partition("-")[0], 16) for row in rows]
        for a in (address, *(a for a in KNOWN if a not in _MAPPED)):
            at = bisect_right(lows, a) - 1
            inside = at >= 0 and a < int(rows[at][0].partition("-")[2], 16)
            path = rows[at][5].strip() if inside and len(rows[at]) == 6 else ""
            _MAPPED[a] = (path, lows[at], int(rows[at][2], 16)) if path.startswith("/") else None
    return _MAPPED[address]


def _frames(address: int) -> tuple[Frame, ...]:
    """As `frames`, without columns."""
    found = lines(address)
    if address in _HIDDEN:
        _name_hidden(_HIDDEN[address][0])
        found = _FOUND[address]
    return found


def _marked(place: Place, called: str = "") -> Frame:
    """The frame at *place* with the columns of the call that is made there: of the function *called*, if it is known."""
    text = source_line(place.file, place.line) if place.line else ""
    columns = marked(text, called, place.column if called else unknown)
    return Frame(place.file, place.line, place.function, *(columns or (None, None)))


def _look_up(address: int) -> None:
    """Find *address*, and with it all that are known of the same file: starting the tool is what takes time."""
    file = _same_file(address, _FOUND)
    if file is None:
        _FOUND[address] = (Frame(f"{address:#x}", 0, "?"),)
        return
    path, wanted, places = file
    said = LOOK_UP[0]("symbols", path, places).splitlines()
    starts = [i for i, line in enumerate(said) if line.startswith("0x")] + [len(said)]
    for i, a in enumerate(wanted):
        pairs = said[starts[i] + 1 : starts[i + 1]] if i + 1 < len(starts) else []
        found = [_frame(path, places[i], *pair) for pair in zip(pairs[::2], pairs[1::2], strict=False)]
        levels = [n for n, frame in enumerate(found) if not _of_library(frame.file)] or list(range(len(found)))
        _LEVELS[a] = tuple(levels) or (0,)
        if _is_hidden(pairs) and 0 in levels:
            _HIDDEN[a] = path, places[i]
        _FOUND[a] = tuple(found[n] for n in levels) or (_frame(path, places[i], "??", "??:0"),)
        inner = _FOUND[a][0]
        if said and not inner.function.startswith("_"):  # the tool is there; what starts a program never has lines
            _LINED[path] = _LINED.get(path, False) or bool(inner.line)


def _is_hidden(pairs: Sequence[str]) -> bool:
    """Whether the innermost of several functions may be one that no other file can see.

    The tool has no full name of those: it takes that of the symbol, which is the function that this one was compiled into,
    or, when it was asked before, the name alone.
    """
    if len(pairs) < 4:  # function and line, of each
        return False
    return pairs[0] == pairs[-2] or "(" not in pairs[0].replace("operator()", "")


def _name_hidden(path: str) -> None:
    """Give the functions of the file *path* that are in `_HIDDEN` their names, where its debug information can be read."""
    places = {a: place for a, (file, place) in _HIDDEN.items() if file == path}
    said = LOOK_UP[0]("columns", path, tuple(places.values())).splitlines()
    for a, text in zip(places, said, strict=False):
        _keep_columns(a, text)
        name = function_name(text.partition("\t")[2])
        inner, *outer = _FOUND[a]
        _FOUND[a] = (Frame(inner.file, inner.line, name or inner.function), *outer)
    for a in places:
        del _HIDDEN[a]


def _keep_columns(address: int, text: str) -> None:
    _COLUMNS[address] = tuple(int(word) for word in text.partition("\t")[0].split())


def _same_file(address: int, known: Container[int]) -> tuple[str, list[int], tuple[str, ...]] | None:
    """The file of *address*, all addresses of it that are not *known* yet, and where these calls stand in the file."""
    mapped = _mapped(address)
    if mapped is None:
        return None
    path, low, offset = mapped
    shift = low - offset if _moves(path) else 0
    wanted = [a for a in KNOWN if a not in known and (_mapped(a) or ("",))[0] == path] or [address]
    return path, wanted, tuple(f"{a - 1 - shift:#x}" for a in wanted)


def _column(address: int, level: int, path: str, line: int) -> int | None:
    """The character, from 0, at which the call stands in its line, a place of *address*; None: nobody knows."""
    if address not in _COLUMNS:
        file = _same_file(address, _COLUMNS)
        said = LOOK_UP[0]("columns", file[0], file[2]).splitlines() if file is not None and line else []
        for a, text in zip(file[1] if file is not None else (), said, strict=False):
            _keep_columns(a, text)
        _COLUMNS.setdefault(address, ())
        if not said and line and not _UNTOLD and _reader() is None:
            _UNTOLD.append((path, line))
    columns = _COLUMNS[address]
    if level >= len(columns) or not columns[level]:
        return None
    return len(source_line(path, line).encode()[: columns[level] - 1].decode(errors="replace"))


def without_columns() -> tuple[str, int] | None:
    """The file and line of a place with several calls, of which nobody could tell which one it was."""
    return _UNTOLD[0] if _UNTOLD else None


def without_lines() -> str | None:
    """A file of the program that a report was about, and that has no lines: it was compiled without ``-g``."""
    return next((path for path, lined in _LINED.items() if not lined and not re.search(_SYSTEM, path)), None)


@cache
def look_up(question: str, path: str, places: tuple[str, ...]) -> str:
    """What a tool says of *places* in the file *path*: "symbols" or "columns". Empty without the tool."""
    words = [*_LIMITED, "addr2line", "-a", "-i", "-f", "-C", "-e", path, *places]
    if question == "columns":
        folder = _reader()
        if folder is None or not os.path.basename(sys.executable).startswith("python"):
            return ""  # a C program that brings Python along may have given its own name for it
        script = os.path.join(PACKAGE, "native", "places", "columns.py")
        words = [*_LIMITED, sys.executable, "-I", "-S", script, folder, path, *places]
    group = DeterministicThreads.installed
    controller = group.controller if group is not None else None
    caller = group.here.os_thread if group is not None else None
    exempt = caller is not None and caller.exempt
    if group is not None:
        group.controller = None  # the locks of subprocess are no step of the program
    if caller is not None:
        caller.exempt = True  # it is not the program that waits for the tool
    try:
        import subprocess

        # No time-out: with one, subprocess sleeps and reads clocks, which in this process are the program's, virtual.
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    except (OSError, ImportError):
        return ""
    finally:
        if caller is not None:
            caller.exempt = exempt
        if group is not None:
            group.controller = controller
    return done.stdout


def _reader() -> str | None:
    """The folder of the library that reads columns; None: it is not there."""
    found = spec_for_us("elftools")
    return os.path.dirname(os.path.dirname(found.origin)) if found is not None and found.origin else None


LOOK_UP: list[Callable[[str, str, tuple[str, ...]], str]] = [look_up]
"""Who asks the tools: where many processes are one program, one for all."""


def _frame(path: str, place: str, function: str, where: str) -> Frame:
    """What the tool says of *place* in the file *path*."""
    file, _, line = where.partition(" ")[0].rpartition(":")
    function = function_name(function) or "?"
    if not file or file.startswith("?") or not line.isdecimal():
        return Frame(path, 0, function if function != "??" else f"{os.path.basename(path)}+{place}")
    return Frame(os.path.normpath(file), int(line), function)


@cache
def _moves(path: str) -> bool:
    """Whether the file is loaded anywhere (a library, or a position independent program)."""
    with open(path, "rb") as file:
        return file.read(18)[16:17] == b"\3"
