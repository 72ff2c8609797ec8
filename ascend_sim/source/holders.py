"""Which variable or element of the running program holds an object: ``ready``, ``streams[1]``, ``self.bufs['in']``.

Handles and addresses are integers that nothing else has, so the frames that are alive when a report is written tell what
to call an object, and what to type for it there. Nothing of the program is called: only plain names, lists, tuples,
dicts, and attributes that lie in an object's own dict or slots are read.
"""

from __future__ import annotations

import ast
import re
import sys
from array import array
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import CodeType, FrameType, GetSetDescriptorType, MemberDescriptorType, ModuleType, SimpleNamespace
from typing import Any

from ascend_sim.source.callsite import Point, native_place
from ascend_sim.source.frames import installed, internal, internal_file, program_points
from ascend_sim.source.syntax import function_of, tree_of
from ascend_sim.source.wrappers import outside_wrappers

__all__ = ["Holders", "locals_of", "parts_of", "program_frames", "set_in_loop"]

MOST_LOOKED_AT = 2000
MOST_IN_ONE = 64
"""Elements of one container."""
DEPTH = 3
WORD = 8
"""Bytes of a number in an array that may be a handle or an address."""
LEAST = 1 << 32
"""Handles and addresses are greater."""
_CHANGING = frozenset({"locals", "vars", "eval", "exec", "dir"})
"""Functions that call these may have a dict of their own locals, which must not be touched."""
_PYTEST = "@py_builtins"
_OWN_LOCALS = 1 | 2  # CO_OPTIMIZED, CO_NEWLOCALS: a function
_MISSING = object()
_UNKNOWN = object()
_MODULE, _NAME, _MRO, _DICT = (type.__dict__[name].__get__ for name in ("__module__", "__name__", "__mro__", "__dict__"))
"""What a class says of itself, without asking its metaclass: that may be the program's."""


def _exactly(*kinds: type) -> frozenset[int]:
    """Classes by identity, for the same reason: `in` would hash or compare a class of the program."""
    return frozenset(map(id, kinds))


_PLAIN = _exactly(int, float, complex, str, bytes, bool, type(None), ModuleType)
_MAPPINGS = _exactly(dict, OrderedDict, defaultdict)
_SEQUENCES = _exactly(list, tuple, deque)
_POINTERS = ("c_void_p", "c_uint64", "c_ulong", "c_longlong")


class Holders:
    """What holds which number in the frames of the calling thread and in their modules, at this moment.

    Only numbers and texts are kept, so that nothing of the program lives longer for it.
    """

    def __init__(self) -> None:
        self._functions: dict[CodeType, dict[int, str]] = {}
        """The innermost run of each function that is on the stack."""
        self._modules: dict[str, dict[int, str]] = {}
        self._looked = False

    def _look(self) -> None:
        """Search the frames, once; those of wrappers call everything by names of their own."""
        if self._looked:
            return
        self._looked = True
        frames = list(program_frames())
        kept = set(outside_wrappers([(frame.f_code, frame.f_lasti) for frame in frames]))
        for frame in frames:
            code = frame.f_code
            if (code, frame.f_lasti) in kept and _is_function(code) and code not in self._functions:
                self._functions[code] = _held_in(locals_of(frame), _set_in_loops(code))
            if code.co_filename not in self._modules:
                self._modules[code.co_filename] = _held_in(frame.f_globals, _set_in_module_loops(code.co_filename))

    def anywhere(self, value: int, made_at: Iterable[Point] = ()) -> str | None:
        """The innermost function's variable or element with *value*, else a module's; None: nothing was found.

        No variable that a loop sets: it holds another object in each round. *made_at*: in whose modules to look, too.
        """
        self._look()
        held = (*self._functions.values(), *self._modules.values())
        found = next((names[value] for names in held if value in names), None)
        if found is None:
            files = dict.fromkeys(code.co_filename for code, _ in program_points(made_at))
            found = next((names[value] for file in files if value in (names := self._module(file))), None)
        return found

    def at(self, points: Iterable[Point], value: int) -> str | None:
        """What holds *value* for code at *points*: a variable of its function, if that runs, or of its module."""
        own = program_points(points)
        if not own:
            return None
        self._look()
        code = own[0][0]
        found = self._functions.get(code, {}).get(value)
        return found if found is not None else self._module(code.co_filename).get(value)

    def means(self, points: Iterable[Point], expression: str, value: int) -> bool | None:
        """Whether *expression* is *value* for code at *points*; None when that cannot be told any more."""
        found = _found(points, expression)
        return None if found is _UNKNOWN else _number(found) == value

    def as_int(self, points: Iterable[Point], expression: str, by_index: bool) -> str:
        """What to type for *expression* where a call at *points* takes an int.

        That is ``int(s)`` for a scalar of numpy and ``p.value`` for a pointer of ctypes. *by_index*: the call takes what
        has ``__index__``, too.
        """
        kind = type(_found(points, expression))
        module = _MODULE(kind)
        if module == "ctypes" and _NAME(kind) in _POINTERS:
            return f"{expression}.value"
        if not by_index and module == "numpy" and id(kind) in _of_numpy("int64", "uint64"):
            return f"int({expression})"
        return expression

    def _module(self, file: str) -> dict[int, str]:
        if file not in self._modules:
            self._modules[file] = _held_in(_globals_of(file) or {}, _set_in_module_loops(file))
        return self._modules[file]


