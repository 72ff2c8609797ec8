"""Tests of torch programs with the plugin: one simulator for all, and findings fail the test that makes them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.kit.torch_guest import needs_torch

TESTS = """
import torch


def test_sum():
    assert (torch.ones(3, device="npu") + 1).cpu().tolist() == [2.0] * 3


def test_race(ascend_torch):
    s1, s2 = torch.npu.Stream(), torch.npu.Stream()
    x = torch.zeros(1024, device="npu")
    torch.npu.synchronize()
    with torch.npu.stream(s1):
        x.fill_(3.0)
    with torch.npu.stream(s2):
        y = x + 1
    torch.npu.synchronize()
    assert len(ascend_torch.findings) == 1


def test_sum_again():
    assert (torch.ones(3, device="npu") + 1).cpu().tolist() == [2.0] * 3
"""


@needs_torch
def test_a_finding_fails_its_test(tmp_path: Path) -> None:
    (tmp_path / "test_programs.py").write_text(TESTS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--ascend-torch", "test_programs.py"],
        capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300,
    )  # fmt: skip
    assert "FAILED test_programs.py::test_race" in done.stdout, done.stdout + done.stderr
    assert "1 failed, 2 passed" in done.stdout
    assert "error[race]" in done.stdout
