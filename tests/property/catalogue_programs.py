"""Random programs of two host threads that call any function of the catalogue with objects that both know."""

from __future__ import annotations

import random
import threading
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs

from ascend_sim import ascendcl as C
from ascend_sim.catalogue.functions import functions
from ascend_sim.explore.control.stable_ids import SMALL
from ascend_sim.runtime.current import current
from tests.fuzz.arguments import Choices, Outcry
from tests.fuzz.chapters import fill_chapters
from tests.fuzz.fenced_memory import Fenced
from tests.fuzz.world import World, base_type

__all__ = ["Call", "chapters", "make_program", "played"]

Call = tuple[str, bytes]
"""A function of C, and the choices that make its arguments."""
CHOICES = 24
ALONE = frozenset({"aclFinalize", "aclFinalizeReference", "aclInit"})
"""What `call_programs.py` has: little is left to be called afterwards."""


@cache
def _fences() -> tuple[Fenced, ...]:
    """The same in every run: new ones each time would fill the table of the process's mappings after 8,000 runs."""
    return Fenced("source"), Fenced("target", 2), Fenced("python object", 3), Fenced("kept")


class SharedWorld(World):
    """Something alive and something dead of every kind, in the simulator of the run."""

    busy = False

    def __init__(self) -> None:
        self.choices = Choices(b"")
        self.about = ""
        self.texts = []
        self.fenced = _fences()
        for memory in self.fenced:  # earlier runs wrote there
            memory.lend(memory.address)
            memory.restore()
        self.sim = current()
        self.pools = {}
        self.addresses = []
        self.depth = 0
        self.calls = [lambda *_: 0]
        self._fill()
        self._fill_models()
        fill_chapters(self)
        C.aclrtSetCurrentContext(self.pools["aclrtContext"][0][1])

    def make(self, call: Call) -> Any:
        """Make *call*; what the thread sees of it."""
        name, data = call
        self.choices = Choices(data)
        values = [self.asked_for(base_type(p.ctype), p.kind, p.name)[1] for p in functions()[name].inputs]
        try:
            return seen(getattr(C, name)(*values))
        except Outcry as error:  # of a callback
            return str(error)


def seen(value: Any) -> Any:
    """A result as plain data. Which number a new object gets depends on what was made before: no two calls agree there."""
    if isinstance(value, (tuple, list)):
        return tuple(seen(part) for part in value)
    if attrs.has(type(value)):
        return tuple(seen(getattr(value, place.name)) for place in attrs.fields(type(value)))
    return value if type(value) is not int or value < SMALL else "a handle"


@cache
def chapters() -> dict[str, list[str]]:
    """Functions with behaviour, by their chapter."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, function in functions().items():
        if name in C.implemented() and name not in ALONE and function.effects != "-":
            found[function.chapter].append(name)
    return dict(found)


def make_program(rng: random.Random, lengths: list[int], chapter: str) -> list[list[Call]]:
    """Calls of one chapter, those of objects of one kind as a rule."""
    names = chapters()[chapter]
    first = rng.choice(names)
    kinds = {base_type(p.ctype) for p in functions()[first].inputs if p.kind == "handle"}
    if kinds and rng.randrange(4):
        names = [n for n in names if kinds & {base_type(p.ctype) for p in functions()[n].inputs}]
    program = [[(rng.choice(names), _choices(rng)) for _ in range(length)] for length in lengths]
    program[0][0] = first, _choices(rng)
    return program


def _choices(rng: random.Random) -> bytes:
    """Mostly the plainest value of each kind, so that threads meet."""
    return bytes(rng.choice((0, 0, 0, 1, rng.randrange(256))) for _ in range(CHOICES))


def played(program: list[list[Call]]) -> Callable[[], Any]:
    """The program as a function."""

    def run() -> Any:
        world = SharedWorld()
        context = world.pools["aclrtContext"][0][1]
        found: dict[int, list[Any]] = {0: [], 1: []}

        def work(me: int) -> None:
            C.aclrtSetCurrentContext(context)
            for call in program[me]:
                found[me].append(world.make(call))

        thread = threading.Thread(target=work, args=(1,))
        thread.start()
        work(0)
        thread.join()
        return [found[0], found[1]]

    return run
