"""Leaks of programs that never call aclInit: told when the program cleans up, no news when it does not."""

from __future__ import annotations

import sys

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C

BEGIN = "C.aclrtSetDevice(0)\np, _ = C.aclrtMalloc(100, 0)\nq, _ = C.aclrtMalloc(200, 0)\n"
TOLD = {
    "it initialises": ("C.aclInit(None)\n" + BEGIN, "2 device buffers (300 bytes)"),
    "it frees one": (BEGIN + "C.aclrtFree(p)\n", "1 device buffer (200 bytes)"),
    "it frees host memory": (
        BEGIN + "h, _ = C.aclrtMallocHost(8)\nC.aclrtFreeHost(h)\n", "2 device buffers (300 bytes)"
    ),
    "it resets": (BEGIN + "C.aclrtResetDevice(0)\n", "2 device buffers (300 bytes)"),
    "it resets by force": (BEGIN + "C.aclrtResetDeviceForce(0)\n", "2 device buffers (300 bytes)"),
    "it finalises": ("C.aclInit(None)\n" + BEGIN + "C.aclFinalize()\n", "2 device buffers (300 bytes)"),
    "it finalised, and went on": ("C.aclInit(None)\nC.aclFinalize()\n" + BEGIN, "2 device buffers (300 bytes)"),
}  # fmt: skip
SILENT = {
    "a few lines to try something": BEGIN + "C.aclrtCreateStream()\nC.aclrtMemset(p, 100, 0, 100)\n",
    "a free that is refused": BEGIN + "C.aclrtFree(0)\n",
    "it frees all": BEGIN + "C.aclrtFree(p)\nC.aclrtFree(q)\n",
    "it frees all and resets": BEGIN + "C.aclrtFree(p)\nC.aclrtFree(q)\nC.aclrtResetDevice(0)\n",
    "it initialises and frees all": "C.aclInit(None)\n" + BEGIN + "C.aclrtFree(p)\nC.aclrtFree(q)\nC.aclFinalize()\n",
}


def leaks(text: str) -> list[str]:
    with Simulator(checks="memory") as sim:
        exec(compile(text, "program.py", "exec"), {"C": C})
    return [finding.title for finding in sim.findings if finding.kind == "leak"]


@pytest.mark.parametrize(("text", "what"), TOLD.values(), ids=TOLD)
def test_who_cleans_up_is_told_what_is_left(text: str, what: str) -> None:
    (title,) = leaks(text)
    assert title.startswith(what)


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_who_does_not_or_leaves_nothing_hears_nothing(text: str) -> None:
    assert leaks(text) == []


def test_what_an_exception_kept_from_being_freed_is_no_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TOLD["it frees one"][0]
    assert leaks(text)
    monkeypatch.setattr(sys, "last_type", ValueError, raising=False)
    assert leaks(text) == []
