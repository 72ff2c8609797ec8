"""One odd value at a time: every parameter of every function gets each of them, beside plain arguments.

A value is odd when no C compiler would take it for the parameter, or when its own methods are the program's and raise,
lie or leave. What the program's own objects raise may come out of a call; nothing else may.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import numpy as np

from ascend_sim import SimulatedHang
from ascend_sim.ascendcl import structs
from tests.fuzz.arguments import EDGES, OTHERS, TEXTS, Choices, Outcry, Value
from tests.fuzz.calls import Target, last_lines, text_of
from tests.fuzz.world import World, base_type

__all__ = ["ODD", "Abort", "Tries", "raising", "sampled"]

WORLD_CALLS = 200
"""Calls in one world: what they made and broke is there for those that follow."""


class Abort(BaseException):
    """What objects of the program raise to leave: no Exception."""


_SPECIAL = """
    index int float complex len iter next bool hash eq ne lt le gt ge fspath repr str format buffer getitem contains call
    array array_interface reversed length_hint bytes trunc add radd and rand
"""


def raising(error: type[BaseException]) -> type:
    """A class all of whose methods that Python calls by itself raise *error*."""

    def raises(*_: object, **__: object) -> Any:
        raise error("made for a test")

    names = _SPECIAL.split()
    return type(f"Raises{error.__name__}", (), {f"__{name}__": raises for name in names})


class Attribute:
    """Whatever is looked up in it raises."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") and name != "__array_interface__":
            return object.__getattribute__(self, name)
        raise Outcry(name)


class Index:
    """An integer by its own word."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __index__(self) -> Any:
        return self.value


class Equal:
    """Equal to everything, and true or not as it likes."""

    truth = False

    def __eq__(self, other: object) -> bool:
        return True

    def __bool__(self) -> bool:
        self.truth = not self.truth
        return self.truth

    __hash__ = None  # type: ignore[assignment]


class Endless:
    """A sequence without end."""

    def __len__(self) -> int:
        return (1 << 63) - 1

    def __getitem__(self, key: object) -> int:
        return 1


class EmptyInterface:
    """Says that it has memory, and has none."""

    __array_interface__ = {"data": (8, False), "shape": (1 << 40,), "typestr": "|u1", "version": 3}


class LongText(str):
    """A str whose methods are the program's."""

    __slots__ = ()

    def encode(self, *_: Any) -> Any:
        raise Outcry("encode")

    def split(self, *_: Any) -> Any:
        raise Outcry("split")

    def isascii(self) -> Any:
        raise Outcry("isascii")


class OddInt(int):
    """An int whose methods are the program's."""

    def __and__(self, *_: object) -> Any:
        raise Outcry("and")

    __rand__ = __mod__ = __lt__ = __gt__ = __le__ = __ge__ = __eq__ = __bool__ = __hash__ = __and__  # type: ignore[assignment]
    __str__ = __repr__ = __format__ = __index__ = __sub__ = __add__ = __radd__ = __and__  # type: ignore[assignment]


class Vanishing(list[int]):
    """A list that is shorter each time it is looked at."""

    def __len__(self) -> int:
        if list.__len__(self):
            self.pop()
        return list.__len__(self)


MORE: list[tuple[str, Callable[[], Any]]] = [
    *((f"raises {error.__name__}", raising(error)) for error in (Outcry, Abort, MemoryError, RecursionError)),
    ("attributes that raise", Attribute),
    ("Index(10**5000)", lambda: Index(10**5000)),
    ("Index(-1)", lambda: Index(-1)),
    ("Index('x')", lambda: Index("x")),
    ("Index(True)", lambda: Index(True)),
    ("equal to all", Equal),
    ("endless", Endless),
    ("memory that is not there", EmptyInterface),
    ("str with methods", lambda: LongText("x")),
    ("int with methods", lambda: OddInt(7)),
    ("list that shrinks", lambda: Vanishing([1] * 6)),
    ("5000 digits", lambda: "9" * 5000),
    ("b'5000 digits'", lambda: b"9" * 5000),
    ("half a pair", lambda: "a\ud800b"),
    ("only NUL", lambda: "\0"),
    ("-10**5000", lambda: -(10**5000)),
    ("[-10**5000]", lambda: [-(10**5000)]),
    ("[True, None, 1.5]", lambda: [True, None, 1.5]),
    ("[numpy scalars]", lambda: [np.uint64(2**64 - 1), np.int8(-1), np.float64(2.5), np.bool_(False)]),
    ("[Index('x')]", lambda: [Index("x")]),
    ("[raises Outcry]", lambda: [raising(Outcry)()]),
    ("{1: raises}", lambda: {1: raising(Outcry)()}),
    ("numpy.void", lambda: np.zeros(1, [("a", "i4")])[0]),
    ("numpy.str_", lambda: np.str_("x\0y")),
    ("numpy.datetime64", lambda: np.datetime64("2020-01-01")),
    ("masked array", lambda: np.ma.masked_array([1, 2, 3], [0, 1, 0])),
    ("array of texts", lambda: np.array(["a", "bb"])),
    ("0 x 5 array", lambda: np.zeros((0, 5), np.int32)),
    ("big-endian array", lambda: np.arange(4, dtype=">u8")),
    ("a class", lambda: type("Made", (), {"__init__": lambda self, *_: None})),
    ("a module", lambda: np),
    ("a method", lambda: type("Made", (), {"heard": lambda self, *_: None})().heard),
    ("NotImplemented", lambda: NotImplemented),
    ("an exception", lambda: Outcry("x")),
]

