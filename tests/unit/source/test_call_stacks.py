"""The frames of a call site while checks are on: who called, however often, and without leaving traces."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.runtime.current import LOCAL
from ascend_sim.source.callsite import Activation, resolve
from tests.kit.calls import simulator

pytestmark = pytest.mark.usefixtures("sim")
sim = simulator(checks="races")


def lines() -> list[tuple[str, int]]:
    """(function, line) of the frames that are kept for the latest call."""
    return [
        (frame.function.rpartition(".")[2], frame.line) for frame in (resolve(*point) for point in LOCAL.state.site)
    ]


def here(more: int = 0) -> tuple[str, int]:
    """(function, line) of the caller."""
    frame = sys._getframe(1)
    return frame.f_code.co_name, frame.f_lineno + more


def ask() -> list[tuple[str, int]]:
    C.aclrtGetDevice()
    return lines()


def test_one_function_called_from_two_places_in_turns() -> None:
    def first() -> list[tuple[str, int]]:
        return ask()

    def second() -> list[tuple[str, int]]:
        return ask()

    for _ in range(4):
        one, other = first(), second()
        assert one[1][0] == "first" and other[1][0] == "second"
        assert one[2] == other[2] == here(-2)


def test_several_calls_of_one_run_of_a_function() -> None:
    for _ in range(3):
        C.aclrtGetDevice()
        assert lines()[0] == here(-1)
        C.aclrtGetDevice()
        assert lines()[0] == here(-1)
        site = LOCAL.state.site
    C.aclrtGetDevice()
    assert lines()[0] == here(-1) and LOCAL.state.site is not site


def test_each_turn_of_a_loop_keeps_the_same_object() -> None:
    sites = []
    for _ in range(4):
        C.aclrtGetDevice()
        sites.append(LOCAL.state.site)
    assert all(site is sites[0] for site in sites) and 1 < len(sites[0]) <= 7  # six frames, and the face


def test_a_generator_is_resumed_by_other_callers() -> None:
    def values() -> Iterator[list[tuple[str, int]]]:
        while True:
            C.aclrtGetDevice()
            yield lines()

    made = values()

    def one() -> list[tuple[str, int]]:
        return next(made)

    def other() -> list[tuple[str, int]]:
        return next(made)

    for _ in range(3):
        assert [frame[0] for frame in one()[:2]] == ["values", "one"]
        assert [frame[0] for frame in other()[:2]] == ["values", "other"]


def test_recursion() -> None:
    def down(depth: int) -> list[int]:
        C.aclrtGetDevice()
        before = [frame[0] for frame in lines()].count("down")
        deeper = down(depth - 1) if depth else []
        C.aclrtGetDevice()
        assert [frame[0] for frame in lines()].count("down") == before
        return [before, *deeper]

    assert down(8) == [1, 2, 3, 4, 5, 6, 6, 6, 6]


def test_a_debugger_that_comes_later_sees_the_program() -> None:
    seen = []

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        seen.append((frame.f_code.co_name, event))
        return trace

    def traced() -> None:
        for _ in range(3):
            C.aclrtGetDevice()

    for _ in range(3):
        C.aclrtGetDevice()
    frame = sys._getframe()
    assert type(frame.f_trace) is Activation
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        C.aclrtGetDevice()
        assert lines()[0] == here(-1)
        traced()
        frame.f_trace = trace
        C.aclrtGetDevice()
        assert lines()[0] == here(-1)
    finally:
        sys.settrace(before)
    assert ("traced", "line") in seen and frame.f_trace is trace


def test_nothing_is_kept_alive() -> None:
    import weakref

    class Thing:
        pass

    def work() -> Any:
        thing = Thing()
        for _ in range(3):
            C.aclrtGetDevice()
        return weakref.ref(thing)

    assert work()() is None


def test_one_place_that_calls_by_both_faces() -> None:
    """A face's words are those of the call: the place, its callers and the activation may be the same."""
    import acl

    def face() -> str:
        return str(LOCAL.state.site[-1][0].co_filename)

    def call(function: Any) -> Any:
        function()
        return face()

    for _ in range(3):
        faces = []
        for function in (C.aclrtGetDevice, acl.rt.get_device) * 3:
            faces.append(call(function))
        assert faces == ["<ascendcl>", "<pyacl>"] * 3
        faces = []
        for function in (C.aclrtGetDevice, acl.rt.get_device) * 3:
            function()
            faces.append(face())
        assert faces == ["<ascendcl>", "<pyacl>"] * 3


def test_a_function_that_is_called_again_from_there_keeps_its_objects() -> None:
    def both() -> list[Any]:
        C.aclrtGetDevice()
        first = LOCAL.state.site
        C.aclrtGetDevice()
        return [first, LOCAL.state.site]

    def again() -> list[list[Any]]:
        return [both() for _ in range(3)]

    first, *others = again()
    assert first[0] is not first[1] and all(one is two for made in others for one, two in zip(first, made, strict=True))
