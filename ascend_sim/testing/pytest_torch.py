"""Tests of torch programs: one simulator for the process, since torch is initialised once; findings fail their test."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from ascend_sim.findings import rendering
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.languages import in_lines
from ascend_sim.findings.project_file import listed
from ascend_sim.findings.suppressions import Suppressions
from ascend_sim.options import options_of
from ascend_sim.runtime.processes.neighbours import enter_run
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches
from ascend_sim.simulator import Simulator, current
from ascend_sim.torch.gate import put_gate

__all__ = ["JudgeEachTest", "begin", "fresh_errors", "judge"]

_OPTION = "ascend_torch_simulator"


def begin(config: pytest.Config) -> Simulator:
    """The simulator of the process, opened when it is first asked for; ``import torch`` finds it from now on."""
    put_gate()
    known: Simulator | None = getattr(config, _OPTION, None)
    if known is None:
        known = current() or _opened(config)
        setattr(config, _OPTION, known)
    return known


def _opened(config: pytest.Config) -> Simulator:
    line = config.option
    options: dict[str, Any] = {"threads": "deterministic", **options_of(os.environ)}
    if line.ascend_soc is not None:
        options["soc"] = line.ascend_soc
    if line.ascend_seed is not None:
        options["seed"] = int(line.ascend_seed)
    if line.ascend_check is not None:
        options["checks"] = line.ascend_check
    sim = Simulator(**options)
    sim.findings.suppressions = Suppressions(listed(str(config.rootpath), "suppress")[1])
    if isinstance(sim.threads, DeterministicThreads) and DeterministicThreads.installed is None:
        install_patches(sim.threads)
    enter_run(sim.open())
    sim.follow_environment()
    return sim


def fresh_errors(sim: Simulator, before: int) -> list[Finding]:
    """Findings that fail a test, after the first *before* ones."""
    return [f for f in list(sim.findings)[before:] if f.severity == "error" and not f.cause and not f.suppressed]


class JudgeEachTest:
    """With ``--ascend-torch``: a test fails of the error findings that it makes."""

    def __init__(self, sim: Simulator) -> None:
        self.sim = sim

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Look at what was found while the test ran."""
        before = len(self.sim.findings)
        result = yield
        judge(fresh_errors(self.sim, before))
        return result


def judge(errors: Sequence[Finding]) -> None:
    """Fail the test of *errors*, with their texts."""
    if errors:
        texts = [rendering.full(finding) for finding in errors[: rendering.FULL_REPORTS]]
        kinds = ", ".join(dict.fromkeys(finding.kind for finding in errors))
        many = f"{len(errors)} findings" if len(errors) > 1 else "a finding"
        raise pytest.fail.Exception("\n".join([in_lines(f"{many} of the simulator: {kinds}"), *texts]), pytrace=False)
