"""Diagnoses of missing edges that need a certain schedule, or several host threads; the others are in tests/cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.forks import ascend_sim

D2D = 3
HEAD = """
import threading
from ascend_sim import ascendcl as C

def must(result):
    value, code = result if isinstance(result, tuple) else (None, result)
    assert code == 0, code
    return value

must(C.aclInit(None))
must(C.aclrtSetDevice(0))
s = must(C.aclrtCreateStream())
x = must(C.aclrtMalloc(64, 0))

def other():
    must(C.aclrtSetDevice(0))
    OTHER

thread = threading.Thread(target=other)
thread.start()
MAIN
thread.join()
must(C.aclrtSynchronizeStream(s))
"""
SUBMIT, CALL = "must(C.aclrtMemsetAsync(x, 64, 2, 64, s))", "must(C.aclrtMemset(x, 64, 2, 64))"
THREADS = {
    "two submits": (SUBMIT, SUBMIT, "both submit to `s`, and nothing orders the two calls", "order the two submits"),
    "a submit and a call": (CALL, SUBMIT, "nothing orders it with the submit in T0 (main)", "hand the memory over"),
    "a call and a submit": (SUBMIT, CALL, "nothing orders it with the submit in T1", "hand the memory over"),
    "two calls": (CALL, CALL, "do this in no order", "order the two threads"),
}


@pytest.mark.parametrize("name", THREADS)
def test_two_threads(name: str, tmp_path: Path) -> None:
    other, main, order, fix = THREADS[name]
    program, out = tmp_path / "program.py", tmp_path / "out.json"
    program.write_text(HEAD.replace("OTHER", other).replace("MAIN", main))
    ascend_sim("run", "--checks", "races", "--json", out, program)
    told: list[dict[str, Any]] = json.loads(out.read_text())["findings"]
    assert [finding["kind"] for finding in told] == ["race"]
    assert order in told[0]["order"] and told[0]["fix"].startswith(fix), told[0]


def test_a_wait_that_comes_after_the_access() -> None:
    with Simulator(checks="races") as sim:
        assert C.aclrtSetDevice(0) == 0
        a, b = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
        x, y = C.aclrtMalloc(64, 0)[0], C.aclrtMalloc(64, 0)[0]
        ready = C.aclrtCreateEventExWithFlag(1)[0]
        assert C.aclrtMemsetAsync(x, 64, 1, 64, a) == 0
        assert C.aclrtRecordEvent(ready, a) == 0
        assert C.aclrtMemcpyAsync(y, 64, x, 64, D2D, b) == 0
        assert C.aclrtStreamWaitEvent(b, ready) == 0
        assert C.aclrtSynchronizeDevice() == 0
        (finding,) = sim.findings
    assert "comes after the access at line" in finding.order and finding.fix.startswith("move the wait before line")
