"""What the pytest plugin costs: pytest runs of many empty tests with it and without, in turn, by processor time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec

from ascend_sim.catalogue.tables import PACKAGE

__all__ = ["FIGURES", "measure", "missing"]

TESTS = 300
FEW = 30
ROUNDS = 7

# name, unit, the bar of the project, what it is
FIGURES: tuple[tuple[str, str, float, str], ...] = (
    (
        "pytest_test",
        "ms",
        3,
        "what a test with the marker `ascend` costs more than one with a fixture that does nothing",
    ),
    ("pytest_unused", "ms", 5, "what the plugin costs a whole pytest run that does not use it"),
)

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


def missing() -> str | None:
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


def measure() -> dict[str, tuple[float, float | None]]:
    """The figures in ms; empty where `missing` says why."""
    if missing() is not None:
        return {}
    tests, few = ("".join(f"def test_{i}(): pass\n" for i in range(n)) for n in (TESTS, FEW))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in _FILES.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text.format(tests=tests, few=few, tests_with_fixture=tests.replace("()", "(nothing)")))
        with_it, without = ("-p", "ascend_sim_pytest"), ("-p", "no:ascend_sim_pytest")
        used = _difference(folder, (*with_it, "test_marked.py"), (*without, "test_fixture.py")) / TESTS
        unused = _difference(folder, (*with_it, "test_plain.py"), (*without, "test_plain.py"), 3 * ROUNDS)
    return {"pytest_test": (used * 1e3, None), "pytest_unused": (max(unused, 0.0) * 1e3, None)}
