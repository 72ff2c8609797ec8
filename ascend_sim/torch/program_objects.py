"""What a torch program's variables hold: tensors by the memory that they have, streams and events, with expressions to type.

Looked at when a report is written, in the frames that are alive then. Nothing is kept but numbers and texts: a reference
would keep a tensor's memory from the allocator, and hide the fault that is looked for.
"""

from __future__ import annotations

import ast
import dis
import os
import re
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FrameType
from typing import Any

from ascend_sim.findings.vocabulary import Part
from ascend_sim.runtime.threads import wait_graph
from ascend_sim.source.callsite import Point, columns_of, line_number
from ascend_sim.source.frames import internal, program_points
from ascend_sim.source.holders import locals_of, parts_of, program_frames
from ascend_sim.source.syntax import function_of, holds, nodes_at

__all__ = [
    "GONE", "ProgramObjects", "asked_priority", "moment", "place_of", "read_names", "set_variables",
    "used_tensors",
]  # fmt: skip

MOST_LOOKED_AT = 5000
DEPTH = 4
_INNER = re.compile(r"\._(?:parameters|buffers|modules)\[('[^']*')\]")
_PLACE = tuple[int, int]


class ProgramObjects:
    """The tensors, streams and events that variables hold at this moment."""

    def __init__(self) -> None:
        self.tensors: dict[_PLACE, str] = {}
        """(address of the storage, its bytes) -> the shortest expression that was found first."""
        self.streams: dict[tuple[int, int], str] = {}
        """(device, id of the stream) -> expression."""
        self.events: dict[int, str] = {}
        """Handle -> expression."""
        self._torch = sys.modules.get("torch")
        self._has_gradients = not _drops_a_gradient()
        if self._torch is not None:
            modules: dict[str, FrameType] = {}
            for frame in _frames():
                if frame.f_code.co_name != "<module>":
                    self._look_into(locals_of(frame))
                modules.setdefault(frame.f_code.co_filename, frame)
            for frame in modules.values():
                self._look_into(frame.f_globals)

    def tensor(self, lo: int, hi: int) -> Part | None:
        """The tensor whose memory has the addresses [lo, hi): of several the smallest."""
        fitting = [place for place in self.tensors if place[0] <= lo and hi <= place[0] + place[1]]
        best = min(fitting, key=lambda place: place[1], default=None)
        return Part(f"`{self.tensors[best]}`", best[0], best[1]) if best is not None else None

    def _look_into(self, names: Mapping[str, Any]) -> None:
        todo: deque[tuple[str, Any, int]] = deque(
            (name, found, 0) for name, found in list(names.items()) if name.isidentifier() and not name.startswith("__")
        )
        seen: set[int] = set()
        looked = 0
        while todo and looked < MOST_LOOKED_AT:
            text, thing, depth = todo.popleft()
            looked += 1
            if id(thing) in seen or self._note(text, thing):
                continue
            seen.add(id(thing))
            if self._is(thing, "nn", "Module"):
                inner = 0  # as deep as the modules go
            elif depth < DEPTH:
                inner = depth + 1
            else:
                continue
            for part, found in parts_of(thing):
                todo.append((_plain(text + part), found, inner))

    def _note(self, text: str, thing: Any) -> bool:
        """Keep what *thing* is known by, if it is one of those that are looked for."""
        if self._is(thing, "Tensor"):
            place = place_of(thing)
            if place is not None:
                self.tensors.setdefault(place, text)
            gradient = thing.grad if self._has_gradients and thing.is_leaf else None
            if gradient is not None and (place := place_of(gradient)) is not None:
                self.tensors.setdefault(place, f"{text}.grad")
            return True
        kind = type(thing)
        if kind.__module__ == "torch_npu.npu.streams":
            if self._is(thing, "Stream"):
                self.streams.setdefault((thing.device_index, thing.stream_id), text)
            elif self._is(thing, "Event"):
                self.events.setdefault(thing.npu_event, text)
            return True
        return False

    def _is(self, thing: Any, *names: str) -> bool:
        kind: Any = self._torch
        for name in names:
            kind = getattr(kind, name, None)
        return isinstance(kind, type) and isinstance(thing, kind)


def _frames() -> Iterator[FrameType]:
    """The program's frames of all threads: a task may end, and its fault be told, while a thread of a library waits."""
    stacks = wait_graph.frames()
    first = threading.main_thread().ident or 0
    libraries = tuple(
        os.path.dirname(file) + os.sep
        for name in ("torch", "torch_npu")
        if (file := getattr(sys.modules.get(name), "__file__", None)) is not None
    )
    for ident in sorted(stacks, key=lambda ident: (ident != first, ident)):
        for frame in program_frames(stacks[ident]):
            if not frame.f_code.co_filename.startswith(libraries):
                yield frame


def _drops_a_gradient() -> bool:
    """Whether a thread is at ``p.grad = None`` or the like.

    torch destroys the gradient while the tensor still leads to it, and the allocator may call from there. Who asks for
    ``p.grad`` meanwhile gets a tensor that is destroyed a second time.
    """
    return any(map(_is_at_gradient, wait_graph.frames().values()))


def _is_at_gradient(frame: FrameType) -> bool:
    innermost: FrameType | None = frame
    while innermost is not None and internal(innermost.f_code):
        innermost = innermost.f_back
    if innermost is None:
        return False
    code, lasti = innermost.f_code, innermost.f_lasti
    found = next((found for found in dis.get_instructions(code) if found.offset == lasti), None)
    return found is not None and found.opname in ("STORE_ATTR", "DELETE_ATTR") and found.argval in ("grad", "_grad")


