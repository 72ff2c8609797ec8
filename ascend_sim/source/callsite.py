"""Where a call stands in the user's source: from ``(f_code, f_lasti)`` to file, line, columns and names.

A call keeps only the pair ``(f_code, f_lasti)`` (0.055 µs); everything in this module runs later, when a
report is written.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, wraps
from types import CodeType, FrameType
from typing import NamedTuple, TypeVar

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.source.fence import fenced
from ascend_sim.source.lines import lines_of
from ascend_sim.untrusted.long_names import LONGEST_PATH, shortened

if sys.version_info < (3, 11):  # no report does without: later a program may have no file left to open
    from ascend_sim.source.python_310 import columns_by_count, qualified_name

__all__ = [
    "BY_C", "BY_PYACL", "BY_TORCH", "CO_GENERATOR", "NATIVE_FILE", "SKIP_FRAMES", "Activation", "CallSite", "Frame",
    "NativePlace", "Point", "by_identity", "columns_of", "face_of", "in_call", "line_number", "native_place", "own_code",
    "points", "points_of", "relative_path", "resolve", "shown_path", "source_line", "stack_of", "working_folder",
]  # fmt: skip

T = TypeVar("T")

Point = tuple[CodeType, int]
"""A code object and the offset of the instruction in it: ``frame.f_code, frame.f_lasti``."""

CallSite = Point | tuple[Point, ...] | None
"""What is kept of the place of a call: its point, with checks those of its callers, too (innermost first), or nothing."""

BY_C: Point = (compile("", "<ascendcl>", "exec"), 0)
BY_PYACL: Point = (compile("", "<pyacl>", "exec"), 0)
BY_TORCH: Point = (compile("", "<torch>", "exec"), 0)
"""The last point of a stack says by which face the call came: reports use its words."""

SKIP_FRAMES = "ASCEND_SIM_SKIP_FRAMES"
"""The variable with patterns of functions that only hand a call on (`wrappers`), one a line."""

_OWN = (PACKAGE + os.sep, "<ascendcl>", "<pyacl>", "<torch>")
"""Where the simulator's code is: the package, and the file names of the faces' generated functions."""


class Frame(NamedTuple):
    """One place in the source. *line* counts from 1; *col* and *end_col* are characters from 0, None when unknown."""

    file: str
    line: int
    function: str
    col: int | None = None
    end_col: int | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "file": self.file,
            "line": self.line,
            "col": self.col,
            "end_col": self.end_col,
            "function": self.function,
        }


NATIVE_FILE = "<native>"
"""The file of code objects that stand for places of C and C++ programs."""


class NativePlace:
    """A place in native code; the code object that stands for it has it as its last constant."""

    __slots__ = ()

    @property
    def internal(self) -> bool:
        """Whether it belongs to a library of the system, not to the program."""
        return False

    def frame(self) -> Frame:
        """What a report shows."""
        raise NotImplementedError

    def outer_frames(self) -> tuple[Frame, ...]:
        """The functions, innermost first, into which the one of `frame` was compiled."""
        return ()

    def lines(self) -> tuple[Frame, ...]:
        """Files and lines of `frame` and `outer_frames`; names of functions may be those of others."""
        return (self.frame(), *self.outer_frames())

    def variable(self, callers: Sequence[NativePlace] = ()) -> str | None:
        """The variable that the result of the call here goes to, as the outermost of *callers* calls it that has a name."""
        return None

    def argument(self, parameter: str, callers: Sequence[NativePlace] = ()) -> str | None:
        """The variable that the call of the API here has for *parameter*, as the outermost of *callers* calls it.

        None: it is something else there, or it is not known.
        """
        return None

    def only_hands_on(self, called_at: NativePlace | None) -> bool:
        """Whether the function here only hands a call on: to the API, or to the function at *called_at*."""
        return False


def native_place(code: CodeType) -> NativePlace | None:
    """What *code* stands for; None for Python code."""
    place = code.co_consts[-1] if code.co_filename == NATIVE_FILE else None
    return place if isinstance(place, NativePlace) else None


@fenced(lambda path: path)
def shown_path(path: str) -> str:
    """*path* for texts: relative to the working directory when it is below it."""
    path = shortened(path, LONGEST_PATH)
    relative = relative_path(path)
    return path if relative.startswith(os.pardir) else relative


def working_folder() -> str:
    """The working directory; the root when it is gone: a program may have removed it, or a shell before us."""
    try:
        return os.getcwd()
    except OSError:
        return os.sep


def relative_path(path: str) -> str:
    """An absolute *path* as seen from the working directory; as it is where that cannot be said."""
    if not os.path.isabs(path):
        return path
    try:
        return os.path.relpath(path)
    except (ValueError, OSError):  # another drive; the working directory is gone
        return path


def points(site: object) -> tuple[Point, ...]:
    """The points of a call site, innermost first; a site is one point, several, or None."""
    if not site:
        return ()
    if type(site) is tuple:
        return (site,) if type(site[0]) is CodeType else site
    return tuple(site)  # type: ignore[arg-type]


@fenced(lambda frame, limit=6: ())
def points_of(frame: FrameType | None, limit: int = 6) -> tuple[Point, ...]:
    """The points of *frame* and its callers, innermost first, at most *limit* outside the simulator."""
    points: list[Point] = []
    face = None
    while frame is not None and len(points) < limit:
        if not own_code(frame.f_code.co_filename):
            points.append((frame.f_code, frame.f_lasti))
        elif not points:
            face = _FACES.get(frame.f_code.co_filename, face)
        frame = frame.f_back
    return (*points, face) if face is not None and points else tuple(points)


@fenced(lambda frame: False)
def in_call(frame: FrameType | None) -> bool:
    """Whether innermost *frame* stands in a function of the API."""
    while frame is not None:
        if frame.f_code.co_filename in _FACES:
            return True
        frame = frame.f_back
    return False


_FACES = {point[0].co_filename: point for point in (BY_C, BY_PYACL, BY_TORCH)}


def face_of(points: Iterable[Point]) -> Point | None:
    """`BY_C`, `BY_PYACL` or `BY_TORCH`; None for a place that was kept without its callers."""
    return next((point for point in points if point is BY_C or point is BY_PYACL or point is BY_TORCH), None)


class Activation(dict[int, tuple[Point, ...]]):
    """The stacks of the calls that a function makes which was called from one place, by the places of the calls.

    Whoever called the function cannot go on before it returns: one look at the callers does for all of its calls, also
    when it is called from there again. A call by pyACL has the complement of its place: the face is the last of a stack.
    It is kept in the frame, as `f_trace`, which nobody reads while nothing is traced, and ends with it. A debugger that
    comes later puts its own function in the place, or calls this one, which does nothing.
    """

    __slots__ = ()

    def __call__(self, frame: FrameType, event: str, argument: object) -> Activation:
        """What a trace function does that sees nothing."""
        return self


CO_GENERATOR = 0x20
_RESUMED = CO_GENERATOR | 0x80 | 0x200  # coroutines, asynchronous generators: as in inspect, which takes long to load
"""Functions that stop and go on: for another caller, perhaps."""


@fenced(lambda frame, known, floor=None, face=BY_C: ((frame.f_code, frame.f_lasti), face))
def stack_of(
    frame: FrameType, known: dict[int, Activation], floor: CodeType | None = None, face: Point = BY_C
) -> tuple[Point, ...]:
    """*frame* and its five callers, as they are, and *face*: for a call while checks are on that its `Activation` lacks.

    *floor*: the function that runs the program; neither it nor its callers belong to the program. *known* has the
    stacks that were met: a call in a loop makes no new objects then, and the garbage collector looks at each of them.
    """
    code, lasti, back, own = frame.f_code, frame.f_lasti, frame.f_back, frame.f_trace
    key = id(code) + lasti + (0 if back is None else back.f_lasti << 20)
    place = lasti if face is BY_C else ~lasti
    met = known.get(key)
    stack = met.get(place) if met is not None else None
    if met is None or stack is None or not _stands(stack, frame, floor):
        stack = _stack(frame, floor, face)
        if len(known) > MOST_STACKS:
            known.clear()
        met = known[key] = own if type(own) is Activation else Activation()
        met[place] = stack
    if type(own) is Activation:
        own[place] = stack
    elif own is None and not code.co_flags & _RESUMED and sys.gettrace() is None:
        frame.f_trace = met
    return stack


def _stands(stack: tuple[Point, ...], frame: FrameType, floor: CodeType | None) -> bool:
    """Whether *stack*, of a call by the same face, is that of *frame*."""
    at: FrameType | None = frame
    for code, lasti in stack:
        if at is None or at.f_code is not code or at.f_lasti != lasti:
            return code is stack[-1][0] and (at is None or len(stack) > KEPT_FRAMES or at.f_code is floor)
        at = at.f_back
    return False


def _stack(frame: FrameType, floor: CodeType | None, face: Point) -> tuple[Point, ...]:
    points = [(frame.f_code, frame.f_lasti)]
    back = frame.f_back
    while back is not None and back.f_code is not floor and len(points) < KEPT_FRAMES:
        points.append((back.f_code, back.f_lasti))
        back = back.f_back
    return (*points, face)


MOST_STACKS = 4096
KEPT_FRAMES = 6


def _plainly(code: CodeType, lasti: int) -> Frame:
    """The place without columns and classes, asked of nobody else."""
    lines = [line for start, end, line in code.co_lines() if start <= lasti < end and line is not None]
    return Frame(code.co_filename, lines[0] if lines else code.co_firstlineno, code.co_name)


@fenced(_plainly)
def resolve(code: CodeType, lasti: int) -> Frame:
    """The place of an instruction, with the columns of what is called there, where they are known."""
    return _resolve(code, lasti, code.co_filename)


# A program that is run again and again reports the same places. Code objects are equal when their instructions are,
# whatever file they come from: so the file is part of the key, here and below.
@lru_cache(maxsize=4096)
def _resolve(code: CodeType, lasti: int, file: str) -> Frame:
    place = native_place(code)
    if place is not None:
        return place.frame()
    if sys.version_info < (3, 11):
        function = qualified_name(code)
    else:
        function = code.co_qualname.replace("<locals>.", "")
    file, function = shortened(file, LONGEST_PATH), shortened(function)
    positions = columns_of(code, lasti)
    if positions is not None:
        line, end_line, start, end = positions
        return Frame(file, line, function, *_callee(file, line, end_line, start, end))
    return Frame(file, line_number(code, lasti), function)


def by_identity(function: Callable[[Iterable[Point]], T]) -> Callable[[Iterable[Point]], T]:
    """Keeps what *function* says of the points of a site, by the identity of the tuple: code objects are slow to hash,
    and a report asks for the same places many times."""
    known: dict[int, tuple[tuple[Point, ...], T]] = {}

    @wraps(function)
    def look_up(points: Iterable[Point]) -> T:
        if type(points) is not tuple:
            return function(points)
        found = known.get(id(points))
        if found is not None:
            return found[1]
        answer = function(points)
        if len(known) >= MOST_STACKS:
            known.clear()
        known[id(points)] = points, answer
        return answer

    return look_up


@fenced(lambda file, line: "")
def source_line(file: str, line: int) -> str:
    """The text of a source line without its line end; empty when the source is not there."""
    lines = lines_of(file)
    return lines[line - 1].rstrip("\r\n") if 0 < line <= len(lines) else ""


def own_code(file: str) -> bool:
    """Whether *file* (of a code object) belongs to the simulator."""
    return file.startswith(_OWN)


def line_number(code: CodeType, lasti: int) -> int:
    """The line of an instruction."""
    for start, end, line in code.co_lines():
        if start <= lasti < end and line is not None:
            return line
    return code.co_firstlineno


def columns_of(code: CodeType, lasti: int) -> tuple[int, int, int, int] | None:
    """(line, end line, start column, end column), the columns in bytes of UTF-8; None when the code has none."""
    if sys.version_info < (3, 11):
        return columns_by_count(code).get(lasti)
    from itertools import islice

    entry = next(islice(code.co_positions(), lasti // 2, None), None)
    if entry is None:
        return None
    line, end_line, start, end = entry
    if line is None or end_line is None or start is None or end is None:  # python -X no_debug_ranges
        return None
    return line, end_line, start, end


def _callee(file: str, line: int, end_line: int, start: int, end: int) -> tuple[int | None, int | None]:
    """The columns, in characters, of what is called: from the start of the expression up to the ``(`` of the call."""
    raw = source_line(file, line).encode()
    if not raw:
        return None, None
    if end_line != line:
        end = len(raw)
    left = len(raw[:start].decode(errors="replace"))
    text = raw[start:end].decode(errors="replace").rstrip()
    width = len(text)
    if end_line == line and text.endswith(")"):
        depth = 0
        for i in range(len(text) - 1, -1, -1):
            depth += (text[i] == ")") - (text[i] == "(")
            if depth == 0:
                width = i
                break
    elif "(" in text:
        width = text.index("(")
    return left, left + (width or len(text))
