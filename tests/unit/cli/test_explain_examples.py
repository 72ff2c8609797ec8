"""The examples of `ascend-sim explain`: each shows its kind of finding when it runs, the corrected one is silent."""

from __future__ import annotations

import json
import linecache
import shlex
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest

from ascend_sim import Simulator, pyacl
from ascend_sim.cli import examples, explain
from ascend_sim.cli import main as ascend_sim
from ascend_sim.errors import SimulatedHang
from ascend_sim.findings.kinds import KINDS
from ascend_sim.findings.languages import untranslated
from ascend_sim.observers.races import access_history
from tests.kit import forks
from tests.kit.round_trips import differences

APART = {"crash", "dead-peer", "fork-after-init", "gil-deadlock", "order-depends-on-clock", "shared-object"}
"""These need a process of their own; the others are quicker without."""
NOT_HERE = {"stuck-thread"}
"""Takes five real seconds; tests/unit/cli/test_run_checks.py tries it with fewer."""
BESIDE = {
    "allocator-two-streams": {"race"}, "free-before-alloc": {"use-after-free"}, "unbalanced": {"leak"},
    "use-after-finalize": {"leak"}, "use-after-reset": {"leak"},
}  # fmt: skip
"""What else an example makes the simulator say."""


def apart(path: Path, options: str) -> list[str]:
    """The kinds of findings of a program that `ascend-sim run` runs."""
    forks.ascend_sim("run", *shlex.split(options), "--json", "out.json", path.name, folder=path.parent)
    return [f["kind"] for f in json.loads((path.parent / "out.json").read_text())["findings"] if not f["suppressed"]]


def here(path: Path, options: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of findings of a program that runs in this process."""
    settings: dict[str, Any] = {}
    words = shlex.split(options)
    for name, value in zip(words[::2], words[1::2], strict=True):
        if name == "--limits":
            key, _, number = value.partition("=")
            settings["limits"] = {key: int(number)}
        else:
            key, kind = {"--devices": ("devices", int), "--check": ("checks", str), "--inject": ("faults", str)}[name]
            settings[key] = kind(value)
    for name, module in pyacl.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    linecache.checkcache(str(path))
    code = compile(path.read_text(), str(path), "exec")
    with Simulator(**settings) as sim:
        try:
            exec(code, {"__name__": "__main__"})
        except (SimulatedHang, SystemExit):
            pass
    assert [text for f in sim.findings for text in untranslated(f, "zh")] == []
    assert [text for f in sim.findings for text in differences(f)] == []
    return [f.kind for f in sim.findings if f.suppressed is None]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_an_example_shows_the_fault_and_its_correction_does_not(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = explain.advice()[kind]
    assert known.program
    if kind in NOT_HERE:
        return
    if kind == "order-history":  # a smaller example of the same
        monkeypatch.setattr(access_history, "MOST_SEGMENTS", 256)
        known = attrs.evolve(known, program=known.program.replace("140_000", "20_000"))
    found = []
    for name, program in (("example", known.program), ("corrected", known.fixed)):
        path = tmp_path / f"{name}.py"
        path.write_text(examples.whole(program))
        found.append(apart(path, known.options) if kind in APART else here(path, known.options, monkeypatch))
    shown, silent = found
    assert kind in shown and set(shown) <= {kind} | BESIDE.get(kind, set()), shown
    assert silent == [], silent


def test_examples_are_printed_ready_to_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert ascend_sim(["explain", "race", "--example"]) == 0
    assert capsys.readouterr().out == examples.BEGINNING + explain.advice()["race"].program + "\n"
    assert ascend_sim(["explain", "leak", "--corrected"]) == 0
    assert capsys.readouterr().out == explain.advice()["leak"].fixed + "\n"
    assert ascend_sim(["explain", "not-modelled", "--corrected"]) == 2
    assert "no corrected example" in capsys.readouterr().err
    assert ascend_sim(["explain", "107002", "--example"]) == 2
    assert "codes have none" in capsys.readouterr().err
