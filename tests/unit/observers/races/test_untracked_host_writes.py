"""Page-locked memory that callbacks fill before, beside and after a queued copy reads it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.kit.forks import ascend_sim

PROGRAM = """
import ctypes
from ascend_sim import ascendcl as C

def must(result):
    value, code = result if isinstance(result, tuple) else (None, result)
    assert code == 0, code
    return value

must(C.aclInit(None))
must(C.aclrtSetDevice(0))
a, b = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
ready = must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC))
device = must(C.aclrtMalloc(64, 0))
by_chain, by_event, by_nobody, by_program = [must(C.aclrtMallocHost(64)) for _ in range(4)]

def filling(address):
    return lambda _: ctypes.memset(address, 7, 64)

must(C.aclrtLaunchHostFunc(a, filling(by_chain), None))
must(C.aclrtMemcpyAsync(device, 64, by_chain, 64, 1, a))
must(C.aclrtSynchronizeDevice())

must(C.aclrtLaunchHostFunc(a, filling(by_event), None))
must(C.aclrtRecordEvent(ready, a))
must(C.aclrtStreamWaitEvent(b, ready))
must(C.aclrtMemcpyAsync(device, 64, by_event, 64, 1, b))
must(C.aclrtSynchronizeDevice())

must(C.aclrtLaunchHostFunc(a, filling(by_nobody), None))
must(C.aclrtMemcpyAsync(device, 64, by_nobody, 64, 1, b))
must(C.aclrtSynchronizeDevice())

must(C.aclrtLaunchHostFunc(a, lambda _: None, None))
must(C.aclrtMemcpyAsync(device, 64, by_program, 64, 1, a))
ctypes.memset(by_program, 9, 64)
must(C.aclrtSynchronizeDevice())
"""


def test_only_callbacks_in_no_order_with_the_copy_are_races(tmp_path: Path) -> None:
    program, out = tmp_path / "program.py", tmp_path / "out.json"
    program.write_text(PROGRAM)
    ascend_sim("run", "--checks", "races", "--json", out, program)
    told = json.loads(out.read_text())["findings"]
    assert [finding["title"].split(":")[0] for finding in told] == [
        "a callback on `a` writes `by_nobody` while a copy on `b` may still be reading it",
        "the program writes `by_program` while a copy on `a` may still be reading it",
    ]
    assert "let `b` wait for it" in told[0]["fix"]
