"""What the start of a C program loads: a program that does next to nothing pays for next to nothing."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from ascend_sim.native.programs import native_environment
from tests.kit.compilers import needs_compiler

pytestmark = needs_compiler

LATE = {
    "attr", "ast", "inspect", "numpy", "queue", "random", "selectors", "socket", "tempfile", "traceback", "unicodedata",
    "zlib", "ascend_sim.pyacl", "ascend_sim.catalogue.aclnn", "ascend_sim.catalogue.declarations",
    "ascend_sim.catalogue.himpi", "ascend_sim.catalogue.layouts", "ascend_sim.native.guest",
    "ascend_sim.native.places.symbols", "ascend_sim.native.values",
    "ascend_sim.observers.races.diagnosis", "ascend_sim.runtime.graphs.capture",
}  # fmt: skip
"""Each takes half a millisecond or more, and serves programs that do something."""


def _loaded(program: Path) -> set[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ASCEND_SIM_")}
    variables = native_environment(plain) | {"PYTHONPROFILEIMPORTTIME": "1"}
    done = subprocess.run([program], env=variables, stderr=subprocess.PIPE, text=True, timeout=120, check=True)
    return set(re.findall(r"^import time: .*\| +(\S+)$", done.stderr, re.MULTILINE))


def test_a_trivial_program_loads_only_what_it_uses(built: Callable[[str], Path]) -> None:
    loaded = _loaded(built("trivial.c"))
    assert "ascend_sim.native.inside" in loaded
    assert sorted(loaded & LATE) == []


def test_and_others_load_it(built: Callable[[str], Path]) -> None:
    assert {"attr", "numpy", "ascend_sim.native.values"} <= _loaded(built("values.c"))