ODD: list[tuple[str, Callable[[], Any]]] = [
    *OTHERS,
    *MORE,
    *((label, lambda value=value: value) for label, value in TEXTS),
    *((str(n) if abs(n) < 1 << 70 else "huge", lambda n=n: n) for n in EDGES),
]
"""Labels and what makes the values."""


class Tries:
    """Calls of functions one after the other, in worlds that are made as they are needed."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.calls = 0
        self.hangs = 0
        self.wrong: list[str] = []
        self.latest = ""
        self._world: World | None = None
        self._left = 0

    def close(self) -> None:
        """Give the last world back."""
        if self._world is not None:
            self._world.sim.close()
            self._world = None

    def world(self) -> World:
        """A world in which calls still do something."""
        if self._world is None or not self._left or self._world.sim.closed or not self._world.sim.process.init_count:
            self.close()
            self._world = World(Choices(self.random.randbytes(8)), about="aclmdl aclop")
            self._left = WORLD_CALLS
        self._left -= 1
        return self._world

    def every(self, subject: Target, few: int = 0) -> None:
        """Each odd value (*few*: some of them) as each argument of *subject*."""
        for place in range(len(subject.arguments(self.world()))):
            for label, make in self.random.sample(ODD, few) if few else ODD:
                self.one(subject, place, label, make())

    def fields(self, subject: Target, few: int = 0) -> None:
        """Each odd value (*few*: some) as each field of the structs that *subject* takes, one field at a time."""
        for place, parameter in enumerate(getattr(subject, "inputs_of_c", ())):
            kind = getattr(structs, base_type(parameter.ctype), None)
            if kind is None or parameter.kind not in ("struct", "array"):
                continue
            for field in attrs.fields(kind):
                for label, make in self.random.sample(ODD, few) if few else ODD:
                    made = kind()
                    setattr(made, field.name, make())
                    label = f"{kind.__name__} with {field.name}={label}"
                    self.one(subject, place, label, [made] if parameter.kind == "array" else made)

    def one(self, subject: Target, place: int, label: str, value: Any) -> None:
        """One call, with *value* as the argument at *place*."""
        world = self.world()
        world.choices = Choices(self.random.randbytes(24))
        made: list[Value] = subject.arguments(world)
        if place >= len(made):
            return
        made[place] = label, value
        self.calls += 1
        self.latest = f"{subject.name}({', '.join(name for name, _ in made)})"
        for lent in (value for name, value in made if name != label or type(value) is int):
            world.lend(lent)
        try:
            result = subject.call([value for _, value in made])
        except SimulatedHang:
            self.hangs += 1
            self._left = 0
            return
        except (Outcry, Abort):
            return
        except Exception as error:  # noqa: BLE001 - it is judged here
            # the program's own objects raise these by name
            if not subject.allowed(error) and str(error) != "made for a test":
                self.wrong.append(f"{self.latest} raised {type(error).__name__}: {text_of(error)}\n{last_lines(error)}")
            return
        trespass = world.trespass()
        fault = trespass or subject.check(world, result)
        if fault:
            self.wrong.append(f"{self.latest}: {fault}")
            if trespass:
                self._left = 0


def sampled(names: list[str], seed: str, count: int) -> Iterator[str]:
    """*count* of *names*, or all when there are no more."""
    yield from random.Random(seed).sample(names, min(count, len(names)))
