"""What it costs to begin: imports in a fresh interpreter, a Simulator, and the memory of devices that nobody touches."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Collection

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.cli.bench.floors import ROUNDS, Group, Row, Settings, Value, clock

__all__ = ["GROUP"]

ROWS = (
    Row("simulator", "ms", 0.2, "a Simulator with checks none"),
    Row("import", "s", 0.25, "`import ascend_sim` in a fresh interpreter, without rich, hypothesis, pytest"),
    Row("import_faces", "s", 0.25, "what simulator and both faces add to numpy and attrs, in a fresh interpreter"),
    Row("eight_devices", "MiB", 8, "resident memory of 8 devices with 60 GiB allocated on each, nothing touched"),
)


def _new_simulator() -> float:
    from ascend_sim.simulator import Simulator

    begin = clock()
    for _ in range(20):
        Simulator(checks="none")
    return (clock() - begin) / 20


def _child(code: str) -> float:
    """The number that *code* prints in a fresh interpreter."""
    code = f"import sys; sys.path[0] = {os.path.dirname(PACKAGE)!r}\n{code}"  # -c puts the working directory there
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return float(output)


_IMPORT = """
import time
begin = time.perf_counter()
import ascend_sim
seconds = time.perf_counter() - begin
import sys
assert not {"rich", "hypothesis", "pytest"} & set(sys.modules)
print(seconds)
"""

_IMPORT_FACES = """
import numpy, attrs
import time
begin = time.perf_counter()
import ascend_sim.simulator, ascend_sim.ascendcl, ascend_sim.pyacl
seconds = time.perf_counter() - begin
import sys
assert not {"rich", "hypothesis", "pytest"} & set(sys.modules)
print(seconds)
"""

_MEMORY = """
import numpy, attrs, resource
def peak(): return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
import ascend_sim.simulator, ascend_sim.ascendcl as C
{warm}
before = peak()
with ascend_sim.simulator.Simulator(devices=8, checks='none') as sim:
    blocks = []
    for device in range(8):
        C.aclrtSetDevice(device)
        blocks.append(C.aclrtMalloc(60 << 30, 0))
        assert blocks[-1][1] == 0
    print((peak() - before) / 2**20)
"""
_WARM = "with ascend_sim.simulator.Simulator(checks='none'): C.aclrtSetDevice(0); C.aclrtFree(C.aclrtMalloc(64, 0)[0])"
"""The first call of a function loads its module: that is no memory of devices."""


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    figures: dict[str, Value] = {}
    if "simulator" in names:
        figures["simulator"] = (statistics.median(_new_simulator() for _ in range(ROUNDS)) * 1e3, None)
    for name, code in (("import", _IMPORT), ("import_faces", _IMPORT_FACES)):
        if name in names:
            figures[name] = (statistics.median(_child(code) for _ in range(5)), None)
    if "eight_devices" in names and sys.platform == "linux":
        figures["eight_devices"] = (_child(_MEMORY.format(warm=_WARM)), None)
    return figures


GROUP = Group(ROWS, _measure)
