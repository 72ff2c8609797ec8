"""The rooms of the package in the order in which they may import each other, and a search for imports that do not.

`ROOMS` goes from the ground floor up: a room imports itself and what stands before it. The checker reads source only:
imports at the top, inside functions, under TYPE_CHECKING, and `import_module` with a name in the text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOMS: dict[str, str] = {
    "_version": "the version",
    "errors": "what the runtime raises",
    "progress": "how far long work is, on a terminal",
    "constants": "the enums and constants of the C headers",
    "catalogue": "one reader of the tables of functions, codes and conditions",
    "options": "the ASCEND_SIM_* variables",
    "untrusted": "files, JSON and names that others wrote",
    "source": "call sites, tracebacks, names of variables",
    "machine": "address space, arenas, host memory, engines and costs, profiles, data types",
    "findings": "what is said about a program: kinds, log, suppressions, wording, text forms",
    "om": "model files",
    "runtime": "core, scheduler, stream, task, event, device, context; wings threads, memory, callbacks, graphs, ...",
    "kernels": "what users write as kernels, and their launches",
    "ops": "single operators",
    "aclnn": "the operators with two phases",
    "models": "loaded models and their execution",
    "media": "pictures and video: descriptors, rules of the products, what their tasks do",
    "observers": "races, memory, rules, leaks: who listens to the hooks",
    "simulator": "options, checks and the object API upon a runtime",
    "ascendcl": "the C names",
    "native": "C and C++ programs: the library, its headers, what it calls in Python",
    "pyacl": "the pyACL names upon the C names",
    "timeline": "what happened in virtual time, as pictures",
    "state": "a moment as a picture: who waits for whom, whose memory it is",
    "notebook": "the IPython extension",
    "explore": "search through the orders that are possible",
    "_boot": "the child process of ascend-sim run",
    "shims": "what import acl finds in such a process",
    "torch": "torch_npu as a guest: its libraries, its threads, its words",
    "testing": "the pytest plugin, machines and strategies for random programs",
    "cli": "the command ascend-sim",
    "__main__": "python -m ascend_sim",
}
"""Room -> what is in it. The package's own ``__init__`` hands out public names of all rooms, lazily: it is not judged."""

UPWARD: dict[tuple[str, str], str] = {
    ("simulator", "timeline"): "Simulator.timeline(): a door of the object API; loaded when it is called",
    ("simulator", "state"): "Simulator.show(): a door of the object API; loaded when it is called",
}
"""Imports that point up and may: from, to, and why."""


class Import(NamedTuple):
    """One import of the package by itself. *typing*: under TYPE_CHECKING; *inside*: of a function."""

    module: str
    line: int
    target: str
    typing: bool
    inside: bool

    def __str__(self) -> str:
        how = " for types" if self.typing else " inside a function" if self.inside else ""
        return f"{self.module}:{self.line} imports {self.target}{how}"


def room_of(module: str) -> str:
    """``runtime`` of ``ascend_sim.runtime.stream``; empty for the package itself."""
    return module.split(".")[1] if "." in module else ""


def modules_of(package: Path) -> dict[str, Path]:
    """Module name -> file."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = [package.name, *path.relative_to(package).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(package: Path) -> list[Import]:
    """Every import of the package by itself, in whatever place it stands."""
    modules = modules_of(package)
    return [
        Import(module, line, target, typing, inside)
        for module, path in modules.items()
        for node, typing, inside in _placed(ast.parse(path.read_text(encoding="utf-8")), False, False)
        for line, target in _targets(node, module, path.name == "__init__.py", modules)
        if target.split(".")[0] == package.name and target != module
    ]


def _placed(node: ast.AST, typing: bool, inside: bool) -> Iterator[tuple[ast.AST, bool, bool]]:
    """Each node below *node*, with what it stands in."""
    for child in ast.iter_child_nodes(node):
        lazy = inside or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        types = typing or (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test))
        yield child, types, lazy
        yield from _placed(child, types, lazy)


def _targets(node: ast.AST, module: str, package: bool, modules: dict[str, Path]) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield node.lineno, alias.name
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            parts = module.split(".")
            stem = parts[: len(parts) - node.level + (1 if package else 0)]
            base = ".".join([*stem, base] if base else stem)
        for name in {f"{base}.{alias.name}" for alias in node.names}:
            yield node.lineno, name if name in modules else base
    elif isinstance(node, ast.Call) and "import_module" in ast.dump(node.func):
        for argument in node.args[:1]:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield node.lineno, argument.value


def upward(imports: Iterable[Import]) -> list[Import]:
    """Imports of a room that stands higher."""
    height = {room: i for i, room in enumerate(ROOMS)}
    return [
        found
        for found in imports
        if (here := room_of(found.module)) and (there := room_of(found.target)) and height[there] > height[here]
    ]


def circles(imports: Iterable[Import]) -> list[list[str]]:
    """Modules that import each other, in whatever place but for types: closed walks from the first name, one a knot."""
    edges: dict[str, set[str]] = {}
    for found in imports:
        if not found.typing:
            edges.setdefault(found.module, set()).add(found.target)
    done: set[str] = set()
    walks = []
    for root in sorted(edges):
        if root in done:
            continue
        way, rest = [root], [iter(sorted(edges[root]))]
        while way:
            target = next(rest[-1], None)
            if target is None:
                done.add(way.pop())
                rest.pop()
            elif target in way:
                walk = way[way.index(target) :]
                first = walk.index(min(walk))
                walks.append([*walk[first:], *walk[:first], walk[first]])
            elif target not in done:
                way.append(target)
                rest.append(iter(sorted(edges.get(target, ()))))
    return walks
