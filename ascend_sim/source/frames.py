"""The frames that a report shows of a call: those of the program, without functions that only hand the call on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import cache, lru_cache
from types import CodeType

from ascend_sim.source.callsite import (
    CO_GENERATOR,
    NATIVE_FILE,
    Frame,
    Point,
    by_identity,
    native_place,
    own_code,
    resolve,
)
from ascend_sim.source.fence import fenced

__all__ = [
    "frames_of",
    "inside_library",
    "installed",
    "internal",
    "internal_file",
    "made_in_generator",
    "maker",
    "of_libraries",
    "outside",
    "program_points",
    "same_scope",
]

_STANDARD_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def outside(points: Iterable[Point]) -> list[Point]:
    """*points* without those inside the simulator, the standard library and installed packages.

    When nothing but installed packages remains (a program that was itself installed), those are kept.
    """
    found = [point for point in points if not internal(point[0])]
    own = [point for point in found if not installed(point[0].co_filename)]
    return own or found


@fenced(lambda points: (*points,))
@by_identity
def program_points(points: Iterable[Point]) -> tuple[Point, ...]:
    """*points* that belong to the program, without those in functions that only hand a call on."""
    own = outside(points)
    if len(own) < 2:
        return tuple(own)
    from ascend_sim.source.wrappers import outside_wrappers  # parses the program: only a report with callers does

    return outside_wrappers(own)


@by_identity
def _frames(points: Iterable[Point]) -> tuple[Frame, ...]:
    return _resolved(program_points(points))


@by_identity
def _with_wrappers(points: Iterable[Point]) -> tuple[Frame, ...]:
    return _resolved(outside(points))


def _resolved(points: Iterable[Point]) -> tuple[Frame, ...]:
    frames: list[Frame] = []
    for code, lasti in points:
        frames.append(resolve(code, lasti))
        place = native_place(code)
        if place is not None:
            frames += place.outer_frames()
    return tuple(frames)


@fenced(lambda points, wrappers=False: tuple(resolve(*point) for point in points if not own_code(point[0].co_filename)))
def frames_of(points: Iterable[Point], wrappers: bool = False) -> tuple[Frame, ...]:
    """The places of `program_points`; with *wrappers* those of the functions that only hand a call on, too."""
    return _with_wrappers(points) if wrappers else _frames(points)


def internal(code: CodeType) -> bool:
    """Whether *code* is the simulator's or the standard library's, or that of a C library that is none of the program's."""
    if code.co_filename != NATIVE_FILE:
        return internal_file(code.co_filename)
    place = native_place(code)
    return place is not None and place.internal


@lru_cache(maxsize=4096)  # a report asks for every frame of a stack, several times
def internal_file(file: str) -> bool:
    """Whether *file* is the simulator's or the standard library's."""
    if own_code(file) or file.startswith("<frozen "):
        return True
    return file.startswith(_STANDARD_LIBRARY) and not installed(file)


def installed(file: str) -> bool:
    """Whether *file* belongs to an installed package."""
    return _in_packages(
        file, tuple([entry for entry in sys.path if isinstance(entry, str)])
    )  # programs put anything there


@lru_cache(maxsize=4096)
def _in_packages(file: str, folders: tuple[str, ...]) -> bool:
    """Whether *file* lies among installed packages, when *folders* are those of ``sys.path``."""
    if any(part in file for part in _INSTALLED):
        return True
    return any(folder and file.startswith(folder + os.sep) and _holds_packages(folder) for folder in folders)


@cache
def _holds_packages(folder: str) -> bool:
    """Whether packages were installed into *folder*, as ``pip install --target`` does: their descriptions lie there."""
    try:
        return any(name.endswith(".dist-info") for name in os.listdir(folder))
    except OSError:
        return False


def inside_library(points: Iterable[Point]) -> bool:
    """Whether an installed package made the call for the program."""
    own = outside(points)
    innermost = next((point for point in points if not internal(point[0])), None)
    return bool(own) and innermost is not None and innermost is not own[0]


def of_libraries(points: Iterable[Point]) -> bool:
    """Whether no line of the program is among *points*: a library's own thread or exit handler made the call."""
    return all(internal(code) or installed(code.co_filename) for code, _ in points)


def made_in_generator(points: Iterable[Point]) -> bool:
    """Whether a generator made the call: what it yields, to a ``with`` or a ``for``, has a name there."""
    own = program_points(points)
    return bool(own) and bool(own[0][0].co_flags & CO_GENERATOR) and not own[0][0].co_name.startswith("<")


def maker(points: Iterable[Point]) -> str:
    """The function of the program at *points*; empty when that is the module itself, or nothing."""
    own = program_points(points)
    named = (point for point in own if not point[0].co_name.startswith("<"))
    return next((resolve(*point).function for point in named), "")


def same_scope(one: Iterable[Point], other: Iterable[Point]) -> bool:
    """Whether variables at *one* mean something at *other*: the same function, or the module of both."""
    first, second = program_points(one), program_points(other)
    if not first or not second:
        return False
    here, there = first[0][0], second[0][0]
    one_native, other_native = native_place(here), native_place(there)
    if one_native is not None and other_native is not None:  # of C there is one code object an address
        one_frame, other_frame = one_native.frame(), other_native.frame()
        return (one_frame.file, one_frame.function) == (other_frame.file, other_frame.function)
    return here is there or (here.co_name == "<module>" and here.co_filename == there.co_filename)