def moment() -> tuple[tuple[int, int], ...]:
    """Where the program stands: the same for all that one report asks."""
    return tuple((id(frame.f_code), frame.f_lasti) for frame in _frames())


def place_of(tensor: Any) -> _PLACE | None:
    """(address, bytes) of the storage of *tensor*; None when it has none of its own."""
    try:
        storage = tensor.untyped_storage()
        return storage.data_ptr(), storage.nbytes()
    except (RuntimeError, NotImplementedError):  # of a kind without memory: fake, sparse, of a function transform
        return None


def _plain(text: str) -> str:
    """``model.layers[0].weight`` for the dicts in which modules keep that."""
    while (match := _INNER.search(text)) is not None:
        name = ast.literal_eval(match[1])
        inner = f"[{name}]" if name.isdecimal() else f".{name}" if name.isidentifier() else f".get_submodule({name!r})"
        text = text[: match.start()] + inner + text[match.end() :]
    return text


# -- what a statement works on -------------------------------------------------------------------------------------------


def used_tensors(points: Iterable[Point]) -> Iterator[tuple[str, Any]]:
    """(expression, value) of what the statement at *points* reads: names and their attributes.

    The value is `GONE` for a variable that is not there any more.
    """
    for code, lasti in program_points(points)[:1]:
        statement = _statement(code, lasti)
        if statement is None:
            return
        frame = next((frame for frame in _frames() if frame.f_code is code), None)
        for node in _read(statement):
            yield ast.unparse(node), _now(node, frame, code)


def read_names(points: Iterable[Point]) -> set[str]:
    """The names that the statement at *points* reads, those of functions and modules that it calls among them."""
    for code, lasti in program_points(points)[:1]:
        statement = _statement(code, lasti)
        if statement is not None:
            names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            return {node.id for node in names if isinstance(node.ctx, ast.Load)}
    return set()


def set_variables(points: Iterable[Point]) -> set[str]:
    """The variables that the statement at *points* sets."""
    for code, lasti in program_points(points)[:1]:
        statement = _statement(code, lasti)
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            nodes = [node for target in targets for node in ast.walk(target)]
            return {ast.unparse(node) for node in nodes if isinstance(node, ast.Name | ast.Attribute)}
    return set()


def asked_priority(points: Iterable[Point]) -> int | None:
    """The priority that the call of ``torch.npu.Stream`` at *points* names, 0 where it names none; None: not known."""
    for code, lasti in program_points(points)[:1]:
        line, positions, function = line_number(code, lasti), columns_of(code, lasti), function_of(code)
        here = [] if function is None else nodes_at(function, line, positions)
        calls = [node for node in here if isinstance(node, ast.Call) and holds(node, line, positions)]
        calls = [node for node in calls if ast.unparse(node.func).endswith("Stream")]
        if not calls or (positions is None and len(calls) > 1):
            return None
        given = [word.value for word in calls[-1].keywords if word.arg == "priority"] + calls[-1].args[1:2]
        try:
            return int(ast.literal_eval(given[0])) if given else 0
        except (ValueError, TypeError):
            return None
    return None


def _statement(code: CodeType, lasti: int) -> ast.stmt | None:
    """The innermost statement at a place."""
    line, positions = line_number(code, lasti), columns_of(code, lasti)
    function = function_of(code)
    if function is None:
        return None
    here = nodes_at(function, line, positions)
    found = [node for node in here if isinstance(node, ast.stmt) and holds(node, line, positions)]
    return found[-1] if found else None


GONE = object()


def _read(statement: ast.stmt) -> Iterator[ast.expr]:
    """The names and attributes that *statement* reads, without the functions that it calls."""
    called = {id(node.func) for node in ast.walk(statement) if isinstance(node, ast.Call)}
    inner = {id(node.value) for node in ast.walk(statement) if isinstance(node, ast.Attribute)}
    for node in ast.walk(statement):
        if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Store):
            if id(node) in called and isinstance(node, ast.Attribute):
                yield node.value  # x of x.mul(2)
            elif id(node) not in called and id(node) not in inner:
                yield node
        elif isinstance(node, ast.AugAssign):
            yield node.target


def _now(node: ast.expr, frame: FrameType | None, code: Any) -> Any:
    root = node
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    name = root.id if isinstance(root, ast.Name) else ""
    if frame is None:
        if name in (*code.co_varnames, *code.co_freevars, *code.co_cellvars):
            return GONE
        return None
    names = {**frame.f_globals, **locals_of(frame)}
    if name and name not in names and name not in frame.f_builtins:
        return GONE
    return _value(node, names)


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """What *node* is, without calling anything; None when that cannot be told."""
    if not isinstance(node, ast.Attribute | ast.Subscript):
        return names.get(node.id) if isinstance(node, ast.Name) else None
    owner = _value(node.value, names)
    parts = dict(parts_of(owner)) if owner is not None else {}
    if isinstance(node, ast.Attribute):
        if f".{node.attr}" in parts:
            return parts[f".{node.attr}"]
        inner = [parts.get(f"._{kind}") for kind in ("parameters", "buffers", "modules")]
        return next((held[node.attr] for held in inner if type(held) is dict and node.attr in held), None)
    return parts.get(f"[{ast.unparse(node.slice)}]")
