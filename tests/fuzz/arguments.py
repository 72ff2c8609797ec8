"""Arguments for any function: what it asks for, something like it, or anything at all.

Everything is read off a byte string (`Choices`), so that a run can be repeated; `byte_strings` makes them. Each value
has a short label; labels are what a failure prints.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from ascend_sim.ascendcl import structs
from tests.kit.scale import SCALE

__all__ = [
    "EDGES", "OTHERS", "TEXTS", "Choices", "Outcry", "Value", "anything", "byte_strings", "callables", "integer", "text",
]  # fmt: skip

T = TypeVar("T")
Value = tuple[str, Any]
"""A label and the value."""


class Outcry(Exception):
    """What the user's own objects raise here; it may come out of a call, and leaves the simulator usable."""


def byte_strings(name: str, count: int, length: int) -> Iterator[bytes]:
    """*count* times `SCALE` random strings: those of *name* in every run; with a scale, new ones each time."""
    source = random.Random(name if SCALE == 1 else None)
    for _ in range(count * SCALE):
        yield source.randbytes(length)


class Choices:
    """A byte string, read from the front; zeros when it is used up. The first option is the plainest one."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        return self._at < len(self._data)

    def byte(self) -> int:
        """The next byte."""
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def pick(self, options: Sequence[T]) -> T:
        """One of *options*."""
        return options[self.byte() % len(options)]


_POWERS = [1 << n for n in (16, 20, 31, 32, 47, 48, 62, 63, 64)]
_EDGES = [
    0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 63, 64, 100, 255, 256, 512, 4095, 4096, 65535,
    *(p + d for p in _POWERS for d in (-1, 0, 1)),
    -1, -2, -128, -(1 << 31), -(1 << 31) - 1, -(1 << 63), -(1 << 64), 10**30, -(10**30), 107002, 0xFFFF800000000000,
]  # fmt: skip


def _mapped() -> list[tuple[int, int]]:
    with open("/proc/self/maps", encoding="ascii") as file:
        spans = [line.split()[0].split("-") for line in file]
    return [(int(low, 16), int(high, 16)) for low, high in spans]


#: Numbers that may be taken for addresses: none of them is the address of something that this process needs.
EDGES = [n for n in _EDGES if not any(low <= n < high for low, high in _mapped())]


def integer(choices: Choices) -> Value:
    """A number at some border, or a random one that is no address of this process."""
    n = choices.pick(EDGES) if choices.byte() % 4 else int.from_bytes(bytes(choices.byte() for _ in range(8)), "little")
    if 1 << 16 < n < 1 << 47 and n not in EDGES:
        n |= 1 << 60
    return (hex(n) if n > 1 << 16 else str(n)), n


def small(choices: Choices) -> Value:
    """A number as counts, kinds, flags and sizes are."""
    n = choices.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 100, 256, 512, 1000, 4096, 5000, -1, 0x10, 0x20, 0x40, 12])
    return str(n), n


TEXTS: list[Value] = [
    ("'x'", "x"), ("''", ""), ("'/'", "/"), ("'/dev/null'", "/dev/null"), ("no such file", "no/such/file.json"),
    ("NUL inside", "a\0b"), ("lone surrogate", "\udcff"), ("long text", "é" * 70_000), ("'0'", "0"), ("'%s%n'", "%s%n"),
    ("'Ascend910B3'", "Ascend910B3"), ("'0000:00:00.0'", "0000:00:00.0"), ("b'x'", b"x"), ("b'\\xff\\0'", b"\xff\0"),
    ("'{}'", "{}"), ("'float16'", "float16"), ("newlines", "a\nb\r\n"), ("'kernel.py'", "kernel.py"),
    ("'a.json'", "a.json"), ("'Add'", "Add"), ("'fixed.om'", "fixed.om"), ("'x'", "x"), ("'Neg'", "Neg"),
]  # fmt: skip


def text(choices: Choices) -> Value:
    """A string, or bytes."""
    return choices.pick(TEXTS)


class _Spiteful:
    """Everything that Python might ask of it raises."""

    def __index__(self) -> int:
        raise Outcry("index")

    __int__ = __float__ = __len__ = __iter__ = __bool__ = __hash__ = __fspath__ = __index__  # type: ignore[assignment]
    __repr__ = __str__ = __buffer__ = __index__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise Outcry("eq")

    def __getitem__(self, key: object) -> int:
        raise Outcry("item")


class _Liar:
    """Its protocol methods give values of wrong types."""

    def __index__(self) -> Any:
        return "1"  # noqa: PLE0305

    def __float__(self) -> Any:
        return None

    def __len__(self) -> int:
        return -1  # noqa: PLE0303

    def __fspath__(self) -> Any:
        return 5

    def __hash__(self) -> Any:
        return "x"  # noqa: PLE0309


class _Unhashable:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, *_: object) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return True


class _Int(int):
    pass


class _Str(str):
    pass


def _raises(*_: object) -> None:
    raise Outcry("callback")


class _Made:
    def __init__(self, *_: object) -> None:
        pass


def callables(choices: Choices, calls: Sequence[Callable[..., Any]]) -> Value:
    """Something that can be called: harmless, failing, odd, or making one of *calls* itself."""
    number = choices.byte() % (5 + len(calls))
    if number >= 5:
        call = calls[number - 5]
        return f"calls {call.__name__}", lambda *_: call()
    return [
        ("function", lambda *_: None),
        ("function that raises", _raises),
        ("function that gives an address", lambda *_: 16),
        ("unhashable callable", _Unhashable()),
        ("class", _Made),
    ][number]


def _released() -> memoryview:
    view = memoryview(bytearray(8))
    view.release()
    return view


def _cycle() -> list[Any]:
    made: list[Any] = [1]
    made.append(made)
    return made


class _Field(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_void_p)]


OTHERS: list[tuple[str, Callable[[], Any]]] = [
    ("None", lambda: None),
    ("True", lambda: True),
    ("1.5", lambda: 1.5),
    ("nan", lambda: float("nan")),
    ("-inf", lambda: float("-inf")),
    ("1e300", lambda: 1e300),
    ("1j", lambda: 1j),
    ("object()", object),
    ("Ellipsis", lambda: ...),
    ("numpy.int64(3)", lambda: np.int64(3)),
    ("numpy.float32(3)", lambda: np.float32(3)),
    ("numpy.bool_", lambda: np.bool_(True)),
    ("0-d array", lambda: np.array(5)),
    ("int subclass", lambda: _Int(1)),
    ("str subclass", lambda: _Str("x")),
    ("spiteful object", _Spiteful),
    ("lying object", _Liar),
    ("generator", lambda: (i for i in range(3))),
    ("[]", list),
    ("()", tuple),
    ("{}", dict),
    ("set", lambda: {1, 2}),
    ("[None]", lambda: [None]),
    ("[0, 0, 0]", lambda: [0, 0, 0]),
    ("[1, 2, 3]", lambda: [1, 2, 3]),
    ("['a', b'b', 1.0]", lambda: ["a", b"b", 1.0]),
    ("list in itself", _cycle),
    ("list of spiteful", lambda: [_Spiteful()]),
    ("list of lists", lambda: [[1, 2], [3]]),
    ("100000 ones", lambda: [1] * 100_000),
    ("range(2**40)", lambda: range(1 << 40)),
    ("list of 2**70", lambda: [1 << 70, -(1 << 70)]),
    ("10**5000", lambda: 10**5000),
    ("[10**5000]", lambda: [10**5000]),
    ("(1, 2)", lambda: (1, 2)),
    ("dict of fields", lambda: {"id": 1, "value": 2, "attr": 3, "type": "x", None: 4}),
    ("list of dicts", lambda: [{"id": 1, "value": 2}, {"id": "x"}, {}]),
    ("b''", lambda: b""),
    ("bytes", lambda: b"0123456789abcdef"),
    ("bytearray", lambda: bytearray(64)),
    ("released memoryview", _released),
    ("zeros(8)", lambda: np.zeros(8, np.uint8)),
    ("zeros(0)", lambda: np.zeros(0)),
    ("read-only array", lambda: np.frombuffer(b"12345678", np.uint8)),
    ("strided array", lambda: np.zeros(32, np.uint8)[::2]),
    ("array of objects", lambda: np.array([object(), "x"], object)),
    ("2-d array", lambda: np.zeros((3, 4), np.float32).T),
    ("ctypes struct", _Field),
    ("ctypes pointer", lambda: ctypes.pointer(ctypes.c_int(5))),
    ("ctypes array", lambda: (ctypes.c_uint64 * 4)(1, 2, 3, 4)),
    ("aclrtPtrAttributes", lambda: structs.aclrtPtrAttributes()),
    ("aclmdlIODims", lambda: structs.aclmdlIODims()),
]


def anything(choices: Choices) -> Value:
    """A Python object that no C function expects."""
    label, make = choices.pick(OTHERS)
    return label, make()
