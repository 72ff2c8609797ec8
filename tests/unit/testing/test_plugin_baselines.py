"""`--ascend-error-on`, `--ascend-baseline`, `--ascend-update-baseline`: what fails the tests of a session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ascend_sim.findings.baseline import read_baseline

Pytest = Callable[..., Any]

TESTS = """
    import acl
    import pytest

    pytestmark = pytest.mark.ascend


    def leak():
        acl.init()
        acl.rt.set_device(0)
        acl.rt.create_stream()
        acl.rt.reset_device(0)
        acl.finalize()


    def double_free():
        acl.rt.set_device(0)
        address, _ = acl.rt.malloc(64, 0)
        acl.rt.free(address)
        acl.rt.free(address)


    def test_leak():
        leak()


    @pytest.mark.ascend(allow="leak")
    def test_allowed():
        leak()


    def test_double_free():
        double_free()
"""


def test_levels_and_baselines(run_pytest: Pytest, tmp_path: Path) -> None:
    assert run_pytest(TESTS).ended("failed") == {"test_double_free"}
    warned = run_pytest(TESTS, "--ascend-error-on", "leak")
    assert warned.ended("failed") == {"test_leak", "test_double_free"}

    words = ["--ascend-error-on=warning", "--ascend-baseline=known.json"]
    made = run_pytest(TESTS, *words, "--ascend-update-baseline", "-k", "leak")
    assert "ascend_sim: 1 finding of 1 test is now in known.json" in made.text
    assert run_pytest(TESTS, *words).ended("failed") == {"test_double_free"}
    more = run_pytest(TESTS, *words, "--ascend-update-baseline", "-k", "double")  # the other test keeps its finding
    assert more.ended("passed") == {"test_double_free"}
    assert run_pytest(TESTS, *words).ended("failed") == set()
    found = read_baseline(str(tmp_path / "known.json")).entries
    assert {(entry.found_by, entry.kind) for entry in found} == {
        ("test_it.py::test_leak", "leak"), ("test_it.py::test_double_free", "double-free"),
    }  # fmt: skip


def test_the_processes_of_xdist_send_what_they_found(run_pytest: Pytest, tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    made = run_pytest(TESTS, "--ascend-baseline=known.json", "--ascend-update-baseline", "-n", "2")
    assert "now in known.json" in made.text
    assert {entry.kind for entry in read_baseline(str(tmp_path / "known.json")).entries} == {"leak", "double-free"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ascend-error-on", "leek"], "did you mean leak?"),
        (["--ascend-update-baseline"], "--ascend-update-baseline needs --ascend-baseline FILE"),
        (["--ascend-baseline", "gone.json"], "the baseline 'gone.json' cannot be read"),
    ],
)
def test_a_wrong_option_is_told_before_the_first_test(run_pytest: Pytest, words: list[str], said: str) -> None:
    outcome = run_pytest(TESTS, *words)
    assert said in outcome.text and outcome.code == 4
    assert not outcome.tests
