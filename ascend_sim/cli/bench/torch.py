"""What torch_npu costs on the simulator, in a process of its own: skipped where the two are not installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection

from ascend_sim.cli.bench.floors import Group, Row, Settings, Value, floor

__all__ = ["GROUP"]

ROWS = (
    Row("torch_add", "floors", 250, "x + y of small tensors with torch_npu, checks off", extra=True),
    Row("torch_add_checked", "floors", 450, "x + y of small tensors with torch_npu, default checks", extra=True),
    Row("torch_record", "floors", 60, "an event of torch.npu recorded on a stream, checks off", extra=True),
    Row("torch_add_large", "ratio", 1.25, "x + y of 1M elements, over torch on the CPU, checks off", extra=True),
    Row(
        "torch_door",
        "s",
        0.15,
        "processor time of what `import torch_npu` loads of the simulator, at the first call",
        extra=True,
    ),
)
_PROGRAM = """
import json, sys, time
from ascend_sim import _boot
_boot.join_run()
before = time.process_time()
from ascend_sim.torch.gate import open_gate
open_gate()
import ctypes
ctypes.CDLL("libascendcl.so").aclsysGetCANNVersion(0, ctypes.create_string_buffer(1024))
door = time.process_time() - before
import torch
torch.set_num_threads(1)
def cost(action, count, rounds=7):
    best = 1e9
    for _ in range(rounds):
        begin = time.process_time()
        for _ in range(count):
            action()
        torch.npu.synchronize()  # what was queued runs here at the latest: it belongs to the cost
        best = min(best, (time.process_time() - begin) / count * 1e6)
    return best
x, y, event = torch.ones(16, device="npu"), torch.ones(16, device="npu"), torch.npu.Event()
stream = torch.npu.current_stream()  # asked once: Python code of torch_npu alone answers it, in twice the time of a record
large = [torch.ones(1 << 20, device=where) for where in ("npu", "cpu")]
found = {"add": cost(lambda: x + y, 500), "record": cost(lambda: event.record(stream), 500), "door": door}
found["npu"], found["cpu"] = (cost(lambda: a + a, 20) for a in large)
print(json.dumps(found))
"""


def _missing() -> str | None:
    from ascend_sim.native.compilers import CompilerError, c_compiler
    from ascend_sim.torch.versions import mismatch

    try:
        c_compiler()
    except CompilerError as error:
        return str(error)
    return mismatch() or None


def _found(checks: str) -> dict[str, float]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("ASCEND_SIM_")}
    variables |= {"ASCEND_SIM_CHECKS": checks, "ASCEND_SIM_THREADS": "deterministic"}
    words = [sys.executable, "-c", _PROGRAM]
    done = subprocess.run(
        words, check=True, env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    from ascend_sim.torch.libraries import folder

    folder()  # built once, and not counted
    figures: dict[str, Value] = {}
    unit = floor() * 1e6
    if set(names) - {"torch_add_checked"}:
        plain = _found("none")
        figures["torch_add"] = plain["add"] / unit, plain["add"]
        figures["torch_record"] = plain["record"] / unit, plain["record"]
        figures["torch_add_large"] = plain["npu"] / plain["cpu"], plain["npu"]
        figures["torch_door"] = plain["door"], None
    if "torch_add_checked" in names:
        checked = _found("memory,races,rules")
        figures["torch_add_checked"] = checked["add"] / unit, checked["add"]
    return {name: value for name, value in figures.items() if name in names}


GROUP = Group(ROWS, _measure, _missing)
