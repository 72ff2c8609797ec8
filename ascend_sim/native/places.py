"""Places of a native program: return addresses, and what a report says of them.

Each address has one code object, which stands for it wherever the simulator keeps a call site. Nothing is looked up
before a report is written: then the symbols of the file, and its debug information where there is some.
"""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache
from types import CodeType

from ascend_sim.source.callsite import BY_C, NATIVE_FILE, CallSite, Frame, NativePlace, source_line

__all__ = ["Address", "code_of", "site"]

_SYSTEM = re.compile(r"/lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|ascendcl)[-.]|/ld-")
"""Files whose frames are no part of the program."""
_TEMPLATE = compile("None", NATIVE_FILE, "eval")


class Address(NativePlace):
    """A return address."""

    __slots__ = ("address",)

    def __init__(self, address: int) -> None:
        self.address = address

    @property
    def internal(self) -> bool:
        mapped = _mapped(self.address)
        return mapped is None or bool(_SYSTEM.search(mapped[0]))

    def frame(self) -> Frame:
        return _frame(self.address)

    def variable(self) -> str | None:
        frame = _frame(self.address)
        text = source_line(frame.file, frame.line)
        found = re.search(
            r"acl\w+\(\s*(?:\([\w\s:*]+\)|reinterpret_cast<[^>]*>\(|static_cast<[^>]*>\()?\s*&\s*([\w.\->\[\]]+)", text
        )
        return found[1] if found else None


@cache
def code_of(address: int) -> CodeType:
    """The code object that stands for the place before *address*."""
    return _TEMPLATE.replace(co_name=f"c_{address:x}", co_consts=(None, Address(address)))


def site(address: int) -> CallSite:
    """The call site of the C function that returns to *address*."""
    return ((code_of(address), 0), BY_C)


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


@cache
def _frame(address: int) -> Frame:
    mapped = _mapped(address)
    if mapped is None:
        return Frame(f"{address:#x}", 0, "?")
    path, low, offset = mapped
    place = address - 1 - (low - offset) if _moves(path) else address - 1
    try:
        done = subprocess.run(
            ["addr2line", "-e", path, "-f", "-C", f"{place:#x}"],
            capture_output=True,
            text=True,
            check=False,
            timeout=10,
        )
        function, _, where = done.stdout.strip().partition("\n")
    except (OSError, subprocess.TimeoutExpired):
        function, where = "", ""
    file, _, line = where.partition(" ")[0].rpartition(":")
    function = re.sub(r"\(.*", "", function.replace("(anonymous namespace)::", "")) or "?"
    if not file or file.startswith("?") or not line.isdecimal():
        return Frame(path, 0, function if function != "??" else f"{os.path.basename(path)}+{place:#x}")
    path, number = os.path.normpath(file), int(line)
    found = re.search(r"\bacl\w+(?=\s*\()", source_line(path, number))
    return Frame(path, number, function, *((found.start(), found.end()) if found else (None, None)))


@cache
def _moves(path: str) -> bool:
    """Whether the file is loaded anywhere (a library, or a position independent program)."""
    with open(path, "rb") as file:
        return file.read(18)[16:17] == b"\3"