def _found(points: Iterable[Point], expression: str) -> Any:
    """What *expression* is for code at *points*; `_UNKNOWN` when that cannot be told any more."""
    own = program_points(points)
    if not own:
        return _UNKNOWN
    code = own[0][0]
    names: Mapping[str, Any] = {}
    root = expression.partition(".")[0].partition("[")[0]
    if _is_function(code):
        frame = next((frame for frame in program_frames() if frame.f_code is code), None)
        if frame is not None:
            names = locals_of(frame)
        elif root in (*code.co_varnames, *code.co_freevars, *code.co_cellvars):
            return _UNKNOWN  # a variable of a run that has ended
    module = _globals_of(code.co_filename) or {}
    found = _evaluated(_parsed(expression), names, module)
    return _UNKNOWN if found is _MISSING and root not in names and root not in module else found


# -- frames --------------------------------------------------------------------------------------------------------------


def _is_function(code: CodeType) -> bool:
    return code.co_flags & _OWN_LOCALS == _OWN_LOCALS


def program_frames(innermost: FrameType | None = None) -> Iterator[FrameType]:
    """The frames of the calling thread that are the program's, innermost first; or those of the stack of *innermost*."""
    frame: FrameType | None = innermost or sys._getframe(1)
    while frame is not None:
        if not internal(frame.f_code) and not installed(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def _globals_of(file: str) -> Mapping[str, Any] | None:
    """The variables of the module in *file*."""
    for frame in program_frames():
        if frame.f_code.co_filename == file:
            return frame.f_globals
    for module in list(sys.modules.values()):
        if type(module) is ModuleType and module.__dict__.get("__file__") == file:
            return module.__dict__
    return None


def locals_of(frame: FrameType) -> Mapping[str, Any]:
    """The variables of *frame*, without keeping them alive longer than the program does.

    Before Python 3.13 a frame keeps the dict that it is asked for, and with it what the program deletes later.
    """
    if not _is_function(frame.f_code):
        return dict(frame.f_locals)  # a module's, or a class's: the variables themselves
    used = frame.f_code.co_names
    keeps = not _CHANGING.isdisjoint(used) and _PYTEST not in used  # whose assertions only look at it
    if keeps or sys.gettrace() is not None:
        return {}
    kept = frame.f_locals
    names = dict(kept)
    if sys.version_info < (3, 13):
        kept.clear()
    return names


# -- values --------------------------------------------------------------------------------------------------------------


def _number(found: Any) -> int | None:
    """The number that *found* is, or that a ctypes pointer or a scalar of numpy has."""
    kind = type(found)
    if kind is int:
        return found  # type: ignore[no-any-return]
    module = _MODULE(kind)
    if type(module) is not str:
        return None
    if module == "numpy" and id(kind) in _of_numpy("int64", "uint64"):
        return int(found)
    if module == "ctypes" and _NAME(kind) in _POINTERS:
        value = found.value
        return value if type(value) is int else None
    return None


def _of_numpy(*names: str) -> tuple[int, ...]:
    """These classes of numpy, by identity; none before the program has it."""
    numpy = sys.modules.get("numpy")
    return tuple([id(vars(numpy).get(name)) for name in names]) if type(numpy) is ModuleType else ()


def _listed(found: Any) -> list[Any] | None:
    """The elements of a flat array of numbers, whose words are as wide as a handle; None: it is no such array."""
    kind = type(found)
    if kind is array:
        return found[:MOST_IN_ONE].tolist() if found.itemsize == WORD and found.typecode != "d" else None
    if id(kind) not in _of_numpy("ndarray") or found.ndim != 1 or found.dtype.kind not in "iuO":
        return None
    return found[:MOST_IN_ONE].tolist() if found.itemsize == WORD else None


def _held_in(names: Mapping[str, Any], loops: frozenset[str]) -> dict[int, str]:
    """Expressions by number: breadth first, so that the shortest comes first; bounded, since programs hold much."""
    held: dict[int, str] = {}
    todo: deque[tuple[str, Any, int]] = deque()
    for name, found in list(names.items()):
        if type(name) is not str or name in loops or name.startswith("__") or not name.isidentifier():
            continue
        number = _number(found)
        if number is None:
            if id(type(found)) not in _PLAIN:
                todo.append((name, found, 1))
        elif number >= LEAST:
            held.setdefault(number, name)
    looked = 0
    seen: set[int] = set()
    while todo and looked < MOST_LOOKED_AT:
        text, container, depth = todo.popleft()
        if id(container) in seen:
            continue
        seen.add(id(container))
        for part, found in parts_of(container):
            looked += 1
            number = _number(found)
            if number is None:
                if depth < DEPTH and id(type(found)) not in _PLAIN:
                    todo.append((text + part, found, depth + 1))
            elif number >= LEAST:
                held.setdefault(number, text + part)
    return held


def parts_of(container: Any) -> Iterator[tuple[str, Any]]:
    """(``[1]`` or ``.name``, value) of what *container* holds."""
    kind = type(container)
    if id(kind) in _PLAIN or issubclass(kind, type):
        return
    if id(kind) in _MAPPINGS:
        for key, found in list(dict.items(container))[:MOST_IN_ONE]:
            if type(key) in (str, int):
                yield f"[{key!r}]", found
    elif id(kind) in _SEQUENCES:
        for i, found in enumerate(list(container)[:MOST_IN_ONE]):
            yield f"[{i}]", found
    elif (listed := _listed(container)) is not None:
        for i, found in enumerate(listed):
            yield f"[{i}]", found
    elif kind is SimpleNamespace:
        yield from ((f".{name}", found) for name, found in list(vars(container).items())[:MOST_IN_ONE])
    elif issubclass(kind, tuple) and type(fields := _DICT(kind).get("_fields")) is tuple:
        if all(type(field) is str for field in fields):
            yield from zip((f".{field}" for field in fields), tuple.__iter__(container), strict=False)
    else:
        yield from _attributes(container, kind)


def _attributes(thing: Any, kind: type) -> Iterator[tuple[str, Any]]:
    """Those in the dict and the slots of an object of a class that the program, or a library, wrote in Python."""
    for owner in _MRO(kind):
        name = _MODULE(owner)
        if owner is object or type(name) is not str:
            return
        module = sys.modules.get(name)
        prompt = name == "__main__"  # it has no file in a notebook
        if module is not None and not prompt and internal_file(getattr(module, "__file__", None) or "<frozen >"):
            return
        for name, member in list(_DICT(owner).items()):
            if name == "__dict__" and type(member) is GetSetDescriptorType:
                held = list(dict.items(member.__get__(thing)))[:MOST_IN_ONE]
                yield from ((f".{n}", found) for n, found in held if type(n) is str)
            elif type(member) is MemberDescriptorType:
                try:
                    yield f".{name}", member.__get__(thing)
                except AttributeError:  # a slot that is not set
                    continue


@lru_cache(maxsize=256)
def _parsed(expression: str) -> ast.expr | None:
    try:
        return ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _evaluated(node: ast.expr | None, names: Mapping[str, Any], module: Mapping[str, Any]) -> Any:
    """The value of a name, an attribute or an element, without calling anything."""
    if isinstance(node, ast.Name):
        return names[node.id] if node.id in names else module.get(node.id, _MISSING)
    if isinstance(node, ast.Constant):
        return node.value
    if not isinstance(node, ast.Attribute | ast.Subscript):
        return _MISSING
    owner = _evaluated(node.value, names, module)
    if owner is _MISSING:
        return _MISSING
    if isinstance(node, ast.Attribute):
        return next((found for part, found in parts_of(owner) if part == f".{node.attr}"), _MISSING)
    at = _evaluated(node.slice, names, module)
    listed = id(type(owner)) in _SEQUENCES or _listed(owner) is not None
    if listed and type(at) is int and -len(owner) <= at < len(owner):
        return owner[at]
    mapping: Any = owner if id(type(owner)) in _MAPPINGS and type(at) in (str, int) else {}
    return dict.get(mapping, at, _MISSING)


# -- loops ---------------------------------------------------------------------------------------------------------------


def set_in_loop(points: Iterable[Point], expression: str) -> bool:
    """Whether a loop sets a variable of *expression*, as the code at *points* has it: it means more than one object."""
    own = program_points(points)
    if own and native_place(own[0][0]) is not None:
        return re.search(r"\[[A-Za-z_]", expression) is not None  # an element by a variable
    node = _parsed(expression)
    if not own or node is None:
        return True
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return not names.isdisjoint(_set_in_loops(own[0][0]) | _set_in_module_loops(own[0][0].co_filename))


@lru_cache(maxsize=512)
def _set_in_loops(code: CodeType) -> frozenset[str]:
    """Variables that the function of *code* sets in a loop."""
    return _stored_in_loops(function_of(code))


def _set_in_module_loops(file: str) -> frozenset[str]:
    """Variables that the module in *file* sets in a loop."""
    return _stored_in_loops(tree_of(file)) if file.startswith("<") else _set_in_loops_of_file(file)


@lru_cache(maxsize=512)
def _set_in_loops_of_file(file: str) -> frozenset[str]:
    return _stored_in_loops(tree_of(file))


def _stored_in_loops(function: ast.AST | None) -> frozenset[str]:
    found: set[str] = set()
    body = getattr(function, "body", ())
    todo: list[tuple[ast.AST, bool]] = [(node, False) for node in body] if isinstance(body, list) else []
    while todo:
        node, inside = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        inside = inside or isinstance(node, ast.For | ast.AsyncFor | ast.While)
        if inside and isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        todo += [(child, inside) for child in ast.iter_child_nodes(node)]
    return frozenset(found)
