"""Programs with OpenMP, whose threads nobody orders (docs/semantics/native.md#openmp)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import SOURCES, tool

pytestmark = needs_compiler
FREE = "its threads run free"


@pytest.fixture(scope="module")
def openmp(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program ``openmp.cpp``; skips where the compiler has no OpenMP."""
    target = tmp_path_factory.mktemp("openmp") / "openmp"
    done = tool("cc", "-g", "-O1", "-Wall", "-Werror", "-fopenmp", str(SOURCES / "openmp.cpp"), "-o", str(target))
    if done.returncode:
        pytest.skip(f"this compiler has no OpenMP: {done.stderr[-200:]}")
    return str(target)


def test_threads_run_free_and_a_line_says_so(openmp: str) -> None:
    done = tool("run", "--check", "all", openmp)
    assert (done.returncode, done.stdout) == (0, "28\n"), done.stderr
    _, line = done.stderr.splitlines()
    assert "openmp has loaded libgomp.so" in line and FREE in line


def test_a_fault_beside_them_is_found(openmp: str) -> None:
    done = tool("run", openmp, "fault")
    assert done.returncode == 1 and done.stderr.count("error[") == 1, done.stderr
    assert "error[race]: a memset on `other` writes `block` while a memset on `one`" in " ".join(done.stderr.split())
    assert "// HERE" in done.stderr


def test_who_asks_for_an_order_gets_one(openmp: str) -> None:
    done = tool("run", "--check", "none", "--threads", "deterministic", openmp)
    assert done.stdout == "28\n", done.stderr
    assert FREE not in done.stderr


def test_programs_of_a_script_say_it_once(openmp: str, tmp_path: Path) -> None:
    script = tmp_path / "both.sh"
    script.write_text(f"#!/bin/sh\n{openmp}\n{openmp}\n")
    done = tool("run", str(script))
    assert (done.returncode, done.stdout, done.stderr.count(FREE)) == (0, "28\n28\n", 1), done.stderr


@pytest.mark.slow
def test_a_search_gives_them_one_thread(openmp: str, tmp_path: Path) -> None:
    file = str(tmp_path / "schedule.json")
    done = tool("explore", "--budget", "1h", "--save", file, openmp, "fault")
    assert done.returncode == 1 and "race in 2 of 2" in done.stdout, done.stdout
    again = tool("replay", file, openmp, "fault")
    assert again.stdout == "28\n" and again.stderr.count("error[") == 1, again.stderr
    assert FREE not in again.stderr and "not as recorded" not in again.stderr
