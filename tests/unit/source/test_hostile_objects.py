"""Objects of the program whose every method raises, where a report looks for names: no call ends otherwise for them."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim import pyacl
from ascend_sim.findings import rendering
from ascend_sim.simulator import Simulator
from ascend_sim.source.holders import Holders


class Leave(BaseException):
    """No Exception."""


ERRORS = [ValueError, Leave, SystemExit, KeyboardInterrupt, RecursionError]
METHODS = (
    "repr str eq ne lt gt le ge format len iter bool getattr contains getitem index int float fspath bytes dir call hash"
)


def raising(error: type[BaseException], *more: str) -> dict[str, Any]:
    """The methods of a class all of which raise."""

    def fails(*_: Any, **__: Any) -> Any:
        raise error("made for a test")

    return {f"__{name}__": fails for name in (*METHODS.split(), *more)}


def _of_hostile_class(methods: dict[str, Any]) -> Any:
    """An object whose class says nothing of itself without asking the program."""
    meta: Any = type("Meta", (type,), {**methods, "__getattribute__": methods["__repr__"]})
    return object.__new__(type.__new__(meta, "Made", (), {}))


def _with_module(module: Any) -> Any:
    return type("Made", (), {"__module__": module})()


KINDS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "an object": lambda methods: type("Made", (), methods)(),
    "one that looks nothing up": lambda methods: type("Made", (), {**methods, "__getattribute__": methods["__repr__"]})(),
    "a number": lambda methods: type("Made", (int,), methods)(1 << 40),
    "a text": lambda methods: type("Made", (str,), methods)("x"),
    "a list": lambda methods: type("Made", (list,), methods)([1]),
    "a dict": lambda methods: type("Made", (dict,), methods)(a=1),
    "an object of a hostile class": _of_hostile_class,
    "a class whose module is no text": lambda methods: _with_module([1]),
    "a class whose module is another text": lambda methods: _with_module(type("Text", (str,), methods)("q")),
    "a tuple whose fields are no names": lambda methods: type("Made", (tuple,), {"_fields": (5, methods)})((1, 2)),
    "its dict is another": lambda methods: _with_dict(type("Dict", (dict,), methods)(a=1)),
}


def _with_dict(own: Any) -> Any:
    made = type("Made", (), {})()
    made.__dict__ = own
    return made


HELD: list[Any] = []
OWN: dict[str, int] = {}
NUMBER = "188900977279813"


def in_c() -> list[Any]:
    """A race and a bad free of objects that only a list holds."""
    memory = [C.aclrtMalloc(64, 0)[0] for _ in range(2)]
    streams = [C.aclrtCreateStream()[0] for _ in range(2)]
    host = C.aclrtMallocHost(64)[0]
    codes = [C.aclrtMemcpyAsync(memory[0], 64, host, 64, 1, streams[0]), C.aclrtMemset(host, 64, 1, 64)]
    return [*codes, C.aclrtFree(memory[1] + 8), C.aclrtSynchronizeStream(streams[0])]


def in_python() -> list[Any]:
    """`in_c` through pyACL."""
    rt = pyacl.modules()["acl"].rt
    memory = [rt.malloc(64, 0)[0] for _ in range(2)]
    streams = [rt.create_stream()[0] for _ in range(2)]
    host = rt.malloc_host(64)[0]
    codes = [rt.memcpy_async(memory[0], 64, host, 64, 1, streams[0]), rt.memset(host, 64, 1, 64)]
    return [*codes, rt.free(memory[1] + 8), rt.synchronize_stream(streams[0])]


def told(face: Callable[[], list[Any]], thing: Any) -> tuple[list[Any], str]:
    HELD[:] = [thing, {"thing": thing}]
    out = io.StringIO()
    with Simulator() as sim:
        sim.findings.sinks.append(rendering.Printer(out))
        C.aclrtSetDevice(0)
        return face(), out.getvalue()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("face", [in_c, in_python])
def test_a_report_asks_them_for_nothing(face: Callable[[], list[Any]], kind: str) -> None:
    """Codes and texts are as without them, whatever their methods raise."""
    things = [None, *(KINDS[kind](raising(error)) for error in ERRORS)]
    plain, *answers = [told(face, thing) for thing in things]
    assert "race" in plain[1] and "bad-free" in plain[1] and "`memory`" in plain[1]
    assert answers == [plain] * len(ERRORS)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_lies_beside_them_is_found(kind: str, error: type[BaseException]) -> None:
    HELD[:] = [KINDS[kind](raising(error))]
    OWN["address"] = int(NUMBER)
    assert Holders().anywhere(int(NUMBER)) == "OWN['address']"
    assert Holders().means(((test_what_lies_beside_them_is_found.__code__, 0),), "HELD[0].one", int(NUMBER)) is False
