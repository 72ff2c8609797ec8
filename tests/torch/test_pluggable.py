"""Allocators that a program writes in C++ for torch: they work, and findings know the tensors in their blocks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kit.torch_guest import needs_torch

PROGRAMS = Path(__file__).parent / "programs"
TEXT = (PROGRAMS / "pluggable.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("allocators") / "liballocators.so"
    words = [sys.executable, "-m", "ascend_sim", "cc", "-shared", "-fPIC", "-o", str(made)]
    subprocess.run([*words, str(PROGRAMS / "allocators.cpp")], check=True, capture_output=True)
    return made


def run(library: Path, allocator: str, case: str) -> tuple[subprocess.CompletedProcess[str], list[dict[str, Any]]]:
    report = library.parent / f"{allocator}_{case}.json"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ASCEND_SIM_")}
    words = [sys.executable, "-m", "ascend_sim", "run", "--json", str(report)]
    done = subprocess.run(
        [*words, str(PROGRAMS / "pluggable.py"), str(library), allocator, case],
        capture_output=True, text=True, check=False, timeout=600, env=kept,
    )  # fmt: skip
    assert report.exists(), done.stderr
    return done, json.loads(report.read_text())["findings"]


def fault_line(case: str) -> int:
    return TEXT.count("\n", 0, TEXT.index("# FAULT", TEXT.index(f"def {case}("))) + 1


@needs_torch
@pytest.mark.parametrize(
    ("allocator", "case"),
    [
        ("waiting", "train"),
        pytest.param("slab", "train", marks=pytest.mark.slow),
        pytest.param("waiting", "in_a_pool", marks=pytest.mark.slow),
        pytest.param("slab", "freed_too_early", marks=pytest.mark.slow),  # nothing gets its memory
    ],
)
def test_a_right_allocator_is_silent(library: Path, allocator: str, case: str) -> None:
    done, found = run(library, allocator, case)
    assert not found, done.stderr
    assert "alive 0" in done.stdout, done.stderr


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("allocator", ["waiting", "slab"])
def test_a_race_in_its_blocks_is_found(library: Path, allocator: str) -> None:
    done, found = run(library, allocator, "missing_wait")
    words = "`aten::mul` on `side` reads `y` while `aten::add` on the default stream may still be writing it"
    assert [finding["title"] for finding in found] == [words], done.stderr
    site = next(site for site in found[0]["sites"] if site["primary"])
    assert site["frames"][0]["line"] == fault_line("missing_wait")


@needs_torch
def test_a_block_that_is_freed_too_early_is_found(library: Path) -> None:
    done, found = run(library, "hasty", "freed_too_early")
    assert [finding["kind"] for finding in found] == ["use-after-free"], done.stderr
    assert found[0]["title"] == "`x` was freed while `aten::mul` on `side` was queued, which reads it"
    assert found[0]["order"] == "the free does not wait for `side`"
    site = next(site for site in found[0]["sites"] if site["primary"])
    assert site["frames"][0]["line"] == fault_line("freed_too_early")


@needs_torch
@pytest.mark.slow
def test_a_report_in_the_middle_of_a_gradients_end_asks_for_no_gradient(library: Path) -> None:
    """``p.grad = None`` frees the gradient while ``p.grad`` leads to it still: who asks gets what is destroyed twice."""
    done, found = run(library, "hasty", "train")
    assert {finding["kind"] for finding in found} == {"use-after-free"}, done.stderr  # and no crash
