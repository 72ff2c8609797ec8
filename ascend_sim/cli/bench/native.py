"""What C programs cost: a call over the same one in Python, the start of a program, building the library once."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.cli.bench.floors import Group, Row, Settings, Value, floor

__all__ = ["GROUP"]

ROWS = (
    Row("native_get", "floors", 6, "aclrtGetDevice from C, over the same call in Python, checks on"),
    Row("native_record", "floors", 6, "aclrtRecordEvent from C, over the same call in Python, checks on"),
    Row("native_mutex", "floors", 10, "a mutex of a C program locked and unlocked, threads in a fixed order"),
    Row(
        "native_start",
        "s",
        0.1,
        "processor time of a C program that does aclInit and aclFinalize, over `import ascend_sim`",
    ),
    Row("native_build", "s", 15, "processor time for building the library, once", extra=True),
)
RUNS = 3
STARTS = 11

_TRIVIAL = '#include "acl/acl.h"\nint main(void) { return aclInit(NULL) || aclFinalize(); }\n'
_CALLS_PYTHON = """
import time
from ascend_sim import _boot, ascendcl as C
_boot.join_run()
def measure():
    C.aclInit(None), C.aclrtSetDevice(0)
    stream, event = C.aclrtCreateStream()[0], C.aclrtCreateEvent()[0]
    get = record = 1e9
    for _ in range(7):
        begin = time.process_time()
        for _ in range(20000):
            C.aclrtGetDevice()
        get = min(get, (time.process_time() - begin) / 20000 * 1e6)
        begin = time.process_time()
        for _ in range(1000):
            C.aclrtRecordEvent(event, stream)
        record = min(record, (time.process_time() - begin) / 1000 * 1e6)
        C.aclrtSynchronizeStream(stream)
    print(get, record)
    C.aclrtDestroyEvent(event), C.aclrtDestroyStream(stream), C.aclrtResetDevice(0), C.aclFinalize()
measure()
"""


def _missing() -> str | None:
    from ascend_sim.native.home.compilers import CompilerError, c_compiler
    from ascend_sim.native.home.folder import configuration

    try:
        c_compiler()
        configuration()
    except CompilerError as error:
        return str(error)
    return None


def _seconds(words: Sequence[str], variables: Mapping[str, str]) -> float:
    """Processor time of a child, in seconds."""
    before = _children_seconds()
    subprocess.run(words, check=True, env=variables, stderr=subprocess.DEVNULL)
    return _children_seconds() - before


def _children_seconds() -> float:
    """Processor time of all children that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _numbers(words: Sequence[str], variables: Mapping[str, str]) -> list[float]:
    done = subprocess.run(
        words, check=True, env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    return [float(word) for word in done.stdout.split()]


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    from ascend_sim.native.home.compilers import compile_c
    from ascend_sim.native.home.folder import cached_home
    from ascend_sim.native.home.library import build
    from ascend_sim.native.programs import native_environment

    figures: dict[str, Value] = {}
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ASCEND_SIM_")}
    variables = native_environment(plain | {"ASCEND_SIM_THREADS": settings.threads})
    variables["PYTHONPATH"] = os.path.dirname(PACKAGE)
    with tempfile.TemporaryDirectory() as name:
        folder, home = Path(name), cached_home()
        (folder / "trivial.c").write_text(_TRIVIAL)
        sources = {"calls": os.path.join(PACKAGE, "native", "c", "bench.c"), "trivial": str(folder / "trivial.c")}
        for target, source in sources.items():
            compile_c(
                [
                    "-O2",
                    f"-I{home / 'include'}",
                    source,
                    "-o",
                    str(folder / target),
                    f"-L{home / 'lib64'}",
                    "-lascendcl",
                ]
            )
        if {"native_get", "native_record", "native_mutex"} & set(names):
            over: list[tuple[float, ...]] = []
            for _ in range(RUNS):
                python = _numbers([sys.executable, "-c", _CALLS_PYTHON], variables)
                c = _numbers([str(folder / "calls")], variables)
                over.append((c[0] - python[0], c[1] - python[1], c[2]))
            for i, row in enumerate(("native_get", "native_record", "native_mutex")):
                microseconds = statistics.median(pair[i] for pair in over)
                if row in names:
                    figures[row] = microseconds / (floor() * 1e6), microseconds
        if "native_start" in names:
            seconds = [
                _seconds([str(folder / "trivial")], variables)
                - _seconds([sys.executable, "-c", "import ascend_sim"], variables)
                for _ in range(STARTS)
            ]
            figures["native_start"] = (statistics.median(seconds), None)
        if "native_build" in names:
            before = _children_seconds()
            build(folder)
            figures["native_build"] = (_children_seconds() - before, None)
    return figures


GROUP = Group(ROWS, _measure, _missing)
