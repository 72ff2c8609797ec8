"""What torch_npu costs on the simulator, in a process of its own: skipped where the two are not installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection
from typing import Any

from ascend_sim.cli.bench.floors import Group, Row, Settings, Value

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
import json, statistics, sys, time
from ascend_sim import _boot
_boot.join_run()
import importlib.metadata, email.message  # torch loads them before it asks for torch_npu
before = time.process_time()
from ascend_sim.torch.gate import open_gate
open_gate()
import ctypes
ctypes.CDLL("libascendcl.so").aclsysGetCANNVersion(0, ctypes.create_string_buffer(1024))
door = time.process_time() - before
import torch
from ascend_sim.cli.bench.floors import against_floor
torch.set_num_threads(1)
def cost(action, count):
    begin = time.process_time()
    for _ in range(count):
        action()
    torch.npu.synchronize()  # what was queued runs here at the latest: it belongs to the cost
    return (time.process_time() - begin) / count
def in_floors(action):  # by the processor's time, floor and action in turn: other processes are not counted
    return against_floor(lambda: cost(action, 500), measured_by=time.process_time)
x, y, event = torch.ones(16, device="npu"), torch.ones(16, device="npu"), torch.npu.Event()
stream = torch.npu.current_stream()  # asked once: Python of torch_npu alone answers it, in four times the time of a record
large = [torch.ones(1 << 20, device=where) for where in ("npu", "cpu")]
found = {"add": in_floors(lambda: x + y), "record": in_floors(lambda: event.record(stream)), "door": door}
pairs = [[cost(lambda: a + a, 20) for a in large] for _ in range(9)][1:]
found["large"] = statistics.median(npu / cpu for npu, cpu in pairs), statistics.median(npu for npu, _ in pairs) * 1e6
print(json.dumps(found))
"""


def _missing() -> str | None:
    from ascend_sim.native.home.compilers import CompilerError, c_compiler
    from ascend_sim.torch.versions import mismatch

    try:
        c_compiler()
    except CompilerError as error:
        return str(error)
    return mismatch() or None


def _found(checks: str) -> dict[str, Any]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("ASCEND_SIM_")}
    variables |= {"ASCEND_SIM_CHECKS": checks, "ASCEND_SIM_THREADS": "deterministic"}
    words = [sys.executable, "-c", _PROGRAM]
    done = subprocess.run(
        words, check=True, env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    from ascend_sim.torch.libraries import folder

    folder()  # built once, and not counted
    figures: dict[str, Value] = {}
    if set(names) - {"torch_add_checked"}:
        plain = _found("none")
        figures["torch_add"], figures["torch_record"] = plain["add"], plain["record"]
        figures["torch_add_large"] = plain["large"]
        figures["torch_door"] = plain["door"], None
    if "torch_add_checked" in names:
        figures["torch_add_checked"] = _found("memory,races,rules")["add"]
    return {name: value for name, value in figures.items() if name in names}


GROUP = Group(ROWS, _measure, _missing)
