"""Failing codes that the program ignores: what counts as looking at one."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C

IGNORED = {
    "dropped": "C.aclrtSetDevice(99)",
    "several outputs, dropped": "C.aclrtCreateStream()",
    "overwritten": "ret = C.aclrtSetDevice(99)\nret = C.aclrtSetDevice(0)\ncheck(ret)",
    "never read": "stream, ret = C.aclrtCreateStream()\nprint(stream)",
    "overwritten by another result": "stream, ret = C.aclrtCreateStream()\nevent, ret = C.aclrtCreateEvent()\ncheck(ret)",
    "in a function": "def f():\n    stream, ret = C.aclrtCreateStream()\n    return stream\nf()",
    "in a function, overwritten": "def f():\n    r = C.aclrtSetDevice(99)\n    r = C.aclInit(None)\n    return r\nf()",
    "an underscore": "stream, _ = C.aclrtCreateStream()",
}
LOOKED_AT = {
    "returned": "def f():\n    return C.aclrtSetDevice(99)\nf()",
    "compared": "assert C.aclrtSetDevice(99) == 107001",
    "passed on": "check(C.aclrtSetDevice(99))",
    "stored and read": "stream, ret = C.aclrtCreateStream()\ncheck(ret)",
    "read in a branch": "ret = C.aclrtSetDevice(99)\nif ret:\n    ret = C.aclrtSetDevice(0)",
    "read in a loop": "for i in range(2):\n    if i:\n        check(ret)\n    ret = C.aclrtSetDevice(99)",
    "read in a function": "def f():\n    check(ret)\nret = C.aclrtSetDevice(99)\nf()",
    "kept whole": "result = C.aclrtCreateStream()\ncheck(result[-1])",
    "an attribute": "check.ret = C.aclrtSetDevice(99)",
    "an element": "[0][0], check.ret = C.aclrtCreateStream()",
    "a list": "codes = [C.aclrtSetDevice(99)]",
    "a cell": "def f():\n    ret = C.aclrtSetDevice(99)\n    def g():\n        return ret\n    return g()\nf()",
    "initialised twice": "C.aclInit(None)\nC.aclInit(None)",
    "a time-out of a poll": (
        "from threading import get_ident\ncheck(C.aclrtSetDevice(0))\ncheck(C.aclrtSubscribeReport(get_ident(), None))\n"
        "C.aclrtProcessReport(10)"
    ),
    "a success": "C.aclrtGetDeviceCount()",
}


def _findings(text: str) -> list[Any]:
    def check(code: object) -> None: ...

    with Simulator(checks="codes") as sim:
        exec(compile(text, "program.py", "exec"), {"C": C, "check": check, "print": check})
        return list(sim.findings)


@pytest.mark.parametrize("text", IGNORED.values(), ids=IGNORED)
def test_an_ignored_code_is_reported_with_its_reason(text: str) -> None:
    (finding,) = _findings(text)
    assert (finding.kind, finding.severity) == ("ignored-code", "warning")
    assert finding.code[1] in (107001, 107002)
    assert "there is 1 device" in finding.notes[0] or "no current context" in finding.notes[0]


@pytest.mark.parametrize("text", LOOKED_AT.values(), ids=LOOKED_AT)
def test_a_code_that_may_be_looked_at_is_not(text: str) -> None:
    assert _findings(text) == []


def test_what_follows_from_an_ignored_code_is_said_in_one_line() -> None:
    text = (
        "stream, ret = C.aclrtCreateStream()\nC.aclrtMalloc(64, 0)\nC.aclrtDestroyStream(stream)\nC.aclrtSetDevice(7)"
    )
    first, other = _findings(text)
    assert first.code == ("aclrtCreateStream", 107002)
    assert first.followers == (
        "107002 from aclrtMalloc at program.py:2", "100000 from aclrtDestroyStream at program.py:3",
    )  # fmt: skip
    assert other.code == ("aclrtSetDevice", 107001)


def test_the_code_of_a_call_with_a_finding_of_its_own_needs_no_second_one() -> None:
    text = "check(C.aclrtSetDevice(0))\npointer = C.aclrtMalloc(64, 0)[0]\nfor _ in range(2):\n    C.aclrtFree(pointer)"
    with Simulator(checks="all") as sim:
        exec(compile(text, "program.py", "exec"), {"C": C, "check": print})
        assert [finding.kind for finding in sim.findings] == ["double-free"]
