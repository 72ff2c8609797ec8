"""The frames that a report shows of a call: those of the program, without functions that only hand the call on."""

from __future__ import annotations

import os
from collections.abc import Iterable
from types import CodeType

from ascend_sim.source.callsite import Frame, Point, by_identity, native_place, own_code, resolve
from ascend_sim.source.fence import fenced

__all__ = ["frames_of", "program_points"]

_STANDARD_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def _outside(points: Iterable[Point]) -> list[Point]:
    """*points* without those inside the simulator, the standard library and installed packages.

    When nothing but installed packages remains (a program that was itself installed), those are kept.
    """
    outside = [point for point in points if not _internal(point[0])]
    own = [point for point in outside if not any(part in point[0].co_filename for part in _INSTALLED)]
    return own or outside


@fenced(lambda points: (*points,))
@by_identity
def program_points(points: Iterable[Point]) -> tuple[Point, ...]:
    """*points* that belong to the program, without those in functions that only hand a call on."""
    own = _outside(points)
    if len(own) < 2:
        return tuple(own)
    from ascend_sim.source.wrappers import outside_wrappers  # parses the program: only a report with callers does

    return outside_wrappers(own)


@by_identity
def _frames(points: Iterable[Point]) -> tuple[Frame, ...]:
    return tuple(resolve(code, lasti) for code, lasti in program_points(points))


@by_identity
def _with_wrappers(points: Iterable[Point]) -> tuple[Frame, ...]:
    return tuple(resolve(code, lasti) for code, lasti in _outside(points))


@fenced(lambda points, wrappers=False: tuple(resolve(*point) for point in points if not own_code(point[0].co_filename)))
def frames_of(points: Iterable[Point], wrappers: bool = False) -> tuple[Frame, ...]:
    """The places of `program_points`; with *wrappers* those of the functions that only hand a call on, too."""
    return _with_wrappers(points) if wrappers else _frames(points)


def _internal(code: CodeType) -> bool:
    file = code.co_filename
    place = native_place(code)
    if place is not None:
        return place.internal
    if own_code(file) or file.startswith("<frozen "):
        return True
    return file.startswith(_STANDARD_LIBRARY) and not any(part in file for part in _INSTALLED)
