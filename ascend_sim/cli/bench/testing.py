"""What the pytest plugin costs: pytest runs of many empty tests with it and without, in turn, by processor time.

The bars are those that stood in milliseconds for the machine on which a floor took 0.17 us: 3 ms and 5 ms.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from importlib.util import find_spec

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.cli.bench.floors import Group, Row, Settings, Value, floor

__all__ = ["GROUP"]

TESTS = 300
FEW = 30
ROUNDS = 7

ROWS = (
    Row(
        "pytest_test", "floors", 17_600,
        "what a test with the marker `ascend` costs more than one with a fixture that does nothing",
    ),
    Row("pytest_unused", "floors", 29_400, "what the plugin costs a whole pytest run that does not use it"),
)  # fmt: skip

_FILES = {
    "test_plain.py": "{few}",
    "test_fixture.py": "import pytest\n@pytest.fixture\ndef nothing(): yield\n{tests_with_fixture}",
    "test_marked.py": "import pytest\npytestmark = pytest.mark.ascend\n{tests}",
}

_RUN = """
import sys, resource
import pytest
before = resource.getrusage(resource.RUSAGE_SELF)
assert pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", *sys.argv[1:]]) == 0
after = resource.getrusage(resource.RUSAGE_SELF)
print("seconds", after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
"""


def _missing() -> str | None:
    """Why nothing can be measured here; None when it can."""
    if find_spec("pytest") is None:
        return "pytest is not installed"
    return "this platform does not tell the processor time of a process" if find_spec("resource") is None else None


def _seconds(folder: str, *words: str) -> float:
    """Processor time of pytest with *words* in *folder*."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("ASCEND_SIM_", "PYTEST_"))}
    variables["PYTHONPATH"] = os.path.dirname(PACKAGE)
    run = subprocess.run(
        [sys.executable, "-c", _RUN, *words], cwd=folder, env=variables, capture_output=True, text=True, check=True
    )
    return float(run.stdout.rsplit("seconds", 1)[1])


def _difference(folder: str, more: tuple[str, ...], less: tuple[str, ...], rounds: int = ROUNDS) -> float:
    """Seconds by which *more* is dearer: the least of each, since noise only adds."""
    pairs = [(_seconds(folder, *more), _seconds(folder, *less)) for _ in range(rounds)]
    return min(first for first, _ in pairs) - min(second for _, second in pairs)


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    tests, few = ("".join(f"def test_{i}(): pass\n" for i in range(n)) for n in (TESTS, FEW))
    found: dict[str, Value] = {}
    before = floor(clock=time.process_time)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in _FILES.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text.format(tests=tests, few=few, tests_with_fixture=tests.replace("()", "(nothing)")))
        with_it, without = ("-p", "ascend_sim_pytest"), ("-p", "no:ascend_sim_pytest")
        seconds = {}
        if "pytest_test" in names:
            used = _difference(folder, (*with_it, "test_marked.py"), (*without, "test_fixture.py"))
            seconds["pytest_test"] = used / TESTS
        if "pytest_unused" in names:
            unused = _difference(folder, (*with_it, "test_plain.py"), (*without, "test_plain.py"), 3 * ROUNDS)
            seconds["pytest_unused"] = max(unused, 0.0)
    unit = (before + floor(clock=time.process_time)) / 2
    for name, value in seconds.items():
        found[name] = value / unit, value * 1e6
    return found


GROUP = Group(ROWS, _measure, _missing)
